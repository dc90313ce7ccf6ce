// The tree of a game: moves with variations, comments, marks, drawings, times and ends.
//
// A node is the position after its move (`usi`), or the `end` of a game by its KIF name. The first child of a node
// continues the main line.

import { makeMove, readMove, readSfen } from "./sfen.js";

/** The fields of a node, and their names in JSON. */
const FIELDS = {
	usi: "m",
	end: "e",
	comment: "c",
	mark: "k",
	shapes: "s",
	time: "t",
	score: "v",
	best: "b",
	clock: "x",
	check: "h",
	illegal: "i",
	bookmark: "n",
	grade: "g",
	remark: "r",
};

let next = 1;

export class Tree {
	root = { id: 0, parent: null, children: [], visited: null };
	/** Increases with every change. */
	version = 0;

	/** The nodes from the start to a node, the start included. */
	path(node) {
		const out = [];
		for (let at = node; at; at = at.parent) out.push(at);
		return out.reverse();
	}

	/** The moves that lead to a node. */
	moves(node) {
		return this.path(node)
			.slice(1)
			.map((one) => one.usi);
	}

	/** Number of moves before a node's position. */
	ply(node) {
		let out = -1;
		for (let at = node; at; at = at.parent) out++;
		return out;
	}

	/** The moves that were played in a position. */
	branches(node) {
		return node.children.filter((child) => child.usi);
	}

	/** The next move: the one visited last, or that of the main line. */
	following(node) {
		if (node.visited && node.children.includes(node.visited)) return node.visited;
		return node.children.find((child) => child.usi) ?? null;
	}

	/** The last position of the line through a node. */
	last(node) {
		let at = node;
		for (let then = at; then; then = this.following(at)) at = then;
		return at;
	}

	/** The line through a node, from the start (excluded) to its end. */
	line(node) {
		return this.path(this.last(node)).slice(1);
	}

	/** The main line, without the start. */
	main() {
		const out = [];
		for (let at = this.root; at; ) {
			at = at.children.find((child) => child.usi) ?? null;
			if (at) out.push(at);
		}
		return out;
	}

	/** The end of the game recorded after a node. */
	end(node) {
		return node.children.find((child) => child.end)?.end ?? null;
	}

	/** Every node, parents before their children, the main line first. */
	*nodes() {
		const todo = [this.root];
		while (todo.length) {
			const node = todo.pop();
			yield node;
			for (let n = node.children.length; n-- > 0; ) todo.push(node.children[n]);
		}
	}

	/** The node with this id, or `null`. */
	find(id) {
		for (const node of this.nodes()) if (node.id === id) return node;
		return null;
	}

	/** Adds a move, or returns the existing node of this move. */
	add(parent, usi) {
		const known = parent.children.find((child) => child.usi === usi);
		if (known) return known;
		const node = { id: next++, parent, usi, children: [], visited: null };
		// If the game ended here before, the move becomes the main line and the end a variation.
		parent.children.push(node);
		if (parent.children[0].end) parent.children.unshift(parent.children.pop());
		this.version++;
		return node;
	}

	/** Records how the game ended after a node; `null` removes the end. */
	finish(parent, end) {
		parent.children = parent.children.filter((child) => !child.end);
		if (end)
			parent.children.push({
				id: next++,
				parent,
				end,
				children: [],
				visited: null,
			});
		this.version++;
	}

	/** Removes a node with everything after it. */
	remove(node) {
		node.parent.children = node.parent.children.filter((child) => child !== node);
		if (node.parent.visited === node) node.parent.visited = null;
		this.version++;
	}

	/** Moves a node's line up by one at the last branch where this is possible; with `all`, makes it the main line. */
	promote(node, all = false) {
		for (let at = node; at.parent; at = at.parent) {
			const { children } = at.parent;
			const place = children.indexOf(at);
			if (place === 0) continue;
			children.splice(place, 1);
			children.splice(all ? 0 : place - 1, 0, at);
			this.version++;
			if (!all) return;
		}
	}

	/** Adds the moves of another tree of the same game that this one lacks. */
	graft(other) {
		const same = new Map([[other.root, this.root]]);
		for (const node of other.nodes())
			if (node.usi) {
				const { id, parent, children, visited, move, ...data } = node;
				const known = same.get(parent).children.some((child) => child.usi === node.usi);
				const own = this.add(same.get(parent), node.usi);
				if (!known) Object.assign(own, data);
				same.set(node, own);
			}
	}

	/** Remembers the path to a node, so that stepping forward returns to it. */
	visit(node) {
		for (let at = node; at.parent; at = at.parent) at.parent.visited = at;
	}

	/** Changes the data of a node. */
	set(node, values) {
		Object.assign(node, values);
		this.version++;
	}

	/** Determines the piece of every move; `start` is the SFEN of the first position. */
	describe(start, game) {
		const todo = [[this.root, readSfen(start, game)]];
		while (todo.length) {
			const [node, position] = todo.pop();
			const moves = this.branches(node);
			moves.forEach((child, n) => {
				const after =
					n === moves.length - 1
						? position
						: {
								board: { ...position.board },
								hands: null,
								side: position.side,
							};
				child.move ??= readMove(child.usi, after);
				// What follows an illegal move cannot be shown either.
				if (node.illegal) child.illegal = true;
				makeMove({ board: after.board, hands: null, side: after.side }, child.move);
				const { move } = child;
				todo.push([
					child,
					{
						board: after.board,
						hands: null,
						side: move.side === "b" ? "w" : "b",
					},
				]);
			});
		}
	}

	/** Board, hands and side after the moves that lead to a node. */
	position(node, start, game) {
		const out = readSfen(start, game);
		for (const usi of this.moves(node)) makeMove(out, readMove(usi, out));
		return out;
	}

	/** Returns a list for `fromJSON`. `note` is called with every node and its number in the list. */
	toJSON(note = () => {}) {
		const numbers = new Map();
		const out = [];
		for (const node of this.nodes()) {
			numbers.set(node, out.length);
			note(node, out.length);
			const json = node.parent ? { p: numbers.get(node.parent) } : {};
			for (const [name, short] of Object.entries(FIELDS)) {
				const value = node[name];
				if (value !== undefined && value !== null && value !== "" && value !== false) json[short] = value;
			}
			if (node.parent?.visited === node) json.w = 1;
			out.push(json);
		}
		return out;
	}

	/** Returns the tree of a list, and its nodes in the order of the list. */
	static fromJSON(list) {
		const tree = new Tree();
		const nodes = [];
		for (const json of list) {
			const parent = nodes[json.p];
			const node = parent ? { id: next++, parent, children: [], visited: null } : tree.root;
			for (const [name, short] of Object.entries(FIELDS)) if (json[short] !== undefined) node[name] = json[short];
			if (parent) parent.children.push(node);
			if (json.w) parent.visited = node;
			nodes.push(node);
		}
		return { tree, nodes };
	}

	/** The tree of a record as read by the engine. */
	static fromRecord(list) {
		return Tree.fromJSON(
			list.map(({ parent, usi, end, comment, bookmark, time, check, illegal }) => {
				const { text, mark, shapes } = fromComment(comment);
				return {
					p: parent,
					m: usi,
					e: end,
					c: text,
					k: mark,
					s: shapes,
					n: bookmark,
					t: time,
					h: check,
					i: illegal,
				};
			}),
		);
	}

	/** The nodes in the form in which the engine writes them to a record. */
	toRecord() {
		return this.toJSON().map(({ p, m, e, n, t, ...json }) => ({
			parent: p,
			usi: m,
			end: e,
			bookmark: n,
			time: t,
			comment: toComment(json.c, json.k, json.s),
		}));
	}
}

/** Marks and drawings are stored in comments of records, in brackets, as chess programs do. */
function toComment(text = "", mark = "", shapes = []) {
	const draw = shapes.map(({ from, to, colour }) => `${colour}${from ?? ""}${to}`).join(",");
	const lines = [mark && `[%mark ${mark}]`, draw && `[%draw ${draw}]`, text];
	return lines.filter(Boolean).join("\n") || undefined;
}

function fromComment(comment = "") {
	const shapes = [];
	let mark;
	const text = comment
		.replace(/\[%mark ([!?]{1,2})\]\n?/g, (_, found) => {
			mark = found;
			return "";
		})
		.replace(/\[%draw ([a-z0-9,]+)\]\n?/g, (_, list) => {
			for (const [, colour, from, to] of list.matchAll(/([grby])(\d[a-j])(\d[a-j])?(?:,|$)/g))
				shapes.push(to ? { from, to, colour } : { to: from, colour });
			return "";
		});
	return {
		text: text || undefined,
		mark,
		shapes: shapes.length ? shapes : undefined,
	};
}
