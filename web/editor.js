// The position editor: pieces from a palette are placed on squares and in hands.

import { fill } from "./dom.js";
import { draw } from "./pieces.js";
import { readSfen, split, writeSfen } from "./sfen.js";

export class Editor {
	#game;
	#state;
	#tool = null;

	/** Starts editing a position. */
	constructor(game, sfen) {
		this.#game = game;
		this.#state = readSfen(sfen, game);
	}

	/** The position as a view for the board. */
	get view() {
		return {
			...this.#state,
			legal: [],
			moves: [],
			check: null,
			last: null,
			over: null,
		};
	}

	/** The current position as SFEN. */
	get sfen() {
		return writeSfen(this.#state, this.#game);
	}

	/** The first fault of the position: its keyword, with the side or piece concerned; `null` if the page finds none. */
	get fault() {
		const { board, hands } = this.#state;
		const { kind, files, ranks } = this.#game;
		const royal = kind === "dobutsu" ? "L" : "K";
		const all = Object.entries(board);
		if (!all.length) return { word: "fault-empty" };
		for (const side of ["b", "w"]) {
			const kings = all.filter(([, piece]) => piece === (side === "b" ? royal : royal.toLowerCase())).length;
			if (kings !== 1) return { word: kings ? "fault-kings" : "fault-no-king", side };
		}
		const count = {};
		const add = (letter, number) => (count[letter] = (count[letter] ?? 0) + number);
		for (const [, piece] of all) add(piece.replace("+", "").toUpperCase(), 1);
		for (const hand of Object.values(hands)) for (const [letter, number] of Object.entries(hand)) add(letter, number);
		const most = new Map();
		for (const piece of this.#game.start.split(" ")[0].match(/[a-z]/gi))
			most.set(piece.toUpperCase(), (most.get(piece.toUpperCase()) ?? 0) + 1);
		for (const [letter, number] of Object.entries(count))
			if (number > (most.get(letter) ?? 0)) return { word: "fault-many", letter };
		if (kind !== "shogi") return null;
		for (const [square, piece] of all) {
			const { letter, whose } = split(piece);
			const rank = square.charCodeAt(1) - 96;
			const left = whose === "b" ? rank - 1 : ranks - rank;
			if (left < { P: 1, L: 1, N: 2 }[letter]) return { word: "fault-stuck", letter };
		}
		for (let file = 1; file <= files; file++)
			for (const pawn of ["P", "p"])
				if (all.filter(([square, piece]) => piece === pawn && square[0] === String(file)).length > 1)
					return { word: "why-two-pawns" };
		return null;
	}

	/** Empties the board and the hands. */
	clear() {
		Object.assign(this.#state, { board: {}, hands: { b: {}, w: {} } });
	}

	/** Changes the side to move. */
	turn() {
		this.#state.side = this.#state.side === "b" ? "w" : "b";
	}

	/** Places the selected piece on a square, or removes the piece there. */
	touch(square) {
		const { board } = this.#state;
		if (!this.#tool || board[square] === this.#tool) delete board[square];
		else board[square] = this.#tool;
	}

	/** Adds the selected piece to a hand (`more`), or removes one. */
	hold(whose, letter, more) {
		const hand = this.#state.hands[whose];
		hand[letter] = Math.max(0, (hand[letter] ?? 0) + (more ? 1 : -1));
		if (!hand[letter]) delete hand[letter];
	}

	/** Draws the palette: pieces for the board, and buttons that add to the hands. */
	palette(element, look, say, onChange) {
		const game = this.#game;
		const letters = game.letters.flatMap((letter) => [
			letter,
			...(game.promotes[letter] ? [game.promotes[letter]] : []),
		]);
		const button = (html, label, pressed, act) => {
			const out = document.createElement("button");
			out.type = "button";
			out.innerHTML = `<span class="unseen">${label}</span>${html}`;
			if (pressed !== null) out.setAttribute("aria-pressed", pressed);
			out.onclick = () => {
				act();
				onChange();
			};
			return out;
		};
		const rows = [];
		for (const whose of ["b", "w"]) {
			const row = document.createElement("div");
			row.className = "palette-row";
			for (const letter of letters) {
				const piece = whose === "b" ? letter : letter.toLowerCase();
				const label = `${say(`${game.kind}-${whose}`)} ${say.piece(game, letter, whose)}`;
				const made = button(
					draw(game, piece, look, whose === "w"),
					label,
					this.#tool === piece,
					() => (this.#tool = piece),
				);
				made.dataset.tool = piece;
				row.append(made);
			}
			rows.push(row);
		}
		const erase = button(
			'<span aria-hidden="true">✕</span>',
			say("eraser"),
			this.#tool === null,
			() => (this.#tool = null),
		);
		erase.dataset.tool = "";
		rows[1].append(erase);
		for (const whose of game.hand.length ? ["b", "w"] : []) {
			const row = document.createElement("div");
			row.className = "palette-row hands";
			row.append(say("hand-of", say(`${game.kind}-${whose}`), ""));
			for (const letter of game.hand) {
				const piece = whose === "b" ? letter : letter.toLowerCase();
				const label = say("hand-of", say(`${game.kind}-${whose}`), say.piece(game, letter, whose));
				const made = button(`${draw(game, piece, look, whose === "w")}<b aria-hidden="true">+</b>`, label, null, () =>
					this.hold(whose, letter, true),
				);
				made.dataset.add = `${whose}:${letter}`;
				row.append(made);
			}
			rows.push(row);
		}
		const help = document.createElement("p");
		help.className = "small";
		help.textContent = say("edit-help");
		fill(element, help, ...rows);
	}
}
