// The pictures of the pieces, drawn for this page, upright on a canvas of 100 by 100 units.

const line = (width) =>
	`fill="none" stroke="currentColor" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round"`;
const eyes = (y, gap, r = 3) =>
	`<circle cx="${50 - gap}" cy="${y}" r="${r}" fill="#222"/><circle cx="${50 + gap}" cy="${y}" r="${r}" fill="#222"/>`;

const SHIELD = (fill) =>
	`<path d="M50 28 72 35v17c0 14-10 22-22 28-12-6-22-14-22-28V35z" fill="${fill}" stroke="#5a4415" stroke-width="3" stroke-linejoin="round"/><path d="m50 38 4.5 9.5 10.5 1.300-7.800 7.200 2.100 10.300L50 61.500l-9.300 4.800 2.100-10.300-7.800-7.200 10.500-1.300z" fill="#fff" opacity=".85"/>`;
const CROWN = `<path d="M28 68 24 40l14 10 12-20 12 20 14-10-4 28z" fill="#e9b949" stroke="#6b4a10" stroke-width="3" stroke-linejoin="round"/><path d="M29 76h42" stroke="#6b4a10" stroke-width="6" stroke-linecap="round"/><circle cx="50" cy="30" r="4.500" fill="#c0392b"/><circle cx="24" cy="39" r="3.500" fill="#2d6cb5"/><circle cx="76" cy="39" r="3.500" fill="#2d6cb5"/>`;
const TOWER = (fill) =>
	`<path d="M30 34h9v7h7v-7h8v7h7v-7h9v15l-6 5v14l6 4v8H30v-8l6-4V54l-6-5z" fill="${fill}" stroke="#333" stroke-width="3" stroke-linejoin="round"/><path d="M46 68V60q4-5 8 0v8z" fill="#333"/>`;
const MITRE = (fill) =>
	`<path d="M50 26c10 9 18 20 14 34l-4 8H40l-4-8c-4-14 4-25 14-34z" fill="${fill}" stroke="#333" stroke-width="3" stroke-linejoin="round"/><path d="M44 53 56 40" ${line(4)}/><path d="M34 78h32" ${line(7)}/><circle cx="50" cy="25" r="4" fill="#333"/>`;
const HORSE = (fill) =>
	`<path d="M34 78c0-14 8-18 10-26-6 4-12 8-18 7l-3-6c8-8 12-18 24-22l2-7 7 6c14 4 20 16 20 30v18z" fill="${fill}" stroke="#333" stroke-width="3" stroke-linejoin="round"/><circle cx="46" cy="43" r="3" fill="#222"/><path d="M60 34c8 6 10 16 10 26" ${line(3)}/>`;
const SPEAR = `<path d="M50 82V42" stroke="#7a4a1e" stroke-width="6" stroke-linecap="round"/><path d="M50 22 61 42 50 50 39 42z" fill="#cfd8dc" stroke="#333" stroke-width="3" stroke-linejoin="round"/><path d="M41 53h18" stroke="#b03030" stroke-width="6" stroke-linecap="round"/>`;
const PAWN = (fill) =>
	`<circle cx="50" cy="40" r="12" fill="${fill}" stroke="#333" stroke-width="3"/><path d="M43 52h14c0 10 6 14 11 20v6H32v-6c5-6 11-10 11-20z" fill="${fill}" stroke="#333" stroke-width="3" stroke-linejoin="round"/>`;
const WHEEL = `<path d="M26 36h34l12 14H26z" fill="#c98a4b" stroke="#333" stroke-width="3" stroke-linejoin="round"/><circle cx="50" cy="62" r="16" fill="#f3e2c0" stroke="#333" stroke-width="4"/><path d="M50 46v32M34 62h32M38.700 50.700l22.600 22.600M61.300 50.700 38.700 73.300" ${line(2.5)}/>`;
const GUN = `<path d="m26 56 38-22 8 13-38 22z" fill="#5d6d7e" stroke="#222" stroke-width="3" stroke-linejoin="round"/><circle cx="40" cy="68" r="11" fill="#c98a4b" stroke="#333" stroke-width="3"/><circle cx="40" cy="68" r="3" fill="#333"/><circle cx="77" cy="31" r="5" fill="#e67e22"/>`;
const ELEPHANT = (fill) =>
	`<path d="M24 42c-6 14 0 24 10 24V38z" fill="${fill}" stroke="#333" stroke-width="3" stroke-linejoin="round"/><path d="M76 42c6 14 0 24-10 24V38z" fill="${fill}" stroke="#333" stroke-width="3" stroke-linejoin="round"/><path d="M50 26c14 0 20 10 20 22 0 10-6 16-12 18v8c0 8-14 10-18 4l5-4c2 2 5 1 5-2v-6c-12 0-20-8-20-18 0-12 6-22 20-22z" fill="${fill}" stroke="#333" stroke-width="3" stroke-linejoin="round"/>${eyes(46, 9)}`;

const LION = `<circle cx="50" cy="52" r="29" fill="#d9822b" stroke="#7a3f0c" stroke-width="2.500" stroke-dasharray="9 3"/><circle cx="50" cy="54" r="20" fill="#f8cf7a" stroke="#7a3f0c" stroke-width="2.500"/>${eyes(50, 8, 2.8)}<path d="M45 58h10l-5 5z" fill="#7a3f0c"/><path d="M50 63c-2 5-7 5-9 2m9-2c2 5 7 5 9 2" ${line(2)}/><circle cx="36" cy="37" r="5" fill="#f8cf7a" stroke="#7a3f0c" stroke-width="2"/><circle cx="64" cy="37" r="5" fill="#f8cf7a" stroke="#7a3f0c" stroke-width="2"/>`;
const GIRAFFE = `<path d="M38 34 33 24m29 10 5-10" ${line(4)}/><circle cx="33" cy="23" r="4" fill="#7a4a1e"/><circle cx="67" cy="23" r="4" fill="#7a4a1e"/><path d="M32 44 22 40l6 12zM68 44l10-4-6 12z" fill="#f2c14e" stroke="#7a4a1e" stroke-width="2.500" stroke-linejoin="round"/><path d="M50 30c14 0 19 10 18 22-1 8-6 10-6 18 0 6-5 10-12 10s-12-4-12-10c0-8-5-10-6-18-1-12 4-22 18-22z" fill="#f7d774" stroke="#7a4a1e" stroke-width="2.500"/><path d="M42 36l5 2-2 6-6-2zM56 34l6 3-3 6-5-3z" fill="#c98a3b"/>${eyes(52, 9, 2.8)}<path d="M39 66c0-5 22-5 22 0 0 14-22 14-22 0z" fill="#f9ead0" stroke="#7a4a1e" stroke-width="2"/><circle cx="46" cy="67" r="1.600" fill="#7a4a1e"/><circle cx="54" cy="67" r="1.600" fill="#7a4a1e"/>`;
const CHICK = `<path d="M47 28q3-9 8-6" ${line(3)}/><circle cx="50" cy="55" r="26" fill="#ffe066" stroke="#b8860b" stroke-width="2.500"/><path d="M25 58q-6 8 4 14zM75 58q6 8-4 14z" fill="#ffd23f" stroke="#b8860b" stroke-width="2"/>${eyes(50, 9, 3)}<path d="M43 58h14l-7 8z" fill="#f08a24" stroke="#a65a0c" stroke-width="1.500" stroke-linejoin="round"/><circle cx="35" cy="60" r="4" fill="#ffb3a7" opacity=".8"/><circle cx="65" cy="60" r="4" fill="#ffb3a7" opacity=".8"/>`;
const HEN = `<path d="M40 30q-2-10 5-8 2-6 7-1 7-3 7 5l-2 6z" fill="#d63a2f" stroke="#8e1f17" stroke-width="2"/><circle cx="50" cy="55" r="26" fill="#fff7ea" stroke="#8a6a3a" stroke-width="2.500"/><path d="M24 58q-6 9 5 15zM76 58q6 9-5 15z" fill="#f0dcc0" stroke="#8a6a3a" stroke-width="2"/>${eyes(49, 9, 3)}<path d="M43 57h14l-7 8z" fill="#f08a24" stroke="#a65a0c" stroke-width="1.500" stroke-linejoin="round"/><path d="M47 66q3 9 6 0z" fill="#d63a2f"/>`;

/** The picture of each piece of each kind of game. */
export const PICTURES = {
	shogi: {
		K: CROWN,
		R: TOWER("#c7ccd1"),
		B: MITRE("#cdb4e0"),
		G: SHIELD("#f2c94c"),
		S: SHIELD("#c9d3da"),
		N: HORSE("#d8b48a"),
		L: SPEAR,
		P: PAWN("#e8dcc8"),
		"+R": TOWER("#ef8a80"),
		"+B": MITRE("#ef8a80"),
		"+S": SHIELD("#ef8a80"),
		"+N": HORSE("#ef8a80"),
		"+L": `${SPEAR}<circle cx="50" cy="64" r="9" fill="#ef8a80" stroke="#333" stroke-width="3"/>`,
		"+P": PAWN("#ef8a80"),
	},
	janggi: {
		K: CROWN,
		A: SHIELD("#c9d3da"),
		R: WHEEL,
		C: GUN,
		N: HORSE("#d8b48a"),
		B: ELEPHANT("#b9c3cf"),
		P: PAWN("#e8dcc8"),
	},
	dobutsu: { L: LION, E: ELEPHANT("#a9bfd6"), G: GIRAFFE, C: CHICK, "+C": HEN },
};
