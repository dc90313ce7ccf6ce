//! One tab of the browser: questions arrive over a socket, answers and intermediate results are sent back.
//!
//! A question is `{"id": N, "ask": WORD, ...}`; its answer has the same id. A search runs on a separate thread, one at
//! a time: a new search ends the previous one. `stop` ends it, and so does closing the socket.

use super::files::version;
use super::house::House;
use sanban_board::{Asked, BoardError, FoundLine, Question, Search, answer_json, ask, line_json};
use sanban_engine::search::{STACK, Signals};
use sanban_rules::VariantId;
use serde_json::{Value as Json, json};
use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};
use tungstenite::error::ProtocolError;
use tungstenite::protocol::frame::CloseFrame;
use tungstenite::protocol::frame::coding::CloseCode;
use tungstenite::protocol::{Role, WebSocketConfig};
use tungstenite::{Message, WebSocket};

/// Maximum number of open tabs.
pub(super) const TABS: usize = 128;
/// Longest question, in bytes: a record of 8 MB fits, even if every second byte of it needs an escape in JSON.
const LONGEST_QUESTION: usize = 16 << 20;
/// How long to wait for the page to acknowledge the close.
const FAREWELL: Duration = Duration::from_secs(2);

static NEXT: AtomicU64 = AtomicU64::new(0);

/// The reading side of the socket. Writes are discarded, since only the [`Voice`] sends: an automatic reply of the
/// reader could interrupt another message.
struct Ear(TcpStream);

impl Read for Ear {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer)
    }
}

impl Write for Ear {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The sending side of the socket: one message at a time from any thread.
struct Voice(Mutex<WebSocket<TcpStream>>);

impl Voice {
    /// Sends a message; returns false if the socket is closed.
    fn say(&self, message: &Json) -> bool {
        self.send(Message::text(message.to_string()))
    }

    fn send(&self, message: Message) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).send(message).is_ok()
    }

    /// Closes the socket with a reason that the page can show.
    fn close(&self, code: CloseCode, reason: &'static str) {
        let mut socket = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let frame = CloseFrame { code, reason: reason.into() };
        let _ = socket.close(Some(frame)).and_then(|()| socket.flush());
    }
}

/// The close code and reason for a read error (RFC 6455, 7.4.1); `None` if the connection is already closed.
fn fault(error: &tungstenite::Error) -> Option<(CloseCode, &'static str)> {
    use tungstenite::Error;
    match error {
        Error::Capacity(_) => Some((CloseCode::Size, "the message is too long")),
        Error::Utf8(_) => Some((CloseCode::Invalid, "the text is not UTF-8")),
        Error::Protocol(ProtocolError::ResetWithoutClosingHandshake) => None,
        Error::Protocol(_) => Some((CloseCode::Protocol, "protocol error")),
        _ => None,
    }
}

struct Thought<'scope> {
    signals: Arc<Signals>,
    thread: thread::ScopedJoinHandle<'scope, ()>,
}

/// Ends a search; its answer has been sent when this returns.
fn end(thought: Option<Thought>) {
    if let Some(thought) = thought {
        thought.signals.stop();
        let _ = thought.thread.join();
    }
}

fn config() -> WebSocketConfig {
    WebSocketConfig::default().max_message_size(Some(LONGEST_QUESTION)).max_frame_size(Some(LONGEST_QUESTION))
}

/// Serves a tab until it is closed. The socket has been accepted; `first` contains the bytes received since.
pub(super) fn serve(stream: TcpStream, first: Vec<u8>, house: &House) {
    let Ok(writer) = stream.try_clone() else { return };
    // A tab may be idle indefinitely.
    if stream.set_read_timeout(None).is_err() {
        return;
    }
    let mut socket = WebSocket::from_partially_read(Ear(stream), first, Role::Server, Some(config()));
    let voice = Voice(Mutex::new(WebSocket::from_raw_socket(writer, Role::Server, Some(config()))));
    let tab = NEXT.fetch_add(1, Relaxed);
    thread::scope(|scope| {
        let mut thought: Option<Thought> = None;
        let mut solving = Arc::new(AtomicBool::new(true));
        let closing = loop {
            let text = match socket.read() {
                Ok(Message::Text(text)) => text,
                Ok(Message::Ping(payload)) => {
                    voice.send(Message::Pong(payload));
                    continue;
                }
                Ok(Message::Pong(_) | Message::Frame(_)) => continue,
                Ok(Message::Binary(_)) => break Some((CloseCode::Unsupported, "expected a text message")),
                // Echoes the close code.
                Ok(Message::Close(frame)) => {
                    break Some((frame.map_or(CloseCode::Normal, |frame| frame.code), ""));
                }
                Err(error) => break fault(&error),
            };
            let Ok(question) = serde_json::from_str::<Json>(&text) else {
                break Some((CloseCode::Policy, "the request is not JSON"));
            };
            let id = question["id"].clone();
            if question["ask"] == "stop" {
                end(thought.take());
            }
            let answer = match question["ask"].as_str() {
                Some("stop") => json!({ "id": id }),
                // A page that was opened before the program was replaced reloads itself.
                Some("hello") => {
                    let games: Vec<&str> = house.tables().games().into_iter().map(VariantId::name).collect();
                    json!({ "id": id, "version": version(), "truth": games, "usual": house.usual })
                }
                Some("cancel") => {
                    solving.store(false, Relaxed);
                    json!({ "id": id })
                }
                Some("solve") => {
                    solving.store(false, Relaxed);
                    solving = Arc::new(AtomicBool::new(true));
                    let (wanted, voice) = (solving.clone(), &voice);
                    let thread = thread::Builder::new().name(format!("solver of tab {tab}"));
                    match thread.spawn_scoped(scope, move || solve(&question, &wanted, house, voice)) {
                        Ok(_) => continue,
                        Err(error) => answer_json(&id, &Err::<(), _>(BoardError::Thread(error))),
                    }
                }
                _ => match Question::read(&question).and_then(|question| ask(question, &house.tables())) {
                    Ok(Asked::Answer(answer)) => answer_json(&id, &Ok(answer)),
                    Err(error) => answer_json(&id, &Err::<(), _>(error)),
                    Ok(Asked::Search(search)) => {
                        end(thought.take());
                        let signals = Arc::new(Signals::default());
                        let (heard, voice) = (signals.clone(), &voice);
                        let thread = thread::Builder::new().name(format!("tab {tab}")).stack_size(STACK);
                        let spawned = thread.spawn_scoped(scope, move || {
                            think(&search, &question["id"], &heard, tab, house, voice)
                        });
                        match spawned {
                            Ok(thread) => {
                                thought = Some(Thought { signals, thread });
                                continue;
                            }
                            Err(error) => answer_json(&id, &Err::<(), _>(BoardError::Thread(error))),
                        }
                    }
                },
            };
            if !voice.say(&answer) {
                break None;
            }
        };
        end(thought.take());
        solving.store(false, Relaxed);
        if let Some((code, reason)) = closing {
            voice.close(code, reason);
            farewell(&mut socket.get_mut().0);
        }
    });
    house.engines.forget(tab);
}

/// Waits for the page to close its side: closing a connection with unread bytes would discard the last message.
fn farewell(stream: &mut TcpStream) {
    let _ = stream.shutdown(std::net::Shutdown::Write);
    let _ = stream.set_read_timeout(Some(FAREWELL));
    let (mut bytes, end) = ([0; 4096], Instant::now() + FAREWELL);
    while Instant::now() < end && stream.read(&mut bytes).is_ok_and(|n| n > 0) {}
}

/// Runs the search for the question with this id and sends its answer.
fn think(search: &Search, id: &Json, signals: &Signals, tab: u64, house: &House, voice: &Voice) {
    let on_line = |line: FoundLine| {
        if !voice.say(&line_json(id, &line)) {
            signals.stop();
        }
    };
    let answer = match house.engines.lend(tab, || !signals.stopped()) {
        None => Err(BoardError::Busy),
        Some(mut engine) => {
            let work = || engine.with(|engine| engine.run(search, signals, &house.tables(), &on_line));
            // A bug in the engine must not leave the page waiting.
            catch_unwind(AssertUnwindSafe(work)).ok().flatten().unwrap_or(Err(BoardError::Internal))
        }
    };
    voice.say(&answer_json(id, &answer));
}

/// Solves the game of a question while it is `wanted`, reports the progress in percent, and answers with the games whose
/// tables are loaded.
fn solve(question: &Json, wanted: &AtomicBool, house: &House, voice: &Voice) {
    let id = &question["id"];
    let told = AtomicU64::new(0);
    let tell = |share: f64| {
        let percent = (share * 100.0) as u64;
        if told.fetch_max(percent, Relaxed) < percent {
            voice.say(&json!({ "id": id, "finding": { "solving": percent } }));
        }
        wanted.load(Relaxed)
    };
    let game = question["game"].as_str().unwrap_or_default();
    let solved = match VariantId::ALL.iter().find(|known| known.name() == game) {
        Some(&game) => house.solve(game, &tell),
        None => Err(format!("unknown game: {game:.20}")),
    };
    let games: Vec<&str> = house.tables().games().into_iter().map(VariantId::name).collect();
    voice.say(&match solved {
        Ok(()) => json!({ "id": id, "truth": games }),
        Err(error) => json!({ "id": id, "error": error }),
    });
}
