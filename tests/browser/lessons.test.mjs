// Completes lessons by clicks: three that bring a new kind of task, or, with ALL=1, all of them in all languages. Also
// solves problems by clicks: the first of two grades, or all.

import assert from "node:assert/strict";
import { test } from "node:test";
import { LESSONS } from "../../web/lessons.js";
import * as t from "./common.mjs";

const open = t.together();

const state = (page) => page.$eval("#learn", (panel) => panel.dataset.state);
const plies = (page) => page.$$eval("#moves [data-usi]", (moves) => moves.length);
/** Clicks an item of a long list, even if it is scrolled out of view. */
const choose = (page, name, value) => page.$eval(`#learn [data-${name}="${value}"]`, (item) => item.click());
const act = (page, word) => page.click(`#tools [data-act="${word}"]`);

/** Opens the lessons of a game; `quick` shortens the pauses between moves. */
async function openLessons(game, { language = "en", quick = false } = {}) {
	const page = await open();
	await t.choose(page, "language", language);
	await t.choose(page, "side", "both");
	await t.choose(page, "game", game);
	if (quick) await t.hurry(page);
	await page.click("#tab-learn");
	await page.waitForSelector("#learn [data-lesson]");
	return page;
}

/** The lessons that bring a kind of task which those before them do not have. */
function kinds(lessons) {
	const seen = new Set();
	const isNew = ({ goal }) => seen.size < seen.add(Object.keys(goal).join()).size;
	return lessons.filter(({ steps }) => steps.filter(isNew).length);
}

for (const language of t.languages("en"))
	for (const [game, lessons] of Object.entries(LESSONS))
		test(`every lesson of ${game} is completed by clicks: ${language}`, { timeout: 900_000 }, async () => {
			const page = await openLessons(game, { language, quick: true });
			const chosen = t.ALL ? lessons : kinds(lessons).slice(0, 3);
			for (const lesson of chosen) {
				await choose(page, "lesson", lesson.id);
				for (const [n, step] of lesson.steps.entries()) {
					await t.complete(page, step);
					if (n + 1 < lesson.steps.length) await act(page, "next");
				}
				await act(page, "to-list");
				await page.waitForSelector("#learn [data-lesson]");
			}
			const ticks = await page.$$eval("#learn [data-lesson]", (items) =>
				items.filter((item) => item.textContent.startsWith("✓")).map((item) => item.dataset.lesson),
			);
			assert.deepEqual(
				ticks,
				chosen.filter(({ steps }) => t.isShort(steps.at(-1))).map(({ id }) => id),
			);
			assert.deepEqual(page.mistakes, []);
			await page.close();
		});

test("a wrong move is explained and taken back, and the game can be restored", async () => {
	const page = await openLessons("shogi");
	await t.enter(page, "play");
	await t.click(page, "7g", "7f");
	await t.waitForMoves(page, 1);
	await page.click("#tab-learn");
	await page.click('#learn [data-lesson="shogi-mate"]');
	await t.stateIs(page, "open");
	// The text is shown only for a moment.
	const said = t.says(page, /Not yet: .* is still possible/);
	await t.click(page, "b:G", "1e");
	await said;
	await t.stateIs(page, "open");
	assert.equal(await plies(page), 0);
	await act(page, "show-me");
	assert.ok(await page.$(".arrow.rank1"));
	await t.move(page, "G*5b");
	await t.says(page, /Well done/);
	await page.click("#tab-play");
	await page.waitForFunction(() => document.querySelectorAll("#moves [data-usi]").length === 1);
	assert.deepEqual(await t.moves(page), ["7g7f"]);
	// The text of a lesson changes with the language.
	await page.click("#tab-learn");
	await page.waitForSelector('#learn [data-lesson="shogi-mate"]');
	await page.click('#learn [data-lesson="shogi-mate"]');
	await t.stateIs(page, "open");
	await t.choose(page, "language", "ja");
	await page.waitForFunction(() => /金で詰ましてみましょう/.test(document.getElementById("task").textContent));
	assert.equal(await state(page), "open");
	// A new game begins at the start position, not at the lesson's position.
	await t.enter(page, "play");
	await page.$eval("#new", (button) => button.click());
	await page.waitForSelector('[data-square="7g"] [data-piece="P"]');
	assert.deepEqual(page.mistakes, []);
	await page.close();
});

/** The problems to solve: all, or the first of two grades. */
async function problemsOf(page) {
	const groups = await page.$$eval("#learn .numbers", (groups) =>
		groups.map((group) => [...group.children].map((item) => item.dataset.problem)),
	);
	return t.ALL ? groups.flat() : groups.slice(0, 2).map(([first]) => first);
}

for (const game of ["shogi", "janggi", "dobutsu"])
	test(`problems of ${game} are solved by clicks`, { timeout: 3_600_000 }, async () => {
		const page = await openLessons(game, { quick: true });
		await page.click("#tab-solve");
		await page.waitForSelector("#learn [data-problem]");
		const wanted = await problemsOf(page);
		for (const number of wanted) {
			await choose(page, "problem", number);
			await t.stateIs(page, "open");
			for (let ply = 0; (await state(page)) !== "done"; ply += 2) {
				if (ply) await t.waitForMoves(page, ply);
				await t.move(page, await t.suggestion(page));
				await page.waitForFunction(
					(ply) =>
						document.getElementById("learn").dataset.state === "done" ||
						document.querySelectorAll("#moves [data-usi]").length >= ply + 2,
					{},
					ply,
				);
			}
			await act(page, "to-problems");
			await page.waitForSelector("#learn [data-problem]");
		}
		const ticks = await page.$$eval(
			"#learn [data-problem]",
			(items) => items.filter((item) => item.textContent.endsWith("✓")).length,
		);
		assert.equal(ticks, wanted.length);
		assert.deepEqual(page.mistakes, []);
		await page.close();
	});

test("a wrong move in a mate problem is answered by a defence", async () => {
	const page = await openLessons("shogi");
	await page.click("#tab-solve");
	await page.waitForSelector("#learn [data-problem]");
	await page.click("#learn [data-problem='0']");
	await t.stateIs(page, "open");
	// Makes the first legal move that is not the solution.
	const solution = await t.suggestion(page);
	const view = await page.evaluate(() => document.getElementById("turn").dataset.side);
	const own = await page.$$eval(
		"[data-square] [data-piece]",
		(pieces, side) =>
			pieces
				.filter(({ dataset }) => (dataset.piece === dataset.piece.toUpperCase()) === (side === "b"))
				.map((piece) => piece.closest("[data-square]").dataset.square),
		view,
	);
	const said = t.says(page, /Every move of a mate gives check|No mate: .* escapes/);
	for (const square of own) {
		await t.click(page, square);
		const targets = await page.$$eval(".target", (cells) => cells.map((cell) => cell.dataset.square));
		const target = targets.find((to) => !solution.startsWith(square + to));
		if (!target) {
			await t.click(page, square);
			continue;
		}
		await t.click(page, target);
		if (await page.$("#promotion[open]")) await page.click("#promote-no");
		break;
	}
	await said;
	await t.stateIs(page, "open");
	assert.equal(await plies(page), 0);
	assert.deepEqual(page.mistakes, []);
	await page.close();
});
