// Takes screenshots in every screen size, language, theme and state, for inspection: `npm run shots [-- WORD ...]`
// takes those whose names contain all the words. They are written to tests/browser/shots.

import * as t from "./common.mjs";

const SIZES = [
	[320, 568],
	[360, 740],
	[390, 844],
	[768, 1024],
	[844, 390],
	[900, 600],
	[1024, 600],
	[1280, 720],
	[1366, 620],
	[1920, 1080],
];
const GAMES = {
	shogi: "sfen l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
	janggi: "sfen rnba1abnr/4k4/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/4K4/RNBA1ABNR b - 1 moves 5g5f 5d5e",
	dobutsu: "1l1/1Cg/3/EL1 b EGc 1",
};
const press = (page, selector) => page.$eval(selector, (element) => element.click());
const pause = (time) => new Promise((resolve) => setTimeout(resolve, time));

async function load(page, text) {
	await page.$eval("#text", (field, text) => (field.value = text), text);
	await press(page, "#load");
	await pause(400);
	await page.keyboard.press("End");
}

/** The states of the page; each begins where the previous one ends. */
const STATES = {
	home: (page) => t.enter(page, "home"),
	play: (page) => t.enter(page, "play"),
	analysis: async (page, game) => {
		await load(page, GAMES[game]);
		await t.tab(page, "analyse");
		await press(page, "#analyse");
		await pause(2000);
		await press(page, "#analyse");
	},
	notes: (page) => t.tab(page, "notes"),
	files: (page) => t.tab(page, "position"),
	editor: (page) => press(page, "#edit"),
	rules: async (page) => {
		await press(page, "#edit-cancel");
		await t.tab(page, "rules");
	},
	lessons: async (page) => {
		await t.enter(page, "learn");
		await page.waitForSelector("#learn [data-lesson]");
	},
	lesson: (page) => press(page, "#learn [data-lesson]"),
	problems: async (page) => {
		await t.enter(page, "solve");
		await page.waitForSelector("#learn [data-problem]");
	},
	problem: (page) => press(page, "#learn [data-problem]"),
	settings: (page) => press(page, "#settings-open"),
	setup: async (page) => {
		await press(page, "#settings-close");
		await t.enter(page, "play");
		await press(page, "#tab-play");
	},
	lost: async (page) => {
		await page.select("#side", "b");
		await press(page, "#new");
		await pause(500);
		await press(page, "#resign");
		await press(page, "#confirm-yes");
	},
};
const words = process.argv.slice(2);
const wanted = (name) => words.every((word) => name.split("-").includes(word));

const board = await t.startBoard();
const { browser, stop } = await t.startBrowser();
try {
	for (const language of t.LANGUAGES)
		for (const theme of ["light", "dark"])
			for (const game of Object.keys(GAMES)) {
				const nameOf = (state, [width, height]) => `${width}x${height}-${game}-${language}-${theme}-${state}`;
				const every = Object.keys(STATES).flatMap((state) => SIZES.map((size) => nameOf(state, size)));
				if (!every.some(wanted)) continue;
				const context = await browser.createBrowserContext();
				const page = await t.openPage(context, board.url);
				await t.choose(page, "language", language);
				await t.choose(page, "theme", theme);
				await t.newGame(page, game, { side: "both" });
				for (const [state, show] of Object.entries(STATES)) {
					await show(page, game);
					await pause(500);
					for (const size of SIZES) {
						const name = nameOf(state, size);
						if (!wanted(name)) continue;
						await page.setViewport({ width: size[0], height: size[1] });
						await pause(100);
						await t.picture(page, name);
						console.log(name);
					}
				}
				await context.close();
			}
} finally {
	await stop();
	board.stop();
}
