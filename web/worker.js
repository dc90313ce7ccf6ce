// The engine in a worker of the page: receives questions, sends answers and intermediate results, and searches in
// between.

import { load } from "./module.js";

const engine = await load(
	new URL("./sanban.wasm", import.meta.url),
	(text) => postMessage(JSON.parse(text)),
	(share) => postMessage({ loading: share }),
);
let thinking = false;

/** Searches for one slice, then lets messages that arrived meanwhile be processed. */
function think() {
	thinking = engine.exports.poll() === 1;
	if (thinking) setTimeout(think, 0);
}

self.onmessage = ({ data }) => {
	engine.send("ask", JSON.stringify(data));
	if (!thinking) {
		thinking = true;
		setTimeout(think, 0);
	}
};
postMessage({ ready: true });
