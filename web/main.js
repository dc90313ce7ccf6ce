// The page: its tabs, buttons and fields.

import { analyse, hint, mate, playMate, report, review } from "./analysis.js";
import { GAMES, janggiStart } from "./games.js";
import { explain, finish, go, make, mayAct, reply, takeBack } from "./moving.js";
import { begin, refresh, render } from "./play.js";
import { copyRecord, edit, editDone, edits, load } from "./records.js";
import { keep, remember, say, translate } from "./settings.js";
import { $, halt, isEngine, other, page, play, settings, start, tell } from "./state.js";

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
    page.flipped = false;
    await refresh();
    reply();
  });
  for (const id of ["start", "setup-b", "setup-w"]) on(id, "change", () => begin(play.name, startOf(play.game)));
  on("new", "click", () => begin(play.name, $("start").value === "custom" ? play.start : startOf(play.game)));
  on("takeback", "click", takeBack);
  on("hint", "click", hint);
  on("flip", "click", () => {
    page.flipped = !page.flipped;
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
    page.analysing = !page.analysing;
    $("analyse").setAttribute("aria-pressed", page.analysing);
    if (page.analysing) analyse();
    else {
      halt();
      render();
      reply();
    }
  });
  on("lines", "change", () => page.analysing && analyse());
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
    page.editor.clear();
    render();
  });
  on("edit-side", "click", () => {
    page.editor.turn();
    edits();
    render();
  });
  on("edit-done", "click", editDone);
  on("edit-cancel", "click", () => {
    page.editor = null;
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
    await start(() => tell(say("lost"), "refused"));
  } catch {
    return;
  }
  await begin(settings.game);
  document.documentElement.dataset.ready = "true";
}

main();
