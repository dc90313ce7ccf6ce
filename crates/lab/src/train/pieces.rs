//! Self-play in pieces smaller than a shard, played anywhere: checked, and put together again to the very bytes of
//! the shard.

use super::error::ShardError;
use super::selfplay::{Player, SelfplayError, evaluation, stream};
use super::shard::{self, Origin};
use sanban_engine::Game;
use sanban_rules::SfenError;
use std::ops::Range;

/// Why a piece is not what it should be.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PieceError {
    /// It is damaged.
    #[error(transparent)]
    Damaged(#[from] ShardError),
    /// Its games were made by another plan: the plan of the file, and the expected one.
    #[error("games of {0:?}, not of {1:?}")]
    Otherwise(Box<Origin>, Box<Origin>),
    /// It has more games, or less: their number, and the number expected.
    #[error("{0} games, not {1}")]
    Number(usize, u64),
    /// The start position of the game cannot be read.
    #[error(transparent)]
    Start(#[from] SfenError),
    /// A game of this number breaks the rules at this ply.
    #[error("game {0}: the move of ply {1} is illegal")]
    Illegal(usize, usize),
    /// It does not follow the chunks before it, which have this number of games.
    #[error("{0:?} does not follow {1:?} and {2} games")]
    Gap(Box<Origin>, Box<Origin>, usize),
    /// There is no piece at all.
    #[error("no piece")]
    None,
}

/// Plays the games of a seed with these numbers: a file of games, as [`shard::parse`] reads it.
///
/// # Errors
/// No opening is fair by this evaluation.
pub fn play<G: Game>(
    network: &G::Network,
    seed: u64,
    nodes: u32,
    games: Range<u64>,
) -> Result<Vec<u8>, SelfplayError> {
    let origin = Origin {
        game: G::NAME.into(),
        evaluation: evaluation::<G>(network),
        seed,
        nodes,
        first: games.start,
    };
    let mut player = Player::<G>::new(network, nodes);
    let records: Result<Vec<_>, _> = games.map(|game| player.play(&mut stream(seed, game))).collect();
    Ok(shard::bytes(&origin, &records?))
}

/// Checks a piece: its checksum, how its games came about (all but the name of the evaluation), their number, and that
/// every move is legal.
///
/// # Errors
/// The fault.
pub fn check<G: Game>(piece: &[u8], origin: &Origin, games: u64) -> Result<(), PieceError> {
    let (found, records) = shard::parse(piece)?;
    if !found.same_games(&origin.clone().clipped()) {
        return Err(PieceError::Otherwise(found.into(), origin.clone().into()));
    }
    if records.len() as u64 != games {
        return Err(PieceError::Number(records.len(), games));
    }
    for (number, record) in records.iter().enumerate() {
        let played = record.replay(G::parse(G::START)?, |_, _, _| ());
        played.map_err(|ply| PieceError::Illegal(number, ply))?;
    }
    Ok(())
}

/// Puts pieces that follow each other together.
///
/// # Errors
/// A piece is damaged, or does not follow the one before it.
pub fn join<'a>(pieces: impl IntoIterator<Item = &'a [u8]>) -> Result<Vec<u8>, PieceError> {
    let mut whole: Option<(Origin, Vec<_>)> = None;
    for piece in pieces {
        let (origin, mut records) = shard::parse(piece)?;
        let Some((first, all)) = &mut whole else {
            whole = Some((origin, records));
            continue;
        };
        let next = Origin { first: first.first + all.len() as u64, ..first.clone() };
        if origin != next {
            return Err(PieceError::Gap(origin.into(), first.clone().into(), all.len()));
        }
        all.append(&mut records);
    }
    let (origin, records) = whole.ok_or(PieceError::None)?;
    Ok(shard::bytes(&origin, &records))
}

#[cfg(test)]
mod tests {
    use super::*;
    use sanban_rules::Dobutsu;

    #[test]
    fn pieces_are_the_whole() {
        let play = |games| play::<Dobutsu>(&(), 5, 30, games).expect("openings that are fair");
        let (whole, pieces) = (play(3..8), [play(3..5), play(5..6), play(6..8)]);
        assert_eq!(join(pieces.iter().map(Vec::as_slice)).as_ref(), Ok(&whole));
        assert!(
            join([&pieces[0][..], &pieces[2][..]])
                .is_err_and(|error| matches!(error, PieceError::Gap(_, _, 2)))
        );
        assert!(join([]).is_err());
        let (origin, _) = shard::parse(&whole).expect("a file of games");
        assert_eq!(check::<Dobutsu>(&whole, &origin, 5), Ok(()));
        assert!(check::<Dobutsu>(&whole, &origin, 4).is_err());
        assert!(check::<Dobutsu>(&whole, &Origin { seed: 6, ..origin.clone() }, 5).is_err());
        // An illegal move under a right checksum.
        let (_, mut records) = shard::parse(&whole).expect("a file of games");
        let first = records[2].plies[0].mv;
        records[2].plies[1].mv = first;
        let wrong = shard::bytes(&origin, &records);
        assert_eq!(check::<Dobutsu>(&wrong, &origin, 5), Err(PieceError::Illegal(2, 1)));
    }
}
