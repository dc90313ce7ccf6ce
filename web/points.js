// The points of an impasse in shogi, shown while a king is in the enemy's camp.

import { split } from "./sfen.js";
import { play, settings } from "./state.js";

const POINTS = { R: 5, B: 5, K: 0 };
/** Points needed to win, by rule and side. */
const WINS = { CSARule27: { b: 28, w: 27 }, CSARule24: { b: 31, w: 31 } };

const inCamp = (square, whose) => (whose === "b" ? "abc" : "ghi").includes(square[1]);

/** Counts a side's points in the enemy's camp and in hand, its pieces in the camp, and whether its king is there. */
export function count(view, whose) {
	let points = 0;
	let pieces = 0;
	let king = false;
	const worth = (letter) => POINTS[letter.replace("+", "")] ?? 1;
	for (const [square, piece] of Object.entries(view.board)) {
		const { letter, whose: owner } = split(piece);
		if (owner !== whose || !inCamp(square, whose)) continue;
		if (letter === "K") king = true;
		else pieces++;
		points += worth(letter);
	}
	for (const [letter, number] of Object.entries(view.hands[whose])) points += number * worth(letter);
	return { points, pieces, king };
}

/** The text of a side's points; empty if no king is in the enemy's camp. */
export function impasse(view, whose) {
	if (play.game.kind !== "shogi" || !view.hands) return "";
	const kings = ["b", "w"].some((side) => count(view, side).king);
	if (!kings) return "";
	const wanted = WINS[settings.entering]?.[whose];
	const { points } = count(view, whose);
	return wanted ? `${points}/${wanted}` : `${points}`;
}

/** The winner when both sides agree to count all their pieces: a side with fewer than 24 points loses. */
export function agreed(view) {
	const all = (whose) => {
		let points = 0;
		for (const piece of Object.values(view.board)) {
			const { letter, whose: owner } = split(piece);
			if (owner === whose) points += POINTS[letter.replace("+", "")] ?? 1;
		}
		for (const [letter, number] of Object.entries(view.hands[whose])) points += number * (POINTS[letter] ?? 1);
		return points;
	};
	const [b, w] = [all("b"), all("w")];
	return { b, w, winner: b < 24 ? "w" : w < 24 ? "b" : null };
}

/** What the pieces of Janggi are worth when points decide, and what Han gets for moving second. */
const JANGGI = { K: 0, R: 13, C: 7, N: 5, B: 3, A: 3, P: 2 };
const HAN = 1.5;

/** The text of a side's points: in Janggi by points, and during an impasse in shogi. */
export function pointsText(view, whose) {
	if (play.name !== "janggimodern") return impasse(view, whose);
	const own = Object.values(view.board).filter((piece) => split(piece).whose === whose);
	return String(own.reduce((sum, piece) => sum + JANGGI[split(piece).letter], whose === "w" ? HAN : 0));
}

/** The pieces that a side has captured in a game without hands, the most valuable first. */
export function captured(view, whose) {
	const letters = view.moves.filter((move) => move.side === whose && move.captured).map((move) => move.captured);
	return letters.sort((a, b) => JANGGI[b.toUpperCase()] - JANGGI[a.toUpperCase()]);
}
