//! Compares Janggi's move generator and static exchange evaluation with plain implementations, on random games from the
//! start position, the reference positions and positions with crowded palaces.

use crate::plain;
use sanban::rules::janggi::{Kind, Piece, Position, Rules, START};
use sanban::rules::{Color, Move, MoveList, Position as _, Rng, Rules as _, SearchPosition};
use std::collections::BTreeSet;

fn legal(pos: &Position) -> MoveList {
    pos.legal_moves()
}

/// A random position with about half of the pieces in one palace; `None` if it is impossible.
fn crowd(rng: &mut Rng) -> Option<String> {
    let mut board = [[None; 9]; 10];
    let palace = |rng: &mut Rng, first: usize| (first + rng.below(3), 3 + rng.below(3));
    for (letters, first) in [("KAA", 7), ("kaa", 0)] {
        for letter in letters.chars() {
            let (rank, file) = palace(rng, first);
            if board[rank][file].is_none() {
                board[rank][file] = Some(letter);
            }
        }
    }
    let first = 7 * rng.below(2);
    for letter in "RrRrCcCcNnBbPPpp".chars() {
        let (rank, file) = match rng.below(4) {
            0 | 1 => palace(rng, first),
            _ => (rng.below(10), rng.below(9)),
        };
        if board[rank][file].is_none() && rng.below(4) > 0 {
            board[rank][file] = Some(letter);
        }
    }
    let rank = |line: &[Option<char>; 9]| {
        let mut out = String::new();
        let mut gap = 0;
        for square in line.iter().chain([&Some('/')]) {
            match square {
                None => gap += 1,
                Some(letter) => {
                    if gap > 0 {
                        out.push_str(&gap.to_string());
                    }
                    gap = 0;
                    out.push(*letter);
                }
            }
        }
        out
    };
    let text: String = board.iter().map(rank).collect();
    let side = ["b", "w"][rng.below(2)];
    let sfen = format!("{} {side} - 1", text.trim_end_matches('/'));
    Position::from_sfen(&sfen).is_ok().then_some(sfen)
}

/// Random positions with crowded palaces.
pub fn crowds(rng: &mut Rng) -> Vec<String> {
    std::iter::repeat_with(|| crowd(rng)).flatten().take(150).collect()
}

fn rules(pass: &str) -> Rules {
    let mut rules = Rules::default();
    rules.set("Janggi_Pass", pass).expect("a setting of Janggi");
    rules
}

/// Plays random moves from many positions and calls `visit` at each position.
fn random_walks(pass: &str, seed: u64, plies: usize, mut visit: impl FnMut(&mut Position)) {
    let mut rng = Rng::new(seed);
    let (rules, crowds) = (rules(pass), crowds(&mut rng));
    let starts = std::iter::repeat_n(START, 8)
        .chain(plain::reference_sfens(include_str!("../../perft/janggi.perft")))
        .map(str::to_string);
    for sfen in starts.chain(crowds) {
        let mut pos = Position::from_sfen(&sfen).expect("a valid SFEN");
        pos.set_rules(&rules);
        plain::random_walk(pos, plies, &mut rng, &mut visit);
    }
}

/// A second, deliberately plain generator: it moves over a mailbox step by step as the rules describe, and tests
/// legality by making the move on a copy and checking whether the general can be captured.
mod naive {
    use super::*;

    /// Files 0 to 8 from the left of the diagram, ranks 0 to 9 from its top.
    type Board = [[Option<(Color, Kind)>; 10]; 9];
    type Square = (i32, i32);

    fn on(board: &Board, (file, rank): Square) -> Option<Option<(Color, Kind)>> {
        if (0..9).contains(&file) && (0..10).contains(&rank) {
            Some(board[file as usize][rank as usize])
        } else {
            None
        }
    }

    fn in_palace((file, rank): Square, color: Color) -> bool {
        let ranks = if color == Color::Black { 7..=9 } else { 0..=2 };
        (3..=5).contains(&file) && ranks.contains(&rank)
    }

    /// Returns whether both squares are on a marked diagonal, one step apart.
    fn diagonal(a: Square, b: Square) -> bool {
        let centre = |s: Square| s == (4, 1) || s == (4, 8);
        (a.0 - b.0).abs() == 1 && (a.1 - b.1).abs() == 1 && (centre(a) || centre(b)) && {
            Color::ALL.iter().any(|&c| in_palace(a, c) && in_palace(b, c))
        }
    }

    const STRAIGHT: [Square; 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
    const SLANTED: [Square; 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];

    /// The destinations of the piece on a square, ignoring checks.
    fn destinations(board: &Board, from: Square) -> Vec<Square> {
        let Some(Some((color, kind))) = on(board, from) else { return vec![] };
        let add = |a: Square, b: Square| (a.0 + b.0, a.1 + b.1);
        let enterable = |to: Square| on(board, to).is_some_and(|there| there.is_none_or(|(c, _)| c != color));
        let mut out = vec![];
        let ahead = if color == Color::Black { -1 } else { 1 };
        match kind {
            Kind::General | Kind::Guard => {
                for d in STRAIGHT.into_iter().chain(SLANTED) {
                    let to = add(from, d);
                    if in_palace(to, color) && (d.0 == 0 || d.1 == 0 || diagonal(from, to)) {
                        out.push(to);
                    }
                }
            }
            Kind::Soldier => {
                out.extend([(0, ahead), (1, 0), (-1, 0)].map(|d| add(from, d)));
                for d in [(1, ahead), (-1, ahead)] {
                    let to = add(from, d);
                    if in_palace(from, !color) && diagonal(from, to) {
                        out.push(to);
                    }
                }
            }
            Kind::Horse | Kind::Elephant => {
                for (df, dr) in STRAIGHT {
                    let leg = add(from, (df, dr));
                    if on(board, leg) != Some(None) {
                        continue;
                    }
                    let sides = if df == 0 { [(1, dr), (-1, dr)] } else { [(df, 1), (df, -1)] };
                    for side in sides {
                        let eye = add(leg, side);
                        if kind == Kind::Horse {
                            out.push(eye);
                        } else if on(board, eye) == Some(None) {
                            out.push(add(eye, side));
                        }
                    }
                }
            }
            Kind::Chariot | Kind::Cannon => {
                for d in STRAIGHT.into_iter().chain(SLANTED) {
                    let (mut at, mut jumped) = (from, kind == Kind::Chariot);
                    loop {
                        let to = add(at, d);
                        if d.0 != 0 && d.1 != 0 && !diagonal(at, to) {
                            break;
                        }
                        let Some(there) = on(board, to) else { break };
                        let forbidden =
                            kind == Kind::Cannon && there.is_some_and(|(_, kind)| kind == Kind::Cannon);
                        if forbidden {
                            break;
                        }
                        if jumped {
                            out.push(to);
                            if there.is_some() {
                                break;
                            }
                        } else {
                            jumped = there.is_some();
                        }
                        at = to;
                    }
                }
            }
        }
        out.retain(|&to| enterable(to));
        out
    }

    fn squares() -> impl Iterator<Item = Square> {
        (0..9).flat_map(|file| (0..10).map(move |rank| (file, rank)))
    }

    fn in_check(board: &Board, color: Color) -> bool {
        let at = |sq| on(board, sq).flatten();
        let general = squares().find(|&sq| at(sq) == Some((color, Kind::General)));
        squares().any(|from| {
            at(from).is_some_and(|(c, _)| c != color)
                && destinations(board, from).iter().any(|&to| Some(to) == general)
        })
    }

    fn text((file, rank): Square) -> String {
        format!("{}{}", 9 - file, char::from(b'a' + rank as u8))
    }

    /// Every legal move and whether it gives check. `free`: a pass is legal whenever the side is not in check.
    pub fn moves(pos: &Position, free: bool) -> BTreeSet<(String, bool)> {
        let mut board: Board = Default::default();
        for (file, rank) in squares() {
            let sq = (8 - file) * 10 + rank;
            board[file as usize][rank as usize] =
                pos.piece_on(sq as usize).map(|Piece { color, kind }| (color, kind));
        }
        let us = pos.side();
        assert_eq!(pos.in_check(), in_check(&board, us), "{pos}");
        let (mut out, mut stuck, mut home) = (BTreeSet::new(), true, (0, 0));
        for from in squares() {
            let Some(Some((color, kind))) = on(&board, from) else { continue };
            if color != us {
                continue;
            }
            if kind == Kind::General {
                home = from;
            }
            for to in destinations(&board, from) {
                let mut after = board;
                after[to.0 as usize][to.1 as usize] = after[from.0 as usize][from.1 as usize].take();
                if !in_check(&after, us) {
                    stuck &= kind != Kind::General;
                    out.insert((text(from) + &text(to), in_check(&after, !us)));
                }
            }
        }
        if !in_check(&board, us) && (free || stuck) {
            out.insert((text(home).repeat(2), false));
        }
        out
    }
}

fn compare(pass: &str, seed: u64) {
    let mut seen = 0;
    random_walks(pass, seed, 14, |pos| {
        let own: BTreeSet<_> =
            legal(pos).into_iter().map(|mv| (Position::usi(mv), pos.gives_check(mv))).collect();
        // After two passes the game is over and has no moves.
        if !own.is_empty() || pos.verdict(0).is_none() {
            assert_eq!(own, naive::moves(pos, pass == "free"), "{}", pos.sfen());
        }
        seen += own.len();
    });
    assert!(seen > 30_000, "{seen}");
}

#[test]
fn the_generator_agrees_with_a_naive_one() {
    compare("literal", 1);
    compare("free", 2);
}

#[test]
fn captures_are_noisy_and_everything_else_is_quiet() {
    for (seed, pass) in [(3, "literal"), (4, "free"), (5, "forced")] {
        random_walks(pass, seed, 25, |pos| {
            let (mut noisy, mut quiet) = (MoveList::new(), MoveList::new());
            pos.noisy(&mut noisy);
            pos.quiet(&mut quiet);
            assert!(noisy.iter().all(|&mv| pos.victim(mv) > 0 && pos.gain(mv) > 0));
            assert!(!quiet.iter().any(|&mv| pos.victim(mv) > 0 || pos.gain(mv) > 0));
            let all = legal(pos);
            assert_eq!((pos.count(), noisy.len() + quiet.len()), (all.len(), all.len()), "{}", pos.sfen());
        });
    }
}

/// The value of the piece that makes this move; `None` for a pass.
fn captor(pos: &Position, mv: Move) -> Option<i32> {
    pos.piece_on(mv.from()).filter(|_| !mv.is_pass()).map(|piece| piece.kind.value())
}

#[test]
fn static_exchanges_agree_with_playing_them() {
    let (mut agreed, mut differed) = (0, 0);
    random_walks("literal", 10, 25, |pos| {
        // Static exchange evaluation ignores pins and checks, so positions in check are skipped.
        if pos.in_check() {
            return;
        }
        for mv in legal(pos) {
            let (Some(own), Some(victim)) = (captor(pos, mv), pos.piece_on(mv.to())) else { continue };
            pos.make(mv, &mut ());
            let value = victim.kind.value() - plain::exchange(pos, mv.to(), own, captor);
            pos.unmake();
            if pos.see_ge(mv, value) && !pos.see_ge(mv, value + 1) {
                agreed += 1;
            } else {
                differed += 1;
            }
        }
    });
    // The differences are due to pins and checks, and to cannons that gain or lose a screen.
    assert!(agreed > 2_000 && differed * 6 < agreed, "{agreed} agreed, {differed} differed");
}
