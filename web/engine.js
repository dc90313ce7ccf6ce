// The connection to the engine: questions go to a server on this machine or to a WebAssembly module in a worker.

import { send } from "./state.js";

/** Questions that need a search; their answers are of no use after a reconnect. */
const THOUGHT = ["go", "mate"];
/** The first and the longest interval between attempts to reach the server, in milliseconds. */
const PATIENCE = [500, 4000];

let way = null;
let number = 1;
const open = new Map();

/** Whether the engine is connected. */
export const isConnected = () => way !== null;
/** Whether the engine runs in the page, without a server. */
export const isInPage = document.documentElement.dataset.engine === "wasm";
/** Whether the page is a file with one game, without an engine. */
export const isAlone = document.documentElement.dataset.engine === "none";
/** Information from the server: the games for which it has tables, and the usual port if another program uses it. */
export let house = { truth: [], usual: null };

/** Sends a question to the engine. Intermediate results are passed to `onFinding`. */
export function ask(question, onFinding) {
	if (isAlone) return Promise.reject(new Error("no engine"));
	const id = number++;
	return new Promise((resolve, reject) => {
		const asked = { ...question, id };
		open.set(id, { asked, resolve, reject, onFinding });
		if (way) way(asked);
		else if (THOUGHT.includes(question.ask)) {
			open.delete(id);
			reject(new Error("lost"));
		}
	});
}

/** Searches a position with a number of nodes. Returns the last line reported, or an error. */
export async function search(place, nodes) {
	let last = null;
	const answer = await ask({ ask: "go", ...place, nodes }, (line) => {
		if (line.rank === 1) last = line;
	}).catch(() => ({ error: "lost-short" }));
	if (answer.error) return answer;
	return last?.pv[0] === answer.best ? last : { score: answer.score, pv: answer.best ? [answer.best] : [] };
}

/** Opens the table of a solved game in the page and closes the previous one. Returns whether the table is valid. */
export async function openTable(game, file) {
	house.truth = [];
	({ truth: house.truth } = await ask({ ask: "table", game, file }));
	return house.truth.includes(game);
}

/** Stops the search, which then returns its result. */
export function stop() {
	if (way) ask({ ask: "stop" }).catch(() => {});
}

function take(message) {
	const question = open.get(message.id);
	if (!question) return;
	if (message.finding) {
		question.onFinding?.(message.finding);
		return;
	}
	open.delete(message.id);
	question.resolve(message);
}

function lose() {
	way = null;
	for (const [id, { asked, reject }] of open)
		if (THOUGHT.includes(asked.ask) || asked.ask === "stop") {
			open.delete(id);
			reject(new Error("lost"));
		}
}

function found(passOn) {
	way = passOn;
	for (const { asked } of open.values()) way(asked);
}

/** Connects to the engine that the page was served with: a server or a WebAssembly module. */
export function connect() {
	if (isInPage) worker();
	else if (!isAlone) socket(PATIENCE[0], true);
}

/** Connects to the engine by a WebSocket to the server of the page. */
function socket(patience, first) {
	const line = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/socket`);
	let opened = false;
	line.onopen = async () => {
		opened = true;
		found((message) => line.send(JSON.stringify(message)));
		house = { ...house, ...(await ask({ ask: "hello" })) };
		send("house", house);
		const mine = document.documentElement.dataset.version;
		if (house.version && mine && !mine.startsWith("@") && house.version !== mine && renew(house.version)) return;
		send("connected", first);
	};
	line.onmessage = (event) => take(JSON.parse(event.data));
	line.onclose = () => {
		if (opened) lose();
		if (opened || first) send("lost");
		const wait = opened ? PATIENCE[0] : Math.min(patience * 1.5, PATIENCE[1]);
		setTimeout(() => socket(wait, false), wait);
	};
}

/** Reloads the page if the program has a different version, but only once per version. Returns whether it reloads. */
function renew(version) {
	try {
		if (sessionStorage.getItem("sanban-version") === version) return false;
		sessionStorage.setItem("sanban-version", version);
	} catch {
		return false;
	}
	send("leaving");
	location.reload();
	return true;
}

/** Starts the engine in a worker of this page. */
function worker() {
	const thread = new Worker(new URL("./worker.js", import.meta.url), {
		type: "module",
	});
	thread.onmessage = ({ data }) => {
		if (data.ready) {
			found((message) => thread.postMessage(message));
			send("connected", true);
		} else if (data.loading) send("loading", data.loading);
		else take(data);
	};
	thread.onerror = (event) => {
		lose();
		send("broken", event.message ?? "");
	};
}
