//! The moves that the words of a damaged record can mean.

use crate::record::board::may_promote;
use crate::record::western::moves::{Origin, Written};
use crate::record::western::repair;
use sanban_rules::shogi::{Kind, Position, square};
use sanban_rules::{Move, Position as _};

/// The cost of a word without an origin that would be needed.
const ORIGIN_MISSING: f32 = 4.0;
/// The cost of a word with a superfluous origin.
const ORIGIN_SUPERFLUOUS: f32 = 2.0;
/// The cost of a word without the mark of a capture.
const CAPTURE_MISSING: f32 = 5.0;
/// The cost of a word without the mark of a declined promotion.
const DECLINED_MISSING: f32 = 1.0;

/// The marks that the writer of a record uses.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Style {
    /// Whether origins are written only if they are needed.
    pub spare: bool,
    /// Whether captures are marked.
    pub captures: bool,
}

/// A known move: the literal reading of its word, or all readings with look-alike characters replaced if it has no
/// literal reading.
#[derive(Clone, Debug, Default)]
pub(super) struct Word(pub Vec<Written>);

impl Word {
    fn new(word: &str) -> Self {
        let exact = Written::parse(word, Some(0));
        Self(exact.map_or_else(|| repair::written(word), |written| vec![written]))
    }

    /// The reading, if it is unique and names the destination.
    pub fn only(&self) -> Option<&Written> {
        match &self.0[..] {
            [written] if !written.again => Some(written),
            _ => None,
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub(in crate::record::western) enum Slot<'a> {
    Known(&'a str),
    Lost,
}

/// The words of a game; `None` for a missing move.
pub(super) fn words(slots: &[Slot<'_>]) -> Vec<Option<Word>> {
    let word = |slot: &Slot<'_>| match slot {
        Slot::Known(word) => Some(Word::new(word)),
        Slot::Lost => None,
    };
    slots.iter().map(word).collect()
}

/// The first slot of the same side in the same gap. It identifies the moves of a side in a gap, which can be in any
/// order.
pub(super) fn gap(words: &[Option<Word>], at: usize) -> usize {
    let before = words[..at].iter().rev().take_while(|word| word.is_none()).count();
    at - before / 2 * 2
}

impl Style {
    pub fn of(words: &[Option<Word>]) -> Self {
        let written = || words.iter().flatten().flat_map(|word| word.0.first());
        let bare = written().filter(|written| !written.drop && written.from == Origin::Any).count();
        Self {
            spare: bare * 2 > written().filter(|written| !written.drop).count(),
            captures: written().any(|written| written.captures),
        }
    }

    /// The cost of writing a legal move as this word.
    pub fn cost(self, pos: &Position, mv: Move, written: &Written) -> f32 {
        if mv.is_drop() {
            return 0.0;
        }
        let Some((color, kind)) = pos.piece_on(mv.from()) else { return 0.0 };
        let mut out = 0.0;
        if self.captures && !written.captures && pos.piece_on(mv.to()).is_some() {
            out += CAPTURE_MISSING;
        }
        if written.promotes.is_none() && may_promote(color, kind, mv) {
            out += DECLINED_MISSING;
        }
        if self.spare && !written.again {
            let others = pos.pieces_of(color, kind).len() > 1
                && pos.legal_moves().iter().any(|other| {
                    !other.is_drop()
                        && other.to() == mv.to()
                        && other.from() != mv.from()
                        && pos.piece_on(other.from()).is_some_and(|piece| piece.1 == kind)
                });
            out += match (written.from, others) {
                (Origin::Any, true) => ORIGIN_MISSING,
                (Origin::Square(_), false) => ORIGIN_SUPERFLUOUS,
                _ => 0.0,
            };
        }
        out
    }
}

/// The legal moves that a word can mean, with their costs.
pub(super) fn meant(pos: &Position, word: &Word, style: Style) -> Vec<(Move, f32)> {
    let mut out: Vec<(Move, f32)> = Vec::new();
    for &mv in &pos.legal_moves() {
        let fitting = word.0.iter().filter(|written| fits(pos, mv, written));
        let cost = fitting.map(|written| style.cost(pos, mv, written)).min_by(f32::total_cmp);
        out.extend(cost.map(|cost| (mv, cost)));
    }
    out
}

fn fits(pos: &Position, mv: Move, written: &Written) -> bool {
    let to = if written.again { pos.last_move().map(Move::to) } else { Some(written.to) };
    if to != Some(mv.to()) || mv.is_drop() != written.drop {
        return false;
    }
    if mv.is_drop() {
        return mv.kind() == written.kind.index();
    }
    let captured = pos.piece_on(mv.to()).map(|piece| piece.1);
    let named = |kind: Kind| kind == written.kind;
    let kind = pos.piece_on(mv.from()).is_some_and(|piece| named(piece.1))
        || written.again && captured.is_some_and(|kind| kind.base() == written.kind.base());
    let from = match written.from {
        Origin::Any => true,
        Origin::Square(from) => from == mv.from(),
        Origin::File(file) => file == square::file(mv.from()),
        Origin::Rank(rank) => rank == square::rank(mv.from()),
    };
    kind && from
        && (captured.is_some() || !written.captures)
        && mv.is_promotion() == (written.promotes == Some(true))
}
