// Pictures of the board on every screen, in every language and theme, to be looked at: `npm run shots [-- WORD ...]`
// takes those whose names have all the words. They go to tests/browser/shots.

import * as t from "./common.mjs";

const SIZES = [
	[1366, 620],
	[390, 844],
	[844, 390],
	[900, 600],
	[320, 568],
	[1280, 800],
	[1024, 700],
	[768, 1024],
	[1920, 1080],
];
const GAMES = {
	shogi: "sfen l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
	janggi: "sfen rnba1abnr/4k4/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/4K4/RNBA1ABNR b - 1 moves 5g5f 5d5e",
	dobutsu: "1l1/1Cg/3/EL1 b EGc 1",
};
const words = process.argv.slice(2);
const wanted = (name) => words.every((word) => name.includes(word));

const board = await t.startBoard();
const { browser, stop } = await t.startBrowser();
try {
	for (const language of ["en", "ja", "ko"])
		for (const theme of ["light", "dark"])
			for (const game of Object.keys(GAMES)) {
				const names = SIZES.map(([width, height]) => `${width}x${height}-${game}-${language}-${theme}`).filter(wanted);
				if (!names.length) continue;
				const page = await t.openPage(browser, board.url);
				await t.choose(page, "language", language);
				await t.choose(page, "theme", theme);
				await t.newGame(page, game, { side: "both" });
				await page.$eval(
					"#text",
					(field, text) => {
						field.value = text;
					},
					GAMES[game],
				);
				await page.$eval("#load", (button) => button.click());
				await new Promise((resolve) => setTimeout(resolve, 400));
				await page.keyboard.press("End");
				await page.$eval("#tab-analyse", (tab) => tab.click());
				await new Promise((resolve) => setTimeout(resolve, 300));
				for (const [width, height] of SIZES) {
					const name = `${width}x${height}-${game}-${language}-${theme}`;
					if (!wanted(name)) continue;
					await page.setViewport({ width, height });
					await new Promise((resolve) => setTimeout(resolve, 100));
					await t.picture(page, name);
					console.log(name);
				}
				await page.close();
			}
} finally {
	await stop();
	board.stop();
}
