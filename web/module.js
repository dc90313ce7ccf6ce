// The engine as a WebAssembly module. Strings are passed to and from it as bytes.

/** Loads the module. `tell` receives every string from the engine, `loading` the fraction loaded so far (0 to 1). */
export async function load(url, tell, loading = () => {}) {
	const decoder = new TextDecoder();
	const encoder = new TextEncoder();
	let exports;
	const imports = {
		page: {
			now: () => performance.now(),
			tell: (at, length) => tell(decoder.decode(new Uint8Array(exports.memory.buffer, at, length))),
		},
	};
	({ exports } = (await WebAssembly.instantiate(await bytesOf(url, loading), imports)).instance);
	return {
		exports,
		/** Passes a string or bytes to one of the module's functions. */
		send(name, message) {
			const bytes = typeof message === "string" ? encoder.encode(message) : message;
			const at = exports.room(bytes.length);
			new Uint8Array(exports.memory.buffer, at, bytes.length).set(bytes);
			exports[name]();
		},
	};
}

/** Reads a file from the server, or from the disk if the module runs in Node.js. */
async function bytesOf(url, loading) {
	if (String(url).startsWith("file:")) return (await import("node:fs/promises")).readFile(new URL(url));
	const answer = await fetch(url);
	if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
	const total = Number(answer.headers.get("content-length"));
	if (!total || answer.headers.get("content-encoding")) return answer.arrayBuffer();
	const bytes = new Uint8Array(total);
	let at = 0;
	for (const reader = answer.body.getReader(); ; ) {
		const { done, value } = await reader.read();
		if (done) return bytes;
		bytes.set(value, at);
		at += value.length;
		loading(at / total);
	}
}
