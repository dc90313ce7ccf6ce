//! The state of a game of shogi. Squares change only through `put` and `take` (`make.rs`), which keep mailbox,
//! bitboards, key and observer in sync.

use super::attacks;
use super::hand::Hand;
use super::piece::{Kind, Piece};
use super::rules::Rules;
use super::square::{BOARD, SQUARES};
use crate::{Bitboard, Color, Move};

/// Board, hands, side to move, history and rule settings.
#[derive(Clone)]
pub struct Position {
    pub(super) board: [Option<Piece>; SQUARES],
    pub(super) kinds: [Bitboard; Kind::COUNT],
    pub(super) colors: [Bitboard; 2],
    pub(super) kings: [Option<u8>; 2],
    pub(super) hands: [Hand; 2],
    pub(super) side: Color,
    pub(super) game_ply: usize,
    pub(super) now: State,
    /// The states before each move since the root position.
    pub(super) history: Vec<State>,
    pub(super) rules: Rules,
    /// Entering-king points of the pieces that white gave as a handicap (0 in an even game).
    pub(super) handicap: u32,
}

/// The state besides the board that a move changes, saved to undo the move. The alignment allows copies in whole
/// vectors; overlapping vector stores and loads would stall.
#[derive(Clone, Copy, Default)]
#[repr(align(32))]
pub(super) struct State {
    /// Key of the board and the side to move.
    pub board_key: u64,
    pub hand_key: u64,
    /// Enemy pieces that give check.
    pub checkers: Bitboard,
    /// Pieces of the side to move that are the only blocker between an enemy slider and their king.
    pub pinned: Bitboard,
    /// The move that led here (`None` at the root and after a null move).
    pub mv: Option<Move>,
    pub captured: Option<Piece>,
    /// Black's hand; together with the board it determines white's hand.
    pub black_hand: Hand,
    /// Consecutive checks given by each side so far.
    pub checks: [u16; 2],
    /// Moves since the root position or the last null move.
    pub since_null: u16,
}

impl Position {
    /// An empty board, black to move.
    pub(super) fn empty() -> Self {
        Self {
            board: [None; SQUARES],
            kinds: [Bitboard::EMPTY; Kind::COUNT],
            colors: [Bitboard::EMPTY; 2],
            kings: [None; 2],
            hands: [Hand::EMPTY; 2],
            side: Color::Black,
            game_ply: 0,
            now: State::default(),
            history: Vec::new(),
            rules: Rules::default(),
            handicap: 0,
        }
    }

    /// A copy without history, for trying moves.
    pub(super) fn without_history(&self) -> Self {
        Self { history: Vec::new(), rules: self.rules.clone(), ..*self }
    }

    /// The piece on a square.
    pub fn piece_on(&self, sq: usize) -> Option<(Color, Kind)> {
        self.board[sq].map(|p| (p.color(), p.kind()))
    }

    /// The square of a side's king; in mate problems, the attacker may have none.
    pub fn king(&self, color: Color) -> Option<usize> {
        self.kings[color.index()].map(usize::from)
    }

    /// Number of pieces of a kind in a side's hand.
    pub fn hand_count(&self, color: Color, kind: Kind) -> usize {
        self.hands[color.index()].count(kind)
    }

    /// The kind of the moving piece after a legal move.
    #[inline(always)]
    pub(super) fn kind_after(&self, mv: Move) -> Option<Kind> {
        if mv.is_drop() {
            return Some(Kind::ALL[mv.kind()]);
        }
        let kind = self.board[mv.from()]?.kind();
        if mv.is_promotion() { kind.promoted() } else { Some(kind) }
    }

    /// Returns whether the piece on `from` is pinned to its king and `to` is off that line.
    #[inline]
    pub(super) fn is_pinned_off(&self, from: usize, to: usize) -> bool {
        self.now.pinned.has(from)
            && self.king(self.side).is_some_and(|king| !attacks::through(king, from).has(to))
    }

    /// All pieces of a side.
    pub fn pieces(&self, color: Color) -> Bitboard {
        self.colors[color.index()]
    }

    /// All pieces of one kind of a side.
    pub fn pieces_of(&self, color: Color, kind: Kind) -> Bitboard {
        self.kinds[kind.index()] & self.colors[color.index()]
    }

    /// Pieces of both sides that move like a gold.
    #[inline]
    pub fn golden(&self) -> Bitboard {
        self.kinds[Kind::Gold.index()]
            | self.kinds[Kind::ProPawn.index()]
            | self.kinds[Kind::ProLance.index()]
            | self.kinds[Kind::ProKnight.index()]
            | self.kinds[Kind::ProSilver.index()]
    }

    /// Every occupied square.
    pub fn occupied(&self) -> Bitboard {
        self.colors[0] | self.colors[1]
    }

    /// Every empty square.
    pub fn vacant(&self) -> Bitboard {
        BOARD.without(self.occupied())
    }

    /// Enemy pieces that give check to the side to move.
    pub fn checkers(&self) -> Bitboard {
        self.now.checkers
    }

    /// The last move; `None` at the root and after a null move.
    pub fn last_move(&self) -> Option<Move> {
        self.now.mv
    }

    /// Pieces of `color` that attack a square, for a given occupancy (the steps of pieces outside of it still count).
    pub fn attackers(&self, color: Color, sq: usize, occ: Bitboard) -> Bitboard {
        (self.one_way(color, sq, occ) | self.either_way(sq, occ)) & self.colors[color.index()]
    }

    /// The attackers of both sides; cheaper than two calls of [`Position::attackers`].
    pub(super) fn all_attackers(&self, sq: usize, occ: Bitboard) -> Bitboard {
        let of = |color: Color| self.one_way(color, sq, occ) & self.colors[color.index()];
        of(Color::Black) | of(Color::White) | self.either_way(sq, occ)
    }

    /// Pieces that would attack the square if they belonged to `color`, of the kinds whose moves depend on the side.
    #[inline]
    fn one_way(&self, color: Color, sq: usize, occ: Bitboard) -> Bitboard {
        let of = |kind: Kind| self.kinds[kind.index()];
        // A piece attacks sq from the squares that the same piece of the other side would attack from sq.
        let from = |kind| attacks::step(!color, kind, sq) & of(kind);
        let mut out = from(Kind::Pawn) | from(Kind::Knight) | from(Kind::Silver);
        out |= attacks::step(!color, Kind::Gold, sq) & self.golden();
        if (of(Kind::Lance) & attacks::front(!color, sq)).any() {
            out |= attacks::lance(!color, sq, occ) & of(Kind::Lance);
        }
        out
    }

    /// Pieces of either side that attack the square, of the kinds that move the same way for both sides.
    #[inline]
    fn either_way(&self, sq: usize, occ: Bitboard) -> Bitboard {
        let of = |kind: Kind| self.kinds[kind.index()];
        let (horse, dragon) = (of(Kind::Horse), of(Kind::Dragon));
        let mut out = attacks::king(sq) & (of(Kind::King) | horse | dragon);
        let (rooks, bishops) = (of(Kind::Rook) | dragon, of(Kind::Bishop) | horse);
        if (rooks & attacks::rook_star(sq)).any() {
            out |= attacks::rook(sq, occ) & rooks;
        }
        if (bishops & attacks::bishop_star(sq)).any() {
            out |= attacks::bishop(sq, occ) & bishops;
        }
        out
    }

    /// Squares around `sq` that `attacker` attacks, for a given occupancy. The result may also contain some attacked
    /// squares elsewhere.
    pub(super) fn danger(&self, attacker: Color, sq: usize, occ: Bitboard) -> Bitboard {
        let enemies = self.colors[attacker.index()];
        let of = |kind: Kind| self.kinds[kind.index()] & enemies;
        let mut out = Bitboard::EMPTY;
        for from in enemies & attacks::near(attacker, sq) {
            if let Some(piece) = self.board[from] {
                out |= attacks::step(attacker, piece.kind(), from);
            }
        }
        let zone = attacks::king(sq);
        // Most sliders do not point at the squares around the king: a test on the empty board avoids the slower lookup
        // for the occupied board.
        for from in of(Kind::Rook) | of(Kind::Dragon) {
            if (attacks::rook_star(from) & zone).any() {
                out |= attacks::rook(from, occ);
            }
        }
        for from in of(Kind::Bishop) | of(Kind::Horse) {
            if (attacks::bishop_star(from) & zone).any() {
                out |= attacks::bishop(from, occ);
            }
        }
        for from in of(Kind::Lance) {
            if (attacks::front(attacker, from) & zone).any() {
                out |= attacks::lance(attacker, from, occ);
            }
        }
        out
    }

    /// Sliders of a side that would reach a square on an empty board.
    #[inline(always)]
    pub(super) fn snipers(&self, color: Color, sq: usize) -> Bitboard {
        let of = |kind: Kind| self.kinds[kind.index()];
        (attacks::rook_star(sq) & (of(Kind::Rook) | of(Kind::Dragon))
            | attacks::bishop_star(sq) & (of(Kind::Bishop) | of(Kind::Horse))
            | attacks::front(!color, sq) & of(Kind::Lance))
            & self.colors[color.index()]
    }

    /// The sliders that give check to the king of `color` on `king`, and the pieces of `color` that are the only
    /// blocker of a slider.
    #[inline(always)] // otherwise the pair is returned through memory, which stalls
    pub(super) fn sliders_at(&self, color: Color, king: usize) -> (Bitboard, Bitboard) {
        let snipers = self.snipers(!color, king);
        let (mut checkers, mut pinned) = (Bitboard::EMPTY, Bitboard::EMPTY);
        let occ = self.occupied();
        for sniper in snipers {
            let blockers = attacks::between(king, sniper) & occ;
            if blockers.is_empty() {
                checkers |= Bitboard::square(sniper);
            } else if !blockers.many() {
                pinned |= blockers;
            }
        }
        (checkers, pinned & self.colors[color.index()])
    }

    /// Own pieces that can give discovered check to the enemy king on `king`.
    pub(super) fn discoverers(&self, king: usize) -> Bitboard {
        let us = self.side;
        let snipers = self.snipers(us, king);
        let occ = self.occupied();
        let mut out = Bitboard::EMPTY;
        for sniper in snipers {
            let blockers = attacks::between(king, sniper) & occ;
            if !blockers.many() {
                out |= blockers;
            }
        }
        out & self.colors[us.index()]
    }
}
