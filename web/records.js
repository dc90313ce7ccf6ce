// Positions and records: loaded, copied and edited.

import { stopAnalysis } from "./analysis.js";
import { Editor } from "./editor.js";
import { begin, refresh, render } from "./play.js";
import { look, say, sideName } from "./settings.js";
import { $, engine, halt, isEngine, page, play, question, settings, tell } from "./state.js";

/** Loads whatever a text or file holds. */
export async function load(source) {
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
export function names() {
  return Object.fromEntries(["b", "w"].map((side) => [side, isEngine(side) ? "Sanban" : say("person")]));
}

export async function copyRecord(format) {
  if (format === "sfen") return copy(`sfen ${play.view.sfen}`);
  const answer = await engine.ask({ ask: "write", format, players: names(), ...question(play.moves.length) });
  if (answer.error) return tell(answer.error, "refused");
  copy(answer.text);
}

/** Shows or hides the editor's tools. */
export function edits() {
  const on = Boolean(page.editor);
  $("edit").setAttribute("aria-pressed", on);
  $("edit").hidden = on;
  for (const id of ["edit-clear", "edit-side", "edit-done", "edit-cancel", "palette"]) $(id).hidden = !on;
  if (!on) return;
  $("edit-side").textContent = say("edit-side", sideName(page.editor.view.side));
  page.editor.palette($("palette"), look(), say, () => {
    edits();
    render();
  });
}

export function edit() {
  halt();
  stopAnalysis();
  page.picked = null;
  page.editor = new Editor(play.game, play.view.sfen);
  edits();
  render();
}

/** Takes the position of the editor over, if it is one. */
export async function editDone() {
  const { sfen } = page.editor;
  const answer = await engine.ask({ ask: "view", game: play.name, sfen, moves: [] });
  if (answer.error) return tell(say("not-playable", answer.error.replace(/^sfen: /, "")), "refused");
  $("side").value = settings.side = "both";
  await begin(play.name, sfen);
}
