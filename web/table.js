// The board with its surroundings: players, hands, clocks, the evaluation bar, and the status.

import { Board } from "./board.js";
import { ticking } from "./clocks.js";
import { $, element, fill } from "./dom.js";
import { face } from "./faces.js";
import { ending, isFacing, told } from "./game.js";
import { chance, scoreName, squareName } from "./notation.js";
import { captured, impasse, pointsText } from "./points.js";
import { levelName, look, say, shortName, sideName } from "./settings.js";
import { split } from "./sfen.js";
import {
	hear,
	isDuel,
	isEngine,
	isLast,
	isOver,
	isPlaying,
	isTaught,
	other,
	page,
	play,
	send,
	settings,
	shown,
} from "./state.js";

/** Handlers of the player's actions on the board; `input.js` sets them. */
export const handlers = {
	touch() {},
	drop() {},
	pick() {},
	mayPick: () => false,
	draw() {},
	menu() {},
	touchHand() {},
};

export const board = new Board($("board"), {
	touch: (...values) => handlers.touch(...values),
	drop: () => handlers.drop(),
	pick: (place) => handlers.pick(place),
	mayPick: (place) => handlers.mayPick(place),
	draw: (...values) => handlers.draw(...values),
	menu: (...values) => handlers.menu(...values),
	isDrawing: () => page.drawing,
	word: (name) => say(name),
	describe: (square, piece) => `${squareName(square, play.game, say)} ${piece ? spoken(piece) : say("empty")}`,
	describeHand: (whose, letter, count) =>
		say("hand-of", sideName(whose), `${say.piece(play.game, letter, whose)} ${count}`),
});

/** The name of a piece for screen readers: only those of the side at the top have the name of their side. */
function spoken(piece) {
	const { letter, whose } = split(piece);
	const name = say.piece(play.game, letter, whose);
	return board.isTurned(whose) ? `${shortName(whose)} ${name}` : name;
}

/** Whether the board is turned, so that white is at the bottom. */
export function isTurned() {
	const below = play.side === "w" || (settings.tableMode && play.side === "both" && play.view?.side === "w");
	return below !== play.flipped;
}

/** Flips the board. */
export function flip() {
	play.flipped = !play.flipped;
	send("tree");
	render();
}

/** Draws everything. */
export function render(slide) {
	const view = shown();
	if (!view) return;
	const turned = isTurned();
	board.prepare(play.game, look(), turned, say);
	board.show(view, slide);
	board.drawings(page.editor || page.preview ? [] : (play.node.shapes ?? []));
	if (page.editor) board.arrows([]);
	players(view, turned);
	// The hands have been redrawn, so marks are drawn after them.
	handlers.mark?.();
	$("turn").dataset.side = $("turn").textContent = view.side;
	tools();
	status();
	bar();
	document.body.classList.toggle("previewing", Boolean(page.preview));
	document.body.classList.toggle("shared", play.side === "both");
	$("loading")?.remove();
}

function players(view, turned) {
	for (const [place, whose] of [
		["top", turned ? "b" : "w"],
		["bottom", turned ? "w" : "b"],
	]) {
		const strip = $(`player-${place}`);
		strip.className = `player ${place}${view.side === whose ? " active" : ""}`;
		strip.dataset.whose = whose;
		const name = strip.querySelector(".name");
		fill(
			name,
			isEngine(whose) && page.task === "play"
				? element("span", { className: "portrait", html: face(settings.level) })
				: element("span", { className: `stone ${play.game.kind} ${whose}` }),
			element("b", { textContent: shortName(whose), title: sideName(whose) }),
			element("span", {
				className: "who",
				textContent: playerName(whose),
				title: playerName(whose),
			}),
			element("time", { id: `clock-${whose}` }),
			element("span", {
				className: "points",
				textContent: pointsText(view, whose),
			}),
		);
		const hand = strip.querySelector(".hand");
		hand.setAttribute("aria-label", say("hand-of", sideName(whose), "").trim());
		if (play.game.hand.length) board.showHand(hand, whose, view.hands[whose]);
		else board.showTaken(hand, captured(view, whose));
	}
	ticking();
}

/** The name of a side: the one in the record, or a description of the player. */
export function playerName(side) {
	const header = play.headers.find(([name]) => name === (side === "b" ? "先手" : "後手"))?.[1];
	if (header) return header;
	if (isEngine(side)) return levelName(play.level ?? settings.level);
	return play.side === "both" ? "" : say("you");
}

/** Shows, hides, enables and disables the buttons below the board. */
function tools() {
	const { view } = play;
	const editing = Boolean(page.editor);
	const over = isOver();
	$("declare").hidden = !(view?.declare && !isEngine(view.side) && !over && !editing);
	$("move-now").hidden = !page.thinking;
	$("resign").disabled = over || editing || !view;
	$("takeback").disabled = editing || (play.node === play.tree.root && !play.tree.end(play.node));
	$("hint").disabled = editing || over || page.analysing;
	$("agree").hidden = !(
		page.task === "play" &&
		play.game.kind === "shogi" &&
		play.side === "both" &&
		!over &&
		view &&
		impasse(view, "b")
	);
}

/** Shows the status. */
function status() {
	const { text, kind, act } = standing();
	const task = isTaught() ? page.asks : coaching();
	if ($("task").textContent !== task) $("task").textContent = task;
	const line = $("status");
	if (line.textContent !== text) line.textContent = text;
	line.className = kind;
	const button = $("status-act");
	button.hidden = !act;
	if (act) {
		button.textContent = act.text ?? say(act.word);
		button.onclick = act.run;
	}
	title(kind);
}

/** What the player can do now, in words for those who do not know yet. */
function coaching() {
	const { view } = play;
	if (!view || page.editor || page.preview || page.task !== "play" || ending() || isEngine(view.side)) return "";
	if (page.reason) return page.reason;
	if (isFacing(view)) return say("bikjang-task");
	if (view.check) {
		const specific = `${play.game.kind}-check-task`;
		return say(say.has(specific) ? specific : "check-task", say.piece(play.game, play.game.letters[0], view.side));
	}
	if (!isDuel() || play.tree.ply(play.node) > 5) return "";
	return say(page.picked ? "target-task" : "piece-task");
}

function standing() {
	if (page.editor)
		return {
			text: told()?.text ?? say("to-move", sideName(page.editor.view.side)),
			kind: told()?.kind ?? "",
		};
	const { view } = play;
	if (page.lost) return { text: say("lost"), kind: "refused" };
	const message = told();
	if (message) return message;
	if (page.preview)
		return {
			text: say("previewing", page.preview.at, page.preview.line.length),
			kind: "preview",
		};
	const over = ending();
	if (over) return { text: result(over), kind: "over" };
	if (isTaught()) return { text: "", kind: "" };
	const parts = [];
	if (isFacing(view)) parts.push(say("bikjang"));
	if (view.check) parts.push(say("in-check"));
	if (isEngine(view.side) && isLast() && !page.analysing) parts.push(say("engine-thinks"));
	else if (!isDuel() || isEngine(view.side)) parts.push(say("to-move", sideName(view.side)));
	else parts.push(say("your-turn"));
	if (view.occurrences > 1) parts.push(say("repeated", view.occurrences, view.repetitions));
	return { text: parts.join(" "), kind: "" };
}

/** The result of a game in words, from the point of view of the player. */
function result({ winner, reason, word, open }) {
	const mine = winner === play.side;
	if (isDuel() && reason === "resign" && !mine) return say("you-lose", capital(say("reason-resigned")));
	const specific = `${play.game.kind}-reason-${reason}`;
	let why = reason === "record" ? word : say(say.has(specific) ? specific : `reason-${reason}`);
	if (reason === "count")
		why += ` (${["b", "w"].map((side) => `${shortName(side)} ${pointsText(play.view, side)}`).join(", ")})`;
	if (open) return say("ended-by", why);
	if (!winner) return say("drawn-by", why);
	if (!isDuel()) return say("won-by", sideName(winner), why);
	return say(mine ? "you-win" : "you-lose", capital(why));
}

const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** Updates the title of the page, which shows whose turn it is. */
function title(kind) {
	const { view } = play;
	let text = say(`game-${play.name}`);
	if (kind === "over") text = say("title-over");
	else if (isPlaying() && view && isDuel()) text = say(isEngine(view.side) ? "title-engine" : "title-yours");
	document.title = page.task === "home" ? "Sanban" : `${text} – Sanban`;
	$("title").textContent = document.title;
}

/** Black's score in the displayed position: the result, the value in a solved game, or the engine's score. */
export function knownScore() {
	const { node, truth, view } = play;
	if (page.preview) return page.preview.base.score ?? null;
	const over = ending();
	if (over?.winner) return { mate: over.winner === "b" ? 1 : -1, over: true };
	if (over && !over.open) return { cp: 0 };
	const best = truth && Object.values(truth)[0];
	if (best && view) {
		if (best.value === "draw") return { cp: 0 };
		const wins = best.value === "win" ? view.side : other(view.side);
		return { mate: wins === "b" ? best.plies : -best.plies };
	}
	return node.score ?? null;
}

/** Updates the evaluation bar beside the board, which shows black's winning chance. */
export function bar() {
	const score = page.editor ? null : knownScore();
	const share = Math.round(chance(score) * 100);
	const text = score?.over ? "" : scoreName(score, say);
	$("bar").hidden = !score || page.task !== "analyse";
	if ($("bar").hidden) return;
	$("bar").style.setProperty("--share", `${share}%`);
	$("bar-text").textContent = text;
	$("bar").setAttribute("aria-label", say("evaluation-is", text || `${share} %`, sideName("b")));
	$("bar").className = `${play.game.kind}${isTurned() ? " turned" : ""}`;
}

hear("draw", render);
hear("words", () => {
	board.forget();
	render();
});
hear("message", () => shown() && status());
hear("scored", bar);
