//! A second, deliberately plain generator of shogi moves: a mailbox, no bitboards, legality by making the move on a
//! copy and checking whether the king can be captured. Written from the rules alone, as a reference.

use sanban::rules::shogi::{Kind, Position};
use sanban::rules::{Color, Position as _};
use std::collections::BTreeSet;

type Board = [[Option<(Color, Kind)>; 9]; 9];

#[derive(Clone)]
pub struct Naive {
    board: Board, // [file][rank]
    hands: [[usize; 7]; 2],
    side: Color,
}

const KINDS: [Kind; 7] =
    [Kind::Pawn, Kind::Lance, Kind::Knight, Kind::Silver, Kind::Bishop, Kind::Rook, Kind::Gold];

/// Steps, in files and ranks forward.
type Steps = &'static [(i32, i32)];

/// Steps and slides of a kind.
fn moves_of(kind: Kind) -> (Steps, Steps) {
    const GOLD: Steps = &[(-1, 1), (0, 1), (1, 1), (-1, 0), (1, 0), (0, -1)];
    const ORTHOGONAL: Steps = &[(0, 1), (1, 0), (0, -1), (-1, 0)];
    const DIAGONAL: Steps = &[(1, 1), (1, -1), (-1, -1), (-1, 1)];
    match kind {
        Kind::Pawn => (&[(0, 1)], &[]),
        Kind::Lance => (&[], &[(0, 1)]),
        Kind::Knight => (&[(-1, 2), (1, 2)], &[]),
        Kind::Silver => (&[(-1, 1), (0, 1), (1, 1), (-1, -1), (1, -1)], &[]),
        Kind::Bishop => (&[], DIAGONAL),
        Kind::Rook => (&[], ORTHOGONAL),
        Kind::King => (&[(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)], &[]),
        Kind::Horse => (ORTHOGONAL, DIAGONAL),
        Kind::Dragon => (DIAGONAL, ORTHOGONAL),
        _ => (GOLD, &[]),
    }
}

fn name(file: usize, rank: usize) -> String {
    format!("{}{}", file + 1, (b'a' + rank as u8) as char)
}

impl Naive {
    pub fn from(pos: &Position) -> Self {
        let mut board: Board = Default::default();
        for sq in 0..81 {
            board[sq / 9][sq % 9] = pos.piece_on(sq);
        }
        let hands = Color::ALL.map(|c| KINDS.map(|k| pos.hand_count(c, k)));
        Self { board, hands, side: pos.side() }
    }

    /// Distance to the far edge in ranks, 0 on the edge.
    fn depth(&self, rank: usize) -> usize {
        if self.side == Color::Black { rank } else { 8 - rank }
    }

    /// The squares to which the piece on a square can go, without those of own pieces.
    fn reach(&self, file: usize, rank: usize) -> Vec<(usize, usize)> {
        let Some((color, kind)) = self.board[file][rank] else { return vec![] };
        let forward = if color == Color::Black { -1 } else { 1 };
        let at =
            |f: i32, r: i32| ((0..9).contains(&f) && (0..9).contains(&r)).then_some((f as usize, r as usize));
        let (steps, slides) = moves_of(kind);
        let mut out = vec![];
        for &(df, dr) in steps {
            if let Some((f, r)) = at(file as i32 + df, rank as i32 + forward * dr)
                && self.board[f][r].is_none_or(|(c, _)| c != color)
            {
                out.push((f, r));
            }
        }
        for &(df, dr) in slides {
            let (mut f, mut r) = (file as i32 + df, rank as i32 + forward * dr);
            while let Some((to_f, to_r)) = at(f, r) {
                if self.board[to_f][to_r].is_none_or(|(c, _)| c != color) {
                    out.push((to_f, to_r));
                }
                if self.board[to_f][to_r].is_some() {
                    break;
                }
                f += df;
                r += forward * dr;
            }
        }
        out
    }

    /// Returns whether `color`'s king can be captured by the next move.
    pub fn in_check(&self, color: Color) -> bool {
        let squares = || (0..9).flat_map(|f| (0..9).map(move |r| (f, r)));
        squares().filter(|&(f, r)| self.board[f][r].is_some_and(|(c, _)| c != color)).any(|(f, r)| {
            self.reach(f, r).into_iter().any(|(f, r)| self.board[f][r] == Some((color, Kind::King)))
        })
    }

    fn stuck(&self, kind: Kind, rank: usize) -> bool {
        match kind {
            Kind::Pawn | Kind::Lance => self.depth(rank) == 0,
            Kind::Knight => self.depth(rank) <= 1,
            _ => false,
        }
    }

    /// Every legal move in USI notation, and whether it gives check.
    pub fn legal(&self) -> BTreeSet<(String, bool)> {
        let mut out = BTreeSet::new();
        let us = self.side;
        let mut offer = |after: Naive, text: String, pawn_drop: bool| {
            if after.in_check(us) {
                return;
            }
            let check = after.in_check(!us);
            // A pawn drop must not mate. The pawn gives check from an adjacent square, so no drop answers it, and the
            // recursion ends.
            if pawn_drop && check && after.legal().is_empty() {
                return;
            }
            out.insert((text, check));
        };
        for file in 0..9 {
            for rank in 0..9 {
                let Some((_, kind)) = self.board[file][rank].filter(|&(c, _)| c == us) else { continue };
                for (f, r) in self.reach(file, rank) {
                    let mut after = self.clone();
                    after.side = !us;
                    after.board[file][rank] = None;
                    if let Some((_, victim)) = self.board[f][r]
                        && let Some(i) = KINDS.iter().position(|&k| k == victim.base())
                    {
                        after.hands[us.index()][i] += 1;
                    }
                    let text = name(file, rank) + &name(f, r);
                    if let Some(promoted) = kind.promoted()
                        && (self.depth(rank) < 3 || self.depth(r) < 3)
                    {
                        let mut after = after.clone();
                        after.board[f][r] = Some((us, promoted));
                        offer(after, text.clone() + "+", false);
                    }
                    if !self.stuck(kind, r) {
                        after.board[f][r] = Some((us, kind));
                        offer(after, text, false);
                    }
                }
            }
        }
        for (i, &kind) in KINDS.iter().enumerate().filter(|&(i, _)| self.hands[us.index()][i] > 0) {
            for file in 0..9 {
                if kind == Kind::Pawn && (0..9).any(|r| self.board[file][r] == Some((us, Kind::Pawn))) {
                    continue;
                }
                for rank in 0..9 {
                    if self.board[file][rank].is_some() || self.stuck(kind, rank) {
                        continue;
                    }
                    let mut after = self.clone();
                    after.side = !us;
                    after.board[file][rank] = Some((us, kind));
                    after.hands[us.index()][i] -= 1;
                    let letter = kind.letter() as char;
                    offer(after, format!("{letter}*{}", name(file, rank)), kind == Kind::Pawn);
                }
            }
        }
        out
    }
}
