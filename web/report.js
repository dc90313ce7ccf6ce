// The report on an analysed game: the moves that decided it, statistics of both sides, and a link to save the report.

import { element, fill } from "./dom.js";
import { moveName } from "./notation.js";
import { advice } from "./practise.js";
import { makeMove, readMove } from "./sfen.js";
import { LANGUAGES } from "./words.js";

const CLASSES = ["best", "good", "inaccuracy", "dubious", "mistake", "blunder"];
/** The classes of moves that are listed below the statistics. */
const LISTED = ["dubious", "mistake", "blunder"];

/**
 * Draws the report of a game into an element: the moves that decided it, what to practise, and statistics. `start` is
 * the first position, `best` has the best move of every position; `sides` are those whose mistakes can be tried again.
 * A click on a move calls `onPick` with the number of moves before it.
 */
export function drawReport(box, { report, start, moves, best, sides, game, say, onPick, onRetry, onNext }) {
	const spoken = LANGUAGES.indexOf(say.language);
	const position = { ...start, hands: null };
	const slips = element("ul");
	const told = {};
	const bad = { b: [], w: [] };
	moves.forEach((move, n) => {
		const { class: name, remark } = report.moves[n];
		const title = `${n + 1}. ${moveName(move, game, say)} — ${say(name)}`;
		const item = (text) =>
			element("button", { type: "button", className: name, textContent: text, onclick: () => onPick(n) });
		if (LISTED.includes(name)) {
			const better = best[n] && say("better", moveName(readMove(best[n], position), game, say));
			slips.append(element("li", {}, item(better ? `${title}; ${better}` : title)));
			if (best[n]) bad[move.side].push(remark ?? {});
		}
		if (report.moments.includes(n)) {
			const words = [remark.reasons[0], remark.better[0]].flatMap((texts) => texts?.[spoken] ?? []);
			told[n] = element("li", {}, item(title), element("p", { textContent: words.join(" ") }));
		}
		makeMove(position, move);
	});
	const act = (id, text, run, properties) =>
		element("button", { type: "button", onclick: run, textContent: text, id, ...properties });
	const erred = sides.filter((side) => bad[side].length);
	const whose = (side) => (sides.length > 1 ? `${say(`${game.kind}-${side}`)}: ` : "");
	const tries = erred.map((side, n) =>
		act(n ? "retry-other" : "retry", `${whose(side)}${say("retry")} (${bad[side].length})`, () => onRetry(side), {
			className: "main",
		}),
	);
	const lessons = erred.flatMap((side) => [
		sides.length > 1 ? element("li", { className: "whose", textContent: say(`${game.kind}-${side}`) }) : null,
		...advice(bad[side]),
	]);
	const any = slips.children.length > 0;
	fill(
		box,
		any ? element("div", { className: "row" }, ...tries, act("next-mistake", say("next-mistake"), onNext)) : null,
		element("h3", { textContent: say(any ? "moments" : "no-mistakes") }),
		element("ol", { className: "moments" }, ...report.moments.map((n) => told[n])),
		lessons.length ? element("h3", { textContent: say("practise") }) : null,
		lessons.length ? element("ul", { className: "practise" }, ...lessons) : null,
		slips.children.length ? element("h3", { textContent: say("all-mistakes") }) : null,
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
