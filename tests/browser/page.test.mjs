// Everything on the page except playing: analysis, records, mates, the editor, languages, and accessibility.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import * as t from "./common.mjs";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const KIF = `手合割：平手
先手：A
後手：B
手数----指手---------消費時間--
   1 ７六歩(77)
   2 ３四歩(33)
   3 ２六歩(27)
   4 ４四歩(43)
   5 ２五歩(26)
   6 ３三角(22)
   7 投了
`;

const open = t.together();

test("the page answers soon after the command", async (context) => {
	const mine = await t.startBoard();
	const page = await fetch(mine.url);
	await page.text();
	const time = performance.now() - mine.began;
	mine.stop();
	context.diagnostic(`from the command to the page: ${time.toFixed(0)} ms`);
	assert.equal(page.status, 200);
	// About 50 ms on an idle machine; the bound allows for a busy one.
	assert.ok(time < 20_000, `${time} ms`);
});

test("a KIF is loaded, analysed and copied", { timeout: 240_000 }, async () => {
	const page = await open();
	await t.setPosition(page, KIF);
	assert.deepEqual(await t.moves(page), ["7g7f", "3c3d", "2g2f", "4c4d", "2f2e", "2b3c"]);
	await t.tab(page, "analyse");
	await page.select("#review-nodes", "20000");
	await page.click("#review");
	await page.waitForSelector("#report table", { timeout: 60_000 });
	assert.match(await page.$eval("#report table", (table) => table.textContent), /Black.*White.*Moves33best move/s);
	assert.ok(await page.$("#graph .curve"));
	// The saved page is like that of `sanban analyze`.
	assert.match(await t.download(page, "#save-report", "sanban.html"), /^<!DOCTYPE html>.*▲７六歩|P7g-7f/s);
	await t.shot(page, "review");
	await page.click("#analyse");
	await page.waitForFunction(() => document.querySelectorAll("#found li").length === 3, { timeout: 30_000 });
	await t.shot(page, "analysis");
	await page.click("#analyse");
	await t.tab(page, "position");
	await page.click("#copy-kif");
	await t.says(page, /Copied|does not allow/);
	assert.deepEqual(page.mistakes, []);
	await page.close();
});

test("a hint shows an arrow and a sentence", async () => {
	const page = await open();
	await t.newGame(page, "dobutsu");
	await page.click("#hint");
	await t.says(page, /The engine suggests/);
	assert.ok(await page.$(".arrow"));
	await t.shot(page, "hint");
	assert.deepEqual(page.mistakes, []);
	await page.close();
});

test("verified reasons are shown below the moves", async () => {
	const page = await open();
	await t.setPosition(page, "sfen 4k4/9/3g1g3/9/9/9/9/9/4K4 b N 1");
	await t.choose(page, "side", "b");
	assert.equal(await page.$eval("#told", (box) => box.hidden), true);
	await page.click("#hint");
	await page.waitForFunction(() => /Fork/.test(document.getElementById("told").textContent));
	// The reasons are shown only with their position.
	await t.setPosition(page, "sfen 4k4/9/9/9/9/9/9/9/4K4 b P 1");
	assert.doesNotMatch(await page.$eval("#told", (box) => box.textContent), /Fork/);
	assert.deepEqual(page.mistakes, []);
	await page.close();
});

test("only pieces that others can block are said to have an open way", async () => {
	const page = await open();
	const blockable = await page.evaluate(async () => {
		const [{ isBlockable }, { GAMES }] = await Promise.all([import("./told.js"), import("./games.js")]);
		const of = (game) => Object.keys(game.moves).filter((letter) => isBlockable(game, letter));
		return Object.fromEntries(Object.entries(GAMES).map(([name, game]) => [name, of(game).join(" ")]));
	});
	const janggi = "R C N B";
	assert.deepEqual(blockable, {
		shogi: "R B L +R +B",
		...{ janggi, janggicasual: janggi, janggitraditional: janggi, janggimodern: janggi },
		...{ dobutsu: "", dobutsumate: "" },
	});
	await page.close();
});

test("every format of the program is offered for the games that it can represent", async () => {
	const page = await open();
	for (const game of [
		"shogi",
		"janggi",
		"janggicasual",
		"janggitraditional",
		"janggimodern",
		"dobutsu",
		"dobutsumate",
	]) {
		await t.newGame(page, game, { side: "both" });
		const [offered, known, written, unnamed] = await page.evaluate(async (game) => {
			const { ask } = await import("./engine.js");
			const options = [...document.getElementById("format").options];
			// The refusal of a text without a game names all formats.
			const { error } = await ask({ ask: "read", text: "no game", game });
			const known = error.match(/\((\w+(?:, \w+)+)\)/)[1].split(", ");
			const all = [...new Set([...known, ...options.map(({ value }) => value)])];
			const written = [];
			for (const format of all) if (!(await ask({ ask: "write", format, game, moves: [] })).error) written.push(format);
			const unnamed = options.filter(({ textContent }) => textContent.startsWith("format-"));
			return [options.map(({ value }) => value), known, written, unnamed.length];
		}, game);
		assert.deepEqual(offered.toSorted(), written.toSorted(), game);
		assert.ok(known.length > 10, known.join());
		assert.equal(unnamed, 0);
	}
	assert.deepEqual(page.mistakes, []);
	await page.close();
});

test("a mate is found and played out", { timeout: 120_000 }, async () => {
	const page = await open();
	await t.newGame(page, "shogi");
	await t.setPosition(page, "sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1");
	await t.tab(page, "analyse");
	await page.click("#mate");
	await page.waitForFunction(() => /Mate in 1/.test(document.getElementById("mate-answer").textContent), {
		timeout: 30_000,
	});
	await page.click("#mate-play");
	await page.waitForSelector("#status.over");
	assert.match(await t.status(page), /Black.* wins: checkmate/);
	assert.deepEqual(page.mistakes, []);
	await page.close();
});

test("a position is set up", async () => {
	const page = await open();
	await t.newGame(page, "shogi");
	await t.tab(page, "position");
	await page.click("#edit");
	await page.waitForSelector("#edit-clear", { visible: true });
	await page.click("#edit-clear");
	for (const [tool, square] of [
		["k", "5a"],
		["K", "5i"],
		["+R", "2b"],
	]) {
		await page.click(`[data-tool="${tool}"]`);
		await t.click(page, square);
	}
	await page.click('[data-add="b:G"]');
	await t.shot(page, "editor");
	await page.click("#edit-side");
	await t.says(page, /White to move/);
	await page.click("#edit-side");
	// Black cannot have a second king.
	await page.click('[data-tool="K"]');
	await t.click(page, "9i");
	await page.click("#edit-done");
	await t.says(page, /This position cannot be played: .*more than one king/);
	await t.click(page, "9i");
	await page.click("#edit-done");
	await page.waitForFunction(() => document.getElementById("edit-done").hidden);
	assert.equal(await t.pieceOn(page, "2b"), "+R");
	await t.click(page, "b:G", "5b");
	await t.waitForMoves(page, 1);
	assert.deepEqual(await t.moves(page), ["G*5b"]);
	assert.deepEqual(page.mistakes, []);
	await page.close();
});

test("cancelling the editor changes nothing", async () => {
	const page = await open();
	await t.newGame(page, "janggi", { side: "both" });
	await t.click(page, "5g", "5f");
	await t.waitForMoves(page, 1);
	await t.tab(page, "position");
	await page.click("#edit");
	await page.waitForSelector("#edit-clear", { visible: true });
	await page.click("#edit-clear");
	await page.click("#edit-cancel");
	assert.equal(await t.pieceOn(page, "5f"), "P");
	assert.deepEqual(await t.moves(page), ["5g5f"]);
	assert.deepEqual(page.mistakes, []);
	await page.close();
});

const table = process.env.DOBUTSU_TABLE;
test("every move of the solved game shows its value", {
	skip: table ? false : "DOBUTSU_TABLE is not set",
}, async () => {
	const mine = await t.startBoard("--dobutsu-table", table);
	const page = await open({ url: mine.url });
	await t.newGame(page, "dobutsu", { side: "both" });
	// The start position is lost in 78 plies: every move loses, and the best one delays the loss longest.
	await page.waitForFunction(() => document.querySelectorAll("[data-move]").length === 4);
	const truth = await page.$$eval("[data-move]", (moves) =>
		moves.map(({ dataset }) => `${dataset.move} ${dataset.truth}`),
	);
	assert.deepEqual(truth.sort(), ["1d1c loss", "2c2b loss", "2d1c loss", "2d3c loss"]);
	const badge = (square) =>
		page.$eval(`[data-square="${square}"]`, ({ dataset }) => [dataset.truth, Number(dataset.distance)]);
	assert.deepEqual(await badge("2d"), ["loss", 78]);
	await t.click(page, "2c");
	assert.deepEqual(await badge("2b"), ["loss", 76]);
	await t.shot(page, "truth");
	await t.click(page, "2b");
	await t.waitForMoves(page, 1);
	await page.waitForFunction(() => document.querySelector('.judged[data-truth="win"]'));
	await t.tab(page, "analyse");
	await t.shot(page, "truth-list");
	assert.deepEqual(page.mistakes, []);
	await page.close();
	mine.stop();
});

test("the program solves a game, and stops when told", { timeout: 120_000 }, async () => {
	const page = await open();
	await t.newGame(page, "dobutsumate", { side: "both" });
	await t.tab(page, "analyse");
	await page.waitForSelector('#truth [data-act="solve"]');
	assert.match(await page.$eval("#truth", (panel) => panel.textContent), /250 MB/);
	await page.click('#truth [data-act="solve"]');
	await page.waitForFunction(() => document.querySelector("#truth progress")?.value > 0);
	await page.click('#truth [data-act="cancel"]');
	await page.waitForSelector('#truth [data-act="solve"]');
	// A search is answered meanwhile and afterwards.
	await page.click("#analyse");
	await page.waitForSelector("#found li");
	await page.click("#analyse");
	assert.deepEqual(page.mistakes, []);
	await page.close();
});

for (const language of t.languages("en"))
	test(`texts, piece styles and accessibility: ${language}`, {
		timeout: 300_000,
	}, async () => {
		const page = await open();
		// The page's content security policy would block the accessibility checker.
		await page.setBypassCSP(true);
		await page.reload();
		await page.waitForSelector("html[data-ready]");
		await t.choose(page, "language", language);
		for (const game of ["shogi", "janggi", "dobutsu"]) {
			await t.choose(page, "game", game);
			for (const look of await page.$$eval("#look option", (options) => options.map((option) => option.value))) {
				await t.choose(page, "look", look);
				await t.shot(page, `${language}-${game}-${look}`);
			}
		}
		await page.evaluate(AXE);
		const tabs = ["home", "play", "learn", "solve", "analyse", "notes", "position", "rules"];
		for (const [m, theme] of ["light", "dark"].entries()) {
			await t.choose(page, "theme", theme);
			for (const tab of tabs.filter((_, n) => t.ALL || n % 2 === m)) {
				if (["home", "play", "learn", "solve"].includes(tab)) await t.enter(page, tab);
				else await t.tab(page, tab);
				if (tab === "learn") await page.waitForSelector("#learn [data-lesson]");
				// The parts of the analysis change only the panel.
				const scope = ["notes", "position", "rules"].includes(tab) ? ".panel" : "html";
				const { violations } = await page.evaluate((scope) => window.axe.run(scope), scope);
				const serious = violations.filter(({ impact }) => ["serious", "critical"].includes(impact));
				const found = serious.map(
					({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 150)).join(" | ")}`,
				);
				assert.deepEqual(found, [], `${theme}, ${tab}`);
			}
		}
		await t.shot(page, `${language}-dark`);
		await t.choose(page, "theme", "auto");
		assert.deepEqual(page.mistakes, []);
		await page.close();
	});

test("a small screen", async () => {
	const page = await open({ width: 390, height: 740 });
	await t.choose(page, "language", "en");
	for (const game of ["shogi", "janggi", "dobutsu"]) {
		await t.choose(page, "game", game);
		await t.shot(page, `small-${game}`);
		const wide = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
		assert.ok(!wide, `${game} is wider than the screen`);
	}
	await page.close();
});

test("a file that cannot be loaded after the first board is reported, and loaded again", async () => {
	const first = await open();
	const profile = await first.browser().createBrowserContext();
	const page = await profile.newPage();
	await page.setRequestInterception(true);
	let fails = true;
	page.on("request", (request) => (fails && /records\.js$/.test(request.url()) ? request.abort() : request.continue()));
	await page.goto(first.url());
	await t.says(page, /no connection/);
	fails = false;
	await page.click("#status-act");
	await page.waitForSelector("html[data-ready]");
	await profile.close();
	await first.close();
});

test("a lost connection is reported", async () => {
	const mine = await t.startBoard();
	const page = await open({ url: mine.url });
	mine.stop();
	await t.says(page, /connection to the engine was lost/);
	await page.close();
});
