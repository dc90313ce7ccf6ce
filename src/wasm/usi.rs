//! USI without threads: one command at a time, and searches in slices.

use crate::board::{
    BestMove, BoardEngine, BoardError, Found, FoundLine, MateFound, Search, Slices, Task, WireScore,
};
use crate::usi::command::{Command, Go, Mate, clip};
use crate::usi::number::Number;
use crate::usi::options;
use crate::usi::{Output, bench};
use sanban_engine::Engine;
use sanban_engine::search::{Limits, Signals};
use sanban_engine::solved::SolvedTables;
use sanban_rules::AnyPosition;
use sanban_rules::{UsiMove, VariantId};
use std::collections::VecDeque;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

/// A USI engine for a single caller.
pub struct Usi {
    engine: BoardEngine,
    tables: SolvedTables,
    variant: VariantId,
    lines: u64,
    level: u64,
    /// The current position: its SFEN and moves.
    place: (Option<String>, Vec<String>),
    /// The running search.
    thought: Option<Slices>,
    /// Commands that arrived during a search and wait for its end.
    waiting: VecDeque<String>,
    closed: bool,
}

impl Default for Usi {
    fn default() -> Self {
        Self {
            engine: BoardEngine::default(),
            tables: SolvedTables::default(),
            variant: VariantId::default(),
            lines: 1,
            level: 20,
            place: (None, Vec::new()),
            thought: None,
            waiting: VecDeque::new(),
            closed: false,
        }
    }
}

/// Receives an output line of the engine.
type Say<'a> = &'a (dyn Fn(&str) + Sync);

impl Usi {
    /// Handles one line. Answers that need no search are sent before it returns.
    pub fn command(&mut self, line: &str, say: Say) {
        if self.closed {
            return;
        }
        let (command, note) = Command::parse(line.as_bytes());
        if let Some(note) = note {
            say(&format!("info string {note}"));
        }
        match command {
            Command::Usi => say(&self.options()),
            Command::IsReady => say("readyok"),
            Command::Quit => self.closed = true,
            Command::Stop => self.stop(say),
            Command::PonderHit(clock) => {
                if let Some(slices) = &mut self.thought {
                    slices.hit(clock.as_ref());
                }
            }
            _ if self.thought.is_some() => self.waiting.push_back(line.into()),
            command => self.work(command, say),
        }
    }

    /// Runs one slice of the search; returns true while a search is running.
    pub fn poll(&mut self, say: Say) -> bool {
        let Some(slices) = &mut self.thought else { return false };
        if self.closed {
            self.thought = None;
            return false;
        }
        let on_line = |line: FoundLine| say(&info(&line));
        if let Some(answer) = slices.poll(&mut self.engine, &self.tables, &on_line).transpose() {
            self.answer(&answer, say);
        }
        self.thought.is_some()
    }

    fn stop(&mut self, say: Say) {
        if let Some(slices) = &mut self.thought {
            let on_line = |line: FoundLine| say(&info(&line));
            let answer = slices.stop(&mut self.engine, &self.tables, &on_line);
            self.answer(&answer, say);
        }
    }

    /// Sends the answer, then executes the commands that waited for it.
    fn answer(&mut self, answer: &Result<Found, BoardError>, say: Say) {
        self.thought = None;
        say(&match answer {
            Ok(Found::Move(best)) => bestmove(best),
            Ok(Found::Mate(MateFound::Mate(line))) => format!("checkmate{}", words(line)),
            Ok(Found::Mate(MateFound::NoMate)) => "checkmate nomate".into(),
            Ok(Found::Mate(MateFound::Unknown)) => "checkmate timeout".into(),
            // Only a mate search can fail, in a game without mate problems.
            Err(_) => "checkmate notimplemented".into(),
        });
        while self.thought.is_none()
            && let Some(line) = self.waiting.pop_front()
        {
            self.command(&line, say);
        }
    }

    fn work(&mut self, command: Command, say: Say) {
        match command {
            Command::SetOption { name, value } => self.set(&name, value.as_deref().unwrap_or_default(), say),
            Command::UsiNewGame => self.engine = BoardEngine::default(),
            Command::Position { sfen, moves } => self.place = (sfen, moves),
            Command::NoPosition(problem) => {
                say(&format!("info string {problem}; there is no position to search"));
                self.place = (Some(String::new()), Vec::new());
            }
            Command::Go(go) => self.go(&go, say),
            Command::Bench(depth) => {
                let out = Kept::default();
                let engine = <dyn Engine>::new(self.variant);
                bench(&*engine, depth, &Signals::default(), &Output::direct(out.clone()));
                out.text().lines().for_each(say);
            }
            _ => {}
        }
    }

    fn set(&mut self, name: &str, value: &str, say: Say) {
        match name.to_ascii_lowercase().as_str() {
            "usi_variant" | "uci_variant" => match value.parse() {
                Ok(id) => (self.variant, self.place) = (id, (None, Vec::new())),
                Err(_) => say("info string USI_Variant: no such game; value unchanged"),
            },
            "multipv" | "usi_multipv" => set_number("MultiPV", &mut self.lines, value, (1, 10), say),
            "skilllevel" => set_number("SkillLevel", &mut self.level, value, (0, 20), say),
            // The GUI decides whether to ponder.
            "usi_ponder" => {}
            other => {
                let known =
                    options::declared().into_iter().find(|known| known.name.eq_ignore_ascii_case(other));
                if let Some(known) = known {
                    say(&format!("info string {} is not supported in a page", known.name));
                }
            }
        }
    }

    fn go(&mut self, go: &Go, say: Say) {
        let (sfen, moves) = &self.place;
        let Ok(pos) = AnyPosition::replay(self.variant, sfen.as_deref(), moves.iter().map(String::as_str))
        else {
            say("info string no valid position to search");
            return say(if go.mate.is_some() { "checkmate timeout" } else { "bestmove resign" });
        };
        if !go.search_moves.is_empty() {
            say("info string searchmoves is not supported in a page: all moves are searched");
        }
        if go.random_time.is_some() {
            say("info string rtime is not supported in a page");
        }
        let task = match go.mate {
            Some(Mate::Within(time)) => Task::Mate { time: Some(time) },
            Some(Mate::Infinite) => Task::Mate { time: None },
            None => Task::Move {
                level: Some(self.level as u32),
                lines: self.lines as usize,
                limits: Limits {
                    depth: go.depth,
                    nodes: go.nodes,
                    move_time: go.move_time,
                    clock: go.clock,
                    ponder: go.ponder,
                    infinite: go.infinite,
                    ..Limits::default()
                },
            },
        };
        self.thought = Some(Slices::new(Search { pos, task }));
    }

    fn options(&self) -> String {
        let variants: String = VariantId::NAMES.iter().map(|name| format!(" var {name}")).collect();
        format!(
            "id name Sanban {}\nid author the Sanban authors\n\
             option name USI_Variant type combo default {}{variants}\n\
             option name MultiPV type spin default 1 min 1 max 10\n\
             option name SkillLevel type spin default 20 min 0 max 20\n\
             option name USI_Ponder type check default false\nusiok",
            env!("CARGO_PKG_VERSION"),
            VariantId::NAMES[0],
        )
    }
}

/// Sets a number. An invalid value leaves it unchanged, and a value outside the range is clamped; both are reported.
fn set_number(name: &str, setting: &mut u64, value: &str, (min, max): (u64, u64), say: Say) {
    let Some(number) = Number::read(value) else {
        let value = clip(value);
        return say(&format!("info string {name}: not a whole number: '{value}'; value unchanged"));
    };
    *setting = number.count().clamp(min, max);
    if !(min as i64..=max as i64).contains(&number.signed()) {
        say(&format!("info string {name}: the range is {min} to {max}; using {setting}"));
    } else if !number.is_whole() {
        say(&format!("info string {name}: whole numbers only; using {setting}"));
    }
}

fn words(moves: &[UsiMove]) -> String {
    moves.iter().map(|mv| format!(" {mv}")).collect()
}

fn info(line: &FoundLine) -> String {
    let time = line.time.as_millis() as u64;
    let score = match line.score {
        WireScore::Mate(plies) => format!("mate {plies}"),
        WireScore::Cp(cp) => format!("cp {cp}"),
    };
    format!(
        "info depth {} multipv {} score {score} nodes {} nps {} time {time} pv{}",
        line.depth,
        line.rank,
        line.nodes,
        line.nodes * 1000 / time.max(1),
        words(&line.pv),
    )
}

fn bestmove(found: &BestMove) -> String {
    match (found.best, found.ponder) {
        _ if found.declare => "bestmove win".into(),
        (Some(best), Some(ponder)) => format!("bestmove {best} ponder {ponder}"),
        (Some(best), None) => format!("bestmove {best}"),
        (None, _) => "bestmove resign".into(),
    }
}

#[derive(Clone, Default)]
struct Kept(Arc<Mutex<Vec<u8>>>);

impl Kept {
    fn text(&self) -> String {
        let bytes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(&bytes).into_owned()
    }
}

impl Write for Kept {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value as Json;

    /// Returns all output for these lines; after each line, the search is polled until it ends.
    fn talk(lines: &[&str]) -> Vec<String> {
        let said = Mutex::new(Vec::new());
        let say = |text: &str| said.lock().expect("no panic").extend(text.lines().map(str::to_string));
        let mut usi = Usi::default();
        for line in lines {
            usi.command(line, &say);
            // A search that never ends by itself is polled a few times.
            let ends = line.starts_with("go ") && !line.contains("infinite");
            for _ in 0..if ends { 10_000 } else { 3 } {
                if !usi.poll(&say) {
                    break;
                }
            }
        }
        said.into_inner().expect("no panic")
    }

    #[test]
    fn a_conversation() {
        let said = talk(&["usi", "isready", "usinewgame", "position startpos moves 7g7f", "go movetime 60"]);
        assert!(said.contains(&"usiok".to_string()) && said.contains(&"readyok".to_string()));
        let last = said.last().map(String::as_str).unwrap_or_default();
        assert!(last.starts_with("bestmove ") && !last.contains("resign"), "{last}");
        assert!(said.iter().any(|line| line.starts_with("info depth 1 multipv 1 score cp ")), "{said:?}");
    }

    /// ShogiHome compares the listed options with the options that the engine sends.
    #[test]
    fn the_manifest_lists_the_options() {
        let manifest: Json =
            serde_json::from_str(include_str!("../../web/shogihome/engine.json")).expect("JSON");
        let said = talk(&["usi"]);
        assert!(said.contains(&format!("id name {}", manifest["name"].as_str().expect("a name"))));
        let line = |option: &Json| {
            let text = |name: &str| match &option[name] {
                Json::String(text) => Some(text.clone()),
                Json::Null => None,
                other => Some(other.to_string()),
            };
            let kind = text("type").expect("a type");
            let mut line = format!("option name {} type {kind}", text("name").expect("a name"));
            for word in ["default", "min", "max"] {
                line.extend(text(word).map(|value| format!(" {word} {value}")));
            }
            let vars = option["vars"].as_array().into_iter().flatten().filter_map(Json::as_str);
            line.extend(vars.map(|var| format!(" var {var}")));
            line
        };
        let listed: Vec<String> = manifest["options"].as_array().expect("options").iter().map(line).collect();
        let options: Vec<&String> = said.iter().filter(|line| line.starts_with("option ")).collect();
        assert_eq!(options, listed.iter().collect::<Vec<_>>());
    }

    #[test]
    fn stop_answers_at_once_and_what_waited_follows() {
        let said = talk(&[
            "position startpos",
            "go infinite",
            "setoption name USI_Variant value dobutsu",
            "isready",
            "stop",
            "position startpos moves 2c2b",
            "stop",
            "go depth 3",
        ]);
        let answers: Vec<&String> = said.iter().filter(|line| line.starts_with("bestmove")).collect();
        assert_eq!(answers.len(), 2, "{said:?}");
        assert!(!answers[1].contains("resign"), "{said:?}");
    }

    /// Unknown or unsupported input is reported.
    #[test]
    fn options_and_limits_that_do_not_hold_are_reported() {
        for (line, report) in [
            ("setoption name SkillLevel value abc", "SkillLevel: not a whole number: 'abc'; value unchanged"),
            ("setoption name SkillLevel value 99", "SkillLevel: the range is 0 to 20; using 20"),
            ("setoption name SkillLevel value -1", "SkillLevel: the range is 0 to 20; using 0"),
            ("setoption name MultiPV value", "MultiPV: not a whole number: ''; value unchanged"),
            ("setoption name MultiPV value 2.5", "MultiPV: whole numbers only; using 2"),
            ("setoption name threads value 4", "Threads is not supported in a page"),
        ] {
            assert_eq!(talk(&[line]), [format!("info string {report}")], "{line}");
        }
        let accepted = ["setoption name SkillLevel value 5.0", "setoption name USI_Ponder value true"];
        assert_eq!(talk(&accepted), [""; 0]);
        let said = talk(&["position startpos", "go depth 1 searchmoves 7g7f"]);
        assert!(said[0].contains("searchmoves is not supported"), "{said:?}");
        // The level is unchanged.
        let mut usi = Usi { level: 3, ..Usi::default() };
        usi.command("setoption name SkillLevel value abc", &|_| {});
        assert_eq!(usi.level, 3);
    }

    #[test]
    fn mates_and_what_cannot_be_done() {
        let said = talk(&["position sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1", "go mate 1000"]);
        assert_eq!(said.last().map(String::as_str), Some("checkmate G*5b"));
        let said = talk(&["position startpos moves 1a1a", "go movetime 10"]);
        assert_eq!(said.last().map(String::as_str), Some("bestmove resign"));
        assert!(talk(&["quit", "usi"]).is_empty());
    }
}
