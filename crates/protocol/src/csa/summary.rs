//! The game summary that the server sends before a game.

use sanban_formats::record::{Format, Reader};
use sanban_rules::shogi::Position;
use sanban_rules::{Color, Shogi, Variant};
use std::time::Duration;
use thiserror::Error;

/// Why a game cannot be played.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum SummaryError {
    #[error("the game summary has no {0}")]
    Missing(&'static str),
    #[error("{name}: invalid value: {value}")]
    Value { name: String, value: String },
    #[error("position: {0}")]
    Position(String),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimeControl {
    /// The unit of the server's times.
    pub unit: Duration,
    /// Time for the game, or the remaining time of a resumed game.
    pub total: Duration,
    /// Time for each move once the main time is used up.
    pub byoyomi: Duration,
    /// Time added for each move.
    pub increment: Duration,
}

impl Default for TimeControl {
    fn default() -> Self {
        let zero = Duration::ZERO;
        Self { unit: Duration::from_secs(1), total: zero, byoyomi: zero, increment: zero }
    }
}

#[derive(Clone, Debug)]
pub struct Summary {
    pub id: String,
    pub names: [String; 2],
    pub side: Color,
    /// The time controls of both sides.
    pub times: [TimeControl; 2],
    /// The game is drawn after this many moves; 0 for no limit.
    pub max_moves: u32,
    /// The position as CSA lines, with the moves that have already been made.
    pub lines: Vec<String>,
    /// SFEN of the initial position; `None` for the standard start position.
    pub start: Option<String>,
    /// The position after the moves.
    pub pos: Position,
    /// The moves, in USI.
    pub moves: Vec<String>,
}

impl Summary {
    /// Reads the lines between `BEGIN Game_Summary` and `END Game_Summary`.
    pub fn read(lines: &[String]) -> Result<Self, SummaryError> {
        let mut blocks: Vec<String> = Vec::new();
        let (mut fields, mut times, mut position) = (Vec::new(), [Vec::new(), Vec::new()], Vec::new());
        for line in lines {
            if let Some(name) = line.strip_prefix("BEGIN ") {
                blocks.push(name.into());
            } else if line.starts_with("END ") {
                blocks.pop();
            } else {
                match blocks.last().map(String::as_str) {
                    None => fields.push(pair(line)),
                    Some("Time") => times.iter_mut().for_each(|times| times.push(pair(line))),
                    Some("Time+") => times[0].push(pair(line)),
                    Some("Time-") => times[1].push(pair(line)),
                    Some("Position") => position.push(line.clone()),
                    Some(_) => {}
                }
            }
        }
        let find = |name: &'static str| {
            let found = fields.iter().find(|(known, _)| *known == name).map(|(_, value)| *value);
            found.ok_or(SummaryError::Missing(name))
        };
        let side = match find("Your_Turn")? {
            "+" => Color::Black,
            "-" => Color::White,
            other => {
                return Err(SummaryError::Value { name: "Your_Turn".into(), value: other.into() });
            }
        };
        let max_moves = match find("Max_Moves") {
            Ok(text) => number("Max_Moves", text)? as u32,
            Err(_) => 0,
        };
        if position.is_empty() {
            return Err(SummaryError::Missing("position"));
        }
        let (start, moves, pos) = read_position(&position)?;
        let [black, white] = &times;
        let times = [time_control(black, '+')?, time_control(white, '-')?];
        Ok(Self {
            id: find("Game_ID")?.into(),
            names: [find("Name+")?.into(), find("Name-")?.into()],
            side,
            times,
            max_moves,
            lines: position,
            start,
            pos,
            moves,
        })
    }
}

fn pair(line: &str) -> (&str, &str) {
    let (name, value) = line.split_once(':').unwrap_or((line, ""));
    (name, value.trim())
}

fn number(name: &str, value: &str) -> Result<u64, SummaryError> {
    let wrong = || SummaryError::Value { name: name.into(), value: value.into() };
    value.parse().ok().filter(|&n: &u64| n <= u64::from(u32::MAX)).ok_or_else(wrong)
}

fn time_control(fields: &[(&str, &str)], sign: char) -> Result<TimeControl, SummaryError> {
    let mut out = TimeControl::default();
    let find = |name: &str| fields.iter().rfind(|(known, _)| *known == name).map(|(_, value)| *value);
    if let Some(text) = find("Time_Unit") {
        let digits = text.trim_end_matches(char::is_alphabetic);
        let count = if digits.is_empty() { 1 } else { number("Time_Unit", digits)? };
        let unit = match &text[digits.len()..] {
            "msec" => Duration::from_millis(1),
            "sec" => Duration::from_secs(1),
            "min" => Duration::from_secs(60),
            _ => return Err(SummaryError::Value { name: "Time_Unit".into(), value: text.into() }),
        };
        out.unit = unit * count as u32;
    }
    let time = |name: &str| match find(name) {
        Some(text) => Ok(Some(out.unit * number(name, text)? as u32)),
        None => Ok(None),
    };
    let (total, byoyomi, increment) = (time("Total_Time")?, time("Byoyomi")?, time("Increment")?);
    let left = time(&format!("Remaining_Time{sign}"))?;
    out.total = left.or(total).unwrap_or_default();
    out.byoyomi = byoyomi.unwrap_or_default();
    out.increment = increment.unwrap_or_default();
    Ok(out)
}

/// Parses CSA lines: the initial position (SFEN), the moves in USI and the final position.
fn read_position(lines: &[String]) -> Result<(Option<String>, Vec<String>, Position), SummaryError> {
    let wrong = SummaryError::Position;
    let text = format!("V2.2\n{}\n", lines.join("\n"));
    let reader = Reader { format: Some(Format::Csa), ..Reader::default() };
    let mut reading = reader.read_text(&text).map_err(|error| wrong(error.to_string()))?;
    let record = reading.records.pop().ok_or_else(|| wrong("no game".into()))?;
    let start = record.start.clone();
    let mut pos =
        Shogi::parse(start.as_deref().unwrap_or(Shogi::START)).map_err(|error| wrong(error.to_string()))?;
    let mut moves = Vec::new();
    for mv in record.moves() {
        use sanban_rules::Position as _;
        pos.try_play(mv).map_err(|error| wrong(error.to_string()))?;
        moves.push(Position::usi(mv));
    }
    Ok((start, moves, pos))
}

#[cfg(test)]
mod tests {
    use super::*;
    use sanban_rules::Position as _;

    fn lines(text: &str) -> Vec<String> {
        text.lines().map(|line| line.trim().to_string()).collect()
    }

    const SUMMARY: &str = "Protocol_Version:1.2
        Protocol_Mode:Server
        Format:Shogi 1.0
        Declaration:Jishogi 1.1
        Game_ID:test+floodgate-300-10F+a+b+20261125
        Name+:a
        Name-:b
        Your_Turn:-
        Rematch_On_Draw:NO
        To_Move:+
        Max_Moves:256
        BEGIN Time
        Time_Unit:1sec
        Total_Time:300
        Byoyomi:0
        Increment:10
        Least_Time_Per_Move:0
        END Time
        BEGIN Position
        P1-KY-KE-GI-KI-OU-KI-GI-KE-KY
        P2 * -HI *  *  *  *  * -KA *\x20
        P3-FU-FU-FU-FU-FU-FU-FU-FU-FU
        P4 *  *  *  *  *  *  *  *  *\x20
        P5 *  *  *  *  *  *  *  *  *\x20
        P6 *  *  *  *  *  *  *  *  *\x20
        P7+FU+FU+FU+FU+FU+FU+FU+FU+FU
        P8 * +KA *  *  *  *  * +HI *\x20
        P9+KY+KE+GI+KI+OU+KI+GI+KE+KY
        +
        +2726FU,T12
        END Position";

    #[test]
    fn a_summary_is_read() {
        let summary = Summary::read(&lines(SUMMARY)).expect("a summary");
        assert_eq!(summary.id, "test+floodgate-300-10F+a+b+20261125");
        assert_eq!((summary.side, summary.max_moves), (Color::White, 256));
        assert_eq!(summary.moves, ["2g2f"]);
        assert_eq!((summary.start, summary.pos.side()), (None, Color::White));
        let control = summary.times[1];
        assert_eq!((control.total.as_secs(), control.increment.as_secs()), (300, 10));
    }

    #[test]
    fn times_may_differ_and_have_units() {
        let text =
            SUMMARY.replace("1sec", "1min").replace("Total_Time:300", "Total_Time:5\nRemaining_Time-:2");
        let times = Summary::read(&lines(&text)).expect("a summary").times;
        assert_eq!(times.map(|control| control.total.as_secs()), [300, 120]);
        let text = SUMMARY.replace("1sec", "100msec");
        assert_eq!(Summary::read(&lines(&text)).expect("a summary").times[0].total.as_secs(), 30);
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        let error = |from: &str, to: &str| {
            Summary::read(&lines(&SUMMARY.replace(from, to))).expect_err("an error").to_string()
        };
        assert_eq!(error("Game_ID", "Game"), "the game summary has no Game_ID");
        assert_eq!(error("Your_Turn:-", "Your_Turn:x"), "Your_Turn: invalid value: x");
        assert_eq!(error("Byoyomi:0", "Byoyomi:-1"), "Byoyomi: invalid value: -1");
        assert_eq!(error("1sec", "1day"), "Time_Unit: invalid value: 1day");
        assert!(error("+2726FU", "+2725FU").starts_with("position: "));
    }
}
