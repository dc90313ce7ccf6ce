//! Mutations of valid strings and files.

use proptest::prelude::*;
use proptest::sample::Index;

/// A change to some bytes.
#[derive(Clone, Debug)]
pub enum Change {
    Flip(Index, u8),
    Set(Index, u8),
    /// Overwrites four bytes with a little-endian number, as in headers.
    Number(Index, u32),
    Cut(Index),
    Remove(Index, usize),
    Insert(Index, Vec<u8>),
    /// Copies some bytes to a different offset.
    Copy(Index, Index, usize),
}

/// Numbers at the limits of integer types.
pub fn number() -> impl Strategy<Value = u32> {
    prop_oneof![
        Just(0),
        Just(1),
        Just(u32::MAX),
        Just(1 << 31),
        Just((1 << 31) - 1),
        (0u32..32).prop_map(|bit| 1 << bit),
        any::<u32>()
    ]
}

/// Generates changes to a binary file.
pub fn changes() -> impl Strategy<Value = Vec<Change>> {
    let change = prop_oneof![
        4 => (any::<Index>(), 0u8..8).prop_map(|(at, bit)| Change::Flip(at, bit)),
        2 => (any::<Index>(), any::<u8>()).prop_map(|(at, byte)| Change::Set(at, byte)),
        4 => (any::<Index>(), number()).prop_map(|(at, number)| Change::Number(at, number)),
        1 => any::<Index>().prop_map(Change::Cut),
        1 => (any::<Index>(), 1usize..9).prop_map(|(at, n)| Change::Remove(at, n)),
        1 => (any::<Index>(), prop::collection::vec(any::<u8>(), 1..9))
            .prop_map(|(at, bytes)| Change::Insert(at, bytes)),
        1 => (any::<Index>(), any::<Index>(), 1usize..33).prop_map(|(a, b, n)| Change::Copy(a, b, n)),
    ];
    prop::collection::vec(change, 0..6)
}

/// Words that have a meaning in some format.
const WORDS: &[&str] = &[
    "k",
    "K",
    "+",
    "++",
    "P",
    "18P",
    "/",
    "9",
    "0",
    "10",
    " b ",
    " w ",
    " - ",
    "1",
    "99999999999",
    "-1",
    "R",
    "+R",
    "l",
    "L",
    "c",
    "+C",
    "E",
    "startpos",
    "moves",
    "sfen",
    "7g7f",
    "P*5e",
    "5i5i",
    "0000",
    "none",
    "resign",
    "#",
    "\r",
    "\t",
    "\u{feff}",
    "将",
    "\0",
    "\u{1b}[31m",
];

/// Generates changes to a string.
pub fn text_changes() -> impl Strategy<Value = Vec<Change>> {
    let change = prop_oneof![
        2 => (any::<Index>(), 0x20u8..0x7F).prop_map(|(at, byte)| Change::Set(at, byte)),
        1 => (any::<Index>(), 1usize..5).prop_map(|(at, n)| Change::Remove(at, n)),
        3 => (any::<Index>(), prop::sample::select(WORDS))
            .prop_map(|(at, word)| Change::Insert(at, word.as_bytes().to_vec())),
        1 => (any::<Index>(), any::<Index>(), 1usize..20).prop_map(|(a, b, n)| Change::Copy(a, b, n)),
        1 => any::<Index>().prop_map(Change::Cut),
    ];
    prop::collection::vec(change, 0..5)
}

/// The bytes after these changes.
pub fn changed(mut bytes: Vec<u8>, changes: &[Change]) -> Vec<u8> {
    for change in changes {
        let within = |at: &Index| at.index(bytes.len().max(1));
        let end = |from: usize, n: usize| (from + n).min(bytes.len());
        match change {
            _ if bytes.is_empty() => {}
            Change::Flip(at, bit) => {
                let at = within(at);
                bytes[at] ^= 1 << bit;
            }
            Change::Set(at, byte) => {
                let at = within(at);
                bytes[at] = *byte;
            }
            Change::Number(at, number) => {
                let from = within(at) & !3;
                let to = end(from, 4);
                bytes[from..to].copy_from_slice(&number.to_le_bytes()[..to - from]);
            }
            Change::Cut(at) => bytes.truncate(within(at)),
            Change::Remove(at, n) => {
                let from = within(at);
                let to = end(from, *n);
                bytes.drain(from..to);
            }
            Change::Insert(at, new) => {
                let at = within(at);
                bytes.splice(at..at, new.iter().copied());
            }
            Change::Copy(from, to, n) => {
                let (from, to) = (within(from), within(to));
                let copy = bytes[from..end(from, *n)].to_vec();
                bytes.splice(to..to, copy);
            }
        }
    }
    bytes
}

/// The string after these changes.
pub fn changed_text(text: &str, changes: &[Change]) -> String {
    String::from_utf8_lossy(&changed(text.as_bytes().to_vec(), changes)).into_owned()
}
