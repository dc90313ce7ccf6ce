// The page as one file, with the game on the board and without an engine: it opens from a disk, without a server.

import { markup } from "./dom.js";

/** The name of a module in the import map of the file. */
const NAME = "sanban/";
/** The names of modules in the source of a module. */
const MODULE = /(["`])\.\/([\w${}.-]+\.js)\1/g;
/** Files that only the page with an engine uses. */
const ENGINE = ["solver.js", "solved.js", "worker.js", "worker-cache.js", "module.js"];

async function read(name) {
	const answer = await fetch(name);
	if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
	return answer.text();
}

/** Text as a data URL. */
function data(kind, text) {
	let bytes = "";
	for (const byte of new TextEncoder().encode(text)) bytes += String.fromCharCode(byte);
	return `data:${kind};base64,${btoa(bytes)}`;
}

/** The source of every module that `first` needs, by name; `languages` fill in the names that depend on one. */
async function modules(first, languages) {
	const found = new Map();
	const todo = [first];
	while (todo.length) {
		const name = todo.pop();
		if (found.has(name) || ENGINE.includes(name)) continue;
		const text = await read(name);
		found.set(name, text.replace(MODULE, `$1${NAME}$2$1`));
		for (const [, , wanted] of text.matchAll(MODULE))
			if (wanted.includes("${")) todo.push(...languages.map((language) => wanted.replace(/\$\{.*?\}/, language)));
			else todo.push(wanted);
	}
	return found;
}

/** Returns the file. `kept` is the game, `settings` those of the page, `moves` are texts for readers without scripts. */
export async function oneFile({ kept, settings, moves, languages, note }) {
	const [html, icon, ...styles] = await Promise.all(["index.html", "icon.svg", "style.css", "layout.css"].map(read));
	const imports = {};
	for (const [name, text] of await modules("main.js", languages)) imports[NAME + name] = data("text/javascript", text);
	const safe = (value) => JSON.stringify(value).replaceAll("<", "\\u003c");
	const head = `<style>${styles.join("")}</style>
<script type="importmap">${safe({ imports })}</script>
<script type="application/json" id="saved">${safe({ kept, settings })}</script>
<script type="module">import "${NAME}main.js";</script>
</head>`;
	const plain = `<noscript><p>${markup(note)}</p><ol>${moves.map((move) => `<li>${markup(move)}</li>`).join("")}</ol></noscript>`;
	return html
		.replace(/<link rel=.*>\n|<script .*<\/script>\n/g, "")
		.replace("</head>", () => head)
		.replace(
			/<html [^>]*>/,
			`<html lang="${settings.language}" data-version="@saved" data-kind="shogi" data-engine="none">`,
		)
		.replace('src="icon.svg"', `src="${data("image/svg+xml", icon)}"`)
		.replace(/<noscript>.*<\/noscript>/, () => plain);
}
