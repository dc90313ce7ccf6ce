//! Computes the values of a whole class of Janggi endings in a naive way: without a numbering of classes, mirror
//! images, backward moves, or special treatment of passes. One table has an entry for every placement of the pieces
//! (captured ones included), side to move, and whether the last move was a pass. It is swept for wins and losses in one
//! more ply until nothing changes.
//!
//! ```sh
//! rustc -O --edition 2024 -o /tmp/janggi_endings tests/oracles/janggi_endings.rs
//! sanban solve --game janggi --pieces KCPvK --out /tmp/tables
//! /tmp/janggi_endings KCPvK literal > /tmp/naive
//! cut -f 1 /tmp/naive | sanban probe --game janggi --table /tmp/tables | cmp - /tmp/naive
//! ```
//!
//! `literal` corresponds to `janggi`, `free` to `janggicasual`. Every position is printed with both sides to move;
//! every second one is rotated by 180 degrees with colours exchanged. The program also checks that a position after a
//! pass has the value that `crates/engine/src/solved/janggi` derives from the position without the pass, and fails
//! otherwise. Four pieces take seconds to minutes and 11 MB; each guard multiplies this by ten, each other piece by 91.
//!
//! Larger classes are checked at random positions: with `ask N`, N of them and every position that their moves lead to
//! are printed; with `judge N`, the answers are read, and the values of the N positions must follow from the others.
//!
//! ```sh
//! /tmp/janggi_endings KPPvKN literal ask 40 | sanban probe --game janggi --table /tmp/tables > /tmp/answers
//! /tmp/janggi_endings KPPvKN literal judge 40 < /tmp/answers
//! ```
//!
//! The program was written from the rules alone, independently of the engine's generator.

use std::io::{BufWriter, Write};

const WIDTH: i32 = 9;
const HEIGHT: i32 = 10;
/// A pseudo-square for captured pieces.
const GONE: usize = 90;
const UNKNOWN: u8 = 255;
/// The general of the side that has just moved can be captured, or two pieces share a square.
const ILLEGAL: u8 = 254;

/// Returns the index of a square. Files are 0 to 8 from the left, ranks 0 to 9 from the first player's side.
fn square(file: i32, rank: i32) -> Option<usize> {
    ((0..WIDTH).contains(&file) && (0..HEIGHT).contains(&rank)).then_some((rank * WIDTH + file) as usize)
}

fn place(sq: usize) -> (i32, i32) {
    (sq as i32 % WIDTH, sq as i32 / WIDTH)
}

#[derive(Clone, Copy, PartialEq)]
struct Piece {
    owner: usize,
    letter: char,
}

/// Returns the side whose palace contains a square.
fn palace(file: i32, rank: i32) -> Option<usize> {
    if !(3..=5).contains(&file) {
        return None;
    }
    match rank {
        0..=2 => Some(0),
        7..=9 => Some(1),
        _ => None,
    }
}

/// Returns whether a diagonal line is marked between two neighbouring points.
fn diagonal_line(from: (i32, i32), to: (i32, i32)) -> bool {
    let centre = |p: (i32, i32)| p.0 == 4 && (p.1 == 1 || p.1 == 8);
    let (a, b) = (palace(from.0, from.1), palace(to.0, to.1));
    a.is_some() && a == b && (centre(from) || centre(to)) && from.0 != to.0 && from.1 != to.1
}

struct Game {
    pieces: Vec<Piece>,
    /// Possible squares of each piece, including GONE if it can be captured.
    homes: Vec<Vec<usize>>,
    /// Index of a square in `homes`.
    ranks: Vec<Vec<usize>>,
    free: bool,
}

type Squares = Vec<usize>;

impl Game {
    fn new(class: &str, free: bool) -> Self {
        let (first, second) = class.split_once('v').expect("a class such as KRvK");
        let mut pieces = Vec::new();
        for (owner, army) in [first, second].into_iter().enumerate() {
            pieces.extend(army.chars().map(|letter| Piece { owner, letter }));
        }
        let homes: Vec<Vec<usize>> = pieces
            .iter()
            .map(|piece| match piece.letter {
                'K' | 'A' => {
                    let mut all: Vec<usize> =
                        (0..90).filter(|&sq| palace(place(sq).0, place(sq).1) == Some(piece.owner)).collect();
                    if piece.letter == 'A' {
                        all.push(GONE);
                    }
                    all
                }
                _ => (0..=GONE).collect(),
            })
            .collect();
        let ranks = homes
            .iter()
            .map(|home| (0..=GONE).map(|sq| home.iter().position(|&s| s == sq).unwrap_or(usize::MAX)).collect())
            .collect();
        Self { pieces, homes, ranks, free }
    }

    fn placements(&self) -> usize {
        self.homes.iter().map(Vec::len).product()
    }

    fn squares(&self, mut number: usize, out: &mut Squares) {
        out.clear();
        for home in &self.homes {
            out.push(home[number % home.len()]);
            number /= home.len();
        }
    }

    fn number(&self, squares: &[usize]) -> usize {
        let mut number = 0;
        for i in (0..squares.len()).rev() {
            number = number * self.homes[i].len() + self.ranks[i][squares[i]];
        }
        number
    }

    /// The pseudo-legal destinations of a piece; `board` has the index of the piece on each square.
    fn reach(&self, piece: Piece, from: usize, board: &[Option<usize>; 90], out: &mut Vec<usize>) {
        out.clear();
        let (file, rank) = place(from);
        let at = |sq: usize| board[sq].map(|i| self.pieces[i]);
        let mut add = |sq: usize| {
            if at(sq).is_none_or(|other| other.owner != piece.owner) {
                out.push(sq);
            }
        };
        let forward = if piece.owner == 0 { 1 } else { -1 };
        match piece.letter {
            'K' | 'A' => {
                for (df, dr) in [(0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (1, -1), (-1, 1), (-1, -1)] {
                    let to = (file + df, rank + dr);
                    let inside = palace(to.0, to.1) == Some(piece.owner);
                    if inside && (df == 0 || dr == 0 || diagonal_line((file, rank), to)) {
                        add(square(to.0, to.1).expect("in the palace"));
                    }
                }
            }
            'P' => {
                for (df, dr) in [(0, forward), (1, 0), (-1, 0), (1, forward), (-1, forward)] {
                    let to = (file + df, rank + dr);
                    let Some(sq) = square(to.0, to.1) else { continue };
                    let enemy_palace = palace(file, rank) == Some(1 - piece.owner);
                    if df == 0 || dr == 0 || enemy_palace && diagonal_line((file, rank), to) {
                        add(sq);
                    }
                }
            }
            'N' | 'B' => {
                for (df, dr) in [(0, 1), (0, -1), (1, 0), (-1, 0)] {
                    let Some(leg) = square(file + df, rank + dr) else { continue };
                    if at(leg).is_some() {
                        continue;
                    }
                    for side in [1, -1] {
                        // A diagonal step away from the origin.
                        let (sf, sr) = if df == 0 { (side, dr) } else { (df, side) };
                        let eye = (file + df + sf, rank + dr + sr);
                        let Some(eye_sq) = square(eye.0, eye.1) else { continue };
                        if piece.letter == 'N' {
                            add(eye_sq);
                        } else if at(eye_sq).is_none() {
                            if let Some(to) = square(eye.0 + sf, eye.1 + sr) {
                                add(to);
                            }
                        }
                    }
                }
            }
            'R' | 'C' => {
                for (df, dr) in [(0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (1, -1), (-1, 1), (-1, -1)] {
                    let (mut here, mut jumped) = ((file, rank), piece.letter == 'R');
                    loop {
                        let to = (here.0 + df, here.1 + dr);
                        let Some(sq) = square(to.0, to.1) else { break };
                        if df != 0 && dr != 0 && !diagonal_line(here, to) {
                            break;
                        }
                        here = to;
                        match at(sq) {
                            None if jumped => add(sq),
                            None => {}
                            Some(other) if piece.letter == 'C' && other.letter == 'C' => break,
                            Some(_) if jumped => {
                                add(sq);
                                break;
                            }
                            Some(_) => jumped = true,
                        }
                    }
                }
            }
            other => panic!("unknown piece {other}"),
        }
    }

    /// Returns whether a side can capture the other general.
    fn takes_general(&self, squares: &[usize], board: &[Option<usize>; 90], side: usize, to: &mut Vec<usize>) -> bool {
        (0..self.pieces.len()).any(|i| {
            let piece = self.pieces[i];
            if piece.owner != side || squares[i] == GONE {
                return false;
            }
            self.reach(piece, squares[i], board, to);
            to.iter().any(|&sq| board[sq].is_some_and(|j| self.pieces[j].letter == 'K'))
        })
    }

    fn board(&self, squares: &[usize]) -> Option<[Option<usize>; 90]> {
        let mut board = [None; 90];
        for (i, &sq) in squares.iter().enumerate() {
            if sq != GONE {
                if board[sq].is_some() {
                    return None;
                }
                board[sq] = Some(i);
            }
        }
        Some(board)
    }

    fn sfen(&self, squares: &[usize], side: usize, turned: bool) -> String {
        let mut text = String::new();
        for row in 0..10 {
            let mut empty = 0;
            for column in 0..9 {
                let sq = square(column, 9 - row).expect("on the board");
                let sq = if turned { 89 - sq } else { sq };
                match squares.iter().position(|&s| s == sq) {
                    None => empty += 1,
                    Some(i) => {
                        if empty > 0 {
                            text += &empty.to_string();
                            empty = 0;
                        }
                        let Piece { owner, letter } = self.pieces[i];
                        let upper = (owner == 0) != turned;
                        text.push(if upper { letter } else { letter.to_ascii_lowercase() });
                    }
                }
            }
            if empty > 0 {
                text += &empty.to_string();
            }
            text.push(if row < 9 { '/' } else { ' ' });
        }
        text + if (side == 0) != turned { "b - 1" } else { "w - 1" }
    }
}

/// Returns the index of a state: placement, side to move, and whether the last move was a pass.
fn state(number: usize, side: usize, passed: usize) -> usize {
    number * 4 + side * 2 + passed
}

/// The children of a state, and whether a pass would end the game.
struct Children {
    states: Vec<usize>,
    draw: bool,
    may_pass: bool,
}

/// Returns the children of a legal state; `legal` returns whether a state without a pass is legal.
fn children(game: &Game, legal: impl Fn(usize) -> bool, squares: &Squares, side: usize, passed: usize) -> Children {
    let board = game.board(squares).expect("a legal position");
    let mut out = Children { states: Vec::new(), draw: false, may_pass: false };
    let (mut to, mut after, mut general_steps) = (Vec::new(), squares.clone(), 0);
    for (i, &piece) in game.pieces.iter().enumerate() {
        if piece.owner != side || squares[i] == GONE {
            continue;
        }
        game.reach(piece, squares[i], &board, &mut to);
        for &sq in &to {
            after.clone_from(squares);
            after[i] = sq;
            if let Some(victim) = board[sq] {
                after[victim] = GONE;
            }
            let child = state(game.number(&after), 1 - side, 0);
            if legal(child) {
                out.states.push(child);
                general_steps += usize::from(piece.letter == 'K');
            }
        }
    }
    let number = game.number(squares);
    let in_check = !legal(state(number, 1 - side, 0));
    out.may_pass = !in_check && (game.free || general_steps == 0);
    if out.may_pass {
        if passed == 1 {
            out.draw = true;
        } else {
            out.states.push(state(number, 1 - side, 1));
        }
    }
    out
}

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let game = Game::new(&args[1], args[2] == "free");
    if let Some(mode) = args.get(3) {
        return sample(&game, mode == "judge", args[4].parse().expect("a number of positions"));
    }
    let count = game.placements();
    let mut values = vec![UNKNOWN; count * 4];
    let (mut squares, mut to) = (Vec::new(), Vec::new());

    // Positions in which the general can be captured are illegal.
    for number in 0..count {
        game.squares(number, &mut squares);
        let Some(board) = game.board(&squares) else {
            values[number * 4..][..4].fill(ILLEGAL);
            continue;
        };
        for side in [0, 1] {
            if game.takes_general(&squares, &board, side, &mut to) {
                values[state(number, side, 0)] = ILLEGAL;
                values[state(number, side, 1)] = ILLEGAL;
            }
        }
    }

    // Sweep N finds losses in N plies if N is even, and wins if it is odd. Two sweeps without changes end the search.
    let (mut plies, mut idle) = (0u8, 0);
    while idle < 2 {
        let mut news = Vec::new();
        for number in 0..count {
            if values[number * 4..][..4].iter().all(|&value| value != UNKNOWN) {
                continue;
            }
            game.squares(number, &mut squares);
            for side in [0, 1] {
                for passed in [0, 1] {
                    if values[state(number, side, passed)] != UNKNOWN {
                        continue;
                    }
                    let children = children(&game, |child| values[child] != ILLEGAL, &squares, side, passed);
                    let decided = if plies % 2 == 0 {
                        // Every child is won for the other side, by values found in earlier sweeps.
                        !children.draw && children.states.iter().all(|&child| values[child] < 250 && values[child] % 2 == 1)
                    } else {
                        children.states.iter().any(|&child| values[child] < 250 && values[child] % 2 == 0)
                    };
                    if decided {
                        news.push(state(number, side, passed));
                    }
                }
            }
        }
        idle = if news.is_empty() { idle + 1 } else { 0 };
        for &state in &news {
            values[state] = plies;
        }
        eprintln!("{plies} plies: {}", news.len());
        plies += 1;
        assert!(plies < 250, "a win takes 250 plies or more");
    }

    let mut out = BufWriter::new(std::io::stdout().lock());
    let (mut printed, mut wrong) = (0usize, 0usize);
    for number in 0..count {
        game.squares(number, &mut squares);
        // Placements that differ only in the order of equal pieces are printed once.
        let ordered = (1..squares.len())
            .all(|i| game.pieces[i] != game.pieces[i - 1] || squares[i - 1] < squares[i]);
        if !ordered {
            continue;
        }
        for side in [0, 1] {
            let value = values[state(number, side, 0)];
            if value == ILLEGAL {
                continue;
            }
            // Check the value after a pass of the other side, if it could pass.
            if values[state(number, 1 - side, 0)] != ILLEGAL
                && children(&game, |child| values[child] != ILLEGAL, &squares, 1 - side, 0).may_pass
            {
                let lost = value != UNKNOWN && value % 2 == 0;
                let saved = lost && children(&game, |child| values[child] != ILLEGAL, &squares, side, 0).may_pass;
                if values[state(number, side, 1)] != if saved { UNKNOWN } else { value } {
                    wrong += 1;
                }
            }
            if squares.contains(&GONE) {
                continue;
            }
            printed += 1;
            let sfen = game.sfen(&squares, side, printed % 2 == 0);
            let line = match value {
                UNKNOWN => writeln!(out, "{sfen}\tdraw"),
                plies if plies % 2 == 1 => writeln!(out, "{sfen}\twin {plies}"),
                plies => writeln!(out, "{sfen}\tloss {plies}"),
            };
            line.expect("standard output");
        }
    }
    eprintln!("{printed} positions, {wrong} wrong values after a pass");
    if wrong > 0 {
        std::process::exit(1);
    }
}

/// Prints random positions, each followed by its children, or judges the values that `sanban probe` gives for them.
fn sample(game: &Game, judge: bool, positions: usize) {
    let legal = |state: usize| {
        let (mut squares, mut to) = (Vec::new(), Vec::new());
        game.squares(state / 4, &mut squares);
        let side = state / 2 % 2;
        game.board(&squares).is_some_and(|board| !game.takes_general(&squares, &board, side, &mut to))
    };
    let mut lines = std::io::stdin().lines();
    let (mut done, mut wrong, mut decided, mut random) = (0, 0, 0, 0x9E37_79B9_7F4A_7C15u64);
    while done < positions {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        let (number, side) = (random as usize % game.placements(), (random >> 60) as usize % 2);
        let mut squares = Vec::new();
        game.squares(number, &mut squares);
        if squares.contains(&GONE) || !legal(state(number, side, 0)) {
            continue;
        }
        done += 1;
        let text = |state: usize| {
            let mut squares = Vec::new();
            game.squares(state / 4, &mut squares);
            if state % 2 == 0 {
                return game.sfen(&squares, state / 2 % 2, done % 2 == 0);
            }
            game.sfen(&squares, 1 - state / 2 % 2, done % 2 == 0) + " moves pass"
        };
        let children = children(game, legal, &squares, side, 0);
        let states = [state(number, side, 0)].into_iter().chain(children.states);
        let texts: Vec<String> = states.map(text).collect();
        if !judge {
            texts.iter().for_each(|text| println!("{text}"));
            continue;
        }
        // The value for the side to move there: positive if it wins, the larger the sooner.
        let mut values = texts.iter().map(|text| {
            let line = lines.next().expect("an answer for every position").expect("standard input");
            let (sfen, value) = line.split_once('\t').expect("a value in every line");
            assert_eq!(sfen, text, "the answers are for other positions");
            match value.split_once(' ') {
                None if value == "draw" => 0,
                Some(("win", plies)) => 1_000 - plies.parse::<i32>().expect("plies"),
                Some(("loss", plies)) => plies.parse::<i32>().expect("plies") - 1_000,
                _ => panic!("unknown value {value}"),
            }
        });
        let found = values.next().expect("the position itself");
        // A win or loss is a ply further away from the position than from its child. Without a move it is mate.
        let derived = values.map(|value| value.signum() - value).max().unwrap_or(-1_000);
        decided += usize::from(found != 0);
        if found != derived {
            wrong += 1;
            println!("{}: {found}, but its moves imply {derived}", texts[0]);
        }
    }
    if judge {
        eprintln!("{done} positions, {decided} of them decided, {wrong} wrong");
    }
    if wrong > 0 {
        std::process::exit(1);
    }
}
