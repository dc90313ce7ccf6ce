// On every screen, each task shows what it needs: the text of a lesson with its board and buttons, and the lines of the
// engine with the board. Nothing overlaps, and buttons are large enough for fingers.

import assert from "node:assert/strict";
import { test } from "node:test";
import { LESSONS } from "../../web/lessons.js";
import * as t from "./common.mjs";

const PHONES = [
	[390, 844],
	[844, 390],
	[320, 568],
];
const LAPTOPS = [
	[1366, 620],
	[1366, 768],
	[1280, 720],
	[1024, 600],
];
/** The least size of a button on a phone, in pixels; the squares of the board are smaller. */
const FINGER = 44;

const open = t.together();

/** Of these elements: those that are not completely in the window, and the pairs that overlap. */
const faults = (page, selectors) =>
	page.evaluate((selectors) => {
		const found = selectors.flatMap((selector) => {
			const shown = [...document.querySelectorAll(selector)].filter((one) => one.checkVisibility());
			return shown.length ? shown.map((one) => [selector, one.getBoundingClientRect()]) : [[selector, null]];
		});
		const out = [];
		for (const [n, [name, box]] of found.entries()) {
			if (!box || box.width < 2 || box.height < 2) {
				out.push(`${name} is missing`);
				continue;
			}
			const { left, top, right, bottom } = box;
			// An element that is cut off by its parent or covered is not in view either.
			for (const y of [top + 3, bottom - 3])
				if (!document.elementFromPoint((left + right) / 2, y)?.closest(name)) out.push(`${name} is covered`);
			if (left < -1 || top < -1 || right > innerWidth + 1 || bottom > innerHeight + 1)
				out.push(`${name} is outside: ${[left, top, right, bottom].map(Math.round)}`);
			for (const [other, box2] of found.slice(n + 1))
				if (box2 && left < box2.right - 1 && right > box2.left + 1 && top < box2.bottom - 1 && bottom > box2.top + 1)
					out.push(`${name} overlaps ${other}`);
		}
		return out;
	}, selectors);

/** The visible controls that are too small for a finger. */
const small = (page) =>
	page.evaluate((least) => {
		const shown = (one) => one.checkVisibility() && !one.closest(".unseen") && one.getBoundingClientRect().width > 0;
		const all = [...document.querySelectorAll("button, select, summary, input:not([type=checkbox])")];
		return all
			.filter((one) => shown(one) && !one.matches("[data-square], [data-hand]"))
			.filter((one) => {
				const { width, height } = one.getBoundingClientRect();
				return Math.min(width, height) < least - 0.5;
			})
			.map((one) => one.id || one.dataset.act || one.textContent.slice(0, 20));
	}, FINGER);

/** The coordinates that cover a square, are not beside the rank or file that they name, or are cut. */
const misplaced = (page) =>
	page.evaluate(() => {
		const box = (one) => one.getBoundingClientRect();
		const grid = box(document.querySelector("#board .grid"));
		const squares = [...document.querySelectorAll("[data-square]")].map(box);
		const columns = squares.slice(0, document.querySelectorAll(".edge-files span").length);
		const rows = squares.filter((_, n) => n % columns.length === 0);
		const middle = ({ left, right }) => (left + right) / 2;
		const height = ({ top, bottom }) => (top + bottom) / 2;
		const bad = (name, n, isRank) => {
			const range = document.createRange();
			range.selectNodeContents(name);
			const text = range.getBoundingClientRect();
			const off = isRank ? height(text) - height(rows[n]) : middle(text) - middle(columns[n]);
			const inside = isRank ? text.left >= grid.right - 1 && text.right <= innerWidth : text.bottom <= grid.top + 4;
			return Math.abs(off) > 3 || !inside;
		};
		const names = (kind) => [...document.querySelectorAll(`.edge-${kind} span`)];
		return [
			...names("files").filter((name, n) => bad(name, n, false)),
			...names("ranks").filter((name, n) => bad(name, n, true)),
		].map((name) => name.textContent);
	});

/** The faces of the opponent, if not one is in view, and the names of players and buttons that are cut. */
const doubled = (page) =>
	page.evaluate(() => {
		const shown = (one) => one.checkVisibility({ visibilityProperty: true });
		const faces = [...document.querySelectorAll(".table .face")].filter(shown);
		const cut = [...document.querySelectorAll(".name > *, #end button")].filter(
			(one) => shown(one) && (one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 2),
		);
		return [...(faces.length === 1 ? [] : [`${faces.length} faces`]), ...cut.map((one) => one.textContent)];
	});

/** What makes the page wider than the window. */
const wide = (page) =>
	page.evaluate(() => {
		if (document.documentElement.scrollWidth <= innerWidth) return [];
		const beyond = (one) => one.checkVisibility() && one.getBoundingClientRect().right > innerWidth + 1;
		return ["page", ...[...document.querySelectorAll("body *")].filter(beyond).map((one) => one.id || one.className)];
	});

for (const language of t.languages("en"))
	test(`every step of every lesson is in view on a phone: ${language}`, { timeout: 900_000 }, async () => {
		const page = await open();
		await t.choose(page, "language", language);
		await t.hurry(page);
		for (const [kind, lessons] of Object.entries(LESSONS)) {
			await page.evaluate(async (kind) => (await import("./tasks.js")).enter("learn", null, kind), kind);
			for (const lesson of lessons.filter((_, n) => t.ALL || n % 8 === 0)) {
				await page.$eval(`#learn [data-lesson="${lesson.id}"]`, (item) => item.click());
				for (const n of lesson.steps.keys()) {
					await page.waitForFunction(() => document.getElementById("learn").dataset.state === "open");
					await t.settled(page);
					for (const [width, height] of PHONES) {
						await page.setViewport({ width, height });
						const needed = ["#task", "#board .grid", '#tools [data-act="show-me"]', ".explains"];
						if (n + 1 < lesson.steps.length) needed.push('#tools [data-act="next"]');
						const where = `${lesson.id} ${n + 1}, ${width}x${height}`;
						assert.deepEqual(await faults(page, needed), [], where);
						assert.deepEqual(await wide(page), [], where);
					}
					if (n + 1 < lesson.steps.length) {
						await page.$eval("#learn", (panel) => {
							panel.dataset.state = "";
						});
						await page.$eval('#tools [data-act="next"]', (next) => next.click());
					}
				}
				await page.$eval('#tools [data-act="to-list"]', (item) => item.click());
			}
		}
		assert.deepEqual(page.mistakes, []);
		await page.close();
	});

test("the lines of the engine are in view with the board", { timeout: 120_000 }, async () => {
	const page = await open();
	for (const game of ["shogi", "janggi", "dobutsu"]) {
		await t.newGame(page, game, { side: "both" });
		await t.enter(page, "analyse");
		await page.$eval("#tab-analyse", (tab) => tab.click());
		await page.$eval("#analyse", (button) => button.click());
		await page.waitForFunction(() => document.querySelectorAll("#found li").length === 3);
		await page.$eval("#analyse", (button) => button.click());
		for (const [width, height] of [...PHONES.slice(0, 2), ...LAPTOPS]) {
			await page.setViewport({ width, height });
			const needed = ["#board .grid", "#found li:nth-child(1)", "#found li:nth-child(2)", "#analyse", "#steps"];
			if (width > 900) needed.push("#found li:nth-child(3)", ".list");
			// A wide low window shows the whole panel.
			if (width > 2 * height && height > 480) needed.push("#review");
			assert.deepEqual(await faults(page, needed), [], `${game}, ${width}x${height}`);
		}
	}
	assert.deepEqual(page.mistakes, []);
	await page.close();
});

for (const language of t.languages("ja"))
	test(`controls are large enough and nothing overlaps: ${language}`, { timeout: 300_000 }, async () => {
		const page = await open();
		await t.choose(page, "language", language);
		for (const game of ["shogi", "janggi", "dobutsu"]) {
			await t.newGame(page, game, { side: "b", level: "0" });
			// The note about the game before covers the header for a while.
			await page.$eval("#toast", (toast) => toast.querySelector(".plain")?.click());
			for (const task of ["home", "play", "learn", "solve", "analyse", "notes", "position", "rules", "setup"]) {
				if (["notes", "position", "rules"].includes(task)) await t.tab(page, task);
				else if (task === "setup") {
					await t.enter(page, "play");
					await page.$eval("#tab-play", (button) => button.click());
					await page.waitForSelector("#setup[open]");
				} else await t.enter(page, task);
				// Advice of any length leaves the buttons in view.
				await page.evaluate(async () => {
					const { page, send } = await import("./state.js");
					page.reason = "Advice after a bad move. ".repeat(8);
					send("message");
				});
				for (const [width, height] of PHONES) {
					await page.setViewport({ width, height });
					const where = `${game}, ${task}, ${width}x${height}`;
					assert.deepEqual(await small(page), [], where);
					assert.deepEqual(await wide(page), [], `${where} scrolls sideways`);
					if (!["setup", "analyse"].includes(task)) assert.deepEqual(await faults(page, ["header"]), [], where);
					if (task === "analyse" && width > 320)
						assert.deepEqual(await faults(page, ["header", "#board .grid", "#tabs"]), [], where);
					if (task !== "play") continue;
					const parts = ["header", "#player-top", "#board .grid", "#player-bottom", "#status", "#actions"];
					assert.deepEqual(await faults(page, parts), [], where);
					assert.deepEqual(await misplaced(page), [], `${where}: coordinates`);
					assert.deepEqual(await doubled(page), [], where);
				}
			}
			await page.$eval("#setup-close", (button) => button.click());
			await page.$eval("#resign", (button) => button.click());
			await page.click("#confirm-yes");
			await page.waitForSelector("#again");
			for (const [width, height] of [...PHONES, ...LAPTOPS]) {
				await page.setViewport({ width, height });
				const where = `${game}, end, ${width}x${height}`;
				assert.deepEqual(await faults(page, ["#board .grid", "#status", "#again", "#mistakes"]), [], where);
				assert.deepEqual(await doubled(page), [], where);
			}
		}
		assert.deepEqual(page.mistakes, []);
		await page.close();
	});

for (const language of t.languages("ko"))
	test(`a note covers neither the board nor what is around it: ${language}`, { timeout: 120_000 }, async () => {
		const page = await open();
		await t.choose(page, "language", language);
		await t.newGame(page, "shogi", { level: "0" });
		await page.evaluate(async () => {
			const [{ toast }, { say }] = await Promise.all([import("./dialogs.js"), import("./settings.js")]);
			toast(say("discarded-new-game"), "undo", () => {}, 600);
		});
		for (const [task, parts] of [
			["play", ["#player-top", "#player-bottom", "#status", "#actions"]],
			["analyse", []],
		]) {
			await t.enter(page, task);
			for (const [width, height] of [...PHONES, ...LAPTOPS]) {
				await page.setViewport({ width, height });
				const where = `${task}, ${width}x${height}`;
				assert.deepEqual(await faults(page, ["#toast", "#board .grid", ...parts]), [], where);
				assert.deepEqual(await wide(page), [], where);
			}
		}
		await page.click("#toast span");
		assert.equal(await page.$eval("#toast", (toast) => toast.hidden), true);
		assert.deepEqual(page.mistakes, []);
		await page.close();
	});

/** Widths between a tablet and a laptop: many, or, of a sample, those beside the borders of the layouts. */
const BETWEEN = t.ALL ? Array.from({ length: 21 }, (_, n) => 700 + 20 * n) : [700, 840, 960, 1100];

/** Texts that overlap each other or leave their control. */
const collisions = (page) =>
	page.evaluate(() => {
		const out = [];
		const texts = [];
		const walker = document.createTreeWalker(
			document.querySelector("dialog[open]") ?? document.body,
			NodeFilter.SHOW_TEXT,
		);
		while (walker.nextNode()) {
			const node = walker.currentNode;
			const parent = node.parentElement;
			if (!node.nodeValue.trim() || !parent.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
				continue;
			if (parent.closest(".unseen, #board, .hand, #bar, svg, select, script, #toast")) continue;
			const range = document.createRange();
			range.selectNodeContents(node);
			const name = node.nodeValue.trim().slice(0, 24);
			const control = parent.closest("button, [role=tab], label, .name");
			const style = getComputedStyle(control ?? parent);
			for (const rect of range.getClientRects()) {
				let { left, top, right, bottom } = rect;
				const cut = control?.getBoundingClientRect();
				if (
					cut &&
					style.textOverflow !== "ellipsis" &&
					style.overflowX === "visible" &&
					(left < cut.left - 1 || right > cut.right + 1)
				)
					out.push(`${name} leaves its control`);
				// Only what is not scrolled out of view or cut off can overlap.
				for (let box = parent; box && box !== document.documentElement; box = box.parentElement) {
					if (getComputedStyle(box).overflow === "visible") continue;
					const { x, y, width, height } = box.getBoundingClientRect();
					[left, top] = [Math.max(left, x), Math.max(top, y)];
					[right, bottom] = [Math.min(right, x + width), Math.min(bottom, y + height)];
				}
				if (right - left > 2 && bottom - top > 4) texts.push([name, left, top, right, bottom]);
			}
		}
		for (const [n, [name, left, top, right, bottom]] of texts.entries())
			for (const [other, left2, top2, right2, bottom2] of texts.slice(n + 1))
				if (left < right2 - 1 && right > left2 + 1 && top < bottom2 - 4 && bottom > top2 + 4)
					out.push(`${name} overlaps ${other}`);
		for (const one of document.querySelectorAll("button, .tabs"))
			if (
				one.checkVisibility() &&
				one.scrollWidth > one.clientWidth + 2 &&
				getComputedStyle(one).textOverflow !== "ellipsis"
			)
				out.push(`${one.id || one.textContent.slice(0, 20)} is cut`);
		return [...new Set(out)];
	});

for (const language of t.languages("en"))
	test(`no texts overlap between tablet and laptop: ${language}`, { timeout: 900_000 }, async () => {
		const page = await open();
		await t.choose(page, "language", language);
		const found = new Map();
		const sweep = async (layout) => {
			for (const [n, width] of BETWEEN.entries())
				for (const height of BETWEEN.length > 9 ? [600, 800] : [[600, 800][n % 2]]) {
					await page.setViewport({ width, height });
					for (const fault of [...(await collisions(page)), ...(await wide(page))])
						found.set(`${layout}: ${fault}`, [...(found.get(`${layout}: ${fault}`) ?? []), `${width}x${height}`]);
				}
		};
		await t.enter(page, "home");
		await sweep("home");
		for (const game of ["shogi", "janggi", "dobutsu"]) {
			await t.newGame(page, game, { side: "both" });
			await t.enter(page, "play");
			await sweep(`${game} play`);
			for (const tab of ["analyse", "notes", "position", "rules"]) {
				await t.enter(page, "analyse");
				await t.tab(page, tab);
				await sweep(`${game} ${tab}`);
			}
			for (const [task, item] of [
				["learn", "lesson"],
				["solve", "problem"],
			]) {
				await t.enter(page, task);
				await page.waitForSelector(`#learn [data-${item}]`);
				await sweep(`${game} ${task}`);
				await page.$eval(`#learn [data-${item}]`, (one) => one.click());
				await page.waitForFunction(() => document.getElementById("learn").dataset.state === "open");
				await t.settled(page);
				await sweep(`${game} ${item}`);
				await page.$eval('#tools [data-act^="to-"]', (back) => back.click());
			}
			await t.enter(page, "play");
			await page.$eval("#more", (more) => more.click());
			await page.$eval(".menu button", (first) => first.click());
			await page.waitForSelector("#setup[open]");
			await sweep(`${game} setup`);
			await page.$eval("#setup-close", (close) => close.click());
		}
		assert.deepEqual(Object.fromEntries(found), {});
		assert.deepEqual(page.mistakes, []);
		await page.close();
	});
