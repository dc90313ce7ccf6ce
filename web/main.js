// The page: its buttons and fields, and its initialisation.

import { startTicking, wind } from "./clocks.js";
import { closeOutside, toast } from "./dialogs.js";
import { $ } from "./dom.js";
import { ask, connect, house, isAlone } from "./engine.js";
import {
	arrive,
	begin,
	finish,
	hush,
	leap,
	moveNow,
	outline,
	refresh,
	reply,
	sitDown,
	step,
	takeBack,
	tell,
} from "./game.js";
import { GAMES } from "./games.js";
import { listenToHome } from "./home.js";
import { chosenStart, knowLevels, say, translate } from "./settings.js";
import { hear, other, page, play, send, settings, startSfen } from "./state.js";
import { clear, keep, keepAlways, keptTask, own, remember, restore, resume, save } from "./store.js";
import { render } from "./table.js";
import { enter, listenToTasks, startFragment } from "./tasks.js";

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
		["remarks", "remarks"],
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

async function speak() {
	await translate();
	hush();
	send("language");
	send("tree");
	render();
	if (!$("elsewhere").hidden) elsewhere(house);
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
		send("look");
	});
	field("language", "language", undefined, () =>
		speak().catch(() => tell(say("lost-short"), "refused", { word: "again", run: speak })),
	);
	field("theme", "theme", undefined, () => (document.documentElement.dataset.theme = settings.theme));
	field(
		"level",
		"level",
		(target) => Number(target.value),
		() => {
			send("levels");
			render();
		},
	);
	field("thinking", "thinking", (target) => Number(target.value));
	field("entering", "entering", undefined, refresh);
	field("strict", "strict", checked);
	field("table-mode", "tableMode", checked, render);
	field("coordinates", "coordinates", checked, showSettings);
	field("sound", "sound", checked);
	field("remarks", "remarks", checked);
	field("clock", "clock", undefined, clockChosen);
	for (const part of ["main", "byoyomi", "increment"])
		$(`own-${part}`).addEventListener("change", ({ target }) => {
			const value = Math.max(0, Math.min(600, Math.round(Number(target.value)) || 0));
			settings.ownClock = { ...settings.ownClock, [part]: value };
			target.value = value;
			keep();
			clockChosen();
		});
	field("side", "side", undefined, () => {
		// In the dialog for a new game, the side is that of the next game.
		if (!$("setup").open || !play.tree.root.children.length) sitDown(settings.side);
		send("levels");
	});
	for (const id of ["start", "setup-b", "setup-w"]) $(id).addEventListener("change", startChosen);
}

/** Starts the game that the dialog describes. */
async function newGame() {
	$("setup").close();
	enter("play");
	// A custom position is used again for the new game, but the position of a lesson is not.
	await begin(play.name, $("start").value === "custom" && play.id ? play.start : chosenStart());
}

function listenToButtons() {
	const on = (id, act) => $(id).addEventListener("click", act);
	on("new", newGame);
	on("takeback", takeBack);
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
	hear("flag", (side) => finish(other(side), "time"));
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

/** Puts the game of a page that is one file on the board. */
function openSaved() {
	const saved = JSON.parse($("saved").textContent);
	Object.assign(settings, saved.settings);
	restore({ ...saved.kept, side: "both", clock: null });
}

/** Loads what the first sight of the page does not need. */
async function listenLater() {
	const modules = await Promise.all([
		import("./input.js"),
		import("./analysis.js"),
		import("./study.js"),
		import("./movelist.js"),
		import("./told.js"),
		import("./records.js"),
		import("./ending.js"),
		import("./sounds.js"),
	]).catch(async (error) => {
		await enter("play");
		tell(say("lost-short"), "refused", { word: "again", run: () => location.reload() });
		throw error;
	});
	for (const { listen } of modules) listen();
}

async function main() {
	remember();
	const linked = /^#[gp]=/.test(location.hash);
	if (isAlone) openSaved();
	else if (!(await resume())) {
		clear(settings.game, null, ["b", "w"].includes(settings.side) ? settings.side : "b");
		wind();
	}
	if (!GAMES[play.name]) clear("shogi", null, settings.side);
	showSettings();
	await translate();
	listenToFields();
	listenToButtons();
	listenToHome();
	listenToTasks();
	listenToEngine();
	if (!isAlone) keepAlways();
	startTicking();
	// The home needs no engine, so it is visible before the engine answers.
	play.tree.describe(startSfen(), play.game);
	if (isAlone) enter("analyse");
	else if (!location.hash) enter(keptTask() ?? "home");
	outline();
	connect();
	ask({ ask: "levels" })
		.then(knowLevels)
		.catch(() => {});
	await listenLater();
	await arrive();
	if (linked) await (await import("./records.js")).openFragment();
	else await startFragment();
	if (page.task === "loading") await enter("home");
	document.documentElement.dataset.ready = "true";
	if (!isAlone) setTimeout(own, 1500);
	keepOffline();
}

main();
