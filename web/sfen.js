// Reads and writes SFEN, and makes moves without checking them: only the engine decides which moves are legal.

/** The squares of a board in reading order, seen from black's side. */
export function squares(game) {
	const out = [];
	for (let rank = 0; rank < game.ranks; rank++)
		for (let file = game.files; file >= 1; file--) out.push(`${file}${String.fromCharCode(97 + rank)}`);
	return out;
}

/** Splits a piece of an SFEN into its capital letter and its side. */
export function split(piece) {
	const whose = piece === piece.toUpperCase() ? "b" : "w";
	return { letter: piece.toUpperCase(), whose };
}

/** Returns the board, the side to move and the hands of an SFEN. */
export function readSfen(sfen, game) {
	const [rows, side, hands] = sfen.split(" ");
	const board = {};
	rows.split("/").forEach((row, rank) => {
		let file = game.files;
		for (const [part] of row.matchAll(/\+?[a-zA-Z]|\d/g)) {
			if (/\d/.test(part)) file -= Number(part);
			else board[`${file--}${String.fromCharCode(97 + rank)}`] = part;
		}
	});
	const held = { b: {}, w: {} };
	for (const [, count, letter] of (!hands || hands === "-" ? "" : hands).matchAll(/(\d*)([a-zA-Z])/g)) {
		const whose = letter === letter.toUpperCase() ? "b" : "w";
		held[whose][letter.toUpperCase()] = Number(count || 1);
	}
	return { board, side, hands: held };
}

/** Returns the SFEN of a board, a side to move and hands. */
export function writeSfen({ board, side, hands }, game) {
	const rows = [];
	for (let rank = 0; rank < game.ranks; rank++) {
		let row = "";
		let gap = 0;
		for (let file = game.files; file >= 1; file--) {
			const piece = board[`${file}${String.fromCharCode(97 + rank)}`];
			if (!piece) gap++;
			else {
				row += (gap || "") + piece;
				gap = 0;
			}
		}
		rows.push(row + (gap || ""));
	}
	let held = "";
	for (const whose of ["b", "w"])
		for (const letter of game.hand) {
			const count = hands[whose][letter] || 0;
			const text = whose === "b" ? letter : letter.toLowerCase();
			if (count) held += (count > 1 ? count : "") + text;
		}
	return `${rows.join("/")} ${side} ${held || "-"} 1`;
}

/** Parses a USI move in a position (`board` and `side`) and adds the moving and the captured piece. */
export function readMove(usi, { board, side }) {
	const drop = usi.indexOf("*") === 1;
	const from = drop ? null : usi.slice(0, 2);
	const to = usi.slice(2, 4);
	const letter = side === "b" ? usi[0] : usi[0].toLowerCase();
	const pass = from === to;
	return {
		usi,
		from,
		to,
		side,
		piece: drop ? letter : board[from],
		captured: pass ? null : board[to],
		pass,
	};
}

/** Makes a move in a position (`board`, `hands` and `side`). */
export function makeMove(position, { usi, piece, from, to, captured, pass, side }) {
	const { board, hands } = position;
	position.side = side === "b" ? "w" : "b";
	if (pass) return;
	if (from) delete board[from];
	else if (hands) hands[side][usi[0]] = (hands[side][usi[0]] ?? 1) - 1;
	if (captured && hands) {
		const letter = captured.replace("+", "").toUpperCase();
		hands[side][letter] = (hands[side][letter] ?? 0) + 1;
	}
	// USI marks every promotion with `+`, including that of a chick, which is not optional.
	board[to] = usi.endsWith("+") ? `+${piece}` : piece;
}
