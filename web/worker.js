// The engine in a worker of the page: questions in, answers and findings out, and thought between them.

import { load } from "./module.js";

const engine = await load(
	new URL("./sanban.wasm", import.meta.url),
	(text) => postMessage(JSON.parse(text)),
	(share) => postMessage({ loading: share }),
);
let thinking = false;

/** Thinks for a slice, then lets the messages that came meanwhile be heard. */
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
