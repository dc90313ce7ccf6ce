//! The input sets of the games.

pub mod janggi;
pub mod shogi;

#[cfg(test)]
mod tests {
    use super::{janggi, shogi};
    use sanban_rules::shogi::square::SQUARES;
    use sanban_rules::{Color, Placement};

    #[test]
    fn rows_are_distinct_and_in_range() {
        let halves = [&*shogi::HALFKA2, &*shogi::HALFKA_HM2, &*shogi::HALFKA1, &*shogi::HALFKA_HM1];
        let others = [&*shogi::OWN, &*shogi::HALFKP, &*shogi::HALFKP_VM, &*shogi::KP, &*janggi::OWN];
        for set in halves.into_iter().chain(others) {
            for perspective in Color::ALL {
                for bucket in 0..set.buckets as u8 {
                    let mut rows: Vec<usize> = (0..set.placements)
                        .filter_map(|p| set.row(perspective, bucket, Placement(p as u16)))
                        .collect();
                    assert!(rows.iter().all(|&row| row < set.rows), "set {}", set.id);
                    let all = rows.len();
                    rows.sort_unstable();
                    rows.dedup();
                    // Community files do not distinguish promoted minor pieces from golds.
                    let same = match set.id {
                        1 | 4 => 0,
                        // Two of the sets do not distinguish the kings of the two sides either.
                        5 | 6 => 2 * 4 * SQUARES + SQUARES,
                        _ => 2 * 4 * SQUARES,
                    };
                    assert_eq!(rows.len(), all - same, "set {}", set.id);
                }
            }
        }
    }
}
