// The home, the addresses that start a task, the way from the first sight to the first move, and the end of a game.

import assert from "node:assert/strict";
import { test } from "node:test";
import * as t from "./common.mjs";

const open = t.together();
const task = (page) => page.$eval("body", (body) => body.dataset.task);
const game = (page) => page.$eval("#game", (field) => field.value);

/** A page in a browser profile without stored games. */
const fresh = (fragment = "", size = {}) => open({ fragment, fresh: true, ...size });

test("the home offers three games, and what one does with them", async () => {
	const page = await fresh();
	assert.equal(await task(page), "home");
	for (const name of ["shogi", "janggi", "dobutsu"])
		for (const what of ["play", "learn", "solve"])
			assert.ok(await page.$(`#home [data-start="${name}:${what}"]`), `${name}:${what}`);
	// Each picture shows the pieces of the start position.
	const pieces = await page.$$eval("#home .card .mini", (all) =>
		all.map((mini) => mini.querySelectorAll("svg svg").length),
	);
	assert.deepEqual(
		pieces.map((count) => count - 1),
		[40, 32, 8],
	);
	await page.click('#home [data-start="dobutsu:learn"]');
	await page.waitForSelector("#learn [data-lesson]");
	assert.equal(await page.$eval("#learn [data-lesson]", (item) => item.dataset.lesson), "dobutsu-animals");
	await page.goBack();
	await page.waitForSelector('body[data-task="home"]');
	assert.deepEqual(page.mistakes, []);
	await page.close();
});

for (const [name, start, clicks, move] of [
	["dobutsu", '[data-start="dobutsu:play"]', 1, ["2c", "2b"]],
	["shogi", '[data-start="shogi:play"]', 1, ["7g", "7f"]],
	["janggimodern", '[data-act="game-janggimodern"]', 1, ["1g", "1f"]],
])
	test(`${clicks} click before the first move: ${name}`, async () => {
		const page = await fresh();
		await page.click(`#home ${start}`);
		await t.settled(page);
		assert.deepEqual([await task(page), await game(page)], ["play", name]);
		await t.click(page, ...move);
		await t.waitForMoves(page, 1);
		assert.equal((await t.moves(page))[0], move.join(""));
		assert.deepEqual(page.mistakes, []);
		await page.close();
	});

test("an address starts a task of a game", async () => {
	for (const [address, wanted] of [
		["#start=janggi:play", ["play", "janggi"]],
		["#start=dobutsu:solve", ["solve"]],
		["#start=shogi:learn", ["learn"]],
		["#start=chess:play", ["home"]],
	]) {
		const page = await fresh(address);
		assert.deepEqual([await task(page), await game(page)].slice(0, wanted.length), wanted, address);
		if (address.includes("dobutsu"))
			assert.equal(
				await page.$eval('#learn [data-kind="dobutsu"]', (kind) => kind.getAttribute("aria-pressed")),
				"true",
			);
		assert.deepEqual(page.mistakes, []);
		await page.close();
	}
});

test("an unfinished game goes on, and a reload stays in the layout", async () => {
	const page = await fresh("#start=shogi:play");
	await t.click(page, "7g", "7f");
	await t.waitForMoves(page, 2);
	await page.click("#go-home");
	await page.click("#go-on");
	assert.equal(await task(page), "play");
	assert.equal((await t.moves(page))[0], "7g7f");
	await new Promise((resolve) => setTimeout(resolve, 300));
	await page.reload();
	await page.waitForSelector("html[data-ready]");
	assert.equal(await task(page), "play");
	assert.deepEqual(page.mistakes, []);
	await page.close();
});

test("the end of a game: again, easier, harder, with the sides swapped, and the mistakes", {
	timeout: 180_000,
}, async () => {
	const page = await fresh("#start=shogi:play");
	const lose = async () => {
		await page.click("#resign");
		await page.waitForSelector("#confirm[open]");
		await page.click("#confirm-yes");
		await page.waitForSelector("#again");
		assert.equal(await page.$eval("#actions", (actions) => actions.checkVisibility()), false);
	};
	const level = () => page.$eval("#level", (field) => Number(field.value));
	await t.click(page, "7g", "7f");
	await t.waitForMoves(page, 2);
	await lose();
	const before = await level();
	for (const [button, change] of [
		["#harder", 1],
		["#easier", 0],
		["#again", 0],
	]) {
		await page.click(button);
		await page.waitForFunction(() => !document.querySelector("#moves [data-usi]"));
		await t.settled(page);
		assert.equal(await level(), before + change, button);
		await lose();
	}
	await page.click("#rematch");
	// The engine begins.
	await t.waitForMoves(page, 1);
	assert.equal(await page.$eval("#side", (field) => field.value), "w");
	await lose();
	await page.select("#review-nodes", "20000");
	await page.click("#mistakes");
	await page.waitForSelector("#report table");
	assert.equal(await task(page), "analyse");
	assert.deepEqual(page.mistakes, []);
	await page.close();
});

test("mistakes are tried again", { timeout: 180_000 }, async () => {
	const page = await fresh();
	// Black gives away the bishop, and White does not take it.
	await t.setPosition(page, "startpos moves 7g7f 3c3d 8h3c 9c9d");
	await t.tab(page, "analyse");
	await page.select("#review-nodes", "20000");
	await page.$eval("#review", (button) => button.click());
	await page.waitForSelector("#retry");
	// The moment that decided is told in words, and so is what to practise.
	assert.match(
		await page.$eval("#report .moments", (list) => list.textContent),
		/3\. .*Lets the opponent win the bishop/,
	);
	assert.equal(await page.$eval("#report .practise [data-theme]", (item) => item.dataset.theme), "safety");
	await page.click("#retry");
	await page.waitForFunction(() => document.getElementById("learn").dataset.state === "open");
	assert.match(await page.$eval("#task", (text) => text.textContent), /^Move \d: you played .* better move/);
	// The mistake is refuted on the board, in words that can be read until the next try.
	await t.settled(page);
	await t.click(page, "8h", "3c");
	await page.click("#promote-no");
	await t.says(page, /^B8h-3c=: Lets the opponent win the bishop on 3c.* The engine answers/);
	await page.waitForFunction(() => document.getElementById("learn").dataset.state === "open");
	assert.match(await t.status(page), /Lets the opponent win the bishop/);
	await t.move(page, await t.suggestion(page));
	await t.says(page, /Right!/);
	// The mistakes are kept for another day.
	await page.reload();
	await page.waitForSelector("html[data-ready]");
	await t.enter(page, "solve");
	await page.waitForSelector('#learn [data-problem="own-0"]');
	assert.deepEqual(page.mistakes, []);
	await page.close();
});

test("a bad move in a game is followed by one line that says why", { timeout: 180_000 }, async () => {
	const page = await fresh();
	await t.newGame(page, "shogi", { side: "both", level: "0" });
	await t.setPosition(page, "sfen 4k4/9/9/9/4p4/9/9/9/3KR4 b - 1");
	await t.choose(page, "side", "b");
	await t.settled(page);
	const line = () => page.$eval("#task", (text) => text.textContent);
	const blunder = async () => {
		await t.click(page, "5i", "5f");
		await t.waitForMoves(page, 2);
	};
	await blunder();
	await page.waitForFunction(() => /^R5i-5f: /.test(document.getElementById("task").textContent));
	assert.match(await line(), /rook|mate/);
	await page.click("#takeback");
	await page.waitForFunction(() => !document.querySelector("#moves [data-usi]"));
	await t.settled(page);
	// Nothing is said if the user does not want it.
	await page.$eval("#remarks", (box) => box.click());
	await blunder();
	await new Promise((resolve) => setTimeout(resolve, 1000));
	assert.doesNotMatch(await line(), /R5i-5f/);
	assert.deepEqual(page.mistakes, []);
	await page.close();
});

test("what was played after a move was taken back is kept as a variation", async () => {
	const page = await fresh("#start=shogi:play");
	await t.newGame(page, "shogi", { side: "both" });
	for (const [n, move] of [
		["7g", "7f"],
		["3c", "3d"],
	].entries()) {
		await t.click(page, ...move);
		await t.waitForMoves(page, n + 1);
	}
	await page.$eval("#takeback", (button) => button.click());
	await page.waitForFunction(() => document.querySelectorAll("#moves [data-usi]").length === 1);
	await t.settled(page);
	await t.click(page, "8c", "8d");
	await t.waitForMoves(page, 2);
	await page.click("#toast-act");
	await page.waitForFunction(() => document.querySelectorAll("#moves [data-usi]")[1]?.dataset.usi === "3c3d");
	assert.match(await page.$eval("#moves .variation", (line) => line.textContent), /P8c-8d/);
	assert.deepEqual(page.mistakes, []);
	await page.close();
});

test("facing generals in Janggi are announced and explained", async () => {
	const page = await fresh();
	await t.newGame(page, "janggitraditional", { side: "both" });
	await t.setPosition(page, "sfen r3k3r/9/9/4p4/9/9/4P4/9/9/R3K3R b - 1");
	for (const [n, move] of [
		["5g", "4g"],
		["5d", "6d"],
	].entries()) {
		await t.click(page, ...move);
		await t.waitForMoves(page, n + 1);
	}
	await t.says(page, /Bikjang/);
	assert.match(await page.$eval("#task", (text) => text.textContent), /move your general.*in between.*pass/);
	await t.click(page, "9j", "9i");
	await t.says(page, /break the facing of the generals, or pass/);
	await page.click("#pass");
	await page.waitForSelector("#confirm[open]");
	assert.match(await page.$eval("#confirm-text", (text) => text.textContent), /draw: the generals face each other/);
	await page.click("#confirm-yes");
	await page.waitForSelector("#status.over");
	assert.deepEqual(page.mistakes, []);
	await page.close();
});

test("points and captured pieces in Janggi", async () => {
	const page = await fresh();
	await t.newGame(page, "janggimodern", { side: "both" });
	await t.setPosition(page, "sfen 4k4/9/9/4p4/4P4/9/9/9/4K4/R8 b - 1");
	const points = () => page.$$eval(".player .points", (all) => all.map((one) => one.textContent));
	assert.deepEqual(await points(), ["3.5", "15"]);
	await t.click(page, "5e", "5d");
	await t.waitForMoves(page, 1);
	assert.deepEqual(await points(), ["1.5", "15"]);
	assert.equal(await page.$$eval("#player-bottom .taken", (all) => all.length), 1);
	assert.deepEqual(page.mistakes, []);
	await page.close();
});

test("Dobutsu shogi speaks to children in Japanese", async () => {
	const page = await fresh();
	await t.choose(page, "language", "ja");
	await page.click('#home [data-start="dobutsu:play"]');
	await t.settled(page);
	// The words for children are loaded when they are first needed.
	await page.waitForFunction(async () => (await import("./settings.js")).say.toChild);
	const kanji = () =>
		page.evaluate(() =>
			[...document.querySelectorAll("header, .table, .list")]
				// biome-ignore lint/performance/useDomNodeTextContent: hidden text does not count
				.map((part) => part.innerText + [...part.querySelectorAll("[placeholder]")].map((field) => field.placeholder))
				.join(" ")
				.match(/\p{Script=Han}+/gu),
		);
	assert.deepEqual(await kanji(), null);
	await t.click(page, "2c", "2b");
	await t.waitForMoves(page, 2);
	await page.click("#hint");
	await t.says(page, /おすすめ/);
	await t.choose(page, "language", "en");
	await page.close();
});

test("a game is saved as a page that opens from a file", async () => {
	const page = await fresh();
	await t.setPosition(page, "startpos moves 7g7f 3c3d 2g2f");
	await t.tab(page, "position");
	const [text, path] = await t.downloadFile(page, "#save-page", /\.html$/);
	assert.doesNotMatch(text, /127\.0\.0\.1|localhost/);
	await page.goto(`file://${path}`);
	await page.waitForSelector("html[data-ready]");
	assert.deepEqual(await t.moves(page), ["7g7f", "3c3d", "2g2f"]);
	await page.keyboard.press("End");
	await page.waitForSelector('[data-square="2f"] [data-piece="P"]');
	await t.click(page, "8c");
	await t.says(page, /saved game/);
	assert.deepEqual(page.mistakes, []);
	await page.close();
});

test("a record with an illegal move is listed to its end", async () => {
	const page = await fresh();
	// The bishop gives check, which White ignores.
	await t.setPosition(page, "startpos moves 7g7f 3c3d 8h3c 9c9d 3c5e");
	assert.deepEqual(await t.moves(page), ["7g7f", "3c3d", "8h3c", "9c9d", "3c5e"]);
	assert.equal(await page.$$eval("#moves button:disabled", (all) => all.length), 2);
	await t.says(page, /Grey moves break the rules/);
	assert.deepEqual(page.mistakes, []);
	await page.close();
});

test("a link that only this computer can open says so, unless a public address is set", async () => {
	const page = await fresh();
	await t.setPosition(page, "startpos moves 7g7f");
	await page.evaluate(() => {
		navigator.clipboard.writeText = async (text) => {
			window.copied = text;
		};
	});
	await page.$eval("#share-game", (button) => button.click());
	await t.says(page, /Only this computer can open this link/);
	await page.$eval("#address", (field) => {
		field.value = "https://example.org/sanban/";
		field.dispatchEvent(new Event("change"));
	});
	await page.$eval("#share-game", (button) => button.click());
	await t.says(page, /^Copied\.$/);
	assert.match(await page.evaluate(() => window.copied), /^https:\/\/example\.org\/sanban\/#g=/);
	assert.deepEqual(page.mistakes, []);
	await page.close();
});
