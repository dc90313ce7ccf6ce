// The game on the board: how it begins, how it is drawn, and how it stands.

import { analyse, curve, gradeOf, learn } from "./analysis.js";
import { Board } from "./board.js";
import { ticking, wind } from "./clocks.js";
import { GAMES } from "./games.js";
import { drop, go, mark, mayPick, pick, reply, touch, touchHand } from "./moving.js";
import { moveName, squareName } from "./notation.js";
import { edits } from "./records.js";
import { MARKS } from "./report.js";
import { dress, keep, look, pieceName, say, sideName } from "./settings.js";
import { $, engine, halt, isEngine, isOver, page, play, question, settings, tell } from "./state.js";

export const board = new Board($("board"), {
  touch, drop, pick, mayPick,
  word: (name) => say(name),
  describe: (square, piece) => `${squareName(square, settings.language)} ${piece ? pieceName(piece) : say("empty")}`,
  describeHand: (whose, letter, count) => say("hand-of", sideName(whose), `${say.piece(play.game, letter)} ${count}`),
});

/** Begins a game from a position (`null`: the start of the game). */
export async function begin(name, start = null) {
  halt();
  page.editor = null;
  Object.assign(play, { name, game: GAMES[name], start, moves: [], at: 0, ended: null, scores: [], best: [], truth: null, report: null });
  settings.game = name;
  keep();
  page.mateLine = null;
  wind();
  dress();
  edits();
  $("mate-answer").textContent = $("report").textContent = "";
  await refresh();
  reply();
}

/** Shows the position after `play.at` moves. */
export async function refresh(slide) {
  const [view, full] = await Promise.all([
    engine.ask({ ask: "view", ...question() }),
    play.at === play.moves.length ? null : engine.ask({ ask: "view", ...question(play.moves.length) }),
  ]);
  if (view.error) {
    tell(view.error);
    return false;
  }
  play.view = view;
  play.truth = null;
  play.full = full ?? view;
  const last = view.moves.at(-1);
  view.last = last && [last.from, last.to].filter(Boolean);
  page.picked = null;
  if (slide && last) slide = { from: last.from, to: last.to };
  render(slide);
  if (play.game.solved) learn();
  if (page.analysing) analyse();
  return true;
}

/** Draws everything. */
export function render(slide) {
  const view = page.editor?.view ?? play.view;
  if (!view) return;
  const turned = (settings.side === "w") !== page.flipped;
  board.prepare(play.game, look(), turned, settings.language);
  board.show(view, slide);
  mark();
  board.arrows([]);
  players(view, turned);
  $("turn").dataset.side = $("turn").textContent = view.side;
  $("declare").hidden = !(view.declare && !isEngine(view.side) && !isOver());
  $("resign").disabled = isOver() || Boolean(page.editor);
  $("takeback").disabled = !play.moves.length || Boolean(page.editor);
  list();
  status();
  curve();
}

function players(view, turned) {
  for (const [place, whose] of [["top", turned ? "b" : "w"], ["bottom", turned ? "w" : "b"]]) {
    const element = $(`player-${place}`);
    element.className = `player${view.side === whose ? " active" : ""}`;
    element.dataset.whose = whose;
    const who = isEngine(whose) ? say("engine") : settings.side === "both" ? say("person") : say("you");
    element.innerHTML = `<div class="name"><span class="stone ${play.game.kind} ${whose}"></span><b>${sideName(whose)}</b> <span class="who">${who}</span><time id="clock-${whose}"></time></div><div class="hand" role="group" aria-label="${say("hand-of", sideName(whose), "").trim()}"></div>`;
    const hand = element.querySelector(".hand");
    hand.hidden = !play.game.hand.length;
    board.showHand(hand, whose, view.hands[whose], Boolean(page.editor) || true);
    for (const held of hand.children) held.addEventListener("click", () => touchHand(held.dataset.hand));
  }
  ticking();
}

/** The list of moves. */
export function list() {
  const moves = play.full?.moves ?? [];
  const items = moves.map((move, n) => {
    const item = document.createElement("li");
    item.dataset.usi = move.usi;
    item.className = n + 1 === play.at ? "now" : "";
    const grade = gradeOf(n + 1);
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = moveName(move, play.game, settings.language, say) + (move.check ? " †" : "");
    if (grade) {
      button.className = grade;
      button.title = say(grade);
      button.textContent += MARKS[grade];
    }
    if (n + 1 === play.at) button.setAttribute("aria-current", "true");
    button.addEventListener("click", () => go(n + 1));
    item.append(button);
    return item;
  });
  $("moves").replaceChildren(...items);
  const now = $("moves").querySelector(".now");
  if (now) $("moves").scrollTop = now.offsetTop - $("moves").clientHeight / 2;
  else $("moves").scrollTop = 0;
}

/** Says how things stand. */
function status() {
  if (page.editor) return tell(say("to-move", sideName(page.editor.view.side)));
  const { view } = play;
  const over = play.at === play.moves.length ? (play.ended ?? view.over) : view.over;
  if (over) {
    const specific = `${play.game.kind}-reason-${over.reason}`;
    const reason = say(say.has(specific) ? specific : `reason-${over.reason}`);
    return tell(over.winner ? say("won-by", sideName(over.winner), reason) : say("drawn-by", reason), "over");
  }
  const parts = [];
  if (view.check) parts.push(say("in-check"));
  if (isEngine(view.side) && play.at === play.moves.length && !page.analysing) parts.push(say("engine-thinks"));
  else if (settings.side === "both" || settings.side === "none" || isEngine(view.side)) parts.push(say("to-move", sideName(view.side)));
  else parts.push(say("your-turn"));
  if (view.occurrences > 1) parts.push(say("repeated", view.occurrences, view.repetitions));
  tell(parts.join(" "));
}
