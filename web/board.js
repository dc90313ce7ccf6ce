// The board: squares as buttons with pieces, and hands beside them. Clicks, drags and keys become moves.

import { fill } from "./dom.js";
import { draw } from "./pieces.js";
import { split, squares } from "./sfen.js";

/**
 * A board in an element. `listener` receives the player's actions (`touch`, `pick`, `drop`, ...) and provides strings.
 */
export class Board {
	#element;
	#listener;
	#game;
	#cells = new Map();
	#shown = new Map();
	#look;
	#turned = false;
	#say;
	#drag;
	#drawn = 0;
	#pointed = -Infinity;

	constructor(element, listener) {
		this.#element = element;
		this.#listener = listener;
		element.addEventListener("click", (event) => this.#click(event));
		element.addEventListener("keydown", (event) => this.#key(event));
		document.addEventListener("pointerdown", (event) => this.#grab(event));
		element.addEventListener("pointerdown", (event) => this.#sketch(event));
		// Arrow keys move between squares if the board was reached by keyboard; after a click they step through the moves.
		element.addEventListener("pointerdown", () => {
			this.#pointed = performance.now();
		});
		element.addEventListener("focusin", () => {
			if (performance.now() - this.#pointed > 300) this.#pointed = -Infinity;
		});
		element.addEventListener("contextmenu", (event) => this.#menu(event));
	}

	/** Prepares the board for a game, a piece style, an orientation and the strings of a language. */
	prepare(game, look, turned, say) {
		const same = this.#game === game && this.#turned === turned && this.#say.language === say.language;
		if (this.#look !== look || !same) this.#shown.clear();
		this.#look = look;
		if (same) return;
		this.#game = game;
		this.#turned = turned;
		this.#say = say;
		this.#build();
	}

	#build() {
		const game = this.#game;
		const order = squares(game);
		if (this.#turned) order.reverse();
		this.#cells.clear();
		const grid = document.createElement("div");
		grid.className = `grid ${game.kind}${this.#turned ? " turned" : ""}`;
		grid.setAttribute("role", "grid");
		grid.setAttribute("aria-label", this.#listener.word("board"));
		grid.innerHTML = lines(game);
		let row = null;
		for (const square of order) {
			if (!row || row.children.length === game.files) {
				row = document.createElement("div");
				row.className = "rank";
				row.setAttribute("role", "row");
				grid.append(row);
			}
			const cell = document.createElement("button");
			cell.type = "button";
			cell.setAttribute("role", "gridcell");
			cell.className = "square";
			cell.dataset.square = square;
			cell.tabIndex = -1;
			this.#cells.set(square, cell);
			row.append(cell);
		}
		grid.insertAdjacentHTML(
			"beforeend",
			'<svg class="arrows" aria-hidden="true"></svg><svg class="arrows own" aria-hidden="true"></svg>',
		);
		this.#cells.get(order[order.length - Math.ceil(game.files / 2)]).tabIndex = 0;
		const { file, rank } = this.#say.notation;
		const files = Array.from({ length: game.files }, (_, n) => file(game.files - n, game.kind));
		const ranks = Array.from({ length: game.ranks }, (_, n) => rank(n + 1, game.kind));
		if (this.#turned) {
			files.reverse();
			ranks.reverse();
		}
		const frame = document.createElement("div");
		frame.className = `frame ${game.kind}`;
		const edge = (kind, names) => {
			const row = document.createElement("div");
			row.className = `edge-${kind}`;
			row.setAttribute("aria-hidden", "true");
			row.innerHTML = names.map((name) => `<span>${name}</span>`).join("");
			return row;
		};
		frame.append(edge("files", files), grid, edge("ranks", ranks));
		frame.style.setProperty("--files", game.files);
		frame.style.setProperty("--ranks", game.ranks);
		const { style } = document.documentElement;
		style.setProperty("--files", game.files);
		style.setProperty("--ranks", game.ranks);
		style.setProperty("--kinds", game.hand.length);
		document.documentElement.dataset.kind = game.kind;
		this.#element.replaceChildren(frame);
	}

	/** Whether the pieces of a side are drawn upside down. */
	isTurned(whose) {
		return (whose === "w") !== this.#turned;
	}

	/** Makes the next drawing name every square again. */
	forget() {
		this.#shown.clear();
	}

	/** Draws the position; with `slide` ({from, to}) one piece is animated. */
	show(view, slide) {
		for (const [square, cell] of this.#cells) {
			const piece = view.board[square] || "";
			if (this.#shown.get(square) !== piece) {
				this.#shown.set(square, piece);
				cell.innerHTML = `<span class="unseen">${this.#listener.describe(square, piece)}</span>${piece ? this.#piece(piece) : ""}`;
			}
			cell.classList.toggle("last", Boolean(view.last?.includes(square)));
			cell.classList.toggle("check", view.check === square);
		}
		if (slide?.from && slide.from !== slide.to) this.#slide(slide);
	}

	#piece(piece) {
		const { whose } = split(piece);
		return `<span class="piece" data-piece="${piece}">${draw(this.#game, piece, this.#look, this.isTurned(whose))}</span>`;
	}

	#slide({ from, to }) {
		if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
		const start = this.#cells.get(from)?.getBoundingClientRect();
		const end = this.#cells.get(to)?.getBoundingClientRect();
		const piece = this.#cells.get(to)?.querySelector(".piece");
		if (!start || !end || !piece?.animate) return;
		const way = `translate(${start.x - end.x}px, ${start.y - end.y}px)`;
		piece.animate([{ transform: way }, { transform: "none" }], { duration: 120, easing: "ease-out" });
	}

	/** Draws a hand into an element. Each kind of piece has a fixed slot, so that the others never shift. */
	showHand(element, whose, hand) {
		const game = this.#game;
		const letters = this.isTurned(whose) ? [...game.hand].reverse() : game.hand;
		fill(
			element,
			...letters.map((letter) => {
				const slot = document.createElement("span");
				slot.className = "slot";
				const count = hand[letter] ?? 0;
				if (count < 1) return slot;
				const piece = whose === "b" ? letter : letter.toLowerCase();
				const button = document.createElement("button");
				button.type = "button";
				button.className = "held";
				button.dataset.hand = `${whose}:${letter}`;
				button.dataset.count = count;
				const name = this.#listener.describeHand(whose, letter, count);
				const picture = draw(game, piece, this.#look, this.isTurned(whose));
				const number = count > 1 ? `<b aria-hidden="true">${count}</b>` : "";
				button.innerHTML = `<span class="unseen">${name}</span>${picture}${number}`;
				slot.append(button);
				return slot;
			}),
		);
	}

	/** Draws captured pieces, which do not return to the board. */
	showTaken(element, pieces) {
		const picture = (piece) => {
			const taken = document.createElement("span");
			taken.className = "taken";
			taken.innerHTML = draw(this.#game, piece, this.#look, false);
			return taken;
		};
		fill(element, ...pieces.map(picture));
	}

	/**
	 * Marks the selected piece and its targets. `marks` maps squares to the values of the moves to them; `best` maps
	 * pieces on the board and in hand to the values of their best moves.
	 */
	mark(source, targets = [], marks = {}, best = {}) {
		const badge = (element, { kind = "", text = "" } = {}, corner) => {
			element.dataset.truth = kind;
			element.dataset.distance = text;
			element.classList.toggle("judged", kind !== "");
			element.classList.toggle("corner", corner);
		};
		for (const [square, cell] of this.#cells) {
			cell.classList.toggle("picked", square === source);
			cell.classList.toggle("target", targets.includes(square));
			badge(cell, marks[square] ?? best[square], square in best);
		}
		for (const held of document.querySelectorAll("[data-hand]")) {
			held.classList.toggle("picked", held.dataset.hand === source);
			badge(held, best[held.dataset.hand], true);
		}
	}

	/** Shakes a square to show that the action is not possible. */
	refuse(square) {
		const cell = this.#cells.get(square);
		if (!cell?.animate || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
		const at = (x) => ({ transform: `translateX(${x}px)` });
		cell.animate([at(0), at(-5), at(5), at(-3), at(0)], { duration: 220 });
	}

	/** Draws the engine's arrows: `[{from, to, rank}]`; drops have no origin. */
	arrows(list) {
		this.#shapes(
			".arrows:not(.own)",
			list.map(({ from, to, rank }) => ({ from, to, kind: `rank${rank}` })),
		);
	}

	/** Draws the user's arrows and circles: `[{from, to, colour}]`. */
	drawings(list) {
		this.#shapes(
			".arrows.own",
			list.map(({ from, to, colour }) => ({ from, to, kind: `own-${colour}` })),
		);
	}

	#shapes(selector, list) {
		const layer = this.#element.querySelector(selector);
		if (!layer) return;
		const { files, ranks } = this.#game;
		layer.setAttribute("viewBox", `0 0 ${files * 100} ${ranks * 100}`);
		const centre = (square) => {
			const [x, y] = [files - Number(square[0]), square.charCodeAt(1) - 97];
			const [column, row] = this.#turned ? [files - 1 - x, ranks - 1 - y] : [x, y];
			return [column * 100 + 50, row * 100 + 50];
		};
		layer.innerHTML = list.map(({ from, to, kind }) => arrow(from && centre(from), centre(to), kind)).join("");
	}

	/** Moves the keyboard focus to a square. */
	focus(square) {
		for (const cell of this.#cells.values()) cell.tabIndex = -1;
		const cell = this.#cells.get(square);
		if (!cell) return;
		cell.tabIndex = 0;
		cell.focus();
	}

	#click(event) {
		const cell = event.target.closest("[data-square]");
		if (!cell || this.isEcho(event) || this.#listener.isDrawing()) return;
		for (const other of this.#cells.values()) other.tabIndex = other === cell ? 0 : -1;
		this.#listener.touch(cell.dataset.square);
	}

	/** Whether a click ends a drag or is the second click of a double click. */
	isEcho(click) {
		return click.detail > 1 || Boolean(this.#drag?.moved && click.detail);
	}

	/** Whether the arrow keys move between squares. */
	get walks() {
		return this.#pointed < 0;
	}

	#key(event) {
		const cell = event.target.closest?.("[data-square]");
		if (event.key === "Escape") this.#listener.drop();
		const steps = {
			ArrowLeft: [-1, 0],
			ArrowRight: [1, 0],
			ArrowUp: [0, -1],
			ArrowDown: [0, 1],
		};
		const step = steps[event.key];
		if (!cell || !step || !this.walks) return;
		event.preventDefault();
		const order = [...this.#cells.keys()];
		const { files, ranks } = this.#game;
		const at = order.indexOf(cell.dataset.square);
		const [x, y] = [(at % files) + step[0], Math.floor(at / files) + step[1]];
		if (x >= 0 && x < files && y >= 0 && y < ranks) this.focus(order[y * files + x]);
	}

	/** Draws with the right button or the pen: an arrow for a drag and, with the pen, a circle for a click. */
	#sketch(event) {
		const pen = this.#listener.isDrawing();
		if (event.button !== 2 && !(pen && event.button === 0)) return;
		const from = event.target.closest?.("[data-square]")?.dataset.square;
		if (!from) return;
		if (pen) event.preventDefault();
		const end = (event) => {
			const to = document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-square]")?.dataset.square;
			if (!to) return;
			if (to === from && !pen) return;
			this.#drawn = Date.now();
			this.#listener.draw(to === from ? { to } : { from, to }, event);
		};
		document.addEventListener("pointerup", end, { once: true });
	}

	#menu(event) {
		event.preventDefault();
		// Releasing the button at the end of an arrow must not open the context menu.
		if (Date.now() - this.#drawn < 400) return;
		this.#listener.menu(event, event.target.closest?.("[data-square]")?.dataset.square);
	}

	/** Makes a piece follow the pointer once the pointer has moved a few pixels. */
	#grab(event) {
		this.#drag = undefined;
		const source = event.target.closest?.("[data-square], [data-hand]");
		if (!source || event.button !== 0 || this.#listener.isDrawing()) return;
		const name = source.dataset.square ?? source.dataset.hand;
		const picture = source.querySelector("svg");
		if (!picture || !this.#listener.mayPick(name)) return;
		const drag = { moved: false, x: event.clientX, y: event.clientY };
		const again = source.classList.contains("picked");
		this.#drag = drag;
		const move = (event) => {
			if (!drag.moved && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < 6) return;
			if (!drag.moved) {
				drag.moved = true;
				this.#listener.pick(name);
				const { width } = picture.getBoundingClientRect();
				drag.ghost = picture.cloneNode(true);
				drag.ghost.classList.add("ghost");
				drag.ghost.style.width = `${width}px`;
				document.body.append(drag.ghost);
				source.classList.add("lifted");
			}
			drag.ghost.style.left = `${event.clientX}px`;
			drag.ghost.style.top = `${event.clientY}px`;
		};
		const end = (event) => {
			document.removeEventListener("pointermove", move);
			document.removeEventListener("pointerup", end);
			document.removeEventListener("pointercancel", end);
			drag.ghost?.remove();
			source.classList.remove("lifted");
			if (!drag.moved) return;
			const under = document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-square], [data-hand]");
			const square = event.type === "pointerup" ? under?.dataset.square : null;
			// A click that moved slightly: the piece is selected, or deselected if it was selected before.
			if (under === source && !again) return;
			if (square && under !== source) this.#listener.touch(square, true);
			else this.#listener.drop();
		};
		document.addEventListener("pointermove", move);
		document.addEventListener("pointerup", end);
		document.addEventListener("pointercancel", end);
	}
}

/** An arrow between two points, or a circle around one. */
function arrow(start, [x2, y2], kind) {
	if (!start || (start[0] === x2 && start[1] === y2))
		return `<circle class="arrow ${kind}" cx="${x2}" cy="${y2}" r="40"/>`;
	const [x1, y1] = start;
	const length = Math.hypot(x2 - x1, y2 - y1);
	const [ux, uy] = [(x2 - x1) / length, (y2 - y1) / length];
	const [bx, by] = [x2 - ux * 34, y2 - uy * 34];
	const head = `M${x2 - ux * 6} ${y2 - uy * 6}L${bx - uy * 20} ${by + ux * 20}L${bx + uy * 20} ${by - ux * 20}z`;
	return `<g class="arrow ${kind}"><path class="shaft" d="M${x1 + ux * 18} ${y1 + uy * 18}L${bx} ${by}"/><path class="head" d="${head}"/></g>`;
}

/** The lines of a board as SVG, with 100 units per square. */
export function lines({ kind, files, ranks }) {
	const [width, height] = [files * 100, ranks * 100];
	let path = "";
	let extra = "";
	if (kind === "janggi") {
		// Janggi pieces are on the intersections, so the lines run through the middle of the squares.
		for (let x = 0; x < files; x++) path += `M${x * 100 + 50} 50V${height - 50}`;
		for (let y = 0; y < ranks; y++) path += `M50 ${y * 100 + 50}H${width - 50}`;
		for (const top of [50, height - 250]) path += `M350 ${top}l200 200M550 ${top}l-200 200`;
	} else {
		for (let x = 0; x <= files; x++) path += `M${x * 100} 0V${height}`;
		for (let y = 0; y <= ranks; y++) path += `M0 ${y * 100}H${width}`;
		const dots = kind === "shogi" ? [300, 600] : [];
		for (const x of dots) for (const y of dots) extra += `<circle cx="${x}" cy="${y}" r="9"/>`;
		if (kind === "dobutsu")
			extra = `<rect class="sky" width="${width}" height="100"/><rect class="wood-side" y="${height - 100}" width="${width}" height="100"/>`;
	}
	return `<svg class="lines" viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" aria-hidden="true">${extra}<path d="${path}"/></svg>`;
}
