// The game on the board: starting, playing, browsing and ending it.

import { clock, limits, pause, press, rewind, wind } from "./clocks.js";
import { $ } from "./dom.js";
import { ask, isAlone, isConnected, stop } from "./engine.js";
import { dress, highest, say } from "./settings.js";
import { makeMove, readMove, split } from "./sfen.js";
import { isDuel, isEngine, isLast, isOver, other, page, play, question, send, settings, startSfen } from "./state.js";
import { clear, discard, keep, save } from "./store.js";

/** Minimum delay before the engine's reply, in milliseconds: an immediate reply is hard to follow. */
const REPLY = 250;
/**
 * Below full strength, the engine pauses like a human player: for at most this share of its time, and at most this many
 * milliseconds.
 */
const PAUSE = { share: 0.6, most: 3000 };
/**
 * The ends of games by their names in records: the page's keyword, and who has won: 1 the side to move, -1 the other
 * side, 0 nobody.
 */
export const ENDS = {
	resigns: ["resign", -1],
	"time-up": ["time", -1],
	"foul-loss": ["foul", -1],
	mated: ["mate", -1],
	"default-loss": ["forfeit", -1],
	try: ["try", -1],
	declares: ["declare", 1],
	"foul-win": ["foul-win", 1],
	"default-win": ["forfeit-win", 1],
	repetition: ["repetition", 0],
	impasse: ["impasse", 0],
	draw: ["agreed", 0],
	"max-moves": ["moves", 0],
	interrupted: ["stopped"],
	"no-mate": ["no-mate"],
	封じ手: ["sealed"],
};

/** The message below the board for the current position, with its buttons. */
let message = null;

/** Shows a message below the board until the position changes; `act` is `{word, run}` for a button. */
export function tell(text, kind = "", act = null) {
	message = { text, kind, act };
	send("message", message);
}

/** Returns the message for the current position, or `null`. */
export const told = () => message;

/** Removes the message. */
export function hush() {
	message = null;
}

/** Whether the engine has described the displayed position and no move is in progress. */
const isSettled = () => Boolean(play.view) && play.viewed === play.node && !page.moving && !page.held;

/** The user's actions while a position was loading, with their times. */
const early = [];
/** The age at which these actions are dropped, in milliseconds. */
const STALE = 2000;

/**
 * Runs an action for the displayed position, or queues it until that position is loaded, so that an early click is not
 * lost.
 */
export function whenSettled(act) {
	if (page.editor || page.preview || isSettled()) act();
	else if (isAlone) whyNot();
	else if (isConnected()) early.push({ act, at: performance.now() });
}

/** Runs the queued actions. */
function catchUp() {
	while (early.length && isSettled()) {
		const { act, at } = early.shift();
		if (performance.now() - at < STALE) act();
	}
}

/** Waits before a move that the page makes. Clicks in the meantime are queued until after the move. */
export async function hold(time) {
	page.held = true;
	await new Promise((resolve) => setTimeout(resolve, time));
	page.held = false;
	// If no move follows, nothing else runs the queued actions.
	setTimeout(catchUp);
}

/** Stops the engine's search. */
export function halt() {
	page.epoch++;
	stop();
}

/** Ends the analysis of the displayed position. */
export function stopAnalysis() {
	page.analysing = false;
	$("analyse").setAttribute("aria-pressed", "false");
}

/** Clears everything that belongs to the previous position. */
function forgetPosition() {
	page.picked = page.preview = page.mateLine = null;
	message = null;
	page.reason = "";
	send("left");
}

/** The end of the game in the displayed position: `{winner, reason, word}`, or `null`. */
export function ending() {
	const { view, tree, node } = play;
	if (view?.over) return view.over;
	const word = tree.end(node);
	if (!word || word === "interrupted" || word === "no-mate") return null;
	const side = view?.side ?? "b";
	const [reason = "record", result] = ENDS[word] ?? [];
	const winner = result ? (result > 0 ? side : other(side)) : null;
	return { winner, reason, word, open: result === undefined };
}

/** Whether the generals face each other where that has consequences (bikjang). */
export function isFacing({ board, over }) {
	if (play.name !== "janggitraditional" || over) return false;
	const [own, enemy] = ["K", "k"].map((king) => Object.keys(board).find((square) => board[square] === king));
	if (!own || !enemy || own[0] !== enemy[0]) return false;
	const [low, high] = [own[1], enemy[1]].sort();
	return !Object.keys(board).some((square) => square[0] === own[0] && square[1] > low && square[1] < high);
}

/** Starts a game from a position (`null`: the start position). */
export async function begin(name, start = null, side = settings.side) {
	halt();
	if (play.node !== play.tree.root || play.tree.root.children.length || play.tree.root.comment) discard("new-game");
	page.editor = null;
	clear(name, start, side);
	settings.game = name;
	keep();
	wind();
	await arrive();
}

/** Shows a game that has just been loaded. */
export async function arrive() {
	page.editor = null;
	page.moving = false;
	forgetPosition();
	play.tree.describe(startSfen(), play.game);
	// On a phone, the panel is below the board, so the board may be out of view.
	window.scrollTo(0, 0);
	dress();
	send("edited");
	save();
	send("tree");
	await refresh();
	reply();
}

/** A view of a position without what only the engine can determine. */
function sketch(node) {
	const position = play.tree.position(node, startSfen(), play.game);
	const { tree } = play;
	return {
		...position,
		legal: [],
		moves: tree.moves(node),
		check: null,
		over: null,
		occurrences: 1,
		sketch: true,
	};
}

function lastSquares(node) {
	const { move } = node;
	return move ? [move.from, move.to].filter(Boolean) : null;
}

/** Shows the position of `play.node` as far as that needs no engine. */
export function outline() {
	play.view = { ...sketch(play.node), last: lastSquares(play.node) };
	play.viewed = null;
	send("draw");
}

/**
 * Shows the position of `play.node`. Returns false if it cannot be shown or another one was requested in the meantime.
 */
export async function refresh(slide) {
	const { node } = play;
	const asked = ++page.asked;
	if (!isConnected() || !play.view) outline();
	const view = await ask({ ask: "view", ...question(node) }).catch(() => null);
	if (asked !== page.asked || !view) return false;
	if (view.error) {
		tell(say("not-shown", view.error), "refused");
		return false;
	}
	Object.assign(play, { view, viewed: node, truth: null });
	view.last = lastSquares(node);
	if (node.usi && Boolean(node.check) !== Boolean(view.moves.at(-1)?.check)) {
		play.tree.set(node, { check: Boolean(view.moves.at(-1)?.check) });
		send("tree");
	}
	// A piece that was selected while the engine was thinking stays selected.
	if (page.picked && ownerIn(view, page.picked) !== view.side) page.picked = null;
	send("draw", slide && node.move ? { from: node.move.from, to: node.move.to } : null);
	send("position");
	catchUp();
	return true;
}

/** The owner of the piece on a square, or of a piece in hand such as `b:P`. */
export function ownerIn(view, place) {
	if (place.includes(":")) return view.hands[place[0]][place.slice(2)] ? place[0] : null;
	const piece = view.board[place];
	return piece ? split(piece).whose : null;
}

/** Whether the user may move now. */
export function mayAct() {
	if (page.editor || page.preview) return true;
	if (!isSettled()) return false;
	if (isOver() && isLast()) return false;
	return !(isEngine(play.view.side) && isLast() && !page.analysing);
}

/** Whether the user may select a piece while the engine is thinking. */
export const mayPrepare = () => isSettled() && isDuel() && isEngine(play.view.side) && isLast() && !isOver();

/** Explains why the user cannot move now. */
export function whyNot() {
	if (isAlone) tell(say("saved-page"));
	else if (isOver()) tell(say("game-over"), "over");
	else tell(say("not-your-turn"));
}

/** Makes a move in the displayed position. If an engine line is previewed, the line is inserted first. */
export async function make(usi, { still = false } = {}) {
	if (page.preview) {
		const legal = page.preview.view.legal.includes(usi);
		if (!legal) return false;
		await insertPreview(page.preview.at);
	}
	const { view, tree } = play;
	if (page.moving || play.viewed !== play.node || !view.legal.includes(usi)) return false;
	page.moving = true;
	halt();
	const before = play.node;
	const mover = view.side;
	const known = tree.branches(before).find((child) => child.usi === usi);
	const node = tree.add(before, usi);
	node.move ??= readMove(usi, view);
	if (!known) {
		const time = press(mover);
		if (clock.on)
			tree.set(node, {
				time,
				clock: [Math.round(clock.b), Math.round(clock.w)],
			});
		if (isDuel() && !tree.end(before)) tree.promote(node, true);
	}
	play.node = node;
	tree.visit(node);
	const prepared = isEngine(mover) ? page.picked : null;
	forgetPosition();
	page.picked = prepared;
	play.report = null;
	if (!known) send("tree");
	try {
		// A dragged piece is already on its square, so it is not animated.
		await refresh(!still);
	} finally {
		page.moving = false;
	}
	if (play.view?.over && play.viewed === node) close();
	send("moved", node);
	reply();
	catchUp();
	return true;
}

/** Stops the clocks and records the result of a game that the rules have ended. */
function close() {
	pause();
	const { reason } = play.view.over;
	const word = {
		mate: ENDS.mate,
		repetition: ENDS.repetition,
		try: play.game.kind === "shogi" ? "トライ" : null,
	}[reason];
	if (word && play.game.kind === "shogi") play.tree.finish(play.node, word);
	send("tree");
	send("draw");
}

/** The engine's pause before a move, in milliseconds. */
function pauseTime(side) {
	const time = clock.on ? clock[side] / 40 : settings.thinking;
	const most = (play.level ?? settings.level) < highest() ? Math.min(PAUSE.most, time * PAUSE.share) : 0;
	return Math.max(REPLY, REPLY + Math.random() * (most - REPLY));
}

/** Lets the engine move if it is its turn. */
export async function reply() {
	const { view, node } = play;
	if (!view || play.viewed !== node || page.editor || page.preview || page.analysing || page.moving) return;
	if (isOver() || !isLast() || !isEngine(view.side) || !isConnected()) return;
	const mine = ++page.epoch;
	const began = performance.now();
	if (clock.on && !clock.running && play.tree.ply(node) > 0) {
		clock.running = view.side;
		clock.since = began;
	}
	page.thinking = true;
	send("draw");
	const answer = await ask({
		ask: "go",
		...question(),
		level: play.level ?? settings.level,
		...limits(),
	}).catch(() => null);
	if (mine !== page.epoch) return;
	page.thinking = false;
	if (!answer) return;
	if (answer.error) {
		tell(say(answer.error), "refused", { word: "again", run: reply });
		return;
	}
	const wait = pauseTime(view.side) - (performance.now() - began);
	if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
	if (mine !== page.epoch) return;
	if (answer.declare) finish(view.side, "declare");
	else if (answer.best) make(answer.best);
	else finish(other(view.side), "resign");
}

/** Makes the engine move immediately, with its best move so far. */
export const moveNow = () => page.thinking && stop();

/** Ends the game for a reason that the position does not show, such as resignation or time. */
export function finish(winner, reason) {
	halt();
	page.thinking = false;
	pause();
	const { side } = play.view;
	// The names are from the point of view of the side to move.
	const keyword = reason === "foul" && winner === side ? "foul-win" : reason;
	play.tree.finish(
		play.node,
		Object.keys(ENDS).find((name) => ENDS[name][0] === keyword),
	);
	message = null;
	send("tree");
	send("draw");
	send("ended");
}

/** Takes back the last move, together with the engine's reply. */
export async function takeBack() {
	const { tree } = play;
	if (play.node === tree.root && !tree.end(play.node)) return;
	halt();
	discard("takeback");
	if (tree.end(play.node) && !play.view?.over) tree.finish(play.node, null);
	let at = play.node;
	const own = (node) => !isDuel() || (node.move?.side ?? play.side) === play.side;
	while (at.parent) {
		const mine = own(at);
		const above = at.parent;
		tree.remove(at);
		at = above;
		if (mine) break;
	}
	if (play.side === "none") play.side = "both";
	dress();
	play.node = at;
	page.moving = page.thinking = false;
	rewind(at);
	forgetPosition();
	play.report = null;
	send("tree");
	await refresh();
	reply();
}

/** Shows a position of the game. */
export async function go(node) {
	if (!node || page.editor || node.illegal) {
		if (node?.illegal) tell(say("illegal-in-record"), "refused");
		return;
	}
	if (page.preview) leavePreview(false);
	if (node === play.node) {
		send("draw");
		return;
	}
	const forward = node.parent === play.node;
	page.epoch++;
	page.thinking = false;
	if (!page.analysing) stop();
	play.node = node;
	play.tree.visit(node);
	page.moving = false;
	forgetPosition();
	send("walked");
	if (await refresh(forward)) reply();
}

/** Steps through the game, or through the previewed engine line. */
export function step(by) {
	const { tree, node } = play;
	if (page.editor) return;
	if (page.preview) {
		preview(page.preview, Math.min(page.preview.line.length, page.preview.at + by));
		return;
	}
	if (by === 1) go(tree.following(node));
	else if (by === -1) go(node.parent);
	else {
		const line = [tree.root, ...tree.line(node)];
		go(line[Math.max(0, Math.min(line.length - 1, line.indexOf(node) + by))]);
	}
}

/** Goes to the start or the end of the line. */
export function leap(end) {
	if (page.preview) preview(page.preview, end ? page.preview.line.length : 0);
	else go(end ? play.tree.last(play.node) : play.tree.root);
}

/** Shows the position after `at` moves of an engine line, without playing them. */
export async function preview({ line, base, rank }, at) {
	if (base !== play.node || page.editor) return;
	if (at < 1) {
		leavePreview();
		return;
	}
	const asked = ++page.asked;
	const view = await ask({
		ask: "view",
		...question(base, line.slice(0, at)),
	}).catch(() => null);
	if (asked !== page.asked || !view || view.error || base !== play.node) return;
	const last = view.moves.at(-1);
	view.last = [last.from, last.to].filter(Boolean);
	page.picked = null;
	page.preview = { line, base, rank, at, view };
	send("draw", { from: last.from, to: last.to });
}

/** Returns from the previewed line to the game. */
export function leavePreview(draw = true) {
	page.preview = null;
	page.picked = null;
	if (draw) send("draw");
}

/** Inserts the first moves of the previewed line into the tree and goes there. */
export async function insertPreview(count = page.preview.line.length) {
	const { line, base } = page.preview;
	const { tree } = play;
	page.preview = null;
	let at = base;
	const position = tree.position(base, startSfen(), play.game);
	for (const usi of line.slice(0, count)) {
		at = tree.add(at, usi);
		at.move ??= readMove(usi, position);
		makeMove(position, at.move);
	}
	send("tree");
	await go(at);
}

/** Changes the user's side in the current game. */
export async function sitDown(side) {
	halt();
	page.thinking = false;
	play.side = side;
	play.flipped = false;
	play.truth = null;
	save();
	$("side").value = side;
	send("draw");
	send("truth");
	reply();
}
