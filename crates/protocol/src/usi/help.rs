//! Help for users at a terminal: the list of commands, and suggestions for mistyped ones.

use std::fmt::Write;
use strsim::damerau_levenshtein;

/// The syntax of each command and what it does.
const COMMANDS: &[(&str, &str)] = &[
    ("usi", "name and options"),
    ("uci", "switch to UCI"),
    ("xboard", "switch to CECP, the protocol of XBoard"),
    ("setoption name NAME value VALUE", "set an option"),
    ("isready", "allocate memory, load files and reply with readyok"),
    ("usinewgame", "start a new game"),
    ("position startpos|SFEN [moves MOVE ...]", "set up a position"),
    ("go [depth N | nodes N | movetime MS | byoyomi MS | infinite | ponder | mate MS ...]", "search"),
    ("ponderhit", "the opponent played the expected move"),
    ("stop", "end the search and print its answer"),
    ("gameover win|lose|draw", "end the search because the game is over"),
    ("d", "show the board"),
    ("moves", "list the legal moves"),
    ("eval", "show the static evaluation"),
    ("key", "show the hash key"),
    ("perft N", "count the leaf nodes at depth N"),
    ("bench [N]", "search fixed positions to depth N"),
    ("usi_tunables", "list the search parameters that can be tuned"),
    ("help", "show this list"),
    ("quit", "exit"),
];

/// The greeting printed at a terminal.
pub const WELCOME: &str = concat!(
    "Sanban ",
    env!("CARGO_PKG_VERSION"),
    ", a USI engine for shogi, Janggi and Dobutsu shogi. Type help for a list of commands, quit to exit."
);

pub fn commands() -> String {
    let mut out = String::from("commands:");
    for (usage, what) in COMMANDS {
        // Writing to a string cannot fail.
        let _ = write!(out, "\n  {usage}: {what}");
    }
    out + "\nusi_spec.md describes them; sanban --help lists the subcommands of the program."
}

/// Returns the command closest to a mistyped word, if one is close enough.
pub fn command_like(word: &str) -> Option<&'static str> {
    nearest(word, COMMANDS.iter().filter_map(|(usage, _)| usage.split(' ').next()))
}

/// Returns the name closest to the text, if their edit distance is at most a third of the text's length. Case, spaces
/// and underscores are ignored.
pub fn nearest<'a>(typed: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let plain = |text: &str| text.to_lowercase().replace(['_', ' '], "");
    let typed = plain(typed);
    // No name is this long, and the comparison takes quadratic time.
    if typed.len() > 64 {
        return None;
    }
    let distance = |name: &'a str| (damerau_levenshtein(&typed, &plain(name)), name);
    let (distance, name) = names.map(distance).min()?;
    (3 * distance <= typed.chars().count()).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typing_mistakes_are_understood() {
        for (typed, meant) in [
            ("postion", Some("position")),
            ("isReady", Some("isready")),
            ("GO", Some("go")),
            ("qiut", Some("quit")),
            ("hello", None),
            ("", None),
        ] {
            assert_eq!(command_like(typed), meant, "{typed}");
        }
        assert_eq!(command_like(&"quit".repeat(100_000)), None);
    }
}
