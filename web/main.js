// The page: a game from its first move to its last, and everything that can be asked about it.

import { Board } from "./board.js";
import { Editor } from "./editor.js";
import { connect } from "./engine.js";
import { GAMES, janggiStart } from "./games.js";
import { drawGraph } from "./graph.js";
import { chance, forBlack, lineName, moveName, readMove, scoreName, squareName } from "./notation.js";
import { draw, split } from "./pieces.js";
import { MARKS, drawReport } from "./report.js";
import { LANGUAGES, speaker } from "./words.js";

const LEVELS = [0, 3, 6, 9, 12, 15, 18, 20];
const THINKING = [500, 1000, 3000, 10000, 30000];
// Minutes on the clock, seconds for every move (byoyomi) or added to it (increment).
const CLOCKS = {
  none: null,
  "byoyomi-30": { main: 0, byoyomi: 30, increment: 0 },
  "byoyomi-10-30": { main: 10, byoyomi: 30, increment: 0 },
  "increment-5-3": { main: 5, byoyomi: 0, increment: 3 },
  "increment-15-10": { main: 15, byoyomi: 0, increment: 10 },
};
/** A reply that comes at once is hard to follow: it waits this long, in milliseconds. */
const REPLY = 250;

const $ = (id) => document.getElementById(id);
const other = (side) => (side === "b" ? "w" : "b");

let engine;
let say = speaker("en");
const settings = { language: "en", theme: "auto", game: "shogi", level: 3, thinking: 1000, clock: "none", side: "b", looks: {} };
/** The game that is on the board. */
const play = {
  name: "shogi", game: GAMES.shogi, start: null, moves: [], at: 0, view: null, full: null,
  ended: null, scores: [], best: [], truth: null, report: null,
};
let picked = null;
let editor = null;
let flipped = false;
let analysing = false;
let mateLine = null;
/** Grows whenever what is under way no longer matters. */
let epoch = 0;
const clock = { on: null, b: 0, w: 0, byoyomi: 0, since: 0, running: null };

const board = new Board($("board"), {
  touch, drop, pick, mayPick,
  word: (name) => say(name),
  describe: (square, piece) => `${squareName(square, settings.language)} ${piece ? pieceName(piece) : say("empty")}`,
  describeHand: (whose, letter, count) => say("hand-of", sideName(whose), `${say.piece(play.game, letter)} ${count}`),
});

// ---- words and settings ----

function sideName(side) {
  // With a handicap, the side that gives it begins.
  const handicap = play.start && play.game.starts.some(([, sfen]) => sfen === play.start);
  return say(`${handicap ? "handicap" : play.game.kind}-${side}`);
}

function pieceName(piece) {
  const { letter, whose } = split(piece);
  return `${sideName(whose)} ${say.piece(play.game, letter)}`;
}

/** Does this browser have glyphs for Chinese characters? Two that are missing look alike. */
function hasKanji() {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 24;
  const paint = canvas.getContext("2d", { willReadFrequently: true });
  const print = (text) => {
    paint.clearRect(0, 0, 24, 24);
    paint.font = "20px serif";
    paint.fillText(text, 2, 20);
    return paint.getImageData(0, 0, 24, 24).data.join();
  };
  return print("歩") !== print("飛");
}

function look() {
  const { kind, looks } = play.game;
  const chosen = settings.looks[kind];
  if (looks.includes(chosen)) return chosen;
  if (settings.language === "en" || !hasKanji()) return "pictures";
  return looks[0];
}

function keep() {
  try {
    const { side, ...kept } = settings;
    localStorage.setItem("sanban", JSON.stringify(kept));
  } catch {
    // A browser that keeps nothing is fine.
  }
}

function remember() {
  const language = LANGUAGES.find((name) => navigator.language?.startsWith(name));
  if (language) settings.language = language;
  try {
    const kept = JSON.parse(localStorage.getItem("sanban") ?? "{}");
    for (const name of Object.keys(settings))
      if (typeof kept[name] === typeof settings[name]) settings[name] = kept[name];
  } catch {
    // What cannot be read is forgotten.
  }
  if (!GAMES[settings.game]) settings.game = "shogi";
  if (!LANGUAGES.includes(settings.language)) settings.language = "en";
  if (!(settings.clock in CLOCKS)) settings.clock = "none";
}

function options(select, list, chosen) {
  select.replaceChildren(
    ...list.map(([value, text]) => Object.assign(document.createElement("option"), { value, textContent: text, selected: String(value) === String(chosen) })),
  );
}

/** Writes every word of the page in the language. */
function translate() {
  say = speaker(settings.language);
  document.documentElement.lang = settings.language;
  document.documentElement.dataset.theme = settings.theme;
  $("language").value = settings.language;
  $("theme").value = settings.theme;
  for (const element of document.querySelectorAll("[data-word]")) element.textContent = say(element.dataset.word);
  for (const element of document.querySelectorAll("[data-label]")) {
    element.setAttribute("aria-label", say(element.dataset.label));
    if (element.tagName === "BUTTON") element.title = say(element.dataset.label);
  }
  options($("game"), Object.keys(GAMES).map((name) => [name, say(`game-${name}`)]), play.name);
  options($("level"), LEVELS.map((level) => [level, say(`level-${level}`)]), settings.level);
  options($("thinking"), THINKING.map((time) => [time, `${time / 1000} s`]), settings.thinking);
  const clockName = (name, time) => {
    if (!time) return say("clock-none");
    const kind = time.byoyomi ? (time.main ? "clock-byoyomi" : "clock-byoyomi-only") : "clock-increment";
    return say(kind, time.main, time.byoyomi || time.increment);
  };
  options($("clock"), Object.entries(CLOCKS).map(([name, time]) => [name, clockName(name, time)]), settings.clock);
  $("tabs").setAttribute("aria-label", "Sanban");
  $("actions").setAttribute("aria-label", say("board"));
  dress();
}

/** Fills in what depends on the game. */
function dress() {
  const { game, name } = play;
  $("game").value = name;
  options($("look"), game.looks.map((value) => [value, say(`look-${value}`)]), look());
  const sides = $("side").options;
  sides[0].textContent = sideName("b");
  sides[1].textContent = sideName("w");
  $("side").value = settings.side;
  const starts = game.starts.map(([value]) => [value, say(value)]);
  const custom = play.start && !game.starts.some(([, sfen]) => sfen === play.start) && !game.setups;
  if (custom) starts.push(["custom", say("custom")]);
  const chosen = game.starts.find(([, sfen]) => sfen === play.start)?.[0] ?? (custom ? "custom" : "even");
  options($("start"), starts, chosen);
  $("start").parentElement.hidden = starts.length < 2;
  for (const label of document.querySelectorAll(".setup")) label.hidden = !game.setups;
  $("copy-kif").hidden = game.kind !== "shogi";
  if (game.setups)
    for (const side of ["b", "w"]) {
      const select = $(`setup-${side}`);
      const names = game.setups.map((setup) => [setup, setupName(setup)]);
      options(select, names, select.value || game.setups[0]);
    }
  $("pass").hidden = game.kind !== "janggi";
  $("mate-row").hidden = $("mate-answer").hidden = !game.mates;
  $("rules").innerHTML = `<h3>${say(`game-${name}`)}</h3><ul>${say.rules(name, game).map((rule) => `<li>${rule}</li>`).join("")}</ul><div class="gallery">${[...game.letters, ...Object.values(game.promotes)].map((letter) => `<figure>${draw(game, letter, "pictures", false)}<figcaption>${say.piece(game, letter)}</figcaption></figure>`).join("")}</div>`;
}

/** The order of horses and elephants, as the setup has them from the left. */
function setupName(setup) {
  return say(`setup-${setup.replace(/[^NB]/g, "")}`);
}

// ---- the game ----

/** Asks about a position of the game: the one after `at` moves. */
function question(at = play.at) {
  return { game: play.name, ...(play.start ? { sfen: play.start } : {}), moves: play.moves.slice(0, at) };
}

/** Is the engine to move for this side? */
function isEngine(side) {
  return settings.side === "none" || (settings.side !== "both" && settings.side !== side);
}

function isOver() {
  return Boolean(play.ended || play.full?.over);
}

/** Begins a game from a position (`null`: the start of the game). */
async function begin(name, start = null) {
  halt();
  editor = null;
  Object.assign(play, { name, game: GAMES[name], start, moves: [], at: 0, ended: null, scores: [], best: [], truth: null, report: null });
  settings.game = name;
  keep();
  mateLine = null;
  wind();
  dress();
  edits();
  $("mate-answer").textContent = $("report").textContent = "";
  await refresh();
  reply();
}

/** Ends whatever the engine does. */
function halt() {
  epoch++;
  engine?.stop().catch(() => {});
}

/** Shows the position after `play.at` moves. */
async function refresh(slide) {
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
  picked = null;
  if (slide && last) slide = { from: last.from, to: last.to };
  render(slide);
  if (play.game.solved) learn();
  if (analysing) analyse();
  return true;
}

/** Draws everything. */
function render(slide) {
  const view = editor?.view ?? play.view;
  if (!view) return;
  const turned = (settings.side === "w") !== flipped;
  board.prepare(play.game, look(), turned, settings.language);
  board.show(view, slide);
  mark();
  board.arrows([]);
  players(view, turned);
  $("turn").dataset.side = $("turn").textContent = view.side;
  $("declare").hidden = !(view.declare && !isEngine(view.side) && !isOver());
  $("resign").disabled = isOver() || Boolean(editor);
  $("takeback").disabled = !play.moves.length || Boolean(editor);
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
    board.showHand(hand, whose, view.hands[whose], Boolean(editor) || true);
    for (const held of hand.children) held.addEventListener("click", () => touchHand(held.dataset.hand));
  }
  ticking();
}

/** The list of moves. */
function list() {
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
  if (editor) return tell(say("to-move", sideName(editor.view.side)));
  const { view } = play;
  const over = play.at === play.moves.length ? (play.ended ?? view.over) : view.over;
  if (over) {
    const specific = `${play.game.kind}-reason-${over.reason}`;
    const reason = say(say.has(specific) ? specific : `reason-${over.reason}`);
    return tell(over.winner ? say("won-by", sideName(over.winner), reason) : say("drawn-by", reason), "over");
  }
  const parts = [];
  if (view.check) parts.push(say("in-check"));
  if (isEngine(view.side) && play.at === play.moves.length && !analysing) parts.push(say("engine-thinks"));
  else if (settings.side === "both" || settings.side === "none" || isEngine(view.side)) parts.push(say("to-move", sideName(view.side)));
  else parts.push(say("your-turn"));
  if (view.occurrences > 1) parts.push(say("repeated", view.occurrences, view.repetitions));
  tell(parts.join(" "));
}

/** Shows a sentence below the board; screen readers say it. */
function tell(text, kind = "") {
  $("status").textContent = text;
  $("status").className = kind;
}

// ---- moving ----

/** May the player move now? If not, it is said why. */
function mayAct(quiet = false) {
  if (editor) return true;
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
  const piece = (editor?.view ?? play.view)?.board[place];
  return piece ? split(piece).whose : null;
}

function mayPick(place) {
  return !editor && mayAct(true) && owner(place) === play.view.side;
}

/** Takes a piece up. */
function pick(place) {
  picked = place;
  mark();
}

/** Puts it down again. */
function drop() {
  picked = null;
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
function mark() {
  const { view, truth } = play;
  if (!view || editor) return board.mark(null);
  // A pass is no way for the general to go: it has a button of its own.
  const moves = picked ? view.legal.filter((usi) => usi.startsWith(prefix(picked)) && usi.slice(2, 4) !== picked) : [];
  const badge = (move) => ({ kind: move.value, text: move.plies ?? "=" });
  const marks = {}, best = {};
  for (const usi of moves) if (truth?.[usi]) marks[usi.slice(2, 4)] = badge(truth[usi]);
  if (truth && !picked && mayAct(true))
    for (const move of Object.values(truth)) best[placeOf(move.usi)] ??= badge(move);
  board.mark(picked, moves.map((usi) => usi.slice(2, 4)), marks, best);
}

/** Where a move comes from: a square, or a hand. */
function placeOf(usi) {
  return usi[1] === "*" ? `${play.view.side}:${usi[0]}` : usi.slice(0, 2);
}

function touchHand(place) {
  if (editor) {
    editor.hold(place[0], place.slice(2), false);
    return render();
  }
  if (!mayAct()) return;
  if (picked === place) return drop();
  if (place[0] !== play.view.side) return tell(say("why-not-yours"));
  pick(place);
}

/** A square was clicked, or a piece let go on it. */
async function touch(square, dragged = false) {
  if (editor) {
    editor.touch(square);
    return render();
  }
  if (!mayAct()) return;
  const { view } = play;
  const own = owner(square) === view.side;
  if (!picked) {
    if (own) return pick(square);
    return tell(say(owner(square) ? "why-not-yours" : "pick-first"));
  }
  if (square === picked) return drop();
  const start = prefix(picked) + square;
  const moves = view.legal.filter((usi) => usi.startsWith(start));
  if (moves.length > 1) {
    const promote = await askPromotion(picked);
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
async function explain(usi) {
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
async function make(usi, still = false) {
  halt();
  press();
  forget();
  play.moves.length = play.at;
  play.scores.length = play.best.length = play.at + 1;
  play.moves.push(usi);
  play.at++;
  play.ended = null;
  mateLine = null;
  const announced = moveName(readMove(usi, play.view), play.game, settings.language, say);
  // A piece that was let go on its square is there already.
  await refresh(!still);
  $("speech").textContent = `${announced}. ${$("status").textContent}`;
  reply();
}

/** Lets the engine move, if it is its turn. */
async function reply() {
  const { view } = play;
  if (!view || editor || isOver() || play.at !== play.moves.length || !isEngine(view.side)) return;
  const mine = epoch;
  const began = performance.now();
  const time = CLOCKS[settings.clock];
  const limits = time
    ? { clock: { b: Math.round(clock.b), w: Math.round(clock.w), left: Math.round(clock[view.side]), increment: time.increment * 1000, byoyomi: time.byoyomi * 1000 } }
    : { movetime: settings.thinking };
  const answer = await engine.ask({ ask: "go", ...question(), level: settings.level, ...limits }).catch(() => null);
  if (mine !== epoch || !answer) return;
  if (answer.error) return tell(say(answer.error));
  const wait = REPLY - (performance.now() - began);
  if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
  if (mine !== epoch) return;
  if (answer.declare) finish(view.side, "declare");
  else if (answer.best) make(answer.best);
  else finish(other(view.side), "resign");
}

/** Ends the game for a reason that is not on the board. */
function finish(winner, reason) {
  halt();
  play.ended = { winner, reason };
  clock.running = null;
  render();
}

/** Takes the last move back, and the engine's answer with it. */
async function takeBack() {
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
async function go(at) {
  const to = Math.max(0, Math.min(play.moves.length, at));
  if (to === play.at || editor) return;
  const forward = to === play.at + 1;
  play.at = to;
  if (analysing || to < play.moves.length) epoch++;
  await refresh(forward);
  if (to === play.moves.length) {
    halt();
    reply();
  }
}

// ---- clocks ----

/** Winds the clocks up for a new game. */
function wind() {
  const time = CLOCKS[settings.clock];
  clock.on = time;
  clock.b = clock.w = (time?.main ?? 0) * 60_000;
  clock.running = null;
  clock.byoyomi = (time?.byoyomi ?? 0) * 1000;
}

/** The side to move has moved: its clock stops, the other's runs. */
function press() {
  if (!clock.on) return;
  const mover = play.view.side;
  if (clock.running === mover) {
    clock[mover] = Math.max(0, clock[mover] - (performance.now() - clock.since)) + clock.on.increment * 1000;
  }
  clock.running = other(mover);
  clock.since = performance.now();
}

/** Shows the clocks; a side whose time is up has lost. */
function ticking() {
  for (const side of ["b", "w"]) {
    const element = $(`clock-${side}`);
    if (!element) continue;
    if (!clock.on) {
      element.textContent = "";
      continue;
    }
    const runs = clock.running === side && !isOver();
    const spent = runs ? performance.now() - clock.since : 0;
    const left = clock[side] - spent;
    const byoyomi = clock.byoyomi + Math.min(left, 0);
    const shown = left > 0 || !clock.byoyomi ? left : byoyomi;
    const seconds = Math.max(0, Math.ceil(shown / 1000));
    element.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
    element.classList.toggle("hurry", runs && seconds <= 10);
    if (runs && left + clock.byoyomi <= 0) finish(other(side), "time");
  }
}
setInterval(ticking, 200);

// ---- analysis ----

/** Analyses the position on the board until something else is wanted. */
async function analyse() {
  epoch++;
  const mine = epoch;
  const { view, at } = play;
  const found = [];
  if (view.over) {
    $("found").replaceChildren();
    return;
  }
  await engine.ask({ ask: "go", ...question(), infinite: true, lines: Number($("lines").value) }, (line) => {
    if (mine === epoch) hear(line, found, view, at);
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
  $("bar").classList.toggle("turned", (settings.side === "w") !== flipped);
}

function curve() {
  drawGraph($("graph"), Array.from({ length: play.moves.length + 1 }, (_, n) => play.scores[n] ?? null), play.at, say, go);
  bar(play.scores[play.at] ?? null);
}

/** Suggests moves to the player. */
async function hint() {
  if (!mayAct() || play.view.over) return;
  if (analysing) return;
  epoch++;
  const mine = epoch;
  const { view, at } = play;
  const found = [];
  tell(say("looking"));
  const answer = await engine.ask({ ask: "go", ...question(), movetime: 1000, lines: 3 }, (line) => {
    if (mine === epoch) hear(line, found, view, at);
  }).catch(() => null);
  if (mine !== epoch || !answer) return;
  if (!answer.best) return tell(say("no-hint", say(answer.error ?? "")));
  // The last lines may be older than the decision: the move that is suggested comes first.
  const rank = found.findIndex((line) => line?.pv[0] === answer.best);
  const [first] = rank < 0 ? [{ pv: [answer.best], score: answer.score, depth: found[0]?.depth ?? 0 }] : found.splice(rank, 1);
  showLines([first, ...found].slice(0, 3), view);
  tell(say("hint-is", moveName(readMove(answer.best, view), play.game, settings.language, say)));
}

/** What kind of bad move a move was, if it has been judged as one. */
function gradeOf(ply) {
  const name = play.report?.moves[ply - 1]?.class;
  return name in MARKS ? name : null;
}

/** Analyses every position of the game, the last one first, then sums up. */
async function review() {
  if (!play.moves.length) return;
  stopAnalysis();
  halt();
  forget();
  const mine = epoch;
  const { full } = play;
  const count = play.moves.length;
  const positions = [];
  for (let at = count; at >= 0; at--) {
    $("report").textContent = say("reviewing", count - at, count + 1);
    const found = at === count && full.over ? null : await judge(at);
    if (mine !== epoch || found?.error) {
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
  if (mine !== epoch || !answer) return;
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
function report() {
  const { report, full: view, best, game } = play;
  if (report) drawReport($("report"), { report, view, best, game, language: settings.language, say, onPick: go });
}

/** The game has changed: its report no longer fits. */
function forget() {
  play.report = null;
  $("report").textContent = "";
}

function stopAnalysis() {
  analysing = false;
  $("analyse").setAttribute("aria-pressed", "false");
}

/** Looks for a mate. */
async function mate() {
  stopAnalysis();
  halt();
  const mine = epoch;
  const { view } = play;
  mateLine = null;
  $("mate-play").hidden = true;
  $("mate-answer").textContent = say("looking");
  const answer = await engine.ask({ ask: "mate", ...question(), movetime: 20000 }).catch(() => null);
  if (mine !== epoch || !answer) return;
  if (answer.error) $("mate-answer").textContent = say(answer.error);
  else if (answer.unknown) $("mate-answer").textContent = say("mate-unknown");
  else if (!answer.mate) $("mate-answer").textContent = say("no-mate");
  else {
    mateLine = answer.mate;
    $("mate-answer").textContent = say("mate-in", mateLine.length, lineName(mateLine, view, play.game, settings.language, say).join(" "));
    $("mate-play").hidden = false;
  }
}

/** Plays the mate out on the board. */
async function playMate() {
  const line = mateLine;
  if (!line) return;
  $("side").value = settings.side = "both";
  $("mate-play").hidden = true;
  for (const usi of line) {
    if (!play.view.legal.includes(usi)) return;
    await make(usi);
    const mine = epoch;
    await new Promise((resolve) => setTimeout(resolve, 700));
    if (mine !== epoch) return;
  }
}

/** Asks what the moves of a solved game lead to. */
async function learn() {
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

// ---- positions and records ----

/** Loads whatever a text or file holds. */
async function load(source) {
  const answer = await engine.ask({ ask: "read", game: play.name, ...source });
  if (answer.error) return tell(say("not-loaded", answer.error), "refused");
  halt();
  stopAnalysis();
  $("side").value = settings.side = "both";
  await begin(answer.game, answer.sfen ?? null);
  play.moves = answer.moves;
  play.at = 0;
  await refresh();
  tell(say("loaded", answer.moves.length));
}

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    tell(say("copied"));
  } catch {
    $("text").value = text;
    tell(say("not-copied"));
    $("text").select();
  }
}

/** The players' names, as a record has them. */
function names() {
  return Object.fromEntries(["b", "w"].map((side) => [side, isEngine(side) ? "Sanban" : say("person")]));
}

async function copyRecord(format) {
  if (format === "sfen") return copy(`sfen ${play.view.sfen}`);
  const answer = await engine.ask({ ask: "write", format, players: names(), ...question(play.moves.length) });
  if (answer.error) return tell(answer.error, "refused");
  copy(answer.text);
}

/** Shows or hides the editor's tools. */
function edits() {
  const on = Boolean(editor);
  $("edit").setAttribute("aria-pressed", on);
  $("edit").hidden = on;
  for (const id of ["edit-clear", "edit-side", "edit-done", "edit-cancel", "palette"]) $(id).hidden = !on;
  if (!on) return;
  $("edit-side").textContent = say("edit-side", sideName(editor.view.side));
  editor.palette($("palette"), look(), say, () => {
    edits();
    render();
  });
}

function edit() {
  halt();
  stopAnalysis();
  picked = null;
  editor = new Editor(play.game, play.view.sfen);
  edits();
  render();
}

/** Takes the position of the editor over, if it is one. */
async function editDone() {
  const { sfen } = editor;
  const answer = await engine.ask({ ask: "view", game: play.name, sfen, moves: [] });
  if (answer.error) return tell(say("not-playable", answer.error.replace(/^sfen: /, "")), "refused");
  $("side").value = settings.side = "both";
  await begin(play.name, sfen);
}

// ---- the page ----

function tabs() {
  const all = [...document.querySelectorAll('[role="tab"]')];
  const choose = (tab, focus) => {
    for (const one of all) {
      const on = one === tab;
      one.setAttribute("aria-selected", on);
      one.tabIndex = on ? 0 : -1;
      $(one.getAttribute("aria-controls")).hidden = !on;
    }
    if (focus) tab.focus();
  };
  all.forEach((tab, n) => {
    tab.addEventListener("click", () => choose(tab));
    tab.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (step) choose(all[(n + step + all.length) % all.length], true);
    });
  });
  choose(all[0]);
}

function startOf(game) {
  if (!game.setups) return game.starts.find(([value]) => value === $("start").value)?.[1] ?? null;
  const [black, white] = ["b", "w"].map((side) => $(`setup-${side}`).value || game.setups[0]);
  return black === game.setups[0] && white === game.setups[0] ? null : janggiStart(black, white);
}

function listen() {
  const on = (id, event, act) => $(id).addEventListener(event, act);
  const set = (name, read = (value) => value) => (event) => {
    settings[name] = read(event.target.value);
    keep();
  };
  on("game", "change", () => begin($("game").value));
  on("look", "change", () => {
    settings.looks[play.game.kind] = $("look").value;
    keep();
    render();
    edits();
  });
  on("language", "change", (event) => {
    set("language")(event);
    translate();
    render();
    report();
    edits();
  });
  on("theme", "change", (event) => {
    set("theme")(event);
    document.documentElement.dataset.theme = settings.theme;
  });
  on("level", "change", set("level", Number));
  on("thinking", "change", set("thinking", Number));
  on("clock", "change", (event) => {
    set("clock")(event);
    begin(play.name, play.start);
  });
  on("side", "change", async (event) => {
    set("side")(event);
    halt();
    flipped = false;
    await refresh();
    reply();
  });
  for (const id of ["start", "setup-b", "setup-w"]) on(id, "change", () => begin(play.name, startOf(play.game)));
  on("new", "click", () => begin(play.name, $("start").value === "custom" ? play.start : startOf(play.game)));
  on("takeback", "click", takeBack);
  on("hint", "click", hint);
  on("flip", "click", () => {
    flipped = !flipped;
    render();
  });
  on("pass", "click", () => {
    if (!mayAct()) return;
    const pass = play.view.legal.find((usi) => usi.slice(0, 2) === usi.slice(2));
    const general = Object.entries(play.view.board).find(([, piece]) => piece === (play.view.side === "b" ? "K" : "k"))?.[0];
    if (pass) make(pass);
    else explain(`${general}${general}`);
  });
  on("resign", "click", () => play.view && finish(other(isEngine(play.view.side) ? other(play.view.side) : play.view.side), "resign"));
  on("declare", "click", () => finish(play.view.side, "declare"));
  on("analyse", "click", () => {
    analysing = !analysing;
    $("analyse").setAttribute("aria-pressed", analysing);
    if (analysing) analyse();
    else {
      halt();
      render();
      reply();
    }
  });
  on("lines", "change", () => analysing && analyse());
  on("review", "click", review);
  on("mate", "click", mate);
  on("mate-play", "click", playMate);
  on("load", "click", () => load({ text: $("text").value }));
  on("file", "change", async (event) => {
    const [file] = event.target.files;
    if (!file) return;
    // One character a byte: the engine finds out how the text is encoded.
    const bytes = new Uint8Array(await file.arrayBuffer());
    load({ bytes: Array.from(bytes, (byte) => String.fromCharCode(byte)).join("") });
  });
  for (const format of ["sfen", "kif", "usi"]) on(`copy-${format}`, "click", () => copyRecord(format));
  on("edit", "click", edit);
  on("edit-clear", "click", () => {
    editor.clear();
    render();
  });
  on("edit-side", "click", () => {
    editor.turn();
    edits();
    render();
  });
  on("edit-done", "click", editDone);
  on("edit-cancel", "click", () => {
    editor = null;
    edits();
    render();
    reply();
  });
  for (const button of document.querySelectorAll("[data-go]"))
    button.addEventListener("click", () => {
      const to = button.dataset.go;
      go(to === "end" ? play.moves.length : to === "0" ? 0 : play.at + Number(to));
    });
}

async function main() {
  remember();
  Object.assign(play, { name: settings.game, game: GAMES[settings.game] });
  tabs();
  translate();
  listen();
  try {
    engine = await connect(() => tell(say("lost"), "refused"));
  } catch {
    return;
  }
  await begin(settings.game);
  document.documentElement.dataset.ready = "true";
}

main();
