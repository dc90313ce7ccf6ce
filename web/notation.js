// How a move is written for people, and how a score is.

import { split } from "./pieces.js";

const WIDE = "１２３４５６７８９";
const RANKS = "一二三四五六七八九十";

/** A square as the language writes it. */
export function squareName(square, language) {
  return language === "ja" ? WIDE[square[0] - 1] + RANKS[square.charCodeAt(1) - 97] : square;
}

/** A move with the piece that makes it: `{usi, piece, from, to, captured, pass, side}`. */
export function moveName(move, game, language, say) {
  const { letter } = split(move.piece ?? "P");
  const promotes = move.usi.endsWith("+");
  const sign = { b: "▲", w: "△" }[move.side] ?? "";
  if (move.pass) return sign + say("pass");
  if (language === "ja" || language === "ko") {
    const to = squareName(move.to, language);
    const name = say.piece(game, letter);
    if (language === "ko") return `${sign}${name} ${move.from ?? ""}${move.from ? "→" : "*"}${to}${promotes ? "+" : ""}`;
    const how = move.from ? (promotes ? "成" : "") + `(${move.from[0]}${move.from.charCodeAt(1) - 96})` : "打";
    return `${sign}${to}${name}${how}`;
  }
  const name = game.kind === "shogi" ? letter : say.piece(game, letter);
  if (!move.from) return game.kind === "shogi" ? `${name}*${move.to}` : `${name} * ${move.to}`;
  const way = move.captured ? "x" : "-";
  return game.kind === "shogi"
    ? `${name}${move.from}${way}${move.to}${promotes ? "+" : ""}`
    : `${name} ${move.from}${way}${move.to}${promotes ? "+" : ""}`;
}

/** A USI move on a board as `moveName` wants it. */
export function readMove(usi, view) {
  const drop = usi.indexOf("*") === 1;
  const from = drop ? null : usi.slice(0, 2);
  const to = usi.slice(2, 4);
  const letter = view.side === "b" ? usi[0] : usi[0].toLowerCase();
  return {
    usi, from, to,
    side: view.side,
    piece: drop ? letter : view.board[from],
    captured: from === to ? null : view.board[to],
    pass: from === to,
  };
}

/** Makes a move on a board of squares and pieces. */
export function play(board, { usi, piece, from, to, pass }) {
  if (pass) return;
  delete board[from];
  board[to] = usi.endsWith("+") ? `+${piece}` : piece;
}

/** A line of USI moves from a position. */
export function lineName(usis, view, game, language, say) {
  const board = { ...view.board };
  let side = view.side;
  return usis.map((usi) => {
    const move = readMove(usi, { board, side });
    const text = moveName(move, game, language, say);
    play(board, move);
    side = side === "b" ? "w" : "b";
    return text;
  });
}

/** A score for black from one for the side to move. */
export function forBlack(score, side) {
  if (!score) return null;
  const sign = side === "b" ? 1 : -1;
  return "mate" in score ? { mate: sign * score.mate } : { cp: sign * score.cp };
}

/** A score as a text: pawns, or plies to mate. */
export function scoreName(score) {
  if (!score) return "";
  if ("mate" in score) return `${score.mate > 0 ? "+" : "−"}#${Math.abs(score.mate)}`;
  const pawns = score.cp / 100;
  return `${pawns > 0 ? "+" : pawns < 0 ? "−" : ""}${Math.abs(pawns).toFixed(1)}`;
}

/** The chance of black to win that a score stands for, between 0 and 1. */
export function chance(score) {
  if (!score) return 0.5;
  if ("mate" in score) return score.mate > 0 ? 1 : 0;
  return 1 / (1 + Math.exp(-score.cp / 600));
}
