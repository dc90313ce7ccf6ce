//! Checks published values of Dobutsu positions that are within the reach of a plain search, which shares only the
//! rules with the retrograde analysis.

use sanban::rules::dobutsu::Position;
use sanban::rules::{Position as _, Verdict};

/// Largest distance to the end of the game to check, in plies.
const FAR: u32 = 7;

/// Returns whether the side to move can force a win within `plies` plies.
fn wins<const MATE: bool>(pos: &mut Position<MATE>, plies: u32) -> bool {
    if pos.mate_in_one().is_some() {
        return plies > 0;
    }
    plies > 0
        && pos.legal_moves().into_iter().any(|mv| {
            pos.make(mv, &mut ());
            let won = loses(pos, plies - 1);
            pos.unmake();
            won
        })
}

/// Returns whether the side to move loses within `plies` plies, whatever it plays.
fn loses<const MATE: bool>(pos: &mut Position<MATE>, plies: u32) -> bool {
    if pos.verdict(0) == Some(Verdict::Loss) {
        return true;
    }
    let moves = pos.legal_moves();
    if moves.is_empty() {
        return true;
    }
    plies > 0
        && moves.into_iter().all(|mv| {
            pos.make(mv, &mut ());
            let lost = wins(pos, plies - 1);
            pos.unmake();
            lost
        })
}

fn check<const MATE: bool>(sfen: &str, value: &str) -> bool {
    let Some((kind, plies)) = value.split_once(' ') else { return false };
    let Ok(plies) = plies.parse::<u32>() else { return false };
    if plies > FAR {
        return false;
    }
    let mut pos = Position::<MATE>::from_sfen(sfen).unwrap_or_else(|e| panic!("{sfen}: {e}"));
    let within =
        |pos: &mut Position<MATE>, plies| if kind == "win" { wins(pos, plies) } else { loses(pos, plies) };
    assert!(within(&mut pos, plies), "{sfen}: no {value}");
    assert!(plies < 2 || !within(&mut pos, plies - 2), "{sfen}: shorter than {value}");
    true
}

#[test]
fn a_search_finds_the_published_short_wins_and_losses() {
    let mut checked = 0;
    for line in include_str!("../../perft/dobutsu-values.tsv").lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split('\t').collect();
        checked += u32::from(check::<false>(fields[0], fields[1]));
        checked += u32::from(check::<true>(fields[0], fields[2]));
    }
    assert!(checked > 25, "{checked} values");
}
