//! One tab of the browser: its questions come over a socket, answers and findings go back.
//!
//! A question is `{"id": N, "ask": WORD, ...}`, its answer has the same number. What takes thought runs on a thread of
//! its own, one at a time: a new thought ends the one before. `stop` ends it, and so does the end of the socket.

use super::files::version;
use super::house::House;
use crate::board::{Asked, ask};
use sanban_engine::search::{STACK, Signals};
use serde_json::{Value as Json, json};
use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use tungstenite::protocol::{Role, WebSocketConfig};
use tungstenite::{Message, WebSocket};

/// Tabs at once.
pub(super) const TABS: usize = 128;
/// Longest question, in bytes: a game of several thousand moves fits.
const LONGEST_QUESTION: usize = 256 * 1024;

/// The next tab's number.
static NEXT: AtomicU64 = AtomicU64::new(0);

/// A stream of which the first bytes have been read already.
struct Rewound {
    first: io::Cursor<Vec<u8>>,
    stream: TcpStream,
}

impl Read for Rewound {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.first.read(buffer)? {
            0 => self.stream.read(buffer),
            n => Ok(n),
        }
    }
}

impl Write for Rewound {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.stream.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}

/// The way to the page: one message at a time, whoever speaks.
struct Voice(Mutex<WebSocket<TcpStream>>);

impl Voice {
    /// Says something; false when nobody listens.
    fn say(&self, message: &Json) -> bool {
        let mut socket = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        socket.send(Message::text(message.to_string())).is_ok()
    }
}

/// A thought that is under way.
struct Thought<'scope> {
    signals: Arc<Signals>,
    thread: thread::ScopedJoinHandle<'scope, ()>,
}

/// Ends a thought. Its answer has been given then.
fn end(thought: Option<Thought>) {
    if let Some(thought) = thought {
        thought.signals.stop();
        let _ = thought.thread.join();
    }
}

fn config() -> WebSocketConfig {
    WebSocketConfig::default().max_message_size(Some(LONGEST_QUESTION)).max_frame_size(Some(LONGEST_QUESTION))
}

/// Serves a tab until it is closed. `head` is the request that opened the socket.
pub(super) fn serve(stream: TcpStream, head: Vec<u8>, house: &House) {
    let Ok(writer) = stream.try_clone() else { return };
    let rewound = Rewound { first: io::Cursor::new(head), stream };
    let Ok(mut socket) = tungstenite::accept_with_config(rewound, Some(config())) else { return };
    // From now on a tab may be silent as long as it likes.
    if socket.get_ref().stream.set_read_timeout(None).is_err() {
        return;
    }
    let voice = Voice(Mutex::new(WebSocket::from_raw_socket(writer, Role::Server, Some(config()))));
    let tab = NEXT.fetch_add(1, Relaxed);
    thread::scope(|scope| {
        let mut thought: Option<Thought> = None;
        // A message that is too long, or no text, ends the tab.
        while let Ok(Message::Text(text)) = socket.read() {
            let Ok(question) = serde_json::from_str::<Json>(&text) else { break };
            let id = question["id"].clone();
            if question["ask"] == "stop" {
                end(thought.take());
            }
            let answer = match question["ask"].as_str() {
                Some("stop") => json!({}),
                // A page that was opened before the program was replaced loads itself anew.
                Some("hello") => {
                    json!({ "version": version(), "truth": house.truth.games(), "usual": house.usual })
                }
                _ => match ask(&question, &house.truth) {
                    Asked::Answer(answer) => answer,
                    Asked::Thought => {
                        end(thought.take());
                        let signals = Arc::new(Signals::default());
                        let (heard, voice) = (signals.clone(), &voice);
                        let thread = thread::Builder::new().name(format!("tab {tab}")).stack_size(STACK);
                        let spawned =
                            thread.spawn_scoped(scope, move || think(&question, &heard, tab, house, voice));
                        match spawned {
                            Ok(thread) => {
                                thought = Some(Thought { signals, thread });
                                continue;
                            }
                            Err(error) => json!({ "error": format!("cannot start a thread: {error}") }),
                        }
                    }
                },
            };
            if !voice.say(&with_id(answer, &id)) {
                break;
            }
        }
        end(thought.take());
    });
    house.engines.forget(tab);
}

/// Answers a question that takes thought.
fn think(question: &Json, signals: &Signals, tab: u64, house: &House, voice: &Voice) {
    let id = &question["id"];
    let tell = |finding: Json| {
        if !voice.say(&json!({ "id": id, "finding": finding })) {
            signals.stop();
        }
    };
    let answer = match house.engines.lend(tab, || !signals.stopped()) {
        None => json!({ "error": "busy" }),
        Some(mut engine) => {
            let work = || engine.with(|engine| engine.run(question, signals, &house.truth, &tell));
            // A mistake in the engine must not leave the page waiting.
            catch_unwind(AssertUnwindSafe(work))
                .ok()
                .flatten()
                .unwrap_or_else(|| json!({ "error": "internal" }))
        }
    };
    voice.say(&with_id(answer, id));
}

fn with_id(mut answer: Json, id: &Json) -> Json {
    answer["id"] = id.clone();
    answer
}
