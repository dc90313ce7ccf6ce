// Moves: the player's by clicks and drags, and the engine's answers.

import { forget } from "./analysis.js";
import { clock, press } from "./clocks.js";
import { moveName, readMove } from "./notation.js";
import { draw, split } from "./pieces.js";
import { board, refresh, render } from "./play.js";
import { look, say } from "./settings.js";
import { $, CLOCKS, engine, halt, isEngine, isOver, other, page, play, question, settings, tell } from "./state.js";

/** A reply that comes at once is hard to follow: it waits this long, in milliseconds. */
const REPLY = 250;

/** May the player move now? If not, it is said why. */
export function mayAct(quiet = false) {
  if (page.editor) return true;
  if (!play.view) return false;
  if (isOver() && play.at === play.moves.length) {
    if (!quiet) tell(say("game-over"), "over");
    return false;
  }
  if (isEngine(play.view.side) && play.at === play.moves.length) {
    if (!quiet) tell(say("not-your-turn"));
    return false;
  }
  return true;
}

/** Whose piece is at a place (a square, or `b:P` in a hand)? */
function owner(place) {
  if (place.includes(":")) return place[0];
  const piece = (page.editor?.view ?? play.view)?.board[place];
  return piece ? split(piece).whose : null;
}

export function mayPick(place) {
  return !page.editor && mayAct(true) && owner(place) === play.view.side;
}

/** Takes a piece up. */
export function pick(place) {
  page.picked = place;
  mark();
}

/** Puts it down again. */
export function drop() {
  page.picked = null;
  mark();
}

/** The beginning of the USI moves of the piece at a place. */
function prefix(place) {
  return place.includes(":") ? `${place.slice(2)}*` : place;
}

/**
 * Marks the piece that is taken up and where it may go. In a solved game it is said what every move is worth; while
 * nothing is taken up, the best move of every piece.
 */
export function mark() {
  const { view, truth } = play;
  if (!view || page.editor) return board.mark(null);
  // A pass is no way for the general to go: it has a button of its own.
  const moves = page.picked ? view.legal.filter((usi) => usi.startsWith(prefix(page.picked)) && usi.slice(2, 4) !== page.picked) : [];
  const badge = (move) => ({ kind: move.value, text: move.plies ?? "=" });
  const marks = {}, best = {};
  for (const usi of moves) if (truth?.[usi]) marks[usi.slice(2, 4)] = badge(truth[usi]);
  if (truth && !page.picked && mayAct(true))
    for (const move of Object.values(truth)) best[placeOf(move.usi)] ??= badge(move);
  board.mark(page.picked, moves.map((usi) => usi.slice(2, 4)), marks, best);
}

/** Where a move comes from: a square, or a hand. */
function placeOf(usi) {
  return usi[1] === "*" ? `${play.view.side}:${usi[0]}` : usi.slice(0, 2);
}

export function touchHand(place) {
  if (page.editor) {
    page.editor.hold(place[0], place.slice(2), false);
    return render();
  }
  if (!mayAct()) return;
  if (page.picked === place) return drop();
  if (place[0] !== play.view.side) return tell(say("why-not-yours"));
  pick(place);
}

/** A square was clicked, or a piece let go on it. */
export async function touch(square, dragged = false) {
  if (page.editor) {
    page.editor.touch(square);
    return render();
  }
  if (!mayAct()) return;
  const { view } = play;
  const own = owner(square) === view.side;
  if (!page.picked) {
    if (own) return pick(square);
    return tell(say(owner(square) ? "why-not-yours" : "pick-first"));
  }
  if (square === page.picked) return drop();
  const start = prefix(page.picked) + square;
  const moves = view.legal.filter((usi) => usi.startsWith(start));
  if (moves.length > 1) {
    const promote = await askPromotion(page.picked);
    if (promote === null) return drop();
    return make(promote ? `${start}+` : start, dragged);
  }
  if (moves.length) return make(moves[0], dragged);
  if (own && !dragged) return pick(square);
  drop();
  board.refuse(square);
  explain(start);
}

/** Says why a move is not legal. */
export async function explain(usi) {
  const answer = await engine.ask({ ask: "why", ...question(), move: usi });
  tell(say(`why-${answer.why ?? "unreadable"}`), "refused");
}

/** Asks whether the piece promotes; `null` when neither is wanted. */
function askPromotion(place) {
  const piece = play.view.board[place];
  const { letter, whose } = split(piece);
  const promoted = play.game.promotes[letter];
  const cased = (text) => (whose === "b" ? text : text.toLowerCase());
  const dialog = $("promotion");
  const fill = (id, shown, word) => {
    $(id).innerHTML = `${draw(play.game, cased(shown), look(), false)}<span>${say(word)}</span>`;
  };
  fill("promote-yes", promoted, "promote");
  fill("promote-no", letter, "dont-promote");
  return new Promise((resolve) => {
    let answer = null;
    $("promote-yes").onclick = () => dialog.close((answer = "yes"));
    $("promote-no").onclick = () => dialog.close((answer = "no"));
    dialog.onclose = () => resolve(answer && answer === "yes");
    dialog.showModal();
  });
}

/** Makes a move on the board. */
export async function make(usi, still = false) {
  halt();
  press();
  forget();
  play.moves.length = play.at;
  play.scores.length = play.best.length = play.at + 1;
  play.moves.push(usi);
  play.at++;
  play.ended = null;
  page.mateLine = null;
  const announced = moveName(readMove(usi, play.view), play.game, settings.language, say);
  // A piece that was let go on its square is there already.
  await refresh(!still);
  $("speech").textContent = `${announced}. ${$("status").textContent}`;
  reply();
}

/** Lets the engine move, if it is its turn. */
export async function reply() {
  const { view } = play;
  if (!view || page.editor || isOver() || play.at !== play.moves.length || !isEngine(view.side)) return;
  const mine = page.epoch;
  const began = performance.now();
  const time = CLOCKS[settings.clock];
  const limits = time
    ? { clock: { b: Math.round(clock.b), w: Math.round(clock.w), left: Math.round(clock[view.side]), increment: time.increment * 1000, byoyomi: time.byoyomi * 1000 } }
    : { movetime: settings.thinking };
  const answer = await engine.ask({ ask: "go", ...question(), level: settings.level, ...limits }).catch(() => null);
  if (mine !== page.epoch || !answer) return;
  if (answer.error) return tell(say(answer.error));
  const wait = REPLY - (performance.now() - began);
  if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
  if (mine !== page.epoch) return;
  if (answer.declare) finish(view.side, "declare");
  else if (answer.best) make(answer.best);
  else finish(other(view.side), "resign");
}

/** Ends the game for a reason that is not on the board. */
export function finish(winner, reason) {
  halt();
  play.ended = { winner, reason };
  clock.running = null;
  render();
}

/** Takes the last move back, and the engine's answer with it. */
export async function takeBack() {
  if (!play.moves.length) return;
  halt();
  forget();
  play.moves.length = Math.min(play.moves.length, Math.max(play.at, 1));
  const sides = play.full.moves.map((move) => move.side);
  do play.moves.pop();
  while (play.moves.length && settings.side !== "both" && settings.side !== "none" && isEngine(sides[play.moves.length]));
  if (settings.side === "none") $("side").value = settings.side = "both";
  play.at = play.moves.length;
  play.scores.length = play.best.length = play.at + 1;
  play.ended = null;
  clock.running = null;
  await refresh();
  reply();
}

/** Looks at the position after so many moves. */
export async function go(at) {
  const to = Math.max(0, Math.min(play.moves.length, at));
  if (to === play.at || page.editor) return;
  const forward = to === play.at + 1;
  play.at = to;
  if (page.analysing || to < play.moves.length) page.epoch++;
  await refresh(forward);
  if (to === play.moves.length) {
    halt();
    reply();
  }
}
