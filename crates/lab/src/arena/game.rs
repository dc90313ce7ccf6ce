//! One game between two engines, refereed by the rules.

use super::adjudicate::{self, Scores, Solver, by_table};
use super::clock::Clock;
use super::conditions::Conditions;
use super::engine::{Answer, Engine};
use super::fault::Trouble;
use super::opening::{OpeningError, position};
use super::record::{Outcome, Player, Reason, Record};
use super::referee::over;
use sanban_rules::{AnyPosition, Color, Verdict};
use std::sync::atomic::{AtomicBool, Ordering};

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fixture {
    pub pair: u64,
    /// Numbers of the engines, from 0.
    pub engines: [usize; 2],
    pub black: Player,
    /// The words after `position`.
    pub opening: String,
}

/// Plays a game. Positions that the solver knows are adjudicated. Returns `None` if the game was abandoned because `stop`
/// was set.
pub fn play(
    engines: [&mut Engine; 2],
    fixture: &Fixture,
    conditions: &Conditions,
    solver: Option<&Solver>,
    stop: &AtomicBool,
) -> Result<Option<Record>, OpeningError> {
    let pos = position(&conditions.start, &fixture.opening)?;
    let [a, b] = fixture.engines.map(|engine| &conditions.go[engine]);
    let clocks = match fixture.black {
        Player::A => [Clock::new(a, Color::Black), Clock::new(b, Color::White)],
        Player::B => [Clock::new(a, Color::White), Clock::new(b, Color::Black)],
    };
    let several = (conditions.go.len() > 2).then_some(fixture.engines);
    let record = Record::new(fixture.pair, several, fixture.black, fixture.opening.clone());
    let commands = format!("position {}", fixture.opening);
    let table = Table {
        pos,
        engines,
        clocks,
        record,
        commands,
        scores: Scores::default(),
        pondered: [None, None],
        solver,
    };
    Ok(table.play(conditions, stop))
}

/// A game in progress.
struct Table<'a> {
    pos: AnyPosition,
    engines: [&'a mut Engine; 2],
    clocks: [Clock<'a>; 2],
    record: Record,
    /// The `position` command, to which `go` is appended.
    commands: String,
    scores: Scores,
    /// The moves that the players expect while they search on the opponent's time.
    pondered: [Option<String>; 2],
    solver: Option<&'a Solver>,
}

/// The end of a game, before it is attributed to a player.
enum End {
    Won(Player, Reason),
    Drawn(Reason),
    Stopped,
}

impl Table<'_> {
    fn play(mut self, conditions: &Conditions, stop: &AtomicBool) -> Option<Record> {
        if !self.commands.contains(" moves") {
            self.commands.push_str(" moves");
        }
        let (result, reason) = match self.moves(conditions, stop) {
            End::Won(player, reason) => (Outcome::won_by(player), reason),
            End::Drawn(reason) => (Outcome::Draw, reason),
            End::Stopped => return None,
        };
        let [for_a, for_b] = match result {
            Outcome::Win => ["win", "lose"],
            Outcome::Draw => ["draw", "draw"],
            Outcome::Loss => ["lose", "win"],
        };
        for player in [Player::A, Player::B] {
            // An engine that fails here loses its next game, as below.
            let _ = self.stop_pondering(player);
        }
        let [a, b] = &mut self.engines;
        // An engine that does not read its input has lost this game or will lose its next one.
        let _ = a.game_over(for_a);
        let _ = b.game_over(for_b);
        Some(Record { result, reason, ..self.record })
    }

    fn player(&self, side: Color) -> Player {
        if side == Color::Black { self.record.black } else { self.record.black.other() }
    }

    fn moves(&mut self, conditions: &Conditions, stop: &AtomicBool) -> End {
        for player in [Player::A, Player::B] {
            if let Err(trouble) = self.engines[player.index()].new_game() {
                return End::Won(player.other(), trouble.into());
            }
        }
        loop {
            let player = self.player(self.pos.side());
            if let Some((verdict, reason)) = over(&self.pos) {
                return match verdict {
                    Verdict::Draw => End::Drawn(reason),
                    Verdict::Win | Verdict::Superior => End::Won(player, reason),
                    Verdict::Loss | Verdict::Inferior => End::Won(player.other(), reason),
                };
            }
            if let Some(score) = self.solver.and_then(|solver| solver(&self.pos)) {
                return self.adjudicated(by_table(score, self.pos.side()));
            }
            if self.pos.game_ply() >= conditions.max_moves {
                return End::Drawn(Reason::MaxMoves);
            }
            if stop.load(Ordering::Relaxed) {
                return End::Stopped;
            }
            let answer = match self.ask(player, conditions) {
                Ok(answer) => answer,
                Err(reason) => return End::Won(player.other(), reason),
            };
            let reply = answer.ponder.clone();
            if let Some(end) = self.answer(player, answer, conditions) {
                return end;
            }
            if let Some(reply) = reply.filter(|_| conditions.ponder)
                && let Err(trouble) = self.ponder(player, reply)
            {
                return End::Won(player.other(), trouble.into());
            }
        }
    }

    fn adjudicated(&self, verdict: adjudicate::Verdict) -> End {
        match verdict {
            adjudicate::Verdict::Won(side) => End::Won(self.player(side), Reason::Adjudication),
            adjudicate::Verdict::Draw => End::Drawn(Reason::Adjudication),
        }
    }

    /// Lets a player search. An error is the reason why the player loses.
    fn ask(&mut self, player: Player, conditions: &Conditions) -> Result<Answer, Reason> {
        let me = player.index();
        self.clocks[me].turn();
        let limit = self.clocks[me].limit();
        let is_hit = self.pondered[me].is_some() && self.pondered[me].as_ref() == self.record.moves.last();
        let answer = if is_hit {
            self.pondered[me] = None;
            self.engines[me].ponderhit(limit)
        } else {
            self.stop_pondering(player)?;
            let length = self.commands.len();
            self.commands.push('\n');
            self.clocks[me].write_go("", &self.clocks[1 - me], &mut self.commands);
            let answer = self.engines[me].go(&self.commands, limit);
            self.commands.truncate(length);
            answer
        };
        let answer = answer.map_err(Reason::from)?;
        self.record.nodes[me] += answer.nodes;
        self.record.time[me] += answer.took.as_millis() as u64;
        if limit.is_some_and(|limit| answer.took > limit + conditions.margin) {
            return Err(Reason::Time);
        }
        self.clocks[me].spend(answer.took);
        Ok(answer)
    }

    /// Lets a player search on the opponent's time, if the move that it expects is legal.
    fn ponder(&mut self, player: Player, reply: String) -> Result<(), Trouble> {
        let me = player.index();
        let Some(mv) = self.pos.parse_usi(&reply) else { return Ok(()) };
        let mut next = self.pos.clone();
        next.play(mv);
        if over(&next).is_some() {
            return Ok(());
        }
        // The clock already includes the increment of the next move.
        let mut clock = self.clocks[me].clone();
        clock.turn();
        let mut commands = format!("{} {reply}\n", self.commands);
        clock.write_go(" ponder", &self.clocks[1 - me], &mut commands);
        self.pondered[me] = Some(reply);
        self.engines[me].ponder(&commands)
    }

    fn stop_pondering(&mut self, player: Player) -> Result<(), Trouble> {
        match self.pondered[player.index()].take() {
            Some(_) => self.engines[player.index()].stop(),
            None => Ok(()),
        }
    }

    /// Makes the move that a player answered with, or ends the game.
    fn answer(&mut self, player: Player, answer: Answer, conditions: &Conditions) -> Option<End> {
        match answer.best.as_str() {
            "resign" => return Some(End::Won(player.other(), Reason::Resignation)),
            "win" if self.pos.can_declare() => return Some(End::Won(player, Reason::Declaration)),
            _ => {}
        }
        let Some(mv) = self.pos.parse_usi(&answer.best) else {
            self.record.detail = Some(answer.best.chars().take(40).collect());
            return Some(End::Won(player.other(), Reason::IllegalMove));
        };
        let (side, ply) = (self.pos.side(), self.pos.game_ply());
        let verdict = self.scores.add(&conditions.adjudication, answer.score, side, player, ply);
        let text = self.pos.display(mv);
        self.pos.play(mv);
        self.commands.push(' ');
        self.commands.push_str(&text);
        self.record.moves.push(text);
        self.record.scores.push(answer.score);
        self.record.depths.push(answer.depth);
        self.record.times.push(answer.took.as_millis() as u64);
        self.record.move_nodes.push(answer.nodes);
        // The end of the game by the rules takes precedence over the scores.
        verdict.filter(|_| over(&self.pos).is_none()).map(|verdict| self.adjudicated(verdict))
    }
}

impl From<Trouble> for Reason {
    fn from(trouble: Trouble) -> Self {
        match trouble {
            Trouble::Crash => Self::Crash,
            Trouble::Hang => Self::Hang,
        }
    }
}
