// Judges a move: how much it loses against the best one, and why.

import { ask, search } from "./engine.js";
import { chance } from "./notation.js";

/** The score before a move, from the score after it. A mate is one ply farther away. */
const before = ({ mate, cp }) => (mate === undefined ? { cp: -cp } : { mate: mate > 0 ? -mate - 1 : 1 - mate });

/**
 * Judges a move in the position of a question: the positions before and after it are searched with the same number of
 * nodes, and so is the position after `best`, a move that is known to be good. Returns `null` if `stays` returns false
 * in the meantime or the engine is lost.
 */
export async function judge(place, move, { best = null, nodes = 60_000, stays = () => true } = {}) {
	const { sfen } = await ask({ ask: "view", ...place });
	const at = { game: place.game, rules: place.rules, sfen, moves: [] };
	const look = async (...moves) => {
		const found = stays() ? await search({ ...at, moves }, nodes) : null;
		return stays() && found?.score ? { ...found, nodes } : null;
	};
	let first = await look();
	if (!first) return null;
	if (best && first.pv[0] !== best) {
		const next = await look(best);
		const score = next && before(next.score);
		if (next && chance(score) > chance(first.score)) first = { ...next, score, pv: [best, ...next.pv] };
	}
	const second = await look(move);
	if (!second) return null;
	const answer = await ask({ ask: "report", ...at, moves: [move], positions: [first, second] });
	if (answer.error || !stays()) return null;
	const [{ class: grade, remark }] = answer.moves;
	const loss = chance(first.score) - chance(before(second.score));
	return { grade, remark, loss, after: second.score, answer: second.pv[0] };
}
