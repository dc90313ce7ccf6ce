// Tables of solved games. A server solves a game and keeps its table in memory; without one, the game is solved once, in
// a worker, and the browser stores its table.

import { button, element } from "./dom.js";
import { ask, house, isInPage, openTable } from "./engine.js";
import { say } from "./settings.js";
import { send } from "./state.js";

/** The name must not begin with `sanban-`: the service worker deletes such caches at every new version. */
const CACHE = "solved-games";

/** For each game whose table is not open: the message about it, its value, and the word and action of the button. */
const stages = new Map();
/** Tables that the browser could not store. */
const unstored = new Map();
/** The queue of games to solve: they are solved one at a time. */
let solving = Promise.resolve();

const address = (game) => new URL(`${game}.table.gz`, document.baseURI).href;

/** The table that an earlier visit stored. */
async function stored(game) {
	try {
		return await (await (await caches.open(CACHE)).match(address(game)))?.blob();
	} catch {
		return null;
	}
}

async function store(game, file) {
	try {
		await (await caches.open(CACHE)).put(address(game), new Response(file));
	} catch {
		unstored.set(game, file);
	}
}

function enter(game, word, value, act, label = "truth-solve") {
	stages.set(game, { word, value, act, label });
	send("truth");
}

/** Offers to solve a game. */
const offer = (game, word) => enter(game, word, null, () => begin(game));

/** Opens the table of a game if it exists; otherwise shows the message `otherwise` and the button. */
async function find(game, otherwise) {
	stages.set(game, { word: "truth-opening" });
	if (!isInPage) {
		offer(game, otherwise);
		return;
	}
	const file = unstored.get(game) ?? (await stored(game));
	if (file && (await openTable(game, file))) {
		stages.delete(game);
		send("truth");
	} else offer(game, otherwise);
}

/** Solves a game after those that were requested before it. */
function begin(game) {
	const solve = isInPage ? solveHere : solveThere;
	const job = { cancel: () => {}, isCancelled: false };
	const cancel = () => {
		job.isCancelled = true;
		job.cancel();
		offer(game, "truth-unsolved");
	};
	const tell = (percent) => job.isCancelled || enter(game, "truth-solving", percent, cancel, "cancel");
	tell(0);
	solving = solving
		.then(() => job.isCancelled || solve(game, tell, job))
		.then(() => job.isCancelled || (isInPage ? find(game, "truth-failed") : open(game)))
		.catch((error) => {
			if (job.isCancelled) return;
			console.warn(`${game} cannot be solved: ${error.message}`);
			offer(game, "truth-failed");
		});
}

/** Uses the table that the server has made. */
function open(game) {
	stages.delete(game);
	send("truth");
}

/** Lets the server solve a game and keep its table. */
async function solveThere(game, tell, job) {
	job.cancel = () => ask({ ask: "cancel" }).catch(() => {});
	const answer = await ask({ ask: "solve", game }, ({ solving: percent }) => tell(percent));
	if (answer.error) throw new Error(answer.error);
	house.truth = answer.truth;
}

/** Solves a game in a worker and stores its table. */
async function solveHere(game, tell, job) {
	const thread = new Worker(new URL("./solver.js", import.meta.url), { type: "module" });
	try {
		const file = await new Promise((resolve, reject) => {
			job.cancel = () => reject(new Error("cancelled"));
			thread.onmessage = ({ data }) => {
				if (data.file) resolve(data.file);
				else if (data.failed) reject(new Error(data.failed));
				else tell(data.solving);
			};
			thread.onerror = reject;
			thread.postMessage(game);
		});
		await store(game, file);
	} finally {
		thread.terminate();
	}
}

/** The elements to show for a game whose table is not open. Opens a stored table. */
export function stage(game) {
	if (!stages.has(game)) find(game, "truth-unsolved");
	const { word, value, act, label } = stages.get(game);
	return [
		element("p", {
			className: "small",
			textContent: say(!isInPage && word === "truth-unsolved" ? "truth-missing" : word, value),
		}),
		word === "truth-solving" ? element("progress", { max: 100, value, "aria-label": say(word, value) }) : null,
		act && button(say(label), act, { data: { act: label === "cancel" ? label : "solve" } }),
	];
}
