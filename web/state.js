// What the parts of the page share: the game on the board, what is under way, and the news that parts send each other.

import { GAMES } from "./games.js";
import { Tree } from "./tree.js";

/** Minutes on the clock, seconds for every move (byoyomi) or added to it (increment). */
export const CLOCKS = {
	none: null,
	"byoyomi-30": { main: 0, byoyomi: 30, increment: 0 },
	"byoyomi-10-30": { main: 10, byoyomi: 30, increment: 0 },
	"increment-5-3": { main: 5, byoyomi: 0, increment: 3 },
	"increment-15-10": { main: 15, byoyomi: 0, increment: 10 },
	own: null,
};

export const other = (side) => (side === "b" ? "w" : "b");

/** What the user has chosen; it is kept from visit to visit. */
export const settings = {
	language: "en",
	theme: "auto",
	game: "shogi",
	level: 3,
	thinking: 1000,
	clock: "none",
	ownClock: { main: 10, byoyomi: 0, increment: 5 },
	side: "b",
	looks: {},
	lines: 3,
	truth: true,
	strict: false,
	entering: "CSARule27",
	sound: false,
	coordinates: true,
	tableMode: false,
};

/**
 * The game that is on the board. `node` is the position that is shown, `side` what the user plays in this game (`b`,
 * `w`, `both`, or `none`: the engine plays itself), `view` what the engine says about the position of `viewed`.
 */
export const play = {
	id: "",
	name: "shogi",
	game: GAMES.shogi,
	start: null,
	tree: new Tree(),
	node: null,
	side: "both",
	headers: [],
	view: null,
	viewed: null,
	truth: null,
	report: null,
	flipped: false,
	rules: {},
};
play.node = play.tree.root;

/**
 * What is under way. `epoch` grows whenever that no longer matters; `preview` is a line of the engine that is looked
 * at without being played.
 */
export const page = {
	picked: null,
	editor: null,
	preview: null,
	analysing: false,
	mateLine: null,
	moving: false,
	held: false,
	drawing: false,
	lost: false,
	epoch: 0,
	asked: 0,
};

const hearers = {};

/** Calls a function at every piece of news of this name. */
export function hear(name, act) {
	hearers[name] ??= [];
	hearers[name].push(act);
}

/** Sends a piece of news. */
export function send(name, ...values) {
	for (const act of hearers[name] ?? []) act(...values);
}

/** What the board shows now: the editor, a line of the engine, or the game. */
export const shown = () => page.editor?.view ?? page.preview?.view ?? play.view;

/** Asks about a position of the game: that of a node. */
export function question(node = play.node, more = []) {
	const rules = play.game.kind === "shogi" ? { rules: { EnteringKingRule: settings.entering } } : {};
	return {
		game: play.name,
		...(play.start ? { sfen: play.start } : {}),
		moves: [...play.tree.moves(node), ...more],
		...rules,
	};
}

/** The SFEN that the game starts from. */
export const startSfen = () => play.start ?? play.game.start;

/** Is the engine to move for this side? */
export function isEngine(side) {
	return play.side === "none" || (play.side !== "both" && play.side !== side);
}

/** Does the user play against the engine? */
export const isDuel = () => play.side === "b" || play.side === "w";

/** Is the position on the board the last of its line? */
export const isLast = () => !play.tree.following(play.node);

/** Is the game over in the position on the board? */
export function isOver() {
	return Boolean(play.view?.over || play.tree.end(play.node));
}

/** Is the truth about a solved game to be seen? Not during a game against the engine, nor in a lesson. */
export const showsTruth = () => settings.truth && Boolean(play.id) && (!isDuel() || isOver());

/** Is a game against the engine under way? */
export const isPlaying = () => play.side !== "both" && !play.view?.over && !play.tree.end(play.tree.last(play.node));
