//! Summary of a table.

use super::captures::color;
use super::layout::Layout;
use super::table::{BROKEN, DRAW, Table};
use sanban_rules::janggi::Kind;
use sanban_rules::janggi::square::rank_for;

/// The rank on which soldiers start, counted from 0 at the far edge.
const SOLDIERS_START: usize = 6;

/// Numbers of positions with one side to move. Mirror images count as two. Positions with a soldier behind its starting
/// rank, which no game reaches, are excluded.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Positions that the side to move wins.
    pub won: u64,
    /// Positions that the side to move loses.
    pub lost: u64,
    /// Positions that neither side wins.
    pub drawn: u64,
    /// Positions in which the side to move is mated.
    pub mated: u64,
    /// The longest win or loss in plies; 0 if there is none, or if the side to move is already mated in all of them.
    pub longest: u8,
    /// The number of the first position with this length.
    pub example: Option<usize>,
}

impl Counts {
    /// All positions.
    pub fn all(&self) -> u64 {
        self.won + self.lost + self.drawn
    }
}

/// Summary of a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Summary {
    /// The counts with the stronger side to move, then with the weaker side to move.
    pub sides: [Counts; 2],
}

impl Summary {
    /// Summarises a table.
    pub fn of(table: &Table) -> Self {
        let (layout, mut out) = (table.layout(), Self::default());
        let spots = layout.spots().len();
        let behind: Vec<bool> = layout.spots().iter().map(|spot| is_behind(layout, spot)).collect();
        for (row, values) in table.values().chunks(spots).enumerate() {
            let counts = &mut out.sides[row % 2];
            let weight = if layout.blocks()[row / 2].symmetric { 1 } else { 2 };
            for (spot, &value) in values.iter().enumerate() {
                match value {
                    _ if behind[spot] => continue,
                    BROKEN => continue,
                    DRAW => counts.drawn += weight,
                    plies if plies % 2 == 1 => counts.won += weight,
                    _ => counts.lost += weight,
                }
                counts.mated += if value == 0 { weight } else { 0 };
                if value != DRAW && (counts.example.is_none() || value > counts.longest) {
                    counts.longest = value;
                    counts.example = Some(row * spots + spot);
                }
            }
        }
        out
    }
}

/// Returns whether a soldier is on a square that it cannot reach in a game.
fn is_behind(layout: &Layout, squares: &[u8]) -> bool {
    layout.slots().iter().zip(squares).any(|(&(side, kind), &sq)| {
        kind == Kind::Soldier && rank_for(color(side), sq.into()) > SOLDIERS_START
    })
}
