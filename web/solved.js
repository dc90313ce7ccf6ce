// Tables of solved games in a page without a server: a game is solved once, in a worker, and the browser stores its
// table.

import { button, element } from "./dom.js";
import { openTable } from "./engine.js";
import { say } from "./settings.js";
import { send } from "./state.js";

/** The name must not begin with `sanban-`: the service worker deletes such caches at every new version. */
const CACHE = "solved-games";

/** For each game whose table is not open: the message about it, its value, and the action of the button. */
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

function enter(game, word, value, act) {
	stages.set(game, { word, value, act });
	send("truth");
}

/** Opens the table of a game if it exists; otherwise shows the message `otherwise` and the button. */
async function find(game, otherwise) {
	stages.set(game, { word: "truth-opening" });
	const file = unstored.get(game) ?? (await stored(game));
	if (file && (await openTable(game, file))) {
		stages.delete(game);
		send("truth");
	} else enter(game, otherwise, null, () => begin(game));
}

/** Solves a game after those that were requested before it. */
function begin(game) {
	enter(game, "truth-solving", 0);
	solving = solving
		.then(() => solve(game))
		.then(
			() => find(game, "truth-failed"),
			(error) => {
				console.warn(`${game} cannot be solved: ${error.message}`);
				enter(game, "truth-failed", null, () => begin(game));
			},
		);
}

/** Solves a game and stores its table. */
async function solve(game) {
	const thread = new Worker(new URL("./solver.js", import.meta.url), { type: "module" });
	try {
		const file = await new Promise((resolve, reject) => {
			thread.onmessage = ({ data }) => {
				if (data.file) resolve(data.file);
				else if (data.failed) reject(new Error(data.failed));
				else enter(game, "truth-solving", data.solving);
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
	const { word, value, act } = stages.get(game);
	return [
		element("p", { className: "small", textContent: say(word, value) }),
		act && button(say("truth-solve"), act, { data: { act: "solve" } }),
	];
}
