//! A game in progress.

use super::clock::Clocks;
use super::connection::Connection;
use super::engine::Engine;
use super::game::{comment, read, text};
use super::record::RecordFile;
use super::summary::Summary;
use crate::usi::command::Go;
use crate::usi::engine::Answer;
use crate::usi::task::Task;
use sanban_rules::shogi::Position as Shogi;
use sanban_rules::{Color, Move, Position};
use std::io;
use std::sync::Arc;

/// How a game ended for this client.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    Win,
    Loss,
    Draw,
    /// The server ended the game without a result.
    Stopped,
}

pub struct Table {
    summary: Summary,
    pos: Shogi,
    moves: Vec<String>,
    clocks: Clocks,
    record: Option<RecordFile>,
    ponders: bool,
    comments: bool,
    running: Option<(Arc<Task>, Kind)>,
    /// The move that was sent and is not yet confirmed by the server, with its comment.
    sent: Option<(String, Option<String>)>,
    /// The move that the engine expects.
    expected: Option<String>,
    /// The side to move after the last move that the server has confirmed.
    to_move: Color,
    /// The special move that ended the game, such as `%KACHI`.
    special: Option<String>,
    /// The server's reason for the end, such as `#JISHOGI`.
    reason: Option<String>,
}

enum Kind {
    Move,
    /// A search on the opponent's time, which expects this move.
    Ponder(Move),
}

impl Table {
    pub fn new(summary: Summary, record: Option<RecordFile>, ponders: bool, comments: bool) -> Self {
        let (pos, moves, clocks) = (summary.pos.clone(), summary.moves.clone(), Clocks::new(summary.times));
        Self {
            to_move: pos.side(),
            special: None,
            summary,
            pos,
            moves,
            clocks,
            record,
            ponders,
            comments,
            running: None,
            sent: None,
            expected: None,
            reason: None,
        }
    }

    pub fn id(&self) -> &str {
        &self.summary.id
    }

    /// The server's reason for the end of the game, such as `JISHOGI`, or an empty text.
    pub fn reason(&self) -> &str {
        self.reason.as_ref().or(self.special.as_ref()).map_or("", |text| text.trim_start_matches(['#', '%']))
    }

    /// Starts a search if this client is to move.
    pub fn start(&mut self, engine: &Engine) {
        if self.pos.side() == self.summary.side {
            self.think(engine);
        }
    }

    /// Handles a line from the server; returns the outcome when the game is over.
    pub fn line(&mut self, line: &str, engine: &Engine) -> io::Result<Option<Outcome>> {
        match line.as_bytes().first() {
            Some(b'+' | b'-') => self.moved(line, engine)?,
            Some(b'%') => {
                self.stop();
                self.special.get_or_insert_with(|| line.split(',').next().unwrap_or_default().into());
            }
            Some(b'#') => {
                self.stop();
                let outcome = match line {
                    "#WIN" => Outcome::Win,
                    "#LOSE" => Outcome::Loss,
                    "#DRAW" => Outcome::Draw,
                    // A game that is stopped at the move limit is a draw.
                    "#CENSORED" if self.reason() == "MAX_MOVES" => Outcome::Draw,
                    "#CENSORED" | "#CHUDAN" => Outcome::Stopped,
                    _ => {
                        self.reason.get_or_insert_with(|| line.into());
                        return Ok(None);
                    }
                };
                self.end(outcome, &line[1..])?;
                return Ok(Some(outcome));
            }
            _ => {}
        }
        Ok(None)
    }

    /// Handles the answer of a search and sends it.
    ///
    /// # Errors
    /// The connection is lost.
    pub fn answer(
        &mut self,
        task: &Arc<Task>,
        answer: Answer,
        engine: &Engine,
        connection: &mut Connection,
    ) -> io::Result<()> {
        if !self.running.as_ref().is_some_and(|(running, _)| Arc::ptr_eq(running, task)) {
            return Ok(());
        }
        let Some((_, Kind::Move)) = self.running.take() else { return Ok(()) };
        let Answer::Move { best, ponder, line } = answer else {
            let word = if answer == Answer::Declaration { "%KACHI" } else { "%TORYO" };
            return connection.send(word);
        };
        let Some(mv) = self.pos.parse_usi(&best) else { return connection.send("%TORYO") };
        let Some(text) = text(&self.pos, mv) else { return connection.send("%TORYO") };
        let comment = line.map(|line| comment(&self.pos, line.score, &line.pv));
        let message = match &comment {
            Some(comment) if self.comments => format!("{text},'{comment}"),
            _ => text.clone(),
        };
        connection.send(&message)?;
        self.play(mv);
        self.sent = Some((text, comment));
        self.expected = ponder;
        self.ponder(engine);
        Ok(())
    }

    pub fn stop(&mut self) {
        if let Some((task, _)) = self.running.take() {
            task.close();
            task.stop();
        }
    }

    /// Ends the game after the connection was lost.
    pub fn cut(&mut self, reason: &str) -> io::Result<()> {
        self.stop();
        self.write(&format!("%CHUDAN\n'{reason}"))
    }

    /// Handles a move with its time, as sent by the server to both players.
    fn moved(&mut self, line: &str, engine: &Engine) -> io::Result<()> {
        let mut parts = line.split(',');
        let (mv, time) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
        let side = if mv.starts_with('+') { Color::Black } else { Color::White };
        let units: u32 = time.strip_prefix('T').and_then(|text| text.parse().ok()).unwrap_or(0);
        self.clocks.spend(side, units);
        self.to_move = !side;
        self.write(&format!("{mv}\nT{units}"))?;
        if side == self.summary.side {
            if let Some((_, comment)) = self.sent.take_if(|(sent, _)| *sent == mv) {
                return comment.map_or(Ok(()), |comment| self.write(&format!("'*{comment}")));
            }
            // The server confirms a move that this client did not make, so the game cannot continue.
            self.stop();
            return self.write("'a move by another client");
        }
        let Some(found) = read(&self.pos, mv) else {
            // The server will report that it was illegal.
            self.stop();
            return self.write("'not a legal move");
        };
        let hit = matches!(&self.running, Some((_, Kind::Ponder(expected))) if *expected == found);
        self.play(found);
        if hit {
            if let Some((task, kind)) = &mut self.running {
                *kind = Kind::Move;
                task.ponderhit(self.clocks.clock());
            }
        } else {
            self.stop();
            self.think(engine);
        }
        Ok(())
    }

    fn play(&mut self, mv: Move) {
        self.moves.push(Shogi::usi(mv));
        self.pos.play(mv);
    }

    fn think(&mut self, engine: &Engine) {
        let go = Go { clock: self.clocks.clock(), ..Go::default() };
        let task = engine.search(self.summary.start.clone(), self.moves.clone(), go);
        self.running = Some((task, Kind::Move));
    }

    /// Searches on the opponent's time, if a reply is expected.
    fn ponder(&mut self, engine: &Engine) {
        let Some(reply) = self.expected.take().filter(|_| self.ponders) else { return };
        let Some(mv) = self.pos.parse_usi(&reply) else { return };
        let mut next = self.pos.clone();
        next.play(mv);
        if next.count() == 0 || next.verdict(0).is_some() {
            return;
        }
        let go = Go { clock: self.clocks.clock(), ponder: true, ..Go::default() };
        let moves = self.moves.iter().cloned().chain([reply]).collect();
        let task = engine.search(self.summary.start.clone(), moves, go);
        self.running = Some((task, Kind::Ponder(mv)));
    }

    /// Records the end: the CSA word, the summary in the form of the server's own records, and the result as `said` by
    /// the server.
    fn end(&mut self, outcome: Outcome, said: &str) -> io::Result<()> {
        let winner = match outcome {
            Outcome::Win => Some(self.summary.side),
            Outcome::Loss => Some(!self.summary.side),
            Outcome::Draw | Outcome::Stopped => None,
        };
        let word = match outcome {
            Outcome::Stopped => "CHUDAN",
            _ => word(self.reason(), winner, self.to_move),
        };
        let mut text = format!("%{word}\n");
        if outcome != Outcome::Stopped {
            let cause = match (self.reason(), self.special.as_deref()) {
                ("ILLEGAL_MOVE", Some("%KACHI")) => "illegal kachi".into(),
                ("ILLEGAL_MOVE", _) => "illegal move".into(),
                ("RESIGN", _) => "toryo".into(),
                ("TIME_UP", _) => "time up".into(),
                ("JISHOGI", Some("%KACHI")) => "kachi".into(),
                (other, _) => other.to_ascii_lowercase(),
            };
            let result =
                |side: Color| winner.map_or("draw", |winner| if winner == side { "win" } else { "lose" });
            let [black, white] = &self.summary.names;
            let results = Color::ALL.map(result);
            text += &format!("'summary:{cause}:{black} {}:{white} {}\n", results[0], results[1]);
        }
        self.write(&format!("{text}'{said}"))
    }

    fn write(&mut self, line: &str) -> io::Result<()> {
        self.record.as_mut().map_or(Ok(()), |record| record.line(line))
    }
}

/// The CSA word for an end with the right winner, which readers derive from the word and the side to move. A reason that
/// would show the wrong winner becomes a loss by a foul.
fn word(reason: &str, winner: Option<Color>, to_move: Color) -> &str {
    match (reason, winner) {
        ("SENNICHITE" | "JISHOGI" | "MAX_MOVES", None) => reason,
        (_, None) => "HIKIWAKE",
        ("JISHOGI" | "KACHI", Some(winner)) if winner == to_move => "KACHI",
        (_, Some(Color::Black)) if to_move == Color::Black => "-ILLEGAL_ACTION",
        (_, Some(Color::White)) if to_move == Color::White => "+ILLEGAL_ACTION",
        ("TIME_UP", _) => "TIME_UP",
        ("RESIGN" | "TORYO" | "", _) => "TORYO",
        _ => "ILLEGAL_MOVE",
    }
}
