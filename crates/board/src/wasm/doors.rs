//! The interface to JavaScript. Strings are passed as an address and a length in bytes.

use super::{Page, Usi};
use crate::Solved;
use sanban_engine::search::STACK;
use serde_json::{Value as Json, json};
use std::cell::RefCell;

const _: () = assert!(STACK == 8 << 20, "must match the stack size set by the build");

#[link(wasm_import_module = "page")]
unsafe extern "C" {
    /// Receives a string from the engine.
    fn tell(bytes: *const u8, length: usize);
}

thread_local! {
    static BUFFER: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static PAGE: RefCell<Page> = RefCell::default();
    static SOLVED: RefCell<Option<Solved>> = const { RefCell::new(None) };
    static USI: RefCell<Usi> = RefCell::default();
}

fn say(text: &str) {
    // SAFETY: the page reads the bytes before `tell` returns.
    unsafe { tell(text.as_ptr(), text.len()) }
}

fn say_json(message: Json) {
    say(&message.to_string());
}

/// Returns a buffer of `length` bytes for the input of the next call.
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

/// Runs one slice of the search; returns 1 while the search for the last question is running.
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

/// Runs one slice of the search; returns 1 while the last `go` is running.
#[unsafe(no_mangle)]
pub extern "C" fn usi_poll() -> u32 {
    USI.with_borrow_mut(|usi| u32::from(usi.poll(&say)))
}

/// Closes the loaded table and reserves memory for another table file; returns 0 if there is not enough memory.
#[unsafe(no_mangle)]
pub extern "C" fn begin_table() -> u32 {
    PAGE.with_borrow_mut(|page| u32::from(page.begin_table()))
}

/// Adds the bytes in the buffer to the file.
#[unsafe(no_mangle)]
pub extern "C" fn add_to_table() {
    BUFFER.with_borrow(|buffer| PAGE.with_borrow_mut(|page| page.add_to_table(buffer)));
}

/// Opens the table of Dobutsu shogi in the file (`mate` is 1 for the game with mate); returns 1 if it is valid.
#[unsafe(no_mangle)]
pub extern "C" fn open_table(mate: u32) -> u32 {
    PAGE.with_borrow_mut(|page| u32::from(page.open_table(mate != 0)))
}

/// Solves Dobutsu shogi and reports the progress as `{"solving": SHARE}`; returns 0 if there is not enough memory.
#[unsafe(no_mangle)]
pub extern "C" fn solve(mate: u32) -> u32 {
    let solved = Solved::new(mate != 0, &|share| {
        say_json(json!({ "solving": share }));
        true
    })
    .ok();
    SOLVED.set(solved);
    SOLVED.with_borrow(|solved| u32::from(solved.is_some()))
}

/// Returns the address of part 0 (the header) or part 1 (the values) of the solved game's table file.
#[unsafe(no_mangle)]
pub extern "C" fn part(n: usize) -> *const u8 {
    with_part(n, <[u8]>::as_ptr)
}

/// Returns the length of this part, in bytes.
#[unsafe(no_mangle)]
pub extern "C" fn part_length(n: usize) -> usize {
    with_part(n, <[u8]>::len)
}

fn with_part<T>(n: usize, act: impl Fn(&[u8]) -> T) -> T {
    SOLVED.with_borrow_mut(|solved| {
        act(solved.as_mut().and_then(|solved| solved.parts().get(n).copied()).unwrap_or_default())
    })
}
