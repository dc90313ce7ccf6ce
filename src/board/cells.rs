//! The squares and hands of an SFEN, as text.

use std::collections::BTreeMap;

/// The pieces on the board and in hand. Squares are named as in USI (`7g`), pieces as in SFEN (`P`, `+p`).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Cells {
    /// Number of files.
    pub files: usize,
    /// Number of ranks.
    pub ranks: usize,
    /// The piece on each square that is not empty.
    pub board: BTreeMap<String, String>,
    /// Black's and white's hand: the number of pieces for each upper-case letter.
    pub hands: [BTreeMap<char, usize>; 2],
}

impl Cells {
    /// Parses an SFEN that a position has written.
    pub fn read(sfen: &str) -> Self {
        let mut words = sfen.split(' ');
        let board = words.next().unwrap_or_default();
        let mut cells = Self { ranks: board.split('/').count(), ..Self::default() };
        cells.files = board.split('/').next().map_or(0, |row| Row::new(row).map(|(gap, _)| gap).sum());
        for (row, rank) in board.split('/').zip('a'..) {
            let mut file = cells.files;
            for (width, piece) in Row::new(row) {
                if !piece.is_empty() {
                    cells.board.insert(format!("{file}{rank}"), piece.to_string());
                }
                file = file.saturating_sub(width);
            }
        }
        let mut count = 0;
        for c in words.nth(1).unwrap_or_default().chars() {
            match c.to_digit(10) {
                Some(digit) => count = 10 * count + digit as usize,
                None if c.is_ascii_alphabetic() => {
                    let hand = &mut cells.hands[usize::from(c.is_ascii_lowercase())];
                    *hand.entry(c.to_ascii_uppercase()).or_default() += count.max(1);
                    count = 0;
                }
                None => {}
            }
        }
        cells
    }
}

/// Iterates over a row of an SFEN: a number of squares, and the piece if it is a single occupied square.
struct Row<'a>(&'a str);

impl<'a> Row<'a> {
    fn new(row: &'a str) -> Self {
        Self(row)
    }
}

impl<'a> Iterator for Row<'a> {
    type Item = (usize, &'a str);

    fn next(&mut self) -> Option<Self::Item> {
        let first = self.0.chars().next()?;
        let length = if first == '+' { 2.min(self.0.len()) } else { 1 };
        let (part, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(match first.to_digit(10) {
            Some(gap) => (gap as usize, ""),
            None => (1, part),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_and_hands_are_read() {
        let cells =
            Cells::read("l3k2G1/1+B4gPl/n2+Nppsp1/pP1R4p/5+l3/PRP1P3P/2NP1PP2/4KS3/7NL w Sgs4p12P 10");
        assert_eq!((cells.files, cells.ranks), (9, 9));
        let piece = |square: &str| cells.board.get(square).map(String::as_str);
        assert_eq!(
            [piece("9a"), piece("8b"), piece("7g"), piece("5e")],
            [Some("l"), Some("+B"), Some("N"), None]
        );
        assert_eq!(piece("4e"), Some("+l"));
        assert_eq!((cells.hands[0].get(&'S'), cells.hands[0].get(&'P')), (Some(&1), Some(&12)));
        assert_eq!((cells.hands[1].get(&'P'), cells.hands[1].get(&'G')), (Some(&4), Some(&1)));
        let small = Cells::read(sanban_rules::dobutsu::START);
        assert_eq!((small.files, small.ranks, small.board.len()), (3, 4, 8));
        assert_eq!(small.board.get("2d").map(String::as_str), Some("L"));
    }
}
