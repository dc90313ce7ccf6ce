// Reasons for moves, shown below the move list: why the engine suggests a move, and the report's remarks on a move.

import { $, element, fill } from "./dom.js";
import { ask } from "./engine.js";
import { say } from "./settings.js";
import { hear, page, play, question, settings } from "./state.js";
import { LANGUAGES } from "./words.js";

/** The reasons that are shown, in every language, with their heading and the position they belong to. */
let told = { node: null, heading: null, reasons: [] };

function show() {
	const { node, heading, reasons } = told;
	const language = LANGUAGES.indexOf(settings.language);
	const here = node === play.node && !page.editor && !page.preview;
	const texts = here ? [...new Set(reasons.map((texts) => texts[language]))] : [];
	$("told").hidden = !texts.length;
	fill(
		$("told"),
		element("h3", { textContent: heading && say(heading) }),
		element("ul", {}, ...texts.map((textContent) => element("li", { textContent }))),
	);
}

/** Shows the report's remark on the move that led to the position. */
function tellRemark() {
	const { node } = play;
	const { reasons = [], better = [] } = node.remark ?? {};
	told = { node, heading: "why-played", reasons: [...reasons, ...better] };
	show();
}

/** Shows the reasons for a move that the engine suggests in the displayed position. */
export async function explain(node, move) {
	const answer = await ask({ ask: "reasons", ...question(node), move }).catch(() => null);
	if (play.node !== node || !answer?.reasons) return;
	told = { node, heading: "why-suggested", reasons: answer.reasons };
	show();
}

/** Registers the updates of the reasons. */
export function listenToTold() {
	hear("position", tellRemark);
	hear("reviewed", tellRemark);
	hear("draw", show);
	hear("language", show);
}
