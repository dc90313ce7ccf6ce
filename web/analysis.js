// Engine analysis: lines of the current position, hints, reviews, mates, and the values of solved games.

import { $, button, element, fill, markup } from "./dom.js";
import { ask, house, search } from "./engine.js";
import {
	go,
	halt,
	insertPreview,
	make,
	mayAct,
	preview,
	reply,
	stopAnalysis,
	tell,
	whenSettled,
	whyNot,
} from "./game.js";
import { drawGraph } from "./graph.js";
import { forBlack, lineName, moveName, scoreName } from "./notation.js";
import { say } from "./settings.js";
import { readMove } from "./sfen.js";
import { hear, isDuel, isOver, page, play, question, send, settings, showsTruth, startSfen } from "./state.js";
import { save } from "./store.js";
import { bar, board, playerName } from "./table.js";
import { explain, MISTAKES } from "./told.js";
import { LANGUAGES } from "./words.js";

/** The displayed engine lines and the position they belong to. */
let found = { node: null, lines: [] };

const clearLines = () => {
	found = { node: null, lines: [] };
	$("found").replaceChildren();
	board?.arrows([]);
};

/** Analyses the displayed position until the mode is switched off or another search starts. */
async function analyse() {
	const mine = ++page.epoch;
	const { view, node, viewed } = play;
	if (viewed !== node) return;
	clearLines();
	$("found").style.setProperty("--lines", settings.lines);
	if (view.over || page.editor) return;
	const answer = await ask({ ask: "go", ...question(), infinite: true, lines: settings.lines }, (line) => {
		if (mine === page.epoch && play.node === node) take(line, node);
	}).catch(() => null);
	if (answer?.error && mine === page.epoch) tell(say(answer.error), "refused", { word: "again", run: analyse });
}

/**
 * Stores a line that the engine reported. Two lines cannot begin with the same move: the newer one replaces the older.
 */
function take(line, node) {
	if (found.node !== node) found = { node, lines: [] };
	const { lines } = found;
	for (let n = 0; n < lines.length; n++) if (n !== line.rank - 1 && lines[n]?.pv[0] === line.pv[0]) delete lines[n];
	lines[line.rank - 1] = line;
	if (line.rank === 1) {
		Object.assign(node, {
			score: forBlack(line.score, play.view.side),
			best: line.pv[0],
		});
		save();
		send("scored");
	}
	showLines();
}

/** Shows the lines of the position. A click on a move shows the position after it. */
function showLines() {
	const { node, lines } = found;
	if (node !== play.node || !play.view) return;
	const { view } = play;
	const known = lines.filter(Boolean);
	// While playing, a hint is one move.
	const count = page.task === "analyse" ? 3 : 1;
	if (!page.preview)
		board.arrows(
			known
				.slice(0, count)
				.map((line, n) => ({ ...readMove(line.pv[0], view), rank: n + 1 }))
				.reverse(),
		);
	fill($("found"), ...known.map((line, rank) => lineItem(line, rank, node, view)));
}

function lineItem(line, rank, node, view) {
	const names = lineName(line.pv, view, play.game, say);
	const score = scoreName(forBlack(line.score, view.side), say);
	const moves = names.map((name, n) =>
		button(name, () => preview({ line: line.pv, base: node, rank }, n + 1), {
			className: page.preview?.rank === rank && page.preview.at === n + 1 ? "now" : "",
		}),
	);
	return element(
		"li",
		{ data: { pv: line.pv.join(" ") } },
		element("i", { className: `sign rank${rank + 1}`, title: say("arrow-of", rank + 1) }),
		element("b", { textContent: score }),
		element("span", { className: "small", title: say("depth"), textContent: ` ${line.depth} ` }),
		...moves,
	);
}

function graph() {
	const { tree } = play;
	const line = [tree.root, ...tree.line(play.node)];
	drawGraph(
		$("graph"),
		line.map((node) => node.score ?? null),
		line.indexOf(play.node),
		say,
		(n) => go(line[n]),
	);
}

/** Suggests moves to the player. */
export const hint = () => whenSettled(suggest);

async function suggest() {
	if (page.editor || page.preview || page.analysing) return;
	if (!mayAct()) {
		whyNot();
		return;
	}
	const mine = ++page.epoch;
	const { view, node } = play;
	clearLines();
	tell(say("looking"));
	const answer = await ask({ ask: "go", ...question(), movetime: 1000, lines: 3 }, (line) => {
		if (mine === page.epoch && play.node === node && line.rank === 1) take(line, node);
	}).catch(() => null);
	if (mine !== page.epoch || play.node !== node) return;
	if (!answer?.best) {
		const why = say(answer?.error ?? "lost-short");
		tell(say("no-hint", why), "refused", { word: "again", run: hint });
		return;
	}
	// The last reported lines may be older than the engine's decision, so the suggested move is listed first.
	const { lines } = found;
	const rank = lines.findIndex((line) => line?.pv[0] === answer.best);
	const [first] =
		rank < 0
			? [
					{
						pv: [answer.best],
						score: answer.score,
						depth: lines[0]?.depth ?? 0,
					},
				]
			: lines.splice(rank, 1);
	found = { node, lines: [first, ...lines.filter(Boolean)].slice(0, 3) };
	showLines();
	tell(say("hint-is", moveName(readMove(answer.best, view), play.game, say)), "hint");
	explain(node, answer.best);
}

/** Analyses every position of the current line, beginning with the last one, and shows the report. */
async function review() {
	const { tree } = play;
	const line = [tree.root, ...tree.line(play.node)].filter((node) => !node.illegal);
	if (line.length < 2) {
		tell(say("no-moves"), "refused");
		return;
	}
	stopAnalysis();
	halt();
	play.report = null;
	const mine = page.epoch;
	const { id } = play;
	const count = line.length - 1;
	const stays = () => mine === page.epoch && play.id === id;
	const positions = [];
	const end = await ask({ ask: "view", ...question(line[count]) });
	for (let at = count; at >= 0; at--) {
		fill(
			$("report"),
			element("p", { textContent: say("reviewing", count - at, count + 1) }),
			element("progress", {
				max: count + 1,
				value: count - at,
				"aria-label": say("review"),
			}),
		);
		const lineFound =
			at === count && end.over ? null : await search(question(line[at]), Number($("review-nodes").value));
		if (!stays() || lineFound?.error) {
			if (play.id === id) $("report").textContent = say(lineFound?.error ?? "review-stopped");
			return;
		}
		positions.unshift(lineFound);
		const side = at % 2 === 0 ? end.moves[0].side : end.moves[0].side === "b" ? "w" : "b";
		const { winner } = end.over ?? {};
		const over = winner ? { mate: winner === "b" ? 1 : -1 } : { cp: 0 };
		Object.assign(line[at], {
			score: lineFound ? forBlack(lineFound.score, side) : over,
			best: lineFound?.pv[0],
		});
		graph();
	}
	const players = {
		b: playerName("b") || say("person"),
		w: playerName("w") || say("person"),
	};
	const answer = await ask({
		ask: "report",
		...question(line[count]),
		positions,
		players,
	}).catch(() => null);
	if (!stays() || !answer) return;
	if (answer.error) {
		$("report").textContent = answer.error;
		return;
	}
	play.report = { ...answer, line };
	answer.moves.forEach((move, n) => {
		line[n + 1].grade = ["inaccuracy", "dubious", "mistake", "blunder"].includes(move.class) ? move.class : undefined;
		line[n + 1].remark = move.remark;
	});
	tree.version++;
	send("tree");
	send("scored");
	send("reviewed");
	await showReport();
	const panel = document.querySelector(".panel");
	panel.scrollTop += $("report").getBoundingClientRect().top - panel.getBoundingClientRect().top;
}

/** Shows the report of the game, if it has been reviewed. */
export async function showReport() {
	const { report, game } = play;
	if (!report) {
		$("report").replaceChildren();
		return;
	}
	const { drawReport } = await import("./report.js").catch(() => ({}));
	if (report !== play.report || !drawReport) return;
	const { line } = report;
	const start = play.tree.position(play.tree.root, startSfen(), game);
	drawReport($("report"), {
		report,
		start,
		moves: line.slice(1).map((node) => node.move),
		best: line.map((node) => node.best),
		game,
		say,
		sides: isDuel() ? [play.side] : ["b", "w"],
		onPick: (n) => go(line[n + 1]),
		onRetry: retry,
		onNext: nextMistake,
	});
}

/** Whether a move is a mistake, in a game against the engine one of the player. */
const isOwnMistake = (node, grade) => MISTAKES.includes(grade) && (!isDuel() || node.move.side === play.side);

/** Lets the player look for better moves than the mistakes of a side. */
async function retry(side) {
	const { line, moves } = play.report;
	const problems = [];
	for (const [n, { class: grade, remark }] of moves.entries()) {
		const { move, usi } = line[n + 1];
		if (move.side !== side || !MISTAKES.includes(grade) || !line[n].best) continue;
		const { sfen } = await ask({ ask: "view", ...question(line[n]) });
		const better = remark?.better[0];
		problems.push({ game: play.name, task: "own", sfen, moves: [line[n].best], mistake: usi, ply: n + 1, better });
	}
	send("retry", problems);
}

/** Shows the next mistake, with its reason and the way to try again. */
async function nextMistake() {
	const { line, moves } = play.report;
	const from = line.indexOf(play.node);
	const at = (first) => moves.findIndex(({ class: grade }, n) => n + 1 > first && isOwnMistake(line[n + 1], grade));
	const next = at(from) < 0 ? at(-1) : at(from);
	if (next < 0) tell(say("no-mistakes"));
	else {
		const node = line[next + 1];
		await go(node);
		if (play.node !== node) return;
		const { class: grade, remark } = moves[next];
		const why = remark?.reasons[0]?.[LANGUAGES.indexOf(settings.language)] ?? say(grade);
		const name = moveName(node.move, play.game, say);
		tell(`${name}: ${why}`, "", { word: "retry", run: () => retry(node.move.side) });
	}
}

/** Analyses the game that has ended and shows its first mistake. */
async function seeMistakes() {
	send("enter", "analyse", "analyse");
	await review();
	if (!play.report) return;
	await go(play.report.line[0]);
	await nextMistake();
}

function toggleAnalysis() {
	page.analysing = !page.analysing;
	$("analyse").setAttribute("aria-pressed", String(page.analysing));
	page.thinking = false;
	if (page.analysing) {
		send("draw");
		analyse();
		return;
	}
	halt();
	send("draw");
	reply();
}

/** Looks for a mate. */
async function mate() {
	stopAnalysis();
	halt();
	const mine = page.epoch;
	const { view, node } = play;
	page.mateLine = null;
	$("mate-play").hidden = true;
	$("mate-answer").textContent = say("looking");
	const answer = await ask({
		ask: "mate",
		...question(),
		movetime: 20000,
	}).catch(() => null);
	if (mine !== page.epoch || play.node !== node) return;
	if (!answer) $("mate-answer").textContent = say("lost-short");
	else if (answer.error) $("mate-answer").textContent = say(answer.error);
	else if (answer.unknown) $("mate-answer").textContent = say("mate-unknown");
	else if (!answer.mate) $("mate-answer").textContent = say("no-mate");
	else {
		page.mateLine = answer.mate;
		const names = lineName(answer.mate, view, play.game, say).join(" ");
		$("mate-answer").textContent = say("mate-in", answer.mate.length, names);
		$("mate-play").hidden = false;
	}
}

/** Plays the mate on the board. */
async function playMate() {
	const line = page.mateLine;
	if (!line) return;
	play.side = $("side").value = "both";
	$("mate-play").hidden = true;
	for (const usi of line) {
		if (!(await make(usi))) return;
		const mine = page.epoch;
		await new Promise((resolve) => setTimeout(resolve, 700));
		if (mine !== page.epoch) return;
	}
}

/** Requests the values of the moves of a solved game. */
async function learn() {
	const { game, node, name } = play;
	const hasTables = house.truth.includes(name);
	const isShown = (game.solved || hasTables) && showsTruth();
	// The progress of solving is updated in place, so that its button can be pressed.
	if (hasTables || !isShown) $("truth").replaceChildren();
	$("truth-row").hidden = !game.solved && !hasTables;
	if (!isShown) {
		if (game.solved && settings.truth && isDuel() && !isOver()) $("truth").textContent = say("truth-duel");
		return;
	}
	if (!hasTables) {
		const { stage } = await import("./solved.js");
		if (name === play.name && showsTruth()) fill($("truth"), ...stage(name));
		return;
	}
	const answer = await ask({ ask: "truth", ...question() }).catch(() => null);
	if (node !== play.node || play.viewed !== node || !answer || !showsTruth()) return;
	const order = { win: 0, draw: 1, loss: 2 };
	const moves = (answer.truth ?? []).sort(
		(a, b) => order[a.value] - order[b.value] || (a.value === "loss" ? b.plies - a.plies : a.plies - b.plies),
	);
	// The best move comes first in the list.
	play.truth = moves.length ? Object.fromEntries(moves.map((move) => [move.usi, move])) : null;
	send("draw");
	if (!moves.length) {
		// In Janggi, only endings are solved.
		$("truth").textContent = play.view.over || !game.solved ? "" : say("truth-none");
		return;
	}
	const items = moves.map((move) => {
		const text = moveName(readMove(move.usi, play.view), game, say);
		const act = () => play.node === node && mayAct() && make(move.usi);
		const value = say(`truth-${move.value}`, move.plies);
		return element(
			"li",
			{},
			button(`${text} — ${value}`, act, {
				data: { truth: move.value, move: move.usi },
			}),
		);
	});
	fill(
		$("truth"),
		element("h3", { textContent: say("truth-title") }),
		element("p", { className: "small", html: markup(say("truth-legend")) }),
		element("ul", {}, ...items),
	);
}

/** Registers the controls for analysis. */
export function listen() {
	$("analyse").addEventListener("click", toggleAnalysis);
	$("lines").value = settings.lines;
	$("lines").addEventListener("change", ({ target }) => {
		settings.lines = Number(target.value);
		send("settings");
		if (page.analysing) analyse();
	});
	$("review").addEventListener("click", review);
	hear("mistakes", seeMistakes);
	$("mate").addEventListener("click", mate);
	$("mate-play").addEventListener("click", playMate);
	$("truth-on").addEventListener("change", ({ target }) => {
		settings.truth = target.checked;
		send("settings");
		play.truth = null;
		send("draw");
		learn();
	});
	$("insert-line").addEventListener("click", () => page.preview && insertPreview());
	hear("left", () => {
		clearLines();
		$("mate-answer").textContent = "";
		$("mate-play").hidden = true;
		if (!play.report) $("report").replaceChildren();
	});
	hear("position", () => {
		learn();
		if (page.analysing) analyse();
	});
	hear("ended", learn);
	hear("truth", learn);
	hear("draw", () => {
		$("insert-line").hidden = !page.preview;
		if (page.preview) board.arrows([]);
		if (found.node) showLines();
		graph();
	});
	hear("scored", () => {
		graph();
		bar();
	});
}
