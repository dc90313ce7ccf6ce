//! The positions in which the games of a match begin.

use super::referee::over;
use sanban_rules::{AnyPosition, ReplayError, Rng};

/// Number of random openings to try before giving up.
const TRIES: usize = 1000;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Openings {
    /// This many random legal moves from the start position.
    Random(usize),
    /// The words after `position` of each opening, in this order; after the last one, the list starts over.
    Listed(Vec<String>),
}

impl Openings {
    /// The opening of a pair, as the words after `position`. It depends only on start position, seed and pair. `None` if
    /// every opening ends the game or the list is empty.
    pub fn of(&self, start: &AnyPosition, seed: u64, pair: u64) -> Option<String> {
        match self {
            Self::Random(plies) => random(start, *plies, seed, pair),
            Self::Listed(lines) => {
                let at = pair.checked_rem(lines.len() as u64)?;
                lines.get(at as usize).cloned()
            }
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum OpeningError {
    #[error(transparent)]
    Replay(#[from] ReplayError),
    #[error("the game is over")]
    Over,
}

fn random(start: &AnyPosition, plies: usize, seed: u64, pair: u64) -> Option<String> {
    let mut rng = Rng::new(seed ^ Rng::new(pair).next());
    (0..TRIES).find_map(|_| {
        let mut pos = start.clone();
        let mut text = String::from(if plies == 0 { "startpos" } else { "startpos moves" });
        for _ in 0..plies {
            let moves = pos.legal_moves();
            let mv = *moves.get(rng.below(moves.len()))?;
            text.push(' ');
            text.push_str(&pos.display(mv));
            pos.play(mv);
            if over(&pos).is_some() {
                return None;
            }
        }
        Some(text)
    })
}

/// Parses `startpos|[sfen] SFEN [moves ...]`, under the rule settings of the start position. The position includes its
/// history.
pub fn position(start: &AnyPosition, text: &str) -> Result<AnyPosition, OpeningError> {
    let (place, moves) = match text.split_once("moves") {
        Some((place, moves)) => (place.trim(), moves),
        None => (text.trim(), ""),
    };
    let mut pos = match place.strip_prefix("sfen").unwrap_or(place).trim() {
        "startpos" => start.clone(),
        sfen => start.with_sfen(sfen).map_err(ReplayError::from)?,
    };
    for (n, text) in moves.split_whitespace().enumerate() {
        let mv = pos.parse_usi(text).ok_or_else(|| ReplayError::Move { text: text.into(), ply: n + 1 })?;
        pos.play(mv);
    }
    match over(&pos) {
        Some(_) => Err(OpeningError::Over),
        None => Ok(pos),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sanban_rules::VariantId;
    use std::collections::HashSet;

    #[test]
    fn random_openings_depend_on_seed_and_pair_alone() {
        for &id in VariantId::ALL {
            let start = AnyPosition::new(id);
            let of = |seed, pair| Openings::Random(6).of(&start, seed, pair).expect("an opening exists");
            let all: HashSet<String> = (0..50).map(|pair| of(1, pair)).collect();
            assert!(all.len() > 45, "{id}");
            assert!(all.iter().all(|text| position(&start, text).is_ok()), "{id}");
            assert_eq!(of(1, 7), of(1, 7));
            assert_ne!(of(1, 7), of(2, 7));
        }
    }

    #[test]
    fn listed_openings_begin_again() {
        let start = AnyPosition::default();
        let listed = Openings::Listed(vec!["startpos".into(), "startpos moves 7g7f".into()]);
        assert_eq!(listed.of(&start, 1, 3).as_deref(), Some("startpos moves 7g7f"));
        let error = |text| position(&start, text).err();
        assert_eq!(
            error("startpos moves 7g7f 3c3c"),
            Some(OpeningError::Replay(ReplayError::Move { text: "3c3c".into(), ply: 2 }))
        );
        assert!(matches!(error("sfen nonsense"), Some(OpeningError::Replay(ReplayError::Sfen(_)))));
        assert_eq!(error("4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1"), Some(OpeningError::Over));
    }
}
