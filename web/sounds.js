// Sounds, off by default: a synthesised knock for each move, and the spoken seconds of byoyomi.

import { say } from "./settings.js";
import { hear, settings } from "./state.js";

let context = null;

/** Plays a short knock, like wood on wood. */
function knock() {
	// Browsers allow no sound before the first click or key.
	if (!settings.sound || navigator.userActivation?.hasBeenActive === false) return;
	context ??= new AudioContext();
	context.resume();
	const now = context.currentTime;
	const length = Math.floor(context.sampleRate * 0.06);
	const buffer = context.createBuffer(1, length, context.sampleRate);
	const samples = buffer.getChannelData(0);
	for (let n = 0; n < length; n++) samples[n] = (Math.random() * 2 - 1) * (1 - n / length) ** 6;
	const source = new AudioBufferSourceNode(context, { buffer });
	const filter = new BiquadFilterNode(context, {
		type: "bandpass",
		frequency: 1100,
		Q: 1.5,
	});
	const gain = new GainNode(context, { gain: 0.9 });
	source.connect(filter).connect(gain).connect(context.destination);
	source.start(now);
}

/** Speaks the seconds of byoyomi: tens, then each of the last ten. */
function count({ seconds, byoyomi }) {
	if (!settings.sound || !byoyomi || !("speechSynthesis" in window)) return;
	if (seconds > 10 && seconds % 10) return;
	if (seconds < 1) return;
	const speech = new SpeechSynthesisUtterance(seconds > 10 ? say("seconds-left", seconds) : String(seconds));
	speech.lang = settings.language;
	speechSynthesis.cancel();
	speechSynthesis.speak(speech);
}

/** Plays sounds for moves and clocks. */
export function listen() {
	hear("moved", knock);
	hear("tick", count);
}
