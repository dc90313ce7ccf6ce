// The end of a game: a picture of the result, and what one can do next.

import { $, button, element, fill } from "./dom.js";
import { face } from "./faces.js";
import { begin, ending } from "./game.js";
import { highest, levelName, say } from "./settings.js";
import { hear, isDuel, isLast, other, page, play, send, settings } from "./state.js";

/** A flower as teachers draw around good work. */
const FLOWER = `<svg class="flower" viewBox="0 0 100 100" aria-hidden="true"><path d="${Array.from(
	{ length: 9 },
	(_, n) => {
		const at = (angle, radius) =>
			`${(50 + radius * Math.cos(angle)).toFixed(1)} ${(50 + radius * Math.sin(angle)).toFixed(1)}`;
		const [from, to] = [(n * 2 * Math.PI) / 9, ((n + 1) * 2 * Math.PI) / 9];
		return `${n ? "" : `M${at(from, 34)}`}C${at(from - 0.1, 54)} ${at(to + 0.1, 54)} ${at(to, 34)}`;
	},
).join("")}"/><path d="M50 50c2-4 8-2 8 4 0 8-10 11-17 6-9-6-8-21 3-26 14-6 28 5 27 20"/></svg>`;

/** Starts another game: at another level, or with the colours swapped. */
function another({ level = settings.level, swap = false } = {}) {
	settings.level = level;
	$("level").value = level;
	const side = swap && isDuel() ? other(play.side) : play.side;
	if (isDuel()) settings.side = $("side").value = side;
	send("settings");
	return begin(play.name, play.start, side);
}

/** The picture of the result from the point of view of the player. */
function picture(winner) {
	if (!isDuel()) return winner ? FLOWER : "";
	return winner === play.side ? FLOWER : face(settings.level);
}

/** Shows or hides what one can do after the game. */
function show() {
	const over = ending();
	const on = Boolean(over && isLast() && page.task === "play" && play.id && !page.editor);
	document.body.classList.toggle("ended", on);
	$("end").hidden = !on;
	if (!on) {
		fill($("end"));
		return;
	}
	const act = (id, word, run, properties = {}) => button(say(word), run, { id, ...properties });
	const duel = isDuel();
	fill(
		$("end"),
		element("span", { className: "picture", html: picture(over.winner) }),
		act("again", "once-more", () => another(), { className: "main" }),
		act("rematch", "rematch", () => (duel ? another({ swap: true }) : rematch())),
		duel && settings.level > 0
			? act("easier", "easier", () => another({ level: settings.level - 1 }), { title: levelName(settings.level - 1) })
			: null,
		duel && settings.level < highest()
			? act("harder", "harder", () => another({ level: settings.level + 1 }), { title: levelName(settings.level + 1) })
			: null,
		act("mistakes", duel ? "my-mistakes" : "see-mistakes", () => send("mistakes")),
	);
}

/** Another game of two people at one table: the names change sides. */
async function rematch() {
	const swapped = { 先手: "後手", 後手: "先手" };
	const headers = play.headers.filter(([name]) => name in swapped).map(([name, value]) => [swapped[name], value]);
	await another();
	play.headers = headers;
	send("draw");
}

/** A small celebration of a win. */
function celebrate() {
	const over = ending();
	if (page.task !== "play" || !over?.winner || over.winner !== play.side) return;
	const party = element("div", { className: "party", "aria-hidden": "true" });
	for (let n = 0; n < 36; n++) {
		const piece = element("i");
		piece.style.setProperty("--x", `${Math.random() * 100}vw`);
		piece.style.setProperty("--late", `${Math.random() * 0.7}s`);
		piece.style.setProperty("--hue", Math.floor(Math.random() * 360));
		party.append(piece);
	}
	document.body.append(party);
	setTimeout(() => party.remove(), 4000);
}

/** Registers the updates of the end of the game. */
export function listen() {
	hear("draw", show);
	hear("language", show);
	hear("moved", celebrate);
	hear("ended", celebrate);
}
