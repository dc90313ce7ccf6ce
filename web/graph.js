// The evaluation graph of a game: a click jumps to the move.

import { element, fill } from "./dom.js";
import { chance, scoreName } from "./notation.js";

/** Draws the scores (black's, one per position; missing ones are `null`) into an element. */
export function drawGraph(box, scores, at, say, onPick) {
	const known = scores.filter(Boolean).length;
	if (known < 2) {
		fill(box);
		return;
	}
	const [width, height] = [600, 160];
	const step = width / Math.max(scores.length - 1, 1);
	const points = scores
		.map((score, ply) => score && `${(ply * step).toFixed(1)},${((1 - chance(score)) * height).toFixed(1)}`)
		.filter(Boolean);
	const [first, last] = [points[0], points.at(-1)].map((point) => point.split(",")[0]);
	const html = `<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${say("evaluation")}" preserveAspectRatio="none">
      <path class="area" d="M${first},${height / 2} L${points.join(" L")} L${last},${height / 2}z"/>
      <path class="middle" d="M0 ${height / 2}H${width}"/>
      <polyline class="curve" points="${points.join(" ")}"/>
      <path class="now" d="M${at * step} 0V${height}"/>
    </svg>
    <p class="small">${say("at-move", at)}: ${scoreName(scores[at], say) || "–"}</p>`;
	const drawn = element("div", { html });
	drawn.firstElementChild.onclick = (event) => {
		const { x, width } = event.currentTarget.getBoundingClientRect();
		onPick(Math.round(((event.clientX - x) / width) * (scores.length - 1)));
	};
	fill(box, ...drawn.childNodes);
}
