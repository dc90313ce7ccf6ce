// Pieces as SVG: wedges for shogi, octagons for Janggi, tiles for Dobutsu shogi, each in several styles.

import { PICTURES } from "./pictures.js";
import { split } from "./sfen.js";

/** The kanji on shogi pieces. */
export const KANJI = {
	K: "玉",
	R: "飛",
	B: "角",
	G: "金",
	S: "銀",
	N: "桂",
	L: "香",
	P: "歩",
	"+R": "龍",
	"+B": "馬",
	"+S": "全",
	"+N": "圭",
	"+L": "杏",
	"+P": "と",
};
const KANJI2 = {
	K: "玉将",
	R: "飛車",
	B: "角行",
	G: "金将",
	S: "銀将",
	N: "桂馬",
	L: "香車",
	P: "歩兵",
	"+R": "龍王",
	"+B": "龍馬",
	"+S": "成銀",
	"+N": "成桂",
	"+L": "成香",
	"+P": "と金",
};
const LETTERS = {
	janggi: { K: "Ge", A: "Gu", R: "Ch", C: "Ca", N: "Ho", B: "El", P: "So" },
	dobutsu: { L: "Li", E: "El", G: "Gi", C: "Ch", "+C": "He" },
};
// Cho (the first player) and Han have different characters for the general and the soldiers.
const HANJA = {
	b: { K: "楚", A: "士", R: "車", C: "包", N: "馬", B: "象", P: "卒" },
	w: { K: "漢", A: "士", R: "車", C: "包", N: "馬", B: "象", P: "兵" },
};
const HANGUL = {
	b: { K: "초", A: "사", R: "차", C: "포", N: "마", B: "상", P: "졸" },
	w: { K: "한", A: "사", R: "차", C: "포", N: "마", B: "상", P: "병" },
};
const DOBUTSU_TEXTS = {
	kanji: { L: "獅", E: "象", G: "麒", C: "雛", "+C": "鶏" },
	// `hiragana` has the words that children use, `hangul` the names of the Korean edition.
	hiragana: {
		L: "らい おん",
		E: "ぞう",
		G: "きりん",
		C: "ひよこ",
		"+C": "にわ とり",
	},
	hangul: { L: "왕", E: "상", G: "장", C: "자", "+C": "후" },
};

// Kings are the largest pieces and pawns the smallest, as on a real board.
const SIZES = {
	shogi: {
		K: 1,
		R: 0.97,
		B: 0.97,
		G: 0.94,
		S: 0.94,
		N: 0.91,
		L: 0.89,
		P: 0.86,
	},
	janggi: { K: 1, A: 0.76, R: 0.9, C: 0.9, N: 0.9, B: 0.9, P: 0.74 },
};

const INK = { b: "#0b6b4f", w: "#b3261e" };

/** Returns the SVG of a piece; if `turned`, it is upside down, like the opponent's pieces. */
export function draw(game, piece, look, turned) {
	const { letter, whose } = split(piece);
	const body = { shogi: wedge, janggi: octagon, dobutsu: tile }[game.kind](game, letter, whose, look, turned);
	return `<svg viewBox="0 0 100 100" aria-hidden="true" focusable="false">${body}</svg>`;
}

function wedge(game, letter, whose, look, turned) {
	const base = letter.replace("+", "");
	const size = SIZES.shogi[base];
	const promoted = letter.startsWith("+");
	const red = promoted ? " red" : "";
	const shape = `<path class="wood ${whose}" d="M50 5 77 17 88 95H12L23 17z"/><path class="edge" d="M12 95h76l-1.200-7H13.200z"/>`;
	let face;
	if (look === "pictures") {
		const dots = moves(game.moves[letter], 28, 36);
		face = `<g transform="translate(50 57) scale(.9) translate(-50 -53)">${upright(PICTURES.shogi[letter], turned)}</g>${dots}`;
	} else if (look === "letters" || look === "signs") {
		const signs = look === "signs";
		const [size, y] = signs ? [promoted ? 32 : 38, 70] : [promoted ? 42 : 54, 77];
		face = `<text class="latin${red}" x="50" y="${y}" font-size="${size}">${letter}</text>`;
		if (signs) face += moves(game.moves[letter], 29, 35);
	} else if (look === "kanji2") {
		const two = letter === "K" && whose === "w" ? "王将" : KANJI2[letter];
		face = `<text class="brush${red}" x="50" y="50" font-size="36">${two[0]}</text><text class="brush${red}" x="50" y="87" font-size="36">${two[1]}</text>`;
	} else {
		const king = letter === "K" && whose === "w" ? "王" : KANJI[letter];
		face = `<text class="brush${red}" x="50" y="77" font-size="59">${king}</text>`;
	}
	return `<g transform="${turned ? "rotate(180 50 50) " : ""}translate(50 50) scale(${size}) translate(-50 -50)">${shape}${face}</g>`;
}

/** Keeps a picture upright on a piece that is turned. */
function upright(picture, turned) {
	return turned ? `<g transform="rotate(180 50 52)">${picture}</g>` : picture;
}

function octagon(game, letter, whose, look, turned) {
	const size = SIZES.janggi[letter];
	// The sides differ in more than colour: Cho has a thin line, Han a solid rim and a darker body.
	const rim =
		whose === "b"
			? `<path d="M35 12h30l23 23v30L65 88H35L12 65V35z" fill="none" stroke="${INK.b}" stroke-width="2" opacity=".6"/>`
			: `<path d="M34 9h32l25 25v32L66 91H34L9 66V34z" fill="none" stroke="${INK.w}" stroke-width="8"/>`;
	const shape = `<path class="ivory ${whose}" d="M32 5h36l27 27v36L68 95H32L5 68V32z"/>${rim}`;
	let face;
	if (look === "pictures") {
		const dots = moves(game.moves[letter], 37);
		face = `<circle cx="50" cy="50" r="33" fill="${INK[whose]}" opacity=".15"/><g transform="translate(50 50) scale(.8) translate(-50 -52)">${PICTURES.janggi[letter]}</g>${turned ? `<g transform="rotate(180 50 50)">${dots}</g>` : dots}`;
	} else if (look === "letters") {
		face = `<text class="latin ink-${whose}" x="50" y="65" font-size="44">${LETTERS.janggi[letter]}</text>`;
	} else {
		const text = (look === "hangul" ? HANGUL : HANJA)[whose][letter];
		face = `<text class="brush ink-${whose}" x="50" y="70" font-size="56">${text}</text>`;
	}
	return `<g transform="translate(50 50) scale(${size}) translate(-50 -50)">${shape}${face}</g>`;
}

function tile(game, letter, whose, look, turned) {
	const shape = `<rect class="tile ${whose}" x="5" y="5" width="90" height="90" rx="14"/>`;
	let face;
	if (look === "letters") face = `<text class="latin" x="50" y="66" font-size="46">${LETTERS.dobutsu[letter]}</text>`;
	else if (look in DOBUTSU_TEXTS) face = words(DOBUTSU_TEXTS[look][letter]);
	else face = `<g transform="translate(50 51) scale(.86) translate(-50 -52)">${PICTURES.dobutsu[letter]}</g>`;
	return `<g${turned ? ' transform="rotate(180 50 50)"' : ""}>${shape}${face}${moves(game.moves[letter], 40)}</g>`;
}

/** A word on a tile, in one or two lines. */
function words(text) {
	const lines = text.split(" ");
	const size = { 1: 54, 2: 34, 3: 24 }[lines[0].length];
	const row = (line, y) =>
		`<text class="brush" x="50" y="${y}" font-size="${lines.length > 1 ? 30 : size}">${line}</text>`;
	return lines.length > 1 ? row(lines[0], 49) + row(lines[1], 79) : row(text, 51 + size * 0.36);
}

/** Draws dots for steps, triangles for slides, triangles with bars for jumps, and small dots farther out for leaps. */
function moves({ steps = [], slides = [], jumps = [], leaps = [] }, across, along = across) {
	const at = ([x, y]) => [50 + Math.sign(x) * across, 52 - Math.sign(y) * along];
	let out = "";
	for (const step of steps) {
		const [x, y] = at(step);
		out += `<circle class="dot" cx="${x}" cy="${y}" r="3.600"/>`;
	}
	for (const slide of [...slides, ...jumps]) {
		const [x, y] = at(slide);
		const angle = (Math.atan2(slide[0], slide[1]) * 180) / Math.PI;
		const bar = jumps.includes(slide) ? '<path d="M-6 9h12" stroke="currentColor" stroke-width="3"/>' : "";
		out += `<g class="dot" transform="translate(${x} ${y}) rotate(${angle})"><path d="M0-7 7 5H-7z"/>${bar}</g>`;
	}
	for (const leap of leaps) {
		const long = Math.max(...leap.map(Math.abs));
		out += `<circle class="dot" cx="${50 + (leap[0] / long) * across}" cy="${52 - (leap[1] / long) * along}" r="3.600"/>`;
	}
	return out;
}

/** The legend of the symbols on the pieces, and a gallery of all pieces with their names. */
export function legend(game, say) {
	const sign = (kind) =>
		`<svg viewBox="34 -2 32 24" width="32" height="24" aria-hidden="true">${moves({ [kind]: [kind === "leaps" ? [0, 2] : [0, 1]] }, 37)}</svg>`;
	const used = ["steps", "slides", "jumps", "leaps"].filter((kind) =>
		Object.values(game.moves).some((way) => way[kind]),
	);
	const signs = used.map((kind) => `<li>${sign(kind)} ${say(`legend-${kind}`)}</li>`);
	const letters = [...game.letters, ...Object.values(game.promotes)];
	const figures = letters.map(
		(letter) =>
			`<figure>${draw(game, letter, "pictures", false)}<figcaption>${say.piece(game, letter)}</figcaption></figure>`,
	);
	return `<h3>${say("legend")}</h3><ul class="legend">${signs.join("")}</ul><div class="gallery">${figures.join("")}</div>`;
}
