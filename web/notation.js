// How moves are displayed, how typed moves are read, and how scores are displayed.

import { makeMove, readMove, split } from "./sfen.js";

/** The kanji of ranks. */
export const RANKS = "一二三四五六七八九十";

const rankLetter = (rank) => String.fromCharCode(96 + rank);
const english = (file, rank) => `${file}${rankLetter(rank)}`;

/**
 * How files, ranks, squares, moves and scores are written in English. Files and ranks are numbers; the last argument is
 * the kind of game. The words of other languages replace what differs (`NOTATION`).
 */
export const ENGLISH = {
	file: (file) => file,
	rank: rankLetter,
	square: english,
	move({ kind, letter, name, from, to, captured, promotes, declines }) {
		const [piece, gap] = kind === "shogi" ? [letter, ""] : [name, " "];
		if (!from) return `${piece}${gap}*${gap}${english(...to)}`;
		const ending = promotes ? "+" : declines ? "=" : "";
		return `${piece}${gap}${english(...from)}${captured ? "x" : "-"}${english(...to)}${ending}`;
	},
	score: (centipawns) => (centipawns / 100).toFixed(1),
};

/** The file and the rank of a square as numbers. */
const numbers = (square) => [Number(square[0]), square.charCodeAt(1) - 96];

/** A square in the notation of the language. */
export const squareName = (square, game, say) => say.notation.square(...numbers(square), game.kind);

/** Whether this shogi move could have promoted its piece but did not. */
function declines({ usi, piece, from, to, side }, game) {
	if (!from || usi.endsWith("+") || !piece || !game.promotes[split(piece).letter] || game.kind !== "shogi")
		return false;
	return [from, to].some((square) => (side === "b" ? numbers(square)[1] <= 3 : numbers(square)[1] >= 7));
}

/** The text of a move `{usi, piece, from, to, captured, pass, side}`. */
export function moveName(move, game, say) {
	if (move.pass) return say("pass");
	const { letter } = split(move.piece ?? "P");
	const { usi, from, to, captured, side } = move;
	return say.notation.move({
		kind: game.kind,
		side,
		letter,
		name: say.piece(game, letter, side),
		short: say.short(game, letter, side),
		from: from && numbers(from),
		to: numbers(to),
		captured,
		promotes: usi.endsWith("+"),
		declines: declines(move, game),
	});
}

/** Formats a line of USI moves from a position. */
export function lineName(usis, view, game, say) {
	const position = { board: { ...view.board }, hands: null, side: view.side };
	return usis.map((usi) => {
		const move = readMove(usi, position);
		const text = moveName(move, game, say);
		makeMove(position, move);
		return text;
	});
}

/** Normalises a typed move: removes spaces and side marks, and converts full-width and kanji digits. */
function plain(text) {
	return text
		.normalize("NFKC")
		.replace(/[一二三四五六七八九十]/g, (c) => RANKS.indexOf(c) + 1)
		.replace(/[\s▲△☗☖▼▽・.,()→-]|x/gi, "")
		.toLowerCase();
}

/**
 * The legal moves that a typed text may mean. It may be USI, the page's notation, or that of shogi books (`P7f`,
 * `７六歩`). Several moves mean that the text is ambiguous.
 */
export function readTyped(text, view, game, speakers) {
	const wanted = plain(text);
	if (!wanted) return [];
	const found = view.legal.filter((usi) => {
		if (plain(usi) === wanted) return true;
		const move = readMove(usi, view);
		return [...names(move, game, speakers)].some((name) => plain(name) === wanted);
	});
	const exact = found.filter((usi) => plain(usi) === wanted);
	return exact.length ? exact : found;
}

/** The signs of drops. */
const DROPS = ["", "打", "うつ", "*", "'"];

function* names(move, game, speakers) {
	const { letter } = split(move.piece ?? "P");
	const promotes = move.usi.endsWith("+");
	const kept = declines(move, game);
	for (const [, say] of speakers) {
		yield moveName(move, game, say);
		if (move.pass) continue;
		for (const name of [say.piece(game, letter, move.side), say.short(game, letter, move.side), letter]) {
			for (const to of [squareName(move.to, game, say), move.to]) {
				const ways = promotes ? ["+", "成"] : kept ? ["", "不成", "="] : move.from ? [""] : DROPS;
				for (const way of ways) {
					yield `${to}${name}${way}`;
					yield `${name}${way === "*" || way === "'" ? way + to : to + way}`;
				}
			}
		}
	}
}

/** Converts a score for the side to move to one for black. */
export function forBlack(score, side) {
	if (!score) return null;
	const sign = side === "b" ? 1 : -1;
	return "mate" in score ? { mate: sign * score.mate } : { cp: sign * score.cp };
}

/** The text of a score, or the number of plies to mate. */
export function scoreName(score, say) {
	if (!score) return "";
	if ("mate" in score) return `${score.mate > 0 ? "+" : "−"}#${Math.abs(score.mate)}`;
	const sign = score.cp > 0 ? "+" : score.cp < 0 ? "−" : "";
	return sign + say.notation.score(Math.abs(score.cp));
}

/** Black's winning chance for a score, between 0 and 1. */
export function chance(score) {
	if (!score) return 0.5;
	if ("mate" in score) return score.mate > 0 ? 1 : 0;
	return 1 / (1 + Math.exp(-score.cp / 600));
}
