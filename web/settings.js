// What the user has chosen, kept from visit to visit, and the words and pictures that follow from it.

import { GAMES } from "./games.js";
import { draw, split } from "./pieces.js";
import { $, CLOCKS, play, settings } from "./state.js";
import { LANGUAGES, speaker } from "./words.js";

const LEVELS = [0, 3, 6, 9, 12, 15, 18, 20];
const THINKING = [500, 1000, 3000, 10000, 30000];

/** Says things in the language. */
export let say = speaker("en");

export function sideName(side) {
  // With a handicap, the side that gives it begins.
  const handicap = play.start && play.game.starts.some(([, sfen]) => sfen === play.start);
  return say(`${handicap ? "handicap" : play.game.kind}-${side}`);
}

export function pieceName(piece) {
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

export function look() {
  const { kind, looks } = play.game;
  const chosen = settings.looks[kind];
  if (looks.includes(chosen)) return chosen;
  if (settings.language === "en" || !hasKanji()) return "pictures";
  return looks[0];
}

export function keep() {
  try {
    const { side, ...kept } = settings;
    localStorage.setItem("sanban", JSON.stringify(kept));
  } catch {
    // A browser that keeps nothing is fine.
  }
}

export function remember() {
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
export function translate() {
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
export function dress() {
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
