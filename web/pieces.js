// Pieces as SVG: wedges of shogi, octagons of Janggi, tiles of Dobutsu, each in several looks.

import { PICTURES } from "./pictures.js";

const KANJI = {
  K: "玉", R: "飛", B: "角", G: "金", S: "銀", N: "桂", L: "香", P: "歩",
  "+R": "龍", "+B": "馬", "+S": "全", "+N": "圭", "+L": "杏", "+P": "と",
};
const LETTERS = {
  shogi: {
    K: "Ki", R: "Ro", B: "Bi", G: "Go", S: "Si", N: "Kn", L: "La", P: "Pa",
    "+R": "+R", "+B": "+B", "+S": "+S", "+N": "+N", "+L": "+L", "+P": "+P",
  },
  janggi: { K: "Ge", A: "Gu", R: "Ch", C: "Ca", N: "Ho", B: "El", P: "So" },
  dobutsu: { L: "Li", E: "El", G: "Gi", C: "Ch", "+C": "He" },
};
// Cho (the first player) and Han have names of their own for general and soldiers.
const HANJA = {
  b: { K: "楚", A: "士", R: "車", C: "包", N: "馬", B: "象", P: "卒" },
  w: { K: "漢", A: "士", R: "車", C: "包", N: "馬", B: "象", P: "兵" },
};
const HANGUL = {
  b: { K: "초", A: "사", R: "차", C: "포", N: "마", B: "상", P: "졸" },
  w: { K: "한", A: "사", R: "차", C: "포", N: "마", B: "상", P: "병" },
};
const DOBUTSU_KANJI = { L: "獅", E: "象", G: "麒", C: "雛", "+C": "鶏" };

// Kings are the largest pieces and pawns the smallest, as on a real board.
const SIZES = {
  shogi: { K: 1, R: 0.97, B: 0.97, G: 0.94, S: 0.94, N: 0.91, L: 0.89, P: 0.86 },
  janggi: { K: 1, A: 0.76, R: 0.9, C: 0.9, N: 0.9, B: 0.9, P: 0.74 },
};

const INK = { b: "#0b6b4f", w: "#b3261e" };

/** What a piece of an SFEN letter is: its letter in capitals, and whose. */
export function split(piece) {
  const whose = piece === piece.toUpperCase() ? "b" : "w";
  return { letter: piece.toUpperCase(), whose };
}

/** The SVG of a piece. `turned`: it stands on its head, as the opponent's do. */
export function draw(game, piece, look, turned) {
  const { letter, whose } = split(piece);
  const body = { shogi: wedge, janggi: octagon, dobutsu: tile }[game.kind](game, letter, whose, look, turned);
  return `<svg viewBox="0 0 100 100" aria-hidden="true" focusable="false">${body}</svg>`;
}

function wedge(game, letter, whose, look, turned) {
  const base = letter.replace("+", "");
  const size = SIZES.shogi[base];
  const promoted = letter.startsWith("+");
  const shape = `<path class="wood ${whose}" d="M50 5 77 17 88 95H12L23 17z"/><path class="edge" d="M12 95h76l-1.200-7H13.200z"/>`;
  let face;
  if (look === "pictures") {
    const dots = moves(game.moves[letter], 28, 36);
    face = `<g transform="translate(50 57) scale(.8) translate(-50 -54)">${upright(PICTURES.shogi[letter], turned)}</g>${dots}`;
  } else if (look === "letters") {
    face = `<text class="latin${promoted ? " red" : ""}" x="50" y="72" font-size="44">${LETTERS.shogi[letter]}</text>`;
  } else {
    const king = letter === "K" && whose === "w" ? "王" : KANJI[letter];
    face = `<text class="brush${promoted ? " red" : ""}" x="50" y="77" font-size="59">${king}</text>`;
  }
  return `<g transform="${turned ? "rotate(180 50 50) " : ""}translate(50 50) scale(${size}) translate(-50 -50)">${shape}${face}</g>`;
}

/** A picture that stays upright on a piece that is turned. */
function upright(picture, turned) {
  return turned ? `<g transform="rotate(180 50 52)">${picture}</g>` : picture;
}

function octagon(game, letter, whose, look, turned) {
  const size = SIZES.janggi[letter];
  const shape = `<path class="ivory" d="M32 5h36l27 27v36L68 95H32L5 68V32z"/><path d="M35 12h30l23 23v30L65 88H35L12 65V35z" fill="none" stroke="${INK[whose]}" stroke-width="2.500" opacity=".55"/>`;
  let face;
  if (look === "pictures") {
    const dots = moves(game.moves[letter], 37);
    face = `<circle cx="50" cy="50" r="33" fill="${INK[whose]}" opacity=".17"/><g transform="translate(50 50) scale(.8) translate(-50 -52)">${PICTURES.janggi[letter]}</g>${turned ? `<g transform="rotate(180 50 50)">${dots}</g>` : dots}`;
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
  else if (look === "kanji") face = `<text class="brush" x="50" y="70" font-size="58">${DOBUTSU_KANJI[letter]}</text>`;
  else face = `<g transform="translate(50 51) scale(.86) translate(-50 -52)">${PICTURES.dobutsu[letter]}</g>`;
  return `<g${turned ? ' transform="rotate(180 50 50)"' : ""}>${shape}${face}${moves(game.moves[letter], 40)}</g>`;
}

/** Dots for steps, arrows for slides, bars before arrows for jumps, small dots far out for leaps. */
function moves({ steps = [], slides = [], jumps = [], leaps = [] }, across, along = across) {
  const at = ([x, y]) => [50 + Math.sign(x) * across, 52 - Math.sign(y) * along];
  let out = "";
  for (const step of steps) {
    const [x, y] = at(step);
    out += `<circle class="dot" cx="${x}" cy="${y}" r="4.200"/>`;
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
