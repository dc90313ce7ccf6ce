//! A model of a dialogue: which answers are outstanding, and which contents they may have. Answers are checked against
//! the rules of the game, not against the engine's choice.

use sanban::engine::each_game;
use sanban::protocol::usi::Config;
use sanban::protocol::usi::command::{Command, Go};
use sanban::rules::{AnyPosition, Move, SearchPosition, Variant};

/// A `go` command of the dialogue.
#[derive(Clone, Debug)]
pub struct Question {
    /// The command line.
    line: String,
    mate: bool,
    /// The position as SFEN and moves; `None` after an invalid `position`.
    position: Option<(String, Vec<String>)>,
    config: Config,
    /// Whether a later `go` may have replaced this one.
    optional: bool,
    /// Whether the search was stopped.
    stopped: bool,
}

/// The effect of the commands sent to the engine so far.
pub struct Model {
    config: Config,
    position: Option<(String, Vec<String>)>,
    questions: Vec<Question>,
    /// The answers to other commands that must be counted, and the number expected of each.
    pub owed: Vec<(&'static str, usize)>,
}

impl Model {
    pub fn new() -> Self {
        let config = Config::new();
        let position = start(&config);
        let owed = ["readyok", "usiok", "usi_tunablesok"].map(|answer| (answer, 0)).to_vec();
        Self { config, position, questions: vec![], owed }
    }

    /// Records a line sent to the engine. Returns false if the engine exits after it.
    pub fn hear(&mut self, line: &[u8]) -> bool {
        if line.len() > 1 << 20 {
            return true;
        }
        let mut owe = |answer: &str| {
            self.owed.iter_mut().filter(|(known, _)| *known == answer).for_each(|(_, n)| *n += 1);
        };
        match Command::parse(line).0 {
            Command::Usi => owe("usiok"),
            Command::IsReady => owe("readyok"),
            Command::Tunables => owe("usi_tunablesok"),
            Command::SetOption { name, value } => {
                let before = self.config.variant;
                let note = self.config.set(&name, value.as_deref());
                let chosen =
                    name.eq_ignore_ascii_case("USI_Variant") || name.eq_ignore_ascii_case("UCI_Variant");
                if self.config.variant != before {
                    self.position = start(&self.config);
                } else if chosen && note.is_none() {
                    let sfen = first(&self.config);
                    self.position = Some((sfen, vec![]));
                }
            }
            Command::NoPosition(_) => self.position = None,
            Command::Position { sfen, moves, .. } => {
                let sfen = sfen.unwrap_or_else(|| first(&self.config));
                self.position =
                    Some((sfen, moves)).filter(|(sfen, moves)| follow(sfen, moves, &self.config).is_some());
            }
            Command::Go(go) => self.ask(line, &go),
            Command::Stop => self.questions.iter_mut().for_each(|question| question.stopped = true),
            Command::Quit => return false,
            _ => {}
        }
        true
    }

    fn ask(&mut self, line: &[u8], go: &Go) {
        for earlier in self.questions.iter_mut().filter(|question| !question.stopped) {
            earlier.optional = true;
        }
        self.questions.push(Question {
            line: String::from_utf8_lossy(line).trim().to_string(),
            mate: go.mate.is_some(),
            position: self.position.clone(),
            config: self.config.clone(),
            optional: false,
            stopped: false,
        });
    }

    /// Makes all pending answers optional.
    pub fn excuse(&mut self) {
        self.questions.iter_mut().for_each(|question| question.optional = true);
        self.owed.clear();
    }

    /// Checks that these answers, in this order, answer every question exactly once. An error describes the fault;
    /// `None` means that answers are outstanding.
    pub fn answered(&self, answers: &[String]) -> Option<Result<(), String>> {
        let questions = &self.questions;
        // `reach[n]`: whether the answers so far can be those to the first n questions.
        let mut reach = vec![false; questions.len() + 1];
        reach[0] = true;
        self.skip(&mut reach);
        for (k, answer) in answers.iter().enumerate() {
            let mut next = vec![false; questions.len() + 1];
            let mut wrong = vec![];
            for (n, question) in questions.iter().enumerate().filter(|&(n, _)| reach[n]) {
                match question.fits(answer) {
                    Ok(()) => next[n + 1] = true,
                    Err(error) => wrong.push(error),
                }
            }
            if !next.contains(&true) {
                return Some(Err(format!("answer {} fits no question: {answer}: {wrong:?}", k + 1)));
            }
            reach = next;
            self.skip(&mut reach);
        }
        reach[questions.len()].then_some(Ok(()))
    }

    /// Extends `reach` over optional questions, which need no answer.
    fn skip(&self, reach: &mut [bool]) {
        for (n, question) in self.questions.iter().enumerate() {
            reach[n + 1] |= reach[n] && question.optional;
        }
    }

    /// The `go` commands sent so far, for messages.
    pub fn questions(&self) -> Vec<&str> {
        self.questions.iter().map(|question| question.line.as_str()).collect()
    }
}

/// The start position of the game under its default rules.
fn start(config: &Config) -> Option<(String, Vec<String>)> {
    Some((config.variant.info().start.to_string(), vec![]))
}

/// The SFEN of `startpos` under the configured rules.
fn first(config: &Config) -> String {
    rules(config).restarted().sfen()
}

/// A position under the configured rules.
fn rules(config: &Config) -> AnyPosition {
    let mut pos = AnyPosition::new(config.variant);
    for setting in config.variant.info().settings {
        if let Some(value) = config.rules.get(setting.name) {
            let _ = pos.set_rule(setting.name, value);
        }
    }
    pos
}

/// The position after these moves, if they are legal.
fn follow(sfen: &str, moves: &[String], config: &Config) -> Option<AnyPosition> {
    let mut pos = rules(config).with_sfen(sfen).ok()?;
    for text in moves {
        // A client may continue after the end of a game.
        if let Some(resumed) = pos.resumed() {
            pos = resumed;
        }
        if let Some(mv) = pos.parse_usi(text).or_else(|| pos.foreign_pass(text)) {
            pos.play(mv);
        } else {
            let passes = matches!(text.as_str(), "0000" | "null" | "pass");
            let sound = each_game!(config.variant, G => <G as Variant>::Position::NULL_MOVE);
            let may = passes && sound && !pos.in_check() && pos.count() > 0;
            may.then(|| pos.make_null())?;
        }
    }
    Some(pos)
}

/// The legal move that is written exactly like this text.
fn legal(pos: &AnyPosition, text: &str) -> Result<Move, String> {
    let moves = pos.legal_moves();
    let found = moves.iter().copied().find(|&mv| pos.display(mv) == text);
    found.ok_or_else(|| format!("{text} is not legal in {}", pos.sfen()))
}

impl Question {
    /// Checks that this answer is permitted.
    fn fits(&self, answer: &str) -> Result<(), String> {
        let words: Vec<&str> = answer.split(' ').collect();
        let first = if self.mate { "checkmate" } else { "bestmove" };
        if words.first() != Some(&first) {
            return Err(format!("{first} expected"));
        }
        let Some((sfen, moves)) = &self.position else {
            let expected = if self.mate { "checkmate timeout" } else { "bestmove resign" };
            return if answer == expected { Ok(()) } else { Err(format!("{expected} expected")) };
        };
        match follow(sfen, moves, &self.config) {
            // The rules have changed and reject the position: any answer is accepted.
            None => Ok(()),
            Some(pos) if self.mate => mates(pos, &words[1..]),
            Some(pos) => best(pos, &words[1..]),
        }
    }
}

/// Checks the words after `bestmove`.
fn best(pos: AnyPosition, words: &[&str]) -> Result<(), String> {
    // A drawn game may be continued.
    let mut pos = pos.resumed().unwrap_or(pos);
    match words {
        ["resign"] => Ok(()),
        ["win"] => {
            let won = pos.can_declare() || pos.verdict().is_some() || pos.count() == 0;
            if won { Ok(()) } else { Err(format!("no win in {}", pos.sfen())) }
        }
        [best] => legal(&pos, best).map(drop),
        [best, "ponder", reply] => {
            let best = legal(&pos, best)?;
            pos.play(best);
            legal(&pos, reply).map(drop)
        }
        _ => Err("bestmove MOVE [ponder MOVE] expected".into()),
    }
}

/// Checks the words after `checkmate`.
fn mates(mut pos: AnyPosition, words: &[&str]) -> Result<(), String> {
    if let ["nomate" | "timeout" | "notimplemented"] = words {
        return Ok(());
    }
    for (n, text) in words.iter().enumerate() {
        let mv = legal(&pos, text)?;
        if n % 2 == 0 && !pos.gives_check(mv) {
            return Err(format!("{text} gives no check in {}", pos.sfen()));
        }
        pos.play(mv);
    }
    if words.len() % 2 == 1 && pos.in_check() && pos.count() == 0 {
        Ok(())
    } else {
        Err(format!("no mate in {}", pos.sfen()))
    }
}
