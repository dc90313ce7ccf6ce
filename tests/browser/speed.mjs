// Measures how soon the page is visible: `npm run speed [-- ROUNDS]` prints medians and ranges in milliseconds.

import { startBoard, startBrowser } from "./common.mjs";

const ROUNDS = Number(process.argv[2] ?? 7);
/** The rate of a slow connection, in bytes per second. */
const SLOW = 400_000;

/** Milliseconds from the command to the complete response with the page. */
async function fromCommand() {
	const board = await startBoard();
	await (await fetch(board.url)).text();
	const time = performance.now() - board.began;
	await board.stop();
	return time;
}

/** With a throttled connection, Chromium stalls on about one page in twenty: such a page is loaded again. */
async function firstSight(browser, url) {
	for (let attempt = 0; attempt < 3; attempt++) {
		const seen = await sight(browser, url).catch((error) => console.log(`loaded again: ${error.message}`));
		if (seen) return seen;
	}
	throw new Error("the page was not loaded");
}

/**
 * Milliseconds until the loading message and the board are visible, with an empty cache on a slow connection, and the
 * bytes loaded for the board.
 */
async function sight(browser, url) {
	const context = await browser.createBrowserContext();
	const page = await context.newPage();
	const session = await page.createCDPSession();
	await session.send("Network.enable");
	const line = { offline: false, latency: 0, downloadThroughput: SLOW, uploadThroughput: SLOW };
	await session.send("Network.emulateNetworkConditions", line);
	// The page itself records both times, with an accuracy of one frame.
	await page.evaluateOnNewDocument(() => {
		window.seen = {};
		const loaded = () =>
			[...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")].reduce(
				(sum, { encodedBodySize }) => sum + encodedBodySize,
				0,
			);
		const look = () => {
			const has = (name, selector) => {
				if (!(name in window.seen) && document.querySelector(selector)) window.seen[name] = performance.now();
			};
			has("message", "#loading");
			has("board", "[data-square]");
			if (!("board" in window.seen)) requestAnimationFrame(look);
			else window.seen.bytes ??= loaded();
		};
		requestAnimationFrame(look);
	});
	await page.goto(url, { timeout: 10_000 });
	await page.waitForFunction(() => "bytes" in window.seen);
	const seen = await page.evaluate(() => window.seen);
	await context.close();
	return seen;
}

const sums = (times) => {
	times.sort((a, b) => a - b);
	const round = (time) => time.toFixed(0);
	return `${round(times[times.length >> 1])} [${round(times[0])}, ${round(times.at(-1))}]`;
};

const started = [];
for (let round = 0; round < ROUNDS; round++) started.push(await fromCommand());
console.log(`from the command to the page: ${sums(started)}`);

const board = await startBoard();
const browser = await startBrowser();
const seen = [];
for (let round = 0; round < ROUNDS; round++) seen.push(await firstSight(browser.browser, board.url));
await browser.stop();
await board.stop();
console.log(`loading message at ${SLOW / 1000} kB/s: ${sums(seen.map((times) => times.message))}`);
console.log(`first board at ${SLOW / 1000} kB/s: ${sums(seen.map((times) => times.board))}`);
console.log(`bytes before the first board: ${sums(seen.map((times) => times.bytes))}`);
