//! Reader for Western notation, in both styles: `P2g-2f`, `Gx5g`, `G'5f`, `+R2a`, `R2b=` and `S-3e`, `L*5e`, `N-2c=`;
//! and for PSN, which adds players, dates and results in headers, times in parentheses and shorter captures (`xP`,
//! `Px`).
//!
//! The piece comes first, then the origin if needed, then the destination. Numbers count pairs of moves or single moves
//! and may be in any order, as in tables with columns. Headers are written `[Name "value"]`, comments in `{}`,
//! variations in `()`, ends in words (`resigns`).

mod ends;
mod games;
mod headers;
pub(in crate::record) mod items;
mod lost;
pub(in crate::record) mod moves;
pub(in crate::record) mod pgn;
mod pgn_write;
mod repair;
pub mod restore;
pub(in crate::record) mod write;

use crate::record::board::Board;
use crate::record::encoding::Encoding;
use crate::record::end::{End, Outcome};
use crate::record::error::{MoveError, RecordError};
use crate::record::format::{Family, FormatInfo, Request, Sign};
use crate::record::holds::Holds;
use crate::record::line::Walk;
use crate::record::source::{Source, clip, lines};
use crate::record::summary::{Summary, outcome_words};
use crate::record::tree::{NodeId, Record};
use ends::{end_at, end_in_comment, end_with, read_end, result, termination};
use games::{games, in_order};
use headers::{HANDICAP, Head, TERMINATION, above, find, handicap_position, head};
pub(in crate::record) use headers::{HEADERS, RESULT, START};
use items::{Item, What, after_comments, is_game, is_western, items};
use moves::{Style, Written};
use repair::{Repairing, is_garbage, is_prose, is_speck};
use sanban_rules::shogi::START as EVEN;
use sanban_rules::{Color, Move, VariantId, uci};

static FAMILY: Family = Family {
    text: text_sign,
    first: |byte| byte == b'[',
    begins: |line, _| {
        let line = line.trim_ascii();
        line.starts_with('[') && line.contains(" \"") && line.ends_with("\"]")
    },
    at_once: false,
    braces: false,
    // The reader rejects other text.
    followed: false,
    read: |source, request| {
        if pgn::is_pgn(source.text()) {
            request.finish(pgn::read(source, request.game));
        } else {
            read(source, request);
        }
    },
};

pub(in crate::record) static WESTERN: FormatInfo = FormatInfo {
    names: &[("western", Encoding::Utf8)],
    extensions: &[],
    suits: |game| game == VariantId::Shogi,
    holds: Holds::all().difference(Holds::BOOKMARKS.union(Holds::MILLISECONDS).union(Holds::TIMES)),
    holds_header: |name, _| write::holds_header(name),
    loses: |_| Holds::empty(),
    between: Some("\n#\n"),
    streams: true,
    line: western_sign,
    family: &FAMILY,
    write: |record, _| write::write(record, Style::Apostrophe),
};

pub(in crate::record) static HODGES: FormatInfo = FormatInfo {
    names: &[("hodges", Encoding::Utf8)],
    line: |_| None,
    write: |record, _| write::write(record, Style::Hodges),
    ..WESTERN
};

pub(in crate::record) static PSN: FormatInfo = FormatInfo {
    names: &[("psn", Encoding::Utf8)],
    holds: WESTERN.holds.union(Holds::TIMES),
    between: Some("\n"),
    line: |line| {
        let player = |name: &str| line.trim_start().starts_with(name);
        (player("[Sente \"") || player("[Gote \"")).then_some(Sign::Sure)
    },
    write: |record, _| write::write(record, Style::Psn),
    ..WESTERN
};

pub(in crate::record) static PGN: FormatInfo = FormatInfo {
    names: &[("pgn", Encoding::Utf8)],
    // Only games whose name means no other game in PGN.
    suits: |game| uci::named(uci::name_of(game)).is_some_and(|variant| variant.id == game),
    // Names in Latin letters only.
    holds: WESTERN.holds.difference(Holds::ALL_HEADERS),
    holds_header: pgn_write::holds_header,
    between: Some("\n"),
    line: |_| None,
    write: |record, _| pgn_write::write(record),
    ..WESTERN
};

/// Only Western notation can begin with a comment in braces.
fn text_sign(text: &str) -> Option<Sign> {
    let after = after_comments(text);
    if after.len() < text.len() && lines(after).next().is_some_and(|line| is_western(line.text)) {
        return Some(Sign::Sure);
    }
    (after.is_empty() && !text.is_empty()).then_some(Sign::Hint)
}

fn western_sign(line: &str) -> Option<Sign> {
    let strong = is_western(line.trim_start()).then_some(Sign::Strong);
    strong.or_else(|| is_game(line).then_some(Sign::Hint))
}

/// Reads one or more games. An error rejects only the game in which it occurs.
fn read(source: &mut Source<'_>, request: &mut Request<'_>) {
    let repairing = &mut Repairing {
        on: request.repair,
        numbers: false,
        mends: &mut request.mends,
        judge: request.judge,
        left: 0,
    };
    let items = match items(source, repairing.on, &|line| above(line, repairing.on)) {
        Ok(items) => items,
        Err(error) => {
            source.claim(source.text());
            return request.games.push(Err(error));
        }
    };
    let (all, before) = (games(&items, repairing), request.games.len());
    for (index, game) in all.iter().enumerate() {
        repairing.left = all.len() - index;
        let before = repairing.mends.len();
        // Without repair, moves are read up to the first number that is out of order.
        let ordered = match in_order(game, repairing) {
            Err(_) if !repairing.on => Ok(game.to_vec()),
            ordered => ordered,
        };
        let record = ordered.and_then(|ordered| {
            read_game(&ordered, repairing, source).or_else(|error| {
                repairing.mends.truncate(before);
                read_with_gaps(&ordered, error, repairing, source)
            })
        });
        if record.is_err() || repairing.on {
            game.iter().for_each(|item| source.claim(item.text));
        }
        record.iter().for_each(|record| (request.each)(record));
        request.games.push(record);
    }
    if request.games.len() == before {
        let problem = "expected moves such as 1.P7g-7f".into();
        request.games.push(Err(RecordError { line: 1, column: 1, problem }));
    }
}

/// Reads a game in which numbers are missing together with their moves. The moves are restored from the later moves; if
/// that fails, the text is kept as a comment.
fn read_with_gaps(
    items: &[Item<'_>],
    error: RecordError,
    repairing: &mut Repairing<'_>,
    source: &mut Source<'_>,
) -> Result<Record, RecordError> {
    let rows = rows(items);
    let lost = lost::numbers(&rows);
    if lost.is_empty() {
        return Err(error);
    }
    let numbers = lost::list(&lost);
    let board = start_board(items)?;
    let first = items.iter().find(|item| matches!(item.what, What::Number(_)));
    let at = |problem: String| first.map_or_else(|| error.clone(), |item| item.error(problem));
    let restored = repairing.on.then(|| repairing.judge.time(repairing.left));
    let restored = restored.and_then(|time| lost::restore(&board, &rows, repairing.judge, time));
    let Some(restored) = restored else {
        // Perhaps only a number is missing, but no moves.
        let before = repairing.mends.len();
        repairing.numbers = repairing.on;
        let record = read_game(items, repairing, source);
        repairing.numbers = false;
        if let Ok(record) = record {
            return Ok(record);
        }
        repairing.mends.truncate(before);
        let told = if repairing.on { "; the later moves do not determine them" } else { "" };
        source.fail(at(format!("missing moves: {numbers}{told}; the rest is kept as text")));
        return parts(items, board, source);
    };
    repairing.mends.push(format!("{}: restored moves: {numbers}", at(String::new()).place()));
    // The items of each row, with the restored moves between them.
    let begin = items.iter().position(|item| matches!(item.what, What::Number(_))).unwrap_or(items.len());
    let mut out = items[..begin].to_vec();
    for row in &restored {
        let own = items.iter().position(|item| item.what == What::Number(row.number));
        let next =
            items.iter().find(|item| matches!(item.what, What::Number(number) if number >= row.number));
        let Some(place) = next.or(items.last()) else { continue };
        let group: &[Item<'_>] = own.map_or(&[], |own| {
            let end = items[own + 1..].iter().position(|item| matches!(item.what, What::Number(_)));
            &items[own..end.map_or(items.len(), |end| own + 1 + end)]
        });
        // Drop specks and garbage in rows whose moves are all missing.
        let mut known = group.iter().skip(1).filter(|item| !is_garbage(&item.what) || !row.lost()).peekable();
        let item = |what: What| Item { what, text: &place.text[..0], line: place.line };
        out.push(item(What::Number(row.number)));
        for (word, mark) in &row.words {
            match mark {
                Some(mark) => {
                    out.push(item(What::Word(word.clone())));
                    out.push(item(What::Comment(format!("restored: {}", mark.word()))));
                }
                None => {
                    let own = known.by_ref().find(|item| matches!(item.what, What::Word(_)));
                    let Some(own) = own else { continue };
                    if own.what != What::Word(word.clone()) {
                        repairing.mends.push(format!("{}: {} read as {word}", own.place(), clip(own.text)));
                    }
                    out.push(Item { what: What::Word(word.clone()), ..own.clone() });
                    while let Some(item) = known.next_if(|item| !matches!(item.what, What::Word(_))) {
                        out.push(item.clone());
                    }
                }
            }
        }
        out.extend(known.cloned());
    }
    let behind = |row: &&lost::Row<'_>| restored.last().is_some_and(|last| row.number > last.number);
    let rest: Vec<String> =
        rows.iter().filter(behind).map(|row| format!("{}.{}", row.number, row.words.join(" "))).collect();
    if let (Some(last), false) = (items.last(), rest.is_empty()) {
        let words = format!("not restored: {}", rest.join(" "));
        source.fail(at(format!("missing moves: {numbers}; the last of them cannot be restored")));
        out.push(Item { what: What::Comment(words), text: &last.text[..0], line: last.line });
        items.iter().for_each(|item| source.claim(item.text));
    }
    items.iter().filter(|item| matches!(item.what, What::Number(_))).for_each(|item| source.claim(item.text));
    read_game(&out, repairing, source)
}

/// Reads a game with too many missing moves. Its text becomes a comment on the start position.
fn parts(items: &[Item<'_>], board: Board, source: &mut Source<'_>) -> Result<Record, RecordError> {
    let head = head(items, source);
    let line = items.first().map_or(source.end(), |item| source.line_of(item.text));
    let mut record = Walk::new(board, &line)?.record;
    record.headers = head.headers;
    let root = record.tree.root();
    let first = items.iter().position(|item| matches!(item.what, What::Number(_))).unwrap_or(items.len());
    if let [first, .., last] | [first @ last] = &items[first..] {
        record.tree.set_comment(root, source.between(first.text, last.text).to_string());
    }
    for (index, item) in items.iter().enumerate() {
        match &item.what {
            What::Comment(comment) if index < first => record.tree.add_comment(root, comment),
            What::Prose(text) => record.tree.add_comment(root, text),
            What::Word(word) => {
                if let Some((end, _)) = read_end(word, &[], Color::Black).filter(|_| record.end().is_none()) {
                    record.tree.add(root, crate::record::tree::Action::End(end));
                }
            }
            _ => {}
        }
        source.claim(item.text);
    }
    Ok(record)
}

/// The move numbers of a game, each with the moves after it, up to the first word that ends the game.
fn rows<'a>(items: &'a [Item<'_>]) -> Vec<lost::Row<'a>> {
    let mut out: Vec<lost::Row<'a>> = vec![];
    for (index, item) in items.iter().enumerate() {
        match &item.what {
            What::Number(number) => out.push(lost::Row { number: *number, words: vec![] }),
            What::Word(word) if is_speck(word) => {}
            What::Word(word) if read_end(word, &items[index + 1..], Color::Black).is_some() => {
                // A number may precede the end.
                out.pop_if(|row| row.words.is_empty());
                break;
            }
            What::Word(word) => {
                if let Some(row) = out.last_mut() {
                    row.words.push(word);
                }
            }
            What::Open => return vec![],
            _ => {}
        }
    }
    out
}

/// The start position of a game.
fn start_board(items: &[Item<'_>]) -> Result<Board, RecordError> {
    let handicap = find(items, HANDICAP).filter(|(_, name)| !name.trim().is_empty());
    let named = handicap.map(|(item, name)| {
        let unknown = || item.error(format!("the handicap {} has no known position", clip(name)));
        Ok((item, handicap_position(name).ok_or_else(unknown)?))
    });
    let stated = items.iter().filter_map(|item| match &item.what {
        What::Header(name, sfen) if name == START => Some((item, sfen.as_str())),
        _ => None,
    });
    let mut start: Option<(&Item<'_>, Board)> = None;
    // The handicap of a position may be none, or without a name.
    let needed = find(items, START).is_none();
    let fits = |named: &Result<(_, &str), _>| named.as_ref().is_ok_and(|(_, sfen)| *sfen != EVEN);
    let known = named.filter(|named| needed || fits(named)).transpose()?;
    for (item, sfen) in stated.chain(known) {
        let board = Board::from_sfen(sfen).map_err(|problem| item.error(problem.to_string()))?;
        match &start {
            Some((_, before)) if before.sfen() != board.sfen() => {
                return Err(item.error("the game already has a different start position"));
            }
            _ => start = Some((item, board)),
        }
    }
    let even = || {
        Board::from_start(None).map_err(|problem| RecordError {
            line: 1,
            column: 1,
            problem: problem.to_string(),
        })
    };
    start.map_or_else(even, |(_, board)| Ok(board))
}

struct Reading<'r, 'm, 's, 'a> {
    walk: Walk,
    /// The number of moves and the node to return to after each open variation.
    open: Vec<(usize, NodeId)>,
    over: bool,
    repairing: &'r mut Repairing<'m>,
    source: &'s mut Source<'a>,
}

fn read_game(
    items: &[Item<'_>],
    repairing: &mut Repairing<'_>,
    source: &mut Source<'_>,
) -> Result<Record, RecordError> {
    let head = head(items, source);
    let line = items.first().map_or(source.end(), |item| source.line_of(item.text));
    let walk = Walk::new(start_board(items)?, &line)?;
    let mut reading = Reading { walk, open: vec![], over: false, repairing, source };
    let failed = reading.follow(items).err();
    let Reading { mut walk, open, source, repairing, .. } = reading;
    let unclosed = || items.last().map(|item| item.error("expected ) at the end of a variation"));
    let failed = failed.or_else(|| if open.is_empty() { None } else { unclosed() });
    if let Some(error) = failed {
        if repairing.on || walk.record.tree.is_empty() {
            return Err(error);
        }
        // Keep the part that was read; the rest is left out.
        source.fail(error);
    } else {
        told(&head, &mut walk, source)?;
    }
    let mut record = walk.finish(source);
    record.headers = head.headers;
    Ok(record)
}

/// Compares the headers with the moves, and takes the end from the headers if the moves do not state it.
fn told(head: &Head<'_, '_>, walk: &mut Walk, source: &mut Source<'_>) -> Result<(), RecordError> {
    let moves = walk.record.moves().len();
    if let Some((item, count)) = head.count.filter(|(_, count)| *count != moves) {
        source.warn_of(item.error(format!("the record states {count} moves but has {moves}")));
    }
    let Some((item, result)) = head.result else { return Ok(()) };
    let to_move = walk.record.last_side();
    if let Err(words) = result
        && let Some(end) = read_end(words, &[], to_move)
            .map(|(end, _)| end)
            .or_else(|| Summary::parse(words, to_move, [None; 2]).end.filter(End::is_known))
    {
        return walk.end_of_main(end, &item.line, item.text, source);
    }
    let Ok(outcome) = result else {
        source.warn_of(item.error(format!("unknown result {}", clip(result.unwrap_err()))));
        return Ok(());
    };
    match walk.record.end().map(|end| end.outcome(to_move)) {
        Some(Outcome::Unknown) | None => {
            let kind = head.headers.get(TERMINATION).and_then(|text| termination(text, outcome, to_move));
            let Some(end) = kind.or_else(|| end_with(outcome, to_move)) else { return Ok(()) };
            match walk.record.end().is_some() {
                true => {
                    let last = walk.record.tree.main_line().last().copied();
                    if let Some(last) = last {
                        walk.record.tree.set_action(last, crate::record::tree::Action::End(end))
                    }
                    Ok(())
                }
                false => walk.end_of_main(end, &item.line, item.text, source),
            }
        }
        Some(told) if outcome != Outcome::Unknown && told != outcome => {
            let [told, outcome] = [told, outcome].map(outcome_words);
            source.warn_of(item.error(format!("{outcome}, but the moves end with {told}")));
            Ok(())
        }
        _ => Ok(()),
    }
}

impl Reading<'_, '_, '_, '_> {
    fn follow(&mut self, items: &[Item<'_>]) -> Result<(), RecordError> {
        let mut numbers = Numbers::default();
        let mut skip = 0;
        for (index, item) in items.iter().enumerate() {
            if skip > 0 {
                skip -= 1;
                self.source.claim(item.text);
                continue;
            }
            match &item.what {
                What::Header(..) => {}
                What::Dots => {
                    // `1...P3d`: white moves first, in the middle of a pair.
                    let first = self.walk.board.made() == 0 && self.walk.side() == Color::White;
                    if first && self.open.is_empty() && item.text.starts_with(|c: char| c.is_ascii_digit()) {
                        numbers.before = 1;
                    }
                    self.source.claim(item.text);
                }
                What::Game => self.source.claim(item.text),
                What::Prose(text) => {
                    self.source.claim(item.text);
                    self.source.warn_of(item.error(format!("kept as a comment: {}", clip(text))));
                    self.walk.record.tree.add_comment(self.walk.node, text);
                }
                What::Comment(comment) => self.comment(comment, item, &items[index + 1..])?,
                What::Time(time) => {
                    let tree = &mut self.walk.record.tree;
                    if self.walk.node != tree.root() && tree.time(self.walk.node).is_none() {
                        tree.set_time(self.walk.node, *time);
                        self.source.claim(item.text);
                    }
                }
                What::Number(number) => {
                    // A number after the end can only count another statement of the end.
                    if self.open.is_empty() && !self.walk.ended() {
                        let made = self.walk.board.made() + numbers.before;
                        numbers.see(*number, made, item, self.repairing)?;
                    }
                    self.source.claim(item.text);
                }
                What::Open => self.open(item)?,
                What::Close => {
                    let (made, node) = self.open.pop().ok_or_else(|| item.error("unexpected )"))?;
                    go_to(&mut self.walk, made, node);
                    self.source.claim(item.text);
                }
                What::Word(word) => skip = self.word(word, item, &items[index + 1..])?,
            }
        }
        Ok(())
    }

    fn comment(&mut self, comment: &str, item: &Item<'_>, rest: &[Item<'_>]) -> Result<(), RecordError> {
        self.source.claim(item.text);
        let text = comment.trim();
        let last = !rest.iter().any(|item| matches!(item.what, What::Word(_) | What::Open));
        let side = self.walk.side();
        // At the end, `{Resigns}` and `{1-0}` are ends and not comments.
        match end_in_comment(text, side) {
            Some(end) if last && self.open.is_empty() && !self.over && self.walk.record.tree.len() > 1 => {
                self.over = true;
                self.walk.end(end, &item.line, item.text, self.source)
            }
            _ => {
                self.walk.record.tree.add_comment(self.walk.node, comment);
                Ok(())
            }
        }
    }

    fn open(&mut self, item: &Item<'_>) -> Result<(), RecordError> {
        self.source.claim(item.text);
        let end = self.walk.node;
        let ended = self.walk.ended();
        let made = self.walk.board.made();
        if made == 0 && !ended {
            return Err(item.error("expected a move before a variation"));
        }
        self.open.push((made, end));
        if self.walk.back_to(if ended { made } else { made - 1 }) {
            Ok(())
        } else {
            Err(item.error("expected a move before a variation"))
        }
    }

    /// Reads a move or an end. Returns the number of following items that are part of it.
    fn word(&mut self, word: &str, item: &Item<'_>, rest: &[Item<'_>]) -> Result<usize, RecordError> {
        if self.over && self.open.is_empty() {
            let side = self.walk.side();
            if result(word) == Some(Outcome::Unknown) {
                self.source.claim(item.text);
                return Ok(0);
            }
            if let Some((end, more)) = end_at(word, rest, side) {
                self.source.claim(item.text);
                self.walk.end(end, &item.line, item.text, self.source)?;
                return Ok(more);
            }
            if Written::parse(word.trim_end_matches(['!', '?', '.']), Some(0)).is_none() {
                return Err(item.error(format!("unexpected text after the end of the game: {}", clip(word))));
            }
            // The game goes on.
            self.over = false;
        }
        if self.repairing.on && is_speck(word) {
            self.repairing.mends.push(format!("{}: {} is not a move: dropped", item.place(), clip(word)));
            self.source.claim(item.text);
            return Ok(0);
        }
        let side = self.walk.side();
        if let Some((end, more)) = end_at(word, rest, side) {
            self.over = self.open.is_empty();
            self.source.claim(item.text);
            self.walk.end(end, &item.line, item.text, self.source)?;
            return Ok(more);
        }
        if result(word) == Some(Outcome::Unknown) {
            // The result is unknown, so a comment cannot be the end.
            self.over = self.open.is_empty();
            self.source.claim(item.text);
            return Ok(0);
        }
        let body = word.trim_end_matches(['!', '?']);
        let (body, marks) = (body.trim_end_matches('.'), &word[body.len()..]);
        if body.is_empty() {
            // Separate marks belong to the previous move.
            self.walk.record.tree.add_comment(self.walk.node, word);
            self.source.claim(item.text);
            return Ok(0);
        }
        let mv = match self.read_move(body, item) {
            Ok(mv) => mv,
            Err(_) if self.repairing.on && is_prose(word) => {
                self.repairing.mends.push(format!("{}: {} is not a move: dropped", item.place(), clip(word)));
                self.source.claim(item.text);
                return Ok(0);
            }
            Err(problem) if self.repairing.on => match repair::mend(&self.walk.board, body) {
                Some((mv, says)) => {
                    self.repairing.mends.push(format!("{}: {word} read as {says}", item.place()));
                    mv
                }
                None => return Err(item.error(problem)),
            },
            Err(problem) => return Err(item.error(problem)),
        };
        self.walk.play(mv, &item.line, item.text, self.source)?;
        if !marks.is_empty() {
            self.walk.record.tree.add_comment(self.walk.node, marks);
        }
        self.source.claim(item.text);
        Ok(0)
    }

    /// The move that a word denotes, if it is unique.
    fn read_move(&mut self, word: &str, item: &Item<'_>) -> Result<Move, MoveError> {
        let board = &self.walk.board;
        let written =
            Written::parse(word, board.last().map(Move::to)).ok_or_else(|| MoveError::NoMove(clip(word)))?;
        match written.moves(board)[..] {
            [mv] => return Ok(mv),
            [] => {}
            _ => return Err(MoveError::Ambiguous(clip(word))),
        }
        // Assume that the least valuable piece recaptures.
        let others = written.other_moves(board);
        let value = |mv: &Move| board.mover(*mv).map_or(0, |piece| piece.kind().value());
        let Some(&mv) = others.iter().min_by_key(|mv| value(mv)) else {
            return Err(MoveError::Impossible(clip(word)));
        };
        if others.len() > 1 {
            let text = moves::move_text(board, mv, Style::Hodges);
            let text = text.unwrap_or_default();
            self.source.warn_of(item.error(format!("several pieces can capture there: read as {text}")));
        }
        Ok(mv)
    }
}

/// Goes back from a variation to `node`, where `made` moves have been made.
fn go_to(walk: &mut Walk, made: usize, node: NodeId) {
    let tree = &walk.record.tree;
    let mut path = Vec::new();
    let mut up = Some(node);
    while let Some(at) = up {
        if tree.mv(at).is_some() {
            path.push(at);
        }
        // The variation replaced only the last move.
        if path.len() == 1 {
            break;
        }
        up = tree.parent(at);
    }
    let below = made.saturating_sub(path.len());
    walk.back_to(below);
    for at in path.into_iter().rev() {
        if let Some(mv) = walk.record.tree.mv(at) {
            // The move has already been made in this position, so this cannot fail.
            let _ = walk.board.play(mv);
        }
    }
    walk.go_to(node);
}

/// Tracks move numbers: whether they count pairs or single moves, and which number is next.
#[derive(Default)]
struct Numbers {
    last: Option<(usize, usize)>,
    single: Option<bool>,
    /// Number of move numbers that are missing in the text.
    left_out: usize,
    /// Number of moves that are missing in the first pair: 1 if white moves first, so that the pair has no move of
    /// black.
    before: usize,
}

impl Numbers {
    /// Handles a number that precedes move `made + 1`.
    fn see(
        &mut self,
        number: usize,
        made: usize,
        item: &Item<'_>,
        repairing: &mut Repairing<'_>,
    ) -> Result<(), RecordError> {
        if let (Some((_, before)), None) = (self.last, self.single) {
            self.single = Some(made == before + 1);
        }
        let per = if self.single == Some(true) { 1 } else { 2 };
        let expected = made.div_ceil(per) + 1 + self.left_out;
        let complete = made.is_multiple_of(per);
        if number != expected || !complete {
            // A single number may be missing between consecutive moves.
            if repairing.numbers && complete && made > 0 && number == expected + 1 {
                repairing.mends.push(format!("{}: number {number} read as {expected}", item.place()));
                self.left_out += 1;
            } else if complete {
                return Err(item.error(format!("expected number {expected}, found {number}")));
            } else {
                return Err(item.error(format!("expected another move before number {number}")));
            }
        }
        self.last = Some((number, made));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads the games in `text` without repair. Also returns the source with its warnings.
    fn games(text: &str) -> (Result<Vec<Record>, RecordError>, Source<'_>) {
        let mut source = Source::new(text);
        let mut request = Request {
            game: None,
            repair: false,
            judge: &mut (),
            each: &mut |_| (),
            mends: vec![],
            games: vec![],
        };
        read(&mut source, &mut request);
        (request.games.into_iter().collect(), source)
    }

    fn all(text: &str) -> Result<Vec<Record>, RecordError> {
        let (games, mut source) = games(text);
        let games = games?;
        if let Some(error) = source.failures().into_iter().next() {
            return Err(error);
        }
        source.finish().into_iter().next().map_or(Ok(games), Err)
    }

    fn moves(text: &str) -> Result<Vec<String>, RecordError> {
        let records = all(text)?;
        Ok(records[0].moves().into_iter().map(sanban_rules::shogi::Position::usi).collect())
    }

    #[test]
    fn both_families_pairs_and_single_numbers() {
        let expected = Ok(["7g7f", "3c3d", "8h2b+", "3a2b", "B*4e"].map(String::from).to_vec());
        for text in [
            "1.P7g-7f P3c-3d 2.B8hx2b+ S3ax2b 3.B'4e",
            "1. P7f P3d 2. Bx2b+ Sx2b 3. B*4e",
            "1. P-7f 2. P-3d 3. Bx2b+ 4. Sx2b 5. B*4e",
            "3.B'4e 1.P7f P3d 2.Bx2b+ Sx2b",
            "#1 1.P7f {a comment} P3d 2.Bx2b+ (2.P2f) Sx2b 3.B'4e",
        ] {
            assert_eq!(moves(text), expected, "{text}");
        }
    }

    #[test]
    fn ends_in_words() {
        for text in ["1.P7f P3d black resigns", "1.P7f P3d black resign.", "1.P7f P3d resigns"] {
            let records = all(text).expect("a game");
            assert_eq!(records[0].end(), Some(&End::Resign), "{text}");
        }
    }

    #[test]
    fn handicaps_have_english_names() {
        let start = |text: &str| all(text).map(|records| records[0].start.clone());
        let lance = "lnsgkgsn1/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1";
        for name in ["Lance", "lance handicap", "Left Lance", "香落ち"] {
            assert_eq!(
                start(&format!("[Handicap \"{name}\"]\n1. P-3d P-7f")),
                Ok(Some(lance.into())),
                "{name}"
            );
        }
        for name in ["6 pieces", "six-piece", "Rook + Lance", "2", "rook and bishop", "10-piece"] {
            assert!(matches!(start(&format!("Handicap: {name}\n1. P-3d P-7f")), Ok(Some(_))), "{name}");
        }
        assert_eq!(start("[Handicap \"even\"]\n1. P-7f"), Ok(None));
        assert!(
            start("[Handicap \"a Queen\"]\n1. P-7f").is_err_and(|error| error.problem.contains("a Queen"))
        );
    }

    #[test]
    fn text_and_headers_above_the_moves() {
        let text = "A fine game.\nBlack: Habu / White: Sato\n\n1. P-7f P-3d\n2. P-2f P-8d\n3. Resigns\n";
        let (records, source) = games(text);
        let records = records.expect("a game");
        assert_eq!((records.len(), records[0].moves().len()), (1, 4));
        assert_eq!(records[0].headers.player(Color::White), Some("Sato"));
        assert_eq!(records[0].end(), Some(&End::Resign));
        assert_eq!(records[0].tree.comment(records[0].tree.root()), "A fine game.");
        assert_eq!(source.finish()[0].to_string(), "line 1, column 1: kept as a comment: A fine game.");
    }

    #[test]
    fn headers_of_another_player_begin_another_game() {
        let text = "[Sente \"A\"]\n[Gote \"B\"]\n\n[Sente \"C\"]\n[Gote \"D\"]\n1. P-7f P-3d";
        let records = all(text).expect("two games");
        let players: Vec<_> = records.iter().map(|record| record.headers.player(Color::Black)).collect();
        assert_eq!(players, [Some("A"), Some("C")]);
    }

    /// Each line above the moves is processed only once.
    #[test]
    fn long_texts_above_the_moves_take_no_longer() {
        for line in ["[Event \"x\"]\n", "A line of text.\n"] {
            let text = line.repeat(60_000) + "1. P-7f P-3d\n";
            let begin = std::time::Instant::now();
            assert_eq!(games(&text).0.map(|games| games.len()), Ok(1), "{line}");
            assert!(begin.elapsed().as_secs() < 4, "{line}");
        }
    }

    #[test]
    fn kinds_of_ends() {
        let end = |text: &str| all(text).map(|records| records[0].end().cloned());
        assert_eq!(end("1. P-7f P-3d 2. P-2f draw (repetition)"), Ok(Some(End::Repetition)));
        let with = |kind: &str, result: &str| {
            end(&format!("[Result \"{result}\"]\n[Termination \"{kind}\"]\n1. P-7f P-3d 2. P-2f"))
        };
        assert_eq!(with("time forfeit", "1-0"), Ok(Some(End::Timeout)));
        assert_eq!(with("illegal move", "0-1"), Ok(Some(End::FoulWin)));
        assert_eq!(with("normal", "1-0"), Ok(Some(End::Resign)));
        assert_eq!(moves("1. P-7f {good} 1. ... P-3d").map(|moves| moves.len()), Ok(2));
    }

    #[test]
    fn mistakes_have_places() {
        let place = |text: &str| moves(text).map_err(|error| (error.line, error.column));
        assert_eq!(place("1.P7f P3d\n3.P2f"), Err((2, 1)));
        assert_eq!(place("1.P7f P3e"), Err((1, 7)));
        assert_eq!(place("1.Plg-lf"), Err((1, 3)));
        assert_eq!(place("1.P7f (P2f"), Err((1, 8)));
        assert_eq!(place("1.Px7f"), Err((1, 3)));
        assert_eq!(place("1.G5h"), Err((1, 3)));
        assert_eq!(place("1.P7f {never"), Err((1, 7)));
    }
}
