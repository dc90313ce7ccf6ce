// Solves Dobutsu shogi in a separate worker, so that the engine stays responsive, and sends the compressed table file.
// The page ends the worker to free its memory.

import { load } from "./module.js";

/** Number of bytes that are compressed at a time. */
const PIECE = 1 << 20;
/** The share of solving in the total time; the rest is compression. */
const SOLVING = 0.8;

/** The file in pieces: the header, then the values, both in the module's memory. */
function* pieces({ part, part_length: length, memory }) {
	for (const n of [0, 1])
		for (let at = 0; at < length(n); at += PIECE) {
			yield new Uint8Array(memory.buffer, part(n) + at, Math.min(PIECE, length(n) - at));
			tell(SOLVING + ((1 - SOLVING) * at) / length(n));
		}
}

let told = 0;

/** Reports the progress in percent. */
function tell(share) {
	const percent = Math.floor(share * 100);
	if (percent > told) postMessage({ solving: percent });
	told = Math.max(told, percent);
}

/** Solves a game and compresses its table file. */
async function solve(game) {
	const { exports } = await load(new URL("./sanban.wasm", import.meta.url), (text) =>
		tell(JSON.parse(text).solving * SOLVING),
	);
	if (exports.solve(game === "dobutsumate" ? 1 : 0) !== 1) throw new Error("not enough memory");
	const file = pieces(exports);
	const stream = new ReadableStream({
		pull(controller) {
			const { done, value } = file.next();
			if (done) controller.close();
			else controller.enqueue(value);
		},
	});
	return new Response(stream.pipeThrough(new CompressionStream("gzip"))).blob();
}

self.onmessage = async ({ data: game }) => {
	try {
		postMessage({ file: await solve(game) });
	} catch (error) {
		postMessage({ failed: String(error) });
	}
};
