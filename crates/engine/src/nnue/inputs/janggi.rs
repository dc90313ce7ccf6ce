//! Inputs of Janggi networks.

use crate::nnue::features::Features;
use once_cell::sync::Lazy;
use sanban_rules::Color;
use sanban_rules::janggi::Kind;
use sanban_rules::janggi::piece::PLACEMENTS;
use sanban_rules::janggi::square::{FILES, RANKS, SQUARES};

/// 1260 inputs per perspective: every piece on every square, own and enemy pieces separately. White sees the board from
/// the other side, and a side whose general is on its left (files 6 and above as it sees them) sees the board mirrored.
pub static OWN: Lazy<Features> = Lazy::new(|| Features {
    id: 4,
    rows: PLACEMENTS,
    buckets: 2,
    placements: PLACEMENTS,
    stride: 0,
    views: 2,
    table: table(),
    kings: kings(),
    full: None,
});

/// Color, kind and square of a placement.
fn what(placement: usize) -> (Color, Kind, usize) {
    let (piece, sq) = (placement / SQUARES, placement % SQUARES);
    (Color::from_index(piece / Kind::COUNT), Kind::ALL[piece % Kind::COUNT], sq)
}

/// The square as a perspective sees it.
fn seen(perspective: Color, sq: usize) -> usize {
    if perspective == Color::Black { sq } else { SQUARES - 1 - sq }
}

fn table() -> Vec<u16> {
    let mut out = Vec::with_capacity(4 * PLACEMENTS);
    for perspective in Color::ALL {
        for mirror in [false, true] {
            out.extend((0..PLACEMENTS).map(|placement| {
                let (color, kind, sq) = what(placement);
                let sq = seen(perspective, sq);
                let sq = if mirror { (FILES - 1 - sq / RANKS) * RANKS + sq % RANKS } else { sq };
                let enemy = usize::from(color != perspective);
                ((enemy * Kind::COUNT + kind.index()) * SQUARES + sq) as u16
            }));
        }
    }
    out
}

fn kings() -> Vec<Option<(Color, u8)>> {
    let general = |placement| match what(placement) {
        (color, Kind::General, sq) => Some((color, u8::from(seen(color, sq) / RANKS > FILES / 2))),
        _ => None,
    };
    (0..PLACEMENTS).map(general).collect()
}
