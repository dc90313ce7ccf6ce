// Games survive reloads and lost connections, studies are restored completely, and discarded games can be restored.

import assert from "node:assert/strict";
import { test } from "node:test";
import * as t from "./common.mjs";

const STUDY = `手合割：平手
棋戦：名人戦
先手：A
後手：B
手数----指手---------消費時間--
*at the start
   1 ７六歩(77)   ( 0:12/00:00:12)
*first
*second line
   2 ３四歩(33)   ( 0:05/00:00:05)
   3 ２六歩(27)   ( 0:01/00:00:13)
   4 ４四歩(43)   ( 0:01/00:00:06)
   5 投了

変化：3手
   3 ６六歩(67)
*quiet
   4 ８四歩(83)

変化：4手
   4 ３五歩(34)

変化：2手
   2 ８四歩(83)
   3 中断
`;

const open = t.together();

/** The tree, the position in it, the clocks and the settings, as the browser stores them. */
const kept = (page) =>
	page.evaluate(() => {
		const id = sessionStorage.getItem("sanban-tab");
		const { tree, at, name, start, side, headers, clock } = JSON.parse(localStorage.getItem(`sanban-game:${id}`));
		return { id, tree, at, name, start, side, headers, clock: clock?.on, settings: localStorage.getItem("sanban") };
	});

/** Reloads the page once everything is stored. */
async function reload(page) {
	await new Promise((resolve) => setTimeout(resolve, 300));
	await page.reload();
	await page.waitForSelector("html[data-ready]");
}

/** Clicks an element as soon as it exists: an offer to undo appears after the change. */
async function press(page, selector) {
	await page.waitForSelector(selector);
	await page.$eval(selector, (element) => element.click());
}

/** Saves the game as KIF and returns the text. */
async function written(page) {
	await press(page, "#tab-position");
	await page.select("#format", "kifu");
	return t.download(page, "#download", /\.kifu$/);
}

test("a study is loaded, survives a reload, and is written back completely", async () => {
	const page = await open();
	await t.newGame(page, "shogi", { side: "both" });
	await t.setPosition(page, STUDY);
	assert.deepEqual(await t.moves(page), ["7g7f", "3c3d", "2g2f", "4c4d"]);
	assert.equal(await page.$$eval("#moves .variation", (all) => all.length), 3);
	const before = await written(page);
	for (const part of ["名人戦", "先手：A", "second line", "quiet", "変化：2手", "0:12", "投了", "中断"])
		assert.ok(before.includes(part), `${part} in ${before}`);
	const was = await kept(page);
	await reload(page);
	assert.deepEqual(await kept(page), was);
	assert.equal(await written(page), before);
	// The written text gives the same study when read again.
	await t.setPosition(page, before);
	assert.equal(await written(page), before);
	assert.deepEqual(page.mistakes, []);
	await page.close();
});

test("variations are made by playing, annotated, reordered and deleted", async () => {
	const page = await open();
	await t.newGame(page, "shogi", { side: "both" });
	for (const [n, [from, to]] of ["7g 7f", "3c 3d", "2g 2f"].map((move) => move.split(" ")).entries()) {
		await t.click(page, from, to);
		await t.waitForMoves(page, n + 1);
	}
	await page.keyboard.press("Home");
	await page.waitForFunction(() => !document.querySelector("#moves .now"));
	await t.click(page, "2g", "2f");
	await page.waitForSelector("#moves .variation");
	// The line is still complete.
	assert.deepEqual(await t.moves(page), ["7g7f", "3c3d", "2g2f"]);
	await t.tab(page, "notes");
	await page.type("#comment", "also played");
	await page.click('#marks [data-mark="!?"]');
	await page.waitForFunction(() => /also played/.test(document.querySelector("#moves .variation").textContent));
	await reload(page);
	assert.match(await page.$eval("#moves .variation", (element) => element.textContent), /P2g-2f.*!\?.*also played/);
	await t.tab(page, "notes");
	await page.click("#promote-line");
	await page.waitForFunction(() => document.querySelector("#moves [data-usi]").dataset.usi === "2g2f");
	await page.click("#delete-from");
	await page.waitForFunction(() => document.querySelector("#moves [data-usi]").dataset.usi === "7g7f");
	await press(page, "#toast-act");
	await page.waitForFunction(() => document.querySelector("#moves [data-usi]").dataset.usi === "2g2f");
	assert.deepEqual(page.mistakes, []);
	await page.close();
});

test("discarded games can be restored", async () => {
	const page = await open();
	await t.newGame(page, "shogi", { side: "both" });
	await t.click(page, "7g", "7f");
	await t.waitForMoves(page, 1);
	for (const discard of [
		() => press(page, "#new"),
		() => t.choose(page, "game", "dobutsu"),
		() => press(page, "#takeback"),
		() => t.setPosition(page, "startpos moves 2g2f"),
	]) {
		await discard();
		await page.waitForFunction(() => document.querySelector("#moves [data-usi]")?.dataset.usi !== "7g7f");
		await press(page, "#toast-act");
		await page.waitForFunction(() => document.querySelector("#moves [data-usi]")?.dataset.usi === "7g7f");
	}
	// A new clock applies only to the next game.
	await t.choose(page, "clock", "byoyomi-30");
	assert.deepEqual(await t.moves(page), ["7g7f"]);
	// Earlier games are in the list.
	await press(page, "#new");
	await page.waitForFunction(() => !document.querySelector("#moves [data-usi]"));
	await t.tab(page, "position");
	await page.click("#recent .open");
	await page.waitForFunction(() => document.querySelector("#moves [data-usi]")?.dataset.usi === "7g7f");
	assert.deepEqual(page.mistakes, []);
	await page.close();
});

test("a game survives a restart of the server", { timeout: 180_000 }, async () => {
	let mine = await t.startBoard();
	const { port } = new URL(mine.url);
	const page = await open({ url: mine.url });
	await t.newGame(page, "shogi", { side: "both" });
	await t.click(page, "7g", "7f");
	await t.waitForMoves(page, 1);
	await mine.stop();
	await t.says(page, /connection to the engine was lost/);
	// Positions can be browsed without a connection.
	await page.keyboard.press("ArrowLeft");
	await page.waitForFunction(() => document.querySelector('[data-square="7g"] [data-piece="P"]'));
	await page.keyboard.press("ArrowRight");
	mine = await t.startBoard("--port", port);
	await t.says(page, /engine is connected again/);
	await t.click(page, "3c", "3d");
	await t.waitForMoves(page, 2);
	assert.deepEqual(await t.moves(page), ["7g7f", "3c3d"]);
	await page.close();
	mine.stop();
});

test("the clock and the user's side survive a reload", async () => {
	const page = await open();
	await t.newGame(page, "shogi", { side: "both" });
	await t.choose(page, "clock", "increment-5-3");
	await t.click(page, "7g", "7f");
	await t.waitForMoves(page, 1);
	await reload(page);
	for (const side of ["b", "w"])
		assert.match(await page.$eval(`#clock-${side}`, (face) => face.textContent), /^[45]:\d\d$/);
	assert.equal(await page.$eval("#side", (field) => field.value), "both");
	await t.choose(page, "clock", "none");
	await page.close();
});

test("links contain a game or a position, and a reload keeps the moves made after it", async () => {
	const page = await open();
	await t.newGame(page, "janggi", { side: "both" });
	await t.click(page, "5g", "5f");
	await t.waitForMoves(page, 1);
	await page.evaluate(() => {
		window.copied = [];
		navigator.clipboard.writeText = async (text) => window.copied.push(text);
	});
	await t.tab(page, "position");
	await page.click("#share-game");
	await page.waitForFunction(() => window.copied.length === 1);
	await page.click("#share-position");
	await page.waitForFunction(() => window.copied.length === 2);
	const [game, position] = await page.evaluate(() => window.copied);
	await page.close();
	const other = await open({ url: game });
	assert.deepEqual(await t.moves(other), ["5g5f"]);
	assert.equal(await other.$eval("#game", (field) => field.value), "janggi");
	await other.keyboard.press("End");
	await t.click(other, "5d", "5e");
	await t.waitForMoves(other, 2);
	await reload(other);
	assert.deepEqual(await t.moves(other), ["5g5f", "5d5e"]);
	await other.close();
	const third = await open({ url: position });
	assert.equal(await t.pieceOn(third, "5f"), "P");
	assert.equal(await t.side(third), "w");
	assert.deepEqual(third.mistakes, []);
	await third.close();
});

test("stale lines cannot be played, and error messages disappear", { timeout: 180_000 }, async () => {
	const page = await open();
	await t.newGame(page, "shogi", { side: "both" });
	await t.tab(page, "analyse");
	await page.click("#analyse");
	// On a slow machine, the first lines have only one move, and so may all lines but the best.
	await page.waitForFunction(() => document.querySelector("#found li")?.dataset.pv.includes(" "), { timeout: 60_000 });
	// All lines are read at the same time, because they change.
	const first = await page.evaluate(() =>
		[...document.querySelectorAll("#found li")].map((item) => item.dataset.pv.split(" ")[0]),
	);
	assert.equal(new Set(first).size, first.length);
	await page.click("#analyse");
	await page.waitForFunction(() => document.querySelector("#found button"));
	// A line is browsed with the keys without being played.
	await page.click("#found li:first-child button");
	await page.waitForSelector("body.previewing");
	await page.keyboard.press("ArrowRight");
	await page.waitForFunction(() => /move 2 of/.test(document.getElementById("status").textContent));
	assert.deepEqual(await t.moves(page), []);
	await page.keyboard.press("Escape");
	await page.waitForFunction(() => !document.body.classList.contains("previewing"));
	await page.$eval("#found li:first-child button", (button) => {
		window.stale = button;
	});
	await t.click(page, "7g", "7f");
	await t.waitForMoves(page, 1);
	assert.equal(await page.$("#found li"), null);
	assert.equal(await page.$(".arrow"), null);
	await page.evaluate(() => window.stale.click());
	await t.click(page, "3c", "3e");
	await t.says(page, /does not move like that/);
	await t.click(page, "3c", "3d");
	await t.waitForMoves(page, 2);
	assert.deepEqual(await t.moves(page), ["7g7f", "3c3d"]);
	assert.doesNotMatch(await t.status(page), /does not move/);
	assert.deepEqual(page.mistakes, []);
	await page.close();
});

test("a position of a different game switches the game, and errors are in the page's language", async () => {
	const page = await open();
	await t.newGame(page, "shogi", { side: "both" });
	await t.setPosition(page, "gle/1c1/1C1/ELG b - 1");
	assert.equal(await page.$eval("#game", (field) => field.value), "dobutsu");
	await t.setPosition(
		page,
		"https://lishogi.org/analysis/standard/lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL_w_-_2",
	);
	assert.equal(await page.$eval("#game", (field) => field.value), "shogi");
	assert.equal(await t.pieceOn(page, "7f"), "P");
	await t.choose(page, "language", "ja");
	await t.tab(page, "position");
	await page.$eval("#text", (field) => {
		field.value = "startpos moves 7g7f zzzz";
	});
	await page.click("#load");
	await t.says(page, /行目/);
	assert.doesNotMatch(await t.status(page), /expected|found/);
	await t.choose(page, "language", "en");
	assert.deepEqual(page.mistakes, []);
	await page.close();
});

test("files can be dropped and text can be pasted anywhere", async () => {
	const page = await open();
	await t.newGame(page, "shogi", { side: "both" });
	await page.evaluate(() => {
		const data = new DataTransfer();
		data.items.add(new File(["startpos moves 7g7f 3c3d"], "game.usi"));
		document.getElementById("board").dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true }));
	});
	await t.waitForMoves(page, 2);
	await page.evaluate(() => {
		const data = new DataTransfer();
		data.setData("text/plain", "startpos moves 2g2f");
		document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true }));
	});
	await page.waitForFunction(() => document.querySelector("#moves [data-usi]")?.dataset.usi === "2g2f");
	assert.deepEqual(page.mistakes, []);
	await page.close();
});

test("keys, wheel and typed moves", async () => {
	const page = await open();
	await t.newGame(page, "shogi", { side: "both" });
	for (const [n, text] of ["7g7f", "P3d", "☗２六歩", "8四歩"].entries()) {
		await page.$eval("#typed", (field) => field.focus());
		await page.keyboard.type(text);
		await page.keyboard.press("Enter");
		await t.waitForMoves(page, n + 1);
	}
	assert.deepEqual(await t.moves(page), ["7g7f", "3c3d", "2g2f", "8c8d"]);
	await page.$eval("#typed", (field) => field.blur());
	const at = (ply) =>
		page.waitForFunction(
			(ply) => document.querySelectorAll("#moves [data-usi]")[ply - 1]?.querySelector(".now"),
			{},
			ply,
		);
	await page.keyboard.press("ArrowLeft");
	await at(3);
	await page.keyboard.press("Home");
	await page.waitForFunction(() => !document.querySelector("#moves .now"));
	await page.keyboard.press("End");
	await at(4);
	const box = await (await page.$("#board")).boundingBox();
	await page.mouse.move(box.x + 50, box.y + 50);
	await page.mouse.wheel({ deltaY: -100 });
	await at(3);
	assert.deepEqual(page.mistakes, []);
	await page.close();
});
