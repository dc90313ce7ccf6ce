// Hundreds of random clicks and key presses on all controls cause no error, lose no stored game, and lead to no dead
// end.

import assert from "node:assert/strict";
import { test } from "node:test";
import * as t from "./common.mjs";

const CLICKS = Number(process.env.CLICKS ?? (t.ALL ? 1000 : 50));
const SEED = Number(process.env.SEED ?? 1);
const KEYS = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End", "Escape", "Enter", "Tab", "f"];

const open = t.together();

/** Clicks, selects an option or presses a key, as chosen by three random numbers. */
const act = (page, numbers, keys) =>
	page.evaluate(
		([what, which, how], keys) => {
			const dialog = document.querySelector("dialog[open]");
			const visible = (element) => element.checkVisibility() && !element.disabled;
			const pick = (list) => list[Math.floor(which * list.length)];
			const scope = dialog ?? document;
			const of = (selector) => [...scope.querySelectorAll(selector)].filter(visible);
			// File inputs would open a system window, and links leave the page.
			if (what < 0.4 && !dialog) pick(of("[data-square], [data-hand]"))?.click();
			else if (what < 0.75) pick(of("button:not([data-square])"))?.click();
			else if (what < 0.87) {
				const field = pick(of("select, input[type=checkbox], textarea, input[type=number]"));
				if (!field) return "nothing";
				if (field.tagName === "SELECT") field.selectedIndex = Math.floor(how * field.options.length);
				else if (field.type === "checkbox") field.checked = !field.checked;
				else field.value = ["", "7", "startpos moves 7g7f", "nonsense"][Math.floor(how * 4)];
				for (const name of ["input", "change"]) field.dispatchEvent(new Event(name, { bubbles: true }));
				return `${field.id}=${field.value}`;
			} else if (what < 0.92 && !dialog) {
				const square = pick(of("[data-square]"));
				if (!square) return "nothing";
				const { x, y } = square.getBoundingClientRect();
				square.dispatchEvent(
					new MouseEvent("contextmenu", { bubbles: true, cancelable: true, clientX: x, clientY: y, button: 2 }),
				);
			} else {
				const key = keys[Math.floor(which * keys.length)];
				if (key === "Escape" && dialog) dialog.close();
				else
					document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
			}
			return "";
		},
		numbers,
		keys,
	);

/** Number of games stored in the browser. */
const store = (page) =>
	page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith("sanban-game:")).length);

/** Closes what lies above the board, and ends modes in which clicks have another meaning. */
const close = (page) =>
	page.evaluate(() => {
		document.querySelector("dialog[open]")?.close();
		document.querySelector(".menu")?.remove();
		const cancel = document.getElementById("edit-cancel");
		if (!cancel.hidden) cancel.click();
		for (const id of ["pen", "analyse"]) {
			const button = document.getElementById(id);
			if (button.getAttribute("aria-pressed") === "true") button.click();
		}
	});

/** What a developer needs to know about a page that is stuck. */
const where = (page) =>
	page.evaluate(() => {
		const text = (selector) => document.querySelector(selector)?.textContent.trim().slice(0, 100);
		const { id } = document.querySelector("dialog[open]") ?? {};
		return JSON.stringify([document.body.dataset.task, id, text("#status"), text("#toast"), text("#task")]);
	});

const GAMES = ["shogi", "janggi", "janggicasual", "janggitraditional", "janggimodern", "dobutsu", "dobutsumate"];
const SIZES = [
	[1100, 750],
	[390, 844],
];

const pairs = GAMES.filter((_, n) => t.ALL || n % 3 === 0).flatMap((game, n) =>
	(t.ALL ? SIZES : [SIZES[n % SIZES.length]]).map((size) => [game, size]),
);
for (const [game, [width, height]] of pairs)
	test(`${CLICKS} random clicks: ${game}, ${width}x${height}`, { timeout: 600_000 }, async () => {
		const page = await open({ width, height });
		// Copying requires a permission that is not granted here.
		await page.evaluate(() => {
			navigator.clipboard.writeText = async () => {};
		});
		await t.newGame(page, game, { side: "b", level: "0" });
		const random = t.dice(SEED);
		for (let n = 0; n < CLICKS; n++) {
			await act(page, [random(), random(), random()], KEYS);
			if (n % 20 === 0) await new Promise((resolve) => setTimeout(resolve, 30));
			if (n % 100 === 99) assert.deepEqual(page.mistakes, [], `after ${n} clicks`);
		}
		// Whatever the state, dialogs can be closed, and a new game can be started in which the user plays both sides.
		for (let n = 0; n < 3; n++) await close(page);
		const games = await store(page);
		await page.select("#language", "en");
		await page.select("#start", "even");
		await t.newGame(page, game === "dobutsu" ? "shogi" : "dobutsu", { side: "both" });
		await t.newGame(page, game, { side: "both" });
		const random2 = t.dice(SEED + 1);
		// On a slow machine, a question may appear that was caused by a click before.
		await close(page);
		assert.ok(await t.playAnything(page, random2), `no move can be made: ${await where(page)}`);
		assert.ok((await store(page)) >= Math.min(games, 2), "games are kept");
		assert.deepEqual(page.mistakes, []);
		await page.evaluate(() => localStorage.clear());
		await page.close();
	});
