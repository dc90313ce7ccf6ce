// Makes docs/board/board.gif, the moving picture of the README: `npm run tour`. Needs ImageMagick's `convert`.

import { execFileSync } from "node:child_process";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as t from "./common.mjs";

const OUT = fileURLToPath(new URL("../../docs/board/board.gif", import.meta.url));
const SIZE = { width: 1180, height: 740 };
const MOVES = [
	["7g", "7f"],
	["2g", "2f"],
	["2f", "2e"],
];

const folder = await mkdtemp(join(tmpdir(), "tour-"));
/** Names of the pictures, each after the time for which it is shown, in hundredths of a second. */
const frames = [];
const board = await t.startBoard();
const { browser, stop } = await t.startBrowser();
try {
	const page = await t.openPage(browser, board.url, SIZE);
	const pause = (time) => new Promise((resolve) => setTimeout(resolve, time));
	async function frame(time) {
		await pause(400);
		const path = join(folder, `${frames.length / 3}.png`);
		await page.screenshot({ path });
		frames.push("-delay", String(time), path);
	}
	await t.enter(page, "home");
	await frame(150);
	await t.newGame(page, "shogi", { level: "8", thinking: "500" });
	await t.enter(page, "play");
	await frame(80);
	for (const [n, move] of MOVES.entries()) {
		await t.click(page, move[0]);
		await frame(50);
		await t.click(page, move[1]);
		await t.waitForMoves(page, 2 * n + 2);
		await frame(70);
	}
	await t.tab(page, "analyse");
	await page.$eval("#analyse", (button) => button.click());
	await pause(2000);
	await frame(200);
	await page.$eval("#analyse", (button) => button.click());
	for (const [game, time] of [
		["janggi", 150],
		["dobutsu", 150],
	]) {
		await t.newGame(page, game, { side: "both" });
		await t.enter(page, "play");
		await page.evaluate(async () => (await import("./dialogs.js")).closeToast());
		await frame(time);
	}
	await t.enter(page, "learn");
	await page.waitForSelector("#learn [data-lesson]");
	await frame(150);
} finally {
	await stop();
	board.stop();
}
execFileSync("convert", [...frames, "-resize", "660x", "-colors", "56", "-layers", "OptimizePlus", "-loop", "0", OUT]);
