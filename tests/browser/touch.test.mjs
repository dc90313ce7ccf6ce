// Touch, sounds and pictures: the board on a phone, its sounds, and positions saved as pictures.

import assert from "node:assert/strict";
import { test } from "node:test";
import * as t from "./common.mjs";

const open = t.together();

/** Opens the page on a phone. */
async function phone(size = { width: 390, height: 844 }) {
	const page = await open(size);
	await page.setViewport({ ...size, hasTouch: true, isMobile: true });
	await page.reload();
	await page.waitForSelector("html[data-ready]");
	return page;
}

const middle = (page, selector) =>
	page.$eval(selector, (element) => {
		element.scrollIntoView({ block: "nearest" });
		const { x, y, width, height } = element.getBoundingClientRect();
		return [x + width / 2, y + height / 2];
	});
const tap = async (page, selector) => page.touchscreen.tap(...(await middle(page, selector)));

/** Touches a point, moves to another and releases. */
async function drag(page, [x, y], [toX, toY]) {
	await page.touchscreen.touchStart(x, y);
	for (let n = 1; n <= 4; n++) await page.touchscreen.touchMove(x + ((toX - x) * n) / 4, y + ((toY - y) * n) / 4);
	await page.touchscreen.touchEnd();
}

test("taps, drags, taps that slip, and swipes", async () => {
	const page = await phone();
	await t.newGame(page, "shogi", { side: "both" });
	await tap(page, '[data-square="7g"]');
	await tap(page, '[data-square="7f"]');
	await t.waitForMoves(page, 1);
	await drag(page, await middle(page, '[data-square="3c"]'), await middle(page, '[data-square="3d"]'));
	await t.waitForMoves(page, 2);
	const [x, y] = await middle(page, '[data-square="2g"]');
	await drag(page, [x, y], [x + 9, y + 6]);
	await page.waitForSelector('[data-square="2g"].picked');
	await tap(page, '[data-square="2f"]');
	await t.waitForMoves(page, 3);
	assert.deepEqual(await t.moves(page), ["7g7f", "3c3d", "2g2f"]);
	const at = (ply) =>
		page.waitForFunction(
			(ply) => document.querySelectorAll("#moves [data-usi]")[ply - 1]?.querySelector(".now"),
			{},
			ply,
		);
	const [left, middleY] = await middle(page, '[data-square="6e"]');
	await drag(page, [left, middleY], [left + 90, middleY]);
	await at(2);
	await drag(page, [left + 90, middleY], [left, middleY]);
	await at(3);
	assert.deepEqual(page.mistakes, []);
	await page.close();
});

test("promotion is chosen by touch, even if the phone is rotated", async () => {
	const page = await phone();
	await t.newGame(page, "shogi", { side: "both" });
	await t.setPosition(page, "sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1");
	await tap(page, '[data-square="5c"]');
	await tap(page, '[data-square="5b"]');
	await page.waitForSelector("#promotion[open]");
	await page.setViewport({ width: 844, height: 390, hasTouch: true, isMobile: true });
	await page.waitForFunction(() => {
		const dialog = document.getElementById("promotion").getBoundingClientRect();
		const square = document.querySelector('[data-square="5b"]').getBoundingClientRect();
		return Math.abs(dialog.left + dialog.width / 2 - (square.left + square.width / 2)) < 3;
	});
	await tap(page, "#promote-no");
	await t.waitForMoves(page, 1);
	assert.deepEqual(await t.moves(page), ["5c5b"]);
	assert.match(await page.$eval("#moves", (list) => list.textContent), /P5c-5b=/);
	assert.deepEqual(page.mistakes, []);
	await page.close();
});

test("a lesson on a phone: the board is in view, and the next step is offered below it", async () => {
	const page = await phone();
	await t.newGame(page, "dobutsu", { side: "both" });
	// The note about a game before covers the header.
	if (await page.$("#toast:not([hidden])")) await tap(page, "#toast span");
	await tap(page, "#tab-learn");
	await page.waitForSelector("#learn [data-lesson]");
	await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
	await tap(page, "#learn [data-lesson]");
	await page.waitForFunction(() => document.getElementById("learn").dataset.state === "open");
	const { top } = await page.$eval("#board", (board) => board.getBoundingClientRect().toJSON());
	assert.ok(top > -1, `the board begins at ${top}`);
	await tap(page, '#tools [data-act="show-me"]');
	await page.evaluate(() => scrollTo(0, 0));
	await tap(page, '[data-square="2c"]');
	await tap(page, '[data-square="2b"]');
	await page.waitForFunction(() => document.getElementById("learn").dataset.state === "done");
	await tap(page, '#tools [data-act="next"]');
	await page.waitForSelector('#learn .dots[aria-label="Step 2 of 4"]');
	assert.deepEqual(page.mistakes, []);
	await page.close();
});

test("moves make a sound and byoyomi is counted aloud, if enabled", async () => {
	const page = await open();
	await page.evaluate(() => {
		window.heard = [];
		AudioBufferSourceNode.prototype.start = () => window.heard.push("knock");
		speechSynthesis.speak = ({ text }) => window.heard.push(text);
		const now = performance.now();
		performance.now = () => now + (window.ahead ?? 0);
	});
	const pass = async (seconds, face) => {
		await page.evaluate((seconds) => (window.ahead = (window.ahead ?? 0) + seconds * 1000), seconds);
		await page.waitForFunction((face) => document.getElementById("clock-w").textContent === face, {}, face);
	};
	const heard = () => page.evaluate(() => window.heard.splice(0));
	await t.newGame(page, "shogi", { side: "both" });
	await t.choose(page, "clock", "byoyomi-30");
	await t.click(page, "7g", "7f");
	await t.waitForMoves(page, 1);
	await pass(10, "0:20");
	assert.deepEqual(await heard(), []);
	await page.$eval("#sound", (box) => box.click());
	await pass(10, "0:10");
	await pass(5, "0:05");
	assert.deepEqual(await heard(), ["10", "5"]);
	await t.click(page, "3c", "3d");
	await t.waitForMoves(page, 2);
	assert.deepEqual(await heard(), ["knock"]);
	await page.$eval("#sound", (box) => box.click());
	await t.choose(page, "clock", "none");
	assert.deepEqual(page.mistakes, []);
	await page.close();
});

test("a position is saved as SVG and as PNG", async () => {
	const page = await open();
	await t.newGame(page, "shogi", { side: "both" });
	await t.setPosition(page, "sfen 4k4/9/9/9/9/9/9/9/4K4 b RB2G2S2N2L9Prb2g2s2n2l9p 1");
	const text = await t.download(page, "#save-svg", /\.svg$/);
	const pieces = [...text.matchAll(/<g color="#222"><svg x="[\d.]+" y="[\d.]+" width="([\d.]+)"/g)];
	// Two kings, and every kind of piece in both hands, with a count if there are several.
	assert.equal(pieces.filter(([, width]) => width > 50).length, 16);
	const names = [...text.matchAll(/<text class="plain"[^>]*>([^<]*)</g)].map(([, name]) => name);
	assert.deepEqual(names, ["Black", "2", "2", "2", "2", "9", "White", "2", "2", "2", "2", "9"]);
	const png = await t.download(page, "#save-png", /\.png$/);
	assert.match(png, /^.PNG/);
	assert.deepEqual(page.mistakes, []);
	await page.close();
});

test("every start position is different and has its name", async () => {
	const page = await open();
	await page.evaluate(() => {
		navigator.clipboard.writeText = async (text) => {
			window.copied = text;
		};
	});
	const copied = async (button) => {
		await page.evaluate(() => {
			window.copied = null;
		});
		await page.$eval(button, (element) => element.click());
		await page.waitForFunction(() => window.copied !== null);
		return page.evaluate(() => window.copied);
	};
	await t.choose(page, "language", "ja");
	for (const [game, count] of [
		["shogi", 16],
		["janggi", 10],
		["dobutsu", 5],
	]) {
		await t.newGame(page, game, { side: "both" });
		const starts = await page.$$eval("#start option", (options) =>
			options.map(({ value, textContent }) => [value, textContent]),
		);
		assert.equal(starts.length, count);
		const seen = new Set();
		for (const [value, name] of starts) {
			await t.choose(page, "start", value);
			const sfen = await copied("#copy-sfen");
			assert.ok(!seen.has(sfen), `${name}: ${sfen}`);
			seen.add(sfen);
			// The side that gives a handicap in shogi or Dobutsu shogi moves first.
			assert.equal(sfen.split(" ")[2], value === "even" || game === "janggi" ? "b" : "w", name);
			if (game === "shogi") assert.ok((await copied("#copy-kif")).includes(`手合割：${name}\n`), name);
		}
	}
	await t.choose(page, "language", "en");
	assert.deepEqual(page.mistakes, []);
	await page.close();
});
