// The page without a server, with the engine as WebAssembly in a worker, and the same engine in ShogiHome.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import * as t from "./common.mjs";

const skip = existsSync(join(t.DIST, "sanban.wasm")) ? false : "web/build has not been run";

const table = process.env.DOBUTSU_TABLE;

let files, url, browser;
before(async () => {
	if (skip) return;
	files = await t.startFiles({
		"/stored.gz": async (_, answer) => answer.end(gzipSync(await readFile(table), { level: 1 })),
	});
	url = files.url;
	browser = await t.startBrowser();
});
after(async () => {
	await browser?.stop();
	files?.stop();
});

test("the module is small", { skip }, async (context) => {
	const { size } = await stat(join(t.DIST, "sanban.wasm"));
	context.diagnostic(`sanban.wasm: ${size} bytes`);
	// In the profile of the tests; in a release it has two thirds of this size.
	assert.ok(size < 9_500_000, `${size} bytes`);
});

for (const game of t.ALL ? ["dobutsu", "shogi", "janggi"] : ["dobutsu"])
	test(`a whole game of ${game} without a server`, {
		skip,
		timeout: 300_000,
	}, async () => {
		const page = await t.openPage(browser.browser, url);
		const random = t.dice(11);
		await t.hurry(page);
		await t.newGame(page, game, { level: "12" });
		await t.playWhole(page, random);
		await t.shot(page, `wasm-${game}-end`);
		assert.ok(await t.isOver(page), await t.status(page));
		assert.deepEqual(page.mistakes, []);
		await page.close();
	});

test("analysis in time slices stops immediately", {
	skip,
	timeout: 120_000,
}, async () => {
	const page = await t.openPage(browser.browser, url);
	await t.newGame(page, "shogi", { side: "both" });
	await t.tab(page, "analyse");
	await page.click("#analyse");
	await page.waitForFunction(() => document.querySelectorAll("#found li").length === 3, { timeout: 60_000 });
	await page.click("#analyse");
	await t.click(page, "7g", "7f");
	await t.waitForMoves(page, 1);
	assert.deepEqual(page.mistakes, []);
	await page.close();
});

test("a long mate is found, and the page answers meanwhile", {
	skip,
	timeout: 120_000,
}, async () => {
	const page = await t.openPage(browser.browser, url);
	await t.newGame(page, "shogi", { side: "both" });
	await t.setPosition(page, "sfen 2sg3n1/l4n3/p1ppLgpk1/1p3p3/P2K5/9/NB5P1/L4g3/5S2L b BG4P2r2sn6p 1");
	await t.tab(page, "analyse");
	await page.click("#mate");
	const answer = () => page.$eval("#mate-answer", (element) => element.textContent);
	await page.waitForFunction(() => /^Mate in 2\d/.test(document.getElementById("mate-answer").textContent), {
		timeout: 60_000,
	});
	assert.match(await answer(), /^Mate in 2[1357]/);
	assert.deepEqual(page.mistakes, []);
	await page.close();
});

test("the value of every move of a solved game is shown without a server", {
	skip: skip || (table ? false : "DOBUTSU_TABLE is not set"),
	timeout: 120_000,
}, async () => {
	const page = await t.openPage(browser.browser, url);
	// A stored table is opened automatically.
	await page.evaluate(async () => {
		const cache = await caches.open("solved-games");
		await cache.put("dobutsu.table.gz", await fetch("stored.gz"));
	});
	await t.newGame(page, "dobutsu", { side: "both" });
	await page.waitForFunction(() => document.querySelectorAll("[data-move]").length === 4);
	const truth = await page.$$eval("[data-move]", (moves) =>
		moves.map(({ dataset }) => `${dataset.move} ${dataset.truth}`),
	);
	assert.deepEqual(truth.sort(), ["1d1c loss", "2c2b loss", "2d1c loss", "2d3c loss"]);
	const best = await page.$eval('[data-square="2d"]', ({ dataset }) => Number(dataset.distance));
	assert.equal(best, 78);
	// The values are not shown during a game.
	await t.tab(page, "analyse");
	await t.choose(page, "side", "b");
	await page.waitForFunction(() => !document.querySelector("#truth > *"));
	assert.equal(await page.$(".judged[data-truth]"), null);
	assert.deepEqual(page.mistakes, []);
	// A game without a stored table can be solved in a worker.
	await t.newGame(page, "dobutsumate", { side: "both" });
	await t.tab(page, "analyse");
	await page.waitForSelector('#truth [data-act="solve"]');
	await page.click('#truth [data-act="solve"]');
	await page.waitForFunction(() => /Solving the game: [1-9]/.test(document.getElementById("truth").textContent));
	assert.deepEqual(page.mistakes, []);
	// A table of a different game is refused.
	await page.evaluate(async () => {
		const cache = await caches.open("solved-games");
		await cache.put("dobutsumate.table.gz", await cache.match("dobutsu.table.gz"));
	});
	await page.reload();
	await page.waitForSelector('#truth [data-act="solve"]');
	assert.match(await page.$eval("#truth", (element) => element.textContent), /solved once/);
	assert.equal(page.mistakes.length, 1);
	assert.match(page.mistakes[0], /dobutsumate cannot be opened/);
	await page.close();
});

/** Talks to the engine as ShogiHome does, polling it until a line begins with a given word. */
async function shogiHome() {
	const at = (path) => pathToFileURL(join(t.DIST, "shogihome", path)).href;
	const { default: createEngine } = await import(at("sanban.js"));
	const engine = await createEngine({ locateFile: at, printErr: assert.fail });
	const lines = [];
	engine.addMessageListener((line) => lines.push(line));
	const until = async (word) => {
		const end = Date.now() + 60_000;
		while (Date.now() < end) {
			const found = lines.find((line) => line.startsWith(word));
			if (found) return found;
			engine.poll();
			await new Promise((resolve) => setTimeout(resolve, 10));
		}
		assert.fail(`no ${word} in ${lines.join("\n")}`);
	};
	return { engine, lines, until };
}

test("ShogiHome's interface", { skip, timeout: 120_000 }, async (context) => {
	const manifest = JSON.parse(await readFile(join(t.DIST, "shogihome/engine.json"), "utf8"));
	const { engine, lines, until } = await shogiHome();
	engine.postMessage("usi");
	assert.ok(lines.includes(`id name ${manifest.name}`) && lines.includes(`id author ${manifest.author}`));
	assert.equal(lines.filter((line) => line.startsWith("option ")).length, manifest.options.length);
	engine.postMessage("isready");
	await until("readyok");
	engine.postMessage("position startpos moves 7g7f");
	engine.postMessage("go btime 0 wtime 0 byoyomi 500");
	assert.match(await until("bestmove"), /^bestmove \d\w\d\w/);
	lines.length = 0;
	engine.postMessage("go infinite");
	for (let n = 0; n < 10; n++) engine.poll();
	const began = performance.now();
	engine.postMessage("stop");
	assert.ok(lines.at(-1).startsWith("bestmove "));
	context.diagnostic(`stop is answered after ${(performance.now() - began).toFixed(1)} ms`);
	engine.postMessage("go infinite");
	engine.poll();
	const before = lines.length;
	engine.postMessage("quit");
	engine.postMessage("stop");
	engine.poll();
	assert.equal(lines.length, before);
});

test("a mate search in ShogiHome is polled and stopped", { skip }, async () => {
	const { engine, lines, until } = await shogiHome();
	engine.postMessage("position sfen 2sg3n1/l4n3/p1ppLgpk1/1p3p3/P2K5/9/NB5P1/L4g3/5S2L b BG4P2r2sn6p 1");
	engine.postMessage("go mate 60000");
	assert.ok((await until("checkmate")).split(" ").length > 20);
	lines.length = 0;
	// Astral Traveler, a mate in 467 plies, is too hard here.
	engine.postMessage("position sfen lp2p3g/+R4p1Sn/1P1kgsp1p/3+p+p1s2/B1p+r1P3/L8/+n3NgB+pP/+p4G1+p1/P+pPsP4 b Lnl 1");
	engine.postMessage("go mate infinite");
	for (let n = 0; n < 20; n++) {
		const began = performance.now();
		engine.poll();
		assert.ok(performance.now() - began < 10_000, "a slice takes too long");
	}
	engine.postMessage("stop");
	assert.equal(lines.at(-1), "checkmate timeout");
});

for (const kind of ["shogi embedded", "janggi embedded", "dobutsu handwritten"])
	test(`bench has the same node count as the native program: ${kind}`, {
		skip,
		timeout: 300_000,
	}, async (context) => {
		const { engine, lines } = await shogiHome();
		engine.postMessage(`setoption name USI_Variant value ${kind.split(" ")[0]}`);
		engine.postMessage("bench");
		context.diagnostic(lines.slice(-2).join("; "));
		const nodes = lines.at(-2).match(/\d+$/)[0];
		const file = await readFile(new URL("../data/bench.txt", import.meta.url), "utf8");
		assert.ok(file.split("\n").includes(`${kind} ${nodes}`), `${kind} ${nodes}`);
	});
