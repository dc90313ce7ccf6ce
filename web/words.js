// The strings of the page. Each language is a file that is loaded when it is first needed.

import { ENGLISH } from "./notation.js";

/** The name of each language of the page in itself. */
export const TONGUES = { en: "English", ja: "日本語", ko: "한국어" };
export const LANGUAGES = Object.keys(TONGUES);

/** Names that are the same in every language. */
const COMMON = {
	"format-kif": "KIF (Shift_JIS)",
	"format-kifu": "KIF (UTF-8)",
	"format-ki2": "KI2",
	"format-csa": "CSA 2.2",
	"format-csa3": "CSA 3",
	"format-jkf": "JKF",
	"format-gib": "GIB",
	"format-usi": "USI",
	"format-psn": "PSN",
	"format-pgn": "PGN",
};

const EMPTY = { WORDS: {}, NAMES: {}, RULES: {} };
const loaded = {};
/** The strings for children in Japanese. */
let child = {};

/** Loads the strings of a language. */
export async function loadWords(language) {
	loaded[language] ??= await import(`./words-${language}.js`);
}

/** Loads the strings for children. */
export async function loadChild() {
	({ CHILD: child } = await import("./words-child.js"));
}

/** Returns a function that looks up strings of a loaded language: `say("won-by", "Black", "checkmate")`. */
export function speaker(language) {
	const { WORDS, NAMES, SHORT, RULES, OPENINGS, NOTATION, LOOKS = {} } = loaded[language] ?? EMPTY;
	// Strings for children replace the others if `say.toChild` is set.
	const say = (name, ...values) =>
		((say.toChild && child[name]) || WORDS[name] || COMMON[name] || name).replace(
			/\{(\d)\}/g,
			(_, n) => values[n] ?? "",
		);
	say.has = (name) => name in WORDS;
	say.language = language;
	say.notation = { ...ENGLISH, ...NOTATION };
	// The usual piece style of each kind of game, if not pictures.
	say.looks = LOOKS;
	// Names may differ by side.
	const of = (name, side) => (Array.isArray(name) ? name[side === "w" ? 1 : 0] : name);
	say.piece = (game, letter, side) => of(NAMES[game.kind][letter], side);
	// The name used in moves, which may be shorter.
	say.short = (game, letter, side) => of(SHORT?.[game.kind]?.[letter] ?? NAMES[game.kind][letter], side);
	// The name of an opening, a castle or a set-up from its names in the order of the languages, some of which may lack.
	say.opening = (names) => names[LANGUAGES.indexOf(language)] ?? OPENINGS?.[names[1]] ?? names[0];
	say.rules = (name, game) => [...RULES[game.kind], ...(RULES[`own-${name}`] ?? [])];
	return say;
}

/** The strings of all languages, as pairs of language and `say`. */
export async function everyone() {
	await Promise.all(LANGUAGES.map(loadWords));
	return LANGUAGES.map((language) => [language, speaker(language)]);
}
