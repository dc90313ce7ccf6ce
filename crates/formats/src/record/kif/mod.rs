//! Reader for the formats of Kakinoki's programs: KIF, KI2 and diagrams (BOD), which share headers, comments and
//! variations.

pub(in crate::record) mod bod;
pub(in crate::record) mod info;
mod numbers;
pub(in crate::record) mod parts;
pub(in crate::record) mod spoken;
pub(in crate::record) mod write;

use crate::record::board::Board;
use crate::record::end::End;
use crate::record::error::RecordError;
use crate::record::games::{Games, ReadLine};
use crate::record::line::Walk;
use crate::record::names;
use crate::record::source::{Line, Source, clip, is_blank, trim, trim_start};
use crate::record::summary::Summary;
use crate::record::tree::{Headers, Record, Tree};
use bod::Diagram;
use numbers::Skipped;
use parts::Part;
use sanban_rules::Color;
use spoken::{Spoken, is_caption, is_unmarked};
use std::time::Duration;

/// Headers that begin another game when they follow moves.
const FIRST: [&str; 9] =
    ["手合割", "開始日時", "先手", "後手", "棋戦", "下手", "上手", "後手の持駒", "上手の持駒"];

/// The name in [`Headers`] for the name of a header; in handicap games, the headers of the players have different
/// names.
fn player_of(name: &str) -> &str {
    match name {
        "下手" => Headers::BLACK,
        "上手" => Headers::WHITE,
        other => other,
    }
}

/// Reads one or more games. An error rejects only the game in which it occurs.
pub(in crate::record) fn read(source: &mut Source<'_>) -> Vec<Result<Record, RecordError>> {
    let mut games = Games::<Game>::default();
    for line in source.lines() {
        if games.game.ends_before(&line) {
            games.split(&line, source);
        }
        games.line(&line, source);
    }
    games.finish(source)
}

/// Maximum difference between a total and the sum of the rounded times.
const ROUNDING: Duration = Duration::from_secs(60);

#[derive(Default)]
struct Game {
    headers: Headers,
    diagram: Diagram,
    comment: Option<String>,
    bookmark: String,
    /// Whether the line above the moves has been read; headers cannot follow it.
    listed: bool,
    /// The board and the tree, created at the first move.
    walk: Option<Walk>,
    /// The number of the first move.
    first_number: Option<usize>,
    /// Numbers that were left out.
    skipped: Skipped,
    /// The sum of the times of each side; `None` if it is unknown or differs from a total.
    used: Option<[Duration; 2]>,
    /// Whether a line has stated the end of the game.
    over: bool,
    /// Whether this line was a summary such as `まで77手で先手の勝ち`; marked moves after it belong to another game.
    closed: bool,
    /// Whether this is a variation.
    varies: bool,
    /// Whether this is a variation that follows no move of the game or has an impossible move, and is left out from there.
    astray: bool,
    /// Whether the last line was blank.
    blank: bool,
    /// Whether a wrong mark before a move has been reported; only the first one is reported.
    turned: bool,
    /// The error for which the game is rejected, if any. The rest of the game is skipped.
    failed: Option<RecordError>,
}

impl ReadLine for Game {
    fn begun(&self) -> bool {
        self.listed || self.has_content()
    }

    fn failed(&mut self) -> &mut Option<RecordError> {
        &mut self.failed
    }

    fn line(&mut self, line: &Line<'_>, source: &mut Source<'_>) -> Result<(), RecordError> {
        match self.any_line(line, source) {
            Err(error) if self.varies => {
                self.astray = true;
                source.fail(error);
                Ok(())
            }
            read => read,
        }
    }

    fn finish(mut self, line: &Line<'_>, source: &mut Source<'_>) -> Result<Record, RecordError> {
        if let Some(error) = self.failed.take() {
            return Err(error);
        }
        if !(self.has_content() || self.listed && self.diagram.is_named()) {
            return Err(line.error(0, "expected moves, a diagram or headers"));
        }
        self.walk(line)?;
        let headers = std::mem::take(&mut self.headers);
        let mut record = self.walk.map(|walk| walk.finish(source)).unwrap_or_default();
        record.headers = headers;
        Ok(record)
    }
}

impl Game {
    /// Returns whether anything except the line above the moves has been read.
    fn has_content(&self) -> bool {
        self.walk.is_some()
            || self.diagram.told()
            || self.headers.iter().next().is_some()
            || self.comment.is_some()
            || !self.bookmark.is_empty()
    }

    /// Returns whether moves, or the line `手数----指手` above them, have been read.
    fn has_moves(&self) -> bool {
        self.listed || self.walk.is_some() || self.over || self.failed.is_some()
    }

    /// Returns whether this line begins another game.
    fn ends_before(&self, line: &Line<'_>) -> bool {
        if !self.begun() {
            return false;
        }
        let text = trim_start(line.text);
        match text.as_bytes().first() {
            Some(b'#') => {
                let signature = ["#KIF", "#KI2"].iter().any(|word| text.starts_with(word));
                signature || self.has_moves() && parts::is_signature(text)
            }
            Some(b'0'..=b'9') => !self.astray && self.counts_anew(text),
            // Japanese characters take three bytes in UTF-8, the first of which is 0xE0 or more.
            Some(0xE0..) => {
                let rule = parts::is_rule(text);
                let header = || parts::header(text).is_some_and(|(name, ..)| FIRST.contains(&name));
                if self.over && self.starts_anew(text) {
                    return true;
                }
                rule && (self.listed || self.walk.is_some())
                    || !rule && self.has_moves() && header()
                    || !rule && !self.has_moves() && self.names_others(text)
                    || !self.has_moves() && self.diagram.begins_anew(text)
            }
            _ => false,
        }
    }

    /// Returns whether a line is a header with a different player, which belongs to another game.
    fn names_others(&self, text: &str) -> bool {
        let Some((name, value, _)) = parts::header(text) else { return false };
        let name = player_of(name);
        let player = [Headers::BLACK, Headers::WHITE].contains(&name);
        player && self.headers.get(name).is_some_and(|before| before != value)
    }

    /// Returns whether marked moves after the end begin another game: they must be legal from the start position of
    /// this one.
    fn starts_anew(&self, text: &str) -> bool {
        let Some(walk) = &self.walk else { return false };
        let first = walk.record.first_side();
        if parts::mark(text).0 != Some(first) || !(self.closed || self.blank || walk.side() != first) {
            return false;
        }
        let Ok(mut board) = Board::from_start(walk.record.start.as_deref()) else { return false };
        let (mut rest, mut last) = (text, None);
        while let Some(part) = Part::of(rest) {
            rest = match part {
                Part::Move { text, .. } => {
                    let Ok((spoken, after)) = Spoken::parse(text, last) else { return false };
                    let mv = spoken.resolve(&board).ok().filter(|&mv| board.is_legal(mv));
                    let Some(mv) = mv.filter(|&mv| board.play(mv).is_ok()) else { return false };
                    last = Some(mv.to());
                    after
                }
                Part::End { after, .. }
                | Part::Summary { after, .. }
                | Part::Separator(after)
                | Part::Number { after, .. }
                | Part::Remark { after, .. } => after,
            };
        }
        board.made() > 0
    }

    /// Returns whether a numbered line is the first move of another game.
    fn counts_anew(&self, text: &str) -> bool {
        // Fast path: most lines have a number other than 1.
        if !text.trim_start_matches(['0', '０']).starts_with(['1', '１']) {
            return false;
        }
        let Some(walk) = self.walk.as_ref().filter(|walk| walk.board.made() > 0) else { return false };
        let Some((number, rest)) = parts::number(text) else { return false };
        number == 1 && parts::is_move(rest, true)
            || number == 1 && walk.ended() && End::word_at(rest).is_some()
    }

    fn any_line(&mut self, line: &Line<'_>, source: &mut Source<'_>) -> Result<(), RecordError> {
        let text = trim(line.text);
        self.blank = text.is_empty();
        let Some(first) = text.chars().next() else { return Ok(()) };
        if self.astray && !text.starts_with("変化") {
            return Ok(());
        }
        if first == '９' && self.walk.is_none() && self.diagram.line(line, text, source)? {
            return Ok(());
        }
        match first {
            '#' => {
                // At the beginning, such a line names the program that wrote the file; further down, it is not part of
                // the record.
                if !self.begun() {
                    source.claim(line.text);
                }
                Ok(())
            }
            '*' => {
                // Trailing spaces are part of a comment.
                let comment = trim_start(line.text);
                self.comment(&comment[1..]);
                source.claim(line.text);
                Ok(())
            }
            '&' => {
                self.bookmark(line, text, source);
                Ok(())
            }
            _ if first.is_ascii_digit() || names::wide_digit(first).is_some() => {
                self.numbered(line, text, source)
            }
            'ま' if text.starts_with("まで") => self.summary_line(line, text, source),
            '以' if parts::is_summary(text) => self.summary_line(line, text, source),
            '変' if text.starts_with("変化") => self.variation(line, text, source),
            _ if names::from_mark(first).is_some() && !(self.walk.is_none() && is_caption(text)) => {
                self.marked(line, text, source)
            }
            _ => self.head(line, text, source),
        }
    }

    /// Reads a line before the first move, or a line of moves that begins with neither a number nor a mark.
    fn head(&mut self, line: &Line<'_>, text: &str, source: &mut Source<'_>) -> Result<(), RecordError> {
        if parts::is_rule(text) {
            self.listed = true;
            parts::rule_words(text).for_each(|word| source.claim(word));
            return Ok(());
        }
        if self.walk.is_none() && self.diagram.line(line, text, source)? {
            return Ok(());
        }
        if self.walk.is_none() && is_caption(text) {
            self.remark(line, text, source);
            source.claim(text);
            return Ok(());
        }
        if !self.has_moves() && parts::header(text).is_some() {
            self.header(line, text, source);
            return Ok(());
        }
        if let (Some(end), Some(walk)) = (self.plain_end(text), &mut self.walk) {
            source.claim(line.text);
            self.over = true;
            return walk.end(end, line, text, source);
        }
        if parts::has_marked_move(text) {
            self.marked(line, text, source)
        } else {
            self.unmarked(line, text, source)
        }
    }

    /// Reads one or more headers on a line: `先手：羽生善治`, `先手：甲 / 後手：乙`.
    fn header(&mut self, line: &Line<'_>, text: &str, source: &mut Source<'_>) {
        let mut rest = text;
        while let Some((name, value, after)) = parts::header(rest) {
            if matches!(name, "下手" | "上手") {
                self.diagram.gives_odds();
            }
            let name = player_of(name);
            match self.headers.get(name) {
                Some(before) if name == Headers::NOTE && before != value => {
                    self.headers.append(name, value);
                }
                Some(before) if before != value => {
                    source.warn(line, rest, format!("{name} is already set to {}: ignored", clip(before)));
                }
                _ => self.headers.set(name, value),
            }
            rest = after;
        }
        source.claim_until(line, rest);
    }

    fn comment(&mut self, text: &str) {
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
    }

    fn bookmark(&mut self, line: &Line<'_>, text: &str, source: &mut Source<'_>) {
        let name = text[1..].trim();
        let before = match &self.walk {
            Some(walk) => walk.record.tree.bookmark(walk.node),
            None => &self.bookmark,
        };
        if !before.is_empty() {
            source.warn(line, text, format!("duplicate bookmark {}", clip(before)));
            return;
        }
        match &mut self.walk {
            Some(walk) => walk.record.tree.set_bookmark(walk.node, name),
            None => name.clone_into(&mut self.bookmark),
        }
        source.claim(line.text);
    }

    fn players(&self) -> [Option<String>; 2] {
        Color::ALL.map(|color| self.headers.player(color).map(str::to_string))
    }

    /// The end of the game that `text` states in standard phrases.
    fn plain_end(&self, text: &str) -> Option<End> {
        let side = self.walk.as_ref()?.side();
        Summary::plain_end(text, side, Color::ALL.map(|color| self.headers.player(color)))
    }

    fn walk(&mut self, line: &Line<'_>) -> Result<&mut Walk, RecordError> {
        if self.walk.is_none() {
            self.diagram.played_at(self.headers.get(Headers::SITE).unwrap_or_default());
            let mut walk = Walk::new(self.diagram.board(line)?, line)?;
            let root = walk.record.tree.root();
            walk.record.tree.set_comment(root, self.comment.take().unwrap_or_default());
            walk.record.tree.set_bookmark(root, &self.bookmark);
            self.walk = Some(walk);
        }
        self.walk.as_mut().ok_or_else(|| line.error(0, "expected a move"))
    }

    /// The square that `同` refers to.
    fn last(&self) -> Option<usize> {
        let made = self.walk.as_ref().and_then(|walk| walk.board.last()).map(|mv| mv.to());
        made.or(self.diagram.last)
    }

    /// Reads a move with its number, as in KIF.
    fn numbered(&mut self, line: &Line<'_>, text: &str, source: &mut Source<'_>) -> Result<(), RecordError> {
        let Some((number, rest)) = parts::number(text) else {
            return if parts::has_marked_move(text) {
                self.marked(line, text, source)
            } else {
                self.unmarked(line, text, source)
            };
        };
        // `77手まで先手の勝ち`, `77手で先手の勝ち`
        if parts::counts_moves(text, rest) && self.has_moves() {
            return self.summary_line(line, text, source);
        }
        let is_move = parts::is_move(rest, self.has_moves());
        let word = !is_move && End::word_at(rest).is_some();
        if number == 0 || rest.is_empty() {
            let problem = format!("expected a move after the number {number}");
            return if self.has_moves() { Err(line.error_at(rest, problem)) } else { Ok(()) };
        }
        if !is_move && !word && (!self.has_moves() || !parts::may_be_end(rest)) {
            // The line begins with a number, but contains no numbered move.
            return if parts::has_marked_move(text) { self.marked(line, text, source) } else { Ok(()) };
        }
        if self.first_number.is_none() {
            // If the first number is not 1, the times of earlier moves are unknown.
            self.used = (number == 1).then(Default::default);
        }
        // Only below a board may the first number be that of a later move.
        let base = *self.first_number.get_or_insert(if self.diagram.has_board() { number } else { 1 });
        let last = self.last();
        let players = if is_move { [None, None] } else { self.players() };
        if self.walk.is_none()
            && let Ok((Spoken { from: Some(from), .. }, _)) = Spoken::parse(parts::mark(rest).1, last)
        {
            self.diagram.moved_from(from);
        }
        self.walk(line)?;
        let Some(walk) = &mut self.walk else { return Ok(()) };
        let made = walk.board.made();
        let mut wanted = self.skipped.index_of(number, base);
        if wanted.is_none_or(|wanted| wanted > made) {
            // The number counts the end of a game that goes on, or is a misprint. If a move may be missing, the game is
            // rejected.
            let expected = made + base + self.skipped.at(made);
            let more = number.saturating_sub(expected);
            let problem = format!("expected move {expected}, found {number}");
            let goes_on = || {
                let spoken = Spoken::parse(parts::mark(rest).1, last).ok();
                let mv = spoken.and_then(|(spoken, _)| spoken.resolve(&walk.board).ok());
                mv.is_some_and(|mv| walk.board.own_mover(mv).is_ok() && walk.board.is_legal(mv))
            };
            let counted = walk.ended() && more == 1;
            let more = Some(more).filter(|&more| more < Tree::MOST).unwrap_or_default();
            if !is_move && !word {
                return Ok(());
            }
            if is_move && !counted && (more.is_multiple_of(2) || !goes_on()) {
                return Err(line.error_at(text, problem));
            }
            if !counted {
                source.warn(line, text, problem);
            }
            if is_move {
                self.skipped = Skipped { from: made, by: self.skipped.at(made) + more };
            }
            wanted = Some(made);
        }
        let wanted = wanted.unwrap_or(made);
        let (mark, rest) = parts::mark(rest);
        // A repeated number is a misprint if the move is possible in the current position; otherwise, it begins a
        // variation.
        let goes_on = || {
            let spoken = Spoken::parse(rest, last).ok();
            spoken
                .and_then(|(spoken, _)| spoken.resolve(&walk.board).ok())
                .is_some_and(|mv| walk.board.own_mover(mv).is_ok())
        };
        let is_back = wanted < made && (walk.ended() || !goes_on());
        let end = (!is_move).then(|| {
            let side = if (made - wanted).is_multiple_of(2) { walk.side() } else { !walk.side() };
            let word_end = rest.find(|c: char| is_blank(c) || matches!(c, '(' | '（' | '+'));
            let (word, after) = rest.split_at(word_end.unwrap_or(rest.len()));
            (word, after, Summary::of_phrase(word, side, players.each_ref().map(Option::as_deref)))
        });
        if is_back && end.as_ref().is_some_and(|(.., (end, _))| !end.is_known()) {
            // This is not the end of a variation, but an unknown line that begins with a number.
            return Ok(());
        }
        let last = if is_back {
            walk.back_to(wanted);
            walk.board.last().map(|mv| mv.to())
        } else {
            last
        };
        let Some((word, after, (end, says_more))) = end else {
            self.check_mark(mark, line, rest, source);
            let after = self.play(line, rest, last, source)?;
            let rest = self.behind(line, after, source);
            // Several numbered moves may share a line.
            return if parts::has_marked_move(rest) { self.marked(line, rest, source) } else { Ok(()) };
        };
        let again = walk.ended();
        walk.end(end, line, word, source)?;
        if says_more {
            walk.record.tree.add_comment(walk.node, word);
        }
        self.over = true;
        if again {
            // The time belongs to the second statement of the end.
            source.claim_until(line, parts::times(trim_start(after)).map_or(after, |(_, rest)| rest));
        } else {
            self.behind(line, after, source);
        }
        Ok(())
    }

    /// Plays the move at the beginning of `text` and returns the rest of `text`.
    fn play<'t>(
        &mut self,
        line: &Line<'_>,
        text: &'t str,
        last: Option<usize>,
        source: &mut Source<'_>,
    ) -> Result<&'t str, RecordError> {
        let walk = self.walk(line)?;
        let (spoken, after) =
            Spoken::parse(text, last).map_err(|(at, problem)| line.error_at(at, problem))?;
        let mv = spoken.resolve(&walk.board).map_err(|problem| line.error_at(text, problem))?;
        if let Some(problem) = spoken.doubts(&walk.board) {
            source.warn(line, text, problem);
        }
        walk.play(mv, line, text, source)?;
        (self.over, self.closed) = (false, false);
        Ok(after)
    }

    /// Reads the text after a move in KIF: the time and the mark of a branch. Returns the unrecognised rest.
    fn behind<'t>(&mut self, line: &Line<'_>, text: &'t str, source: &mut Source<'_>) -> &'t str {
        let mut rest = trim_start(text);
        if let Some((times, after)) = parts::times(rest) {
            if let Some(walk) = &mut self.walk {
                walk.record.tree.set_time(walk.node, times[0]);
            }
            self.check_total(times, line, rest, source);
            rest = trim_start(after);
        }
        rest = rest.strip_prefix('+').unwrap_or(rest);
        source.claim_until(line, rest);
        rest
    }

    /// Compares the total time of a side with the sum of its times; only on the main line.
    fn check_total(
        &mut self,
        times: [Option<Duration>; 2],
        line: &Line<'_>,
        at: &str,
        source: &mut Source<'_>,
    ) {
        let (Some(walk), [Some(own), Some(total)]) = (&self.walk, times) else { return };
        let has_variations = walk.record.tree.len() > walk.board.made() + 1;
        let Some(used) = self.used.as_mut().filter(|_| !has_variations) else { return };
        let used = &mut used[(!walk.side()).index()];
        *used += own;
        if total.abs_diff(*used) > ROUNDING {
            let sum = used.as_secs();
            let problem = format!("the total time is {} s, but the times add up to {sum} s", total.as_secs());
            source.warn(line, at, problem);
            self.used = None;
        }
    }

    fn check_mark(&mut self, mark: Option<Color>, line: &Line<'_>, at: &str, source: &mut Source<'_>) {
        let side = self.walk.as_ref().map(Walk::side);
        if !self.turned && mark.is_some() && side.is_some() && mark != side {
            self.turned = true;
            source.warn(line, at, "the mark before the move does not match the side to move");
        }
    }

    /// Reads moves with marks, as in KI2, and the text between them.
    fn marked(&mut self, line: &Line<'_>, text: &str, source: &mut Source<'_>) -> Result<(), RecordError> {
        // Brackets around the whole game do not mark a remark.
        let mut rest = if self.walk.is_none() { text.trim_start_matches(parts::is_separator) } else { text };
        while let Some(part) = Part::of(rest) {
            match part {
                Part::Move { mark, text } => {
                    let last = self.last();
                    if self.walk.is_none() {
                        self.diagram.moved_by(mark);
                    }
                    self.walk(line)?;
                    self.check_mark(Some(mark), line, text, source);
                    let after = self.play(line, text, last, source)?;
                    let time = parts::time(trim_start(after));
                    if let (Some((time, _)), Some(walk)) = (time, &mut self.walk) {
                        walk.record.tree.set_time(walk.node, time);
                    }
                    rest = time.map_or(after, |(_, after)| after);
                }
                Part::End { end, after } => {
                    let word = &rest[..rest.len() - after.len()];
                    self.walk(line)?.end(end, line, word, source)?;
                    self.over = true;
                    rest = after;
                }
                Part::Summary { text, after } => {
                    self.summary(line, text, source)?;
                    rest = after;
                }
                Part::Separator(after) => rest = after,
                Part::Number { number, text, after } => {
                    let made = self.walk.as_ref().map_or(0, |walk| walk.board.made());
                    // Numbers count moves or pairs of moves.
                    let first = self.walk.as_ref().map_or(0, |walk| walk.record.first_ply());
                    let fits = [made + 1, made / 2 + 1, made + 1 + first, (made + first) / 2 + 1];
                    if !fits.contains(&number) {
                        self.remark(line, text, source);
                    }
                    rest = after;
                }
                Part::Remark { text, after } => {
                    // The word for the end may be a whole phrase or its first word.
                    let phrase = parts::short_phrase(rest);
                    let word = &phrase[..phrase.find(parts::is_separator).unwrap_or(phrase.len())];
                    let end = [phrase, word].into_iter().find_map(|text| Some((text, self.plain_end(text)?)));
                    match (end, &mut self.walk) {
                        (Some((text, end)), Some(walk)) => {
                            walk.end(end, line, text, source)?;
                            self.over = true;
                            rest = &rest[text.len()..];
                        }
                        _ => {
                            self.remark(line, text, source);
                            rest = after;
                        }
                    }
                }
            }
        }
        source.claim(line.text);
        Ok(())
    }

    /// Reports unrecognised text between moves and keeps it as a comment.
    fn remark(&mut self, line: &Line<'_>, text: &str, source: &mut Source<'_>) {
        source.warn(line, text, format!("kept as a comment: {}", clip(text)));
        self.comment(trim(text));
    }

    /// Reads a line that consists of legal moves without marks: `７六歩 ３四歩`.
    fn unmarked(&mut self, line: &Line<'_>, text: &str, source: &mut Source<'_>) -> Result<(), RecordError> {
        let board = match &self.walk {
            Some(walk) => Ok(walk.board.clone()),
            None => self.diagram.board(line),
        };
        let Ok(mut board) = board else { return Ok(()) };
        let mut ends = Vec::new();
        let (mut rest, mut last) = (text, self.last());
        while parts::is_move(rest, false)
            && let Ok((spoken, after)) = Spoken::parse(rest, last)
            && let Ok(mv) = spoken.resolve(&board)
            && board.is_legal(mv)
            && board.play(mv).is_ok()
        {
            rest = after.trim_start_matches(|c| is_blank(c) || matches!(c, '、' | ','));
            ends.push((rest, last));
            last = Some(mv.to());
        }
        if !rest.is_empty() {
            if self.walk.is_some() && is_unmarked(text) {
                source.fail(line.error_at(rest, "this move is impossible here: the line is left out"));
            }
            return Ok(());
        }
        let mut rest = text;
        for (after, last) in ends {
            self.play(line, rest, last, source)?;
            rest = after;
        }
        source.claim(line.text);
        Ok(())
    }

    /// Reads a line that begins with a statement of the end.
    fn summary_line(
        &mut self,
        line: &Line<'_>,
        text: &str,
        source: &mut Source<'_>,
    ) -> Result<(), RecordError> {
        let (summary, after) = text.split_at(parts::phrase(text).len());
        self.summary(line, summary, source)?;
        if after.is_empty() { Ok(()) } else { self.marked(line, after, source) }
    }

    /// Reads a summary that states the end: `まで77手で先手の勝ち`. Any other text after `まで` is a remark.
    fn summary(&mut self, line: &Line<'_>, text: &str, source: &mut Source<'_>) -> Result<(), RecordError> {
        let players = self.players();
        let base = self.first_number.unwrap_or(1);
        let walk = self.walk(line)?;
        let summary = Summary::parse(text, walk.side(), players.each_ref().map(Option::as_deref));
        let known = summary.end.as_ref().is_none_or(End::is_known);
        if summary.moves.is_none() && (summary.is_prose || !known) {
            self.remark(line, text, source);
            source.claim(text);
            return Ok(());
        }
        let made = walk.board.made();
        let counted = [made, made + base - 1, made + walk.record.first_ply()];
        if let Some(moves) = summary.moves.filter(|moves| !counted.contains(moves)) {
            source.warn(line, text, format!("the record states {moves} moves but has {made}"));
        }
        let closed = summary.end.as_ref().is_some_and(|end| *end != End::Interrupt);
        if let Some(end) = summary.end {
            walk.end(end, line, text, source)?;
        }
        if summary.says_more {
            walk.record.tree.add_comment(walk.node, text);
        }
        source.claim(text);
        (self.over, self.closed) = (true, closed);
        Ok(())
    }

    /// Reads the line above a variation: `変化：12手`.
    fn variation(&mut self, line: &Line<'_>, text: &str, source: &mut Source<'_>) -> Result<(), RecordError> {
        // Some programs write such a line among the headers.
        let Some(walk) = &mut self.walk else { return Ok(()) };
        let rest = text["変化".len()..].trim_start_matches(['：', ':', ' ', '　']);
        let digits = rest.find(|c| parts::ascii_digit(c).is_none()).unwrap_or(rest.len());
        let number: String = rest[..digits].chars().filter_map(parts::ascii_digit).collect();
        let base = self.first_number.unwrap_or(1);
        let back = number.parse().ok().and_then(|number| self.skipped.index_of(number, base));
        self.astray = !back.is_some_and(|back| walk.back_to_line(back));
        if self.astray {
            let most = walk.board.made() + base;
            let problem = format!("expected a variation at a move from {base} to {most}; it is left out");
            source.fail(line.error_at(rest, problem));
            return Ok(());
        }
        let after = &rest[digits..];
        self.varies = true;
        source.claim_until(line, after.strip_prefix("手").unwrap_or(after));
        (self.over, self.closed) = (false, false);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> RecordError {
        let mut games = read(&mut Source::new(text));
        games.pop().expect("a game").expect_err("a rejected game")
    }

    #[test]
    fn the_line_above_the_moves_alone_is_no_game() {
        let rule = "手数----指手---------消費時間--\n";
        let refused = error(rule);
        assert_eq!((refused.line, refused.column), (2, 1));
        assert_eq!(refused.problem, "expected moves, a diagram or headers");
        for text in [format!("先手：甲\n{rule}"), format!("{rule}*a comment\n")] {
            let games = read(&mut Source::new(&text));
            assert!(matches!(&games[..], [Ok(record)] if record.moves().is_empty()), "{text}");
        }
    }

    fn usi(text: &str) -> (Vec<Vec<String>>, Vec<String>) {
        let mut source = Source::new(text);
        let records = read(&mut source);
        let moves =
            |record: Record| record.moves().into_iter().map(sanban_rules::shogi::Position::usi).collect();
        let games = records.into_iter().flatten().map(moves).collect();
        (games, source.finish().iter().map(ToString::to_string).collect())
    }

    #[test]
    fn labels_before_moves_are_not_headers() {
        let (games, told) = usi("本譜：▲７六歩△３四歩\n▲２六歩△８四歩\n");
        assert_eq!(games, [["7g7f", "3c3d", "2g2f", "8c8d"]]);
        assert_eq!(told, ["line 1, column 1: kept as a comment: 本譜"]);
        for text in ["SFEN：4k4/9/9/9/9/9/9/9/4K4 b - 1\n", "局面：position startpos\n", "CSA：+7776FU\n"]
        {
            assert!(!usi(text).1.is_empty(), "{text}");
        }
        assert_eq!(usi("備考：▲７六歩\n先手：甲\n").1, [""; 0]);
    }

    #[test]
    fn totals_that_do_not_fit_are_reported() {
        let game = |total: &str| {
            usi(&format!("   1 ７六歩(77) ( 0:01/{total})\n   2 ３四歩(33) ( 0:01/00:00:01)\n")).1
        };
        assert_eq!(game("00:00:01"), [""; 0]);
        let told = game("00:05:00");
        assert_eq!(told.len(), 1);
        assert!(told[0].contains("the total time is 300 s, but the times add up to 1 s"), "{told:?}");
    }

    #[test]
    fn captions_and_first_marks_of_diagrams() {
        let board = "+---------------------------+\n|v香v桂v銀v金v玉v金v銀v桂v香|一\n| ・v飛 ・ ・ ・ ・ ・v角 ・|二\n\
            |v歩v歩v歩v歩v歩v歩v歩v歩v歩|三\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|四\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|五\n\
            | ・ ・ 歩 ・ ・ ・ ・ ・ ・|六\n| 歩 歩 ・ 歩 歩 歩 歩 歩 歩|七\n| ・ 角 ・ ・ ・ ・ ・ 飛 ・|八\n\
            | 香 桂 銀 金 玉 金 銀 桂 香|九\n+---------------------------+\n";
        let (games, told) = usi(&format!("{board}第1図は▲７六歩まで\n△８四歩▲２六歩\n"));
        assert_eq!(games, [["8c8d", "2g2f"]]);
        assert_eq!(told.len(), 1, "{told:?}");
    }

    #[test]
    fn a_diagram_with_holes_has_a_place() {
        let hole = error("後手の持駒：なし\n| ・ ・ ・|一\n");
        assert_eq!((hole.line, hole.column), (2, 9));
        assert!(hole.problem.contains("found 3"));
        assert!(error("先手の持駒：飛三\n").problem.contains("expected a diagram"));
        let letter = error("先手の持駒：飛A\n");
        assert_eq!((letter.line, letter.column), (1, 8));
    }
}
