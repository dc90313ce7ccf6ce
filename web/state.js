// What the parts of the page share: the game on the board, the engine, and what is under way.

import { connect } from "./engine.js";
import { GAMES } from "./games.js";

/** Minutes on the clock, seconds for every move (byoyomi) or added to it (increment). */
export const CLOCKS = {
  none: null,
  "byoyomi-30": { main: 0, byoyomi: 30, increment: 0 },
  "byoyomi-10-30": { main: 10, byoyomi: 30, increment: 0 },
  "increment-5-3": { main: 5, byoyomi: 0, increment: 3 },
  "increment-15-10": { main: 15, byoyomi: 0, increment: 10 },
};

export const $ = (id) => document.getElementById(id);
export const other = (side) => (side === "b" ? "w" : "b");

export const settings = { language: "en", theme: "auto", game: "shogi", level: 3, thinking: 1000, clock: "none", side: "b", looks: {} };
/** The game that is on the board. */
export const play = {
  name: "shogi", game: GAMES.shogi, start: null, moves: [], at: 0, view: null, full: null,
  ended: null, scores: [], best: [], truth: null, report: null,
};
/** What is under way. `epoch` grows whenever that no longer matters. */
export const page = { picked: null, editor: null, flipped: false, analysing: false, mateLine: null, epoch: 0 };

/** The engine, once it has been started. */
export let engine;

/** Starts the engine; `lost` is called when it has gone. */
export async function start(lost) {
  engine = await connect(lost);
}

/** Asks about a position of the game: the one after `at` moves. */
export function question(at = play.at) {
  return { game: play.name, ...(play.start ? { sfen: play.start } : {}), moves: play.moves.slice(0, at) };
}

/** Is the engine to move for this side? */
export function isEngine(side) {
  return settings.side === "none" || (settings.side !== "both" && settings.side !== side);
}

export function isOver() {
  return Boolean(play.ended || play.full?.over);
}

/** Ends whatever the engine does. */
export function halt() {
  page.epoch++;
  engine?.stop().catch(() => {});
}

/** Shows a sentence below the board; screen readers say it. */
export function tell(text, kind = "") {
  $("status").textContent = text;
  $("status").className = kind;
}
