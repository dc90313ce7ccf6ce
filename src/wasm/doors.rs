//! The interface to JavaScript: bytes in a buffer, and their number.

use super::{Page, Usi};
use sanban_engine::search::STACK;
use serde_json::Value as Json;
use std::cell::RefCell;

const _: () = assert!(STACK == 8 << 20, "the build sets the same stack");

#[link(wasm_import_module = "page")]
unsafe extern "C" {
    /// Receives a text from the engine.
    fn tell(bytes: *const u8, length: usize);
}

thread_local! {
    static BUFFER: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static PAGE: RefCell<Page> = RefCell::default();
    static USI: RefCell<Usi> = RefCell::default();
}

fn say(text: &str) {
    // SAFETY: the page reads the bytes before it returns.
    unsafe { tell(text.as_ptr(), text.len()) }
}

fn say_json(message: Json) {
    say(&message.to_string());
}

/// Returns a buffer of `length` bytes for a text, which the next call that takes a text reads.
#[unsafe(no_mangle)]
pub extern "C" fn room(length: usize) -> *mut u8 {
    BUFFER.with_borrow_mut(|buffer| {
        buffer.clear();
        buffer.resize(length, 0);
        buffer.as_mut_ptr()
    })
}

fn text() -> String {
    BUFFER.with_borrow(|buffer| String::from_utf8_lossy(buffer).into_owned())
}

/// Handles the question in the buffer.
#[unsafe(no_mangle)]
pub extern "C" fn ask() {
    let question = serde_json::from_str(&text()).unwrap_or(Json::Null);
    PAGE.with_borrow_mut(|page| page.ask(&question, &say_json));
}

/// Searches for one slice; returns 1 while the search for the last question is running.
#[unsafe(no_mangle)]
pub extern "C" fn poll() -> u32 {
    PAGE.with_borrow_mut(|page| u32::from(page.poll(&say_json)))
}

/// Handles the USI command in the buffer.
#[unsafe(no_mangle)]
pub extern "C" fn usi_command() {
    let line = text();
    USI.with_borrow_mut(|usi| usi.command(&line, &say));
}

/// Searches for one slice; returns 1 while the last `go` is running.
#[unsafe(no_mangle)]
pub extern "C" fn usi_poll() -> u32 {
    USI.with_borrow_mut(|usi| u32::from(usi.poll(&say)))
}
