//! Tactics of shogi that are recognised in a single move.

use super::exchange::{already_lost, exchange, given};
use super::proof::Proof;
use sanban_rules::shogi::square::{SQUARES, file, rank_for};
use sanban_rules::shogi::{Kind, Position, attacks};
use sanban_rules::{AnyPosition, Bitboard, Board, Color, Move, Position as _, Score};

/// Smallest value of a forked piece, in centipawns.
const WORTH: Score = 330;
/// Smallest value of the front piece of a skewer, in centipawns: a silver.
const DEAR: Score = 550;

/// An example of a tactic. Squares are numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tactic {
    /// The moved piece attacks two pieces that are more valuable or unprotected, or the king and one such piece.
    Fork {
        /// The squares of the attacked pieces.
        squares: Vec<usize>,
    },
    /// A piece cannot leave the line between the moved piece and its king, or a piece that is worth more.
    Pin {
        /// The square of the piece.
        square: usize,
        /// The square of the piece behind it.
        back: usize,
    },
    /// Two pieces on one line, the more valuable one in front; if it moves away, the piece behind it can be captured.
    Skewer {
        /// The square of the front piece.
        front: usize,
        /// The square of the piece behind it.
        back: usize,
    },
    /// The line of another piece is opened.
    Discovered {
        /// The attacking piece.
        from: usize,
        /// The attacked square.
        to: usize,
    },
    /// Two pieces give check.
    DoubleCheck,
    /// A piece is sacrificed: the opponent can gain material by capturing it.
    Sacrifice {
        /// The opponent's gain, in centipawns.
        loss: Score,
    },
    /// An edge pawn is pushed against the opposing pawn.
    EdgeAttack,
    /// A pawn is dropped where it can promote on the next move.
    DanglingPawn,
    /// A pawn is dropped in front of a pawn that has just captured a pawn.
    JoiningPawn,
}

impl Tactic {
    /// The tactic's id in the table of names.
    pub const fn id(&self) -> &'static str {
        match self {
            Self::Fork { .. } => "fork",
            Self::Pin { .. } => "pin",
            Self::Skewer { .. } => "skewer",
            Self::Discovered { .. } => "discovered-attack",
            Self::DoubleCheck => "double-check",
            Self::Sacrifice { .. } => "sacrifice",
            Self::EdgeAttack => "edge-attack",
            Self::DanglingPawn => "dangling-pawn",
            Self::JoiningPawn => "joining-pawn",
        }
    }

    /// How the tactic was verified.
    pub const fn proof(&self) -> Proof {
        match self {
            Self::Fork { .. } | Self::Skewer { .. } | Self::Sacrifice { .. } => Proof::Exchange,
            _ => Proof::Rules,
        }
    }
}

/// The tactics of shogi that a legal move is an example of; none in other games. `previous`: the position before the
/// last move, if known.
pub(super) fn tactics(before: &AnyPosition, previous: Option<&AnyPosition>, mv: Move) -> Vec<Tactic> {
    let mut next = before.clone();
    next.play(mv);
    let (Board::Shogi(pos), Board::Shogi(after)) = (before.board(), next.board()) else { return vec![] };
    let Some((_, kind)) = after.piece_on(mv.to()) else { return vec![] };
    let scene = Scene { before, next: &next, pos, after, us: pos.side(), mv, kind };
    let mut out = Vec::new();
    if after.checkers().many() {
        out.push(Tactic::DoubleCheck);
    }
    let loss = scene.loss();
    if loss >= WORTH {
        if kind != Kind::King && given(before, &next, mv) >= WORTH && !already_lost(before, mv) {
            out.push(Tactic::Sacrifice { loss });
        }
    } else if scene.stays() {
        out.extend(scene.fork());
        out.extend(scene.line());
    }
    out.extend(scene.discovered());
    out.extend(scene.pawn(previous.and_then(AnyPosition::get)));
    out
}

/// A shogi move.
struct Scene<'a> {
    before: &'a AnyPosition,
    next: &'a AnyPosition,
    /// The same positions as values of their type.
    pos: &'a Position,
    after: &'a Position,
    us: Color,
    mv: Move,
    /// The kind of the moved piece after the move.
    kind: Kind,
}

impl Scene<'_> {
    /// The opponent's gain from capturing the moved piece, minus the value of what it captured.
    fn loss(&self) -> Score {
        -exchange(&mut self.before.clone(), self.mv)
    }

    /// Returns whether the opponent wins nothing by capturing the moved piece.
    fn stays(&self) -> bool {
        let mut after = self.next.clone();
        let answers = after.captures().into_iter().filter(|answer| answer.to() == self.mv.to());
        answers.into_iter().all(|answer| exchange(&mut after, answer) <= 0)
    }

    /// Returns whether the moved piece could win material by capturing on this square, if it were our turn.
    fn is_prey(&self, square: usize) -> bool {
        let Some((color, kind)) = self.after.piece_on(square) else { return false };
        if color == self.us || kind == Kind::King || kind.value() < WORTH {
            return false;
        }
        let guards = self.after.attackers(!self.us, square, self.after.occupied());
        guards.is_empty() || kind.value() >= self.kind.value() + WORTH
    }

    fn fork(&self) -> Option<Tactic> {
        let to = self.mv.to();
        let reach = attacks::attacks(self.us, self.kind, to, self.after.occupied());
        let king = self.after.king(!self.us);
        let mut squares: Vec<usize> =
            (reach & self.after.pieces(!self.us)).filter(|&square| self.is_prey(square)).collect();
        squares.extend(king.filter(|&king| reach.has(king)));
        (squares.len() >= 2).then_some(Tactic::Fork { squares })
    }

    /// A pin or a skewer by the moved piece.
    fn line(&self) -> Option<Tactic> {
        let (to, occ) = (self.mv.to(), self.after.occupied());
        let lines = match self.kind {
            Kind::Lance => attacks::lance(self.us, to, occ),
            Kind::Bishop | Kind::Horse => attacks::bishop(to, occ),
            Kind::Rook | Kind::Dragon => attacks::rook(to, occ),
            _ => return None,
        };
        for front in lines & self.after.pieces(!self.us) {
            let Some((_, first)) = self.after.piece_on(front) else { continue };
            let behind = attacks::beyond(to, front) & occ;
            let back = behind.min_by_key(|&square| distance(front, square));
            let Some((back, (color, second))) =
                back.and_then(|back| Some((back, self.after.piece_on(back)?)))
            else {
                continue;
            };
            if color == self.us || self.slides(front, back) {
                continue;
            }
            if second == Kind::King && first.value() >= WORTH {
                return Some(Tactic::Pin { square: front, back });
            }
            let is_king = first == Kind::King;
            let runs = if is_king { self.king_leaves(back) } else { self.is_prey(front) };
            let pinned = !is_king && first.value() >= WORTH && second.value() >= first.value() + WORTH;
            // The front piece has moved away.
            let gone = Bitboard::square(front);
            let guards = self.after.attackers(!self.us, back, occ.without(gone)).without(gone);
            let unguarded = guards.is_empty();
            let worth = second.value() >= WORTH && (unguarded || second.value() >= self.kind.value() + WORTH);
            if pinned && worth && second != Kind::King {
                return Some(Tactic::Pin { square: front, back });
            }
            let first_is_dearer = is_king || first.value() >= second.value().max(DEAR);
            if runs && worth && first_is_dearer && second != Kind::King {
                return Some(Tactic::Skewer { front, back });
            }
        }
        None
    }

    /// Returns whether the moved piece stood on the line through both squares before the move and attacked the front one.
    fn slides(&self, front: usize, back: usize) -> bool {
        if self.mv.is_drop() {
            return false;
        }
        let (from, occ) = (self.mv.from(), self.pos.occupied());
        let Some((_, kind)) = self.pos.piece_on(from) else { return false };
        attacks::attacks(self.us, kind, from, occ).has(front) && attacks::beyond(from, front).has(back)
    }

    /// Returns whether the checked king can move, and the moved piece then wins the piece on this square in every case.
    fn king_leaves(&self, square: usize) -> bool {
        let mut after = self.next.clone();
        let king = self.after.king(!self.us);
        let mut steps = after.legal_moves();
        steps.retain(|step| !step.is_drop() && Some(step.from()) == king);
        let loses = |&step: &Move| {
            after.play(step);
            let wins = after
                .captures()
                .into_iter()
                .filter(|capture| capture.from() == self.mv.to() && capture.to() == square)
                .any(|capture| exchange(&mut after, capture) >= WORTH);
            after.undo();
            wins
        };
        !steps.is_empty() && steps.iter().all(loses)
    }

    fn discovered(&self) -> Option<Tactic> {
        if self.mv.is_drop() {
            return None;
        }
        let (before, after) = (self.pos.occupied(), self.after.occupied());
        for from in self.after.pieces(self.us) {
            let Some((_, kind)) = self.after.piece_on(from) else { continue };
            if from == self.mv.to()
                || !matches!(kind, Kind::Lance | Kind::Bishop | Kind::Rook | Kind::Horse | Kind::Dragon)
            {
                continue;
            }
            let old = attacks::attacks(self.us, kind, from, before);
            let new = attacks::attacks(self.us, kind, from, after).without(old) & self.after.pieces(!self.us);
            for to in new {
                let Some((_, victim)) = self.after.piece_on(to) else { continue };
                let guards = self.after.attackers(!self.us, to, after);
                let worth = victim == Kind::King
                    || victim.value() >= WORTH
                        && (guards.is_empty() || victim.value() >= kind.value() + WORTH);
                if worth {
                    return Some(Tactic::Discovered { from, to });
                }
            }
        }
        None
    }

    fn pawn(&self, previous: Option<&Position>) -> Option<Tactic> {
        if self.kind != Kind::Pawn {
            return None;
        }
        let to = self.mv.to();
        let ahead = attacks::step(self.us, Kind::Pawn, to).min_by_key(|_| 0)?;
        let opposite = self.after.piece_on(ahead);
        let is_pawn = opposite == Some((!self.us, Kind::Pawn));
        if self.mv.is_drop() {
            let last = self.pos.last_move();
            let took = previous.is_some_and(|previous| {
                last.is_some_and(|last| {
                    last.to() == ahead && previous.piece_on(ahead) == Some((self.us, Kind::Pawn))
                })
            });
            if is_pawn && took {
                return Some(Tactic::JoiningPawn);
            }
            let promotes = rank_for(self.us, ahead) < 3;
            let safe = self.loss() <= 0;
            return (promotes && opposite.is_none() && safe).then_some(Tactic::DanglingPawn);
        }
        let edge = matches!(file(to), 0 | 8);
        (edge && is_pawn && self.pos.piece_on(to).is_none()).then_some(Tactic::EdgeAttack)
    }
}

/// The number of steps between two squares on a line.
fn distance(a: usize, b: usize) -> usize {
    debug_assert!(a < SQUARES && b < SQUARES);
    (a / 9).abs_diff(b / 9).max((a % 9).abs_diff(b % 9))
}

#[cfg(test)]
mod tests {
    use super::*;
    use sanban_rules::VariantId::Shogi;

    fn ids(sfen: &str, moves: &[&str]) -> Vec<&'static str> {
        let mut pos = AnyPosition::parse(Shogi, sfen).expect("a position");
        let mut previous = None;
        for text in &moves[..moves.len() - 1] {
            previous = Some(pos.clone());
            let mv = pos.parse_usi(text).expect("a legal move");
            pos.play(mv);
        }
        let mv = pos.parse_usi(moves[moves.len() - 1]).expect("a legal move");
        tactics(&pos, previous.as_ref(), mv).iter().map(Tactic::id).collect()
    }

    #[test]
    fn every_tactic_is_found() {
        // A knight forks two golds; a silver forks king and rook.
        assert_eq!(ids("4k4/9/3g1g3/9/9/9/9/9/4K4 b N 1", &["N*5e"]), ["fork"]);
        assert_eq!(ids("9/3r1k3/9/4P4/9/9/9/9/4K4 b S 1", &["S*5c"]), ["fork"]);
        assert_eq!(ids("4k4/4g4/9/9/9/9/9/9/3K5 b L 1", &["L*5h"]), ["pin"]);
        assert_eq!(ids("4s4/4r4/9/k8/9/9/9/9/3K5 b L 1", &["L*5h"]), ["skewer"]);
        // The king is in front: it cannot protect the silver from any square, and the rook is worth more than a lance.
        assert_eq!(ids("4s4/9/9/4k4/9/9/9/9/3K5 b L 1", &["L*5h"]), ["skewer"]);
        assert_eq!(ids("4r4/9/4k4/9/9/9/9/9/3K5 b L 1", &["L*5h"]), ["skewer"]);
        assert_eq!(ids("4k4/9/9/9/9/9/4S4/4R4/3K5 b - 1", &["5g6f"]), ["discovered-attack"]);
        assert_eq!(ids("4k4/9/4SP3/9/4R4/9/9/9/3K5 b - 1", &["5c4b"]), ["double-check", "discovered-attack"]);
        assert_eq!(ids("4k4/9/9/9/9/9/9/p8/8K b G 1", &["G*5b"]), ["sacrifice"]);
        assert_eq!(ids("4k4/9/p8/9/P8/9/9/9/4K4 b - 1", &["9e9d"]), ["edge-attack"]);
        assert_eq!(ids("4k4/9/9/9/9/9/9/9/4K4 b P 1", &["P*2d"]), ["dangling-pawn"]);
        assert_eq!(
            ids("4k4/7p1/9/7p1/7P1/9/9/9/3K5 b P 1", &["2e2d", "2b2c", "2d2c+", "5a5b", "P*2d"]),
            Vec::<&str>::new()
        );
        assert_eq!(ids("4k4/9/7p1/9/7P1/9/9/9/3K5 b P 1", &["2e2d", "2c2d", "P*2e"]), ["joining-pawn"]);
    }

    #[test]
    fn what_is_no_tactic_is_not_called_one() {
        for (sfen, mv) in [
            (Shogi.info().start, "7g7f"),
            (Shogi.info().start, "1g1f"),
            // A protected piece of equal value is not forked.
            ("4k4/3s1s3/9/9/9/9/9/9/4K4 b N 1", "N*5d"),
            // From 4b, the king protects the silver that was behind it.
            ("4s4/9/4k4/9/9/9/9/9/3K5 b L 1", "L*5h"),
            // Pawns on one file are not a skewer.
            ("k3p4/4p4/9/9/9/9/9/9/3K5 b L 1", "L*5h"),
        ] {
            assert_eq!(ids(sfen, &[mv]), Vec::<&str>::new(), "{sfen} {mv}");
        }
    }
}
