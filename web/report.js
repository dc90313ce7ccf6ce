// The report of a judged game: figures of both sides, the moves that lost most, and a page to keep.

import { moveName } from "./notation.js";
import { makeMove, readMove } from "./sfen.js";

const CLASSES = ["best", "good", "inaccuracy", "dubious", "mistake", "blunder"];
/** The classes that are listed below the figures. */
const LISTED = ["dubious", "mistake", "blunder"];

/**
 * Draws the report of a game into an element. `start` is the first position, `best` has the best move of every position;
 * a click on a move is told to `onPick` with the number of moves before it.
 */
export function drawReport(element, { report, start, moves, best, game, language, say, onPick }) {
	element.innerHTML = `<h3>${say("report-title")}</h3>`;
	element.append(table(report.sides, game, say));
	element.append(keepsake(report.page, say));
	const slips = document.createElement("ul");
	const position = { ...start, hands: null };
	moves.forEach((move, n) => {
		const { class: name } = report.moves[n];
		if (LISTED.includes(name) && best[n]) {
			const better = moveName(readMove(best[n], position), game, language, say);
			const button = document.createElement("button");
			button.type = "button";
			button.className = name;
			button.textContent = `${n + 1}. ${moveName(move, game, language, say)} — ${say(name)}; ${say("better", better)}`;
			button.addEventListener("click", () => onPick(n));
			const item = document.createElement("li");
			item.append(button);
			slips.append(item);
		}
		makeMove(position, move);
	});
	element.append(slips);
}

/** The figures, side by side. */
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
	both("moves", (side) => side.moves);
	for (const name of CLASSES) both(name, (side) => side.classes[name]);
	both("agreement", (side) => `${side.agreement.toFixed(0)} %`);
	both("average-loss", (side) => `${side.loss.toFixed(1)} %`);
	return out;
}

/** A link that saves the report as a page of its own. */
function keepsake(page, say) {
	const link = document.createElement("a");
	link.className = "button";
	link.id = "save-report";
	link.download = "sanban.html";
	link.href = URL.createObjectURL(new Blob([page], { type: "text/html" }));
	link.textContent = say("save-report");
	return link;
}
