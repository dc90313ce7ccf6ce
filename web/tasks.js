// The layouts of the page, one for each task: the home, playing, learning, solving and analysing.

import { closeOutside, closeToast, menu } from "./dialogs.js";
import { $, button, element, fill } from "./dom.js";
import { FEW, face, skill } from "./faces.js";
import { begin, halt, reply, stopAnalysis } from "./game.js";
import { GAMES } from "./games.js";
import { showHome } from "./home.js";
import { levelName, say, suit } from "./settings.js";
import { hear, isOver, isTaught, page, play, send, settings } from "./state.js";
import { keepTask } from "./store.js";
import { flip } from "./table.js";

const TASKS = ["home", "play", "learn", "solve", "analyse"];
/** The part of the address that starts a task of a game. */
const START = /^#start=(\w+):(\w+)$/;

/** Whether the game that was on the board before a lesson is being restored. */
let leaving = false;

/** Whether a game that is not over is on the board. */
const isRunning = () => Boolean(play.id) && play.tree.root.children.length > 0 && !isOver();

/** Shows the layout of a task; `tab` is a part of the analysis, `kind` the kind of game of lessons and problems. */
export async function enter(task, tab = null, kind = play.game.kind, push = true) {
	const teaches = task === "learn" || task === "solve";
	if (push && page.task !== task && page.task !== "loading") history.pushState({ task }, "");
	if (page.task !== task) window.scrollTo(0, 0);
	show(task);
	if (!teaches && !play.id) {
		leaving = true;
		await (await import("./staging.js")).leaveBoard();
		leaving = false;
	}
	if (task !== "analyse" && page.analysing) {
		stopAnalysis();
		halt();
		if (task === "play") reply();
	}
	if (tab) choose($(`tab-${tab}`));
	if (teaches) await teach(task, kind);
	send("draw");
}

function show(task) {
	page.task = document.body.dataset.task = task;
	// The text of a task must not be covered.
	if (isTaught()) closeToast();
	else document.body.classList.remove("listing");
	keepTask();
	suit();
	for (const one of $("tasks").children) {
		if (one.dataset.enter === task) one.setAttribute("aria-current", "page");
		else one.removeAttribute("aria-current");
	}
	showHome();
}

/** Loads lessons and problems when they are first opened. */
async function teach(part, kind) {
	try {
		await (await import("./learn.js")).open(part, kind);
	} catch {
		fill(
			$("learn"),
			element("p", { textContent: say("lost-short") }),
			button(say("again"), () => teach(part, kind)),
		);
	}
}

/** Starts a task of a game. */
async function start(name, task) {
	if (!GAMES[name]) return;
	if (task === "play" || task === "table") {
		const side = task === "table" ? "both" : ["b", "w"].includes(settings.side) ? settings.side : "b";
		await enter("play");
		await begin(name, null, side);
	} else if (TASKS.includes(task)) await enter(task, null, GAMES[name].kind);
}

/** Starts the task that the address names. Returns whether there is one. */
export async function startFragment() {
	const [, name, task] = location.hash.match(START) ?? [];
	if (!name) return false;
	history.replaceState({ task }, "", location.pathname + location.search);
	await start(name, task);
	return true;
}

/** Initialises the tabs of the analysis. */
const tabs = () => [...document.querySelectorAll('[role="tab"]')];

function choose(tab, focus) {
	for (const one of tabs()) {
		const on = one === tab;
		one.setAttribute("aria-selected", String(on));
		one.tabIndex = on ? 0 : -1;
		$(one.getAttribute("aria-controls")).hidden = !on;
	}
	if (tab.id === "tab-position") send("games");
	if (focus) tab.focus();
}

function listenToTabs() {
	const all = tabs();
	all.forEach((tab, n) => {
		tab.addEventListener("click", () => {
			choose(tab);
			if (page.task !== "analyse") enter("analyse");
		});
		tab.addEventListener("keydown", (event) => {
			const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
			if (by) choose(all[(n + by + all.length) % all.length], true);
		});
	});
	choose(all[0]);
}

/** The dialog for a new game: its opponents are those of the game on the board. */
function showOpponents() {
	const choice = (level) =>
		element(
			"button",
			{
				type: "button",
				"aria-pressed": String(level === FEW.findLast((one) => one <= settings.level)),
				data: { level },
				onclick: () => {
					$("level").value = level;
					$("level").dispatchEvent(new Event("change"));
				},
			},
			element("span", { html: face(level) }),
			element("b", { textContent: levelName(level) }),
			element("small", { textContent: say(skill(play.game.kind, level)) }),
		);
	fill($("opponents"), ...FEW.map(choice));
	$("opponents").hidden = settings.side === "both";
	$("about-variant").textContent = say(`about-${play.name}`);
}

/** Opens the dialog for a new game; `kind` is another kind of game than the one on the board. */
function openSetup(kind = play.game.kind) {
	if (kind !== play.game.kind) begin(kind);
	showOpponents();
	if (!$("setup").open) $("setup").showModal();
}

function more() {
	const { left, top } = $("more").getBoundingClientRect();
	menu(left, top, [
		{ word: "new-game", run: () => openSetup() },
		{ word: "flip", run: flip },
		{ word: "tab-study", run: () => enter("analyse", "analyse") },
		{ word: "tab-rules", run: () => enter("analyse", "rules") },
		{ word: "save", run: () => enter("analyse", "position") },
		{ word: "home", run: () => enter("home") },
	]);
}

/** Registers the controls that change the layout. */
export function listenToTasks() {
	listenToTabs();
	$("go-home").addEventListener("click", () => enter("home"));
	for (const one of $("tasks").children)
		one.addEventListener("click", () => {
			const { enter: task } = one.dataset;
			const again = page.task === task;
			// Where there is no game to go on with, a new one is offered.
			enter(task).then(() => task === "play" && (again || !isRunning()) && openSetup());
		});
	$("more").addEventListener("click", more);
	$("setup-close").addEventListener("click", () => $("setup").close());
	closeOutside($("setup"));
	hear("enter", enter);
	hear("start", start);
	hear("setup", openSetup);
	hear("retry", async (problems) => {
		await enter("solve");
		await (await import("./learn.js")).retry(problems);
	});
	hear("levels", () => $("setup").open && showOpponents());
	hear("edit", async () => {
		await enter("analyse");
		(await import("./records.js")).edit();
	});
	// A game was put on the board.
	hear("edited", () => {
		if (!document.documentElement.dataset.ready || leaving) return;
		if (page.task === "home" || (isTaught() && play.id)) enter("play");
		if ($("setup").open) showOpponents();
	});
	window.addEventListener("popstate", ({ state }) => {
		if (location.hash) return;
		enter(TASKS.includes(state?.task) ? state.task : "home", null, undefined, false);
	});
	window.addEventListener("hashchange", startFragment);
}
