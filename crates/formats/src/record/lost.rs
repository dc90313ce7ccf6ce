//! Moves of Western notation that are lost with their numbers, told from the moves that follow.
//!
//! Every legal move is tried in the place of a lost one. Where only one reading of the whole game is legal, that is
//! what was lost: the moves that follow need it.

use super::board::Board;
use super::repair;
use super::western_move::{Family, Written, move_text};
use sanban_rules::{Move, MoveList, shogi};

/// Most moves that are looked for at once: more can stand in more than one order.
const MOST_LOST: usize = 4;
/// Most rows of a game that is looked at.
const MOST_ROWS: usize = 300;
/// Most moves that are made on the board until one reading is known to be the only one.
const STEPS: usize = 400_000;

/// A number and the moves that stand behind it.
pub struct Row<'a> {
    pub number: usize,
    pub words: Vec<&'a str>,
}

/// A row that had lost moves, complete.
#[derive(Debug, PartialEq, Eq)]
pub struct Filled {
    pub number: usize,
    pub words: Vec<String>,
}

/// The numbers that are lost, or behind which a move is.
pub fn numbers(rows: &[Row<'_>]) -> Vec<usize> {
    let per = per_row(rows);
    let last = rows.last().map_or(0, |row| row.number);
    let complete = |number: usize| {
        let row = rows.iter().find(|row| row.number == number);
        row.is_some_and(|row| row.words.len() >= per || number == last)
    };
    (1..=last.min(MOST_ROWS)).filter(|&number| !complete(number)).collect()
}

/// `1, 3 to 5 and 9`.
pub fn list(numbers: &[usize]) -> String {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for &number in numbers {
        match runs.last_mut() {
            Some(run) if run.1 + 1 == number => run.1 = number,
            _ => runs.push((number, number)),
        }
    }
    let words: Vec<String> = runs
        .iter()
        .map(|&(first, last)| match last - first {
            0 => first.to_string(),
            1 => format!("{first}, {last}"),
            _ => format!("{first} to {last}"),
        })
        .collect();
    match words.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => words.concat(),
    }
}

/// Fills the gaps, if exactly one reading is legal.
pub fn fill(board: &Board, rows: &[Row<'_>]) -> Option<Vec<Filled>> {
    let lost = numbers(rows);
    let per = per_row(rows);
    let last = rows.last()?.number;
    if lost.is_empty() || last > MOST_ROWS || board.made() > 0 {
        return None;
    }
    let mut all = vec![Vec::new(); last];
    for row in rows {
        // Nothing can be told of a number 0, or of one that stands there twice.
        let known =
            row.number.checked_sub(1).and_then(|at| all.get_mut(at)).filter(|known| known.is_empty())?;
        known.clone_from(Some(&row.words).filter(|words| words.len() <= per)?);
    }
    let known: usize = all.iter().map(Vec::len).sum();
    if (last - 1) * per + all[last - 1].len() - known > MOST_LOST {
        return None;
    }
    let mut search = Search { rows: &all, per, board: board.clone(), path: vec![], only: None, steps: 0 };
    search.row(0).ok()?;
    search.filled(board, &lost)
}

/// Do two moves stand behind a number, or one?
fn per_row(rows: &[Row<'_>]) -> usize {
    if rows.iter().any(|row| row.words.len() > 1) { 2 } else { 1 }
}

/// There is more than one reading, or too much to try.
struct Unclear;

struct Search<'a> {
    rows: &'a [Vec<&'a str>],
    per: usize,
    board: Board,
    path: Vec<Move>,
    /// The reading found.
    only: Option<Vec<Move>>,
    steps: usize,
}

impl Search<'_> {
    fn row(&mut self, index: usize) -> Result<(), Unclear> {
        let Some(row) = self.rows.get(index) else { return self.end() };
        let complete = row.len() == self.per || index + 1 == self.rows.len();
        match row[..] {
            _ if complete => self.moves(index, &row.iter().copied().map(Some).collect::<Vec<_>>()),
            [word] => {
                self.moves(index, &[Some(word), None])?;
                self.moves(index, &[None, Some(word)])
            }
            _ => self.moves(index, &vec![None; self.per]),
        }
    }

    /// Tries the moves of a row, `None` standing for a lost one, and then the other rows.
    fn moves(&mut self, index: usize, words: &[Option<&str>]) -> Result<(), Unclear> {
        let Some((word, rest)) = words.split_first() else { return self.row(index + 1) };
        let moves = match word {
            Some(word) => meant(&self.board, word),
            None => legal(&self.board),
        };
        for mv in moves {
            self.steps += 1;
            if self.steps > STEPS {
                return Err(Unclear);
            }
            if self.board.play(mv).is_err() {
                continue;
            }
            self.path.push(mv);
            let result = self.moves(index, rest);
            self.path.pop();
            self.board.undo();
            result?;
        }
        Ok(())
    }

    /// All moves are made: a reading, if they are legal.
    fn end(&mut self) -> Result<(), Unclear> {
        let mut start = self.board.clone();
        while start.undo() {}
        let Ok(mut pos) = shogi::Position::from_sfen(&start.sfen()) else { return Err(Unclear) };
        for &mv in &self.path {
            if !pos.is_legal(mv) {
                return Ok(());
            }
            pos.make(mv, &mut ());
        }
        match self.only.replace(self.path.clone()) {
            Some(_) => Err(Unclear),
            None => Ok(()),
        }
    }

    fn filled(&self, start: &Board, lost: &[usize]) -> Option<Vec<Filled>> {
        let mut board = start.clone();
        let mut out = Vec::new();
        for (index, row) in self.only.as_ref()?.chunks(self.per).enumerate() {
            let mut words = Vec::new();
            for &mv in row {
                words.push(move_text(&board, mv, Family::Apostrophe).ok()?);
                board.play(mv).ok()?;
            }
            if lost.contains(&(index + 1)) {
                out.push(Filled { number: index + 1, words });
            }
        }
        Some(out)
    }
}

/// The moves that a word can mean, with the characters that a scan takes for others where it means none as it stands.
fn meant(board: &Board, word: &str) -> Vec<Move> {
    let exact =
        Written::parse(word, board.last().map(Move::to)).map_or(vec![], |written| written.moves(board));
    if exact.is_empty() { repair::look_alike(board, word) } else { exact }
}

fn legal(board: &Board) -> Vec<Move> {
    let mut list = MoveList::new();
    if let Ok(pos) = shogi::Position::from_sfen(&board.sfen()) {
        pos.legal(&mut list);
    }
    list.to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(text: &str) -> Option<String> {
        let rows: Vec<Row<'_>> = text
            .split(", ")
            .map(|row| {
                let (number, words) = row.split_once('.').expect("a number");
                Row { number: number.parse().expect("a number"), words: words.split_whitespace().collect() }
            })
            .collect();
        let rows = fill(&Board::from_start(None).expect("the start"), &rows)?;
        Some(rows.iter().map(|row| format!("{}.{} ", row.number, row.words.join(" "))).collect())
    }

    #[test]
    fn what_the_other_moves_need_is_found() {
        // Only with both pawns out of the way can the bishop take.
        assert_eq!(filled("1.P7f, 2.Bx2b+ Sx2b, 3.B'4e").as_deref(), Some("1.P7f P3d "));
        assert_eq!(filled("2.Bx2b+ Sx2b, 3.B'4e").as_deref(), Some("1.P7f P3d "));
        assert_eq!(filled("1.P7f P3d, 2.Bx2b+ Sx2b"), None, "nothing is lost");
        assert_eq!(filled("1.P7f P3d, 3.Bx2b+ Sx2b"), None, "anything fits");
        assert_eq!(filled("3.Bx2b+ Sx2b, 4.B'4e"), None, "more than one order");
        assert_eq!(filled("0.P7f P3d, 2.Bx2b+ Sx2b"), None, "no such number");
    }

    #[test]
    fn numbers_in_words() {
        assert_eq!(list(&[1, 3, 4, 5, 7, 8]), "1, 3 to 5 and 7, 8");
        assert_eq!(list(&[2]), "2");
    }
}
