// The home: the games as pictures of their boards, each with what one can do, and the way back to the last game.

import { lines } from "./board.js";
import { $, button, element, fill } from "./dom.js";
import { GAMES } from "./games.js";
import { draw } from "./pieces.js";
import { say, traditional } from "./settings.js";
import { readSfen, split } from "./sfen.js";
import { hear, isOver, page, play, send, settings } from "./state.js";
import { games } from "./store.js";
import { LANGUAGES, TONGUES } from "./words.js";

/** A small picture of a position. */
function miniature(game, sfen, turned = false) {
	const { board } = readSfen(sfen, game);
	const style = traditional(game);
	const pieces = Object.entries(board).map(([square, piece]) => {
		const [x, y] = [game.files - Number(square[0]), square.charCodeAt(1) - 97];
		const [column, row] = turned ? [game.files - 1 - x, game.ranks - 1 - y] : [x, y];
		return draw(game, piece, style, (split(piece).whose === "w") !== turned).replace(
			"<svg ",
			`<svg x="${column * 100 + 2}" y="${row * 100 + 2}" width="96" height="96" `,
		);
	});
	const size = `width="${game.files * 100}" height="${game.ranks * 100}"`;
	return `<svg class="mini" viewBox="-16 -16 ${game.files * 100 + 32} ${game.ranks * 100 + 32}" aria-hidden="true"><rect class="plank" x="-16" y="-16" width="${game.files * 100 + 32}" height="${game.ranks * 100 + 32}" rx="14"/>${lines(game).replace("<svg ", `<svg ${size} `)}${pieces.join("")}</svg>`;
}

/** A button that starts a task of a game. */
const starter = (name, task, properties = {}) =>
	button(say(`tab-${task}`), () => send("start", name, task), { data: { start: `${name}:${task}` }, ...properties });

function card(kind) {
	const game = GAMES[kind];
	const variants = Object.keys(GAMES).filter((name) => GAMES[name].kind === kind);
	const variant = ([word, about, onclick]) =>
		element(
			"li",
			{},
			element(
				"button",
				{ type: "button", onclick, data: { act: word } },
				element("b", { textContent: say(word) }),
				element("span", { textContent: say(about) }),
			),
		);
	const others = [
		...variants.slice(1).map((name) => [`game-${name}`, `about-${name}`, () => send("start", name, "play")]),
		["two-players", "about-two-players", () => send("start", kind, "table")],
		["choose-opponent", "about-opponents", () => send("setup", kind)],
	];
	return element(
		"article",
		{ className: `card ${kind}` },
		element("button", {
			type: "button",
			className: "picture",
			tabIndex: -1,
			"aria-hidden": "true",
			html: miniature(game, game.start),
			onclick: () => send("start", kind, "play"),
		}),
		element("h2", { textContent: say(`kind-${kind}`) }),
		element("p", { textContent: say(`kind-${kind}-is`) }),
		element(
			"div",
			{ className: "choices" },
			starter(kind, "play", { className: "main" }),
			starter(kind, "learn"),
			starter(kind, "solve"),
		),
		element("ul", { className: "variants" }, ...others.map(variant)),
	);
}

/** The way back to a game that is not over. */
function goOn() {
	if (!play.id || play.tree.root.children.length === 0 || isOver()) return null;
	const sfen = play.view?.sfen ?? play.start ?? play.game.start;
	return element(
		"button",
		{ type: "button", id: "go-on", onclick: () => send("enter", "play") },
		element("span", { html: miniature(play.game, sfen, play.side === "w") }),
		element("b", { textContent: say("go-on") }),
		element("span", { textContent: `${say(`game-${play.name}`)} · ${say("moves-count", play.tree.main().length)}` }),
	);
}

/** A first step for those who have not played here before. */
const firstStep = () =>
	element(
		"div",
		{ className: "first" },
		element("span", {
			html: `<svg viewBox="0 0 100 100" aria-hidden="true">${draw(GAMES.dobutsu, "C", "pictures", false)}</svg>`,
		}),
		element("p", { textContent: say("first-step") }),
		button(say("first-step-act"), () => send("start", "dobutsu", "learn"), { className: "main" }),
	);

/** Draws the home. */
export function showHome() {
	if (page.task !== "home") return;
	const also = [
		["analyse-game", () => send("enter", "analyse", "position")],
		["editor", () => send("edit")],
		["rules-all", () => send("enter", "analyse", "rules")],
	];
	const tongue = (language) =>
		button(TONGUES[language], () => speak(language), {
			lang: language,
			"aria-pressed": String(language === settings.language),
		});
	fill(
		$("home"),
		element(
			"div",
			{ className: "hero" },
			element("h1", { id: "home-title", textContent: say("home-title") }),
			element("p", { textContent: say("home-line") }),
		),
		goOn() ?? (games().length < 2 ? firstStep() : null),
		element("div", { className: "games" }, card("shogi"), card("janggi"), card("dobutsu")),
		element(
			"div",
			{ className: "also" },
			...also.map(([word, run]) => button(say(word), run, { data: { act: word } })),
		),
		element("div", { className: "tongues" }, ...LANGUAGES.map(tongue)),
	);
}

/** Changes the language. */
function speak(language) {
	$("language").value = language;
	$("language").dispatchEvent(new Event("change"));
}

/** Registers the updates of the home. */
export function listenToHome() {
	hear("language", showHome);
	hear("position", showHome);
}
