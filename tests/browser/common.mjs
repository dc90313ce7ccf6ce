// Helpers for the tests: they start the program and the browser, and play by clicks.

import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join, normalize } from "node:path";
import { after, before } from "node:test";
import { fileURLToPath } from "node:url";
import puppeteer from "puppeteer-core";
import { LANGUAGES } from "../../web/words.js";

export { LANGUAGES };

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
/** The directory for screenshots, which are for inspection. */
export const SHOTS = fileURLToPath(new URL("./shots/", import.meta.url));

/** Whether everything is tested, in all languages and sizes, which takes an hour; otherwise a sample of each kind. */
export const ALL = Boolean(process.env.ALL);
/** All languages, or, of a sample, the given one. */
export const languages = (one) => (ALL ? LANGUAGES : [one]);

/** The path of the program: `SANBAN`, or the release build, or the debug build. */
function program() {
	const built = ["release", "debug"].map((kind) => join(ROOT, "target", kind, "sanban"));
	const found = [process.env.SANBAN, ...built].find((path) => path && existsSync(path));
	if (!found) throw new Error("build sanban first, or set SANBAN to its path");
	return found;
}

/** The path of the browser: `CHROMIUM`, or the usual paths on Debian. */
function chromium() {
	const found = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(
		(path) => path && existsSync(path),
	);
	if (!found) throw new Error("install chromium, or set CHROMIUM to its path");
	return found;
}

/** Starts `sanban board` on a free port. */
export async function startBoard(...args) {
	const began = performance.now();
	const port = args.includes("--port") ? [] : ["--port", "0"];
	const child = spawn(program(), ["board", "--no-open", ...port, ...args], {
		stdio: ["ignore", "pipe", "inherit"],
	});
	const url = await new Promise((resolve, reject) => {
		child.once("error", reject);
		child.once("exit", () => reject(new Error("sanban board has exited")));
		child.stdout.once("data", (bytes) => resolve(String(bytes).split("\n")[0]));
	});
	const gone = new Promise((resolve) => child.once("exit", resolve));
	const stop = () => {
		child.kill();
		return gone;
	};
	return { url, began, pid: child.pid, stop };
}

/** The page without a server, built by `web/build`. */
export const DIST = join(ROOT, "web/dist");
const KINDS = {
	".html": "text/html",
	".js": "text/javascript",
	".css": "text/css",
	".svg": "image/svg+xml",
	".wasm": "application/wasm",
};

/** Serves the files of `DIST` on a free port, under the path `root`; `more` has handlers for other paths. */
export async function startFiles(more = {}, root = "/") {
	const files = createServer(async (request, answer) => {
		const whole = new URL(request.url, "http://x").pathname;
		const pathname = whole.startsWith(root) ? `/${whole.slice(root.length)}` : `/missing${whole}`;
		const path = join(DIST, normalize(pathname).replace(/\/$/, "/index.html"));
		try {
			if (more[pathname]) await more[pathname](request, answer);
			else {
				const content = await readFile(path);
				answer.writeHead(200, { "content-type": KINDS[extname(path)] ?? "application/octet-stream" }).end(content);
			}
		} catch {
			answer.writeHead(404).end();
		}
	});
	await new Promise((resolve) => files.listen(0, "127.0.0.1", resolve));
	return { url: `http://127.0.0.1:${files.address().port}${root}`, stop: () => files.close() };
}

/** Starts the browser with a separate profile. */
export async function startBrowser() {
	const profile = mkdtempSync(join(tmpdir(), "sanban-chromium-"));
	const browser = await puppeteer.launch({
		executablePath: chromium(),
		headless: true,
		userDataDir: profile,
		timeout: 120_000,
		args: [
			"--no-sandbox",
			"--disable-gpu",
			"--disable-quic",
			"--no-first-run",
			"--disable-background-networking",
			"--disable-component-update",
			"--disable-sync",
		],
	});
	const stop = async () => {
		await browser.close();
		// A process of the browser may still write to its profile.
		rmSync(profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
	};
	return { browser, stop };
}

/**
 * Starts the program and the browser before the tests of a file and stops them afterwards. Returns a function that
 * opens pages; a fresh page has a profile without stored games.
 */
export function together(...args) {
	let board, browser;
	before(async () => {
		board = await startBoard(...args);
		browser = await startBrowser();
	});
	after(async () => {
		await browser?.stop();
		board?.stop();
	});
	return async ({ url = board.url, fragment = "", fresh = false, ...size } = {}) =>
		openPage(fresh ? await browser.browser.createBrowserContext() : browser.browser, url + fragment, size);
}

/** Waits until the message below the board matches. */
export const says = (page, pattern, timeout = 60_000) =>
	page.waitForFunction(
		(source) => new RegExp(source).test(document.getElementById("status").textContent),
		{ timeout },
		pattern.source,
	);

/** Opens the page and records every error in it. */
export async function openPage(browser, url, { width = 1280, height = 900 } = {}) {
	const page = await browser.newPage();
	// Busy machines need longer than the default of 30 seconds.
	page.setDefaultTimeout(60_000);
	page.mistakes = [];
	page.on("console", (message) => ["error", "warn"].includes(message.type()) && page.mistakes.push(message.text()));
	page.on("pageerror", (error) => page.mistakes.push(String(error)));
	page.on("requestfailed", (request) => page.mistakes.push(`failed: ${request.url()}`));
	await page.setViewport({ width, height });
	await page.goto(url);
	await page.waitForSelector("html[data-ready]");
	return page;
}

/** Selects an option, as a user does; the strings of a language are loaded when it is selected. */
export async function choose(page, id, value) {
	await page.select(`#${id}`, value);
	if (id === "language") await page.waitForSelector(`html[lang="${value}"]`);
}

/** Shows the layout of a task. */
export const enter = (page, task) => page.evaluate(async (task) => (await import("./tasks.js")).enter(task), task);

/** Opens a part of the analysis. */
export const tab = (page, name) => page.$eval(`#tab-${name}`, (tab) => tab.click());

/** Starts a game of this name; no move has been made. */
export async function newGame(page, game, { side = "b", level = "4", thinking = "500", start } = {}) {
	await choose(page, "side", "both");
	await choose(page, "level", level);
	await choose(page, "thinking", thinking);
	await choose(page, "game", game);
	await page.waitForFunction(
		(game) => !document.querySelector("#moves [data-usi]") && document.getElementById("game").value === game,
		{},
		game,
	);
	if (start) await setPosition(page, start);
	await choose(page, "side", side);
	await settled(page);
}

/** Waits until the engine has described the position and no move is in progress: only then can the board be clicked. */
export const settled = (page) =>
	page.waitForFunction(
		async () => {
			const { page: now, play } = await import("./state.js");
			return Boolean(play.view) && play.viewed === play.node && !now.moving && !now.held;
		},
		{ timeout: 60_000 },
	);

/** Pastes a position or a game and loads it. */
export async function setPosition(page, text) {
	await tab(page, "position");
	await page.$eval(
		"#text",
		(field, text) => {
			field.value = text;
			document.getElementById("status").textContent = "";
		},
		text,
	);
	await page.click("#load");
	await page.waitForFunction(() => /loaded|cannot be read/i.test(document.getElementById("status").textContent));
	await enter(page, "play");
}

export const status = (page) => page.$eval("#status", (element) => element.textContent);
export const moves = (page) => page.$$eval("#moves [data-usi]", (items) => items.map((item) => item.dataset.usi));
export const side = (page) => page.$eval("#turn", (element) => element.dataset.side);
export const isOver = (page) => page.$eval("#status", (element) => element.classList.contains("over"));
export const pieceOn = (page, square) =>
	page.$eval(`[data-square="${square}"]`, (cell) => cell.querySelector("[data-piece]")?.dataset.piece ?? "");

/** Clicks the squares (or hand pieces, `b:P`) of a move, one after the other. */
export async function click(page, ...places) {
	for (const place of places) {
		const name = place.includes(":") ? "hand" : "square";
		await page.click(`[data-${name}="${place}"]`);
	}
}

/** Makes a move by clicks, and answers whether the piece promotes. */
export async function move(page, usi) {
	if (usi === "pass" || usi === "declare") {
		await page.click(`#${usi}`);
		return;
	}
	const before = (await moves(page)).length;
	const from = usi[1] === "*" ? `${await side(page)}:${usi[0]}` : usi.slice(0, 2);
	await click(page, from, usi.slice(2, 4));
	// The page asks about promotion, unless the piece must promote.
	if (usi.endsWith("+"))
		await page.waitForFunction(
			(before) =>
				document.getElementById("promotion").open || document.querySelectorAll("#moves [data-usi]").length > before,
			{},
			before,
		);
	if (await page.$("#promotion[open]")) await page.click(usi.endsWith("+") ? "#promote-yes" : "#promote-no");
}

/** Waits until a lesson or problem has this state. */
export async function stateIs(page, wanted) {
	try {
		await page.waitForFunction((wanted) => document.getElementById("learn").dataset.state === wanted, {}, wanted);
	} catch {
		const told = await page.$eval("#learn", (panel) => `${panel.dataset.state}: ${panel.textContent}`);
		throw new Error(`expected ${wanted}, found ${told}; ${await status(page)}`);
	}
	if (wanted === "open") await settled(page);
}

/** The move that the page suggests in a lesson or problem. */
export async function suggestion(page) {
	await page.$eval("#learn", (panel) => delete panel.dataset.solution);
	await page.click('#tools [data-act="show-me"]');
	await page.waitForFunction(() => document.getElementById("learn").dataset.solution);
	return page.$eval("#learn", (panel) => panel.dataset.solution);
}

/** The longest closing game that is played to its end, in moves of the learner; of longer ones, one move is made. */
const SHORT = 12;
export const isShort = ({ goal }) => (goal.moves ?? 0) <= SHORT;

/** Plays a closing game with the moves that the page suggests. */
async function playOut(page, step) {
	const ready = () =>
		page.waitForFunction(
			() =>
				document.getElementById("learn").dataset.state !== "open" ||
				(document.getElementById("turn").dataset.side === "b" && !document.querySelector("#move-now:not([hidden])")),
		);
	for (let n = 0; n < 80; n++) {
		await ready();
		const isOpen = await page.$eval("#learn", (panel) => panel.dataset.state === "open");
		if (!isOpen || (n && !isShort(step))) return;
		await settled(page);
		const before = (await moves(page)).length;
		await move(page, await suggestion(page));
		await waitForMoves(page, before + 1);
	}
	throw new Error("the closing game does not end");
}

/** Completes a step of a lesson by clicks; the page plays the replies of a script. */
export async function complete(page, step) {
	const { goal, solve } = step;
	await stateIs(page, "open");
	if (goal.plays !== undefined) {
		await playOut(page, step);
		if (!isShort(step)) return;
	} else
		for (const [n, usi] of solve.entries()) {
			if (goal.line && n % 2) continue;
			if (goal.line && n) await waitForMoves(page, n);
			await move(page, usi);
			// The opponent does not move: it is the learner's turn again.
			if (goal.take && n + 1 < solve.length)
				await page.waitForFunction(() => document.getElementById("turn").dataset.side === "b");
		}
	await stateIs(page, "done");
}

/** Waits until this number of moves has been made and the board can be clicked. */
export async function waitForMoves(page, count) {
	await page.waitForFunction(
		(count) => document.querySelectorAll("#moves [data-usi]").length >= count,
		{ timeout: 60_000 },
		count,
	);
	await settled(page);
}

/** Selects pieces in random order until one can move, and moves it. Returns false if none can move. */
export async function playAnything(page, random) {
	const before = (await moves(page)).length;
	const own = await page.evaluate(() => {
		const black = document.getElementById("turn").dataset.side === "b";
		const places = [...document.querySelectorAll("[data-square] [data-piece]")]
			.filter((piece) => (piece.dataset.piece === piece.dataset.piece.toUpperCase()) === black)
			.map((piece) => piece.closest("[data-square]").dataset.square);
		const held = [...document.querySelectorAll("[data-hand]")].map((hand) => hand.dataset.hand);
		return [...places, ...held.filter((name) => name.startsWith(black ? "b" : "w"))];
	});
	for (const place of own.sort(() => random() - 0.5)) {
		await click(page, place);
		const targets = await page.$$eval(".target", (cells) => cells.map((cell) => cell.dataset.square));
		if (!targets.length) {
			await click(page, place);
			continue;
		}
		await click(page, targets[Math.floor(random() * targets.length)]);
		if (await page.$("#promotion[open]")) await page.click(random() < 0.8 ? "#promote-yes" : "#promote-no");
		await waitForMoves(page, before + 1);
		return true;
	}
	return false;
}

/** Lets the engine think for a short time only, which is enough against random moves. */
const rush = (page) =>
	page.evaluate(async () => {
		(await import("./state.js")).settings.thinking = 60;
	});

/** Plays random moves as black against the engine, or passes, until the game is over or 300 plies long. */
export async function playWhole(page, random) {
	await rush(page);
	for (let plies = 0; plies < 300 && !(await isOver(page)); plies += 2) {
		await page.waitForFunction(
			() =>
				document.getElementById("turn").dataset.side === "b" ||
				document.getElementById("status").classList.contains("over"),
			{ timeout: 60_000 },
		);
		if (await isOver(page)) break;
		if (!(await playAnything(page, random))) {
			await page.click("#pass");
			await new Promise((resolve) => setTimeout(resolve, 300));
			if (await page.$("#confirm[open]")) await page.click("#confirm-yes");
			await waitForMoves(page, plies + 1);
		}
		await page.waitForFunction(
			(plies) =>
				document.querySelectorAll("#moves [data-usi]").length >= plies + 2 ||
				document.getElementById("status").classList.contains("over"),
			{ timeout: 60_000 },
			plies,
		);
	}
}

/** Clicks a link or button that saves a file, and returns its content and path; `name` may be a regular expression. */
export async function downloadFile(page, link, name) {
	const folder = mkdtempSync(join(tmpdir(), "sanban-saved-"));
	const session = await page.createCDPSession();
	const browserContextId = page.browserContext().id;
	await session.send("Browser.setDownloadBehavior", { behavior: "allow", downloadPath: folder, browserContextId });
	await page.$eval(link, (element) => element.click());
	const saved = () => readdirSync(folder).find((file) => (name instanceof RegExp ? name.test(file) : file === name));
	for (let waited = 0; !saved(); waited += 50) {
		if (waited > 60_000) throw new Error(`${link} saves no file`);
		await new Promise((resolve) => setTimeout(resolve, 50));
	}
	const path = join(folder, saved());
	return [readFileSync(path, "utf8"), path];
}

/** Clicks a link or button that saves a file, and returns its content. */
export const download = async (...values) => (await downloadFile(...values))[0];

/** Returns a generator of random numbers between 0 and 1, which are the same in every run. */
export function dice(seed) {
	let state = seed;
	return () => {
		state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
		return state / 2 ** 32;
	};
}

/** Shortens the pauses between moves: those of scripts, and those that imitate thinking. */
export const hurry = (page) =>
	page.evaluate(() => {
		const { setTimeout } = window;
		window.setTimeout = (act, time, ...values) => setTimeout(act, time > 200 && time < 3000 ? 40 : time, ...values);
	});

/** Takes a screenshot if `SHOTS` is set. */
export async function shot(page, name) {
	if (process.env.SHOTS) await picture(page, name);
}

/** Takes a screenshot. */
export async function picture(page, name) {
	mkdirSync(SHOTS, { recursive: true });
	await page.screenshot({ path: join(SHOTS, `${name}.png`) });
}
