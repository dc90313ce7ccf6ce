// How moves are displayed, how typed moves are read, and how scores are displayed.

import { makeMove, readMove, split } from "./sfen.js";

const WIDE = "１２３４５６７８９";
const RANKS = "一二三四五六七八九十";

const rankOf = (square) => square.charCodeAt(1) - 96;

/** A square in the notation of the language. Korean records number Janggi's squares from Han's left. */
export function squareName(square, language, game) {
	if (language === "ja") return WIDE[square[0] - 1] + (game?.kind === "dobutsu" ? WIDE : RANKS)[rankOf(square) - 1];
	if (language === "ko") return koreanSquare(square, game);
	return square;
}

function koreanSquare(square, game) {
	const rank = rankOf(square);
	return game?.kind === "janggi" ? `${rank % 10}${10 - square[0]}` : `${square[0]}${rank}`;
}

/** Whether this shogi move could have promoted its piece but did not. */
function declines({ usi, piece, from, to, side }, game) {
	if (!from || usi.endsWith("+") || !piece || !game.promotes[split(piece).letter] || game.kind !== "shogi")
		return false;
	return [from, to].some((square) => (side === "b" ? rankOf(square) <= 3 : rankOf(square) >= 7));
}

/** The text of a move `{usi, piece, from, to, captured, pass, side}`. */
export function moveName(move, game, language, say) {
	const { letter } = split(move.piece ?? "P");
	const promotes = move.usi.endsWith("+");
	const kept = declines(move, game);
	if (move.pass) return say("pass");
	const to = squareName(move.to, language, game);
	if (language === "ja") {
		const sign = game.kind === "janggi" ? "" : move.side === "b" ? "▲" : "△";
		const [promoting, dropping] = game.kind === "dobutsu" ? ["なる", "うつ"] : ["成", "打"];
		const how = move.from
			? `${promotes ? promoting : kept ? "不成" : ""}(${move.from[0]}${rankOf(move.from)})`
			: dropping;
		return `${sign}${to}${say.short(game, letter, move.side)}${how}`;
	}
	if (language === "ko") {
		const name = say.short(game, letter, move.side);
		if (game.kind === "janggi") return `${koreanSquare(move.from, game)}${name}${to}`;
		const from = move.from ? `(${koreanSquare(move.from, game)})` : "놓기";
		return `${to}${name}${from}${promotes ? " 승격" : kept ? " 불승격" : ""}`;
	}
	const ending = promotes ? "+" : kept ? "=" : "";
	const shogi = game.kind === "shogi";
	const name = shogi ? letter : say.piece(game, letter, move.side);
	if (!move.from) return shogi ? `${name}*${move.to}` : `${name} * ${move.to}`;
	const way = move.captured ? "x" : "-";
	return `${name}${shogi ? "" : " "}${move.from}${way}${move.to}${ending}`;
}

/** Formats a line of USI moves from a position. */
export function lineName(usis, view, game, language, say) {
	const position = { board: { ...view.board }, hands: null, side: view.side };
	return usis.map((usi) => {
		const move = readMove(usi, position);
		const text = moveName(move, game, language, say);
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

function* names(move, game, speakers) {
	const { letter } = split(move.piece ?? "P");
	const promotes = move.usi.endsWith("+");
	const kept = declines(move, game);
	for (const [language, say] of speakers) {
		yield moveName(move, game, language, say);
		if (move.pass) continue;
		const how = promotes ? (language === "ja" ? "成" : "+") : "";
		for (const name of [say.piece(game, letter, move.side), say.short(game, letter, move.side), letter]) {
			for (const to of [squareName(move.to, language, game), move.to]) {
				const ways = promotes ? [how] : kept ? ["", "不成", "="] : move.from ? [""] : ["", "打", "うつ", "*", "'"];
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

/** The text of a score: pawns (centipawns in Japanese, as in Japanese programs), or the number of plies to mate. */
export function scoreName(score, say) {
	if (!score) return "";
	if ("mate" in score) return `${score.mate > 0 ? "+" : "−"}#${Math.abs(score.mate)}`;
	const size = Math.abs(score.cp);
	const sign = score.cp > 0 ? "+" : score.cp < 0 ? "−" : "";
	return sign + (say.language === "ja" ? size : (size / 100).toFixed(1));
}

/** Black's winning chance for a score, between 0 and 1. */
export function chance(score) {
	if (!score) return 0.5;
	if ("mate" in score) return score.mate > 0 ? 1 : 0;
	return 1 / (1 + Math.exp(-score.cp / 600));
}
