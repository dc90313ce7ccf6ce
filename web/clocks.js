// The clocks of a game.

import { $ } from "./dom.js";
import { CLOCKS, isOver, other, play, send, settings } from "./state.js";

/**
 * `on` is the time control, `b` and `w` are the remaining milliseconds, `running` is the side whose clock has run since
 * `since`.
 */
export const clock = { on: null, b: 0, w: 0, since: 0, running: null };

/** The time control selected for new games. */
export function control() {
	const { main, byoyomi, increment } = settings.ownClock;
	if (settings.clock === "own") return main || byoyomi || increment ? { main, byoyomi, increment } : null;
	return CLOCKS[settings.clock];
}

/** Resets the clocks for a new game. */
export function wind(time = control()) {
	Object.assign(clock, {
		on: time,
		b: (time?.main ?? 0) * 60_000,
		w: (time?.main ?? 0) * 60_000,
		running: null,
	});
}

/** The remaining time of a side, in milliseconds. */
function left(side) {
	return clock[side] - (clock.running === side ? performance.now() - clock.since : 0);
}

/** Stops the clock of the side that has moved and starts the other. Returns the time used, in milliseconds. */
export function press(mover) {
	if (!clock.on) return undefined;
	let took;
	if (clock.running === mover) {
		took = Math.round(performance.now() - clock.since);
		clock[mover] = Math.max(0, clock[mover] - took) + clock.on.increment * 1000;
	}
	clock.running = other(mover);
	clock.since = performance.now();
	return took;
}

/** Pauses the clocks. */
export function pause() {
	if (!clock.running) return;
	clock[clock.running] = Math.max(-clock.on.byoyomi * 1000, left(clock.running));
	clock.running = null;
}

/** Restores the clocks as they were after a move. */
export function rewind(node) {
	if (!clock.on) return;
	for (let at = node; at; at = at.parent)
		if (at.clock) {
			[clock.b, clock.w] = at.clock;
			clock.running = null;
			return;
		}
	wind(clock.on);
}

/** The state of the clocks, for storage. */
export function keepClock() {
	return (
		clock.on && {
			on: clock.on,
			b: Math.round(left("b")),
			w: Math.round(left("w")),
			running: clock.running,
		}
	);
}

/** Restores the clocks from a stored state. */
export function takeUp(kept) {
	Object.assign(clock, kept ?? { on: null, b: 0, w: 0, running: null }, {
		since: performance.now(),
	});
}

/** The side and the displayed time of the last `tick` event. */
let told = "";

/** Updates the displayed clocks, and sends `flag` if the time of a side is up. */
export function ticking() {
	for (const side of ["b", "w"]) {
		const face = $(`clock-${side}`);
		if (!face) continue;
		if (!clock.on) {
			face.textContent = "";
			continue;
		}
		const runs = clock.running === side && !isOver();
		const time = runs ? left(side) : clock[side];
		const reserve = clock.on.byoyomi * 1000;
		const shown = time > 0 || !reserve ? time : reserve + Math.min(time, 0);
		const seconds = Math.max(0, Math.ceil(shown / 1000));
		const text = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
		if (face.textContent !== text) face.textContent = text;
		if (runs && told !== `${side} ${text}`) {
			told = `${side} ${text}`;
			send("tick", { seconds, byoyomi: time <= 0 && seconds < clock.on.byoyomi });
		}
		face.classList.toggle("hurry", runs && seconds <= 10);
		if (runs && time + reserve <= 0) {
			clock[side] = -reserve;
			clock.running = null;
			send("flag", side);
		}
	}
}

/** Starts updating the clocks. */
export const startTicking = () => setInterval(ticking, 200);

/** The limits for the engine's search. */
export function limits() {
	if (!clock.on) return { movetime: settings.thinking };
	const whole = (time) => Math.max(0, Math.round(time));
	return {
		clock: {
			b: whole(left("b")),
			w: whole(left("w")),
			increment: clock.on.increment * 1000,
			byoyomi: clock.on.byoyomi * 1000,
		},
	};
}

/** Whether the game has clocks. */
export const isTimed = () => clock.on !== null && play.node !== null;
