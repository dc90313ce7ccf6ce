// The report on an analysed game: the moves that decided it, statistics of both sides, and a link to save the report.

import { element, fill } from "./dom.js";
import { moveName } from "./notation.js";
import { makeMove, readMove } from "./sfen.js";

const CLASSES = ["best", "good", "inaccuracy", "dubious", "mistake", "blunder"];
/** The classes of moves that are listed below the statistics. */
const LISTED = ["dubious", "mistake", "blunder"];

/**
 * Draws the report of a game into an element. `start` is the first position, `best` has the best move of every
 * position; a click on a move calls `onPick` with the number of moves before it.
 */
export function drawReport(box, { report, start, moves, best, game, language, say, onPick, onRetry, onNext }) {
	const slips = element("ul");
	const position = { ...start, hands: null };
	moves.forEach((move, n) => {
		const { class: name } = report.moves[n];
		if (LISTED.includes(name) && best[n]) {
			const better = moveName(readMove(best[n], position), game, language, say);
			const textContent = `${n + 1}. ${moveName(move, game, language, say)} — ${say(name)}; ${say("better", better)}`;
			const button = element("button", { type: "button", className: name, textContent, onclick: () => onPick(n) });
			slips.append(element("li", {}, button));
		}
		makeMove(position, move);
	});
	const any = slips.children.length > 0;
	const act = (id, run, main) =>
		element("button", { type: "button", id, onclick: run, className: main, textContent: say(id) });
	fill(
		box,
		element("h3", { textContent: say(any ? "moments" : "no-mistakes") }),
		any ? element("div", { className: "row" }, act("retry", onRetry, "main"), act("next-mistake", onNext)) : null,
		slips,
		element("h3", { textContent: say("report-title") }),
		table(report.sides, game, say),
		keepsake(report.page, say),
	);
}

/** The statistics of both sides as a table. */
function table(sides, game, say) {
	const out = document.createElement("table");
	const row = (tag, cells) => {
		const line = out.insertRow();
		for (const [n, text] of cells.entries()) {
			const cell = document.createElement(n ? tag : "th");
			cell.scope = n ? "col" : "row";
			cell.textContent = text;
			line.append(cell);
		}
	};
	const both = (name, text) => row("td", [say(name), ...["b", "w"].map((side) => text(sides[side]))]);
	row("th", ["", say(`${game.kind}-b`), say(`${game.kind}-w`)]);
	both("move-count", (side) => side.moves);
	for (const name of CLASSES) both(name, (side) => side.classes[name]);
	both("agreement", (side) => `${side.agreement.toFixed(0)} %`);
	both("average-loss", (side) => `${side.loss.toFixed(1)} %`);
	return out;
}

/** A link that saves the report as a separate page. */
function keepsake(page, say) {
	const link = document.createElement("a");
	link.className = "button";
	link.id = "save-report";
	link.download = "sanban.html";
	link.href = URL.createObjectURL(new Blob([page], { type: "text/html" }));
	link.textContent = say("save-report");
	return link;
}
