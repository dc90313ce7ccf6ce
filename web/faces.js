// The faces of the levels: a dozen animals, drawn from a few parts, the strongest last.

import { PICTURES } from "./pictures.js";

/** The levels that are offered at first sight; each has a face, which the levels above it share. */
export const FEW = [0, 1, 2, 3, 4, 6, 8, 10, 12, 14, 17, 20];

const INK = 'stroke="#4a3520" stroke-width="2.5" stroke-linejoin="round" stroke-linecap="round"';
const both = (half) => `${half}<g transform="matrix(-1 0 0 1 100 0)">${half}</g>`;
const EARS = {
	long: (fill, inner) =>
		`<ellipse cx="36" cy="20" rx="8" ry="20" fill="${fill}" ${INK} transform="rotate(-8 36 20)"/><ellipse cx="36" cy="22" rx="3.500" ry="13" fill="${inner}" transform="rotate(-8 36 22)"/>`,
	round: (fill, inner) =>
		`<circle cx="27" cy="30" r="12" fill="${fill}" ${INK}/><circle cx="27" cy="30" r="6" fill="${inner}"/>`,
	pointed: (fill, inner) =>
		`<path d="M24 48 22 16 48 32z" fill="${fill}" ${INK}/><path d="M29 38 28 24 40 32z" fill="${inner}"/>`,
	hanging: (fill) => `<path d="M30 32C10 30 10 62 22 66c6-6 8-18 12-24z" fill="${fill}" ${INK}/>`,
	side: (fill, inner) =>
		`<circle cx="19" cy="54" r="11" fill="${fill}" ${INK}/><circle cx="19" cy="54" r="6" fill="${inner}"/>`,
	horns: (fill) => `<path d="M34 30C30 18 22 14 14 14c6 4 8 12 12 22z" fill="${fill}" ${INK}/>`,
};
const head = (fill) => `<circle cx="50" cy="57" r="31" fill="${fill}" ${INK}/>`;
const eyes = (y = 53, r = 3.4) => both(`<circle cx="39" cy="${y}" r="${r}" fill="#2b2018"/>`);
const rims = both('<circle cx="38" cy="53" r="10" fill="#fff" stroke="#4a3520" stroke-width="2"/>');
const mouth = `<path d="M50 68v4m0 0c-2 5-8 4-9 0m9 0c2 5 8 4 9 0" fill="none" ${INK}/>`;
const nose = (fill, y = 66) => `<path d="M44 ${y - 3}h12l-6 6z" fill="${fill}" stroke="${fill}" stroke-width="2"/>`;
const muzzle = (fill) => `<ellipse cx="50" cy="69" rx="15" ry="12" fill="${fill}"/>`;
const beak = `<path d="M41 62h18l-9 13z" fill="#f0a030" ${INK}/>`;

const FACES = [
	PICTURES.dobutsu.C,
	both(EARS.long("#fbf3ea", "#f4b8b0")) + head("#fbf3ea") + eyes() + nose("#e58a86") + mouth,
	both(EARS.round("#cfc6d6", "#f0c4c0")) + head("#cfc6d6") + eyes() + nose("#e58a86") + mouth,
	both(EARS.pointed("#f0b35c", "#fbe3c0")) +
		head("#f0b35c") +
		`<path d="M44 28l2 9m4-10v10m6-9-2 9" fill="none" ${INK}/>` +
		eyes() +
		muzzle("#fff4e2") +
		nose("#d9776f") +
		mouth,
	head("#e6c79c") + both(EARS.hanging("#a9713d")) + eyes() + muzzle("#fff4e2") + nose("#3b2a1c") + mouth,
	both(EARS.pointed("#e0742f", "#5b3a22")) +
		head("#e0742f") +
		'<path d="M22 62c12-2 22 2 28 12 6-10 16-14 28-12-2 16-14 25-28 25S24 78 22 62z" fill="#fff4e2"/>' +
		eyes(55) +
		nose("#2b2018", 72),
	both(EARS.side("#8a5a34", "#f0c9a0")) +
		head("#8a5a34") +
		'<path d="M50 44c-6-8-22-6-21 8 0 8 4 10 4 16 2 10 10 15 17 15s15-5 17-15c0-6 4-8 4-16 1-14-15-16-21-8z" fill="#f0c9a0"/>' +
		eyes() +
		mouth,
	`<path d="M22 40 20 18 42 30h16l22-12-2 22z" fill="#9a7b57" ${INK}/>` +
		head("#9a7b57") +
		'<path d="M30 70c4 14 36 14 40 0-10 6-30 6-40 0z" fill="#e9d8b8"/>' +
		rims +
		eyes(53, 4.5) +
		beak,
	both(EARS.round("#7a553a", "#b98d68")) + head("#7a553a") + eyes(52) + muzzle("#e2c39c") + nose("#2b2018") + mouth,
	both(EARS.round("#ee9a3a", "#fbe3c0")) +
		head("#ee9a3a") +
		`<path d="M40 29l4 9m6-11v11m10-9-4 9M20 52l9 3M20 62l9 0M80 52l-9 3M80 62l-9 0" fill="none" stroke="#3b2a1c" stroke-width="4" stroke-linecap="round"/>` +
		eyes(53) +
		muzzle("#fff4e2") +
		nose("#d9776f") +
		mouth,
	PICTURES.dobutsu.L,
	both(EARS.horns("#e9cf7a")) +
		`<path d="M22 50l-12 4 9 6-10 8 12 2zM78 50l12 4-9 6 10 8-12 2z" fill="#d64a3a" ${INK}/>` +
		head("#3f9a6a") +
		'<path d="M30 68c6-8 34-8 40 0 2 12-8 20-20 20s-22-8-20-20z" fill="#bfe3b4"/>' +
		both(
			'<path d="M31 48 45 53" stroke="#2b2018" stroke-width="3.5" stroke-linecap="round"/><circle cx="40" cy="56" r="3.6" fill="#2b2018"/><circle cx="45" cy="70" r="2" fill="#2b2018"/>',
		) +
		`<path d="M38 78c8 5 16 5 24 0" fill="none" ${INK}/>`,
];

/** The face of a level as SVG. */
export function face(level) {
	const number = FEW.findLastIndex((one) => one <= level);
	return `<svg class="face" viewBox="0 0 100 100" aria-hidden="true">${FACES[Math.max(0, number)]}</svg>`;
}

/** The levels at which the players of each game begin to do more; see `skill`. */
const STEPS = {
	shogi: [4, 8, 9, 13, 17, 20],
	janggi: [3, 8, 9, 13, 17, 20],
	dobutsu: [2, 4, 5, 9, 14, 20],
};

/** What a level can do: the key of a sentence. */
export const skill = (kind, level) => `skill-${STEPS[kind].filter((step) => step <= level).length}`;
