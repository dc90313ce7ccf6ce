// What the engine finds: analysis, hints, reviews, mates, and the truth about solved games.

import { drawGraph } from "./graph.js";
import { go, make, mark, mayAct } from "./moving.js";
import { chance, forBlack, lineName, moveName, readMove, scoreName } from "./notation.js";
import { board, list } from "./play.js";
import { names } from "./records.js";
import { drawReport, MARKS } from "./report.js";
import { say, sideName } from "./settings.js";
import { $, engine, halt, page, play, question, settings, tell } from "./state.js";

/** Analyses the position on the board until something else is wanted. */
export async function analyse() {
  page.epoch++;
  const mine = page.epoch;
  const { view, at } = play;
  const found = [];
  if (view.over) {
    $("found").replaceChildren();
    return;
  }
  await engine.ask({ ask: "go", ...question(), infinite: true, lines: Number($("lines").value) }, (line) => {
    if (mine === page.epoch) hear(line, found, view, at);
  }).catch(() => {});
}

/** Takes in a line that the engine found. */
function hear(line, found, view, at) {
  found[line.rank - 1] = line;
  const score = forBlack(line.score, view.side);
  if (line.rank === 1) {
    play.scores[at] = score;
    play.best[at] = line.pv[0];
    bar(score);
    curve();
  }
  showLines(found, view);
}

function showLines(found, view) {
  const lines = found.filter(Boolean);
  board.arrows(lines.slice(0, 3).map((line, n) => ({ ...readMove(line.pv[0], view), rank: n + 1 })).reverse());
  $("found").replaceChildren(
    ...lines.map((line) => {
      const item = document.createElement("li");
      const score = forBlack(line.score, view.side);
      item.innerHTML = `<b>${scoreName(score)}</b> <span class="small">${line.depth}</span> `;
      const text = document.createElement("button");
      text.type = "button";
      text.textContent = lineName(line.pv, view, play.game, settings.language, say).join(" ");
      text.dataset.pv = line.pv.join(" ");
      text.addEventListener("click", () => mayAct() && make(line.pv[0]));
      item.append(text);
      return item;
    }),
  );
}

/** The bar beside the board: how much of the game is black's. */
function bar(score) {
  const share = Math.round(chance(score) * 100);
  $("bar-fill").style.height = `${share}%`;
  $("bar-text").textContent = scoreName(score);
  $("bar").setAttribute("aria-label", say("evaluation-is", scoreName(score), sideName("b")));
  $("bar").className = play.game.kind;
  $("bar").classList.toggle("turned", (settings.side === "w") !== page.flipped);
}

export function curve() {
  drawGraph($("graph"), Array.from({ length: play.moves.length + 1 }, (_, n) => play.scores[n] ?? null), play.at, say, go);
  bar(play.scores[play.at] ?? null);
}

/** Suggests moves to the player. */
export async function hint() {
  if (!mayAct() || play.view.over) return;
  if (page.analysing) return;
  page.epoch++;
  const mine = page.epoch;
  const { view, at } = play;
  const found = [];
  tell(say("looking"));
  const answer = await engine.ask({ ask: "go", ...question(), movetime: 1000, lines: 3 }, (line) => {
    if (mine === page.epoch) hear(line, found, view, at);
  }).catch(() => null);
  if (mine !== page.epoch || !answer) return;
  if (!answer.best) return tell(say("no-hint", say(answer.error ?? "")));
  // The last lines may be older than the decision: the move that is suggested comes first.
  const rank = found.findIndex((line) => line?.pv[0] === answer.best);
  const [first] = rank < 0 ? [{ pv: [answer.best], score: answer.score, depth: found[0]?.depth ?? 0 }] : found.splice(rank, 1);
  showLines([first, ...found].slice(0, 3), view);
  tell(say("hint-is", moveName(readMove(answer.best, view), play.game, settings.language, say)));
}

/** What kind of bad move a move was, if it has been judged as one. */
export function gradeOf(ply) {
  const name = play.report?.moves[ply - 1]?.class;
  return name in MARKS ? name : null;
}

/** Analyses every position of the game, the last one first, then sums up. */
export async function review() {
  if (!play.moves.length) return;
  stopAnalysis();
  halt();
  forget();
  const mine = page.epoch;
  const { full } = play;
  const count = play.moves.length;
  const positions = [];
  for (let at = count; at >= 0; at--) {
    $("report").textContent = say("reviewing", count - at, count + 1);
    const found = at === count && full.over ? null : await judge(at);
    if (mine !== page.epoch || found?.error) {
      $("report").textContent = found?.error ? say(found.error) : "";
      return;
    }
    positions.unshift(found);
    const { winner } = full.over ?? {};
    play.scores[at] = found ? forBlack(found.score, full.moves[at]?.side ?? full.side) : winner ? { mate: winner === "b" ? 1 : -1 } : { cp: 0 };
    play.best[at] = found?.pv[0];
    curve();
  }
  const answer = await engine.ask({ ask: "report", ...question(count), positions, players: names() }).catch(() => null);
  if (mine !== page.epoch || !answer) return;
  if (answer.error) $("report").textContent = answer.error;
  else play.report = answer;
  list();
  report();
}

/** What the engine finds about the position after so many moves. */
async function judge(at) {
  let last = null;
  const ask = { ask: "go", ...question(at), movetime: Number($("review-time").value) };
  const answer = await engine.ask(ask, (line) => {
    if (line.rank === 1) last = line;
  }).catch(() => ({ error: "lost" }));
  if (answer.error) return answer;
  return last?.pv[0] === answer.best ? last : { score: answer.score, pv: answer.best ? [answer.best] : [] };
}

/** Shows the report of the game, if it has been reviewed. */
export function report() {
  const { report, full: view, best, game } = play;
  if (report) drawReport($("report"), { report, view, best, game, language: settings.language, say, onPick: go });
}

/** The game has changed: its report no longer fits. */
export function forget() {
  play.report = null;
  $("report").textContent = "";
}

export function stopAnalysis() {
  page.analysing = false;
  $("analyse").setAttribute("aria-pressed", "false");
}

/** Looks for a mate. */
export async function mate() {
  stopAnalysis();
  halt();
  const mine = page.epoch;
  const { view } = play;
  page.mateLine = null;
  $("mate-play").hidden = true;
  $("mate-answer").textContent = say("looking");
  const answer = await engine.ask({ ask: "mate", ...question(), movetime: 20000 }).catch(() => null);
  if (mine !== page.epoch || !answer) return;
  if (answer.error) $("mate-answer").textContent = say(answer.error);
  else if (answer.unknown) $("mate-answer").textContent = say("mate-unknown");
  else if (!answer.mate) $("mate-answer").textContent = say("no-mate");
  else {
    page.mateLine = answer.mate;
    $("mate-answer").textContent = say("mate-in", page.mateLine.length, lineName(page.mateLine, view, play.game, settings.language, say).join(" "));
    $("mate-play").hidden = false;
  }
}

/** Plays the mate out on the board. */
export async function playMate() {
  const line = page.mateLine;
  if (!line) return;
  $("side").value = settings.side = "both";
  $("mate-play").hidden = true;
  for (const usi of line) {
    if (!play.view.legal.includes(usi)) return;
    await make(usi);
    const mine = page.epoch;
    await new Promise((resolve) => setTimeout(resolve, 700));
    if (mine !== page.epoch) return;
  }
}

/** Asks what the moves of a solved game lead to. */
export async function learn() {
  const mine = play.view;
  const answer = await engine.ask({ ask: "truth", ...question() }).catch(() => null);
  if (mine !== play.view) return;
  const order = { win: 0, draw: 1, loss: 2 };
  const moves = (answer?.truth ?? []).sort(
    (a, b) => order[a.value] - order[b.value] || (a.value === "loss" ? b.plies - a.plies : a.plies - b.plies),
  );
  // The best move first, as the list has them.
  play.truth = moves.length ? Object.fromEntries(moves.map((move) => [move.usi, move])) : null;
  mark();
  $("truth").innerHTML = moves.length ? `<h3>${say("truth-title")}</h3>` : "";
  const out = document.createElement("ul");
  for (const move of moves) {
    const item = document.createElement("li");
    const button = document.createElement("button");
    button.type = "button";
    button.dataset.truth = move.value;
    button.dataset.move = move.usi;
    button.textContent = `${moveName(readMove(move.usi, mine), play.game, settings.language, say)} — ${say(`truth-${move.value}`, move.plies)}`;
    button.addEventListener("click", () => mayAct() && make(move.usi));
    item.append(button);
    out.append(item);
  }
  $("truth").append(out);
}
