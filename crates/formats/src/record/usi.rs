//! USI and SFEN lines: `startpos moves ...` or `sfen ... moves ...`, one game per line.

use super::board::{Board, parse_move};
use super::encoding::Encoding;
use super::end::End;
use super::error::RecordError;
use super::format::{Family, FormatInfo, Sign};
use super::holds::Holds;
use super::line::Walk;
use super::source::{Line, Source, clip, trim};
use super::tree::{Action, Record, Tree};
use sanban_rules::{AnyPosition, Move, Square, UsiMove, VariantId};

static FAMILY: Family = Family {
    text: |_| None,
    first: |byte| b"ps".contains(&byte),
    begins: |line, _| is_usi(line),
    at_once: false,
    braces: false,
    followed: true,
    read: |source, request| request.finish(read(source, request.game)),
};

pub(super) static USI: FormatInfo = FormatInfo {
    names: &[("usi", Encoding::Utf8)],
    extensions: &[],
    suits: |_| true,
    holds: Holds::MOVES.union(Holds::NUMBER),
    holds_header: |_, _| false,
    loses: |_| Holds::empty(),
    between: Some(""),
    streams: true,
    line: |line| is_usi(line).then_some(Sign::Sure),
    family: &FAMILY,
    write: |record, _| Ok(write(record, false)),
};

pub(super) static SFEN: FormatInfo = FormatInfo {
    names: &[("sfen", Encoding::Utf8)],
    line: |_| None,
    write: |record, _| Ok(write(record, true)),
    ..USI
};

/// Reads input with one game per line; lines that begin with `#` are comments on the next game. `game` is used if the
/// board does not determine the game, as with `startpos`.
pub(super) fn read(source: &mut Source<'_>, game: Option<VariantId>) -> Vec<Result<Record, RecordError>> {
    let mut out = Vec::new();
    let mut comments: Vec<&str> = Vec::new();
    for line in source.lines() {
        let text = trim(line.text);
        if let Some(comment) = text.strip_prefix('#') {
            source.claim(line.text);
            comments.extend(Some(comment.trim()).filter(|comment| !comment.is_empty()));
        } else if !text.is_empty() {
            let mut record = read_line(&line, game, source);
            if let (Ok(record), false) = (&mut record, comments.is_empty()) {
                let root = record.tree.root();
                record.tree.set_comment(root, comments.join("\n"));
            }
            comments.clear();
            if record.is_err() {
                source.claim(line.text);
            }
            out.push(record);
        }
    }
    if !comments.is_empty() {
        let end = source.end();
        source.warn(&end, end.text, "a comment that is not followed by a game is ignored");
    }
    out
}

fn read_line(
    line: &Line<'_>,
    game: Option<VariantId>,
    source: &mut Source<'_>,
) -> Result<Record, RecordError> {
    let text = trim(line.text);
    let text = text.strip_prefix("position ").map_or(text, str::trim_start);
    let (place, moves) = match words(text).find(|word| *word == "moves") {
        Some(word) => {
            let at = word.as_ptr() as usize - text.as_ptr() as usize;
            (text[..at].trim(), Some(&text[at + word.len()..]))
        }
        None => (text, None),
    };
    let place = place.strip_prefix("sfen ").map_or(place, str::trim);
    // A tab ends the position: in lists of problems, the answer follows it.
    let place = place.split('\t').next().unwrap_or_default().trim();
    // Without a position, the game begins at the standard start position.
    let start = (!matches!(place, "startpos" | "")).then(|| place.to_string());
    let after = moves.unwrap_or(&text[place.as_ptr() as usize + place.len() - text.as_ptr() as usize..]);
    source.claim_until(line, after);
    let moves = moves.unwrap_or_default();
    let game = start.as_deref().and_then(|sfen| by_board(sfen, game)).or(game).unwrap_or_default();
    if game == VariantId::Shogi {
        read_shogi(line, place, start.as_deref(), moves, source)
    } else {
        read_other(game, line, place, start, moves, source)
    }
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split_ascii_whitespace()
}

/// The game whose board has this number of ranks; `game` is preferred if it fits.
fn by_board(sfen: &str, game: Option<VariantId>) -> Option<VariantId> {
    let ranks = |sfen: &str| sfen.split(' ').next().map_or(0, |board| board.matches('/').count());
    let same = |game: &VariantId| ranks(game.info().start) == ranks(sfen);
    let games = [VariantId::Shogi, VariantId::JanggiCasual, VariantId::Dobutsu];
    game.filter(same).or_else(|| games.into_iter().find(same))
}

fn read_shogi(
    line: &Line<'_>,
    place: &str,
    start: Option<&str>,
    moves: &str,
    source: &mut Source<'_>,
) -> Result<Record, RecordError> {
    let board = Board::from_start(start).map_err(|problem| line.error_at(place, problem))?;
    let mut walk = Walk::new(board, line)?;
    for word in words(moves) {
        if let Some(end) = end(word) {
            source.claim(word);
            walk.end(end, line, word, source)?;
            continue;
        }
        let mv = parse_move(word).ok_or_else(|| {
            line.error_at(word, format!("expected a move such as 7g7f, found {}", clip(word)))
        })?;
        walk.play(mv, line, word, source)?;
        source.claim(word);
    }
    Ok(walk.finish(source))
}

fn read_other(
    game: VariantId,
    line: &Line<'_>,
    place: &str,
    start: Option<String>,
    moves: &str,
    source: &mut Source<'_>,
) -> Result<Record, RecordError> {
    let mut record = Record::new(game, start.filter(|sfen| sfen != game.info().start));
    let mut pos = record.start_position().map_err(|problem| line.error_at(place, problem.to_string()))?;
    let mut node = record.tree.root();
    let mut all = words(moves).peekable();
    while let Some(word) = all.next() {
        source.claim(word);
        if let Some(end) = end(word) {
            record.tree.add(node, Action::End(end));
            break;
        }
        let Some(mv) = pos.parse_usi(word) else {
            // An illegal move ends the game.
            let illegal = illegal(&pos, word).filter(|_| all.peek().is_none_or(|word| end(word).is_some()));
            let mv = illegal
                .ok_or_else(|| line.error_at(word, format!("expected a legal move, found {}", clip(word))))?;
            let offset = word.as_ptr() as usize - line.text.as_ptr() as usize;
            source.warn_of_move(line.number, offset, record.moves().len() + 1, word);
            let ended = record.tree.add(node, Action::Move(mv));
            ended.and_then(|node| record.tree.add(node, Action::End(End::FoulWin)));
            // The end is that of the illegal move.
            all.next().into_iter().for_each(|word| source.claim(word));
            break;
        };
        pos.play(mv);
        let added = record.tree.add(node, Action::Move(mv));
        node = added.ok_or_else(|| line.error_at(word, format!("more than {} moves", Tree::MOST)))?;
    }
    if let Some(more) = all.next() {
        let problem = format!("unexpected text after the end of the game: {}", clip(more));
        source.fail(line.error_at(more, problem));
    }
    Ok(record)
}

fn is_usi(line: &str) -> bool {
    let mut words = line.split_ascii_whitespace();
    match words.next() {
        Some("position" | "startpos" | "sfen" | "moves") => true,
        // `board side hands`
        Some(board) => {
            board.matches('/').count() >= 3
                && board.bytes().all(|b| b.is_ascii_alphanumeric() || b"/+".contains(&b))
                && matches!(words.next(), Some("b" | "w"))
        }
        None => false,
    }
}

/// Parses a move on the board that need not be legal, if its squares exist.
fn illegal(pos: &AnyPosition, word: &str) -> Option<Move> {
    let (files, ranks) = pos.size();
    let number = |square: Square| square.number(files, ranks);
    match word.parse().ok()? {
        UsiMove::Board { from, to, promotion: false } if from != to => {
            Some(Move::board(number(from)?, number(to)?))
        }
        _ => None,
    }
}

/// The end for a word that some programs write after the moves.
fn end(word: &str) -> Option<End> {
    Some(match word {
        "resign" => End::Resign,
        "win" => End::Declaration,
        "interrupt" => End::Interrupt,
        "rep_draw" | "repetition" => End::Repetition,
        "draw" => End::Draw,
        "timeout" => End::Timeout,
        _ => return None,
    })
}

/// Writes a record as one line. With `explicit`, the standard start position is also written as SFEN.
fn write(record: &Record, explicit: bool) -> String {
    let mut out = match record.start {
        None if !explicit => "startpos".to_string(),
        _ => format!("sfen {}", record.start_sfen()),
    };
    let (pos, moves) = (AnyPosition::new(record.game), record.moves());
    if !moves.is_empty() {
        out.push_str(" moves");
    }
    // A move has at most five characters.
    out.reserve(6 * moves.len() + 1);
    for mv in moves {
        out.push(' ');
        let _ = pos.notation(mv).write_to(&mut out);
    }
    out.push('\n');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, game: Option<VariantId>) -> Result<Vec<Record>, RecordError> {
        super::read(&mut Source::new(text), game).into_iter().collect()
    }

    #[test]
    fn lines_of_every_game_come_back() {
        for &id in VariantId::ALL {
            let pos = AnyPosition::new(id);
            let text = format!("startpos moves {}\n", pos.display(pos.legal_moves()[0]));
            let records = read(&text, Some(id)).expect("a game");
            assert_eq!((records.len(), records[0].game), (1, id));
            assert_eq!(write(&records[0], false), text);
            let explicit = write(&records[0], true);
            assert_eq!(read(&explicit, Some(id)), Ok(records));
        }
    }

    #[test]
    fn the_board_tells_the_game() {
        let game = |text: &str| read(text, None).map(|records| records[0].game);
        assert_eq!(game("sfen gle/1c1/1C1/ELG b - 1 moves 2c2b"), Ok(VariantId::Dobutsu));
        assert_eq!(game("4k4/9/9/9/9/9/9/9/9/4K4 b - 1"), Ok(VariantId::JanggiCasual));
        assert_eq!(game("position startpos moves 7g7f 3c3d resign"), Ok(VariantId::Shogi));
    }

    #[test]
    fn errors_have_places() {
        let error = read("startpos\nstartpos moves 7g7f xx\n", None).expect_err("xx is not a move");
        assert_eq!((error.line, error.column), (2, 21));
        let error = read("startpos moves 7g7f 7g7f\n", None).expect_err("no pawn on the origin square");
        assert_eq!((error.line, error.column), (1, 21));
        assert!(error.problem.contains("no piece"));
    }
}
