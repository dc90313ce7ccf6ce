//! The command that starts an engine, and the option that selects its game.

use super::fault::EngineFault;
use sanban_rules::VariantId;
use std::path::{Path, PathBuf};

/// The command line, working directory and options of an engine.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Command {
    /// The name of the engine in messages, such as `engine A`.
    pub label: String,
    /// The name to use instead of the one that the engine reports.
    pub name: Option<String>,
    /// The program and its arguments.
    pub words: Vec<String>,
    /// The working directory; `None` for the current one.
    pub folder: Option<PathBuf>,
    /// Options to set: name and value.
    pub options: Vec<(String, String)>,
    /// The game. It is set with the option that the engine declares for it, unless `options` contains such an option.
    pub game: VariantId,
}

/// The options that select the game: Sanban's own, and the one of engines that also support UCI.
pub(super) const VARIANT: [&str; 2] = ["USI_Variant", "UCI_Variant"];

/// Returns whether this option selects the game.
pub fn chooses_game(option: &str) -> bool {
    VARIANT.iter().any(|name| name.eq_ignore_ascii_case(option))
}

/// An option of an engine that selects the game.
pub(super) struct VariantOption {
    name: String,
    default: String,
    /// The games that it lists.
    games: Vec<String>,
}

impl VariantOption {
    /// Reads the text after `option name`.
    pub fn read(text: &str) -> Option<Self> {
        let mut words = text.split_whitespace();
        let name = words.next().filter(|name| chooses_game(name))?.to_string();
        let (mut default, mut games) = (String::new(), Vec::new());
        while let Some(word) = words.next() {
            match word {
                "default" => default = words.next()?.to_string(),
                "var" => games.push(words.next()?.to_string()),
                _ => {}
            }
        }
        Some(Self { name, default, games })
    }
}

impl Command {
    /// Splits a command line into words, with quotes as in a shell. The name of an existing file is one word, even if
    /// it contains spaces. `None` if a quote is not closed or the line is empty.
    pub fn words(text: &str) -> Option<Vec<String>> {
        if Path::new(text).is_file() {
            return Some(vec![text.to_string()]);
        }
        shlex::split(text).filter(|words| !words.is_empty())
    }
}

/// Returns the option to set so that an engine plays a game, or `None` if none is needed. Engines play shogi by
/// default.
pub(super) fn game_option(
    game: VariantId,
    declared: Option<VariantOption>,
) -> Result<Option<(String, String)>, EngineFault> {
    match declared {
        Some(VariantOption { default, .. }) if default == game.name() => Ok(None),
        Some(VariantOption { name, games, .. }) => {
            match games.iter().find(|known| known.eq_ignore_ascii_case(game.name())) {
                Some(known) => Ok(Some((name, known.clone()))),
                None if games.is_empty() => Ok(Some((name, game.name().into()))),
                None => Err(EngineFault::Game { game, option: name }),
            }
        }
        None if game == VariantId::Shogi => Ok(None),
        None => Err(EngineFault::Option(VARIANT[0].into())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_game_is_chosen_by_the_declared_option() {
        let set = |game, line| game_option(game, VariantOption::read(line));
        let combo = "UCI_Variant type combo default chess var chess var janggi var Shogi";
        let option = |name: &str, value: &str| Ok(Some((name.to_string(), value.to_string())));
        assert_eq!(set(VariantId::Janggi, combo), option("UCI_Variant", "janggi"));
        assert_eq!(set(VariantId::Shogi, combo), option("UCI_Variant", "Shogi"));
        assert!(matches!(set(VariantId::Dobutsu, combo), Err(EngineFault::Game { .. })));
        assert_eq!(
            set(VariantId::Janggi, "USI_Variant type string default shogi"),
            option("USI_Variant", "janggi")
        );
        assert_eq!(set(VariantId::Shogi, "USI_Variant type string default shogi"), Ok(None));
        assert_eq!(set(VariantId::Shogi, "Threads type spin default 1"), Ok(None));
        assert_eq!(
            set(VariantId::Janggi, "Threads type spin"),
            Err(EngineFault::Option("USI_Variant".into()))
        );
    }

    #[test]
    fn command_lines_have_quotes() {
        let words = |text| Command::words(text);
        assert_eq!(words("a 'b c' d"), Some(vec!["a".into(), "b c".into(), "d".into()]));
        assert_eq!((words("a 'b"), words(" ")), (None, None));
    }
}
