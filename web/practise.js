// What to practise after a game: the themes of the mistakes, each with the advice of a teacher (`practise-…`).

import { button, element } from "./dom.js";
import { say } from "./settings.js";
import { send } from "./state.js";

/** The facts, or the causes of gains, that belong to each theme; the first theme that matches counts. */
const THEMES = {
	mates: ["missed", "slower", "misses-seen-mate"],
	king: ["allows-mate", "allows-seen-mate", "exposes-king", "allows-threat", "loses"],
	chances: ["misses-gain"],
	forks: ["fork", "allows-fork", "also-attacks"],
	lines: [
		...["pin", "guard-pinned", "discovered-attack", "line-opened"],
		...["allows-pin", "allows-skewer", "allows-discovered-attack"],
	],
	guards: ["guard-left", "guard-blocked", "guard-taken", "guard-deflected"],
	checks: ["check", "with-check", "mate-threat"],
	promotion: ["unstoppable", "dangling-pawn", "allows-promotion", "allows-threatens-promotion"],
	safety: ["placed", "unprotected", "threatened-before", "trapped", "attacked", "hangs", "falls", "allows-attack"],
	value: ["spoils"],
};
/** Where each theme is practised, if not in the lessons. */
const SOLVED = ["mates", "king", "chances", "value"];
/** The theme of a mistake for which there is no single reason. */
const REST = "plans";
/** Number of themes that are named. */
const MOST = 2;

const themeOf = ({ fact, cause }) =>
	Object.keys(THEMES).find((theme) => THEMES[theme].some((one) => one === fact || one === cause)) ?? REST;

/** The themes of the mistakes with these remarks, the most frequent first. */
export function themes(remarks) {
	const counts = new Map();
	for (const remark of remarks) counts.set(themeOf(remark), (counts.get(themeOf(remark)) ?? 0) + 1);
	return [...counts].sort(([, a], [, b]) => b - a).slice(0, MOST);
}

/** The advice after mistakes with these remarks, as items of a list. */
export function advice(remarks) {
	return themes(remarks).map(([theme, count]) => {
		const task = SOLVED.includes(theme) ? "solve" : "learn";
		return element(
			"li",
			{ data: { theme } },
			`${say(`practise-${theme}`)}${count > 1 ? ` (×${count})` : ""} `,
			button(say(`tab-${task}`), () => send("enter", task), { data: { act: `practise-${theme}` } }),
		);
	});
}
