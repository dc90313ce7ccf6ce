//! Compares whole classes with published results and with the rules.

use super::captures::Found;
use super::layout::Placement;
use super::*;
use crate::Oracle;
use crate::scratch::Scratch;
use crate::solved::Value;
use sanban_rules::janggi::{Position, Prospect, Rules};
use sanban_rules::score::{mate_in, mated_in};
use sanban_rules::{Position as _, Rng, Verdict};
use std::collections::HashMap;

/// Solves a class and the classes it depends on, in memory.
fn solved(class: Class, pass: Pass, known: &mut HashMap<Class, Arc<Table>>) -> Arc<Table> {
    for smaller in class.after_capture() {
        if smaller.attackers() > 0 && !known.contains_key(&smaller) {
            solved(smaller, pass, known);
        }
    }
    let get = |class| Ok::<_, SolveError>(known[&class].clone());
    let table = Arc::new(super::solve(class, pass, get).expect("enough memory"));
    known.insert(class, table.clone());
    table
}

fn named(name: &str, pass: Pass) -> (Arc<Table>, Tables) {
    let mut known = HashMap::new();
    let table = solved(name.parse().expect("valid class"), pass, &mut known);
    let tables = Tables::new("/nowhere".as_ref(), pass);
    known.into_values().for_each(|table| tables.keep(table));
    (table, tables)
}

/// Compares with the results of an independent program: percentage won with the stronger side to move, and longest win.
#[test]
fn classes_have_the_figures_of_an_independent_program() {
    let known = [
        ("KCPvK", Pass::Literal, 71.1, 45),
        ("KCPvK", Pass::Free, 0.17, 9),
        ("KRPvK", Pass::Free, 91.4, 21),
        ("KCNvK", Pass::Free, 0.38, 1),
        ("KPPvK", Pass::Free, 54.9, 35),
    ];
    for (name, pass, percent, longest) in known {
        let (table, tables) = named(name, pass);
        let [stronger, other] = Summary::of(&table).sides;
        let won = 100.0 * stronger.won as f64 / stronger.all() as f64;
        assert!((won - percent).abs() < 0.05, "{name}: {won}");
        assert_eq!((stronger.longest, other.won), (longest, 0), "{name}");
        check(&table, &tables, 3_000, 7).unwrap_or_else(|wrong| panic!("{name}: {wrong}"));
    }
}

/// Covers captures between equal armies, guards on both sides and swapped sides.
#[test]
fn values_follow_from_the_moves() {
    for (name, pass) in [
        ("KRvKC", Pass::Literal),
        ("KRvKR", Pass::Free),
        ("KRAAvKAA", Pass::Literal),
        ("KCAvKAA", Pass::Free),
        ("KNNvK", Pass::Literal),
    ] {
        let (table, tables) = named(name, pass);
        check(&table, &tables, 10_000, 8).unwrap_or_else(|wrong| panic!("{name}: {wrong}"));
    }
}

/// A position has the same number when it is mirrored, and when it is turned with colours exchanged.
#[test]
fn positions_lead_back_to_their_numbers() {
    let mut rng = Rng::new(9);
    for name in ["KPvK", "KNNvK", "KRAvKC", "KRCAvKAA", "KPPvKN", "KRCvKB", "KNPvKP"] {
        let layout = Layout::new(name.parse().expect("valid class"));
        let mut compared = 0;
        while compared < 1_000 {
            let index = rng.below(layout.numbers());
            let (placement, side) = layout.placement(index);
            let sfen = layout.sfen(index);
            if layout.spots_overlap(&placement) || Position::from_sfen(&sfen).is_err() {
                continue;
            }
            let (board, rest) = sfen.split_once(' ').expect("fields");
            let mirrored = board.split('/').map(|rank| rank.chars().rev().collect::<String>());
            let mirrored = format!("{} {rest}", mirrored.collect::<Vec<_>>().join("/"));
            let swap =
                |c: char| if c.is_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() };
            let turned = board.chars().rev().map(swap).collect::<String>() + [" w - 1", " b - 1"][side];
            let number = |sfen: &str| {
                let pos = Position::from_sfen(sfen).expect("legal position");
                let (class, swapped) = Class::of(&pos).expect("supported material");
                assert_eq!((class, swapped), (layout.class(), sfen == turned), "{sfen}");
                layout.index(&Placement::of(&pos, swapped), side)
            };
            assert_eq!((number(&sfen), number(&turned)), (index, index), "{sfen}");
            // A symmetric block contains both mirror images.
            let symmetric = layout.blocks()[index / layout.spots().len() / 2].symmetric;
            assert!(symmetric || number(&mirrored) == index, "{mirrored}");
            compared += 1;
        }
    }
}

/// Captures from three attackers have the values of the positions that they lead to.
#[test]
fn captures_lead_to_smaller_classes() {
    let (mut rng, mut decided) = (Rng::new(10), 0);
    for name in ["KPPvKN", "KRCvKB", "KCPvKR"] {
        let class: Class = name.parse().expect("valid class");
        let (layout, mut known) = (Layout::new(class), HashMap::new());
        for smaller in class.after_capture() {
            solved(smaller, Pass::Literal, &mut known);
        }
        let get = |class| Ok::<_, SolveError>(known[&class].clone());
        let captures = Captures::new(&layout, get).expect("all smaller classes are solved");
        let tables = Tables::new("/nowhere".as_ref(), Pass::Literal);
        known.into_values().for_each(|table| tables.keep(table));
        for _ in 0..20_000 {
            let index = rng.below(layout.numbers());
            let (placement, side) = layout.placement(index);
            let Ok(mut pos) = Position::from_sfen(&layout.sfen(index)) else { continue };
            if layout.spots_overlap(&placement) {
                continue;
            }
            let mut expected = Found::default();
            for mv in pos.legal_moves() {
                pos.make(mv, &mut ());
                let value = Class::of(&pos).filter(|&(after, _)| after != class).map(|_| tables.value(&pos));
                pos.unmake();
                match value.map(|value| value.expect("no file is read").expect("class is solved").of_move()) {
                    None => {}
                    Some(Value::Draw) => expected.draws = true,
                    Some(Value::Win(plies)) => {
                        expected.win = Some(expected.win.map_or(plies, |win| win.min(plies)));
                    }
                    Some(Value::Loss(plies)) => expected.loss = expected.loss.max(Some(plies)),
                }
            }
            let block = &layout.blocks()[index / layout.spots().len() / 2];
            let found = captures.find(&layout, block, placement.attackers, side);
            assert_eq!(found, expected, "{}", layout.sfen(index));
            decided += usize::from(found.win.is_some() || found.loss.is_some());
        }
    }
    assert!(decided > 100, "{decided}");
}

#[test]
fn the_line_to_mate_has_the_plies_that_are_stated() {
    let dir = Scratch::new();
    let (_, tables) = named("KCPvK", Pass::Literal);
    for name in ["KCPvK", "KCvK", "KPvK"] {
        let class: Class = name.parse().expect("valid class");
        let table = tables.table(class).expect("table is readable").expect("table exists");
        table.write(&dir.0.join(Table::file_name(class, Pass::Literal))).expect("file is writable");
    }
    let endings = Endings::open(&dir.0).expect("directory exists");
    let sfen = "5k3/C8/9/9/9/9/8P/5K3/9/9 b - 1";
    let mut pos = Position::from_sfen(sfen).expect("valid SFEN");
    let (score, line) = endings.solution(&pos).expect("position is solved");
    assert_eq!((score, line.len()), (mate_in(45), 45));
    for mv in line {
        assert!(pos.is_legal(mv));
        pos.make(mv, &mut ());
    }
    assert!(pos.in_check() && pos.count() == 0);
    // The same position with colours exchanged.
    let turned = Position::from_sfen("9/9/3k5/p8/9/9/9/9/8c/3K5 w - 1").expect("valid SFEN");
    assert_eq!(endings.solution(&turned).map(|(score, _)| score), Some(mate_in(45)));
    let mut pos = Position::from_sfen(sfen).expect("valid SFEN");
    let first = endings.solution(&pos).expect("position is solved").1[0];
    pos.make(first, &mut ());
    assert_eq!(endings.solution(&pos).map(|(score, _)| score), Some(mated_in(44)));
    // There are no tables for other rules or more material.
    let counted = Rules { counting: true, ..Rules::default() };
    pos.set_rules(&counted);
    assert_eq!(endings.solution(&pos), None);
    let more = Position::from_sfen("5k3/C8/9/9/9/9/R7P/5K3/9/9 b - 1").expect("valid SFEN");
    assert_eq!(endings.solution(&more), None);
}

#[test]
fn a_file_is_read_as_it_was_written_and_refused_when_it_has_changed() {
    let dir = Scratch::new();
    let (table, _) = named("KCNvK", Pass::Free);
    let class = table.layout().class();
    let path = dir.0.join("table");
    let size = table.write(&path).expect("file is writable");
    let bytes = std::fs::read(&path).expect("file is readable");
    assert_eq!(bytes.len() as u64, size);
    assert!(size < 100_000, "{size}");
    let read = Table::read(&path, class, Pass::Free).expect("valid table");
    assert_eq!(read.values(), table.values());

    let refused = |bytes: &[u8], words: &str| {
        std::fs::write(&path, bytes).expect("file is writable");
        let error = Table::read(&path, class, Pass::Free).expect_err(words).to_string();
        assert!(error.contains(words), "{error}: expected {words}");
    };
    let changed = |at: usize| {
        let mut bytes = bytes.clone();
        bytes[at] ^= 1;
        bytes
    };
    refused(&[], "not a table");
    refused(&changed(0), "not a table");
    refused(&changed(8), "version 0");
    refused(&changed(12), "table is for KCNvK with literal passes, expected KCNvK with free passes");
    refused(&changed(17), "expected KCNvK");
    refused(&changed(40), "damaged");
    refused(&changed(48), "wrong checksum");
    for at in [64, 80, bytes.len() / 2, bytes.len() - 9] {
        refused(&changed(at), "damaged");
    }
    refused(&bytes[..bytes.len() - 1], "damaged");
    refused(&[&bytes[..], &[0]].concat(), "too long");
    std::fs::write(&path, &bytes).expect("file is writable");
    let other = Table::read(&path, "KCBvK".parse().expect("valid class"), Pass::Free);
    assert!(other.is_err_and(|error| error.to_string().contains("table is for KCNvK")));
}

fn position(sfen: &str, pass: Pass) -> Position {
    let mut pos = Position::from_sfen(sfen).expect("valid SFEN");
    pos.set_rules(&Rules { pass, ..Rules::default() });
    pos
}

/// An arbitrary position of a class.
fn any_position(class: Class) -> Position {
    let layout = Layout::new(class);
    let found = (0..layout.numbers()).step_by(7).find_map(|index| {
        let (placement, _) = layout.placement(index);
        (!layout.spots_overlap(&placement)).then(|| Position::from_sfen(&layout.sfen(index)).ok())?
    });
    found.expect("class has positions")
}

/// A class is a draw by dead material exactly if it has no mate and no capture leads to a class with one.
#[test]
fn dead_material_is_that_without_a_mate() {
    let mut dead: HashMap<Class, bool> = HashMap::new();
    for class in Class::all().into_iter().filter(|class| class.attackers() <= 2) {
        let smaller = class.after_capture();
        let may_die = smaller.iter().all(|class| class.attackers() == 0 || dead[class]);
        let is_dead = may_die && class.find_mate().is_none();
        dead.insert(class, is_dead);
        for pass in [Pass::Literal, Pass::Free, Pass::Forced] {
            let mut pos = any_position(class);
            pos.set_rules(&Rules { pass, ..Rules::default() });
            assert_eq!(pos.prospect() == Prospect::Dead, is_dead, "{class}");
            assert_eq!(pos.verdict(0) == Some(Verdict::Draw), is_dead, "{class}");
        }
    }
    assert!(dead.values().filter(|&&dead| dead).count() > 40);
}

/// In the classes of up to four pieces (three if passing is free) that the rules consider drawn, the stronger side to
/// move wins less than 5 % of the positions; in the unclear ones, from 5 to 99 %.
#[test]
fn prospects_are_the_shares_of_won_positions() {
    for (pass, most) in [(Pass::Literal, 2), (Pass::Free, 1)] {
        let mut known = HashMap::new();
        for class in Class::all().into_iter().filter(|class| class.attackers() + class.guards() <= most) {
            let table = solved(class, pass, &mut known);
            let [stronger, _] = Summary::of(&table).sides;
            let share = stronger.won as f64 / stronger.all() as f64;
            let mut pos = any_position(class);
            pos.set_rules(&Rules { pass, ..Rules::default() });
            let agrees = match pos.prospect() {
                Prospect::Dead | Prospect::Drawn => share < 0.05,
                Prospect::Unclear => (0.05..0.99).contains(&share),
                Prospect::Open => share >= 0.99,
            };
            assert!(agrees, "{class} {pass:?}: {share}");
        }
    }
    // The result depends on the pass rule.
    let sfen = "5k3/C8/9/9/9/9/8P/5K3/9/9 b - 1";
    assert_eq!(position(sfen, Pass::Free).prospect(), Prospect::Drawn);
    assert_eq!(position(sfen, Pass::Literal).prospect(), Prospect::Unclear);
}
