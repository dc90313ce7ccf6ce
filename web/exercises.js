// Problems on the board: mates with a unique solution, and positions with one move that is far better than all others.

import { $, button, element } from "./dom.js";
import { ask } from "./engine.js";
import { hold, make, tell } from "./game.js";
import { GAMES } from "./games.js";
import { judge } from "./judge.js";
import { lineName, moveName } from "./notation.js";
import { say, shortName } from "./settings.js";
import { readMove } from "./sfen.js";
import { assign, control, finished, isStaged, keepProgress, learnt, pause, progress, sign, stage } from "./staging.js";
import { play, question, send, settings } from "./state.js";
import { board } from "./table.js";
import { LANGUAGES } from "./words.js";

/** How long the answer to a wrong move is shown, and the delay before the answer to a correct one, in milliseconds. */
const WRONG = 2200;
const ANSWER = 450;
/** Time for the solver to look for a defence, in milliseconds. */
const DEFENCE = 1500;
/** The difference in winning chance that does not matter. */
const CLOSE = 0.05;
/** Reasons that name the solution, and the strings that say as much without it. */
const TELLING = {
	missed: "misses-mate",
	slower: "misses-mate",
	"misses-seen-mate": "misses-mate",
	"misses-gain": "misses-gain",
	spoils: "spoils",
	refuted: "lowers",
	close: "lowers",
	preferred: "lowers",
};

/** All problems, grouped by kind and grade: `{task, grade, theme, sfen, moves}`. */
let problems = null;
/** The mistakes in the user's games, as problems: with the `mistake` at `ply` and a reason for the `better` move. */
let own = progress.own ?? [];
/** The largest number of mistakes that are kept. */
const KEPT = 100;
/** The problem on the board: `{problem, tree, state}`; state is "open", "busy" or "done". */
let current = null;

/** The game of a problem: those of the program itself are of shogi. */
const gameOf = ({ game = "shogi" }) => game;
const keyOf = ({ sfen }) => sfen.split(" ").slice(0, 3).join(" ");
const groupOf = ({ game, task, grade, moves }) => {
	if (task === "own") return learnt("own-mistakes");
	if (task === "win") return learnt(`wins-in-${GAMES[game].kind}`, (moves.length + 1) / 2);
	return task === "mate" ? learnt("mates-grade", 2 * grade - 1) : learnt(`next-grade-${grade}`);
};

/** Whether a problem is being solved. */
export const isSolving = () => Boolean(current);

/** Removes the current problem. */
export function leaveProblem() {
	current = null;
}

async function begin(problem, refresh) {
	const mine = { problem, state: "busy" };
	current = mine;
	refresh();
	await stage(mine, gameOf(problem), problem.sfen);
	if (current !== mine) return;
	play.flipped = play.view.side === "w";
	mine.state = "open";
	refresh();
	assign(task(problem));
	send("draw");
}

/** Shows the task of the problem on the board again. */
export function remindProblem() {
	if (isStaged(current)) assign(task(current.problem));
}

function task({ game = "shogi", task, moves, sfen, ply, mistake }) {
	if (task === "own") {
		const start = play.tree.position(play.tree.root, sfen, play.game);
		return learnt("task-own", ply, moveName(readMove(mistake, start), play.game, say));
	}
	const aim = learnt(`task-win-${GAMES[game].kind}`, (moves.length + 1) / 2);
	const what = task === "win" ? aim : task === "mate" ? learnt("task-mate", moves.length) : learnt("task-next");
	return `${shortName(sfen.split(" ")[1])}: ${what}`;
}

/** Handles a move of the player. */
export async function tried(node, refresh) {
	if (!isStaged(current) || current.state !== "open" || play.node !== node) return;
	const mine = current;
	const { moves, task } = mine.problem;
	const ply = play.tree.ply(node);
	// Moves at even plies are replies that the page made.
	if (ply % 2 === 0) return;
	if (node.usi === moves[ply - 1]) {
		if (["next", "own"].includes(task) || ply === moves.length) solved(refresh);
		else {
			await hold(ANSWER);
			if (isStaged(mine) && play.node === node) await make(moves[ply]);
		}
		return;
	}
	mine.state = "busy";
	refresh();
	let text = "";
	if (task === "mate") await refuteMate(mine, node, refresh);
	else {
		tell(say("looking"));
		text = await weigh(mine, node);
		if (mine !== current || !isStaged(mine)) return;
		if (text === null) {
			solved(refresh, [node.usi]);
			return;
		}
	}
	if (mine.state !== "busy" || mine !== current || !isStaged(mine)) return;
	await pause(WRONG);
	if (mine !== current || !isStaged(mine)) return;
	await stage(mine, gameOf(mine.problem), mine.problem.sfen, moves.slice(0, ply - 1));
	play.flipped = mine.problem.sfen.split(" ")[1] === "w";
	if (mine !== current) return;
	mine.state = "open";
	refresh();
	// What was wrong can be read until the next try.
	if (text) tell(text, "refused");
}

/**
 * Judges a move other than the solution and shows the engine's answer to it. Returns what is wrong with it, or `null` if
 * it is as good as the solution.
 */
async function weigh(mine, node) {
	const { task, moves, mistake } = mine.problem;
	const ply = play.tree.ply(node) - 1;
	const over = (text) => {
		tell(text, "refused");
		return text;
	};
	if (play.view.over) {
		if (task !== "next" && play.view.over.winner === node.move.side) return null;
		return over(learnt("try-again"));
	}
	const stays = () => mine === current && play.node === node;
	const found = await judge(question(node.parent), node.usi, { best: moves[ply], stays }).catch(() => null);
	if (!stays()) return "";
	if (!found) return over(say("lost-short"));
	// Another way to win is as good, but only the solution begins one.
	if (task === "win" && ply > 0 && found.after.mate < 0) return null;
	if (task === "own" && node.usi !== mistake && found.loss < CLOSE) return null;
	const { reasons = [], fact } = found.remark ?? {};
	const lost = Math.round(100 * found.loss);
	const told = reasons[0]?.[LANGUAGES.indexOf(settings.language)];
	const why = fact in TELLING || !told ? (lost > 0 ? learnt(TELLING[fact] ?? "lowers", lost) : "") : told;
	const reply = found.answer ? learnt("answered-by", nameOf(found.answer)) : learnt("try-again");
	const text = `${moveName(node.move, play.game, say)}: ${why} ${reply}`;
	if (found.answer) await make(found.answer);
	return mine === current ? over(text) : text;
}

/** Lets the user solve the mistakes of a game, beginning with the first; those of earlier games are kept after them. */
export async function solveOwn(problems, refresh) {
	const known = problems.map(keyOf);
	own = [...problems, ...own.filter((problem) => !known.includes(keyOf(problem)))].slice(0, KEPT);
	keepProgress({ own });
	await begin(own[0], refresh);
}

function solved(refresh, moves = current.problem.moves) {
	const { problem } = current;
	current.state = "done";
	finished("problems", keyOf(problem));
	const start = play.tree.position(play.tree.root, problem.sfen, play.game);
	const names = lineName(moves, start, play.game, say).join(" ");
	const why = moves === problem.moves ? (problem.better?.[LANGUAGES.indexOf(settings.language)] ?? "") : "";
	const right = `${learnt("next-right", names)} ${why}`;
	tell(["mate", "win"].includes(problem.task) ? learnt("problem-solved") : right.trim(), "over");
	refresh();
}

const nameOf = (usi) => moveName(readMove(usi, play.view), play.game, say);

/** Handles a move other than the solution: the solver looks for a defence and plays it. */
async function refuteMate(mine, node, refresh) {
	const { view } = play;
	if (view.over?.reason === "mate") {
		solved(refresh);
		return;
	}
	if (!view.check) {
		tell(learnt("not-a-check"), "refused");
		return;
	}
	tell(learnt("thinking-defence"));
	for (const usi of view.legal) {
		const answer = await ask({ ask: "mate", ...question(node, [usi]), movetime: DEFENCE }).catch(() => null);
		if (mine !== current || play.node !== node) return;
		if (answer?.mate !== null || answer.unknown) continue;
		const name = nameOf(usi);
		await make(usi);
		if (mine === current) tell(learnt("escapes-by", name), "refused");
		return;
	}
	tell(learnt("not-decided"), "refused");
}

/** Shows the next move of the solution. */
function showMe() {
	if (!isStaged(current)) return;
	const usi = current.problem.moves[play.tree.ply(play.node)];
	if (!usi) return;
	const { from, to } = readMove(usi, play.view);
	board.arrows([{ from, to, rank: 1 }]);
	$("learn").dataset.solution = usi;
	board.mark(from ?? `${play.view.side}:${usi[0]}`, [to]);
	tell(nameOf(usi));
}

/** The problems of a kind of game. */
const problemsOf = (kind) => [...own, ...problems].filter((problem) => GAMES[gameOf(problem)].kind === kind);

/** The problem after another one. */
const after = (problem) => {
	const list = own.includes(problem) ? own : problems;
	return list[list.indexOf(problem) + 1];
};

/** The list of problems of a kind of game, or the current problem and its buttons. `refresh` updates the panel. */
export function showProblems(kind, refresh) {
	if (!problems) {
		Promise.all([ask({ ask: "problems" }), import("./problems.js")])
			.then(([answer, { WINS }]) => {
				const wins = Object.entries(WINS).flatMap(([game, list]) =>
					list.map(([sfen, moves]) => ({ game, task: "win", sfen, moves: moves.split(" ") })),
				);
				problems = [...(answer.problems ?? []), ...wins];
				refresh();
			})
			.catch(() => {});
		return { content: [] };
	}
	return current ? problemOnBoard(refresh) : problemList(kind, refresh);
}

function problemOnBoard(refresh) {
	const { problem, state } = current;
	$("learn").dataset.state = isStaged(current) ? state : "away";
	const all = problemsOf(GAMES[gameOf(problem)].kind).filter((one) => groupOf(one) === groupOf(problem));
	const next = after(problem);
	const again = () => begin(problem, refresh);
	const content = [
		element("h2", { textContent: groupOf(problem) }),
		element("p", { className: "small", textContent: learnt("problem-of", all.indexOf(problem) + 1, all.length) }),
		problem.theme ? element("p", { className: "small", textContent: learnt(`theme-${problem.theme}`) }) : null,
		isStaged(current) ? null : element("p", { className: "small", textContent: learnt("away") }),
	];
	const tools = [
		sign("to-problems", "☰", () => {
			current = null;
			refresh();
		}),
		sign("start-again", "↻", again),
		isStaged(current)
			? control("show-me", showMe, { disabled: state === "done" })
			: control("continue", again, { className: "main" }),
		next && control("next", () => begin(next, refresh), { className: state === "done" ? "main" : "" }),
	];
	return { content, tools };
}

function problemList(kind, refresh) {
	const mine = problemsOf(kind);
	const groups = new Map();
	for (const problem of mine) groups.set(groupOf(problem), [...(groups.get(groupOf(problem)) ?? []), problem]);
	const isDone = (problem) => progress.problems[keyOf(problem)];
	const item = (problem, n) =>
		button(`${n + 1}${isDone(problem) ? " ✓" : ""}`, () => begin(problem, refresh), {
			data: { problem: own.includes(problem) ? `own-${own.indexOf(problem)}` : problems.indexOf(problem) },
			"aria-label": `${groupOf(problem)} ${n + 1}`,
		});
	const content = [
		element("h2", { textContent: learnt("problems") }),
		element("progress", {
			max: mine.length,
			value: mine.filter(isDone).length,
			"aria-label": learnt("problems"),
		}),
		element("p", { className: "small", textContent: learnt("finished", mine.filter(isDone).length, mine.length) }),
	];
	for (const [name, group] of groups)
		content.push(element("h3", { textContent: name }), element("div", { className: "numbers" }, ...group.map(item)));
	content.push(element("p", { className: "small", textContent: learnt("from-own-games") }));
	return { content };
}
