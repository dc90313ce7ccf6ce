// The strings and piece styles that depend on the user's settings.

import { $, options } from "./dom.js";
import { GAMES, janggiStart } from "./games.js";
import { moveName } from "./notation.js";
import { legend } from "./pieces.js";
import { readMove, readSfen, split } from "./sfen.js";
import { CLOCKS, page, play, send, settings } from "./state.js";
import { LANGUAGES, loadChild, loadWords, speaker, TONGUES } from "./words.js";

/** The levels with their names by language, as the engine lists them. */
let levels = [];
const THINKING = [500, 1000, 3000, 10000, 30000];
const SHOGI = ["shogi"];
const ALL = Object.keys(GAMES);
/** The formats in which a game can be written: the file extension, and the games that the format can represent. */
export const FORMATS = {
	kif: ["kif", SHOGI],
	kifu: ["kifu", SHOGI],
	ki2: ["ki2", SHOGI],
	csa: ["csa", SHOGI],
	csa3: ["csa", SHOGI],
	jkf: ["jkf", SHOGI],
	gib: ["gib", ["janggi", "janggicasual"]],
	usi: ["usi", ALL],
	sfen: ["sfen", ALL],
	bod: ["bod", SHOGI],
	western: ["txt", SHOGI],
	hodges: ["txt", SHOGI],
	psn: ["psn", SHOGI],
	pgn: ["pgn", ALL.filter((name) => !["janggitraditional", "janggimodern"].includes(name))],
};

/** Returns strings in the current language. */
export let say = speaker("en");

/** Whether the start position is a shogi handicap. */
const isHandicap = () =>
	play.game.kind === "shogi" && play.start && play.game.starts.some(([, sfen]) => sfen === play.start);

const withoutBrackets = (name) => name.replace(/\s*[(（].*/, "");

export function sideName(side) {
	// The additions in brackets do not apply if white begins, as in a handicap game.
	const name = say(`${isHandicap() ? "handicap" : play.game.kind}-${side}`);
	return play.start?.split(" ")[1] === "w" ? withoutBrackets(name) : name;
}

/** The name of a side without an addition in brackets, such as "(first)". */
export const shortName = (side) => withoutBrackets(sideName(side));

export function pieceName(piece) {
	const { letter, whose } = split(piece);
	return `${sideName(whose)} ${say.piece(play.game, letter, whose)}`;
}

/** The formats that can represent this game. */
const formats = () => Object.keys(FORMATS).filter((format) => FORMATS[format][1].includes(play.name));

/** Whether the browser has glyphs for Chinese characters: missing glyphs all look the same. */
function hasKanji() {
	const canvas = document.createElement("canvas");
	canvas.width = canvas.height = 24;
	const paint = canvas.getContext("2d", { willReadFrequently: true });
	const print = (text) => {
		paint.clearRect(0, 0, 24, 24);
		paint.font = "20px serif";
		paint.fillText(text, 2, 20);
		return paint.getImageData(0, 0, 24, 24).data.join();
	};
	return print("歩") !== print("飛");
}

/** The traditional pieces of a game, for its picture. */
export function traditional({ kind, looks }) {
	if (!hasKanji() || kind === "dobutsu") return "pictures";
	return say.looks[kind] ?? looks[0];
}

/** The piece style of the game. */
export function look() {
	const { kind, looks } = play.game;
	const chosen = settings.looks[kind];
	if (looks.includes(chosen)) return chosen;
	return (hasKanji() && say.looks[kind]) || "pictures";
}

/** The SFEN of the start position selected for a game; `null` for the usual one. */
export function chosenStart(game = play.game) {
	const odds = $("start").value;
	if (!game.setups) return game.starts.find(([value]) => value === odds)?.[1] ?? null;
	const [black, white] = ["b", "w"].map((side) => $(`setup-${side}`).value || game.setups[0]);
	const sfen = janggiStart(black, white, odds);
	return sfen === game.start ? null : sfen;
}

/** The name of a time control. */
export function clockName(time) {
	if (!time) return say("clock-none");
	const kind = time.byoyomi
		? time.main
			? "clock-byoyomi"
			: "clock-byoyomi-only"
		: time.increment
			? "clock-increment"
			: "clock-main";
	return say(kind, time.main, time.byoyomi || time.increment);
}

/** The name of a level. */
export const levelName = (level) => levels[level]?.names[LANGUAGES.indexOf(settings.language)] ?? String(level);

/** The number of the highest level. */
export const highest = () => levels.length - 1;

/** Stores the levels from the engine's answer. */
export function knowLevels(answer) {
	levels = answer.levels ?? [];
	listLevels();
}

function listLevels() {
	const list = levels.length ? levels.map(({ level }) => level) : [settings.level];
	options(
		$("level"),
		list.map((level) => [level, levelName(level)]),
		settings.level,
	);
}

/** Updates the texts of the page's own elements. */
function label() {
	for (const element of document.querySelectorAll("[data-word]")) element.textContent = say(element.dataset.word);
	for (const element of document.querySelectorAll("[data-label]")) {
		const text = say(element.dataset.label);
		element.setAttribute("aria-label", text);
		if (element.tagName === "BUTTON") element.title = text;
	}
}

/** Whether the page speaks to children. */
const toChild = () => settings.language === "ja" && play.game.kind === "dobutsu" && page.task !== "home";

/** Uses words for children in Dobutsu shogi. */
export async function suit() {
	if (toChild()) await loadChild().catch(() => {});
	if (Boolean(say.toChild) === toChild()) return;
	say.toChild = toChild();
	label();
	dress();
	send("words");
}

/** Updates every text of the page to the selected language. */
export async function translate() {
	await loadWords(settings.language);
	if (toChild()) await loadChild().catch(() => {});
	say = speaker(settings.language);
	say.toChild = toChild();
	document.documentElement.lang = settings.language;
	document.documentElement.dataset.theme = settings.theme;
	label();
	const games = Object.keys(GAMES).map((name) => [name, say(`game-${name}`)]);
	options($("game"), games, play.name);
	listLevels();
	options(
		$("thinking"),
		THINKING.map((time) => [time, say("seconds", time / 1000)]),
		settings.thinking,
	);
	for (const [n, option] of [...$("review-nodes").options].entries()) option.textContent = say(`effort-${n}`);
	const clocks = Object.entries(CLOCKS).map(([name, time]) => [
		name,
		name === "own" ? say("clock-own") : clockName(time),
	]);
	options($("clock"), clocks, settings.clock);
	const rules = ["CSARule27", "CSARule24", "TryRule", "NoEnteringKing"];
	options(
		$("entering"),
		rules.map((rule) => [rule, say(`entering-${rule}`)]),
		settings.entering,
	);
	options(
		$("language"),
		LANGUAGES.map((name) => [name, TONGUES[name]]),
		settings.language,
	);
	$("theme").value = settings.theme;
	dress();
}

/** The name of a set-up of Janggi: as its owner calls it, and its horses and elephants as they are on the screen. */
function setUpName(setup, side) {
	const order = setup.replace(/[^NB]/g, "");
	const back = [...order].reverse().join("");
	const seen = play.side === "w" ? back : order;
	const pieces = [...seen].map((letter) => say.short(play.game, letter, side));
	const gap = pieces.some(({ length }) => length > 1) ? " " : "";
	return `${say(`setup-${side === "b" ? order : back}`)} (${pieces.join(gap)})`;
}

/** Updates everything that depends on the game. */
export function dress() {
	const { game, name } = play;
	suit();
	$("game").value = name;
	options(
		$("look"),
		game.looks.map((value) => [value, say(`look-${value}`)]),
		look(),
	);
	const sides = $("side").options;
	sides[0].textContent = sideName("b");
	sides[1].textContent = sideName("w");
	$("side").value = play.side;
	const starts = game.starts.map(([value]) => [value, say(value)]);
	const custom = play.start && !game.setups && !game.starts.some(([, sfen]) => sfen === play.start);
	if (custom) starts.push(["custom", say("custom")]);
	const known = game.setups ? $("start").value : game.starts.find(([, sfen]) => sfen === play.start)?.[0];
	options($("start"), starts, starts.some(([value]) => value === known) ? known : custom ? "custom" : "even");
	for (const label of document.querySelectorAll(".setup")) label.hidden = !game.setups;
	if (game.setups)
		for (const side of ["b", "w"]) {
			const select = $(`setup-${side}`);
			options(
				select,
				game.setups.map((setup) => [setup, setUpName(setup, side)]),
				select.value || game.setups[0],
			);
		}
	for (const element of document.querySelectorAll("[data-only]"))
		element.hidden = !element.dataset.only.split(" ").includes(game.kind);
	$("own-clock").hidden = settings.clock !== "own";
	const example = readMove({ shogi: "7g7f", janggi: "1g1f", dobutsu: "2c2b" }[game.kind], readSfen(game.start, game));
	$("typed").placeholder = say("type-a-move", `${example.usi}, ${moveName(example, game, say)}`);
	options(
		$("format"),
		formats().map((format) => [format, say(`format-${format}`)]),
		$("format").value,
	);
	if (!$("format").value) $("format").selectedIndex = 0;
	$("copy-kif").hidden = game.kind !== "shogi";
	$("rules").innerHTML = [
		`<h3>${say(`game-${name}`)}</h3><ul>`,
		...say.rules(name, game).map((rule) => `<li>${rule}</li>`),
		"</ul>",
		legend(game, say),
	].join("");
}
