//! The entering-king rules, checked against an independent count of the pieces in the SFEN.

use crate::naive::Naive;
use sanban::rules::shogi::Position;
use sanban::rules::shogi::declare::Declaration;
use sanban::rules::shogi::rules::Rules;
use sanban::rules::{Color, Position as _, Rng, Rules as _};
use std::collections::BTreeMap;

/// The letter of each kind of piece and the number of pieces in a set, without kings.
const SET: [(char, usize); 7] = [('P', 18), ('L', 4), ('N', 4), ('S', 4), ('G', 4), ('B', 2), ('R', 2)];
const RULES: [&str; 6] = ["NoEnteringKing", "CSARule24", "CSARule24H", "CSARule27", "CSARule27H", "TryRule"];

fn points(letter: char) -> u32 {
    match letter.to_ascii_uppercase() {
        'K' => 0,
        'B' | 'R' => 5,
        _ => 1,
    }
}

/// The SFEN of a position in which both sides have pieces in the promotion zone of the side to move. It may be illegal.
fn entered(rng: &mut Rng) -> String {
    let us = rng.below(2);
    let own = |letter: char, ours: bool| {
        if ours == (us == 0) { letter } else { letter.to_ascii_lowercase() }
    };
    // The last rank is rank 0 for black and rank 8 for white.
    let rank = |depth: usize| if us == 0 { depth } else { 8 - depth };
    let mut board = vec![vec![String::new(); 9]; 9];
    let put = |board: &mut Vec<Vec<String>>, rng: &mut Rng, piece: String, depths: (usize, usize)| {
        for _ in 0..20 {
            let (r, f) = (rank(depths.0 + rng.below(depths.1 - depths.0)), rng.below(9));
            if board[r][f].is_empty() {
                board[r][f] = piece;
                return true;
            }
        }
        false
    };
    let king_zone = if rng.below(12) == 0 { (3, 6) } else { (0, 3) };
    put(&mut board, rng, own('K', true).into(), king_zone);
    put(&mut board, rng, own('K', false).into(), (5, 9));
    let (mut hands, mut to_place) = (BTreeMap::<char, usize>::new(), 8 + rng.below(6));
    for (letter, count) in SET {
        // For half of the kinds, some pieces of the set are missing, as in a handicap game.
        let given = if rng.below(2) == 0 { 0 } else { rng.below(count + 1) };
        for _ in given..count {
            let promotes = letter != 'G' && rng.below(2) == 0;
            let piece = |ours: bool| format!("{}{}", if promotes { "+" } else { "" }, own(letter, ours));
            let placed = match rng.below(8) {
                0..4 if to_place > 0 => {
                    to_place -= 1;
                    put(&mut board, rng, piece(true), (0, 3))
                }
                4 => put(&mut board, rng, piece(true), (3, 9)),
                5 => put(&mut board, rng, piece(false), (4, 9)),
                6 if rng.below(6) == 0 => put(&mut board, rng, piece(false), (0, 4)),
                _ => false,
            };
            if !placed {
                *hands.entry(own(letter, rng.below(4) > 0)).or_default() += 1;
            }
        }
    }
    let line = |cells: &Vec<String>| -> String {
        cells.iter().map(|cell| if cell.is_empty() { "1" } else { cell.as_str() }).collect()
    };
    let hands: String = hands.iter().map(|(letter, n)| format!("{n}{letter}")).collect();
    format!(
        "{} {} {} 1",
        board.iter().map(line).collect::<Vec<_>>().join("/"),
        ["b", "w"][us],
        if hands.is_empty() { "-".into() } else { hands }
    )
}

/// The expected result of a declaration, counted as the rules are worded.
fn counted(sfen: &str, in_check: bool, rule: &str) -> Option<Declaration> {
    let fields: Vec<&str> = sfen.split(' ').collect();
    let black = fields[1] == "b";
    let mine = |letter: char| letter.is_ascii_uppercase() == black;
    let (mut all, mut own, mut others, mut king) = (0, 0, 0, false);
    for (r, line) in fields[0].split('/').enumerate() {
        let in_zone = if black { r < 3 } else { r > 5 };
        for letter in line.chars().filter(char::is_ascii_alphabetic) {
            all += points(letter);
            if mine(letter) && in_zone {
                own += points(letter);
                king |= letter.eq_ignore_ascii_case(&'k');
                others += usize::from(!letter.eq_ignore_ascii_case(&'k'));
            }
        }
    }
    let mut count = 0;
    for c in fields[2].chars().filter(|&c| c != '-') {
        if let Some(digit) = c.to_digit(10) {
            count = count * 10 + digit;
        } else {
            let n = count.max(1) * points(c);
            all += n;
            own += if mine(c) { n } else { 0 };
            count = 0;
        }
    }
    // An even game has 18 + 4 * 4 + 4 * 5 = 54 points. The missing pieces are white's handicap.
    if rule.ends_with('H') && !black {
        own += 54 - all;
    }
    let allowed = king && others >= 10 && !in_check;
    match rule {
        "CSARule27" | "CSARule27H" if allowed && own >= if black { 28 } else { 27 } => Some(Declaration::Win),
        "CSARule24" | "CSARule24H" if allowed && own >= 31 => Some(Declaration::Win),
        "CSARule24" | "CSARule24H" if allowed && own >= 24 => Some(Declaration::Draw),
        _ => None,
    }
}

fn rules(name: &str) -> Rules {
    let mut rules = Rules::default();
    rules.set("EnteringKingRule", name).expect("a known rule");
    rules
}

#[test]
fn points_agree_with_a_second_count() {
    let (mut rng, mut seen) = (Rng::new(54), BTreeMap::new());
    let mut positions = 0;
    while positions < 6000 {
        let sfen = entered(&mut rng);
        let Ok(mut pos) = Position::from_sfen(&sfen) else { continue };
        positions += 1;
        let in_check = Naive::from(&pos).in_check(pos.side());
        for name in RULES {
            pos.set_rules(&rules(name));
            let (own, plain) = (pos.declaration(), counted(&sfen, in_check, name));
            assert_eq!(own, plain, "{name}: {sfen}");
            assert_eq!(pos.can_declare(), plain == Some(Declaration::Win), "{name}: {sfen}");
            let key = (name, pos.side() == Color::Black, own.map(|d| d == Declaration::Win));
            *seen.entry(key).or_insert(0) += 1;
        }
    }
    // Every outcome of a rule must have occurred many times for both sides.
    for name in RULES.into_iter().filter(|name| name.starts_with("CSA")) {
        for black in [true, false] {
            let outcomes = if name.contains("24") {
                vec![None, Some(true), Some(false)]
            } else {
                vec![None, Some(true)]
            };
            for outcome in outcomes {
                let n = seen.get(&(name, black, outcome)).copied().unwrap_or(0);
                assert!(n > 50, "{name}, black {black}, {outcome:?}: {n} of {seen:?}");
            }
        }
    }
}

#[test]
fn kings_are_no_points() {
    for (rule, sfen) in [
        // White has 25 points.
        ("CSARule27H", "9/K8/9/2L2P3/5P3/9/2b1+p+l3/1sk+n1+p3/1+p1+l1+n1+p+l w 7p2s5PN2R4GSnB 1"),
        // White has 29 points.
        ("CSARule24H", "9/8K/9/7R1/6B1P/9/s1k+p1+p2+p/3+p+s+l2+n/1+p2+n1+p2 w 2n7p3L4PR4gb2S 1"),
    ] {
        let mut pos = Position::from_sfen(sfen).expect("a position");
        pos.set_rules(&rules(rule));
        assert!(!pos.can_declare(), "{rule}: {sfen}");
    }
}
