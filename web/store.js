// What is kept in this browser: settings, the game of every tab, and the games before it. What is discarded can be
// brought back for a while.

import { keepClock, pause, takeUp } from "./clocks.js";
import { GAMES } from "./games.js";
import { CLOCKS, hear, play, send, settings } from "./state.js";
import { Tree } from "./tree.js";
import { LANGUAGES } from "./words.js";

const SETTINGS = "sanban";
const GAME = "sanban-game:";
const TAB = "sanban-tab";
/** Most games that are kept. */
const MOST = 60;
/** Discarded games that can be brought back. */
const UNDOS = 20;

/** Every game has a name of its own. */
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

/** Keeps the settings. */
export function keep() {
	store(local, SETTINGS, JSON.stringify(settings));
}

/** Takes the settings of the last visit. */
export function remember() {
	const language = LANGUAGES.find((name) => navigator.language?.startsWith(name));
	if (language) settings.language = language;
	try {
		const kept = JSON.parse(fetchItem(local, SETTINGS) ?? "{}");
		for (const name of Object.keys(settings))
			if (typeof kept[name] === typeof settings[name]) settings[name] = kept[name];
	} catch {
		// What cannot be read is forgotten.
	}
	if (!GAMES[settings.game]) settings.game = "shogi";
	if (!LANGUAGES.includes(settings.language)) settings.language = "en";
	if (!(settings.clock in CLOCKS)) settings.clock = "none";
	if (!["b", "w", "both", "none"].includes(settings.side)) settings.side = "b";
}

/** The game on the board as JSON, to be kept or sent. */
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

/** Puts a game on the board that was kept; false when it is none. */
export function restore(kept) {
	if (!kept || !GAMES[kept.name] || !Array.isArray(kept.tree) || !kept.tree.length) return false;
	const { tree, nodes } = Tree.fromJSON(kept.tree);
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
		view: null,
		viewed: null,
		truth: null,
		report: null,
	});
	takeUp(kept.clock);
	return true;
}

/** Begins an empty game on the board; the one before stays among those that are kept. */
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
		view: null,
		viewed: null,
		truth: null,
		report: null,
	});
}

const isEmpty = (kept) => kept.tree.length < 2 && !kept.tree[0].c && !kept.start;

let waiting = null;

/** Keeps the game on the board, soon. */
export function save() {
	waiting ??= setTimeout(saveNow, 100);
}

/** Keeps the game on the board now. */
export function saveNow() {
	clearTimeout(waiting);
	waiting = null;
	if (!play.id) return;
	store(session, TAB, play.id);
	const kept = snapshot();
	while (!store(local, GAME + play.id, JSON.stringify(kept))) {
		// The oldest games make room.
		const oldest = games().findLast(({ id }) => id !== play.id);
		if (!oldest) {
			send("unsaved");
			return;
		}
		forget(oldest.id);
	}
	hold(play.id);
}

/** The games that are kept, the newest first: `{id, name, updated, moves, ...}`. */
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
				// What cannot be read is not listed.
			}
		}
	} catch {
		return [];
	}
	return out.sort((a, b) => b.updated - a.updated);
}

/** Takes a game out of those that are kept. */
export function forget(id) {
	try {
		localStorage.removeItem(GAME + id);
	} catch {
		// Then there was none.
	}
}

/** Removes games that are too many, and those without a move that no tab shows. */
function tidy() {
	games().forEach((kept, n) => {
		if (kept.id !== play.id && (n >= MOST || (isEmpty(kept) && Date.now() - kept.updated > 60_000))) forget(kept.id);
	});
}

/** Other tabs see by a lock which game is on a board. */
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

/** Puts the game of this tab on the board again, or the last one that no other tab shows; false without any. */
export async function resume() {
	const own = fetchItem(session, TAB);
	const mine = own && fetchItem(local, GAME + own);
	try {
		if (mine && restore(JSON.parse(mine))) return true;
	} catch {
		// A game that cannot be read is none.
	}
	const held = new Set();
	try {
		for (const { name } of (await navigator.locks.query()).held) held.add(name);
	} catch {
		// Then nobody tells.
	}
	const last = games().find((kept) => !held.has(GAME + kept.id) && !isEmpty(kept));
	return last ? restore(last) : false;
}

/** A copy of a tab has its session's name: it gets a game of its own. */
export async function own() {
	if (!navigator.locks || holding?.id === play.id) return;
	const { held } = await navigator.locks.query();
	if (held.some(({ name }) => name === GAME + play.id)) play.id = fresh();
	saveNow();
}

const undos = [];

/** Notes the game before something of it is discarded; `what` is the word for it. */
export function discard(what) {
	// The positions of lessons have no name and are not kept.
	if (!play.id) return;
	saveNow();
	undos.push({ kept: snapshot(), what });
	if (undos.length > UNDOS) undos.shift();
	send("discarded", what);
}

/** Can something be brought back? */
export const canUndo = () => undos.length > 0;

/** Brings back what was discarded last; false when there is nothing. */
export function undo() {
	const last = undos.pop();
	if (!last) return false;
	saveNow();
	pause();
	return restore(last.kept);
}

/** Keeps everything when the page is left. */
export function keepAlways() {
	hear("tree", save);
	hear("position", save);
	hear("leaving", saveNow);
	document.addEventListener("visibilitychange", saveNow);
	window.addEventListener("pagehide", saveNow);
	setInterval(() => keepClock()?.running && saveNow(), 5000);
	tidy();
}
