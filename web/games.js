// What the page knows of each game: its size, its starts, its letters, and how the pieces step (for the dots of the
// picture pieces; what is legal is the engine's to say).

const SHOGI_HANDICAPS = [
  ["even", null],
  ["handicap-lance", "lnsgkgsn1/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"],
  ["handicap-bishop", "lnsgkgsnl/1r7/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"],
  ["handicap-rook", "lnsgkgsnl/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"],
  ["handicap-rook-lance", "lnsgkgsn1/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"],
  ["handicap-2", "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"],
  ["handicap-4", "1nsgkgsn1/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"],
  ["handicap-6", "2sgkgs2/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"],
  ["handicap-8", "3gkg3/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"],
];

// Steps are [to the right, ahead]; slides go on until something stands in the way.
const F = [0, 1], B = [0, -1], R = [1, 0], L = [-1, 0], FR = [1, 1], FL = [-1, 1], BR = [1, -1], BL = [-1, -1];
const STRAIGHT = [F, B, R, L], SLANTED = [FR, FL, BR, BL], GOLD = [F, FR, FL, R, L, B];

const SHOGI_MOVES = {
  K: { steps: [...STRAIGHT, ...SLANTED] },
  R: { slides: STRAIGHT },
  B: { slides: SLANTED },
  G: { steps: GOLD },
  S: { steps: [F, ...SLANTED] },
  N: { leaps: [[-1, 2], [1, 2]] },
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
  N: { leaps: [[-1, 2], [1, 2], [-1, -2], [1, -2], [2, 1], [2, -1], [-2, 1], [-2, -1]] },
  B: { leaps: [[-2, 3], [2, 3], [-2, -3], [2, -3], [3, 2], [3, -2], [-3, 2], [-3, -2]] },
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
  looks: ["kanji", "letters", "pictures"],
};

const JANGGI = {
  kind: "janggi",
  files: 9,
  ranks: 10,
  start: "rnba1abnr/4k4/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/4K4/RNBA1ABNR b - 1",
  starts: [["even", null]],
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
  starts: [["even", null]],
  letters: ["L", "E", "G", "C"],
  hand: ["G", "E", "C"],
  promotes: { C: "+C" },
  moves: DOBUTSU_MOVES,
  looks: ["pictures", "kanji", "letters"],
};

/** Every game, by its name, in the order of the list. */
export const GAMES = {
  shogi: { ...SHOGI, mates: true },
  janggi: JANGGI,
  janggicasual: JANGGI,
  janggitraditional: JANGGI,
  janggimodern: JANGGI,
  dobutsu: { ...DOBUTSU, solved: true },
  dobutsumate: { ...DOBUTSU, solved: true },
};

/** The SFEN of a Janggi start: each side may exchange elephants and horses. */
export function janggiStart(black, white) {
  return `${white.toLowerCase()}/4k4/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/4K4/${black} b - 1`;
}

/** The squares of a board in reading order, seen from black's side. */
export function squares(game) {
  const out = [];
  for (let rank = 0; rank < game.ranks; rank++)
    for (let file = game.files; file >= 1; file--) out.push(`${file}${String.fromCharCode(97 + rank)}`);
  return out;
}

/** Board, hands and side of an SFEN. */
export function readSfen(sfen, game) {
  const [rows, side, hands] = sfen.split(" ");
  const board = {};
  rows.split("/").forEach((row, rank) => {
    let file = game.files;
    for (const [part] of row.matchAll(/\+?[a-zA-Z]|\d/g)) {
      if (/\d/.test(part)) file -= Number(part);
      else board[`${file--}${String.fromCharCode(97 + rank)}`] = part;
    }
  });
  const held = { b: {}, w: {} };
  for (const [, count, letter] of (hands === "-" ? "" : hands).matchAll(/(\d*)([a-zA-Z])/g)) {
    const whose = letter === letter.toUpperCase() ? "b" : "w";
    held[whose][letter.toUpperCase()] = Number(count || 1);
  }
  return { board, side, hands: held };
}

/** The SFEN of board, hands and side. */
export function writeSfen({ board, side, hands }, game) {
  const rows = [];
  for (let rank = 0; rank < game.ranks; rank++) {
    let row = "", gap = 0;
    for (let file = game.files; file >= 1; file--) {
      const piece = board[`${file}${String.fromCharCode(97 + rank)}`];
      if (!piece) gap++;
      else {
        row += (gap || "") + piece;
        gap = 0;
      }
    }
    rows.push(row + (gap || ""));
  }
  let held = "";
  for (const whose of ["b", "w"])
    for (const letter of game.hand) {
      const count = hands[whose][letter] || 0;
      const text = whose === "b" ? letter : letter.toLowerCase();
      if (count) held += (count > 1 ? count : "") + text;
    }
  return `${rows.join("/")} ${side} ${held || "-"} 1`;
}
