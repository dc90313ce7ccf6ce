// Data about each game: board size, start positions, piece letters, and the moves of the pieces (for the dots on
// picture pieces; the engine decides which moves are legal).

const REST = "/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1";
const shogiOdds = (back, second) => `${back}/${second}${REST}`;

/** The handicaps of shogi, named after the presets of JKF, with their start positions. */
const SHOGI_HANDICAPS = [
	["even", null],
	["handicap-ky", shogiOdds("lnsgkgsn1", "1r5b1")],
	["handicap-kyr", shogiOdds("1nsgkgsnl", "1r5b1")],
	["handicap-ka", shogiOdds("lnsgkgsnl", "1r7")],
	["handicap-hi", shogiOdds("lnsgkgsnl", "7b1")],
	["handicap-hiky", shogiOdds("lnsgkgsn1", "7b1")],
	["handicap-2", shogiOdds("lnsgkgsnl", "9")],
	["handicap-3", shogiOdds("lnsgkgsn1", "9")],
	["handicap-4", shogiOdds("1nsgkgsn1", "9")],
	["handicap-5", shogiOdds("2sgkgsn1", "9")],
	["handicap-5l", shogiOdds("1nsgkgs2", "9")],
	["handicap-6", shogiOdds("2sgkgs2", "9")],
	["handicap-7l", shogiOdds("2sgkg3", "9")],
	["handicap-7r", shogiOdds("3gkgs2", "9")],
	["handicap-8", shogiOdds("3gkg3", "9")],
	["handicap-10", shogiOdds("4k4", "9")],
];

/** The handicaps of Janggi: the pieces of Han that are removed, in lower case; of each, the first one in the SFEN. */
const JANGGI_ODDS = [
	["even", ""],
	["odds-soldier", "p"],
	["odds-elephant", "b"],
	["odds-horse", "n"],
	["odds-horse-elephant", "nb"],
	["odds-cannon", "c"],
	["odds-chariot", "r"],
	["odds-chariot-horse", "rn"],
	["odds-chariot-cannon", "rc"],
	["odds-chariots", "rr"],
];

// Steps are [to the right, forward]; slides continue until a piece blocks them.
const [F, B, R, L] = [
	[0, 1],
	[0, -1],
	[1, 0],
	[-1, 0],
];
const [FR, FL, BR, BL] = [
	[1, 1],
	[-1, 1],
	[1, -1],
	[-1, -1],
];
const STRAIGHT = [F, B, R, L];
const SLANTED = [FR, FL, BR, BL];
const GOLD = [F, FR, FL, R, L, B];

const SHOGI_MOVES = {
	K: { steps: [...STRAIGHT, ...SLANTED] },
	R: { slides: STRAIGHT },
	B: { slides: SLANTED },
	G: { steps: GOLD },
	S: { steps: [F, ...SLANTED] },
	N: {
		leaps: [
			[-1, 2],
			[1, 2],
		],
	},
	L: { slides: [F] },
	P: { steps: [F] },
	"+R": { slides: STRAIGHT, steps: SLANTED },
	"+B": { slides: SLANTED, steps: STRAIGHT },
	"+S": { steps: GOLD },
	"+N": { steps: GOLD },
	"+L": { steps: GOLD },
	"+P": { steps: GOLD },
};

const DOBUTSU_MOVES = {
	L: { steps: [...STRAIGHT, ...SLANTED] },
	E: { steps: SLANTED },
	G: { steps: STRAIGHT },
	C: { steps: [F] },
	"+C": { steps: GOLD },
};

const JANGGI_MOVES = {
	K: { steps: [...STRAIGHT, ...SLANTED] },
	A: { steps: [...STRAIGHT, ...SLANTED] },
	R: { slides: STRAIGHT },
	C: { jumps: STRAIGHT },
	N: {
		leaps: [
			[-1, 2],
			[1, 2],
			[-1, -2],
			[1, -2],
			[2, 1],
			[2, -1],
			[-2, 1],
			[-2, -1],
		],
	},
	B: {
		leaps: [
			[-2, 3],
			[2, 3],
			[-2, -3],
			[2, -3],
			[3, 2],
			[3, -2],
			[-3, 2],
			[-3, -2],
		],
	},
	P: { steps: [F, R, L] },
};

const SHOGI = {
	kind: "shogi",
	files: 9,
	ranks: 9,
	start: "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
	starts: SHOGI_HANDICAPS,
	letters: ["K", "R", "B", "G", "S", "N", "L", "P"],
	hand: ["R", "B", "G", "S", "N", "L", "P"],
	promotes: { R: "+R", B: "+B", S: "+S", N: "+N", L: "+L", P: "+P" },
	moves: SHOGI_MOVES,
	looks: ["kanji", "kanji2", "letters", "signs", "pictures"],
};

const JANGGI = {
	kind: "janggi",
	files: 9,
	ranks: 10,
	start: "rnba1abnr/4k4/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/4K4/RNBA1ABNR b - 1",
	starts: JANGGI_ODDS.map(([name]) => [name, null]),
	setups: ["RNBA1ABNR", "RBNA1ANBR", "RBNA1ABNR", "RNBA1ANBR"],
	letters: ["K", "A", "R", "C", "N", "B", "P"],
	hand: [],
	promotes: {},
	moves: JANGGI_MOVES,
	looks: ["hanja", "hangul", "letters", "pictures"],
};

const DOBUTSU = {
	kind: "dobutsu",
	files: 3,
	ranks: 4,
	start: "gle/1c1/1C1/ELG b - 1",
	starts: [
		["even", null],
		// No piece is removed from the game: the pieces that Sky gives up are in Ground's hand.
		["odds-chick", "gle/3/1C1/ELG w C 1"],
		["odds-giraffe", "1le/1c1/1C1/ELG w G 1"],
		["odds-gives-elephant", "gl1/1c1/1C1/ELG w E 1"],
		["odds-both", "1l1/1c1/1C1/ELG w GE 1"],
	],
	letters: ["L", "E", "G", "C"],
	hand: ["G", "E", "C"],
	promotes: { C: "+C" },
	moves: DOBUTSU_MOVES,
	looks: ["pictures", "hiragana", "hangul", "kanji", "letters"],
};

/** All games by name, in the order of the menu. */
export const GAMES = {
	shogi: { ...SHOGI, mates: true },
	janggi: JANGGI,
	janggicasual: JANGGI,
	janggitraditional: JANGGI,
	janggimodern: JANGGI,
	dobutsu: { ...DOBUTSU, solved: true },
	dobutsumate: { ...DOBUTSU, solved: true },
};

/** The SFEN of a Janggi start position, from the back rank of each side and the pieces that Han gives as a handicap. */
export function janggiStart(black, white, odds = "even") {
	let han = `${white.toLowerCase()}/4k4/1c5c1/p1p1p1p1p`;
	for (const letter of JANGGI_ODDS.find(([name]) => name === odds)?.[1] ?? "") han = han.replace(letter, "1");
	han = han.split("/").map(closed).join("/");
	return `${han}/9/9/P1P1P1P1P/1C5C1/4K4/${black} b - 1`;
}

/** Merges adjacent counts of empty squares in a rank of an SFEN. */
function closed(row) {
	return row.replace(/\d+/g, (digits) => [...digits].reduce((sum, digit) => sum + Number(digit), 0));
}
