// Data stored in this browser: settings, the game of every tab, and earlier games. Discarded data can be restored for a
// while.

import { keepClock, pause, takeUp } from "./clocks.js";
import { GAMES } from "./games.js";
import { CLOCKS, hear, page, play, send, settings } from "./state.js";
import { Tree } from "./tree.js";
import { LANGUAGES } from "./words.js";

const SETTINGS = "sanban";
const GAME = "sanban-game:";
const TAB = "sanban-tab";
const TASK = "sanban-task";
/** Maximum number of stored games. */
const MOST = 60;
/** Maximum number of discarded games that can be restored. */
const UNDOS = 20;

/** The words by which earlier versions stored the ends of games. */
const OLD_ENDS = {
	投了: "resigns",
	切れ負け: "time-up",
	入玉勝ち: "declares",
	反則負け: "foul-loss",
	反則勝ち: "foul-win",
	詰み: "mated",
	千日手: "repetition",
	持将棋: "impasse",
	引き分け: "draw",
	中断: "interrupted",
};

/** Returns a new unique id for a game. */
const fresh = () => `${Date.now().toString(36)}${Math.random().toString(36).slice(2, 8)}`;

function store(area, name, value) {
	try {
		area().setItem(name, value);
		return true;
	} catch {
		return false;
	}
}

function fetchItem(area, name) {
	try {
		return area().getItem(name);
	} catch {
		return null;
	}
}

const local = () => localStorage;
const session = () => sessionStorage;

/** Stores the settings. */
export function keep() {
	store(local, SETTINGS, JSON.stringify(settings));
}

/** Stores the task of this tab, for a reload. */
export const keepTask = () => store(session, TASK, page.task);

/** The task of this tab before a reload; `null` in a new tab. */
export const keptTask = () => fetchItem(session, TASK);

/** Loads the settings of the last visit. */
export function remember() {
	const language = LANGUAGES.find((name) => navigator.language?.startsWith(name));
	if (language) settings.language = language;
	try {
		const kept = JSON.parse(fetchItem(local, SETTINGS) ?? "{}");
		for (const name of Object.keys(settings))
			if (typeof kept[name] === typeof settings[name]) settings[name] = kept[name];
	} catch {
		// Unreadable settings are ignored.
	}
	if (!GAMES[settings.game]) settings.game = "shogi";
	if (!LANGUAGES.includes(settings.language)) settings.language = "en";
	if (!(settings.clock in CLOCKS)) settings.clock = "none";
	if (!["b", "w", "both", "none"].includes(settings.side)) settings.side = "b";
}

/** The game on the board as JSON, to be stored or sent. */
export function snapshot() {
	let at = 0;
	const tree = play.tree.toJSON((node, number) => {
		if (node === play.node) at = number;
	});
	const { id, name, start, side, flipped, headers } = play;
	return {
		v: 1,
		id,
		name,
		start,
		side,
		flipped,
		headers,
		clock: keepClock(),
		tree,
		at,
		updated: Date.now(),
	};
}

/** Puts a stored game on the board. Returns false if it is not valid. */
export function restore(kept) {
	if (!kept || !GAMES[kept.name] || !Array.isArray(kept.tree) || !kept.tree.length) return false;
	const { tree, nodes } = Tree.fromJSON(kept.tree);
	for (const node of nodes) if (OLD_ENDS[node.end]) node.end = OLD_ENDS[node.end];
	Object.assign(play, {
		id: kept.id ?? fresh(),
		name: kept.name,
		game: GAMES[kept.name],
		start: kept.start ?? null,
		tree,
		node: nodes[kept.at] ?? tree.root,
		side: kept.side ?? "both",
		flipped: Boolean(kept.flipped),
		headers: kept.headers ?? [],
		level: null,
		view: null,
		viewed: null,
		truth: null,
		report: null,
	});
	takeUp(kept.clock);
	return true;
}

/** Starts an empty game; the previous one stays in the list of stored games. */
export function clear(name, start, side) {
	const tree = new Tree();
	Object.assign(play, {
		id: fresh(),
		name,
		game: GAMES[name],
		start,
		tree,
		node: tree.root,
		side,
		flipped: false,
		headers: [],
		level: null,
		view: null,
		viewed: null,
		truth: null,
		report: null,
	});
}

const isEmpty = (kept) => kept.tree.length < 2 && !kept.tree[0].c && !kept.start;

let waiting = null;

/** Schedules storing the game on the board. */
export function save() {
	waiting ??= setTimeout(saveNow, 100);
}

/** Stores the game on the board immediately. */
export function saveNow() {
	clearTimeout(waiting);
	waiting = null;
	if (!play.id) return;
	store(session, TAB, play.id);
	const kept = snapshot();
	while (!store(local, GAME + play.id, JSON.stringify(kept))) {
		// The oldest games are removed to make room.
		const oldest = games().findLast(({ id }) => id !== play.id);
		if (!oldest) {
			send("unsaved");
			return;
		}
		forget(oldest.id);
	}
	hold(play.id);
}

/** The stored games, as made by `snapshot`, the newest first. */
export function games() {
	const out = [];
	try {
		for (let n = 0; n < localStorage.length; n++) {
			const key = localStorage.key(n);
			if (!key.startsWith(GAME)) continue;
			try {
				const kept = JSON.parse(localStorage.getItem(key));
				if (GAMES[kept.name] && Array.isArray(kept.tree)) out.push(kept);
			} catch {
				// Unreadable games are not listed.
			}
		}
	} catch {
		return [];
	}
	return out.sort((a, b) => b.updated - a.updated);
}

/** Removes a stored game. */
export function forget(id) {
	try {
		localStorage.removeItem(GAME + id);
	} catch {
		// Storage is not available.
	}
}

/** Removes surplus games and, after a minute, empty ones, except the game on the board. */
function tidy() {
	games().forEach((kept, n) => {
		if (kept.id !== play.id && (n >= MOST || (isEmpty(kept) && Date.now() - kept.updated > 60_000))) forget(kept.id);
	});
}

/** The lock by which other tabs detect which game is open. */
let holding = null;
function hold(id) {
	if (holding?.id === id || !navigator.locks) return;
	holding?.release();
	navigator.locks.request(GAME + id, { ifAvailable: true }, (lock) => {
		if (!lock) return undefined;
		return new Promise((release) => {
			holding = { id, release };
			if (play.id !== id) release();
		});
	});
}

/** Reopens the game of this tab, or the last one that no other tab shows. Returns false if there is none. */
export async function resume() {
	const own = fetchItem(session, TAB);
	const mine = own && fetchItem(local, GAME + own);
	try {
		if (mine && restore(JSON.parse(mine))) return true;
	} catch {
		// An unreadable game is ignored.
	}
	const held = new Set();
	try {
		for (const { name } of (await navigator.locks.query()).held) held.add(name);
	} catch {
		// Locks are not available.
	}
	const last = games().find((kept) => !held.has(GAME + kept.id) && !isEmpty(kept));
	return last ? restore(last) : false;
}

/** Gives the game a new id if another tab has it open: a copied tab has the id of the original. */
export async function own() {
	if (!navigator.locks || holding?.id === play.id) return;
	const { held } = await navigator.locks.query();
	if (held.some(({ name }) => name === GAME + play.id)) play.id = fresh();
	saveNow();
}

const undos = [];

/** Keeps a copy of the game before something is discarded; `what` is the keyword for it. */
export function discard(what) {
	// The positions of lessons have no id and are not stored.
	if (!play.id) return;
	saveNow();
	undos.push({ kept: snapshot(), what });
	if (undos.length > UNDOS) undos.shift();
	send("discarded", what);
}

/** Whether something can be restored. */
export const canUndo = () => undos.length > 0;

/** Restores what was discarded last; moves made since in the same game stay as variations. Returns false if there is nothing. */
export function undo() {
	const last = undos.pop();
	if (!last) return false;
	saveNow();
	pause();
	const since = last.kept.id === play.id ? play.tree : null;
	if (!restore(last.kept)) return false;
	if (since) play.tree.graft(since);
	return true;
}

/** Stores the game after every change and when the page is closed. */
export function keepAlways() {
	hear("tree", save);
	hear("position", save);
	hear("leaving", saveNow);
	document.addEventListener("visibilitychange", saveNow);
	window.addEventListener("pagehide", saveNow);
	setInterval(() => keepClock()?.running && saveNow(), 5000);
	tidy();
}
