// The state shared by the modules of the page: the settings, the game on the board, what is in progress, and the events
// that the modules send each other.

import { GAMES } from "./games.js";
import { Tree } from "./tree.js";

/** The time controls: minutes on the clock, and seconds per move (byoyomi) or added per move (increment). */
export const CLOCKS = {
	none: null,
	"byoyomi-30": { main: 0, byoyomi: 30, increment: 0 },
	"byoyomi-10-30": { main: 10, byoyomi: 30, increment: 0 },
	"increment-5-3": { main: 5, byoyomi: 0, increment: 3 },
	"increment-15-10": { main: 15, byoyomi: 0, increment: 10 },
	own: null,
};

export const other = (side) => (side === "b" ? "w" : "b");

/** The user's settings; they are stored between visits. */
export const settings = {
	language: "en",
	theme: "auto",
	game: "shogi",
	level: 1,
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
	remarks: true,
	coordinates: true,
	tableMode: false,
	address: "",
};

/**
 * The game on the board. `node` is the displayed position, `side` the user's side in this game (`b`, `w`, `both`, or
 * `none`: the engine plays itself), `level` that of the engine if the game has its own, `view` the engine's description of the position of `viewed`.
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
	level: null,
	view: null,
	viewed: null,
	truth: null,
	report: null,
	flipped: false,
	rules: {},
};
play.node = play.tree.root;

/**
 * What is in progress. `task` is the layout, `asks` the task of a lesson or
 * problem, `reason` what is said about a hint or the player's last move. `epoch` increases whenever pending searches become obsolete; `preview` is an engine line that is
 * shown without being played.
 */
export const page = {
	task: "loading",
	asks: "",
	reason: "",
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

/** Registers a function to be called at every event of this name. */
export function hear(name, act) {
	hearers[name] ??= [];
	hearers[name].push(act);
}

/** Sends an event. */
export function send(name, ...values) {
	for (const act of hearers[name] ?? []) act(...values);
}

/** The displayed content: the editor, an engine line, or the game. */
export const shown = () => page.editor?.view ?? page.preview?.view ?? play.view;

/** A question about the position of a node. */
export function question(node = play.node, more = []) {
	const rules = play.game.kind === "shogi" ? { rules: { EnteringKingRule: settings.entering } } : {};
	return {
		game: play.name,
		...(play.start ? { sfen: play.start } : {}),
		moves: [...play.tree.moves(node), ...more],
		...rules,
	};
}

/** The SFEN of the game's start position. */
export const startSfen = () => play.start ?? play.game.start;

/** Whether the engine plays this side. */
export function isEngine(side) {
	return play.side === "none" || (play.side !== "both" && play.side !== side);
}

/** Whether the layout is that of lessons or problems. */
export const isTaught = () => page.task === "learn" || page.task === "solve";

/** Whether the user plays against the engine. */
export const isDuel = () => play.side === "b" || play.side === "w";

/** Whether the position on the board is the last of its line. */
export const isLast = () => !play.tree.following(play.node);

/** Whether the game is over in the position on the board. */
export function isOver() {
	return Boolean(play.view?.over || play.tree.end(play.node));
}

/** Whether the values of a solved game are shown; not during a game against the engine or in a lesson. */
export const showsTruth = () => settings.truth && Boolean(play.id) && (!isDuel() || isOver());

/** Whether a game in which the engine plays is in progress. */
export const isPlaying = () => play.side !== "both" && !play.view?.over && !play.tree.end(play.tree.last(play.node));
