// Lessons on the board: the learner makes moves, which are checked against the goal of each step. This file and the
// strings are loaded when the panel is first opened.

import { $, button, element, fill } from "./dom.js";
import { ask } from "./engine.js";
import { isSolving, leaveProblem, remindProblem, showProblems, solveOwn, tried } from "./exercises.js";
import { ending, hold, make, takeBack, tell } from "./game.js";
import { LESSONS } from "./lessons.js";
import { chance, moveName } from "./notation.js";
import { say, shortName } from "./settings.js";
import { readMove, split } from "./sfen.js";
import {
	assign,
	control,
	finished,
	isStaged,
	keepGame,
	learnt,
	pause,
	progress,
	readTexts,
	sign,
	speakTo,
	stage,
} from "./staging.js";
import { hear, isTaught, play, question } from "./state.js";
import { board } from "./table.js";

/** How long a wrong move is shown, and the delay before the answer to a correct one, in milliseconds. */
const WRONG = 1600;
const ANSWER = 450;
/** The nodes for the answer to a wrong move and for hints, and the time for the mate solver in milliseconds. */
const NODES = 20_000;
const SOLVING = 3000;

/** The strings of the lessons in the current language. */
let texts = {};
/** The step on the board: `{lesson, number, tree, state}`; state is "open", "busy", "done", "wrong" or "lost". */
let current = null;
/** The content of the panel, `learn` or `solve`, and the kind of game that it is about. */
let part = "learn";
let kind = "shogi";

const lessons = () => LESSONS[kind];
const stepOf = ({ lesson, number }) => lesson.steps[number];
const gameOf = ({ lesson, number }) => lesson.steps[number].game ?? kind;
/** Whether the step is still on the board. */
const isOn = () => isStaged(current);

function textsOf(lesson, number) {
	const [title, ...steps] = texts[lesson.opening ? "opening" : lesson.id];
	const [explains, asks] = steps[number];
	return {
		title: title.replace("{0}", lesson.opening).replace("{1}", texts.openings[lesson.opening - 1]),
		explains,
		asks,
	};
}

/** Starts a step. */
async function begin(lesson, number) {
	const mine = { lesson, number, state: "open" };
	current = mine;
	leaveProblem();
	const { sfen, goal } = lesson.steps[number];
	await stage(mine, gameOf(mine), sfen, [], goal.plays);
	if (current !== mine) return;
	show();
	remind();
}

/** Shows the task beside the board and marks its squares. */
function remind() {
	if (!isOn() || current.state !== "open") return;
	const { goal } = stepOf(current);
	const squares = (goal.take ?? goal.fork ?? (goal.to ? [goal.to] : [])).filter(
		(square) => !goal.take || isTheirs(square),
	);
	play.node.shapes = squares.map((to) => ({ to, colour: "r" }));
	board.drawings(play.node.shapes);
	assign(task());
}

/** The current task. */
function task() {
	const next = nextOfLine();
	const { goal } = stepOf(current);
	const { asks } = textsOf(current.lesson, current.number);
	if (goal.moves) return `${asks} ${learnt("move-of", Math.min(ownMoves() + 1, goal.moves), goal.moves)}`;
	if (asks || !next) return asks;
	return `${learnt("play", nameOf(next))} ${reason(readMove(usiOf(next), play.view), play.tree.ply(play.node))}`.trim();
}

/** Why the move at this ply of the script is played: special reasons first, then that for the piece and its square. */
function reason(move, ply) {
	const { why } = stepOf(current);
	if (!why) return "";
	const { piece, from, to, captured, side } = move;
	const square = side === "w" ? `${10 - to[0]}${String.fromCharCode(202 - to.charCodeAt(1))}` : to;
	const usual = `${split(piece).letter}${from ? "" : "*"}${captured ? "x" : ""}${square}`;
	return texts.why[`${why}.${ply}`] ?? texts.why[usual] ?? "";
}

/** The explanation of the step; during a script with reasons, that of the move which answered the learner's. */
function explanation() {
	const { explains } = textsOf(current.lesson, current.number);
	const { node } = play;
	const ply = isOn() ? play.tree.ply(node) : 0;
	const why = ply && ply % 2 === 0 && node.move && reason(node.move, ply - 1);
	return why ? `${shortName("w")} ${moveName(node.move, play.game, say)}: ${why}` : explains;
}

/** How many moves the learner has made in a closing game. */
const ownMoves = () => Math.ceil((play.tree.ply(play.node) - (play.start?.includes(" w ") ? 1 : 0)) / 2);

/** The next move of the script; `null` if the step has none. */
function nextOfLine() {
	const { goal, solve } = stepOf(current);
	return goal.line ? solve[play.tree.ply(play.node)] : null;
}

const usiOf = (move) => (move === "pass" ? play.view.legal.find((usi) => usi.slice(0, 2) === usi.slice(2)) : move);
const nameOf = (usi) => moveName(readMove(usiOf(usi), play.view), play.game, say);

function isTheirs(square) {
	const piece = play.view.board[square];
	return Boolean(piece) && split(piece).whose === "w";
}

/** Whether a move captures the lion. */
const catches = (usi) => play.view.board[usi.slice(2, 4)]?.toUpperCase() === "L";

/** The result of a learner's move: `done`, `more`, or a keyword for what is wrong with it. */
function judge(node) {
	const { goal } = stepOf(current);
	const { view } = play;
	const { move } = node;
	if (goal.line) return "more";
	if (goal.take) {
		if (!goal.take.some(isTheirs)) return "done";
		if (view.check) return "wrong-checked";
		return view.over || goal.take.length === 1 ? "try-again" : "more";
	}
	if (goal.over) return view.over?.reason === goal.over ? "done" : "wrong-over";
	if (goal.check && !view.check) return "wrong-check";
	if (goal.parry && view.check) return "try-again";
	if (goal.promotes && !move.usi.endsWith("+")) return "try-again";
	if (goal.declines && (move.usi.endsWith("+") || !move.captured)) return "try-again";
	if (goal.drops && move.from) return "try-again";
	if (goal.passes && !move.pass) return "try-again";
	if (goal.piece && split(move.piece).letter !== goal.piece) return "try-again";
	if (goal.to && move.to !== goal.to) return "try-again";
	if (goal.safe && view.legal.some(catches)) return "wrong-safe";
	if (goal.declared || goal.refused) return "try-again";
	return "done";
}

/** A move that shows why the learner's move is wrong, or `null`. */
function proof(word) {
	const { view } = play;
	if (word === "wrong-over") return view.legal[0];
	if (word === "wrong-safe") return view.legal.find(catches);
	return null;
}

/** Handles a move of the learner. */
async function moved(node) {
	if (!isOn() || current.state !== "open" || play.node !== node) return;
	const mine = current;
	const { goal } = stepOf(mine);
	if (goal.plays !== undefined) {
		await played(mine);
		return;
	}
	let word = judge(node);
	let name;
	if (word === "done") {
		mine.state = "busy";
		[word, name] = await flaw(goal, node);
		if (mine !== current || !isOn()) return;
		mine.state = "open";
	}
	if (word === "done") await done();
	else if (word !== "more") await wrong(word, proof(word), name);
	else if (goal.line) await follow(node);
	else {
		// The opponent does not move here: it is the learner's turn again.
		await stage(mine, gameOf(mine), learnersTurn());
		if (mine === current) remind();
	}
}

/** The displayed position with the learner to move. */
const learnersTurn = () => play.view.sfen.replace(/ w /, " b ");

/** Whether the moved piece attacks all of these squares. The engine is asked for its moves with the learner to move. */
async function forks(squares, node) {
	const view = await ask({ ask: "view", game: play.name, sfen: learnersTurn(), moves: [] });
	return squares.every((square) => view.legal?.some((usi) => usi.startsWith(node.move.to + square)));
}

/** What a search finds wrong with a move, as a keyword and the name of a move; `done` if nothing. */
async function flaw({ fork, threat, parry }, node) {
	if (fork && !(await forks(fork, node))) return ["wrong-fork"];
	const solve = (sfen) => ask({ ask: "mate", game: play.name, sfen, moves: [], movetime: SOLVING }).catch(() => null);
	if (threat && (play.view.check || !(await solve(learnersTurn()))?.mate)) return ["wrong-threat"];
	const mate = parry && (await solve(play.view.sfen))?.mate;
	return mate ? ["wrong-parry", nameOf(mate[0])] : ["done"];
}

/** The engine's best move. */
const best = async (node) => (await ask({ ask: "go", ...question(node), nodes: NODES }).catch(() => null))?.best;

/** Follows a closing game, which ends by the rules or after a number of moves. */
async function played(mine) {
	const { goal } = stepOf(mine);
	const over = ending();
	if (over?.winner === "w") {
		mine.state = "lost";
		tell(learnt("game-lost"), "over");
		show();
	} else if (over) await done(learnt(over.winner ? "game-won" : "game-drawn"));
	else if (play.view.side === "b" && ownMoves() >= goal.moves) {
		const answer = await ask({ ask: "go", ...question(), nodes: NODES }).catch(() => null);
		if (mine !== current || !isOn() || !answer?.score) return;
		await done(learnt("game-moves", goal.moves, Math.round(100 * chance(answer.score))));
	} else remind();
}

/** Continues the script, or reports that the move deviates from it. */
async function follow(node) {
	const mine = current;
	const { goal, solve } = stepOf(mine);
	const ply = play.tree.ply(node);
	const meant = solve[ply - 1];
	if (goal.find && node.usi !== meant) {
		if (play.view.over?.winner === "b") {
			await done();
			return;
		}
		mine.state = "busy";
		const answer = await best(node);
		if (mine === current && isOn()) await wrong("answered-by", answer);
		return;
	}
	if (node.usi !== meant && !(meant === "pass" && node.move.pass)) {
		const view = await ask({
			ask: "view",
			game: play.name,
			...(play.start ? { sfen: play.start } : {}),
			moves: play.tree.moves(node.parent),
		});
		const name = moveName(readMove(meant, view), play.game, say);
		await wrong("wrong-line", null, name);
		return;
	}
	if (ply % 2 && solve[ply] && !play.view.over) {
		await hold(ANSWER);
		if (mine !== current || !isOn() || play.node !== node) return;
		await make(usiOf(solve[ply]));
		return;
	}
	if (solve[ply] && !play.view.over) {
		remind();
		show();
		return;
	}
	if (goal.over && play.view.over?.reason !== goal.over) await wrong("try-again");
	else await done();
}

/** Handles a wrong move: explains it, then takes it back. */
async function wrong(word, usi = null, name = usi && nameOf(usi)) {
	const mine = current;
	mine.state = "wrong";
	tell(learnt(word, name ?? ""), "refused");
	show();
	await pause(WRONG);
	if (mine !== current || !isOn()) return;
	const moves = play.tree.moves(play.node).slice(0, -1);
	await stage(mine, gameOf(mine), play.start, moves);
	if (mine !== current) return;
	mine.state = "open";
	show();
	remind();
}

/** Completes the step. */
async function done(text) {
	const mine = current;
	const { lesson, number } = mine;
	const last = number === lesson.steps.length - 1;
	if (last) finished("lessons", lesson.id);
	let praise = text ?? learnt(last ? "lesson-done" : "well-done");
	if (lesson.opening) praise = `${learnt("line-done")} ${await names()}`;
	if (mine !== current || !isOn()) return;
	mine.state = "done";
	play.node.shapes = undefined;
	board.drawings([]);
	tell(praise, "over");
	show();
}

/** The next step, or the next lesson: its label and how to start it. */
function following() {
	const { lesson, number } = current;
	if (number + 1 < lesson.steps.length) return { word: "next", run: () => begin(lesson, number + 1) };
	const next = lessons()[lessons().indexOf(lesson) + 1];
	return next && { word: "next-lesson", run: () => begin(next, 0) };
}

/** The names of the opening on the board. */
async function names() {
	const { names = [] } = await ask({ ask: "names", game: play.name, moves: play.tree.moves(play.node) });
	const inLanguage = ({ side, names }) => `${shortName(side)} ${say.opening(names)}`;
	return names.length ? learnt("names-are", names.map(inLanguage).join(", ")) : "";
}

/** Shows the solution with an arrow. */
async function showMe() {
	if (!isOn()) return;
	const { goal, solve } = stepOf(current);
	const { node } = play;
	if (goal.plays !== undefined && play.view?.side !== "b") return;
	const usi =
		goal.plays !== undefined
			? await best(node)
			: (nextOfLine() ?? solve.find((move) => (goal.take?.length > 1 ? isLegal(move) : true)));
	if (node !== play.node) return;
	if (!usi) {
		// The learner has deviated from the solution.
		begin(current.lesson, current.number);
		return;
	}
	if (usi === "declare" || usi === "pass") {
		$(usi).focus();
		return;
	}
	$("learn").dataset.solution = usi;
	const move = readMove(usi, play.view);
	board.arrows([{ from: move.from, to: move.to, rank: 1 }]);
	board.mark(move.from ?? `b:${usi[0]}`, [move.to]);
}

const isLegal = (usi) => play.view.legal.includes(usi);

/** Shows the list of lessons, or the current step. */
export function show() {
	draw();
	document.body.classList.toggle("listing", isTaught() && $("learn").dataset.state === "list");
}

function draw() {
	const panel = $("learn");
	panel.dataset.state = "list";
	if (part === "solve") {
		const { content, tools = [] } = showProblems(kind, show);
		fill(panel, tools.length ? null : kinds(), ...content);
		fill($("tools"), ...tools);
		return;
	}
	if (!current || !lessons().includes(current.lesson)) {
		fill(panel, kinds(), ...lessonList());
		fill($("tools"));
		return;
	}
	const { lesson, number, state } = current;
	const { title } = textsOf(lesson, number);
	const { goal } = stepOf(current);
	const next = following();
	const dots = lesson.steps.map((_, n) =>
		element("i", { className: n < number || (n === number && state === "done") ? "past" : n === number ? "now" : "" }),
	);
	fill(
		panel,
		element("h2", { textContent: title }),
		element(
			"p",
			{ className: "dots", role: "img", "aria-label": learnt("step-of", number + 1, lesson.steps.length) },
			...dots,
		),
		element("p", { className: "explains", tabIndex: 0, textContent: explanation() }),
		isOn() ? null : element("p", { className: "small", textContent: learnt("away") }),
	);
	fill(
		$("tools"),
		sign("to-list", "☰", () => {
			current = null;
			show();
		}),
		goal.plays !== undefined && state === "open" && isOn()
			? sign("take-back", "↶", takeBack)
			: sign("start-again", "↻", () => begin(lesson, number)),
		goal.plays !== undefined && state === "done" && isOn() && !ending() ? control("play-on", keepGame) : null,
		isOn()
			? control("show-me", showMe, { disabled: ["done", "lost"].includes(state) })
			: control("continue", () => begin(lesson, number), { className: "main" }),
		next && control(next.word, next.run, { className: state === "done" ? "main" : "" }),
	);
	panel.dataset.state = isOn() ? state : "away";
}

/** The kinds of game whose lessons or problems can be chosen. */
function kinds() {
	const choose = (name) => () => {
		kind = name;
		speakTo(kind);
		current = null;
		leaveProblem();
		show();
	};
	return element(
		"div",
		{ className: "kinds" },
		...Object.keys(LESSONS).map((name) =>
			button(say(`kind-${name}`), choose(name), { data: { kind: name }, "aria-pressed": String(name === kind) }),
		),
	);
}

function lessonList() {
	const all = lessons();
	const count = all.filter(({ id }) => progress.lessons[id]).length;
	const item = (lesson) =>
		element(
			"li",
			{},
			button(`${progress.lessons[lesson.id] ? "✓ " : ""}${textsOf(lesson, 0).title}`, () => begin(lesson, 0), {
				data: { lesson: lesson.id },
			}),
		);
	return [
		element("h2", { textContent: learnt("lessons") }),
		element("progress", { max: all.length, value: count, "aria-label": learnt("lessons") }),
		element("p", { className: "small", textContent: learnt("finished", count, all.length) }),
		element("ol", { className: "lessons" }, ...all.map(item)),
	];
}

let opened = null;

/** Opens the lessons or the problems of a kind of game. */
export async function open(wanted, of) {
	opened ??= listen().catch((error) => {
		opened = null;
		throw error;
	});
	await opened;
	if (part !== wanted || kind !== of) {
		current = null;
		leaveProblem();
	}
	[part, kind] = [wanted, of];
	speakTo(kind);
	// A step that was completed earlier needs no return to it.
	if (current?.state === "done" && !isOn()) current = null;
	if (isOn()) remind();
	else assign("");
	show();
}

/** Lets the player try the mistakes of a game again. */
export const retry = (problems) => solveOwn(problems, show);

async function listen() {
	texts = await readTexts();
	hear("moved", (node) => (isSolving() ? tried(node, show) : moved(node)));
	hear("refused", (word) => {
		if (!isOn() || current.state !== "open" || stepOf(current).goal.refused !== word) return;
		done(learnt("right-refused", say(`why-${word}`)));
	});
	hear("ended", () => {
		if (!isOn() || current.state !== "open") return;
		const { goal } = stepOf(current);
		if (goal.plays !== undefined) played(current);
		else if (goal.declared && play.tree.end(play.node) === "declares") done();
	});
	hear("language", async () => {
		texts = await readTexts();
		remind();
		remindProblem();
		show();
	});
	// Another game was put on the board.
	hear("edited", show);
}
