// Positions and records: loading, saving, sharing, editing, and the list of stored games.

import { showReport } from "./analysis.js";
import { pause, wind } from "./clocks.js";
import { confirm, toast } from "./dialogs.js";
import { $, button, element, fill } from "./dom.js";
import { ask } from "./engine.js";
import { arrive, ending, halt, hush, reply, stopAnalysis, tell } from "./game.js";
import { GAMES } from "./games.js";
import { moveName } from "./notation.js";
import { FORMATS, look, say, shortName, sideName } from "./settings.js";
import { writeSfen } from "./sfen.js";
import { hear, isEngine, page, play, send, settings, shown } from "./state.js";
import { canUndo, clear, discard, forget, games, restore, save, snapshot, undo } from "./store.js";
import { isTurned, render } from "./table.js";
import { Tree } from "./tree.js";
import { LANGUAGES } from "./words.js";

const BLACK = "先手";
const WHITE = "後手";

/** Loads pasted text or a file; `index` selects one of several games. */
export async function load(source, index = 0) {
	const text = source.text?.trim() ?? "";
	if (source.text !== undefined && !text) {
		tell(say("nothing-to-load"), "refused");
		return;
	}
	if (/^https?:\/\/\S+$/.test(text) && (await followLink(text))) return;
	const answer = await ask({ ask: "read", game: play.name, index, ...source });
	if (answer.error) {
		tell(say("not-loaded", fault(answer, text)), "refused");
		return;
	}
	const before = play.name;
	halt();
	stopAnalysis();
	if (!isBlank()) discard("load");
	clear(answer.game, answer.sfen ?? null, "both");
	play.tree = Tree.fromRecord(answer.record.nodes).tree;
	play.node = play.tree.root;
	play.headers = answer.record.headers;
	wind(null);
	settings.game = play.name;
	await arrive();
	send("enter", "analyse");
	const more = answer.games > index + 1 && {
		word: "next-game",
		run: () => load(source, index + 1),
	};
	// For a finished position, the status shows the result.
	const parts = ending() ? [] : [loaded(answer.moves.length)];
	if (answer.games > 1) parts.push(say("loaded-of", index + 1, answer.games));
	if (answer.game !== before) parts.push(say("switched", say(`game-${answer.game}`)));
	if ([...play.tree.nodes()].some((node) => node.illegal)) parts.push(say("illegal-in-record"));
	if (parts.length) tell(parts.join(" "), "", more || null);
}

/** Describes an error in a record. The engine's messages are in English; other languages show only the location. */
function fault({ error, line, column }, text) {
	if (!line) return settings.language === "en" ? error : say("fault-other");
	const wrong = text.split("\n")[line - 1]?.trim().slice(0, 40);
	const place = say("fault-place", line, column, wrong ? `“${wrong}”` : "");
	return settings.language === "en" ? `${place}: ${error.replace(/^line \d+, column \d+: /, "")}` : place;
}

const isBlank = () => !play.tree.root.children.length && !play.tree.root.comment;

/** Opens the game or position of a link. Returns false if the link is not recognised. */
export async function followLink(address) {
	const { decode, fromLishogi } = await import("./links.js");
	const lishogi = fromLishogi(address);
	if (lishogi) {
		if (lishogi.sfen) await load({ text: `sfen ${lishogi.sfen}` });
		else tell(say("lishogi-game"), "refused");
		return true;
	}
	const kept = await decode(address).catch(() => null);
	if (!kept) return false;
	if (kept.sfen) {
		if (!GAMES[kept.name]) return false;
		const view = await ask({
			ask: "view",
			game: kept.name,
			sfen: kept.sfen,
			moves: [],
		});
		if (view.error) {
			tell(say("not-loaded", settings.language === "en" ? view.error : say("fault-other")), "refused");
			return true;
		}
	}
	if (!isBlank()) discard("load");
	halt();
	stopAnalysis();
	if (kept.sfen) clear(kept.name, kept.sfen === GAMES[kept.name].start ? null : kept.sfen, "both");
	else if (!restore({ ...kept, id: undefined, side: "both", clock: null })) return false;
	settings.game = play.name;
	await arrive();
	send("enter", "analyse");
	if (!ending()) tell(loaded(play.tree.main().length));
	return true;
}

/** The message for a game with this number of moves, or a position, that was loaded. */
const loaded = (moves) => (moves ? say("loaded", moves) : say("loaded-position"));

/**
 * Opens the game or position in the fragment of the page's address, and removes the fragment, so that a reload shows
 * the current game.
 */
export async function openFragment() {
	const { hash, href } = location;
	if (!/^#[gp]=/.test(hash)) return false;
	history.replaceState(null, "", location.pathname + location.search);
	if (await followLink(href)) return true;
	tell(say("bad-link"), "refused");
	return false;
}

export async function copyText(text) {
	try {
		await navigator.clipboard.writeText(text);
		tell(say("copied"));
	} catch {
		$("text").value = text;
		$("tab-position").click();
		tell(say("not-copied"));
		$("text").select();
	}
}

/** The headers for the record of the game. */
function headers() {
	const out = play.headers.filter(([, value]) => value);
	for (const [side, name] of [
		["b", BLACK],
		["w", WHITE],
	])
		if (isEngine(side) && !out.some(([known]) => known === name)) out.push([name, "Sanban"]);
	return out;
}

/** The SFEN of the displayed position. */
export const shownSfen = () => page.editor?.sfen ?? shown().sfen ?? writeSfen(shown(), play.game);

/** The game as text in a format: `{text, bytes, loses, lacking}` or `{error}`. */
async function write(format) {
	const nodes = play.tree.toRecord();
	const record = { headers: headers(), nodes };
	return ask({
		ask: "write",
		format,
		game: play.name,
		...(play.start ? { sfen: play.start } : {}),
		moves: [],
		record,
	});
}

export async function copyRecord(format) {
	if (format === "sfen") {
		copyText(`sfen ${shownSfen()}`);
		return;
	}
	const answer = await write(format);
	if (answer.error) tell(say("not-written", settings.language === "en" ? answer.error : ""), "refused");
	else copyText(answer.text);
}

/** Saves bytes or a string as a file. */
function saveFile(content, name, type = "application/octet-stream") {
	const href = URL.createObjectURL(new Blob([content], { type }));
	const link = element("a", { href, download: name });
	link.click();
	setTimeout(() => URL.revokeObjectURL(href), 10_000);
}

const stamp = () => new Date().toISOString().slice(0, 16).replace("T", "-").replace(":", "");

/** Saves the game as a file in a format. */
async function download(format) {
	let [name, answer] = [format, await write(format)];
	if (answer.lacking && format === "kif") [name, answer] = ["kifu", await write("kifu")];
	if (answer.error) {
		tell(say("not-written", settings.language === "en" ? answer.error : ""), "refused");
		return;
	}
	const bytes = Uint8Array.from(answer.bytes, (c) => c.charCodeAt(0));
	saveFile(bytes, `sanban-${stamp()}.${FORMATS[name][0]}`);
	if (answer.loses.length)
		toast(say("loses", answer.loses.map((word) => say(`loses-${word.replace(/\W+/g, "-")}`)).join(", ")));
}

/** Saves a picture of the position. */
async function savePicture(kind) {
	const { png, svg } = await import("./image.js");
	const text = svg(shown(), play.game, look(), isTurned(), { b: shortName("b"), w: shortName("w") });
	if (kind === "svg") saveFile(text, `sanban-${stamp()}.svg`, "image/svg+xml");
	else saveFile(await png(text), `sanban-${stamp()}.png`, "image/png");
}

/** Runs an action whose files are loaded when it is first used. */
const loading = (act) =>
	act().catch(() => tell(say("lost-short"), "refused", { word: "again", run: () => loading(act) }));

/** The address of the page in links: the one in the settings, or this one. */
const here = () => settings.address || location.origin + location.pathname;

async function share(whole) {
	const { encode } = await import("./links.js");
	const link = whole ? await encode(snapshot()) : `#p=${play.name}/${shownSfen().replaceAll(" ", "_")}`;
	await copyText(here() + link);
	if (isHere()) tell(say("copied-here"), "", { word: "save-page", run: savePage });
}

/** Whether only this computer can open the address of the links. */
const isHere = () => /^https?:\/\/(127\.|localhost|\[::1\])/.test(here());

/** Saves the page with the game as one file. */
const savePage = () =>
	loading(async () => {
		const { oneFile } = await import("./onefile.js");
		const { language, looks, theme } = settings;
		const moves = play.tree.main().map((node) => moveName(node.move, play.game, say));
		const note = say("saved-plain");
		const file = { kept: snapshot(), settings: { language, looks, theme }, moves, languages: LANGUAGES, note };
		saveFile(await oneFile(file), `sanban-${stamp()}.html`, "text/html");
	});

/** Shows or hides the editor's tools. */
function edits() {
	const on = Boolean(page.editor);
	document.body.classList.toggle("editing", on);
	$("edit").setAttribute("aria-pressed", String(on));
	$("edit").hidden = on;
	for (const id of ["edit-clear", "edit-side", "edit-done", "edit-cancel", "palette"]) $(id).hidden = !on;
	if (!on) return;
	$("edit-side").textContent = say("edit-side", sideName(page.editor.view.side));
	page.editor.palette($("palette"), look(), say, () => {
		hush();
		edits();
		render();
	});
}

/** Opens the editor. */
export const edit = () => loading(openEditor);

async function openEditor() {
	const { Editor } = await import("./editor.js");
	if (!play.view || page.editor) return;
	halt();
	stopAnalysis();
	pause();
	page.thinking = false;
	page.picked = page.preview = null;
	hush();
	page.editor = new Editor(play.game, shownSfen());
	$("tab-position").click();
	edits();
	render();
}

function leaveEditor() {
	page.editor = null;
	hush();
	edits();
	render();
	reply();
}

/** Starts a game from the position in the editor, if it is valid. */
async function editDone() {
	const { sfen, fault } = page.editor;
	const answer = fault ? {} : await ask({ ask: "view", game: play.name, sfen, moves: [] });
	if (!page.editor) return;
	if (fault || answer.error) {
		const english = (answer.error ?? "").replace(/^sfen: /, "");
		let why = english && settings.language !== "en" ? say("fault-other") : english;
		if (fault)
			why = say(fault.word, fault.side ? sideName(fault.side) : fault.letter ? say.piece(play.game, fault.letter) : "");
		tell(say("not-playable", why), "refused");
		return;
	}
	page.editor = null;
	if (!isBlank()) discard("editor");
	clear(play.name, sfen, "both");
	wind(null);
	await arrive();
}

/** Restores what was discarded last. */
export async function bringBack() {
	halt();
	stopAnalysis();
	page.thinking = false;
	if (!undo()) return;
	settings.game = play.name;
	// Shown before `arrive`, so that it does not replace a later note, such as the next offer to undo.
	toast(say("brought-back"), null, null, 4);
	await arrive();
}

/** Lists the games stored in this browser. */
function listGames() {
	const items = games()
		.filter((kept) => kept.id !== play.id && kept.tree.length > 1)
		.slice(0, 30)
		.map((kept) => {
			const name = (header) => kept.headers?.find(([known]) => known === header)?.[1];
			const names = [name(BLACK), name(WHITE)].filter(Boolean).join(" – ");
			const date = new Date(kept.updated).toLocaleString(settings.language, {
				dateStyle: "short",
				timeStyle: "short",
			});
			const moves = kept.tree.filter((node) => node.m).length;
			const text = `${say(`game-${kept.name}`)}${names ? `, ${names}` : ""} · ${say("moves-count", moves)} · ${date}`;
			const drop = async () => {
				if (!(await confirm(say("forget-question"), "forget"))) return;
				forget(kept.id);
				listGames();
			};
			return element(
				"li",
				{ data: { game: kept.id } },
				button(text, () => reopen(kept), { className: "open" }),
				button("×", drop, { className: "plain", "aria-label": say("forget") }),
			);
		});
	fill($("recent"), ...items);
	$("recent-none").hidden = items.length > 0;
}

async function reopen(kept) {
	halt();
	stopAnalysis();
	pause();
	save();
	if (!isBlank()) discard("reopened");
	restore(kept);
	settings.game = play.name;
	await arrive();
	listGames();
}

function listHeaders() {
	const value = (name) => play.headers.find(([known]) => known === name)?.[1] ?? "";
	for (const [id, name] of [
		["name-b", BLACK],
		["name-w", WHITE],
		["event", "棋戦"],
	])
		if (document.activeElement !== $(id)) $(id).value = value(name);
	const rest = play.headers.filter(([name]) => ![BLACK, WHITE, "棋戦"].includes(name));
	fill(
		$("headers"),
		...rest.flatMap(([name, text]) => [element("dt", { textContent: name }), element("dd", { textContent: text })]),
	);
}

/** Loads a file. The engine receives one character per byte, so that it can detect the encoding. */
async function loadFile(file) {
	if (!file) return;
	if (file.size > 4_000_000) {
		tell(say("too-large"), "refused");
		return;
	}
	const bytes = new Uint8Array(await file.arrayBuffer());
	let text = "";
	for (const byte of bytes) text += String.fromCharCode(byte);
	load({ bytes: text });
}

/** Lets the user drop and paste files and text anywhere on the page. */
function takeDrops() {
	document.addEventListener("dragover", (event) => {
		event.preventDefault();
		document.body.classList.add("dropping");
	});
	for (const name of ["dragleave", "drop"])
		document.addEventListener(name, () => document.body.classList.remove("dropping"));
	document.addEventListener("drop", (event) => {
		event.preventDefault();
		const [file] = event.dataTransfer.files;
		const text = event.dataTransfer.getData("text/plain");
		if (file) loadFile(file);
		else if (text) load({ text });
	});
	document.addEventListener("paste", (event) => {
		if (event.target.closest?.("input, textarea")) return;
		const [file] = event.clipboardData.files;
		const text = event.clipboardData.getData("text/plain");
		if (file) loadFile(file);
		else if (text.trim()) load({ text });
	});
}

/** Registers the controls for loading and saving. */
export function listen() {
	const on = (id, act) => $(id).addEventListener("click", act);
	on("load", () => load({ text: $("text").value }));
	on("choose-file", () => $("file").click());
	$("file").addEventListener("change", ({ target }) => {
		loadFile(target.files[0]);
		target.value = "";
	});
	for (const format of ["sfen", "kif", "usi"]) on(`copy-${format}`, () => copyRecord(format));
	on("download", () => download($("format").value));
	on("copy-format", () => copyRecord($("format").value));
	for (const kind of ["svg", "png"]) on(`save-${kind}`, () => loading(() => savePicture(kind)));
	on("share-game", () => loading(() => share(true)));
	on("share-position", () => loading(() => share(false)));
	on("save-page", savePage);
	$("address").value = settings.address;
	$("address").addEventListener("change", ({ target }) => {
		const address = target.value.trim().replace(/#.*/, "");
		if (address && !/^https?:\/\/[^\s/]+\//.test(address)) {
			tell(say("not-an-address"), "refused");
			return;
		}
		settings.address = address;
		send("settings");
	});
	on("edit", edit);
	on("edit-clear", () => {
		page.editor.clear();
		hush();
		edits();
		render();
	});
	on("edit-side", () => {
		page.editor.turn();
		hush();
		edits();
		render();
	});
	on("edit-done", editDone);
	on("edit-cancel", leaveEditor);
	for (const [id, name] of [
		["name-b", BLACK],
		["name-w", WHITE],
		["event", "棋戦"],
	])
		$(id).addEventListener("input", ({ target }) => {
			play.headers = play.headers.filter(([known]) => known !== name);
			if (target.value.trim()) play.headers.push([name, target.value.trim()]);
			save();
			render();
		});
	takeDrops();
	window.addEventListener("hashchange", openFragment);
	document.addEventListener("keydown", (event) => {
		if (!(event.ctrlKey || event.metaKey) || event.key !== "z" || event.target.closest?.("input, textarea")) return;
		if (canUndo()) bringBack();
	});
	hear("discarded", (what) => toast(say(`discarded-${what}`), "undo", bringBack));
	let warned = false;
	hear("unsaved", () => {
		if (!warned) toast(say("unsaved"));
		warned = true;
	});
	hear("edited", () => {
		edits();
		listHeaders();
	});
	hear("language", () => {
		edits();
		listGames();
		showReport();
	});
	hear("look", edits);
	hear("games", listGames);
	hear("tree", listHeaders);
}
