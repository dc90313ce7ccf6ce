// Shared by lessons and problems: their strings, positions that are not stored among the games, and the progress.

import { wind } from "./clocks.js";
import { $, button } from "./dom.js";
import { arrive, halt } from "./game.js";
import { page, play, send, settings } from "./state.js";
import { clear, restore, saveNow, snapshot } from "./store.js";

const DONE = "sanban-learned";

let texts = null;
/** The game that was on the board before the lesson or problem. */
let before = null;

/** Loads the strings in the current language and returns those of the lessons. */
export async function readTexts() {
	texts = await import(`./lessons-${settings.language}.js`);
	return texts.TEXTS;
}

/** Whether the lessons and problems are those of Dobutsu shogi, whose words are for children. */
let toChild = false;
export const speakTo = (kind) => {
	toChild = kind === "dobutsu";
};

/** A string of the lessons and problems. */
export const learnt = (name, ...values) =>
	((toChild && texts.CHILD?.[name]) || texts.WORDS[name] || name).replace(/\{(\d)\}/g, (_, n) => values[n] ?? "");

/** Shows the task of a lesson or problem beside the board. */
export function assign(text) {
	page.asks = text;
	send("message");
}

/** A button labelled with a string of the lessons and problems. */
export const control = (word, run, properties = {}) =>
	button(learnt(word), run, { data: { act: word }, ...properties });

/** A button with a sign, which is named by a string of the lessons and problems. */
export const sign = (word, text, run) =>
	button(text, run, { data: { act: word }, className: "icon", title: learnt(word), "aria-label": learnt(word) });

/** The completed items, and the mistakes to be tried again: `{lessons: {id: true}, problems: {position: true}, own}`. */
export const progress = { lessons: {}, problems: {} };
try {
	Object.assign(progress, JSON.parse(localStorage.getItem(DONE) ?? "{}"));
} catch {
	// Unreadable progress is ignored.
}

/** Records that an item is completed. */
export function finished(kind, name) {
	progress[kind][name] = true;
	keepProgress();
}

/** Stores the progress with these changes. */
export function keepProgress(changes = {}) {
	Object.assign(progress, changes);
	try {
		localStorage.setItem(DONE, JSON.stringify(progress));
	} catch {
		// The progress is kept until the page is closed.
	}
}

export const pause = (time) => new Promise((resolve) => setTimeout(resolve, time));

/**
 * Puts a position on the board that is not stored among the games; `leaveBoard` restores the previous game.
 * `owner.tree` is the tree of the position, by which it is recognised later. With a `level`, the engine plays White.
 */
export async function stage(owner, game, sfen, moves = [], level = null) {
	if (play.id) {
		saveNow();
		before = snapshot();
	}
	halt();
	clear(game, sfen ?? null, level === null ? "both" : "b");
	play.id = "";
	play.level = level;
	wind(null);
	owner.tree = play.tree;
	for (const usi of moves) play.node = play.tree.add(play.node, usi);
	await arrive();
}

/** Whether the position of this owner is on the board. */
export const isStaged = (owner) => Boolean(owner) && play.tree === owner.tree;

/** Makes the closing game of a lesson a game of its own, at the level of the lesson. */
export async function keepGame() {
	settings.level = $("level").value = play.level;
	send("settings");
	restore({ ...snapshot(), id: undefined });
	await arrive();
}

/** Restores the previous game. */
export async function leaveBoard() {
	const kept = before;
	before = null;
	if (!kept || play.id) return;
	restore(kept);
	await arrive();
}
