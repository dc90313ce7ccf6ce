// Solves both variants of Dobutsu shogi in the page without a server. Compares every value that the browser stores with
// the table of `sanban solve`, and the page's answers for random games with those of `sanban board`.
//
//     sanban solve --game dobutsu --out /tmp/dobutsu.table
//     sanban solve --game dobutsumate --out /tmp/dobutsumate.table
//     web/build
//     cd tests/browser && npm run solve -- /tmp/dobutsu.table /tmp/dobutsumate.table
//
// Solving takes half a minute of processor time each. The tables have 249,442,767 positions, more than the 99,485,568
// that are reachable in games.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { createGunzip } from "node:zlib";
import * as t from "./common.mjs";

/** The variant of a table file. */
const variant = (path) => (readFileSync(path).readUInt32LE(12) ? "dobutsumate" : "dobutsu");
const TABLES = Object.fromEntries(process.argv.slice(2).map((path) => [variant(path), path]));
const SLOTS = 249_442_767;
const HEADER = 32;
const GAMES = 100;

/** Compares the stored file, which the page uploads, with the table of `sanban solve`, byte by byte. */
async function compare(request, answer, path) {
	const file = await open(path);
	let [at, stored] = [0, 0];
	request.on("data", (piece) => (stored += piece.length));
	for await (const piece of request.pipe(createGunzip())) {
		const mine = Buffer.alloc(piece.length);
		const { bytesRead } = await file.read(mine, 0, piece.length, at);
		if (bytesRead !== piece.length || !mine.equals(piece)) {
			const n = mine.findIndex((byte, n) => byte !== piece[n]);
			answer.end(JSON.stringify({ differs: at + n }));
			return;
		}
		at += piece.length;
	}
	await file.close();
	answer.end(JSON.stringify({ bytes: at, stored }));
}

/** Peak memory in MB and processor time in seconds of the browser's largest process; on Linux only. */
function usage(pid) {
	try {
		const read = (name) => readFileSync(`/proc/${pid}/${name}`, "utf8");
		const [user, system] = read("stat").split(") ")[1].split(" ").slice(11, 13).map(Number);
		const mine = { peak: Number(read("status").match(/VmHWM:\s*(\d+)/)[1]) / 1024, seconds: (user + system) / 100 };
		const others = read(`task/${pid}/children`).split(" ").filter(Boolean).map(usage);
		return [mine, ...others].reduce((a, b) => (a.peak > b.peak ? a : b));
	} catch {
		return { peak: 0, seconds: 0 };
	}
}

/** Runs in the page: plays random games and asks for the values of the moves in each position. */
async function play(game, games) {
	const { ask } = await import("./engine.js");
	let state = 7;
	const below = (n) => {
		state = (state * 48271) % 2147483647;
		return state % n;
	};
	const answers = [];
	const times = [];
	for (let n = 0; n < games; n++)
		for (const moves = []; moves.length < 60; ) {
			const began = performance.now();
			const { truth } = await ask({ ask: "truth", game, moves });
			times.push(performance.now() - began);
			if (!truth?.length) break;
			answers.push(truth.map(({ usi, value, plies }) => `${usi} ${value} ${plies}`).join(", "));
			moves.push(truth[below(truth.length)].usi);
		}
	times.sort((a, b) => a - b);
	const most = times[Math.floor(times.length * 0.99)];
	return { answers, median: times[times.length >> 1], most, longest: times.at(-1) };
}

const files = await t.startFiles({
	"/compare/dobutsu": (request, answer) => compare(request, answer, TABLES.dobutsu),
	"/compare/dobutsumate": (request, answer) => compare(request, answer, TABLES.dobutsumate),
});
const tables = Object.values(TABLES).flatMap((path) => ["--dobutsu-table", path]);
const board = await t.startBoard(...tables);
process.on("exit", board.stop);
for (const game of Object.keys(TABLES)) {
	const browser = await t.startBrowser();
	try {
		const page = await t.openPage(browser.browser, files.url);
		await t.newGame(page, game, { side: "both" });
		await t.tab(page, "analyse");
		// Polls, because on a busy machine this takes longer than the browser's debugger waits for an answer.
		const known = async () => {
			while (!(await page.$("#truth [data-truth]"))) await new Promise((resolve) => setTimeout(resolve, 100));
		};
		const used = () => usage(browser.browser.process().pid);
		let [before, began] = [used(), performance.now()];
		const report = (text) => {
			const { peak, seconds } = used();
			const passed = ((performance.now() - began) / 1000).toFixed(1);
			const memory = `peak ${peak.toFixed(0)} MB (${before.peak.toFixed(0)} MB before)`;
			console.log(`${game}: ${text} in ${passed} s, CPU time ${(seconds - before.seconds).toFixed(1)} s, ${memory}`);
		};
		await page.waitForSelector('#truth [data-act="solve"]');
		await page.click('#truth [data-act="solve"]');
		await known();
		report("solved, stored and opened");
		const result = await page.evaluate(async (game) => {
			const stored = await (await caches.open("solved-games")).match(`${game}.table.gz`);
			return (await fetch(`compare/${game}`, { method: "POST", body: await stored.blob() })).json();
		}, game);
		assert.equal(result.differs, undefined, `byte ${result.differs} differs`);
		assert.equal(result.bytes, HEADER + SLOTS);
		console.log(`${game}: ${SLOTS} values equal; ${(result.stored / 1e6).toFixed(1)} MB stored`);
		await page.reload();
		[before, began] = [used(), performance.now()];
		await known();
		report("reopened");
		const mine = await page.evaluate(play, game, GAMES);
		const other = await t.openPage(browser.browser, board.url);
		const theirs = await other.evaluate(play, game, GAMES);
		assert.deepEqual(mine.answers, theirs.answers);
		const ms = (time) => `${time.toFixed(1)} ms`;
		const times = `median ${ms(mine.median)}, 99 % within ${ms(mine.most)}, longest ${ms(mine.longest)}`;
		console.log(`${game}: ${mine.answers.length} positions with the same answers as from the server: ${times}`);
		assert.deepEqual([...page.mistakes, ...other.mistakes], []);
	} finally {
		await browser.stop();
	}
}
await board.stop();
files.stop();
