// The clocks of a game.

import { finish } from "./moving.js";
import { $, CLOCKS, isOver, other, play, settings } from "./state.js";

export const clock = { on: null, b: 0, w: 0, byoyomi: 0, since: 0, running: null };

/** Winds the clocks up for a new game. */
export function wind() {
  const time = CLOCKS[settings.clock];
  clock.on = time;
  clock.b = clock.w = (time?.main ?? 0) * 60_000;
  clock.running = null;
  clock.byoyomi = (time?.byoyomi ?? 0) * 1000;
}

/** The side to move has moved: its clock stops, the other's runs. */
export function press() {
  if (!clock.on) return;
  const mover = play.view.side;
  if (clock.running === mover) {
    clock[mover] = Math.max(0, clock[mover] - (performance.now() - clock.since)) + clock.on.increment * 1000;
  }
  clock.running = other(mover);
  clock.since = performance.now();
}

/** Shows the clocks; a side whose time is up has lost. */
export function ticking() {
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
