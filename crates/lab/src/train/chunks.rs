//! Self-play in chunks smaller than a shard, which can be played on any machine. Chunks are checked and joined into
//! exactly the bytes of the shard.

use super::error::ShardError;
use super::selfplay::{Plan, Player, SelfplayError, stream};
use super::shard::{self, Origin};
use sanban_engine::nnue::NetworkChoice;
use sanban_engine::{Game, evaluation_id};
use sanban_rules::{AnyPosition, AsBoard, VariantId, each_board};
use std::ops::Range;

/// The reason why a chunk is rejected.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ChunkError {
    #[error(transparent)]
    Damaged(#[from] ShardError),
    #[error("games of {found:?}, expected {expected:?}")]
    Plan { found: Box<Origin>, expected: Box<Origin> },
    #[error("{found} games, expected {expected}")]
    Number { found: usize, expected: u64 },
    #[error("game {game}: the move at ply {ply} is illegal")]
    Illegal { game: usize, ply: usize },
    #[error("{found:?} does not continue {first:?} after {games} games")]
    Gap {
        found: Box<Origin>,
        first: Box<Origin>,
        /// Number of games in the chunks before it.
        games: usize,
    },
    #[error("no chunks were given")]
    None,
}

/// Plays the games of a seed with these numbers and returns a file of games in the format that [`shard::parse`] reads.
/// `game` is a game on the board of `G`.
///
/// # Errors
/// No opening is balanced according to this evaluation.
pub fn play<G: Game<Position: AsBoard>>(
    game: VariantId,
    network: &NetworkChoice,
    seed: u64,
    nodes: u32,
    games: Range<u64>,
) -> Result<Vec<u8>, SelfplayError> {
    let origin = Origin {
        game: game.name().into(),
        evaluation: evaluation_id::<G>(game, network),
        seed,
        nodes,
        first: games.start,
    };
    let mut player = Player::<G>::new(network, Plan { game, nodes, ..Plan::default() });
    let records: Result<Vec<_>, _> = games.map(|game| player.play(&mut stream(seed, game))).collect();
    Ok(shard::bytes(&origin, &records?)?)
}

/// Checks a chunk: its checksum, the origin of its games (except the name of the evaluation), their number, and that
/// every move is legal.
pub fn check(game: VariantId, chunk: &[u8], origin: &Origin, games: u64) -> Result<(), ChunkError> {
    let (found, records) = shard::parse(chunk)?;
    if !found.same_games(&origin.clone().clipped()) {
        return Err(ChunkError::Plan { found: found.into(), expected: origin.clone().into() });
    }
    if records.len() as u64 != games {
        return Err(ChunkError::Number { found: records.len(), expected: games });
    }
    let start = AnyPosition::new(game);
    for (game, record) in records.iter().enumerate() {
        let played = each_board!(start.board(), start => record.replay(start.clone(), |_, _, _| ()));
        played.map_err(|ply| ChunkError::Illegal { game, ply })?;
    }
    Ok(())
}

/// Joins consecutive chunks.
pub fn join<'a>(chunks: impl IntoIterator<Item = &'a [u8]>) -> Result<Vec<u8>, ChunkError> {
    let mut whole: Option<(Origin, Vec<_>)> = None;
    for chunk in chunks {
        let (origin, mut records) = shard::parse(chunk)?;
        let Some((first, all)) = &mut whole else {
            whole = Some((origin, records));
            continue;
        };
        let next = Origin { first: first.first + all.len() as u64, ..first.clone() };
        if origin != next {
            return Err(ChunkError::Gap {
                found: origin.into(),
                first: first.clone().into(),
                games: all.len(),
            });
        }
        all.append(&mut records);
    }
    let (origin, records) = whole.ok_or(ChunkError::None)?;
    Ok(shard::bytes(&origin, &records)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sanban_rules::Dobutsu;

    #[test]
    fn pieces_are_the_whole() {
        let game = VariantId::Dobutsu;
        let play =
            |games| play::<Dobutsu>(game, &Dobutsu::embedded(), 5, 30, games).expect("openings are balanced");
        let (whole, chunks) = (play(3..8), [play(3..5), play(5..6), play(6..8)]);
        assert_eq!(join(chunks.iter().map(Vec::as_slice)).as_ref(), Ok(&whole));
        assert!(
            join([&chunks[0][..], &chunks[2][..]])
                .is_err_and(|error| matches!(error, ChunkError::Gap { games: 2, .. }))
        );
        assert!(join([]).is_err());
        let (origin, _) = shard::parse(&whole).expect("valid games");
        assert_eq!(check(game, &whole, &origin, 5), Ok(()));
        assert!(check(game, &whole, &origin, 4).is_err());
        assert!(check(game, &whole, &Origin { seed: 6, ..origin.clone() }, 5).is_err());
        // An illegal move with a correct checksum.
        let (_, mut records) = shard::parse(&whole).expect("valid games");
        let first = records[2].plies[0].mv;
        records[2].plies[1].mv = first;
        let wrong = shard::raw_bytes(&origin, &records);
        assert_eq!(check(game, &wrong, &origin, 5), Err(ChunkError::Illegal { game: 2, ply: 1 }));
    }
}
