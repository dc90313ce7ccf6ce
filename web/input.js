// Player input on the board: clicks, drags, keys, the wheel, and typed moves.

import { hint } from "./analysis.js";
import { closeOutside, confirm, menu, toast } from "./dialogs.js";
import { $ } from "./dom.js";
import { ask } from "./engine.js";
import {
	finish,
	hush,
	isFacing,
	leap,
	leavePreview,
	make,
	mayAct,
	mayPrepare,
	moveNow,
	ownerIn,
	step,
	takeBack,
	tell,
	whenSettled,
	whyNot,
} from "./game.js";
import { moveName, readTyped, squareName } from "./notation.js";
import { draw } from "./pieces.js";
import { agreed } from "./points.js";
import { copyText, edit, shownSfen } from "./records.js";
import { look, pieceName, say, sideName } from "./settings.js";
import { readMove, split } from "./sfen.js";
import {
	hear,
	isDuel,
	isEngine,
	isOver,
	other,
	page,
	play,
	question,
	send,
	settings,
	shown,
	showsTruth,
} from "./state.js";
import { toggleShape } from "./study.js";
import { board, flip, handlers, render } from "./table.js";
import { everyone } from "./words.js";

/** Minimum length of a swipe, in pixels. */
const SWIPE = 45;

/** Number of target squares above which they are counted instead of read out. */
const MANY = 20;

const announce = (text) => ($("speech").textContent = text);

const owner = (place) => ownerIn(shown(), place);

function mayPick(place) {
	return !page.editor && mayAct() && owner(place) === shown().side;
}

/** The prefix of the USI moves of the piece on a square or in hand. */
const prefix = (place) => (place.includes(":") ? `${place.slice(2)}*` : place);

/** The moves of the selected piece. Passes, which have a separate button, are not among the general's moves. */
function ways() {
	if (!page.picked || owner(page.picked) !== shown().side) return [];
	const start = prefix(page.picked);
	return shown().legal.filter((usi) => usi.startsWith(start) && usi.slice(2, 4) !== page.picked);
}

/** Selects a piece. */
function pick(place) {
	page.picked = place;
	hush();
	render();
	const piece = place.includes(":") ? place.slice(2) : shown().board[place];
	const targets = [...new Set(ways().map((usi) => squareName(usi.slice(2, 4), play.game, say)))];
	const name = place.includes(":") ? say.piece(play.game, piece, place[0]) : pieceName(piece);
	if (mayPrepare()) announce(name);
	else if (targets.length > MANY) announce(say("picked-many", name, targets.length));
	else announce(targets.length ? say("picked", name, targets.join(", ")) : say("picked-stuck", name));
}

/** Selects or deselects a piece while the engine is thinking; it can move once the engine has moved. */
function prepare(place) {
	if (!mayPrepare() || owner(place) !== play.side) whyNot();
	else if (page.picked === place) drop();
	else pick(place);
}

/** Deselects the piece. */
function drop() {
	if (!page.picked) return;
	page.picked = null;
	render();
	announce(say("put-down"));
}

/**
 * Marks the selected piece and its targets. In a solved game, also shows the values of its moves or, if no piece is
 * selected, the value of the best move of each piece.
 */
function mark() {
	const view = shown();
	const truth = page.preview || !showsTruth() ? null : play.truth;
	if (!view || page.editor) {
		board.mark(null);
		return;
	}
	const moves = ways();
	const badge = (move) => ({ kind: move.value, text: move.plies ?? "=" });
	const [marks, best] = [{}, {}];
	for (const usi of moves) if (truth?.[usi]) marks[usi.slice(2, 4)] = badge(truth[usi]);
	if (truth && !page.picked && mayAct())
		for (const move of Object.values(truth)) {
			const place = move.usi[1] === "*" ? `${view.side}:${move.usi[0]}` : move.usi.slice(0, 2);
			best[place] ??= badge(move);
		}
	board.mark(
		page.picked,
		moves.map((usi) => usi.slice(2, 4)),
		marks,
		best,
	);
}

function touchHand(place) {
	if (page.editor) {
		page.editor.hold(place[0], place.slice(2), false);
		send("edited");
		render();
		return;
	}
	whenSettled(() => {
		if (!mayAct()) prepare(place);
		else if (page.picked === place) drop();
		else if (place[0] !== shown().side) refuse("not-yours");
		else pick(place);
	});
}

/** Handles a click on a square, or a piece dropped on it. */
const touch = (square, dragged = false) => whenSettled(() => act(square, dragged));

async function act(square, dragged) {
	if (page.editor) {
		page.editor.touch(square);
		hush();
		send("edited");
		render();
		return;
	}
	if (!mayAct()) {
		prepare(square);
		return;
	}
	const view = shown();
	const own = owner(square) === view.side;
	if (!page.picked) {
		if (own) pick(square);
		else if (owner(square)) refuse("not-yours");
		else tell(say("pick-first"));
		return;
	}
	if (square === page.picked) {
		drop();
		return;
	}
	const start = prefix(page.picked) + square;
	const moves = view.legal.filter((usi) => usi.startsWith(start));
	if (moves.length > 1) {
		const promote = await askPromotion(page.picked, square);
		if (shown() !== view) return;
		if (promote === null) drop();
		else make(promote ? `${start}+` : start, { still: dragged });
		return;
	}
	if (moves.length) {
		make(moves[0], { still: dragged });
		return;
	}
	if (own && !dragged) {
		pick(square);
		return;
	}
	page.picked = null;
	render();
	board.refuse(square);
	explain(start);
}

let refusing;

/** Explains why an action is not possible; the message disappears after a while. */
function refuse(word) {
	tell(say(word.startsWith("why-") ? word : `why-${word}`), "refused");
	announce($("status").textContent);
	clearTimeout(refusing);
	const text = $("status").textContent;
	refusing = setTimeout(() => {
		if ($("status").textContent !== text) return;
		hush();
		render();
	}, 6000);
}

/** Explains why a move is not legal. If illegal moves lose, ends the game. */
async function explain(usi) {
	if (page.preview) {
		refuse("unreadable");
		return;
	}
	const { node, view } = play;
	const answer = await ask({ ask: "why", ...question(), move: usi });
	if (play.node !== node) return;
	// With facing generals, moves are illegal that would otherwise expose no king.
	const bound = isFacing(view) && ["exposes", "into-check", "in-check"].includes(answer.why);
	refuse(bound ? "bikjang" : (answer.why ?? "unreadable"));
	send("refused", answer.why);
	const rule = ![
		"unreadable",
		"nothing-there",
		"not-yours",
		"not-in-hand",
		"own-piece",
		"occupied",
		"over",
		"legal",
	].includes(answer.why);
	if (settings.strict && rule && isDuel()) finish(other(view.side), "foul");
}

/** Asks, in a dialog beside the square, whether the piece promotes; `null` if the user cancels. */
function askPromotion(place, square) {
	const { letter, whose } = split(shown().board[place]);
	const cased = (text) => (whose === "b" ? text : text.toLowerCase());
	const dialog = $("promotion");
	const fill = (id, piece, word) => {
		$(id).innerHTML = `${draw(play.game, cased(piece), look(), board.isTurned(whose))}<span>${say(word)}</span>`;
	};
	fill("promote-yes", play.game.promotes[letter], "promote");
	fill("promote-no", letter, "dont-promote");
	return new Promise((resolve) => {
		let answer = null;
		const choose = (value) => () => {
			answer = value;
			dialog.close();
		};
		$("promote-yes").onclick = choose(true);
		$("promote-no").onclick = choose(false);
		closeOutside(dialog);
		dialog.onclose = () => {
			window.onresize = null;
			resolve(answer);
		};
		dialog.showModal();
		const beside = () => {
			const box = document.querySelector(`[data-square="${square}"]`).getBoundingClientRect();
			const { width, height } = dialog.getBoundingClientRect();
			const below = box.top + height + box.height < innerHeight;
			dialog.style.left = `${Math.max(4, Math.min(box.x + box.width / 2 - width / 2, innerWidth - width - 4))}px`;
			dialog.style.top = `${Math.max(4, below ? box.bottom + 2 : box.top - height - 2)}px`;
		};
		beside();
		window.onresize = beside;
	});
}

/** Passes, if the rules allow it. */
const pass = () => whenSettled(passNow);

async function passNow() {
	if (!mayAct()) {
		whyNot();
		return;
	}
	const view = shown();
	const usi = view.legal.find((move) => move.slice(0, 2) === move.slice(2));
	const general = Object.entries(view.board).find(([, piece]) => piece === (view.side === "b" ? "K" : "k"))?.[0];
	if (!usi) {
		explain(`${general}${general}`);
		return;
	}
	// A pass that ends the game is explained first.
	const after = await ask({ ask: "view", ...question(undefined, [usi]) }).catch(() => null);
	if (shown() !== view) return;
	if (after?.over && !page.preview && !(await confirm(passing(after.over), "pass"))) return;
	if (shown() === view) make(usi);
}

/** What a pass that ends the game does. */
function passing({ winner, reason }) {
	const why = say(`reason-${reason}`);
	return say("pass-ends", winner ? say("won-by", sideName(winner), why) : say("drawn-by", why));
}

/** Resigns after the player's confirmation. */
async function resign() {
	const { view, node } = play;
	if (!view || isOver() || !(await confirm(say("resign-question"), "resign"))) return;
	if (play.node !== node && !isDuel()) return;
	const loser = isDuel() ? play.side : isEngine(view.side) ? other(view.side) : view.side;
	finish(other(loser), "resign");
}

/** Ends the game by agreement at an impasse and counts the points. */
async function agree() {
	const { b, w, winner } = agreed(play.view);
	const sides = [sideName("b"), b, sideName("w"), w];
	if (!(await confirm(say("agree-question", ...sides), "agree"))) return;
	if (!winner) finish(null, "impasse");
	else finish(winner, "resign");
	toast(say("agree-result", ...sides));
}

/** Makes the typed move. */
async function typed() {
	const speakers = await everyone();
	const field = $("typed");
	const text = field.value;
	if (!mayAct()) {
		whyNot();
		return;
	}
	const found = readTyped(text, shown(), play.game, speakers);
	if (found.length === 1) {
		field.value = "";
		make(found[0]);
	} else if (found.length > 1) {
		const names = found.map((usi) => moveName(readMove(usi, shown()), play.game, say));
		tell(say("typed-several", names.join(", ")), "refused");
	} else if (/^\d[a-j]\d[a-j]\+?$|^[A-Z]\*\d[a-j]$/.test(text.trim())) explain(text.trim());
	else tell(say("typed-unknown", text), "refused");
}

/** Opens the context menu. */
function open(event, square) {
	const drawings = play.node.shapes?.length;
	const editing = Boolean(page.editor);
	menu(event.clientX, event.clientY, [
		{ word: "takeback", run: takeBack, disabled: $("takeback").disabled },
		{ word: "hint", run: hint, disabled: $("hint").disabled },
		{ word: "move-now", run: moveNow, disabled: !page.thinking },
		{ word: "flip", run: flip },
		{
			word: "circle",
			run: () => toggleShape({ to: square, colour: "g" }),
			disabled: !square || editing,
		},
		{
			word: "clear-drawings",
			run: () => toggleShape(null),
			disabled: !drawings || editing,
		},
		{
			word: "copy-position",
			run: () => copyText(`sfen ${shownSfen()}`),
		},
		{ word: "editor", run: edit, disabled: editing || !play.id },
	]);
}

const typing = (element) => element?.closest?.("input, textarea, select, dialog, .menu, [role=tablist]");

/** Handles the board's keyboard shortcuts, unless another element uses the keys. */
function keys(event) {
	if (event.ctrlKey || event.metaKey || event.altKey || typing(event.target) || page.task === "home") return;
	const onBoard = board.walks && event.target.closest?.("[data-square]");
	const steps = {
		ArrowLeft: () => step(-1),
		ArrowRight: () => step(1),
		ArrowUp: () => step(-10),
		ArrowDown: () => step(10),
	};
	const rest = {
		Home: () => leap(false),
		End: () => leap(true),
		PageUp: () => step(-10),
		PageDown: () => step(10),
		Escape: () => (page.preview ? leavePreview() : drop()),
		f: flip,
		",": () => step(-1),
		".": () => step(1),
	};
	const act = (onBoard ? null : steps[event.key]) ?? rest[event.key];
	if (!act) return;
	event.preventDefault();
	act();
}

let turnedBy = 0;
/** Steps through the moves when the wheel is turned over the board. */
function wheel(event) {
	if (event.ctrlKey) return;
	event.preventDefault();
	turnedBy += event.deltaMode ? event.deltaY * 30 : event.deltaY;
	if (Math.abs(turnedBy) < 40) return;
	step(turnedBy > 0 ? 1 : -1);
	turnedBy = 0;
}

/** Makes swipes across the board or the players step through the moves, unless they drag a piece. */
function swipes(area) {
	let from = null;
	area.addEventListener(
		"touchstart",
		(event) => {
			const place = event.target.closest?.("[data-square], [data-hand]");
			const name = place?.dataset.square ?? place?.dataset.hand;
			const [touched] = event.touches;
			from = event.touches.length === 1 && !(name && mayPick(name)) ? { x: touched.clientX, y: touched.clientY } : null;
		},
		{ passive: true },
	);
	area.addEventListener("touchend", (event) => {
		if (!from || page.drawing) return;
		const [touched] = event.changedTouches;
		const [x, y] = [touched.clientX - from.x, touched.clientY - from.y];
		if (Math.abs(x) > SWIPE && Math.abs(x) > 2 * Math.abs(y)) {
			// Scrolling that has begun cannot be cancelled.
			if (event.cancelable) event.preventDefault();
			step(x < 0 ? 1 : -1);
		}
		from = null;
	});
}

/** Registers the input handlers of the player. */
export function listen() {
	Object.assign(handlers, {
		touch,
		touchHand,
		pick,
		drop,
		mayPick,
		mark,
		menu: open,
		draw: (shape, event) => {
			const colour = event.shiftKey ? "r" : event.altKey ? "b" : event.ctrlKey ? "y" : "g";
			toggleShape({ ...shape, colour });
		},
	});
	for (const [id, act] of Object.entries({ hint, flip, pass, resign, agree })) $(id).addEventListener("click", act);
	for (const id of ["player-top", "player-bottom"])
		$(id).addEventListener("click", (event) => {
			const held = event.target.closest("[data-hand]");
			if (held && (page.editor || !board.isEcho(event))) touchHand(held.dataset.hand);
		});
	document.addEventListener("keydown", keys);
	const table = document.querySelector(".table");
	table.addEventListener("wheel", wheel, { passive: false });
	swipes(table);
	$("typing").addEventListener("submit", (event) => {
		event.preventDefault();
		whenSettled(typed);
	});
	hear("moved", (node) => {
		const name = moveName(node.move, play.game, say);
		announce(`${sideName(node.move.side)}: ${name}. ${$("status").textContent}`);
	});
	hear("ended", () => announce($("status").textContent));
	hear("walked", () => announce(say("at-move", play.tree.ply(play.node))));
}
