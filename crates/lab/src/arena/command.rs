//! The command that starts an engine, and the option that selects its game.

use super::fault::EngineFault;
use super::protocol::Protocol;
use sanban_rules::VariantId;
use sanban_rules::janggi::ENDS_SETTING;
use sanban_rules::uci::UciVariant;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

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
    pub options: Vec<(String, String)>,
    /// The game. It is set with the option that the engine declares for it, unless `options` contains such an option.
    pub game: VariantId,
    /// The protocol of the engine. If it is not set, the engine is asked when it starts, and the answer is kept.
    pub protocol: OnceLock<Protocol>,
}

/// The options that select the game: Sanban's own, and the one of engines that also support UCI.
pub(super) const VARIANT: [&str; 2] = ["USI_Variant", "UCI_Variant"];

pub fn chooses_game(option: &str) -> bool {
    VARIANT.iter().any(|name| name.eq_ignore_ascii_case(option))
}

/// An option of an engine that selects the game.
pub(super) struct VariantOption {
    name: String,
    default: String,
    games: Vec<String>,
}

impl VariantOption {
    /// The list of the games of CECP, which has no default.
    pub fn of_cecp(list: &str) -> Self {
        let games = list.split(',').map(|name| name.trim().to_string()).collect();
        Self { name: "its list of variants".into(), default: String::new(), games }
    }

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

/// The name of a game in UCI and CECP under these options, and the name to use with engines that do not have it.
pub(super) fn uci_names(game: VariantId, options: &[(String, String)]) -> [&'static str; 2] {
    let is_set = |name: &str, value: &str| {
        let set = options.iter().rfind(|(option, _)| option.eq_ignore_ascii_case(name));
        set.map_or("false", |(_, set)| set) == value
    };
    // Of Janggi, each combination of facing generals and counting has its name.
    let same = |variant: &&UciVariant| {
        let rules =
            variant.rules.iter().filter(|(name, _)| name.starts_with("Janggi_") && *name != ENDS_SETTING);
        variant.id == game && rules.copied().all(|(name, value)| is_set(name, value))
    };
    let name = UciVariant::ALL.iter().find(same).map_or(game.name(), |variant| variant.name);
    // What other engines call janggi has other rules for passes and facing generals.
    [name, if game == VariantId::Janggi { name } else { game.name() }]
}

/// Returns the option to set so that an engine plays a game with one of these names, or `None` if none is needed. USI
/// engines play shogi by default.
pub(super) fn game_option(
    game: VariantId,
    names: [&str; 2],
    protocol: Protocol,
    declared: Option<VariantOption>,
) -> Result<Option<(String, String)>, EngineFault> {
    match declared {
        Some(VariantOption { default, .. }) if default == names[0] => Ok(None),
        Some(VariantOption { name, games, .. }) => {
            let find = |wanted: &str| games.iter().find(|known| known.eq_ignore_ascii_case(wanted));
            match names.into_iter().find_map(find) {
                Some(known) => Ok(Some((name, known.clone()))),
                None if games.is_empty() => Ok(Some((name, names[0].into()))),
                None => Err(EngineFault::Game { game, option: name }),
            }
        }
        None if game == VariantId::Shogi && protocol == Protocol::Usi => Ok(None),
        None => Err(EngineFault::Option(VARIANT[usize::from(protocol != Protocol::Usi)].into())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_game_is_chosen_by_the_declared_option() {
        let set = |game, line| game_option(game, [game.name(); 2], Protocol::Usi, VariantOption::read(line));
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
    fn rules_choose_the_name_of_a_game() {
        let option = |name: &str| (name.to_string(), "true".to_string());
        let names = |game, options: &[(String, String)]| uci_names(game, options);
        let both = [option("Janggi_Bikjang"), option("Janggi_Counting")];
        assert_eq!(names(VariantId::JanggiCasual, &[])[0], "janggicasual");
        assert_eq!(names(VariantId::JanggiCasual, &both)[0], "janggi");
        assert_eq!(names(VariantId::JanggiCasual, &both[..1])[0], "janggitraditional");
        assert_eq!(names(VariantId::JanggiModern, &[])[0], "janggimodern");
        assert_eq!(names(VariantId::Janggi, &[]), ["janggiliteral"; 2]);
        assert_eq!(names(VariantId::DobutsuMate, &[])[0], "dobutsumate");
        let chess = VariantOption::read("UCI_Variant type combo default chess var chess var janggi");
        let set = game_option(VariantId::Janggi, names(VariantId::Janggi, &[]), Protocol::Uci, chess);
        let fault = set.expect_err("another game").to_string();
        assert!(fault.contains("--game janggicasual"), "{fault}");
        let none = game_option(VariantId::Shogi, ["shogi"; 2], Protocol::Uci, None);
        assert_eq!(none, Err(EngineFault::Option("UCI_Variant".into())));
    }

    #[test]
    fn command_lines_have_quotes() {
        let words = |text| Command::words(text);
        assert_eq!(words("a 'b c' d"), Some(vec!["a".into(), "b c".into(), "d".into()]));
        assert_eq!((words("a 'b"), words(" ")), (None, None));
    }
}
