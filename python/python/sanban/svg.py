"""Draws boards as SVG for notebooks, with kanji for shogi and Dobutsu shogi and Hanja in octagons for Janggi."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._sanban import Move, Position

_CELL = 40
_MARGIN = 24
_HAND = 56

_SHOGI = {
    "P": "歩", "L": "香", "N": "桂", "S": "銀", "G": "金", "B": "角", "R": "飛", "K": "玉",
    "+P": "と", "+L": "杏", "+N": "圭", "+S": "全", "+B": "馬", "+R": "龍",
}  # fmt: skip
_DOBUTSU = {"L": "獅", "G": "麒", "E": "象", "C": "雛", "+C": "鶏"}
_JANGGI = (
    {"K": "楚", "A": "士", "B": "象", "N": "馬", "R": "車", "C": "包", "P": "卒"},
    {"K": "漢", "A": "士", "B": "象", "N": "馬", "R": "車", "C": "包", "P": "兵"},
)
_COLORS = ("#0a5c36", "#a11515")


def _kind(piece: str) -> tuple[bool, str]:
    """Returns whether the piece is black's, and its symbol in capital letters."""
    return piece == piece.upper(), piece.upper()


def _place(position: Position, square: str) -> tuple[int, int]:
    """Returns the column from the left and the row from the top."""
    files, _ = position.size
    rank = square.lstrip("0123456789")
    return files - int(square[: -len(rank)]), ord(rank) - ord("a")


def _text(position: Position, piece: str) -> str:
    black, kind = _kind(piece)
    if position.game.startswith("janggi"):
        return _JANGGI[0 if black else 1].get(kind, kind)
    return (_DOBUTSU if position.game.startswith("dobutsu") else _SHOGI).get(kind, kind)


def _piece(position: Position, piece: str, x: float, y: float) -> str:
    """Draws a piece centred on a point."""
    black, kind = _kind(piece)
    text = _text(position, piece)
    if position.game.startswith("janggi"):
        size = 18 if kind == "K" else 15 if kind in "RCNB" else 12
        corners = [(0.41, 1), (1, 0.41), (1, -0.41), (0.41, -1), (-0.41, -1), (-1, -0.41), (-1, 0.41), (-0.41, 1)]
        points = " ".join(f"{x + size * a:.1f},{y + size * b:.1f}" for a, b in corners)
        color = _COLORS[0 if black else 1]
        return (
            f'<polygon points="{points}" fill="#fdf3dc" stroke="{color}" stroke-width="1.5"/>'
            f'<text x="{x}" y="{y}" font-size="{size * 1.2:.0f}" fill="{color}">{text}</text>'
        )
    turn = "" if black else f' transform="rotate(180 {x} {y})"'
    points = " ".join(f"{x + a},{y + b}" for a, b in [(0, -17), (11, -12), (15, 16), (-15, 16), (-11, -12)])
    color = "#b0201c" if kind.startswith("+") else "#222"
    return (
        f'<g{turn}><polygon points="{points}" fill="#f9e1ab" stroke="#8a6d3b"/>'
        f'<text x="{x}" y="{y + 2}" font-size="20" fill="{color}">{text}</text></g>'
    )


def _grid(position: Position, left: int, top: int) -> list[str]:
    """Draws the grid and, for Janggi, the palaces. Janggi pieces are placed on the intersections."""
    files, ranks = position.size
    on_lines = position.game.startswith("janggi")
    shift = _CELL / 2 if on_lines else 0
    columns, rows = (files - 1, ranks - 1) if on_lines else (files, ranks)
    x, y = left + shift, top + shift
    out = [
        f'<rect x="{left}" y="{top}" width="{files * _CELL}" height="{ranks * _CELL}" fill="#f3d9a0"/>',
        '<g stroke="#5b4526" stroke-width="1">',
    ]
    for n in range(columns + 1):
        out.append(f'<path d="M{x + n * _CELL} {y}v{rows * _CELL}"/>')
    for n in range(rows + 1):
        out.append(f'<path d="M{x} {y + n * _CELL}h{columns * _CELL}"/>')
    if on_lines:
        for row in (0, rows - 2):
            a, b, side = x + 3 * _CELL, y + row * _CELL, 2 * _CELL
            out.append(f'<path d="M{a} {b}l{side} {side}M{a + side} {b}l-{side} {side}"/>')
    out.append("</g>")
    return out


def _marked(position: Position, last: Move | str | None) -> Move | None:
    """Returns the move to mark. A string is the USI notation of a move that was played or is legal."""
    played = position.moves
    if last is None:
        return played[-1] if played else None
    if not isinstance(last, str):
        return last
    known: list[Move] = [*reversed(played), *position.legal_moves]
    for move in known:
        if move.usi == last:
            return move
    raise ValueError(f"{last!r} was not played and is not legal")


def draw(position: Position, last: Move | str | None = None) -> str:
    """Returns the board as SVG, with black at the bottom. `last` is the move to mark, by default the last one.

    Raises `ValueError` if `last` is a string and no such move was played or is legal.
    """
    files, ranks = position.size
    hands = position.hands
    width = files * _CELL + 2 * _MARGIN + (0 if position.game.startswith("janggi") else 2 * _HAND)
    left, top = (width - files * _CELL) // 2, _MARGIN
    height = ranks * _CELL + 2 * _MARGIN
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        "font-family=\"'Noto Serif CJK JP', 'Hiragino Mincho ProN', 'Yu Mincho', serif\" text-anchor=\"middle\" "
        'dominant-baseline="central">',
        f"<title>{escape(position.sfen)}</title>",
    ]
    out += _grid(position, left, top)
    mark = _marked(position, last)
    if mark is not None:
        for square in {square for square in (mark.from_square, mark.to_square) if square}:
            column, row = _place(position, square)
            corner = f'x="{left + column * _CELL}" y="{top + row * _CELL}"'
            out.append(f'<rect {corner} width="{_CELL}" height="{_CELL}" fill="#e8842c" opacity="0.45"/>')
    for column in range(files):
        x = left + (column + 0.5) * _CELL
        out.append(f'<text x="{x}" y="{top - 10}" font-size="11">{files - column}</text>')
    for row in range(ranks):
        y = top + (row + 0.5) * _CELL
        out.append(f'<text x="{left + files * _CELL + 10}" y="{y}" font-size="11">{chr(ord("a") + row)}</text>')
    for square, piece in position.pieces.items():
        column, row = _place(position, square)
        out.append(_piece(position, piece, left + (column + 0.5) * _CELL, top + (row + 0.5) * _CELL))
    for black in (True, False):
        held = [(piece, n) for piece, n in hands.items() if _kind(piece)[0] == black and n]
        for at, (piece, n) in enumerate(held):
            x = width - _HAND / 2 if black else _HAND / 2
            y = height - _MARGIN - (at + 0.5) * _CELL if black else _MARGIN + (at + 0.5) * _CELL
            out.append(_piece(position, piece, x, y))
            if n > 1:
                out.append(f'<text x="{x + 19}" y="{y + 12}" font-size="12">{n}</text>')
    side = "☗" if position.side == "black" else "☖"
    x, y = (width - 12, height - 10) if position.side == "black" else (12, 12)
    out.append(f'<text x="{x}" y="{y}" font-size="14">{side}</text></svg>')
    return "".join(out)
