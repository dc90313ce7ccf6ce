// Reasons for moves, shown below the move list: why the engine suggests a move, and the report's remarks on a move.

import { $, element, fill } from "./dom.js";
import { ask } from "./engine.js";
import { moveName } from "./notation.js";
import { say } from "./settings.js";
import { makeMove, readMove, split, writeSfen } from "./sfen.js";
import { hear, isDuel, isOver, page, play, question, send, settings, startSfen } from "./state.js";
import { everyone, LANGUAGES } from "./words.js";

/** The classes of moves that are mistakes. */
export const MISTAKES = ["dubious", "mistake", "blunder"];
/** The nodes for judging a move during the game. */
const GLANCE = 30_000;
/** Whether other pieces can be in the way of a piece; the horse and the elephant of Janggi do not leap over any. */
export function isBlockable({ kind, moves }, letter) {
	const { slides, jumps, leaps } = moves[letter] ?? {};
	return Boolean(slides ?? jumps ?? (kind === "janggi" && leaps));
}

/** The reasons that are shown, in every language, with their heading and the position they belong to. */
let told = { node: null, heading: null, reasons: [] };

function show() {
	const { node, heading, reasons } = told;
	const language = LANGUAGES.indexOf(settings.language);
	const here = node === play.node && !page.editor && !page.preview;
	let texts = here ? [...new Set(reasons.map((texts) => texts[language]))] : [];
	let title = heading;
	// Before the first move of a game, the space shows the rules.
	if (!texts.length && page.task === "play" && isDuel() && !play.tree.root.children.length && !play.start) {
		texts = say.rules(play.name, play.game);
		title = "tab-rules";
	}
	$("told").hidden = !texts.length;
	fill(
		$("told"),
		element("h3", { textContent: title && say(title) }),
		element("ul", {}, ...texts.map((textContent) => element("li", { textContent }))),
	);
}

/** Shows the report's remark on the move that led to the position. */
function tellRemark() {
	const { node } = play;
	const { reasons = [], better = [] } = node.remark ?? {};
	told = { node, heading: "why-played", reasons: [...reasons, ...better] };
	show();
}

/** Shows the reasons for a move that the engine suggests in the displayed position. */
export async function explain(node, move) {
	const answer = await ask({ ask: "reasons", ...question(node), move }).catch(() => null);
	if (play.node !== node || !answer?.reasons) return;
	const language = LANGUAGES.indexOf(settings.language);
	const reasons = answer.reasons.length ? answer.reasons : await quietly(node, move);
	if (play.node !== node) return;
	told = { node, heading: "why-suggested", reasons };
	page.reason = reasons[0]?.[language] ?? "";
	show();
	send("message");
}

/** After the engine's reply, says in one line what was wrong with the player's move before it. */
async function lookBack(node) {
	const own = node.parent;
	const isOn = () => settings.remarks && page.task === "play" && isDuel() && !isOver();
	if (own?.move?.side !== play.side || !isOn()) return;
	const { epoch } = page;
	const stays = () => page.epoch === epoch && play.node === node && isOn();
	const { judge } = await import("./judge.js").catch(() => ({}));
	const found = await judge?.(question(own.parent), own.usi, { nodes: GLANCE, stays }).catch(() => null);
	if (!found || !MISTAKES.includes(found.grade) || !stays()) return;
	const text = found.remark?.reasons[0]?.[LANGUAGES.indexOf(settings.language)];
	if (!text) return;
	own.remark = found.remark;
	page.reason = `${moveName(own.move, play.game, say)}: ${text}`;
	send("message");
}

/** Number of moves of each kind of piece of the side to move. */
function mobility({ legal, board }) {
	const out = {};
	for (const usi of legal) {
		const letter = usi[1] === "*" ? "*" : board[usi.slice(0, 2)].toUpperCase();
		out[letter] = (out[letter] ?? 0) + 1;
	}
	return out;
}

/** What a quiet move does for the other pieces of its side, in every language. */
async function quietly(node, usi) {
	const { game, view } = play;
	const position = play.tree.position(node, startSfen(), game);
	const move = readMove(usi, position);
	makeMove(position, move);
	position.side = move.side;
	const after = await ask({ ask: "view", game: play.name, sfen: writeSfen(position, game), moves: [] }).catch(
		() => null,
	);
	const speakers = await everyone();
	for (const [language, one] of speakers) one.toChild = say.toChild && language === settings.language;
	const all = (word, ...values) => [
		speakers.map(([, say]) =>
			say(word, ...values.map((value) => (value in game.moves ? say.piece(game, value, move.side) : value))),
		),
	];
	if (after?.legal && move.from) {
		// In check, the pieces could not go where they can go otherwise.
		const [was, is] = [mobility(view.check ? after : view), mobility(after)];
		const { letter } = split(move.piece);
		const moved = [letter, split(position.board[move.to]).letter];
		const gains = Object.keys(is).filter(
			(one) => !moved.includes(one) && isBlockable(game, one) && is[one] - (was[one] ?? 0) > 1,
		);
		if (gains.length) return all("merit-opens", gains[0]);
		if (letter === "K" && Math.abs(move.to[0] - 5) > Math.abs(move.from[0] - 5)) return all("merit-king", letter);
		const gain = view.check ? 0 : after.legal.length - view.legal.length;
		if (gain > 0) return all("merit-freedom", String(gain));
		const ahead = (move.from.charCodeAt(1) - move.to.charCodeAt(1)) * (move.side === "b" ? 1 : -1);
		if (ahead > 0 && game.letters.includes(letter)) return all("merit-forward", letter);
	}
	return all("merit-none");
}

/** Registers the updates of the reasons. */
export function listen() {
	hear("position", tellRemark);
	hear("reviewed", tellRemark);
	hear("moved", lookBack);
	hear("draw", show);
	hear("language", show);
}
