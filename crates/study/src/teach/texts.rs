//! The words of the teacher: two text files for each language, in `texts/`, one of them with words for children.

use super::korean;
use super::language::Language;
use once_cell::sync::Lazy;
use sanban_engine::ladder::FULL;
use sanban_rules::{Color, GameFamily, Symbol, VariantId};
use std::collections::HashMap;

type Texts = HashMap<&'static str, &'static str>;

static TEXTS: Lazy<[Texts; Language::ALL.len()]> =
    Lazy::new(|| Language::ALL.map(|language| parse(language.texts())));

/// The texts for children, which replace others in Dobutsu shogi.
static CHILD: Lazy<[Texts; Language::ALL.len()]> =
    Lazy::new(|| Language::ALL.map(|language| parse(language.child_texts())));

fn parse(texts: &'static str) -> Texts {
    texts.lines().filter_map(|line| line.split_once('\t')).collect()
}

/// The text of this name with its values filled in; `None` if the language has no such text.
pub fn find(language: Language, name: &str, values: &[&str]) -> Option<String> {
    TEXTS[language as usize].get(name).map(|text| fill(text, values))
}

/// A text with its values filled in.
fn fill(mut rest: &str, values: &[&str]) -> String {
    let mut out = String::new();
    while let Some((before, (field, after))) =
        rest.split_once('{').and_then(|(before, field)| Some((before, field.split_once('}')?)))
    {
        let (number, form) = field.split_once(':').unwrap_or((field, ""));
        let value = number.parse().ok().and_then(|number: usize| values.get(number)).copied().unwrap_or("");
        out += before;
        if form == "small" {
            out += &uncapital(value);
        } else {
            out += value;
            out += korean::particle(value, form);
        }
        rest = after;
    }
    out + rest
}

/// The text of this name with its values filled in.
pub fn text(language: Language, name: &str, values: &[&str]) -> String {
    find(language, name, values).unwrap_or_else(|| name.into())
}

/// The text of this name in the words of a game: those for children in Dobutsu shogi.
pub fn text_in(game: VariantId, language: Language, name: &str, values: &[&str]) -> String {
    let child = if is_for_children(game) { CHILD[language as usize].get(name) } else { None };
    child.map_or_else(|| text(language, name, values), |text| fill(text, values))
}

/// Returns whether a game is explained to children, in Japanese without kanji.
pub fn is_for_children(game: VariantId) -> bool {
    matches!(game.family(), GameFamily::Dobutsu | GameFamily::DobutsuMate)
}

/// The text with a small first letter.
fn uncapital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map(|first| first.to_lowercase().chain(chars).collect()).unwrap_or_default()
}

/// The name of a level of playing strength.
pub fn level_name(level: usize, language: Language) -> String {
    /// Number of consecutive levels that share a name.
    const GROUP: usize = 4;
    if level >= FULL {
        return text(language, "level-full", &[]);
    }
    format!("{} {}", text(language, &format!("level-{}", level / GROUP), &[]), level % GROUP + 1)
}

/// The name of a piece of a game.
pub fn piece_name(game: VariantId, piece: Symbol, language: Language) -> String {
    let family = match game.family() {
        GameFamily::Shogi => "shogi",
        GameFamily::Janggi => "janggi",
        GameFamily::Dobutsu | GameFamily::DobutsuMate => "dobutsu",
    };
    let Symbol { color, letter, promoted } = piece;
    // White's soldiers have a separate name.
    let letter = if family == "janggi" && letter == 'P' && color == Color::White { 'p' } else { letter };
    let name = format!("{family}-{}{letter}", if promoted { "+" } else { "" });
    find(language, &name, &[]).unwrap_or_else(|| "?".into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use sanban_rules::AnyPosition;

    /// Adding a language means to translate every text; no logic depends on its words.
    #[test]
    fn every_language_has_the_same_texts_and_values() {
        let names = |language: Language| {
            let mut names: Vec<_> = TEXTS[language as usize].keys().copied().collect();
            names.sort_unstable();
            names
        };
        let marks = ["α", "β", "γ"];
        for language in Language::ALL {
            assert_eq!(names(language), names(Language::English), "{language:?}");
            for &name in &names(language) {
                let uses = |language| {
                    let text = text(language, name, &marks);
                    assert!(!text.contains(['{', '}']), "{name}: {text}");
                    marks.map(|mark| text.contains(mark))
                };
                let (own, english) = (uses(language), uses(Language::English));
                // A check that forks names only the other piece in Japanese, and some words say more than others.
                let extra = ["fork-check", "threatens-mate-1"].contains(&name);
                assert!(own == english || extra, "{language:?} {name}");
            }
        }
    }

    #[test]
    fn every_level_has_a_name_of_its_own() {
        for language in Language::ALL {
            let names: std::collections::BTreeSet<String> =
                (0..=FULL).map(|level| level_name(level, language)).collect();
            assert_eq!(names.len(), FULL + 1, "{language:?}");
        }
    }

    #[test]
    fn the_words_for_children_replace_others_and_use_the_same_values() {
        let marks = ["α", "β", "γ"];
        for language in Language::ALL {
            for (name, child) in &CHILD[language as usize] {
                let [child, adult] = [fill(child, &marks), text(language, name, &marks)];
                assert_ne!(adult, *name, "no such text");
                assert_ne!(adult, child, "{language:?} {name} replaces nothing");
                let alike = marks.iter().all(|mark| child.contains(mark) == adult.contains(mark));
                assert!(alike, "{language:?} {name}: {child}");
                assert!(!child.contains(|letter| ('一'..='龯').contains(&letter)), "{name}: {child}");
            }
        }
    }

    #[test]
    fn values_are_filled_in() {
        assert_eq!(text(Language::Korean, "exchanges", &["은", "56의 비차"]), "은과 56의 비차를 맞바꾼다.");
        assert_eq!(text(Language::English, "allows", &["P7g-7f", "Forks."]), "Allows P7g-7f: forks.");
    }

    #[test]
    fn every_piece_has_a_name() {
        for &game in VariantId::ALL {
            let pos = AnyPosition::new(game);
            let (files, ranks) = pos.size();
            for piece in (0..files * ranks).filter_map(|square| pos.piece_on(square)) {
                for language in Language::ALL {
                    assert_ne!(piece_name(game, piece, language), "?", "{game} {piece}");
                }
            }
        }
    }
}
