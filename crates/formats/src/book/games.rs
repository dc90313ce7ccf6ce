//! Creates books from game records: the moves that were played, with counts.

use super::BookMove;
use super::collection::Collection;
use crate::record::{Headers, Outcome, Record};
use sanban_rules::{AnyPosition, Color, SfenError, VariantId};
use std::cmp::Reverse;
use std::time::Duration;

/// Selects games and the moves to use from them.
#[derive(Clone, Copy, Debug)]
pub struct Filter {
    /// Number of moves to use from the start of each game.
    pub plies: usize,
    /// Use only games with this outcome.
    pub outcome: Option<Outcome>,
    /// Whether to use only decisive games, and only the winner's moves.
    pub winner: bool,
    /// Minimum rating of each player; if set, games without ratings are excluded.
    pub rating: Option<u32>,
    /// Minimum total thinking time of both players; if set, games without times are excluded.
    pub time: Option<Duration>,
}

impl Filter {
    fn takes(&self, record: &Record) -> bool {
        let outcome = record.outcome();
        let decided = matches!(outcome, Outcome::Win(_));
        let rated = |name| rating(record, name).is_some_and(|rating| Some(rating) >= self.rating);
        let used = || {
            let nodes = record.tree.main_line();
            nodes.iter().filter_map(|&node| record.tree.time(node)).sum::<Duration>()
        };
        self.outcome.is_none_or(|wanted| wanted == outcome)
            && (decided || !self.winner)
            && (self.rating.is_none() || rated(Headers::BLACK_RATE) && rated(Headers::WHITE_RATE))
            && self.time.is_none_or(|least| used() >= least)
    }
}

/// Returns the first number in the text of a rating; some servers add other text.
fn rating(record: &Record, name: &str) -> Option<u32> {
    let text = record.headers.get(name)?;
    let digits: String =
        text.chars().skip_while(|c| !c.is_ascii_digit()).take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}

/// Adds the moves of a game up to the first illegal move. Returns whether the game was used.
///
/// # Errors
/// The start position is invalid in this game.
pub fn add(book: &mut Collection, record: &Record, filter: &Filter) -> Result<bool, SfenError> {
    let game = book.game();
    // The Janggi variants have different rules: a game of another variant is used up to the first move that is illegal
    // in this one.
    let fits = record.game == game || record.game.is_janggi() && game.is_janggi();
    if !fits || is_problem(record) || !filter.takes(record) {
        return Ok(false);
    }
    let winner: Option<Color> = match record.outcome() {
        Outcome::Win(color) if filter.winner => Some(color),
        _ => None,
    };
    let mut pos = AnyPosition::parse(game, record.start_sfen())?;
    let (moves, _) = record.legal_from(&pos);
    for mv in moves.into_iter().take(filter.plies) {
        if winner.is_none_or(|winner| winner == pos.side()) {
            let ply = super::ply(&pos);
            let page = book.page_mut(&pos);
            page.ply = Some(page.ply.map_or(ply, |old| old.min(ply)));
            match page.moves.iter_mut().find(|known| known.mv == mv) {
                Some(known) => known.count = known.count.saturating_add(1),
                None => page.moves.push(BookMove { count: 1, ..BookMove::new(mv) }),
            }
        }
        pos.play(mv);
    }
    Ok(true)
}

/// Returns whether the record is a mate problem instead of a game, that is, a shogi position without both kings.
fn is_problem(record: &Record) -> bool {
    let board = record.start.as_deref().and_then(|sfen| sfen.split(' ').next());
    record.game == VariantId::Shogi
        && board.is_some_and(|board| !(board.contains('K') && board.contains('k')))
}

/// Sorts the moves of each position, so that their order does not depend on the order of the games.
pub fn order(book: &mut Collection) {
    for (_, page) in book.pages_mut() {
        page.moves.sort_by_key(|known| (Reverse(known.count), known.mv));
    }
}
