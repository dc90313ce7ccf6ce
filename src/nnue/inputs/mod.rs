//! The input sets of the games.

pub mod janggi;
pub mod shogi;

#[cfg(test)]
mod tests {
    use super::{janggi, shogi};
    use crate::base::Color;
    use crate::game::Placement;
    use crate::shogi::square::SQUARES;

    #[test]
    fn rows_are_distinct_and_in_range() {
        for set in
            [&*shogi::OWN, &*shogi::HALFKP, &*shogi::KP, &*shogi::HALFKA, &*shogi::HALFKA_HM, &*janggi::OWN]
        {
            for perspective in Color::ALL {
                for bucket in 0..set.buckets as u8 {
                    let mut rows: Vec<usize> = (0..set.placements)
                        .filter_map(|p| set.row(perspective, bucket, Placement(p as u16)))
                        .collect();
                    assert!(rows.iter().all(|&row| row < set.rows), "set {}", set.id);
                    let all = rows.len();
                    rows.sort_unstable();
                    rows.dedup();
                    // The community's files do not tell promoted minor pieces from golds.
                    let same = match set.id {
                        1 | 4 => 0,
                        2 | 3 => 2 * 4 * SQUARES,
                        // Nor, where both are inputs, the kings of both sides.
                        _ => 2 * 4 * SQUARES + SQUARES,
                    };
                    assert_eq!(rows.len(), all - same, "set {}", set.id);
                }
            }
        }
    }
}
