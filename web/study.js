// Notes about positions: comments, marks, arrows and circles, and the order of variations.

import { confirm, menu } from "./dialogs.js";
import { $, element } from "./dom.js";
import { go } from "./game.js";
import { say } from "./settings.js";
import { hear, page, play, send } from "./state.js";
import { discard } from "./store.js";
import { board } from "./table.js";

/** The marks of moves. */
export const MARKS = ["!!", "!", "!?", "?!", "?", "??"];

/** Draws an arrow or a circle, or removes it; `null` removes all of them. */
export function toggleShape(shape) {
	if (page.editor || page.preview) return;
	const { node } = play;
	const same = (one) => one.from === shape.from && one.to === shape.to;
	const before = node.shapes ?? [];
	let shapes = shape ? before.filter((one) => !same(one)) : [];
	const again = shape && before.find(same);
	if (shape && again?.colour !== shape.colour) shapes = [...shapes, shape];
	play.tree.set(node, { shapes: shapes.length ? shapes : undefined });
	board.drawings(node.shapes ?? []);
	send("tree");
}

/** Shows the notes on the position. */
function show() {
	const { node } = play;
	const field = $("comment");
	if (document.activeElement !== field || field.dataset.node !== String(node.id)) field.value = node.comment ?? "";
	field.dataset.node = node.id;
	for (const button of $("marks").children) {
		button.setAttribute("aria-pressed", String(node.mark === button.dataset.mark));
		button.disabled = !node.usi;
	}
}

/** The context menu of a move in the move list. */
export function moveMenu(node, x, y) {
	const first = node.parent.children[0] === node;
	menu(x, y, [
		{ word: "promote-line", run: () => reorder(node, false), disabled: first },
		{
			word: "main-line",
			run: () => reorder(node, true),
			disabled: play.tree.main().includes(node),
		},
		{ word: "delete-from", run: () => remove(node) },
	]);
}

function reorder(node, all) {
	play.tree.promote(node, all);
	send("tree");
}

/** Deletes a move and everything after it; this can be undone for a while. */
export async function remove(node) {
	discard("deleted");
	const gone = play.tree.path(play.node).includes(node);
	const { parent } = node;
	play.tree.remove(node);
	send("tree");
	if (gone) await go(parent);
}

async function removeComments() {
	if (!(await confirm(say("delete-notes-question"), "delete-notes"))) return;
	discard("deleted");
	for (const node of play.tree.nodes())
		play.tree.set(node, {
			comment: undefined,
			mark: undefined,
			shapes: undefined,
		});
	send("tree");
	send("draw");
}

/** Registers the controls for annotations. */
export function listen() {
	$("comment").addEventListener("input", ({ target }) => {
		const { node } = play;
		if (target.dataset.node !== String(node.id)) return;
		play.tree.set(node, { comment: target.value });
		send("tree");
	});
	$("marks").append(
		...MARKS.map((mark) =>
			element("button", {
				type: "button",
				textContent: mark,
				data: { mark },
				"aria-label": mark,
				onclick: () => {
					play.tree.set(play.node, {
						mark: play.node.mark === mark ? undefined : mark,
					});
					send("tree");
				},
			}),
		),
	);
	$("pen").addEventListener("click", () => {
		page.drawing = !page.drawing;
		$("pen").setAttribute("aria-pressed", String(page.drawing));
		document.body.classList.toggle("drawing", page.drawing);
	});
	$("clear-drawings").addEventListener("click", () => toggleShape(null));
	$("promote-line").addEventListener("click", () => play.node.parent && reorder(play.node, true));
	$("delete-from").addEventListener("click", () => play.node.parent && remove(play.node));
	$("delete-notes").addEventListener("click", removeComments);
	hear("tree", show);
	hear("draw", show);
}
