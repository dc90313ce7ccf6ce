//! Writer for CSA.

use crate::record::board::{Board, HAND_ORDER};
use crate::record::encoding::Encoding;
use crate::record::end::End;
use crate::record::error::WriteError;
use crate::record::names;
use crate::record::tree::{Action, Headers, Record};
use sanban_rules::Color;
use sanban_rules::shogi::Kind;
use std::borrow::Cow;
use std::fmt::Write as _;

/// CSA header keywords, with the names of the headers in [`Headers`].
pub(super) const HEADERS: [(&str, &str); 11] = [
    ("EVENT", Headers::EVENT),
    ("SITE", Headers::SITE),
    ("START_TIME", Headers::STARTED),
    ("END_TIME", Headers::ENDED),
    ("TIME_LIMIT", Headers::TIME),
    ("TIME", Headers::TIME),
    ("TIME+", "先手持ち時間"),
    ("TIME-", "後手持ち時間"),
    ("OPENING", Headers::OPENING),
    ("NOTE", Headers::NOTE),
    ("MAX_MOVES", "最大手数"),
];

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Version {
    V22,
    V30,
}

pub(super) fn write(record: &Record, version: Version, encoding: Encoding) -> Result<String, WriteError> {
    let mut out = match version {
        Version::V22 => "V2.2\n".to_string(),
        Version::V30 => format!("'CSA encoding={}\nV3.0\n", encoding.name().to_ascii_uppercase()),
    };
    let mut board = Board::from_start(record.start.as_deref())?;
    write_headers(&mut out, record, version);
    write_position(&mut out, record, &board);
    let tree = &record.tree;
    comment(&mut out, tree.comment(tree.root()));
    for node in tree.main_line() {
        match tree.action(node) {
            Some(&Action::Move(mv)) => {
                let number = board.made() + 1;
                let wrong = |problem: &str| WriteError::Move { number, problem: problem.into() };
                let piece = board.mover(mv).map_err(wrong)?;
                let kind = piece.kind().promoted().filter(|_| mv.is_promotion()).unwrap_or(piece.kind());
                let sign = if board.side() == Color::Black { '+' } else { '-' };
                let from = if mv.is_drop() { "00".into() } else { square_text(mv.from()) };
                let _ = writeln!(out, "{sign}{from}{}{}", square_text(mv.to()), names::in_csa(kind));
                board.play(mv).map_err(wrong)?;
            }
            Some(Action::End(end)) => match end.csa(board.side()) {
                Some(word) => {
                    let _ = writeln!(out, "%{word}");
                    if matches!(end, End::Counted(_)) {
                        let _ = writeln!(out, "'{}", end.summary(board.made(), board.side(), false));
                    }
                }
                // CSA has no keyword for this end, and a time would apply to the previous move.
                None => {
                    let _ = writeln!(out, "'{}", end.summary(board.made(), board.side(), false));
                    comment(&mut out, tree.comment(node));
                    continue;
                }
            },
            None => {}
        }
        if let Some(time) = tree.time(node) {
            let millis = time.subsec_millis();
            if version == Version::V30 && millis > 0 {
                let _ = writeln!(out, "T{}.{millis:03}", time.as_secs());
            } else {
                let _ = writeln!(out, "T{}", time.as_secs());
            }
        }
        comment(&mut out, tree.comment(node));
    }
    Ok(out)
}

fn square_text(square: usize) -> String {
    format!("{}{}", square / 9 + 1, square % 9 + 1)
}

fn comment(out: &mut String, text: &str) {
    if !text.is_empty() {
        for line in text.split('\n') {
            let _ = writeln!(out, "'*{line}");
        }
    }
}

/// Returns whether CSA can represent a header: its name must have a CSA keyword or be a valid keyword itself.
pub(super) fn holds_header(name: &str) -> bool {
    HEADERS.iter().any(|(_, known)| *known == name)
        || [Headers::BLACK, Headers::WHITE].contains(&name)
        || is_word(name)
}

/// Returns whether a name is a valid CSA keyword that does not denote another header.
fn is_word(name: &str) -> bool {
    !name.is_empty()
        && HEADERS.iter().all(|(keyword, _)| *keyword != name)
        && name.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b"_+-".contains(&b))
}

fn write_headers(out: &mut String, record: &Record, version: Version) {
    let clean = |value: &str| value.replace(['\n', '\r'], " ");
    for (sign, color) in [('+', Color::Black), ('-', Color::White)] {
        if let Some(name) = record.headers.player(color) {
            let _ = writeln!(out, "N{sign}{}", clean(name));
        }
    }
    for (name, value) in record.headers.iter() {
        if name == Headers::TIME {
            let (word, value) = time_control(value, version);
            let _ = writeln!(out, "${word}:{}", clean(&value));
            continue;
        }
        match HEADERS.iter().find(|(_, known)| *known == name) {
            Some((word, _)) => {
                let _ = writeln!(out, "${word}:{}", clean(value));
            }
            None if is_word(name) => {
                let _ = writeln!(out, "${name}:{}", clean(value));
            }
            None => {}
        }
    }
}

/// The keyword for a time control, and its value. The syntax depends on the version: `$TIME_LIMIT:00:25+30` or
/// `$TIME:1500+30+0`. Other values are written unchanged.
fn time_control(value: &str, version: Version) -> (&'static str, Cow<'_, str>) {
    let number = |text: &str| text.parse::<u64>().ok().filter(|_| text.bytes().all(|b| b.is_ascii_digit()));
    let limit = || {
        let (time, countdown) = value.split_once('+')?;
        let (hours, minutes) = time.split_once(':')?;
        let minutes = number(hours)?.checked_mul(60)?.checked_add(number(minutes)?)?;
        Some((minutes.checked_mul(60)?, number(countdown)?))
    };
    let parts: Option<Vec<u64>> = value.split('+').map(number).collect();
    match (parts.as_deref(), version) {
        (Some(&[time, countdown, 0]), Version::V22) if time % 60 == 0 && countdown < 100 => {
            let (hours, minutes) = (time / 3600, time / 60 % 60);
            ("TIME_LIMIT", format!("{hours:02}:{minutes:02}+{countdown:02}").into())
        }
        (Some([_, _, _]), _) => ("TIME", value.into()),
        (_, Version::V30) if let Some((time, countdown)) = limit() => {
            ("TIME", format!("{time}+{countdown}+0").into())
        }
        _ => ("TIME_LIMIT", value.into()),
    }
}

/// Returns whether the time of the end is lost because CSA has no keyword for the end.
pub(super) fn loses_time(record: &Record) -> bool {
    let last = record.tree.main_line().last().copied();
    last.is_some_and(|last| match record.tree.action(last) {
        Some(Action::End(end)) => record.tree.time(last).is_some() && end.csa(record.last_side()).is_none(),
        _ => false,
    })
}

fn write_position(out: &mut String, record: &Record, board: &Board) {
    let sign = if board.side() == Color::Black { '+' } else { '-' };
    if record.start.is_none() {
        out.push_str("PI\n+\n");
        return;
    }
    for rank in 1..=9 {
        let _ = write!(out, "P{rank}");
        for file in (1..=9).rev() {
            match board.piece(names::square(file, rank)) {
                None => out.push_str(" * "),
                Some(piece) => {
                    let sign = if piece.color() == Color::Black { '+' } else { '-' };
                    let _ = write!(out, "{sign}{}", names::in_csa(piece.kind()));
                }
            }
        }
        out.push('\n');
    }
    for (sign, color) in [('+', Color::Black), ('-', Color::White)] {
        let held: Vec<Kind> = HAND_ORDER.into_iter().filter(|&kind| board.in_hand(color, kind) > 0).collect();
        if !held.is_empty() {
            let _ = write!(out, "P{sign}");
            for kind in held {
                let piece = format!("00{}", names::in_csa(kind));
                out.push_str(&piece.repeat(board.in_hand(color, kind)));
            }
            out.push('\n');
        }
    }
    let _ = writeln!(out, "{sign}");
}
