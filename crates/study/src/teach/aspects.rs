//! What a bad move costs in shogi if no material is lost: two lines are played equally far, and the aspect of the position
//! that differs most at their ends is named, with a count that can be verified on the board.

use sanban_rules::shogi::attacks::{attacks, king};
use sanban_rules::shogi::square::ZONE;
use sanban_rules::shogi::{Kind, Position};
use sanban_rules::{AnyPosition, Bitboard, Board, Color, Move};

/// Longest lines that are compared, in moves: the number of moves that a sentence shows.
const LONGEST: usize = 7;
/// Shortest lines that are compared, in moves.
const SHORTEST: usize = 3;

/// An aspect of a position for one side, measured by a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aspect {
    /// The squares beside the king that the opponent attacks.
    KingAttacked,
    /// The golds, silvers and promoted pieces like golds beside the king.
    KingGuarded,
    /// The squares beside the opponent's king that are attacked.
    Attack,
    /// The opponent's rooks, bishops and promoted pieces in the camp.
    Invaders,
    /// The squares that the rooks and bishops can move to.
    Reach,
    /// The pieces in the opponent's hand.
    Hand,
}

use Aspect::{Attack, Hand, Invaders, KingAttacked, KingGuarded, Reach};

impl Aspect {
    const ALL: [Self; 6] = [KingAttacked, Invaders, KingGuarded, Attack, Hand, Reach];

    /// The keyword for the aspect in data files.
    pub const fn word(self) -> &'static str {
        match self {
            KingAttacked => "king-attacked",
            KingGuarded => "king-guarded",
            Attack => "attack",
            Invaders => "invaders",
            Reach => "reach",
            Hand => "hand",
        }
    }

    /// Smallest difference that is named.
    const fn least(self) -> usize {
        match self {
            Invaders => 1,
            KingAttacked | KingGuarded | Attack | Hand => 2,
            Reach => 6,
        }
    }

    /// Returns whether a larger number is worse.
    const fn is_burden(self) -> bool {
        matches!(self, KingAttacked | Invaders | Hand)
    }

    /// The number for one side.
    fn of(self, pos: &Position, side: Color) -> usize {
        let enemy = !side;
        let (own, occupied) = (pos.pieces(side), pos.occupied());
        let beside = |color: Color| pos.king(color).map_or(Bitboard::EMPTY, king);
        let attacked = |by: Color, squares: Bitboard| {
            squares.into_iter().filter(|&sq| pos.attackers(by, sq, occupied).any()).count()
        };
        let kinds = |squares: Bitboard, wanted: fn(Kind) -> bool| {
            let kind = |sq| pos.piece_on(sq).is_some_and(|(_, kind)| wanted(kind));
            squares.into_iter().filter(|&sq| kind(sq)).count()
        };
        match self {
            KingAttacked => attacked(enemy, beside(side)),
            Attack => attacked(side, beside(enemy)),
            KingGuarded => kinds(beside(side) & own, |kind| kind.is_golden() || kind == Kind::Silver),
            Invaders => {
                kinds(pos.pieces(enemy) & ZONE[enemy.index()], |kind| kind.is_promoted() || is_ranging(kind))
            }
            Reach => {
                let ranging = own.into_iter().filter_map(|sq| Some((sq, pos.piece_on(sq)?.1)));
                ranging
                    .filter(|&(_, kind)| is_ranging(kind))
                    .map(|(sq, kind)| (attacks(side, kind, sq, occupied) & !own).len())
                    .sum()
            }
            Hand => Kind::ALL[..Kind::HAND].iter().map(|&kind| pos.hand_count(enemy, kind)).sum(),
        }
    }
}

const fn is_ranging(kind: Kind) -> bool {
    matches!(kind, Kind::Rook | Kind::Bishop | Kind::Dragon | Kind::Horse)
}

/// An aspect with its numbers at the ends of two lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    pub aspect: Aspect,
    /// Its number after the move that was played.
    pub played: usize,
    /// Its number after the best move.
    pub best: usize,
    /// The moves of both lines, the first ones included.
    pub plies: usize,
}

/// The aspect in which the line after a move is worst, compared with the best line, if it is clearly worse in one.
pub fn change(pos: &AnyPosition, played: &[Move], best: &[Move]) -> Option<Change> {
    let side = pos.side();
    let (played, best) = (positions(pos, played), positions(pos, best));
    let most = played.len().min(best.len());
    // Within an exchange, the numbers say little.
    let quiet = |plies: &usize| played[plies - 1].1 && best[plies - 1].1;
    let plies = (SHORTEST..=most).rev().find(quiet)?;
    let number = |line: &[(AnyPosition, bool)], aspect: Aspect| match line[plies - 1].0.board() {
        Board::Shogi(board) => Some(aspect.of(board, side)),
        _ => None,
    };
    let changes = Aspect::ALL.into_iter().filter_map(|aspect| {
        let (played, best) = (number(&played, aspect)?, number(&best, aspect)?);
        let worse = if aspect.is_burden() { played.checked_sub(best) } else { best.checked_sub(played) }?;
        (worse >= aspect.least())
            .then_some((worse * 6 / aspect.least(), Change { aspect, played, best, plies }))
    });
    changes.rev().max_by_key(|&(weight, _)| weight).map(|(_, change)| change)
}

/// The positions after the moves of a line, and whether each move was quiet.
fn positions(pos: &AnyPosition, line: &[Move]) -> Vec<(AnyPosition, bool)> {
    let mut pos = pos.clone();
    let mut out = Vec::new();
    for &mv in line.iter().take(LONGEST) {
        if !pos.is_legal(mv) {
            break;
        }
        let quiet = !pos.is_capture(mv);
        pos.play(mv);
        out.push((pos.clone(), quiet));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use sanban_rules::VariantId;

    fn changed(sfen: &str, played: &str, best: &str) -> Option<(&'static str, usize, usize)> {
        let pos = AnyPosition::parse(VariantId::Shogi, sfen).expect("a position");
        let line = |text: &str| {
            let mut pos = pos.clone();
            let mut step = |text| {
                let mv = pos.parse_usi(text).expect("a legal move");
                pos.play(mv);
                mv
            };
            text.split(' ').map(&mut step).collect::<Vec<Move>>()
        };
        change(&pos, &line(played), &line(best))
            .map(|change| (change.aspect.word(), change.played, change.best))
    }

    #[test]
    fn the_aspect_that_differs_most_is_named() {
        // A rook enters the camp and looks at the king, or is kept out.
        let open = "4k4/9/9/9/1r7/9/9/9/3GK4 b P 1";
        assert_eq!(changed(open, "P*1f 8e8h+ 1f1e", "P*8g 5a4a 5i4h"), Some(("king-attacked", 3, 0)));
        // Both lines are the same for the side that moves.
        assert_eq!(changed(open, "P*1f 5a4a 5i4h", "P*2f 5a4a 5i4h"), None);
        // Only quiet ends are compared, and lines that are long enough.
        assert_eq!(changed(open, "P*1f 8e8h+", "P*8g 5a4a"), None);
    }
}
