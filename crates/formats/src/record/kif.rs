//! Reading of the formats of Kakinoki's programs: KIF, KI2 and diagrams (BOD), which share headers, comments and
//! variations.

use super::bod::Diagram;
use super::end::End;
use super::error::{Line, RecordError, lines};
use super::line::Walk;
use super::names;
use super::spoken::Spoken;
use super::tree::{Headers, Record};
use std::time::Duration;

/// Headers that begin another game of the same text, once one is over.
const FIRST: [&str; 8] = ["手合割", "開始日時", "先手", "後手", "棋戦", "下手", "後手の持駒", "上手の持駒"];

pub(super) fn read(text: &str) -> Result<Vec<Record>, RecordError> {
    let mut out = Vec::new();
    let mut reader = Reader::default();
    for line in lines(text) {
        if reader.begins_another(&line) {
            out.push(std::mem::take(&mut reader).finish(&line)?);
        }
        reader.line(&line)?;
    }
    let last = Line { number: text.matches('\n').count() + 1, text: "" };
    out.push(reader.finish(&last)?);
    Ok(out)
}

#[derive(Default)]
struct Reader {
    headers: Headers,
    diagram: Diagram,
    comment: Option<String>,
    bookmark: String,
    /// From the first move on.
    walk: Option<Walk>,
    /// The number that the first move bears.
    first_number: Option<usize>,
    /// A line has said how the game ended.
    over: bool,
}

impl Reader {
    /// Is this the first line of another game?
    fn begins_another(&self, line: &Line<'_>) -> bool {
        let over = self.over || self.walk.as_ref().is_some_and(Walk::ended);
        over && split_header(line.text).is_some_and(|(name, _)| FIRST.contains(&name))
    }

    fn line(&mut self, line: &Line<'_>) -> Result<(), RecordError> {
        let text = line.text.trim_end_matches([' ', '　', '\t', '\u{1a}']);
        let start = text.trim_start_matches([' ', '　', '\t', '\u{feff}']);
        let Some(first) = start.chars().next() else { return Ok(()) };
        match first {
            '#' => Ok(()),
            // Spaces at the end of a comment are its own.
            '*' => self.comment(line.text.trim_start_matches([' ', '　', '\t', '\u{feff}']).get(1..)),
            '&' => self.bookmark(start[1..].trim()),
            '0'..='9' => self.numbered(line, start),
            _ if names::from_mark(first).is_some() => self.marked(line, start),
            'ま' if start.starts_with("まで") => self.summary(line, start),
            '変' if start.starts_with("変化") => self.variation(line, start),
            _ => self.head(line, start),
        }
    }

    /// Everything that may stand before the first move.
    fn head(&mut self, line: &Line<'_>, text: &str) -> Result<(), RecordError> {
        if self.walk.is_none() && self.diagram.line(line, text)? {
            return Ok(());
        }
        let Some((name, value)) = split_header(text) else { return Ok(()) };
        let name = match name {
            "下手" => Headers::BLACK,
            "上手" => Headers::WHITE,
            other => other,
        };
        self.headers.set(name, value);
        Ok(())
    }

    fn comment(&mut self, text: Option<&str>) -> Result<(), RecordError> {
        let text = text.unwrap_or_default();
        match &mut self.walk {
            Some(walk) => walk.record.tree.add_comment(walk.node, text),
            None => {
                let comment = self.comment.get_or_insert_default();
                if !comment.is_empty() {
                    comment.push('\n');
                }
                comment.push_str(text);
            }
        }
        Ok(())
    }

    fn bookmark(&mut self, name: &str) -> Result<(), RecordError> {
        match &mut self.walk {
            Some(walk) => walk.record.tree.set_bookmark(walk.node, name),
            None => name.clone_into(&mut self.bookmark),
        }
        Ok(())
    }

    /// Where the record stands, from the first move on.
    fn walk(&mut self, line: &Line<'_>) -> Result<&mut Walk, RecordError> {
        if self.walk.is_none() {
            let mut walk = Walk::new(self.diagram.board(line)?);
            let root = walk.record.tree.root();
            walk.record.tree.set_comment(root, self.comment.take().unwrap_or_default());
            walk.record.tree.set_bookmark(root, &self.bookmark);
            self.walk = Some(walk);
        }
        self.walk.as_mut().ok_or_else(|| line.error(0, "expected a move"))
    }

    /// The square that `同` stands for.
    fn last(&self) -> Option<usize> {
        let made = self.walk.as_ref().and_then(|walk| walk.board.last()).map(|mv| mv.to());
        made.or(self.diagram.last)
    }

    /// A move with its number, as in KIF.
    fn numbered(&mut self, line: &Line<'_>, text: &str) -> Result<(), RecordError> {
        let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let rest = text[digits..].trim_start_matches([' ', '　', '\t']);
        let number: usize = match text[..digits].parse() {
            // Something else that begins with a number.
            Ok(_) if rest.len() == text.len() - digits && !rest.starts_with('同') => return Ok(()),
            Ok(number) if rest.is_empty() || number == 0 => {
                return Err(line.error_at(rest, format!("expected a move after its number {number}")));
            }
            Ok(number) => number,
            Err(_) => return Err(line.error_at(text, "expected the number of a move")),
        };
        let base = *self.first_number.get_or_insert(number);
        let last = self.last();
        let walk = self.walk(line)?;
        let made = walk.board.made();
        let wanted = number.checked_sub(base).filter(|&wanted| wanted <= made);
        let wanted = wanted
            .ok_or_else(|| line.error_at(text, format!("expected move {}, found {number}", made + base)))?;
        let rest = rest.trim_start_matches(|c| names::from_mark(c).is_some());
        // A number that was there already: a misprint, if the move goes on from here, else a variation.
        let goes_on = || {
            let spoken = Spoken::parse(rest, last).ok();
            spoken
                .and_then(|(spoken, _)| spoken.resolve(&walk.board).ok())
                .is_some_and(|mv| walk.board.mover(mv).is_ok())
        };
        let last = if wanted < made && !goes_on() {
            walk.back_to(wanted);
            walk.board.last().map(|mv| mv.to())
        } else {
            last
        };
        let first = rest.chars().next();
        if first.is_some_and(|c| c == '同' || names::digit(c).is_some()) {
            let (spoken, after) =
                Spoken::parse(rest, last).map_err(|(at, problem)| line.error_at(at, problem))?;
            let mv = spoken.resolve(&walk.board).map_err(|problem| line.error_at(rest, problem))?;
            walk.play(mv, line, rest)?;
            let time = time(after);
            walk.record.tree.set_time(walk.node, time);
            return Ok(());
        }
        let word_end = rest.find([' ', '　', '\t', '(', '+']).unwrap_or(rest.len());
        let (word, after) = rest.split_at(word_end);
        walk.end(End::from_kif(word), line)?;
        walk.record.tree.set_time(walk.node, time(after));
        Ok(())
    }

    /// Moves after their marks, as in KI2.
    fn marked(&mut self, line: &Line<'_>, text: &str) -> Result<(), RecordError> {
        let mut rest = text;
        loop {
            rest = rest.trim_start_matches([' ', '　', '\t']);
            let mut chars = rest.chars();
            let Some(first) = chars.next() else { return Ok(()) };
            if names::from_mark(first).is_none() {
                // Remarks behind the moves.
                return Ok(());
            }
            let here = chars.as_str().trim_start_matches([' ', '　']);
            let last = self.last();
            let walk = self.walk(line)?;
            let word = here.split([' ', '　', '\t']).next().unwrap_or_default();
            if End::is_kif(word) {
                walk.end(End::from_kif(word), line)?;
                return Ok(());
            }
            let (spoken, after) =
                Spoken::parse(here, last).map_err(|(at, problem)| line.error_at(at, problem))?;
            let mv = spoken.resolve(&walk.board).map_err(|problem| line.error_at(here, problem))?;
            walk.play(mv, line, here)?;
            rest = after;
        }
    }

    /// `まで77手で先手の勝ち`.
    fn summary(&mut self, line: &Line<'_>, text: &str) -> Result<(), RecordError> {
        let walk = self.walk(line)?;
        if !walk.ended()
            && let Some(end) = End::from_summary(&text["まで".len()..], walk.side())
        {
            walk.end(end, line)?;
        }
        self.over = true;
        Ok(())
    }

    /// `変化：12手`.
    fn variation(&mut self, line: &Line<'_>, text: &str) -> Result<(), RecordError> {
        // Some programs leave one in the header.
        let Some(walk) = &mut self.walk else { return Ok(()) };
        let rest = text["変化".len()..].trim_start_matches(['：', ':', ' ', '　']);
        let digits: String = rest.chars().map_while(ascii_digit).collect();
        let number: usize =
            digits.parse().map_err(|_| line.error_at(rest, "expected the number of a move after 変化"))?;
        let back = number.checked_sub(self.first_number.unwrap_or(1));
        let back = back.filter(|&back| back <= walk.board.made() && walk.back_to(back));
        if back.is_none() {
            let most = walk.board.made() + self.first_number.unwrap_or(1);
            return Err(line.error_at(rest, format!("expected a variation at move {most} or before")));
        }
        self.over = false;
        Ok(())
    }

    fn finish(mut self, line: &Line<'_>) -> Result<Record, RecordError> {
        let nothing = self.walk.is_none() && !self.diagram.told() && self.headers.iter().next().is_none();
        if nothing && self.comment.is_none() {
            return Err(line.error(0, "expected moves, a diagram or headers"));
        }
        let headers = std::mem::take(&mut self.headers);
        self.walk(line)?;
        let mut record = self.walk.map(|walk| walk.record).unwrap_or_default();
        record.headers = headers;
        Ok(record)
    }
}

/// ASCII or wide digit as ASCII.
fn ascii_digit(c: char) -> Option<char> {
    match c {
        '0'..='9' => Some(c),
        '０'..='９' => char::from_digit(c as u32 - '０' as u32, 10),
        _ => None,
    }
}

/// Name and value of a header.
fn split_header(text: &str) -> Option<(&str, &str)> {
    let wide = text.split_once('：');
    // An ASCII colon only behind a Japanese name.
    let narrow = || text.split_once(':').filter(|(name, _)| !name.is_ascii());
    let (name, value) = wide.or_else(narrow)?;
    let name = name.trim_matches([' ', '　', '\t', '\u{feff}']);
    (!name.is_empty() && name.chars().count() <= 40).then(|| (name, value.trim_matches([' ', '\t'])))
}

/// The time of the move alone in `( 0:16/00:00:16)`: minutes or hours before, seconds with or without a fraction.
fn time(text: &str) -> Option<Duration> {
    let inside = &text[text.find('(')? + 1..];
    let end = inside.find(['/', ')']).unwrap_or(inside.len());
    let (mut seconds, mut fields) = (0.0, 0);
    for field in inside[..end].split(':') {
        let value: f64 = field.trim().parse().ok()?;
        seconds = seconds * 60.0 + value;
        fields += 1;
    }
    (fields >= 2 && (0.0..4e6).contains(&seconds))
        .then(|| Duration::from_millis((seconds * 1000.0).round() as u64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_of_every_kind() {
        let ms = |text| time(text).map(|t| t.as_millis());
        assert_eq!(ms("   ( 0:16/00:00:16)"), Some(16_000));
        assert_eq!(ms("(12:05/)"), Some(725_000));
        assert_eq!(ms("( 1:02:03 / 01:02:03)"), Some(3_723_000));
        assert_eq!(ms("( 0:01.250/00:00:01)"), Some(1250));
        assert_eq!(ms("(x:y/)"), None);
        assert_eq!(ms(""), None);
    }

    #[test]
    fn headers_have_colons() {
        assert_eq!(split_header("先手：羽生 "), Some(("先手", "羽生")));
        assert_eq!(split_header("先手:羽生"), Some(("先手", "羽生")));
        assert_eq!(split_header("http://example.org"), None);
    }

    #[test]
    fn a_diagram_with_holes_has_a_place() {
        let text = "後手の持駒：なし\n| ・ ・ ・|一\n";
        let error = read(text).expect_err("three squares are no row");
        assert_eq!((error.line, error.column), (2, 1));
        assert!(error.problem.contains("found 3"));
        let error = read("先手の持駒：飛三\n").expect_err("three rooks");
        assert!(error.problem.contains("more of 飛"));
        let error = read("先手の持駒：飛A\n").expect_err("no piece");
        assert_eq!((error.line, error.column), (1, 8));
    }
}
