// The move list: the main line in two columns, with variations and comments below the moves they belong to.

import { $, element, fill } from "./dom.js";
import { ask } from "./engine.js";
import { ENDS, go } from "./game.js";
import { moveName, scoreName } from "./notation.js";
import { say, shortName } from "./settings.js";
import { hear, play, question, settings } from "./state.js";
import { moveMenu } from "./study.js";

/** The classes of analysed moves and their marks. */
const GRADES = { inaccuracy: "", dubious: "?!", mistake: "?", blunder: "??" };

let drawn = null;
/**
 * The names of openings, castles and set-ups by the node that completes them, and a key of the line they were found in.
 */
let named = { key: null, names: new Map() };

function moveButton(node) {
	const name = moveName(node.move, play.game, say);
	const mark = node.mark ?? GRADES[node.grade] ?? "";
	const text = `${name}${node.check ? " †" : ""}${mark ? ` ${mark}` : ""}`;
	return element("button", {
		type: "button",
		textContent: text,
		className: node.grade ?? "",
		data: { node: node.id },
		title: node.grade ? say(node.grade) : node.bookmark,
		disabled: Boolean(node.illegal),
		onclick: () => go(node),
		oncontextmenu: (event) => {
			event.preventDefault();
			moveMenu(node, event.clientX, event.clientY);
		},
	});
}

const note = (text) => element("p", { className: "note", textContent: text });

/** A variation: its moves in a row, with nested variations between them. */
function variation(node) {
	const out = element("div", { className: "variation" });
	let at = node;
	let first = true;
	while (at) {
		if (at.end) {
			out.append(element("span", { className: "end", textContent: endName(at.end) }));
			break;
		}
		const ply = play.tree.ply(at);
		out.append(element("span", { className: "number", textContent: `${ply}.` }), moveButton(at));
		if (at.comment) out.append(element("span", { className: "note", textContent: at.comment }));
		const siblings = first ? [] : at.parent.children.slice(1);
		for (const other of siblings) if (at === at.parent.children[0]) out.append(variation(other));
		first = false;
		at = at.children[0];
	}
	return out;
}

/** The name of the end of a game in the move list. */
function endName(word) {
	const [name] = ENDS[word] ?? [];
	if (!name) return word;
	return say(say.has(`end-${name}`) ? `end-${name}` : `reason-${name}`);
}

/** Requests the names of openings, castles and set-ups in the main line. */
async function findNames() {
	const { tree, game, id, start } = play;
	const line = tree.main().filter((node) => !node.illegal);
	const key = `${id} ${start} ${line.map((node) => node.usi).join(" ")}`;
	if (key === named.key || game.kind === "dobutsu") return;
	named = { key, names: named.names };
	const { names } = await ask({ ask: "names", ...question(line.at(-1) ?? tree.root) }).catch(() => ({}));
	if (named.key !== key || !names) return;
	const found = new Map();
	for (const name of names) {
		const node = name.ply ? line[name.ply - 1] : tree.root;
		found.set(node, [...(found.get(node) ?? []), name]);
	}
	named.names = found;
	showMoves(true);
}

/** The names that a move completes, each with its side. */
function namesOf(node) {
	const text = ({ side, names }) => `${shortName(side)}: ${say.opening(names)}`;
	const found = named.names.get(node);
	return found ? element("p", { className: "note names", textContent: found.map(text).join(" · ") }) : null;
}

/** Rebuilds the list. */
function list() {
	const { tree } = play;
	const items = [];
	const setUps = namesOf(tree.root);
	if (setUps) items.push(element("li", { className: "wide" }, setUps));
	if (tree.root.comment) items.push(element("li", { className: "wide" }, note(tree.root.comment)));
	const others = (node) => node.parent.children.filter((child, n) => n > 0 && child !== node);
	for (const node of tree.main()) {
		const ply = tree.ply(node);
		items.push(
			element(
				"li",
				{ className: ply % 2 ? "odd" : "even", data: { usi: node.usi } },
				element("span", { className: "number", textContent: ply }),
				moveButton(node),
				node.score ? element("small", { className: "score", textContent: scoreName(node.score, say) }) : null,
				node.time === undefined ? null : element("small", { textContent: clockTime(node.time) }),
			),
		);
		const branches = others(node);
		const names = namesOf(node);
		if (node.comment || branches.length || names) {
			const wide = element("li", { className: "wide" }, names);
			if (node.comment) wide.append(note(node.comment));
			for (const branch of branches) wide.append(variation(branch));
			items.push(wide);
		}
	}
	const last = tree.main().at(-1) ?? tree.root;
	const end = last.children.find((child) => child.end);
	if (end)
		items.push(element("li", { className: "wide end" }, endName(end.end), end.comment ? note(end.comment) : null));
	fill($("moves"), ...items);
}

function clockTime(milliseconds) {
	const seconds = Math.floor(milliseconds / 1000);
	return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** Marks the move that led to the displayed position. */
function point() {
	const box = $("moves");
	for (const one of box.querySelectorAll(".now")) {
		one.classList.remove("now");
		one.removeAttribute("aria-current");
	}
	const now = box.querySelector(`[data-node="${play.node.id}"]`);
	if (!now) {
		box.scrollTop = 0;
		return;
	}
	now.classList.add("now");
	now.setAttribute("aria-current", "true");
	const [outer, inner] = [box.getBoundingClientRect(), now.getBoundingClientRect()];
	if (inner.top < outer.top || inner.bottom > outer.bottom)
		box.scrollTop += inner.top - outer.top - (outer.height - inner.height) / 2;
}

/** Updates the list if something has changed. */
export function showMoves(again = false) {
	const state = `${play.id} ${play.tree.version} ${settings.language}`;
	if (again || state !== drawn) list();
	drawn = state;
	point();
}

/** Registers the updates of the list. */
export function listen() {
	hear("tree", () => {
		showMoves();
		findNames();
	});
	hear("draw", () => showMoves());
}
