// No click is lost through a redraw between press and release, a slight movement of the pointer, or a slow engine.

import assert from "node:assert/strict";
import { test } from "node:test";
import * as t from "./common.mjs";

const open = t.together();

const middle = async (page, selector) => {
	const box = await (await page.waitForSelector(selector)).boundingBox();
	return [box.x + box.width / 2, box.y + box.height / 2];
};

/** Presses on an element, runs `meanwhile`, and releases. */
async function press(page, selector, meanwhile) {
	await page.mouse.move(...(await middle(page, selector)));
	await page.mouse.down();
	await meanwhile();
	await page.mouse.up();
}

/** Redraws everything, as a message from the engine does. */
const redraw = (page) => page.evaluate(() => document.getElementById("theme").dispatchEvent(new Event("change")));

/** Opens the page with an engine whose answers are all delayed, and whose moves wait for `window.release`. */
async function late(milliseconds) {
	const page = await open();
	await page.evaluateOnNewDocument((milliseconds) => {
		const released = new Promise((resolve) => {
			window.release = resolve;
		});
		const { set } = Object.getOwnPropertyDescriptor(WebSocket.prototype, "onmessage");
		Object.defineProperty(WebSocket.prototype, "onmessage", {
			set(act) {
				set.call(this, async (event) => {
					if (JSON.parse(event.data).best) await released;
					setTimeout(act, milliseconds, event);
				});
			},
		});
	}, milliseconds);
	await page.reload();
	await page.waitForSelector("html[data-ready]");
	return page;
}

test("a redraw between press and release", async () => {
	const page = await open();
	await t.newGame(page, "shogi", { side: "both" });
	await t.setPosition(page, "sfen 4k4/9/9/9/9/9/9/9/4K4 b GPr2p 1");
	const again = async () => {
		await t.choose(page, "language", "ja");
		await redraw(page);
		await t.choose(page, "language", "en");
	};
	await press(page, '[data-hand="b:G"]', again);
	assert.ok(await page.$('[data-hand="b:G"].picked'));
	await t.click(page, "5b");
	await t.waitForMoves(page, 1);
	await press(page, "#moves [data-node]", again);
	await page.keyboard.press("Home");
	await press(page, "#moves [data-node]", again);
	await page.waitForSelector("#moves .now");
	assert.deepEqual(page.mistakes, []);
	await page.close();
});

test("lines that change under the pointer", async () => {
	const page = await open();
	await t.newGame(page, "shogi", { side: "both" });
	await t.tab(page, "analyse");
	await page.click("#analyse");
	await press(page, "#found li:first-child button", async () => {
		const before = await page.$eval("#found", (list) => list.textContent);
		await page.waitForFunction((before) => document.getElementById("found").textContent !== before, {}, before);
	});
	await page.waitForSelector("body.previewing");
	await page.keyboard.press("Escape");
	await page.click("#analyse");
	assert.deepEqual(page.mistakes, []);
	await page.close();
});

test("clicks during which the pointer moves slightly", async () => {
	const page = await open();
	await t.newGame(page, "shogi", { side: "both" });
	await t.setPosition(page, "sfen 4k4/9/9/9/9/9/9/9/4K4 b G 1");
	for (const place of ['[data-square="5i"]', '[data-hand="b:G"]']) {
		const slip = async (selector) => {
			const [x, y] = await middle(page, selector);
			await press(page, selector, () => page.mouse.move(x + 9, y + 5, { steps: 3 }));
			return Boolean(await page.$(`${selector}.picked`));
		};
		assert.equal(await slip(place), true);
		assert.equal(await slip(place), false);
	}
	assert.deepEqual(page.mistakes, []);
	await page.close();
});

test("a double click counts as one click", async () => {
	const page = await open();
	await t.newGame(page, "shogi", { side: "both" });
	for (const square of ["7g", "7f"])
		await page.mouse.click(...(await middle(page, `[data-square="${square}"]`)), { count: 2 });
	await t.waitForMoves(page, 1);
	assert.deepEqual(await t.moves(page), ["7g7f"]);
	assert.equal(await page.$("#status.refused"), null);
	assert.deepEqual(page.mistakes, []);
	await page.close();
});

test("clicks before the answers of a slow engine", async () => {
	const page = await late(300);
	await t.newGame(page, "shogi", { side: "both" });
	const line = ["7g7f", "3c3d", "2g2f", "8c8d"];
	for (const move of line) await t.click(page, move.slice(0, 2), move.slice(2));
	await t.waitForMoves(page, line.length);
	assert.deepEqual(await t.moves(page), line);
	assert.deepEqual(page.mistakes, []);
	await page.close();
});

test("a piece is selected while the engine is thinking", async () => {
	const page = await late(300);
	await t.newGame(page, "shogi", { level: "0" });
	await t.click(page, "7g", "7f");
	await page.waitForFunction(() => document.getElementById("turn").dataset.side === "w");
	await t.click(page, "2g");
	await page.waitForSelector('[data-square="2g"].picked');
	assert.deepEqual(await page.$$(".target"), []);
	await page.evaluate(() => window.release());
	await page.waitForSelector('[data-square="2f"].target');
	await t.click(page, "2f");
	await t.waitForMoves(page, 3);
	assert.equal((await t.moves(page))[2], "2g2f");
	assert.deepEqual(page.mistakes, []);
	await page.close();
});
