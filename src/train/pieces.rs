//! Self-play in pieces smaller than a shard, played anywhere: checked, and put together again to the very bytes of
//! the shard.

use super::selfplay::{Player, evaluation, stream};
use super::shard::{self, Origin};
use crate::game::Game;
use std::ops::Range;

/// Plays the games of a seed with these numbers: a file of games, as [`shard::parse`] reads it.
///
/// # Errors
/// A sentence about what went wrong.
pub fn play<G: Game>(
    network: &G::Network,
    seed: u64,
    nodes: u32,
    games: Range<u64>,
) -> Result<Vec<u8>, String> {
    let origin = Origin {
        game: G::NAME.into(),
        evaluation: evaluation::<G>(network),
        seed,
        nodes,
        first: games.start,
    };
    let mut player = Player::<G>::new(network, nodes);
    let records: Result<Vec<_>, _> = games.map(|game| player.play(&mut stream(seed, game))).collect();
    let records = records.map_err(|error| error.to_string())?;
    Ok(shard::bytes(&origin, &records))
}

/// Checks a piece: its checksum, how its games came about (all but the name of the evaluation), their number, and that
/// every move is legal.
///
/// # Errors
/// A sentence about what is wrong.
pub fn check<G: Game>(piece: &[u8], origin: &Origin, games: u64) -> Result<(), String> {
    let (found, records) = shard::parse(piece).map_err(|error| error.to_string())?;
    if !found.same_games(&origin.clone().clipped()) {
        return Err(format!("games of {found:?}, not of {origin:?}"));
    }
    if records.len() as u64 != games {
        return Err(format!("{} games, not {games}", records.len()));
    }
    for (number, record) in records.iter().enumerate() {
        let start = G::parse(G::START).map_err(|error| error.to_string())?;
        let illegal = |ply| format!("game {number}: the move of ply {ply} is illegal");
        record.replay(start, |_, _, _| ()).map_err(illegal)?;
    }
    Ok(())
}

/// Puts pieces that follow each other together.
///
/// # Errors
/// A piece is damaged, or does not follow the one before it.
pub fn join<'a>(pieces: impl IntoIterator<Item = &'a [u8]>) -> Result<Vec<u8>, String> {
    let mut whole: Option<(Origin, Vec<_>)> = None;
    for piece in pieces {
        let (origin, mut records) = shard::parse(piece).map_err(|error| error.to_string())?;
        let Some((first, all)) = &mut whole else {
            whole = Some((origin, records));
            continue;
        };
        let next = Origin { first: first.first + all.len() as u64, ..first.clone() };
        if origin != next {
            return Err(format!("{origin:?} does not follow {first:?} and {} games", all.len()));
        }
        all.append(&mut records);
    }
    let (origin, records) = whole.ok_or("no piece")?;
    Ok(shard::bytes(&origin, &records))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::Dobutsu;

    #[test]
    fn pieces_are_the_whole() {
        let play = |games| play::<Dobutsu>(&(), 5, 30, games).expect("openings that are fair");
        let (whole, pieces) = (play(3..8), [play(3..5), play(5..6), play(6..8)]);
        assert_eq!(join(pieces.iter().map(Vec::as_slice)).as_ref(), Ok(&whole));
        assert!(join([&pieces[0][..], &pieces[2][..]]).is_err_and(|error| error.contains("does not follow")));
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
        assert_eq!(check::<Dobutsu>(&wrong, &origin, 5), Err("game 2: the move of ply 1 is illegal".into()));
    }
}
