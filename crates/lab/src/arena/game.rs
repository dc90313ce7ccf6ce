//! One game between two engines, with the rules as referee.

use super::clock::{Clock, Go};
use super::engine::{Answer, Engine, Trouble};
use super::opening::{OpeningError, RulesOf, position};
use super::record::{Outcome, Player, Reason, Record};
use super::referee::over;
use sanban_engine::Game;
use sanban_rules::{Color, Position, Score, Verdict};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Settings shared by every game of a match.
#[derive(Clone, Debug)]
pub struct Conditions<R> {
    /// The current rules.
    pub rules: R,
    /// Limits of A and of B.
    pub go: [Go; 2],
    /// Time a move may take beyond its limit.
    pub margin: Duration,
    /// The game is over when both sides agree on this many centipawns for this number of plies.
    pub resign: Option<(Score, usize)>,
    /// The game is drawn after this many moves, those of the opening included.
    pub max_moves: usize,
}

/// Which game of a match to play.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fixture {
    /// Number of the pair.
    pub pair: u64,
    /// The player with the first side.
    pub black: Player,
    /// The words after `position`.
    pub opening: String,
}

/// Plays a game. `None` if it was abandoned because `stop` was set.
///
/// # Errors
/// When the opening is invalid.
pub fn play<G: Game>(
    engines: [&mut Engine; 2],
    fixture: &Fixture,
    conditions: &Conditions<RulesOf<G>>,
    stop: &AtomicBool,
) -> Result<Option<Record>, OpeningError> {
    let pos = position::<G>(&conditions.rules, &fixture.opening)?;
    let [a, b] = &conditions.go;
    let clocks = match fixture.black {
        Player::A => [Clock::new(a, Color::Black), Clock::new(b, Color::White)],
        Player::B => [Clock::new(a, Color::White), Clock::new(b, Color::Black)],
    };
    let record = Record {
        pair: fixture.pair,
        black: fixture.black,
        result: Outcome::Draw,
        reason: Reason::Rule,
        detail: None,
        opening: fixture.opening.clone(),
        moves: Vec::new(),
        nodes: [0; 2],
        time: [0; 2],
    };
    let commands = format!("position {}", fixture.opening);
    Ok(Table { pos, engines, clocks, record, commands, agreed: 0 }.play(conditions, stop))
}

/// A game in progress.
struct Table<'a, P> {
    pos: P,
    engines: [&'a mut Engine; 2],
    clocks: [Clock<'a>; 2],
    record: Record,
    /// The `position` command, with a place for `go` after it.
    commands: String,
    /// For how many plies both have agreed that black (negative: white) wins.
    agreed: i32,
}

/// The end of a game, before it is attributed to a player.
enum End {
    /// For one player.
    Won(Player, Reason),
    Drawn(Reason),
    /// It was abandoned.
    Stopped,
}

impl<P: Position> Table<'_, P> {
    fn play<R>(mut self, conditions: &Conditions<R>, stop: &AtomicBool) -> Option<Record> {
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
        let [a, b] = &mut self.engines;
        // An engine that no longer reads its input has lost this game, or will lose the next.
        let _ = a.game_over(for_a);
        let _ = b.game_over(for_b);
        Some(Record { result, reason, ..self.record })
    }

    /// The player with this side.
    fn player(&self, side: Color) -> Player {
        if side == Color::Black { self.record.black } else { self.record.black.other() }
    }

    fn moves<R>(&mut self, conditions: &Conditions<R>, stop: &AtomicBool) -> End {
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
            if let Some(end) = self.answer(player, answer, conditions.resign) {
                return end;
            }
        }
    }

    /// Lets a player search. The error is the player's fault.
    fn ask<R>(&mut self, player: Player, conditions: &Conditions<R>) -> Result<Answer, Reason> {
        let me = player.index();
        self.clocks[me].turn();
        let length = self.commands.len();
        self.commands.push('\n');
        self.clocks[me].write_go(&self.clocks[1 - me], &mut self.commands);
        let limit = self.clocks[me].limit();
        let answer = self.engines[me].go(&self.commands, limit);
        self.commands.truncate(length);
        let answer = answer.map_err(Reason::from)?;
        self.record.nodes[me] += answer.nodes;
        self.record.time[me] += answer.took.as_millis() as u64;
        if limit.is_some_and(|limit| answer.took > limit + conditions.margin) {
            return Err(Reason::Time);
        }
        self.clocks[me].spend(answer.took);
        Ok(answer)
    }

    /// Executes a player's answer.
    fn answer(&mut self, player: Player, answer: Answer, resign: Option<(Score, usize)>) -> Option<End> {
        match answer.best.as_str() {
            "resign" => return Some(End::Won(player.other(), Reason::Resignation)),
            "win" if self.pos.can_declare() => return Some(End::Won(player, Reason::Declaration)),
            _ => {}
        }
        let Some(mv) = self.pos.parse_usi(&answer.best) else {
            self.record.detail = Some(answer.best.chars().take(40).collect());
            return Some(End::Won(player.other(), Reason::IllegalMove));
        };
        if let Some((most, plies)) = resign {
            let for_black =
                answer.score.map(|score| if self.pos.side() == Color::Black { score } else { -score });
            self.agreed = match for_black {
                Some(score) if score >= most => self.agreed.max(0) + 1,
                Some(score) if score <= -most => self.agreed.min(0) - 1,
                _ => 0,
            };
            if self.agreed.unsigned_abs() as usize >= plies {
                let side = if self.agreed > 0 { Color::Black } else { Color::White };
                return Some(End::Won(self.player(side), Reason::Adjudication));
            }
        }
        let text = P::usi(mv);
        self.pos.make(mv, &mut ());
        self.commands.push(' ');
        self.commands.push_str(&text);
        self.record.moves.push(text);
        None
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
