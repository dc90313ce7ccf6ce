//! Opening books: the text format `YANEURAOU-DB2016` that most USI programs share.
//!
//! ```text
//! #YANEURAOU-DB2016 1.00
//! sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1
//! 7g7f 3c3d 40 32 1
//! 2g2f none 38 32
//! ```
//!
//! A move line has the move, the expected reply or `none`, and optionally its value in centipawns for the side to
//! move, the depth it was searched to and how often it was played; some programs write `none` for a value they do not
//! know, and `none` or `resign` for the move. Lines that begin with `#` or `//` are comments, in whatever encoding.

use crate::base::score::{DECISIVE, MATE};
use crate::base::{Move, Score};
use crate::game::{Game, Position};
use std::collections::HashMap;
use std::io::BufRead;

/// One move of a book position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The move, legal in its position.
    pub mv: Move,
    /// The expected reply, legal after it.
    pub reply: Option<Move>,
    /// Value for the side to move in centipawns; 0 when the book does not say.
    pub score: Score,
    /// Depth in plies of the search behind the value.
    pub depth: u32,
}

/// A book in memory, by position (whatever its move count).
#[derive(Clone, Debug, Default)]
pub struct Book {
    positions: HashMap<u64, Vec<Entry>>,
}

impl Book {
    /// Reads a book by these rules. An error names the line; moves that are illegal in their position are an error
    /// too, as they are the sign of a book for another game.
    pub fn read<G: Game>(
        input: impl BufRead,
        rules: &<G::Position as Position>::Rules,
    ) -> Result<Self, String> {
        let mut book = Self::default();
        let mut current: Option<G::Position> = None;
        for (number, line) in input.split(b'\n').enumerate() {
            let number = number + 1;
            let line = line.map_err(|e| format!("line {number}: {e}"))?;
            let line = String::from_utf8_lossy(&line);
            let line = line.trim().trim_start_matches('\u{feff}');
            if line.is_empty() || line.starts_with('#') || line.starts_with("//") {
                continue;
            }
            if let Some(sfen) = line.strip_prefix("sfen ") {
                let mut pos = G::parse(sfen).map_err(|e| format!("line {number}: {e}"))?;
                pos.set_rules(rules);
                current = Some(pos);
                continue;
            }
            let Some(pos) = &mut current else {
                return Err(format!("line {number}: a move before the first `sfen` line"));
            };
            if let Some(entry) = entry(pos, line).map_err(|e| format!("line {number}: {e}"))? {
                book.positions.entry(pos.key()).or_default().push(entry);
            }
        }
        Ok(book)
    }

    /// Number of positions.
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Is there no position at all?
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// The best move for a position: the highest value, then the greatest depth, then the first in the book. It is
    /// legal even if another position shares the key.
    pub fn best<P: Position>(&self, pos: &P) -> Option<Entry> {
        let entries = self.positions.get(&pos.key())?.iter().filter(|entry| pos.is_legal(entry.mv));
        // `max_by_key` takes the last of equals: from the back that is the first.
        entries.rev().max_by_key(|entry| (entry.score, entry.depth)).copied()
    }
}

/// What a move line says; nothing where it names no move.
fn entry<P: Position>(pos: &mut P, line: &str) -> Result<Option<Entry>, String> {
    let mut fields = line.split_ascii_whitespace();
    let text = fields.next().unwrap_or_default();
    if ["none", "resign"].contains(&text) {
        return Ok(None);
    }
    let mv = pos.parse_usi(text).ok_or_else(|| format!("illegal move {}", text.escape_debug()))?;
    pos.make(mv, &mut ());
    // A wrong reply does no harm: it is only left out.
    let reply = fields.next().and_then(|text| pos.parse_usi(text));
    pos.unmake();
    let mut number = |what: &str| match fields.next() {
        None | Some("none") => Ok(0),
        Some(text) => {
            text.parse::<i32>().map_err(|_| format!("{what} is not a number: {}", text.escape_debug()))
        }
    };
    // What is no mate's score either is no more than a certain win.
    let score = number("the value")?;
    let score = if (-MATE..=MATE).contains(&score) { score } else { score.clamp(-DECISIVE, DECISIVE) };
    let depth = u32::try_from(number("the depth")?.max(0)).unwrap_or(0);
    Ok(Some(Entry { mv, reply, score, depth }))
}
