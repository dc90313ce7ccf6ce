// The strings of the page in English, Japanese and Korean.

import * as en from "./words-en.js";
import * as ja from "./words-ja.js";
import * as ko from "./words-ko.js";

const ALL = { en, ja, ko };

/** The languages of the page. */
export const LANGUAGES = Object.keys(ALL);

/**
 * Returns a function that looks up strings of a language: `say("won-by", "Black", "checkmate")`. Missing strings are in
 * English.
 */
export function speaker(language) {
	const { WORDS, NAMES, SHORT, RULES } = ALL[language];
	const say = (name, ...values) =>
		(WORDS[name] ?? en.WORDS[name] ?? name).replace(/\{(\d)\}/g, (_, n) => values[n] ?? "");
	say.has = (name) => name in WORDS;
	say.language = language;
	// Names may differ by side.
	const of = (name, side) => (Array.isArray(name) ? name[side === "w" ? 1 : 0] : name);
	say.piece = (game, letter, side) => of(NAMES[game.kind][letter], side);
	// The name used in moves, which may be shorter.
	say.short = (game, letter, side) => of(SHORT?.[game.kind]?.[letter] ?? NAMES[game.kind][letter], side);
	say.rules = (name, game) => [...RULES[game.kind], ...(RULES[`own-${name}`] ?? [])];
	return say;
}

let speakers;
/** The strings of all languages, as pairs of language and `say`. */
export const everyone = () => (speakers ??= LANGUAGES.map((language) => [language, speaker(language)]));
