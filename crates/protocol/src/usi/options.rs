//! The options: one table of names, types and ranges, each with the function that sets it.
//!
//! Setting an option only changes the [`Config`]; memory is allocated and files are read when they are needed, at
//! `isready` or `go`. The rule settings of all games are listed together, because a GUI asks for the options only once;
//! the settings of a different game take effect when that game is selected.

use super::command::clip;
use super::help;
use super::number::Number;
use crate::uci::{Dialect, UciVariant, named};
use sanban_engine::nnue::FV_SCALE;
use sanban_engine::search::Settings;
use sanban_formats::book::choose::Policy;
use sanban_rules::VariantId;
use sanban_rules::score::MAX_PLY;
use sanban_rules::setting::SettingKind::*;
use sanban_rules::setting::{Setting, SettingKind};
use std::collections::BTreeMap;
use std::str::FromStr;
use std::time::Duration;

/// The value of `BookFile` for no book.
pub const NO_BOOK: &str = "no_book";
/// The value of `BookFile` for the embedded book.
pub const EMBEDDED: &str = "embedded";

#[derive(Clone, Debug, Default)]
pub struct Config {
    /// `USI_Variant`: the name of the game.
    pub variant: VariantId,
    /// `USI_Hash` in megabytes.
    pub hash: usize,
    pub threads: usize,
    /// `ResignValue` in centipawns.
    pub resign: i32,
    /// `USI_LimitStrength`: whether to limit the playing strength to `strength`.
    pub limit_strength: bool,
    /// `USI_Strength`: a rank, negative for kyu and positive for dan.
    pub strength: i32,
    /// `DepthLimit` in plies; `None` without limit.
    pub depth_limit: Option<u32>,
    /// `NodesLimit`; `None` without limit.
    pub nodes_limit: Option<u64>,
    /// `MateShortest`: whether to continue searching for a shorter mate.
    pub mate_shortest: bool,
    /// `USI_OwnBook`: whether to play moves from the book.
    pub own_book: bool,
    /// `BookFile`: file names separated by `;`; empty or `no_book` for none, `embedded` for the embedded book.
    pub book_file: String,
    /// `BookDir`: the directory searched first for `BookFile`.
    pub book_dir: String,
    /// `BookOnTheFly`: whether to read the book from disk instead of loading it.
    pub book_on_the_fly: bool,
    /// `BookSeed`: seed for the choice between book moves; 0 for a random seed.
    pub book_seed: u64,
    pub book: Policy,
    /// `EvalFile`; empty for the embedded network.
    pub eval_file: String,
    /// `DobutsuTable`: the table file of the solved game, or empty.
    pub dobutsu_table: String,
    /// `JanggiTables`: the directory of endgame tables, or empty.
    pub janggi_tables: String,
    /// `EvalDir`: the directory that contains `nn.bin`; empty for none.
    pub eval_dir: String,
    pub fv_scale: i32,
    /// `WriteDebugLog`: the log file; empty for none.
    pub debug_log: String,
    pub search: Settings,
    /// Search parameters that were set, by name.
    #[cfg(feature = "tune")]
    pub params: BTreeMap<&'static str, i32>,
    /// Rule settings that were set, by name.
    pub rules: BTreeMap<&'static str, String>,
}

/// A valid value of a setting, in its canonical form.
#[derive(Clone, Copy)]
struct Value<'a>(&'a str);

impl Value<'_> {
    fn flag(self) -> bool {
        self.0 == "true"
    }

    /// The parsed value; the text was validated when it was set.
    fn number<T: FromStr + Default>(self) -> T {
        self.0.parse().unwrap_or_default()
    }

    /// The value for one side; -1 means that the value for both sides applies.
    fn own<T: FromStr>(self) -> Option<T> {
        self.0.parse().ok().filter(|_| self.0 != "-1")
    }

    /// The value as a limit; 0 means "no limit".
    fn limit<T: FromStr + Default + PartialEq>(self) -> Option<T> {
        Some(self.number()).filter(|n| *n != T::default())
    }

    fn millis(self) -> Duration {
        Duration::from_millis(self.number())
    }

    fn text(self) -> String {
        self.0.to_string()
    }
}

/// An option: its declaration, and the function that sets it.
struct Row {
    setting: Setting,
    set: fn(&mut Config, Value),
}

const fn row(name: &'static str, kind: SettingKind, set: fn(&mut Config, Value)) -> Row {
    Row { setting: Setting { name, kind }, set }
}

/// Largest delay or interval, in milliseconds.
const MAX_DELAY: i64 = 60_000;

/// Largest `NodesLimit`: GUIs store spin values in 32 bits.
const MOST_NODES: i64 = i32::MAX as i64;

const TABLE: &[Row] = &[
    row("USI_Variant", Combo("shogi", VariantId::NAMES), |c, v| c.variant = v.number()),
    row("USI_Hash", Spin(256, 1, 33_554_432), |c, v| c.hash = v.number()),
    row("Threads", Spin(1, 1, 1024), |c, v| c.threads = v.number()),
    row("MultiPV", Spin(1, 1, 600), |c, v| c.search.multi_pv = v.number()),
    // The GUI decides whether to ponder; the protocol requires the option.
    row("USI_Ponder", Check(false), |_, _| {}),
    row("Stochastic_Ponder", Check(false), |c, v| c.search.stochastic_ponder = v.flag()),
    row("NetworkDelay", Spin(20, 0, MAX_DELAY), |c, v| c.search.network_delay = v.millis()),
    row("NetworkDelay2", Spin(60, 0, MAX_DELAY), |c, v| c.search.network_delay2 = v.millis()),
    row("MinimumThinkingTime", Spin(0, 0, MAX_DELAY), |c, v| c.search.minimum_thinking_time = v.millis()),
    row("SlowMover", Spin(100, 1, 1000), |c, v| c.search.slow_mover = v.number()),
    row("ResignValue", Spin(99_999, 0, 99_999), |c, v| c.resign = v.number()),
    row("DrawValueBlack", Spin(-2, -30_000, 30_000), |c, v| c.search.draw_value[0] = v.number()),
    row("DrawValueWhite", Spin(-2, -30_000, 30_000), |c, v| c.search.draw_value[1] = v.number()),
    row("DepthLimit", Spin(0, 0, 1000), |c, v| c.depth_limit = v.limit()),
    row("NodesLimit", Spin(0, 0, MOST_NODES), |c, v| c.nodes_limit = v.limit()),
    row("MateShortest", Check(false), |c, v| c.mate_shortest = v.flag()),
    row("SkillLevel", Spin(20, 0, 20), |c, v| c.search.skill_level = v.number()),
    row("USI_LimitStrength", Check(false), |c, v| c.limit_strength = v.flag()),
    row("USI_Strength", Spin(1, -10, 9), |c, v| c.strength = v.number()),
    row("PvInterval", Spin(300, 0, MAX_DELAY), |c, v| c.search.pv_interval = v.millis()),
    row("ConsiderationMode", Check(false), |c, v| c.search.consideration_mode = v.flag()),
    row("OutputFailLHPV", Check(true), |c, v| c.search.output_fail_lhpv = v.flag()),
    row("USI_OwnBook", Check(true), |c, v| c.own_book = v.flag()),
    row("BookFile", File(EMBEDDED), |c, v| c.book_file = v.text()),
    row("BookDir", Text("book"), |c, v| c.book_dir = v.text()),
    row("BookOnTheFly", Check(false), |c, v| c.book_on_the_fly = v.flag()),
    row("BookMoves", Spin(16, 0, 10_000), |c, v| c.book.moves = v.number()),
    row("BookIgnoreRate", Spin(0, 0, 100), |c, v| c.book.ignore_rate = v.number()),
    row("NarrowBook", Check(false), |c, v| c.book.narrow = v.flag()),
    row("BookEvalDiff", Spin(30, 0, 99_999), |c, v| c.book.eval_diff = v.number()),
    row("BookEvalBlackDiff", Spin(-1, -1, 99_999), |c, v| c.book.eval_diff_of[0] = v.own()),
    row("BookEvalWhiteDiff", Spin(-1, -1, 99_999), |c, v| c.book.eval_diff_of[1] = v.own()),
    row("BookEvalBlackLimit", Spin(0, -99_999, 99_999), |c, v| c.book.eval_limit[0] = v.number()),
    row("BookEvalWhiteLimit", Spin(-140, -99_999, 99_999), |c, v| c.book.eval_limit[1] = v.number()),
    row("BookDepthLimit", Spin(16, 0, 99_999), |c, v| c.book.depth_limit = v.number()),
    row("BookDepthBlackLimit", Spin(-1, -1, 99_999), |c, v| c.book.depth_limit_of[0] = v.own()),
    row("BookDepthWhiteLimit", Spin(-1, -1, 99_999), |c, v| c.book.depth_limit_of[1] = v.own()),
    row("ConsiderBookMoveCount", Check(false), |c, v| c.book.by_count = v.flag()),
    row("BookPvMoves", Spin(8, 1, MAX_PLY as i64), |c, v| c.book.pv_moves = v.number()),
    row("IgnoreBookPly", Check(false), |c, v| c.book.ignore_ply = v.flag()),
    row("FlippedBook", Check(true), |c, v| c.book.flipped = v.flag()),
    row("BookSeed", Spin(0, 0, i64::MAX), |c, v| c.book_seed = v.number()),
    row("WriteDebugLog", File(""), |c, v| c.debug_log = v.text()),
    row("DobutsuTable", File(""), |c, v| c.dobutsu_table = v.text()),
    row("JanggiTables", File(""), |c, v| c.janggi_tables = v.text()),
    row("EvalFile", File(""), |c, v| c.eval_file = v.text()),
    row("EvalDir", Text(""), |c, v| c.eval_dir = v.text()),
    row("FV_SCALE", Spin(FV_SCALE as i64, 1, 128), |c, v| c.fv_scale = v.number()),
];

/// Aliases of options: the other program's name, ours.
const ALIASES: &[(&str, &str)] = &[
    ("Hash", "USI_Hash"),
    ("Ponder", "USI_Ponder"),
    ("UCI_LimitStrength", "USI_LimitStrength"),
    ("OwnBook", "USI_OwnBook"),
    ("USI_MultiPV", "MultiPV"),
    ("USI_Threads", "Threads"),
    ("NumberOfThreads", "Threads"),
    ("UCI_Variant", "USI_Variant"),
    ("DebugLogFile", "WriteDebugLog"),
];

/// Aliases of option values: option, the other program's word, ours.
const WORDS: &[(&str, &str, &str)] = &[("EnteringKingRule", "None", "NoEnteringKing")];

/// The rule settings of all games, each name once.
fn rules() -> Vec<&'static Setting> {
    let mut out: Vec<&'static Setting> = Vec::new();
    for &id in VariantId::ALL {
        for setting in id.info().settings {
            if !out.iter().any(|known| known.name == setting.name) {
                out.push(setting);
            }
        }
    }
    out
}

/// Every option, in the order of the `usi` answer.
pub fn declared() -> Vec<&'static Setting> {
    TABLE.iter().map(|row| &row.setting).chain(rules()).chain(super::tunables::settings()).collect()
}

/// Options that have no effect without files and threads, as in a web page, besides those that name a file.
const NEED_A_SYSTEM: &[&str] =
    &["Threads", "Stochastic_Ponder", "BookDir", "BookOnTheFly", "EvalDir", "FV_SCALE"];

/// Why an option has no effect in a web page, if so.
pub fn refusal_in_page(name: &str) -> Option<String> {
    let option = declared().into_iter().find(|option| option.name.eq_ignore_ascii_case(name))?;
    let needs = match option.kind {
        File(_) => "files",
        _ if !NEED_A_SYSTEM.contains(&option.name) => return None,
        _ => "files or threads",
    };
    Some(format!("{}: a web page has no {needs}; value unchanged", option.name))
}

/// Returns whether this is the name or an alias of an option.
pub fn is_known(name: &str) -> bool {
    let names = declared().into_iter().map(|setting| setting.name);
    names.chain(ALIASES.iter().map(|(alias, _)| *alias)).any(|known| known.eq_ignore_ascii_case(name))
}

/// Formats the `option` line of a setting.
pub fn line(setting: &Setting) -> String {
    let kind = match setting.kind {
        Check(_) => "check",
        Spin(..) => "spin",
        Combo(..) => "combo",
        Text(_) => "string",
        File(_) => "filename",
    };
    let default = Some(default(&setting.kind)).filter(|text| !text.is_empty());
    let range = match setting.kind {
        Spin(_, min, max) => format!(" min {min} max {max}"),
        Combo(_, words) => words.iter().map(|word| format!(" var {word}")).collect(),
        _ => String::new(),
    };
    format!(
        "option name {} type {kind} default {}{range}",
        setting.name,
        default.as_deref().unwrap_or("<empty>")
    )
}

/// Options that have different names in UCI.
const UCI_NAMES: &[(&str, &str)] = &[
    ("USI_Variant", "UCI_Variant"),
    ("USI_Hash", "Hash"),
    ("USI_Ponder", "Ponder"),
    ("USI_LimitStrength", "UCI_LimitStrength"),
    ("USI_OwnBook", "OwnBook"),
];

/// The `option` lines of the `uci` answer. UCI has no type for file names. The games are those of [`UciVariant::ALL`];
/// in shogi, declarations are disabled by default.
pub fn uci() -> String {
    let games: String = UciVariant::ALL.iter().map(|variant| format!(" var {}", variant.name)).collect();
    let option = |setting: &'static Setting| {
        let name =
            UCI_NAMES.iter().find(|(usi, _)| *usi == setting.name).map_or(setting.name, |(_, uci)| uci);
        match (setting.name, &setting.kind) {
            ("USI_Variant", _) => {
                format!("option name {name} type combo default {}{games}\n", UciVariant::ALL[0].name)
            }
            ("EnteringKingRule", Combo(_, words)) => {
                let rules: String = words.iter().map(|word| format!(" var {word}")).collect();
                format!("option name {name} type combo default NoEnteringKing{rules}\n")
            }
            _ => {
                let kind = match setting.kind {
                    File(default) => Text(default),
                    kind => kind,
                };
                line(&Setting { name, kind }) + "\n"
            }
        }
    };
    declared().into_iter().map(option).collect()
}

/// The options of the `protover` answer, each with its type and default. Game, memory, threads and pondering have
/// separate commands.
pub fn cecp() -> Vec<String> {
    let own_command = ["USI_Variant", "USI_Hash", "Threads", "USI_Ponder"];
    let wanted = declared().into_iter().filter(|setting| !own_command.contains(&setting.name));
    let option = |setting: &'static Setting| {
        let name =
            UCI_NAMES.iter().find(|(usi, _)| *usi == setting.name).map_or(setting.name, |(_, uci)| uci);
        let value = match setting.kind {
            Check(flag) => format!("-check {}", i32::from(flag)),
            Spin(default, min, max) => format!("-spin {default} {min} {max}"),
            Combo(default, words) => {
                // Declarations are disabled by default, as in UCI.
                let default = if name == "EnteringKingRule" { "NoEnteringKing" } else { default };
                let others = words.iter().filter(|word| **word != default);
                format!("-combo {default}{}", others.map(|word| format!(" /// {word}")).collect::<String>())
            }
            Text(default) => format!("-string {default}"),
            File(default) => format!("-file {default}"),
        };
        format!("{name} {value}")
    };
    wanted.map(option).collect()
}

impl Config {
    pub fn new() -> Self {
        let mut config = Self::default();
        for row in TABLE {
            (row.set)(&mut config, Value(&default(&row.setting.kind)));
        }
        config
    }

    /// The path in an option that names solved tables.
    pub fn tables(&self, option: &str) -> &str {
        if option == "JanggiTables" { &self.janggi_tables } else { &self.dobutsu_table }
    }

    /// The settings of the search at the requested strength. A rank maps to a level: 10 kyu to 0, 1 kyu to 9, 1 dan to
    /// 10, 9 dan to 18.
    pub fn settings(&self) -> Settings {
        let mut settings = self.search.clone();
        if self.limit_strength {
            let level = if self.strength > 0 { self.strength + 9 } else { self.strength + 10 };
            settings.skill_level = settings.skill_level.min(level.unsigned_abs());
        }
        settings
    }

    /// Sets an option in this protocol: outside USI, `UCI_Variant` selects a game with its rule settings. Returns notes
    /// as [`Config::set`] does.
    pub fn set_in(&mut self, dialect: Dialect, name: &str, value: Option<&str>) -> Vec<String> {
        if dialect == Dialect::Usi || !name.eq_ignore_ascii_case("UCI_Variant") {
            return self.set(name, value).into_iter().collect();
        }
        let Some(variant) = value.and_then(named) else {
            return vec!["UCI_Variant: no such game; value unchanged".into()];
        };
        self.variant = variant.id;
        self.rules.extend(variant.rules.iter().map(|&(name, value)| (name, value.to_string())));
        Vec::new()
    }

    /// Sets an option. Unknown names are ignored, as the protocol requires. The returned note gives the value in effect
    /// if it differs from the requested one, or suggests an option if the name is unknown.
    pub fn set(&mut self, name: &str, value: Option<&str>) -> Option<String> {
        let same = |known: &str| known.eq_ignore_ascii_case(name);
        let name = ALIASES.iter().find(|(alias, _)| same(alias)).map_or(name, |(_, name)| name);
        let same = |setting: &Setting| setting.name.eq_ignore_ascii_case(name);
        let text = match value.unwrap_or_default() {
            "<empty>" => "",
            text => text,
        };
        if let Some(row) = TABLE.iter().find(|row| same(&row.setting)) {
            let (value, note) = read(&row.setting, text);
            if let Some(value) = value {
                (row.set)(self, Value(&value));
            }
            return note;
        }
        #[cfg(feature = "tune")]
        if let Some(setting) = super::tunables::settings().iter().find(|setting| same(setting)) {
            let (value, note) = read(setting, text);
            if let Some(value) = value {
                self.params.insert(setting.name, Value(&value).number());
            }
            return note;
        }
        let Some(setting) = rules().into_iter().find(|setting| same(setting)) else {
            let known = declared().into_iter().map(|setting| setting.name);
            let meant = help::nearest(name, known)?;
            return Some(format!("unknown option: {}; did you mean {meant}?", clip(name)));
        };
        let (value, note) = read(setting, text);
        if let Some(value) = value {
            self.rules.insert(setting.name, value);
        }
        note
    }
}

/// The default of a setting as text.
pub(super) fn default(kind: &SettingKind) -> String {
    match *kind {
        Check(flag) => flag.to_string(),
        Spin(n, ..) => n.to_string(),
        Combo(text, _) | Text(text) | File(text) => text.to_string(),
    }
}

/// Parses a value; the note says how the result differs from the requested value. If the value is `None`, the option
/// keeps its current one.
fn read(setting: &Setting, text: &str) -> (Option<String>, Option<String>) {
    let name = setting.name;
    let take = |value: &str| (Some(value.to_string()), None);
    let keep = |what: String| (None, Some(format!("{name}: {what}; value unchanged")));
    match setting.kind {
        Check(_) => match text.to_ascii_lowercase().as_str() {
            "true" | "1" | "on" | "yes" => take("true"),
            "false" | "0" | "off" | "no" => take("false"),
            _ => keep(format!("expected true or false, found '{}'", clip(text))),
        },
        Spin(_, min, max) => match Number::read(text) {
            None => keep(format!("not a whole number: '{}'", clip(text))),
            Some(number) => {
                let n = number.signed().clamp(min, max);
                let note = if n != number.signed() {
                    Some(format!("{name}: the range is {min} to {max}; using {n}"))
                } else if !number.is_whole() {
                    Some(format!("{name}: whole numbers only; using {n}"))
                } else {
                    None
                };
                (Some(n.to_string()), note)
            }
        },
        Combo(_, words) => match words.iter().find(|word| word.eq_ignore_ascii_case(own_word(name, text))) {
            Some(word) => take(word),
            None => keep(format!("expected one of {}, found '{}'", words.join(", "), clip(text))),
        },
        Text(_) | File(_) => take(text),
    }
}

/// Replaces another program's word with the option's own.
fn own_word<'a>(name: &str, text: &'a str) -> &'a str {
    let known = WORDS.iter().find(|(option, word, _)| *option == name && word.eq_ignore_ascii_case(text));
    known.map_or(text, |&(_, _, own)| own)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn option_lines_can_be_split_at_single_spaces() {
        for setting in declared() {
            let line = line(setting);
            assert!(line.is_ascii() && !line.contains("  ") && !line.ends_with(' '), "{line}");
            assert!(!setting.name.contains(' '), "{line}");
            let mut words = line.split(' ').skip(4);
            assert!(matches!(words.next(), Some("check" | "spin" | "combo" | "string" | "filename")));
            assert_eq!(words.count() % 2, 0, "pairs: {line}");
        }
    }

    #[test]
    fn no_name_twice_and_defaults_within_their_range() {
        let mut names: Vec<_> = declared().iter().map(|s| s.name.to_lowercase()).collect();
        let count = names.len();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), count);
        for setting in declared() {
            match setting.kind {
                Spin(default, min, max) => {
                    assert!((min..=max).contains(&default), "{}", setting.name)
                }
                Combo(default, words) => assert!(words.contains(&default), "{}", setting.name),
                _ => {}
            }
        }
        assert!(ALIASES.iter().all(|(_, name)| declared().iter().any(|s| s.name == *name)));
    }

    #[test]
    fn values_are_clamped_or_kept_and_said() {
        let mut c = Config::new();
        assert_eq!((c.threads, c.hash), (1, 256));
        assert_eq!(c.set("threads", Some("4")), None);
        assert_eq!(c.threads, 4);
        assert_eq!(
            c.set("Threads", Some("9999999999999999999999")).unwrap(),
            "Threads: the range is 1 to 1024; using 1024"
        );
        assert_eq!(c.threads, 1024);
        assert!(c.set("Threads", Some("abc")).unwrap().contains("not a whole number: 'abc'"));
        assert!(c.set("Threads", None).is_some() && c.set("Threads", Some("")).is_some());
        assert_eq!(c.threads, 1024);
        assert_eq!(c.set("Threads", Some("2.0")), None);
        assert_eq!(c.set("Hash", Some("1e2")), None);
        assert_eq!((c.threads, c.hash), (2, 100));
        assert_eq!(
            c.set("NetworkDelay", Some("20.5")).unwrap(),
            "NetworkDelay: whole numbers only; using 20"
        );
        assert_eq!(c.search.network_delay, Duration::from_millis(20));
        assert!(c.set("USI_Ponder", Some("maybe")).is_some());
        assert_eq!(c.set("Hash", Some("64")), None);
        assert_eq!(c.hash, 64);
        assert_eq!(c.set("NoSuchOption", Some("1")), None);
        assert_eq!(c.set("USI Hsah", Some("1")).unwrap(), "unknown option: USI Hsah; did you mean USI_Hash?");
        for (text, flag) in
            [("1", true), ("OFF", false), ("yes", true), ("0", false), ("on", true), ("no", false)]
        {
            assert_eq!(c.set("MateShortest", Some(text)), None);
            assert_eq!(c.mate_shortest, flag, "{text}");
        }
        assert_eq!(c.set("WriteDebugLog", Some("<empty>")), None);
        assert_eq!(c.debug_log, "");
    }

    #[test]
    fn ranks_stand_for_levels() {
        let mut c = Config::new();
        assert_eq!(c.settings().skill_level, 20);
        c.set("USI_LimitStrength", Some("true"));
        for (rank, level) in [("-10", 0), ("-1", 9), ("1", 10), ("9", 18)] {
            c.set("USI_Strength", Some(rank));
            assert_eq!(c.settings().skill_level, level, "{rank}");
        }
        c.set("SkillLevel", Some("3"));
        assert_eq!(c.settings().skill_level, 3);
    }

    #[test]
    fn rule_settings_are_checked_by_the_same_table() {
        let mut c = Config::new();
        assert_eq!(c.set("enteringkingrule", Some("tryrule")), None);
        assert_eq!(c.rules.get("EnteringKingRule").map(String::as_str), Some("TryRule"));
        assert!(c.set("EnteringKingRule", Some("Nonsense")).is_some());
        assert_eq!(c.set("EnteringKingRule", Some("none")), None);
        assert_eq!(c.rules.get("EnteringKingRule").map(String::as_str), Some("NoEnteringKing"));
        assert!(c.set("MaxMovesToDraw", Some("-1")).is_some());
        assert_eq!(c.rules.get("MaxMovesToDraw").map(String::as_str), Some("0"));
    }
}
