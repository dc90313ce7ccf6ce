// Ten things that people come for, done by clicks from a fresh profile. Each is done in one language and on one screen;
// ALL=1 does it in three languages, on a laptop and on a phone.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { LESSONS } from "../../web/lessons.js";
import * as t from "./common.mjs";

const SIZES = [
	{ width: 1366, height: 768 },
	{ width: 390, height: 844 },
];
const table = process.env.DOBUTSU_TABLE;

let board, browser;
before(async () => {
	board = await t.startBoard(...(table ? ["--dobutsu-table", table] : []));
	browser = await t.startBrowser();
});
after(async () => {
	await browser?.stop();
	await board?.stop();
});

/** Registers a task; `act` gets the page, at its home in the language, and the profile of the browser. */
function task(name, act, skip = false) {
	const number = tasks++;
	for (const [n, language] of t.LANGUAGES.entries())
		for (const [m, size] of SIZES.entries())
			if (t.ALL || (n === 0 && m === number % SIZES.length))
				test(`${name}: ${language}, ${size.width}x${size.height}`, { skip, timeout: 120_000 }, async () => {
					const profile = await browser.browser.createBrowserContext();
					const page = await t.openPage(profile, board.url, size);
					await page.click(`#home .tongues [lang="${language}"]`);
					await page.waitForSelector(`html[lang="${language}"]`);
					await t.hurry(page);
					await act(page, profile, size);
					assert.deepEqual(page.mistakes, []);
					await profile.close();
				});
}
let tasks = 0;

const home = (page, start) => page.click(`#home ${start}`);
/** Clicks a control that may have to be scrolled into view. */
const press = async (page, selector) => {
	await page.waitForFunction((selector) => document.querySelector(selector)?.checkVisibility(), {}, selector);
	await page.$eval(selector, (one) => one.scrollIntoView({ block: "center" }));
	await page.click(selector);
};
const laidOut = (page, name) => page.waitForSelector(`body[data-task="${name}"]`);
const text = (page, selector) => page.$eval(selector, (one) => one.textContent.trim());

async function play(page, ...line) {
	for (const usi of line) {
		const count = (await t.moves(page)).length;
		await t.move(page, usi);
		await t.waitForMoves(page, count + 1);
	}
}

/** Completes a lesson, step by step. */
async function finish(page, { steps }) {
	for (const [n, step] of steps.entries()) {
		await t.complete(page, step);
		if (n + 1 < steps.length) await press(page, '#tools [data-act="next"]');
	}
}

/** Opens the dialog for a new game and lets `choose` fill it in. */
async function setUp(page, choose) {
	await press(page, "#tab-play");
	if (!(await page.$("#setup[open]"))) await press(page, "#tab-play");
	await page.waitForSelector("#setup[open]");
	await choose();
	await press(page, "#new");
	await page.waitForFunction(() => !document.querySelector("#moves [data-usi]"));
	await t.settled(page);
}

async function resign(page) {
	await press(page, "#resign");
	await page.waitForSelector("#confirm[open]");
	await page.click("#confirm-yes");
	await page.waitForSelector("#again");
}

/** Loads a game or a position by pasting it. */
async function paste(page, content) {
	await page.evaluate((content) => {
		document.getElementById("text").value = content;
	}, content);
	await press(page, "#load");
}

task("a child learns the animals, plays the weakest level to the end, and again", async (page) => {
	await home(page, '[data-start="dobutsu:learn"]');
	await press(page, '#learn [data-lesson="dobutsu-animals"]');
	await finish(page, LESSONS.dobutsu[0]);
	await press(page, "#go-home");
	await home(page, '[data-start="dobutsu:play"]');
	await laidOut(page, "play");
	await setUp(page, () => press(page, '#opponents [data-level="0"]'));
	await t.playWhole(page, t.dice(3));
	assert.ok(await t.isOver(page));
	await press(page, "#again");
	await page.waitForFunction(() => !document.querySelector("#moves [data-usi]"));
});

task("a beginner plays, takes back, asks, resigns, and tries the mistakes again", async (page) => {
	await home(page, '[data-start="shogi:play"]');
	await t.settled(page);
	const random = t.dice(5);
	for (let n = 0; n < 10; n++) {
		await t.playAnything(page, random);
		await t.waitForMoves(page, 2 * n + 2);
	}
	await press(page, "#takeback");
	await page.waitForFunction(() => document.querySelectorAll("#moves [data-usi]").length < 20);
	await t.settled(page);
	await press(page, "#hint");
	await page.waitForFunction(
		() =>
			document.getElementById("status").classList.contains("hint") &&
			document.getElementById("task").textContent !== "",
	);
	await resign(page);
	await page.select("#review-nodes", "20000");
	await press(page, "#mistakes");
	await page.waitForSelector("#report table", { timeout: 120_000 });
	// Random moves are mistakes, which are explained; each can be tried again.
	assert.ok((await page.$$eval("#report .moments p", (all) => all.map((one) => one.textContent))).every(Boolean));
	assert.ok(await page.$("#report .practise [data-theme]"));
	await press(page, "#retry");
	await t.stateIs(page, "open");
	await t.move(page, await t.suggestion(page));
	await t.stateIs(page, "done");
});

const KIF = `手合割：平手
手数----指手---------消費時間--
   1 ７六歩(77)   ( 0:01/00:00:01)
   2 ３四歩(33)   ( 0:02/00:00:02)
   3 ２六歩(27)   ( 0:03/00:00:04)
   4 ８四歩(83)   ( 0:04/00:00:06)
   5 投了
`;

task("a club player studies a game, saves and shares it, and comes back", async (page, profile) => {
	await page.evaluate(() => {
		navigator.clipboard.writeText = async (text) => {
			window.copied = text;
		};
	});
	await home(page, '[data-act="analyse-game"]');
	await paste(page, KIF);
	await t.waitForMoves(page, 4);
	await press(page, "#tab-notes");
	await press(page, "#comment");
	await page.keyboard.type("A note");
	await press(page, '[data-go="last"]');
	await press(page, '[data-go="-1"]');
	await t.settled(page);
	await t.move(page, "4a3b");
	await page.waitForSelector("#moves .variation .now");
	await press(page, "#tab-analyse");
	await page.select("#review-nodes", "20000");
	await press(page, "#review");
	await page.waitForSelector("#report table", { timeout: 120_000 });
	await press(page, "#tab-position");
	for (const [format, sign] of [
		["kifu", /変化|4手/],
		["csa", /\+7776FU/],
	]) {
		await page.select("#format", format);
		await press(page, "#copy-format");
		await page.waitForFunction((source) => new RegExp(source).test(window.copied ?? ""), {}, sign.source);
	}
	await press(page, "#share-game");
	await page.waitForFunction(() => /#g=/.test(window.copied ?? ""));
	await page.reload();
	await page.waitForSelector("html[data-ready]");
	const isKept = async (page) => {
		assert.equal((await t.moves(page)).length, 4);
		assert.ok(await page.$("#moves .variation"));
	};
	await isKept(page);
	await page.close();
	const next = await t.openPage(profile, board.url, SIZES[0]);
	await press(next, "#go-home");
	assert.ok(await next.$("#home"));
	await press(next, "#tab-study");
	await isKept(next);
	assert.deepEqual(next.mistakes, []);
});

task("a Janggi player sets up, meets bikjang, counts points, and reads Hangul", async (page) => {
	await home(page, '[data-act="game-janggitraditional"]');
	await t.settled(page);
	await setUp(page, async () => {
		await page.select("#side", "both");
		await press(page, "#setup summary");
		await page.select("#setup-b", "NBNB");
	});
	await press(page, "#tab-study");
	await press(page, "#tab-position");
	await paste(page, "r3k3r/9/9/4p4/9/9/4P4/9/9/R3K3R b - 1");
	await page.waitForFunction(() => document.querySelectorAll("[data-square] [data-piece]").length === 8);
	await press(page, "#tab-play");
	if (await page.$("#setup[open]")) await press(page, "#setup-close");
	await t.settled(page);
	await play(page, "5g4g", "5d6d");
	assert.ok(await text(page, "#task"), "bikjang is explained");
	await press(page, "#pass");
	await page.waitForSelector("#confirm[open]");
	await page.click("#confirm-yes");
	await page.waitForSelector("#status.over");
	await press(page, "#go-home");
	await home(page, '[data-act="game-janggimodern"]');
	await t.settled(page);
	const points = await page.$$eval(".points", (all) => all.map((one) => one.textContent));
	assert.ok(
		points.every((one) => /\d/.test(one)),
		`${points}`,
	);
	// The note about the game before covers the header until it is closed.
	await page.click("#toast button:last-child");
	await press(page, "#settings-open");
	await page.select("#look", "hangul");
	await press(page, "#settings-close");
	await page.waitForFunction(() => /[가-힣]/.test(document.getElementById("board").textContent));
});

task("a position is set up, its mate found, and copied", async (page) => {
	await page.evaluate(() => {
		navigator.clipboard.writeText = async (text) => {
			window.copied = text;
		};
	});
	await home(page, '[data-act="editor"]');
	await page.waitForSelector("#edit-clear", { visible: true });
	await press(page, "#edit-clear");
	for (const [tool, square] of [
		["k", "5a"],
		["K", "5i"],
		["P", "5c"],
	]) {
		await press(page, `[data-tool="${tool}"]`);
		await press(page, `[data-square="${square}"]`);
	}
	await press(page, '[data-add="b:G"]');
	await press(page, "#edit-done");
	await page.waitForFunction(() => document.getElementById("edit-done").hidden);
	await t.settled(page);
	await press(page, "#tab-position");
	await press(page, "#copy-sfen");
	await page.waitForFunction(() => /4k4\/9\/4P4.* b G 1/.test(window.copied ?? ""));
	await page.select("#format", "bod");
	await press(page, "#copy-format");
	await page.waitForFunction(() => /v玉/.test(window.copied ?? ""));
	await press(page, "#tab-analyse");
	await press(page, "#mate");
	await page.waitForFunction(() => !document.getElementById("mate-play").hidden);
	await press(page, "#mate-play");
	await t.waitForMoves(page, 1);
	assert.deepEqual(await t.moves(page), ["G*5b"]);
});

task("two at a table: the flag falls, and a rematch", async (page) => {
	await home(page, ".card.shogi [data-act='two-players']");
	await t.settled(page);
	await setUp(page, async () => {
		await page.select("#side", "both");
		await press(page, "#setup summary");
		await page.select("#clock", "own");
		for (const [id, seconds] of [
			["own-main", "0"],
			["own-increment", "0"],
			["own-byoyomi", "2"],
		])
			await page.$eval(
				`#${id}`,
				(field, seconds) => {
					field.value = seconds;
					field.dispatchEvent(new Event("change", { bubbles: true }));
				},
				seconds,
			);
	});
	await play(page, "7g7f", "3c3d");
	await page.waitForSelector("#status.over", { timeout: 20_000 });
	await press(page, "#rematch");
	await page.waitForFunction(() => !document.querySelector("#moves [data-usi]"));
	await t.settled(page);
	await play(page, "7g7f");
});

task("the lessons and problems of one game, from first to last", async (page) => {
	await home(page, '[data-start="dobutsu:learn"]');
	await press(page, `#learn [data-lesson="${LESSONS.dobutsu[0].id}"]`);
	for (const [n, lesson] of LESSONS.dobutsu.entries()) {
		await finish(page, lesson);
		if (n + 1 < LESSONS.dobutsu.length) await press(page, '#tools [data-act="next-lesson"]');
	}
	await press(page, "#tab-solve");
	await page.waitForSelector("#learn [data-problem]");
	const all = await page.$$eval("#learn [data-problem]", (items) => items.map((item) => item.dataset.problem));
	for (const problem of [all[0], all.at(-1)]) {
		await page.$eval(`#learn [data-problem="${problem}"]`, (item) => item.click());
		await t.stateIs(page, "open");
		for (;;) {
			await t.settled(page);
			const count = (await t.moves(page)).length;
			await t.move(page, await t.suggestion(page));
			await page.waitForFunction(
				(count) =>
					document.getElementById("learn").dataset.state === "done" ||
					document.querySelectorAll("#moves [data-usi]").length > count + 1,
				{},
				count,
			);
			if (await page.$eval("#learn", (panel) => panel.dataset.state === "done")) break;
		}
		await press(page, '#tools [data-act="to-problems"]');
	}
});

task(
	"the truth of Dobutsu during an analysis",
	async (page) => {
		await home(page, ".card.dobutsu [data-act='two-players']");
		await t.settled(page);
		await play(page, "2c2b");
		await press(page, "#tab-study");
		await press(page, "#tab-analyse");
		await page.waitForSelector("#truth [data-truth]");
		const legal = await page.$$eval("#truth [data-truth]", (all) => all.map((one) => one.dataset.move));
		await press(page, `#truth [data-move="${legal[0]}"]`);
		await t.waitForMoves(page, 2);
		await page.waitForFunction(
			(first) => document.querySelector("#truth [data-truth]")?.dataset.move !== first,
			{},
			legal[0],
		);
	},
	table ? false : "no table",
);

const built = existsSync(join(t.DIST, "sanban.wasm"));
task(
	"the page without a server, under a sub-path and offline",
	async (_, profile, size) => {
		const files = await t.startFiles({}, "/shared/board/");
		const page = await t.openPage(profile, files.url, size);
		await page.evaluate(() => navigator.serviceWorker.ready);
		await page.waitForFunction(async () => (await caches.keys()).some((name) => name.startsWith("sanban-")));
		files.stop();
		await page.setOfflineMode(true);
		await page.reload();
		await page.waitForSelector("html[data-ready]");
		await home(page, '[data-start="shogi:play"]');
		await t.settled(page);
		await play(page, "7g7f");
		await t.waitForMoves(page, 2);
		assert.deepEqual(
			page.mistakes.filter((text) => !/failed:|ERR_/.test(text)),
			[],
		);
	},
	built ? false : "web/build has not been run",
);

task("a game by keyboard, with a screen reader's tree", async (page) => {
	await home(page, ".card.dobutsu [data-act='two-players']");
	await t.settled(page);
	for (const [from, to] of [
		["2c", "2b"],
		["3a", "3b"],
		["2b", "2a"],
	]) {
		const count = (await t.moves(page)).length;
		await page.focus(`[data-square="${from}"]`);
		await page.keyboard.press("Enter");
		await page.waitForSelector(`[data-square="${to}"].target`);
		const [files, ranks] = [from.charCodeAt(0) - to.charCodeAt(0), to.charCodeAt(1) - from.charCodeAt(1)];
		for (let n = 0; n < Math.abs(files); n++) await page.keyboard.press(files > 0 ? "ArrowRight" : "ArrowLeft");
		for (let n = 0; n < Math.abs(ranks); n++) await page.keyboard.press(ranks > 0 ? "ArrowDown" : "ArrowUp");
		await page.keyboard.press("Enter");
		await t.waitForMoves(page, count + 1);
	}
	assert.ok(await t.isOver(page));
	const names = [];
	const read = ({ role, name, children = [] }) => {
		names.push(`${role} ${name}`);
		children.forEach(read);
	};
	read(await page.accessibility.snapshot());
	const cells = names.filter((name) => /^(button|gridcell) .*[1-3１-３][a-d1-4１-４]/.test(name));
	assert.ok(cells.length >= 12, `${cells.length} squares are named`);
});
