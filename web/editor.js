// The position editor: pieces of a palette are set on squares and into hands.

import { readSfen, writeSfen } from "./games.js";
import { draw } from "./pieces.js";

export class Editor {
  #game;
  #state;
  #tool = null;

  /** Starts from a position. */
  constructor(game, sfen) {
    this.#game = game;
    this.#state = readSfen(sfen, game);
  }

  /** What the board shows meanwhile. */
  get view() {
    return { ...this.#state, legal: [], moves: [], check: null, last: null, over: null };
  }

  /** The position as it stands. */
  get sfen() {
    return writeSfen(this.#state, this.#game);
  }

  /** Empties board and hands. */
  clear() {
    Object.assign(this.#state, { board: {}, hands: { b: {}, w: {} } });
  }

  /** The other side is to move. */
  turn() {
    this.#state.side = this.#state.side === "b" ? "w" : "b";
  }

  /** Sets the chosen piece on a square, or removes what is there. */
  touch(square) {
    const { board } = this.#state;
    if (!this.#tool || board[square] === this.#tool) delete board[square];
    else board[square] = this.#tool;
  }

  /** Changes a hand by the chosen piece: `more` adds, otherwise one goes. */
  hold(whose, letter, more) {
    const hand = this.#state.hands[whose];
    hand[letter] = Math.max(0, (hand[letter] ?? 0) + (more ? 1 : -1));
    if (!hand[letter]) delete hand[letter];
  }

  /** Draws the palette: pieces for the board, and buttons that add to the hands. */
  palette(element, look, say, onChange) {
    const game = this.#game;
    const letters = game.letters.flatMap((letter) => [letter, ...(game.promotes[letter] ? [game.promotes[letter]] : [])]);
    const button = (html, label, pressed, act) => {
      const out = document.createElement("button");
      out.type = "button";
      out.innerHTML = `<span class="unseen">${label}</span>${html}`;
      if (pressed !== null) out.setAttribute("aria-pressed", pressed);
      out.addEventListener("click", () => {
        act();
        onChange();
      });
      return out;
    };
    const rows = [];
    for (const whose of ["b", "w"]) {
      const row = document.createElement("div");
      row.className = "palette-row";
      for (const letter of letters) {
        const piece = whose === "b" ? letter : letter.toLowerCase();
        const label = `${say(`${game.kind}-${whose}`)} ${say.piece(game, letter)}`;
        const made = button(draw(game, piece, look, whose === "w"), label, this.#tool === piece, () => (this.#tool = piece));
        made.dataset.tool = piece;
        row.append(made);
      }
      rows.push(row);
    }
    const erase = button('<span aria-hidden="true">✕</span>', say("eraser"), this.#tool === null, () => (this.#tool = null));
    erase.dataset.tool = "";
    rows[1].append(erase);
    for (const whose of game.hand.length ? ["b", "w"] : []) {
      const row = document.createElement("div");
      row.className = "palette-row hands";
      row.append(say("hand-of", say(`${game.kind}-${whose}`), ""));
      for (const letter of game.hand) {
        const piece = whose === "b" ? letter : letter.toLowerCase();
        const label = say("hand-of", say(`${game.kind}-${whose}`), say.piece(game, letter));
        const made = button(`${draw(game, piece, look, whose === "w")}<b aria-hidden="true">+</b>`, label, null, () => this.hold(whose, letter, true));
        made.dataset.add = `${whose}:${letter}`;
        row.append(made);
      }
      rows.push(row);
    }
    const help = document.createElement("p");
    help.className = "small";
    help.textContent = say("edit-help");
    element.replaceChildren(help, ...rows);
  }
}
