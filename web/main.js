// The page: its tabs, buttons and fields, and its initialisation.

import { hint, listenToAnalysis } from "./analysis.js";
import { startTicking, wind } from "./clocks.js";
import { closeOutside, toast } from "./dialogs.js";
import { $ } from "./dom.js";
import { ask, connect, house } from "./engine.js";
import { arrive, begin, finish, hush, leap, moveNow, refresh, reply, sitDown, step, takeBack, tell } from "./game.js";
import { GAMES } from "./games.js";
import { agree, flip, listenToPlayer, pass, resign } from "./input.js";
import { listenToMoves } from "./movelist.js";
import { edits, listenToRecords, listGames, openFragment } from "./records.js";
import { chosenStart, knowLevels, say, translate } from "./settings.js";
import { listenForSounds } from "./sounds.js";
import { hear, page, play, send, settings } from "./state.js";
import { clear, keep, keepAlways, own, remember, resume, save } from "./store.js";
import { listenToNotes } from "./study.js";
import { render } from "./table.js";
import { listenToTold } from "./told.js";

/** Initialises the tabs of the page. A new tab needs only a button and a section. */
function tabs() {
	const all = [...document.querySelectorAll('[role="tab"]')];
	const choose = (tab, focus) => {
		for (const one of all) {
			const on = one === tab;
			one.setAttribute("aria-selected", String(on));
			one.tabIndex = on ? 0 : -1;
			$(one.getAttribute("aria-controls")).hidden = !on;
		}
		if (tab.id === "tab-position") listGames();
		if (tab.id === "tab-learn") learn();
		send("tab", tab.id);
		if (focus) tab.focus();
	};
	all.forEach((tab, n) => {
		tab.addEventListener("click", () => choose(tab));
		tab.addEventListener("keydown", (event) => {
			const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
			if (by) choose(all[(n + by + all.length) % all.length], true);
		});
	});
	choose(all[0]);
}

/** Loads lessons and problems when they are first opened. */
async function learn() {
	try {
		await (await import("./learn.js")).open();
	} catch {
		tell(say("lost-short"), "refused", { word: "again", run: learn });
	}
}

/** Connects a field to a setting. */
function field(id, name, read = (target) => target.value, then = () => {}) {
	$(id).addEventListener("change", ({ target }) => {
		settings[name] = read(target);
		keep();
		then();
	});
}

const checked = (target) => target.checked;

function showSettings() {
	for (const [id, name] of [
		["strict", "strict"],
		["table-mode", "tableMode"],
		["coordinates", "coordinates"],
		["sound", "sound"],
		["truth-on", "truth"],
	])
		$(id).checked = settings[name];
	for (const part of ["main", "byoyomi", "increment"]) $(`own-${part}`).value = settings.ownClock[part];
	document.body.classList.toggle("no-coordinates", !settings.coordinates);
}

/** A new time control applies to the next game, or immediately if no move has been made. */
function clockChosen() {
	$("own-clock").hidden = settings.clock !== "own";
	if (play.tree.root.children.length) {
		toast(say("next-game-clock"), null, null, 5);
		return;
	}
	wind();
	save();
	render();
}

/** A new start position applies immediately if no move has been made. */
function startChosen() {
	if (play.tree.root.children.length) toast(say("next-game-start"), null, null, 5);
	else begin(play.name, chosenStart(), play.side);
}

function listenToFields() {
	$("game").addEventListener("change", ({ target }) => {
		$("start").value = "even";
		begin(target.value);
	});
	$("look").addEventListener("change", ({ target }) => {
		settings.looks = { ...settings.looks, [play.game.kind]: target.value };
		keep();
		render();
		edits();
	});
	const inLanguage = () => {
		hush();
		translate();
		send("language");
		send("tree");
		render();
		if (!$("elsewhere").hidden) elsewhere(house);
	};
	field("language", "language", undefined, inLanguage);
	field("theme", "theme", undefined, () => (document.documentElement.dataset.theme = settings.theme));
	field("level", "level", (target) => Number(target.value));
	field("thinking", "thinking", (target) => Number(target.value));
	field("entering", "entering", undefined, refresh);
	field("strict", "strict", checked);
	field("table-mode", "tableMode", checked, render);
	field("coordinates", "coordinates", checked, showSettings);
	field("sound", "sound", checked);
	field("clock", "clock", undefined, clockChosen);
	for (const part of ["main", "byoyomi", "increment"])
		$(`own-${part}`).addEventListener("change", ({ target }) => {
			const value = Math.max(0, Math.min(600, Math.round(Number(target.value)) || 0));
			settings.ownClock = { ...settings.ownClock, [part]: value };
			target.value = value;
			keep();
			clockChosen();
		});
	field("side", "side", undefined, () => sitDown(settings.side));
	for (const id of ["start", "setup-b", "setup-w"]) $(id).addEventListener("change", startChosen);
}

function listenToButtons() {
	const on = (id, act) => $(id).addEventListener("click", act);
	// A custom position is used again for the new game, but the position of a lesson is not.
	on("new", () => begin(play.name, $("start").value === "custom" && play.id ? play.start : chosenStart()));
	on("takeback", takeBack);
	on("hint", hint);
	on("flip", flip);
	on("pass", pass);
	on("resign", resign);
	on("agree", agree);
	on("declare", () => play.view?.declare && finish(play.view.side, "declare"));
	on("move-now", moveNow);
	on("settings-open", () => $("settings").showModal());
	on("settings-close", () => $("settings").close());
	closeOutside($("settings"));
	for (const button of document.querySelectorAll("[data-go]"))
		button.addEventListener("click", () => {
			const to = button.dataset.go;
			if (to === "first" || to === "last") leap(to === "last");
			else step(Number(to));
		});
	hear("settings", keep);
}

/** Shows a note if the port is not the usual one: games stored under the usual address are not visible then. */
function elsewhere({ usual }) {
	$("elsewhere").hidden = !usual;
	if (usual) $("elsewhere").textContent = say("elsewhere", usual);
}

function listenToEngine() {
	hear("house", elsewhere);
	hear("loading", (share) => tell(say("loading-engine", Math.round(share * 100))));
	hear("broken", (why) => tell(say("broken", why), "refused"));
	hear("lost", () => {
		page.thinking = page.moving = false;
		page.epoch++;
		page.lost = true;
		hush();
		render();
	});
	hear("connected", async (first) => {
		const lost = page.lost;
		page.lost = false;
		if (first && !lost) return;
		tell(say("found-again"));
		if (await refresh()) reply();
	});
}

/** Stores the page for offline use, if the browser allows it. */
function keepOffline() {
	if (!("serviceWorker" in navigator) || document.documentElement.dataset.version.startsWith("@")) return;
	navigator.serviceWorker.register("worker-cache.js").catch(() => {});
}

async function main() {
	remember();
	const linked = /^#[gp]=/.test(location.hash);
	const resumed = await resume();
	if (!resumed) {
		clear(settings.game, null, settings.side);
		wind();
	}
	if (!GAMES[play.name]) clear("shogi", null, settings.side);
	tabs();
	showSettings();
	translate();
	listenToFields();
	listenToButtons();
	listenToPlayer();
	listenToAnalysis();
	listenToNotes();
	listenToMoves();
	listenToTold();
	listenToRecords();
	listenToEngine();
	listenForSounds();
	keepAlways();
	startTicking();
	connect();
	ask({ ask: "levels" })
		.then(knowLevels)
		.catch(() => {});
	await arrive();
	if (linked) await openFragment();
	document.documentElement.dataset.ready = "true";
	setTimeout(own, 1500);
	keepOffline();
}

main();
