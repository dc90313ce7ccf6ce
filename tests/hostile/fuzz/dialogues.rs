//! Dialogues in all games: every `go` has one answer, `isready` is answered, moves are legal, and nothing panics or
//! hangs.

use super::bytes::{changed_text, text_changes};
use super::check;
use super::model::Model;
use super::sfens::walk;
use proptest::prelude::*;
use proptest::test_runner::{TestCaseError, TestCaseResult};
use sanban::VariantId;
use sanban::protocol::serve;
use sanban::protocol::usi::{Output, options};
use sanban::rules::setting::{Setting, SettingKind};
use std::io::{self, BufReader, Read, Write};
use std::sync::Once;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

/// No request in these tests takes longer, even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(90);
/// The longest pause within a dialogue, in milliseconds.
const PAUSE: u64 = 12;

/// An action of the client.
#[derive(Clone, Debug)]
enum Step {
    Say(String),
    /// Waits for all required answers; an infinite search is stopped first.
    Wait,
    Pause(u64),
}

/// Number of panics in threads of the engine.
static PANICS: AtomicUsize = AtomicUsize::new(0);

fn watch_for_panics() {
    static WATCH: Once = Once::new();
    WATCH.call_once(|| {
        let usual = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            let thread = thread::current();
            let name = thread.name().unwrap_or_default();
            if name.starts_with("search ") || ["worker", "output", "reader"].contains(&name) {
                PANICS.fetch_add(1, SeqCst);
            }
            usual(panic);
        }));
    });
}

/// The engine's input, which is sent through a channel.
struct Typed(Receiver<Vec<u8>>, Vec<u8>);

impl Read for Typed {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.1.is_empty() {
            self.1 = self.0.recv().unwrap_or_default();
        }
        let n = out.len().min(self.1.len());
        out[..n].copy_from_slice(&self.1[..n]);
        self.1.drain(..n);
        Ok(n)
    }
}

/// The engine's output, which is sent through a channel.
struct Said(Sender<Vec<u8>>);

impl Write for Said {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // The test may have failed already.
        let _ = self.0.send(bytes.to_vec());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Collects the engine's output.
struct Heard {
    from: Receiver<Vec<u8>>,
    rest: Vec<u8>,
    lines: Vec<String>,
}

impl Heard {
    /// Waits at most `time` for the next block of output and collects it. Returns false at the end of the output.
    fn listen(&mut self, time: Duration) -> bool {
        match self.from.recv_timeout(time) {
            Ok(bytes) => self.rest.extend(bytes),
            Err(RecvTimeoutError::Timeout) => return true,
            Err(RecvTimeoutError::Disconnected) => return false,
        }
        while let Some(end) = self.rest.iter().position(|&byte| byte == b'\n') {
            let line: Vec<u8> = self.rest.drain(..=end).collect();
            self.lines.push(String::from_utf8_lossy(&line[..end]).into_owned());
        }
        true
    }

    fn answers(&self) -> Vec<String> {
        let is_answer = |line: &&String| line.starts_with("bestmove") || line.starts_with("checkmate");
        self.lines.iter().filter(is_answer).cloned().collect()
    }
}

/// Runs a dialogue with an engine in this process.
fn hold(steps: &[Step]) -> Result<(), String> {
    watch_for_panics();
    let panics = PANICS.load(SeqCst);
    let ((typed, lines), (said, from)) = (channel(), channel());
    let run = move || serve(BufReader::new(Typed(lines, vec![])), Output::new(Said(said)));
    let engine =
        thread::Builder::new().name("reader".into()).spawn(run).map_err(|error| error.to_string())?;
    let (mut heard, mut model) = (Heard { from, rest: vec![], lines: vec![] }, Model::new());
    let send = |model: &mut Model, line: &str| {
        let _ = typed.send(format!("{line}\n").into_bytes());
        model.hear(line.as_bytes())
    };
    // Allocating a large table would take longer than everything else.
    send(&mut model, "setoption name USI_Hash value 1");
    let mut quit = false;
    for step in steps {
        match step {
            Step::Say(line) => {
                if !line.split('\n').all(|line| send(&mut model, line)) {
                    // The last commands need not be answered.
                    (quit, _) = (true, model.excuse());
                    break;
                }
            }
            Step::Pause(millis) => {
                heard.listen(Duration::from_millis(*millis));
            }
            Step::Wait => {
                send(&mut model, "stop");
                wait(&mut heard, &model)?;
            }
        }
    }
    drop(typed);
    let begin = Instant::now();
    while heard.listen(Duration::from_millis(100)) {
        if begin.elapsed() > PATIENCE {
            return Err(format!("the engine does not exit: {:#?}", heard.lines));
        }
    }
    engine.join().map_err(|_| "the reader panicked")?;
    if PANICS.load(SeqCst) != panics {
        return Err("a thread of the engine panicked".into());
    }
    judge(&heard, &model, quit)
}

/// Waits for all outstanding answers.
fn wait(heard: &mut Heard, model: &Model) -> Result<(), String> {
    let begin = Instant::now();
    loop {
        match model.answered(&heard.answers()) {
            Some(Ok(())) => return Ok(()),
            Some(Err(error)) => return Err(error),
            None if begin.elapsed() > PATIENCE || !heard.listen(Duration::from_millis(20)) => {
                let (asked, answers) = (model.questions(), heard.answers());
                return Err(format!("no answer: asked {asked:#?}, answered {answers:#?}"));
            }
            None => {}
        }
    }
}

/// Checks that the output is complete and has no extra lines.
fn judge(heard: &Heard, model: &Model, quit: bool) -> Result<(), String> {
    if !heard.rest.is_empty() && !quit {
        return Err("the last line is incomplete".into());
    }
    for line in &heard.lines {
        if !line.bytes().all(|byte| (b' '..127).contains(&byte)) || line.starts_with("error") {
            return Err(format!("not valid output for a GUI: {line:?}"));
        }
        if line.contains("internal error") {
            return Err(line.clone());
        }
    }
    for (answer, owed) in &model.owed {
        let said = heard.lines.iter().filter(|line| line == answer).count();
        if said != *owed {
            return Err(format!("{answer}: expected {owed} times, found {said} times"));
        }
    }
    match model.answered(&heard.answers()) {
        Some(result) => result,
        None => Err(format!("unanswered: {:#?}; got {:#?}", model.questions(), heard.answers())),
    }
}

/// A `position` command for a position from random play.
fn position(game: VariantId, seed: u64, plies: usize) -> String {
    let (end, made) = walk(game, seed, plies);
    let mut pos = end.clone();
    made.iter().for_each(|_| pos.undo());
    let moves: String = made.iter().map(|&mv| format!(" {}", end.display(mv))).collect();
    match seed % 3 {
        0 => format!("position sfen {}", end.sfen()),
        1 => format!("position {} moves{moves}", pos.sfen()),
        _ => format!("position sfen {} moves{moves}", pos.sfen()),
    }
}

/// Generates values of an option: valid, at the limits, and invalid. None of them takes much memory or time.
fn value(setting: &'static Setting) -> BoxedStrategy<String> {
    let wrong =
        prop::sample::select(vec!["", "<empty>", "-1", "abc", "99999999999999999999", "/dev/null", "/"]);
    let wrong = wrong.prop_map(str::to_string);
    match (setting.name, setting.kind) {
        ("USI_Hash", _) => (1i64..3).prop_map(|n| n.to_string()).boxed(),
        ("Threads", _) => {
            prop::sample::select(vec!["1", "2", "3", "x", "-7"]).prop_map(str::to_string).boxed()
        }
        ("MinimumThinkingTime" | "PvInterval", _) => (0i64..30).prop_map(|n| n.to_string()).boxed(),
        ("WriteDebugLog", _) => Just("/nowhere/at/all".to_string()).boxed(),
        (_, SettingKind::Check(_)) => prop_oneof![
            prop::sample::select(vec!["true", "false", "ON", "0"]).prop_map(str::to_string),
            wrong
        ]
        .boxed(),
        (_, SettingKind::Spin(default, min, max)) => {
            let near = prop::sample::select(vec![default, min, max, min + 1, max - 1, default / 2, 3]);
            prop_oneof![near.prop_map(|n| n.to_string()), wrong].boxed()
        }
        (_, SettingKind::Combo(_, words)) => {
            prop_oneof![4 => prop::sample::select(words).prop_map(str::to_string), 1 => wrong].boxed()
        }
        (_, SettingKind::Text(_) | SettingKind::File(_)) => prop_oneof![
            prop::sample::select(vec!["handwritten", "no_book", "nowhere"]).prop_map(str::to_string),
            wrong
        ]
        .boxed(),
    }
}

fn option() -> impl Strategy<Value = String> {
    let declared = options::declared();
    (0..declared.len()).prop_flat_map(|n| {
        let setting = options::declared()[n];
        value(setting).prop_map(|value| format!("setoption name {} value {value}", setting.name))
    })
}

/// Generates `go` commands that end soon or are stopped.
fn go() -> impl Strategy<Value = String> {
    let limit = prop_oneof![
        (1u32..5).prop_map(|n| format!("depth {n}")),
        (1u32..3000).prop_map(|n| format!("nodes {n}")),
        (0u32..30).prop_map(|n| format!("movetime {n}")),
        (0u32..30).prop_map(|n| format!("byoyomi {n}")),
        (0u32..200, 0u32..200, 0u32..20)
            .prop_map(|(b, w, i)| format!("btime {b} wtime {w} binc {i} winc {i}")),
        (0u32..20).prop_map(|n| format!("rtime {n}")),
        (0u32..30).prop_map(|n| format!("mate {n}")),
        Just("infinite".to_string()),
        Just("ponder byoyomi 10".to_string()),
        Just("mate infinite".to_string()),
    ];
    let more = prop::sample::select(vec![
        "",
        "",
        "",
        "",
        " depth 2",
        " nodes 500",
        " infinite",
        " searchmoves 7g7f 2g2f 5i5h",
        " searchmoves",
        " depth x",
        " btime -5",
        " movestogo 0",
        " byoyomi 99999999999999999999 movetime 9",
        " nonsense",
    ]);
    (limit, more).prop_map(|(limit, more)| format!("go {limit}{more}"))
}

fn step() -> impl Strategy<Value = Step> {
    let any_position = || (prop::sample::select(VariantId::ALL), any::<u64>(), 0usize..60, text_changes());
    let words = vec![
        "usi",
        "isready",
        "isready",
        "usinewgame",
        "stop",
        "stop",
        "ponderhit",
        "ponderhit btime 0 wtime 0 byoyomi 9",
        "gameover lose",
        "d",
        "eval",
        "key",
        "moves",
        "help",
        "usi_tunables",
        "perft 2",
        "go perft 1",
        "bench 1",
        "position startpos",
        "position startpos moves 7g7f",
        "position startpos moves 5i5i 5b5b",
        "debug on",
        "",
        "quti",
        "position startpos moves 0000",
    ];
    let line = prop_oneof![
        5 => prop::sample::select(words).prop_map(str::to_string),
        4 => go(),
        3 => option(),
        // The game is changed often.
        2 => prop::sample::select(VariantId::NAMES).prop_map(|game| format!("setoption name USI_Variant value {game}")),
        5 => any_position().prop_map(|(game, seed, plies, _)| position(game, seed, plies)),
        1 => any_position().prop_map(|(game, seed, plies, changes)| changed_text(&position(game, seed, plies), &changes)),
        1 => (go(), text_changes()).prop_map(|(go, changes)| changed_text(&go, &changes)),
        1 => (option(), text_changes()).prop_map(|(option, changes)| changed_text(&option, &changes)),
        1 => "\\PC{0,30}",
    ];
    prop_oneof![
        12 => line.prop_filter("would take too long", |line| is_short(line)).prop_map(Step::Say),
        3 => Just(Step::Wait),
        2 => (0..PAUSE).prop_map(Step::Pause),
    ]
}

/// Whether this line, which may have been mutated, can be sent without taking minutes or gigabytes.
fn is_short(line: &str) -> bool {
    use sanban::protocol::usi::command::Command;
    line.split('\n').all(|line| {
        let (command, _) = Command::parse(line.as_bytes());
        match &command {
            Command::Perft(depth) | Command::Bench(depth) => *depth <= 2,
            Command::PonderHit(clock) => clock.is_none_or(|c| c.time.iter().all(|t| t.as_millis() < 500)),
            Command::SetOption { name, value } => {
                let value = value.as_deref().unwrap_or_default();
                let name = name.to_ascii_lowercase().replace(' ', "");
                let number = value.parse::<i64>().ok();
                let dear = name.contains("hash") || name.contains("threads");
                let slow = name.contains("time") || name.contains("interval") || name.contains("delay");
                let log = name.contains("log") && !value.starts_with("/nowhere");
                let within = |most: i64| number.is_none_or(|n| n <= most) && value.len() < 10;
                !log && (!dear || within(3)) && (!slow || within(60_000))
            }
            Command::Go(go) => {
                let clock = go.clock.unwrap_or_default();
                let times = clock.time.into_iter().chain(clock.increment).chain([clock.byoyomi]);
                let soon = |time: Duration| time < Duration::from_millis(500);
                let limited = go.depth.is_some_and(|depth| depth <= 4)
                    || go.nodes.is_some_and(|nodes| nodes <= 10_000)
                    || go.move_time.or(go.random_time).is_some_and(soon);
                limited || go.infinite || go.ponder || go.mate.is_some() || times.into_iter().all(soon)
            }
            _ => true,
        }
    })
}

fn holds(steps: &[Step]) -> TestCaseResult {
    hold(steps).map_err(TestCaseError::fail)
}

#[test]
fn dialogues_are_answered() {
    let steps = prop::collection::vec(step(), 1..25);
    // Each dialogue begins with a game, so that all games occur often.
    let game = prop::sample::select(VariantId::NAMES)
        .prop_map(|game| Step::Say(format!("setoption name USI_Variant value {game}")));
    check(file!(), 60, (game, steps), |(game, mut steps)| {
        steps.insert(0, game);
        holds(&steps)
    });
}

/// Sends position, go and wait in turn, as a GUI does during a game.
#[test]
fn games_are_played() {
    let moves = prop::collection::vec((any::<u64>(), 0usize..120, go()), 1..8);
    check(file!(), 20, (prop::sample::select(VariantId::ALL), moves), |(game, moves)| {
        let mut steps = vec![Step::Say(format!("setoption name USI_Variant value {game}\nisready"))];
        for (seed, plies, go) in moves.into_iter().filter(|(.., go)| is_short(go)) {
            steps.push(Step::Say(position(game, seed, plies)));
            steps.push(Step::Say(go));
            steps.push(Step::Wait);
        }
        holds(&steps)
    });
}

/// Runs the stored dialogues: each file contains one; a line with only `.` waits for the answers.
#[test]
fn kept_dialogues_are_answered() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hostile/dialogues");
    let mut files: Vec<_> =
        std::fs::read_dir(&folder).expect("the folder").flatten().map(|entry| entry.path()).collect();
    files.sort();
    assert!(files.len() >= 5, "only {} dialogues", files.len());
    for file in files {
        let text = String::from_utf8_lossy(&std::fs::read(&file).expect("a dialogue")).into_owned();
        let step = |line: &str| if line == "." { Step::Wait } else { Step::Say(line.to_string()) };
        let steps: Vec<Step> = text.lines().map(step).collect();
        if let Err(error) = hold(&steps) {
            panic!("{}: {error}", file.display());
        }
    }
}
