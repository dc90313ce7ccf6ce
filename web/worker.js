// The engine in a worker of the page: it receives questions, sends answers and intermediate results, and searches in
// between.

import { load } from "./module.js";

const engine = await load(
	new URL("./sanban.wasm", import.meta.url),
	(text) => postMessage(JSON.parse(text)),
	(share) => postMessage({ loading: share }),
);
let thinking = false;
/** Tables are opened one after the other. */
let opening = Promise.resolve();

/** Searches for one time slice, then lets messages that arrived in the meantime be processed. */
function think() {
	thinking = engine.exports.poll() === 1;
	if (thinking) setTimeout(think, 0);
}

/** Closes the open table and opens the one of a game. The answer lists the games whose table is open. */
async function open({ id, game, file }) {
	const { exports } = engine;
	let truth = [];
	try {
		if (exports.begin_table() !== 1) throw new Error("not enough memory");
		const reader = file.stream().pipeThrough(new DecompressionStream("gzip")).getReader();
		for (let next = await reader.read(); !next.done; next = await reader.read())
			engine.send("add_to_table", next.value);
		if (exports.open_table(game === "dobutsumate" ? 1 : 0) !== 1) throw new Error("not a valid table");
		truth = [game];
	} catch (error) {
		console.warn(`the table of ${game} cannot be opened: ${error.message}`);
	}
	postMessage({ id, truth });
}

self.onmessage = ({ data }) => {
	if (data.ask === "table") {
		opening = opening.then(() => open(data));
		return;
	}
	engine.send("ask", JSON.stringify(data));
	if (!thinking) {
		thinking = true;
		setTimeout(think, 0);
	}
};
postMessage({ ready: true });
