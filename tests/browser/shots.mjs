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
	shogi: "sfen l3k2G1/1+B4gPl/n2+Nppsp1/pP1R4p/5+l3/PRP1P3P/2NP1PP2/4KS3/7NL w Sgs4p12P 10",
	janggi: "startpos moves 5g5f 5d5e",
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
					await t.shot(page, name);
					console.log(name);
				}
				await page.close();
			}
} finally {
	await stop();
	board.stop();
}
