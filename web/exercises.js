// Problems on the board: mates with a unique solution, and positions with one move that is far better than all others.

import { $, button, element } from "./dom.js";
import { ask } from "./engine.js";
import { hold, make, tell } from "./game.js";
import { lineName, moveName } from "./notation.js";
import { say, shortName } from "./settings.js";
import { readMove } from "./sfen.js";
import { control, finished, isStaged, learnt, pause, progress, stage } from "./staging.js";
import { play, question, settings } from "./state.js";
import { board } from "./table.js";

/** How long the answer to a wrong move is shown, and the delay before the answer to a correct one, in milliseconds. */
const WRONG = 2200;
const ANSWER = 450;
/** Time for the solver to look for a defence, and for the engine's answer, in milliseconds. */
const DEFENCE = 1500;
const REPLY = 1000;

/** All problems, grouped by kind and grade: `{task, grade, sfen, moves}`. */
let problems = null;
/** The problem on the board: `{problem, tree, state}`; state is "open", "busy" or "done". */
let current = null;

const keyOf = ({ sfen }) => sfen.split(" ").slice(0, 3).join(" ");
const groupOf = ({ task, grade }) =>
	task === "mate" ? learnt("mates-grade", 2 * grade - 1) : learnt(`next-grade-${grade}`);

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
	await stage(mine, "shogi", problem.sfen);
	if (current !== mine) return;
	play.flipped = play.view.side === "w";
	mine.state = "open";
	refresh();
	tell(task(problem));
}

function task({ task, moves, sfen }) {
	const what = task === "mate" ? learnt("task-mate", moves.length) : learnt("task-next");
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
		if (task === "next" || ply === moves.length) solved(refresh);
		else {
			await hold(ANSWER);
			if (isStaged(mine) && play.node === node) await make(moves[ply]);
		}
		return;
	}
	mine.state = "busy";
	refresh();
	if (task === "mate") await refuteMate(mine, node, refresh);
	else await refuteNext(mine, node);
	if (mine.state !== "busy" || mine !== current || !isStaged(mine)) return;
	await pause(WRONG);
	if (mine !== current || !isStaged(mine)) return;
	await stage(mine, "shogi", mine.problem.sfen, moves.slice(0, ply - 1));
	play.flipped = mine.problem.sfen.split(" ")[1] === "w";
	if (mine !== current) return;
	mine.state = "open";
	refresh();
	tell(task === "mate" ? learnt("task-mate", moves.length) : learnt("task-next"));
}

function solved(refresh) {
	const { problem } = current;
	current.state = "done";
	finished("problems", keyOf(problem));
	const start = play.tree.position(play.tree.root, problem.sfen, play.game);
	const names = lineName(problem.moves, start, play.game, settings.language, say).join(" ");
	const next = problems[problems.indexOf(problem) + 1];
	const act = next && { text: learnt("next"), run: () => begin(next, refresh) };
	tell(problem.task === "mate" ? learnt("problem-solved") : learnt("next-right", names), "over", act);
	refresh();
}

const nameOf = (usi) => moveName(readMove(usi, play.view), play.game, settings.language, say);

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

/** Handles a move other than the best one: the engine answers it. */
async function refuteNext(mine, node) {
	if (play.view.over) {
		tell(learnt("try-again"), "refused");
		return;
	}
	const answer = await ask({ ask: "go", ...question(node), movetime: REPLY }).catch(() => null);
	if (mine !== current || play.node !== node || !answer?.best) return;
	const name = nameOf(answer.best);
	await make(answer.best);
	if (mine === current) tell(learnt("answered-by", name), "refused");
}

/** Shows the next move of the solution. */
function showMe() {
	if (!isStaged(current)) return;
	const usi = current.problem.moves[play.tree.ply(play.node)];
	if (!usi) return;
	const { from, to } = readMove(usi, play.view);
	board.arrows([{ from, to, rank: 1 }]);
	$("learn").dataset.solution = usi;
	tell(nameOf(usi));
}

/** Shows the list of problems, or the current problem. `refresh` updates the panel. */
export function showProblems(refresh) {
	if (!problems) {
		ask({ ask: "problems" })
			.then((answer) => {
				problems = answer.problems ?? [];
				refresh();
			})
			.catch(() => {});
		return [];
	}
	return current ? problemOnBoard(refresh) : problemList(refresh);
}

function problemOnBoard(refresh) {
	const { problem, state } = current;
	$("learn").dataset.state = isStaged(current) ? state : "away";
	const number = problems.indexOf(problem);
	const next = problems[number + 1];
	const again = () => begin(problem, refresh);
	return [
		element("h3", { textContent: groupOf(problem) }),
		element("p", { className: "task", textContent: task(problem) }),
		element(
			"div",
			{ className: "row" },
			isStaged(current)
				? control("show-me", showMe, { disabled: state === "done" })
				: control("continue", again, { className: "main" }),
			control("start-again", again),
			next && control("next", () => begin(next, refresh), { className: state === "done" ? "main" : "" }),
			control("to-problems", () => {
				current = null;
				refresh();
			}),
		),
		element("p", { className: "small", textContent: isStaged(current) ? "" : learnt("away") }),
	];
}

function problemList(refresh) {
	const groups = Map.groupBy?.(problems, groupOf) ?? new Map(problems.map((problem) => [groupOf(problem), []]));
	if (!Map.groupBy) for (const problem of problems) groups.get(groupOf(problem)).push(problem);
	const isDone = (problem) => progress.problems[keyOf(problem)];
	const item = (problem, n) =>
		button(`${n + 1}${isDone(problem) ? " ✓" : ""}`, () => begin(problem, refresh), {
			data: { problem: problems.indexOf(problem) },
			"aria-label": `${groupOf(problem)} ${n + 1}`,
		});
	const out = [
		element("p", {
			className: "small",
			textContent: learnt("finished", problems.filter(isDone).length, problems.length),
		}),
		element("p", { className: "small", textContent: learnt("from-own-games") }),
	];
	for (const [name, group] of groups)
		out.push(element("h3", { textContent: name }), element("div", { className: "numbers" }, ...group.map(item)));
	return out;
}
