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
    /// A win.
    Win,
    /// A loss.
    Loss,
    /// A draw.
    Draw,
    /// The server ended the game without a result.
    Stopped,
}

/// A game in progress.
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
    /// The server's reason for the end.
    reason: Option<String>,
}

/// The purpose of a search.
enum Kind {
    Move,
    /// A search on the opponent's time, which expects this move.
    Ponder(Move),
}

impl Table {
    /// A game that the server has started.
    pub fn new(summary: Summary, record: Option<RecordFile>, ponders: bool, comments: bool) -> Self {
        let (pos, moves, clocks) = (summary.pos.clone(), summary.moves.clone(), Clocks::new(summary.times));
        Self {
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

    /// The identifier of the game.
    pub fn id(&self) -> &str {
        &self.summary.id
    }

    /// The server's reason for the end of the game, or an empty text.
    pub fn reason(&self) -> &str {
        self.reason.as_deref().unwrap_or("")
    }

    /// Starts a search if this client is to move.
    pub fn start(&mut self, engine: &Engine) {
        if self.pos.side() == self.summary.side {
            self.think(engine);
        }
    }

    /// Handles a line from the server; returns the outcome when the game is over.
    ///
    /// # Errors
    /// The record cannot be written.
    pub fn line(&mut self, line: &str, engine: &Engine) -> io::Result<Option<Outcome>> {
        match line.as_bytes().first() {
            Some(b'+' | b'-') => self.moved(line, engine)?,
            Some(b'%') => {
                self.stop();
                let word = line.split(',').next().unwrap_or_default();
                self.write(word)?;
                self.reason.get_or_insert_with(|| word.to_string());
            }
            Some(b'#') => {
                self.stop();
                let outcome = match line {
                    "#WIN" => Outcome::Win,
                    "#LOSE" => Outcome::Loss,
                    "#DRAW" => Outcome::Draw,
                    "#CENSORED" | "#CHUDAN" => Outcome::Stopped,
                    _ => {
                        self.ended(line)?;
                        return Ok(None);
                    }
                };
                if outcome == Outcome::Stopped && self.reason.is_none() {
                    self.ended("#CHUDAN")?;
                }
                // A game that is stopped at the move limit is a draw.
                let limit = self.reason.as_deref() == Some("#MAX_MOVES");
                self.write(&format!("'{}", &line[1..]))?;
                return Ok(Some(if limit && outcome == Outcome::Stopped { Outcome::Draw } else { outcome }));
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

    /// Abandons the search in progress.
    pub fn stop(&mut self) {
        if let Some((task, _)) = self.running.take() {
            task.close();
            task.stop();
        }
    }

    /// Ends the game after the connection was lost.
    ///
    /// # Errors
    /// The record cannot be written.
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

    /// Handles the reason for the end, which the server sends before the result.
    fn ended(&mut self, line: &str) -> io::Result<()> {
        let has_special = self.reason.as_ref().is_some_and(|reason| reason.starts_with('%'));
        if self.reason.is_none() || has_special {
            self.reason = Some(line.to_string());
        }
        // A move such as `%TORYO` already states it.
        if has_special {
            return Ok(());
        }
        let word = match line {
            "#RESIGN" => "%TORYO",
            "#TIME_UP" => "%TIME_UP",
            "#ILLEGAL_MOVE" => "%ILLEGAL_MOVE",
            "#SENNICHITE" => "%SENNICHITE",
            // The side that gave check has lost; the result shows which one.
            "#OUTE_SENNICHITE" => "%SENNICHITE",
            "#JISHOGI" => "%JISHOGI",
            "#MAX_MOVES" => "%MAX_MOVES",
            "#CHUDAN" => "%CHUDAN",
            other => return self.write(&format!("'{}", other.trim_start_matches('#'))),
        };
        self.write(word)
    }

    fn write(&mut self, line: &str) -> io::Result<()> {
        self.record.as_mut().map_or(Ok(()), |record| record.line(line))
    }
}
