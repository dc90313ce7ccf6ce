//! Tables of solved Dobutsu shogi with wrong values but a correct checksum: they may only lead to bad play.

use super::bytes::{changed, changes};
use super::check;
use super::sfens::walk_on;
use crate::scratch::Scratch;
use proptest::prelude::*;
use sanban::Oracle;
use sanban::engine::solved::dobutsu::index::SLOTS;
use sanban::engine::solved::dobutsu::table::{HEADER, Table};
use sanban::engine::solved::dobutsu::{Solution, table};
use sanban::rules::{Dobutsu, Rng};
use std::fs::{File, OpenOptions};
use std::io::Write;

#[test]
fn values_without_sense_do_no_harm() {
    let dir = Scratch::new();
    let path = dir.file("table");
    check(file!(), 1, (any::<u64>(), 0u8..4), |(seed, kind)| {
        // Random values, small values, only odd values, or only even values.
        let mut rng = Rng::new(seed);
        let byte = |random: u8| match kind {
            0 => random,
            1 => random % 8,
            2 => random | 1,
            _ => random & !1,
        };
        let values: Vec<u8> =
            (0..SLOTS.div_ceil(8)).flat_map(|_| rng.next().to_le_bytes()).take(SLOTS).map(byte).collect();
        let mut file = File::create(&path).expect("a file");
        table::write(&mut file, false, &values).expect("a writable file");
        let solution = Solution::<false>::open(path.as_ref()).expect("a table");
        for n in 0..500 {
            let (mut pos, _) = walk_on::<Dobutsu>(seed + n, 30);
            if let Some((_, line)) = solution.solution(&pos) {
                prop_assert!(line.len() <= 200);
                for mv in line {
                    prop_assert!(pos.is_legal(mv), "{}", pos.sfen());
                    pos.make(mv, &mut ());
                }
            }
        }
        Ok(())
    });
}

#[test]
fn headers_are_read_or_refused() {
    let dir = Scratch::new();
    let path = dir.file("table");
    let mut header = Vec::new();
    table::write(&mut header, false, &[]).expect("written to memory");
    header[16..24].copy_from_slice(&(SLOTS as u64).to_le_bytes());
    let size = prop::sample::select(vec![0, 31, (HEADER + SLOTS) as u64 - 1, (HEADER + SLOTS) as u64 + 1]);
    check(file!(), 200, (size, changes(), any::<bool>()), |(size, changes, mate)| {
        let mut file =
            OpenOptions::new().create(true).write(true).truncate(true).open(&path).expect("a file");
        file.write_all(&changed(header.clone(), &changes)).and_then(|()| file.set_len(size)).expect("a file");
        let error = Table::load(path.as_ref(), mate).map(drop).expect_err("not a complete table").to_string();
        prop_assert!(error.contains(&path), "{}", error);
        Ok(())
    });
}
