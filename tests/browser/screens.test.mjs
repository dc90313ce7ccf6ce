// At every screen size, the board is as large as possible, everything around it is visible, and it stays in place.

import assert from "node:assert/strict";
import { test } from "node:test";
import * as t from "./common.mjs";

/** Width, height, and the smallest size of a square in shogi and Janggi. */
const SIZES = [
	[1366, 620, 50, 45],
	[390, 844, 42, 41],
	[844, 390, 34, 30],
	[900, 600, 48, 43],
	[320, 568, 32, 32],
	[1280, 800, 55, 50],
	[1024, 700, 52, 48],
	[768, 1024, 70, 65],
	[1920, 1080, 90, 85],
];
/** A position in which both hands have every kind of piece. */
const FULL = "sfen 4k4/9/9/9/9/9/9/9/4K4 b RB2G2S2N2L9Prb2g2s2n2l9p 1";

const open = t.together();

/** The position and size of the board, and the elements that are hidden or cut off. */
const look = (page) =>
	page.evaluate(() => {
		const box = (element) => element.getBoundingClientRect();
		const visible = (element) => element.checkVisibility() && box(element).width > 0;
		const inside = ({ left, top, right, bottom }) =>
			left >= -0.5 && top >= -0.5 && right <= innerWidth + 0.5 && bottom <= innerHeight + 0.5;
		const watched = [
			"#board .grid",
			"#player-top",
			"#player-bottom",
			"#status",
			"#actions",
			"header",
			"[data-hand]",
			".name",
		];
		const all = watched.flatMap((selector) => [...document.querySelectorAll(selector)].filter(visible));
		const buttons = [...document.querySelectorAll("header *, .actions button, .tabs")].filter(visible);
		const grid = box(document.querySelector("#board .grid"));
		return {
			cell: box(document.querySelector("[data-square]")).width,
			grid: [grid.x, grid.y, grid.width].map(Math.round),
			outside: all
				.filter((element) => !inside(box(element)))
				.map((element) => element.id || element.className || element.tagName),
			wraps: buttons
				.filter((element) => element.tagName === "BUTTON" && box(element).height > 44)
				.map((element) => element.id),
			cut: buttons
				.filter((element) => element.matches("button, .tabs") && element.scrollWidth > element.clientWidth + 2)
				.map((element) => element.id || element.dataset.label),
			broken: [...document.querySelectorAll(".name b")]
				.filter((name) => visible(name) && !name.textContent.includes(" "))
				.filter((name) => box(name).height > 1.6 * Number.parseFloat(getComputedStyle(name).fontSize))
				.map((name) => name.textContent),
			covers: all.filter((element) => {
				const { left, top, width, height } = box(element);
				if (!element.matches(".name, [data-hand]")) return false;
				return (
					document.querySelector(".grid") ===
					document.elementFromPoint(left + width / 2, top + height / 2)?.closest(".grid")
				);
			}).length,
			wide: document.documentElement.scrollWidth > innerWidth,
		};
	});

for (const language of t.languages("ko"))
	test(`sizes of the board: ${language}`, { timeout: 300_000 }, async (context) => {
		const page = await open();
		await t.choose(page, "language", language);
		for (const game of ["shogi", "janggi", "dobutsu"]) {
			await t.newGame(page, game, { side: "both" });
			for (const [width, height, shogi, janggi] of SIZES) {
				await page.setViewport({ width, height });
				const found = await look(page);
				const least = { shogi, janggi, dobutsu: janggi }[game];
				const where = `${game}, ${language}, ${width}x${height}`;
				context.diagnostic(`${where}: ${found.cell.toFixed(1)} px`);
				assert.ok(found.cell >= least, `${where}: ${found.cell} px`);
				const { outside, wraps, cut, broken, covers, wide } = found;
				assert.deepEqual(
					{ outside, wraps, cut, broken, covers, wide },
					{ outside: [], wraps: [], cut: [], broken: [], covers: 0, wide: false },
					where,
				);
			}
		}
		await t.newGame(page, "shogi", { side: "both" });
		for (const [width, height] of SIZES) {
			await page.setViewport({ width, height });
			await t.newGame(page, "shogi", { side: "both" });
			const empty = await look(page);
			await page.$eval(
				"#text",
				(field, text) => {
					field.value = text;
				},
				FULL,
			);
			await page.$eval("#load", (button) => button.click());
			await page.waitForFunction(() => document.querySelectorAll("[data-hand]").length === 14);
			// A loaded position is shown in the layout for analysis.
			await page.waitForSelector('body[data-task="analyse"]');
			await t.enter(page, "play");
			const full = await look(page);
			assert.deepEqual(full.grid, empty.grid, `${width}x${height}: hands move the board`);
			assert.deepEqual([full.outside, full.covers], [[], 0], `${width}x${height}`);
		}
		await t.choose(page, "language", "en");
		assert.deepEqual(page.mistakes, []);
		await page.close();
	});
