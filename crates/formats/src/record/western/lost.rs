//! Restores rows of Western notation whose moves are missing, with or without their numbers.

use super::moves::{Style, Written, move_text};
use super::restore::{self, Dead, Mark, Slot};
use crate::record::board::Board;
use crate::record::judge::Judge;
use sanban_rules::Move;
use std::time::{Duration, Instant};

/// Maximum number of rows in a game to restore.
const MOST_ROWS: usize = 300;
/// Maximum number of rows in which one of two moves is missing. Either move may be missing, so all combinations are
/// tried.
const MOST_HALF: usize = 5;

/// A number and the moves after it.
#[derive(Clone, Debug)]
pub(in crate::record) struct Row<'a> {
    pub number: usize,
    pub words: Vec<&'a str>,
}

/// A row with all of its moves; restored moves have a mark.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::record) struct Whole {
    pub number: usize,
    pub words: Vec<(String, Option<Mark>)>,
}

impl Whole {
    /// Returns whether all moves of the row were missing.
    pub fn lost(&self) -> bool {
        self.words.iter().all(|(_, mark)| mark.is_some())
    }
}

/// The numbers with missing moves.
pub(in crate::record) fn numbers(rows: &[Row<'_>]) -> Vec<usize> {
    let per = per_row(rows);
    let last = rows.iter().map(|row| row.number).max().unwrap_or(0);
    let complete = |number: usize| {
        let row = rows.iter().find(|row| row.number == number);
        row.is_some_and(|row| row.words.len() >= per || number == last && !row.words.is_empty())
    };
    (1..=last.min(MOST_ROWS)).filter(|&number| !complete(number)).collect()
}

/// The numbers as text: `1, 3 to 5 and 9`.
pub(in crate::record) fn list(numbers: &[usize]) -> String {
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

/// Restores the missing moves of a game. Returns all rows, or the first rows if no completion of the whole game is
/// found.
pub(in crate::record) fn restore(
    board: &Board,
    rows: &[Row<'_>],
    judge: &mut dyn Judge,
    time: Duration,
) -> Option<Vec<Whole>> {
    let last = rows.iter().map(|row| row.number).max().filter(|&last| last <= MOST_ROWS)?;
    let per = per_row(rows);
    if board.made() > 0 || rows.iter().any(|row| row.number == 0 || row.words.len() > per) {
        return None;
    }
    let until = Instant::now() + time;
    let share = |share: f64| until.saturating_duration_since(Instant::now()).mul_f64(share);
    let mut dead = match restore_to(board, rows, last, judge, share(0.8)) {
        Ok(whole) => return Some(whole),
        Err(dead) => dead,
    };
    // Restore the rows up to the failure first, then the rest.
    let mut end = shorter(rows, (dead.made / per).min(last - 1))?;
    let mut done = loop {
        match restore_to(board, rows, end, judge, share(0.5)) {
            Ok(done) => break done,
            Err(again) => dead = again,
        }
        end = shorter(rows, (dead.made / per).min(end - 1))?;
    };
    let from = done.len();
    let known = |whole: &Whole| whole.words.iter().map(|(word, _)| word.clone()).collect::<Vec<_>>();
    let words: Vec<Vec<String>> = done.iter().map(known).collect();
    let first = words
        .iter()
        .enumerate()
        .map(|(index, words)| Row { number: index + 1, words: words.iter().map(String::as_str).collect() });
    let rest = rows.iter().filter(|row| row.number > from).cloned();
    let rows: Vec<Row<'_>> = first.chain(rest).collect();
    let mut end = last;
    while end > from {
        match restore_to(board, &rows, end, judge, share(0.5)) {
            Ok(whole) => {
                // Other choices in the rows above could have led to other moves here, so these are not certain.
                let rest = whole.into_iter().skip(from).map(|mut row| {
                    row.words.iter_mut().for_each(|(_, mark)| *mark = mark.map(|_| Mark::Free));
                    row
                });
                done.extend(rest);
                break;
            }
            Err(dead) => end = shorter(&rows, (dead.made / per).min(end - 1)).unwrap_or(0),
        }
    }
    Some(done)
}

/// The number of the last row up to `most` that has moves, if any. A gap at the end cannot be restored.
fn shorter(rows: &[Row<'_>], most: usize) -> Option<usize> {
    let known = rows.iter().filter(|row| row.number <= most && !row.words.is_empty());
    known.map(|row| row.number).max()
}

/// Restores the missing moves of the rows up to a number.
fn restore_to(
    board: &Board,
    rows: &[Row<'_>],
    last: usize,
    judge: &mut dyn Judge,
    time: Duration,
) -> Result<Vec<Whole>, Dead> {
    let per = per_row(rows);
    let mut dead = Dead { made: 0, proved: false };
    let words = |number: usize| -> &[&str] {
        rows.iter().find(|row| row.number == number).map_or(&[], |row| &row.words)
    };
    let half: Vec<usize> = (1..last).filter(|&number| words(number).len() == 1 && per == 2).collect();
    if half.len() > MOST_HALF {
        return Err(dead);
    }
    let until = Instant::now() + time;
    // If one of two moves is missing, it may be the first or the second.
    let ways = 1usize << half.len();
    let slots = |second: usize| -> Vec<Slot<'_>> {
        let of = |number: usize| {
            let words = words(number);
            let mut slots: Vec<Slot<'_>> = words.iter().map(|word| Slot::Known(word)).collect();
            if number < last {
                let first_lost = half.iter().position(|&known| known == number);
                if first_lost.is_some_and(|index| second >> index & 1 == 1) {
                    slots.insert(0, Slot::Lost);
                }
                slots.resize(per, Slot::Lost);
            }
            slots
        };
        (1..=last).flat_map(of).collect()
    };
    let share = |ways: usize| {
        let now = Instant::now();
        now + until.saturating_duration_since(now) / ways as u32
    };
    for second in 0..ways {
        let found = restore::restore(board, &slots(second), judge, share(ways - second));
        let mut moves = match found {
            Ok(moves) => moves,
            Err(other) => {
                dead.made = dead.made.max(other.made);
                continue;
            }
        };
        // Moves are certain only if all other combinations are proved impossible.
        let certain = moves.iter().any(|(_, mark)| mark.is_some_and(|mark| mark != Mark::Free));
        let others = (0..ways).filter(|&other| other != second);
        let mut dead = others.map(|other| restore::restore(board, &slots(other), &mut (), share(2)));
        if certain && !dead.all(|dead| dead.is_err_and(|dead| dead.proved)) {
            moves.iter_mut().for_each(|(_, mark)| *mark = mark.map(|_| Mark::Free));
        }
        return whole(board, &moves, &slots(second), per).ok_or(Dead { made: 0, proved: false });
    }
    Err(dead)
}

fn whole(
    board: &Board,
    moves: &[(Move, Option<Mark>)],
    slots: &[Slot<'_>],
    per: usize,
) -> Option<Vec<Whole>> {
    let mut board = board.clone();
    let mut out: Vec<Whole> = Vec::new();
    for (index, (&(mv, mark), slot)) in moves.iter().zip(slots).enumerate() {
        let text = match slot {
            Slot::Known(word) if reads(&board, word, mv) => (*word).to_string(),
            _ => move_text(&board, mv, Style::Apostrophe).ok()?,
        };
        board.play(mv).ok()?;
        if index.is_multiple_of(per) {
            out.push(Whole { number: index / per + 1, words: vec![] });
        }
        out.last_mut()?.words.push((text, mark));
    }
    Some(out)
}

/// Returns whether a word denotes this move and no other.
fn reads(board: &Board, word: &str, mv: Move) -> bool {
    let written = Written::parse(word, board.last().map(Move::to));
    written.is_some_and(|written| written.again || written.moves(board) == [mv])
}

/// The number of moves after each number: two or one.
fn per_row(rows: &[Row<'_>]) -> usize {
    if rows.iter().any(|row| row.words.len() > 1) { 2 } else { 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn restored(text: &str) -> Option<String> {
        let rows: Vec<Row<'_>> = text
            .split(", ")
            .map(|row| {
                let (number, words) = row.split_once('.').expect("a number");
                Row { number: number.parse().expect("a number"), words: words.split_whitespace().collect() }
            })
            .collect();
        // The time is sufficient on a busy machine.
        let time = Duration::from_secs(60);
        let rows = restore(&Board::from_start(None).expect("the start position"), &rows, &mut (), time)?;
        let word = |(word, mark): &(String, Option<Mark>)| match mark {
            Some(mark) => format!("{word}:{}", mark.word()),
            None => word.clone(),
        };
        let rows = rows.iter().filter(|row| row.words.iter().any(|word| word.1.is_some()));
        Some(
            rows.map(|row| {
                format!("{}.{} ", row.number, row.words.iter().map(word).collect::<Vec<_>>().join(" "))
            })
            .collect(),
        )
    }

    #[test]
    fn what_the_other_moves_need_is_found() {
        // The bishop can only capture if both pawns have moved.
        assert_eq!(restored("1.P7f, 2.Bx2b+ Sx2b, 3.B'4e").as_deref(), Some("1.P7f P3d:certain "));
        assert_eq!(restored("2.Bx2b+ Sx2b, 3.B'4e").as_deref(), Some("1.P7f:certain P3d:certain "));
        let free = restored("1.P7f P3d, 3.Bx2b+ Sx2b").expect("anything fits");
        assert_eq!(free.matches("free").count(), 2, "{free}");
        assert_eq!(restored("0.P7f P3d, 2.Bx2b+ Sx2b"), None, "no such number");
    }

    #[test]
    fn numbers_in_words() {
        assert_eq!(list(&[1, 3, 4, 5, 7, 8]), "1, 3 to 5 and 7, 8");
        assert_eq!(list(&[2]), "2");
    }
}
