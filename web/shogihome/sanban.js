// Sanban for the web edition of ShogiHome (shogihome-wasm-engine/1).

import { load } from "./module.js";

/** Creates an engine that speaks USI. `locateFile` returns the URL of a file of the engine. */
export default async function createEngine({ locateFile = (path) => new URL(path, import.meta.url).href } = {}) {
	const listeners = new Set();
	let closed = false;
	const engine = await load(locateFile("sanban.wasm"), (text) => {
		for (const line of closed ? [] : text.split("\n")) for (const listener of listeners) listener(line);
	});
	return {
		postMessage(line) {
			if (closed) return;
			engine.send("usi_command", line);
			closed = line.trim() === "quit";
		},
		addMessageListener: (listener) => listeners.add(listener),
		removeMessageListener: (listener) => listeners.delete(listener),
		terminate() {
			closed = true;
			listeners.clear();
		},
		poll: () => closed || engine.exports.usi_poll(),
	};
}
