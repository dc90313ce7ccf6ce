import copy
import pickle
import random
from xml.etree import ElementTree

import pytest

import sanban


def counted(position: sanban.Position, depth: int) -> int:
    if depth == 0:
        return 1
    total = 0
    for move in position.legal_moves:
        position.push(move)
        total += counted(position, depth - 1)
        position.pop()
    return total


@pytest.mark.parametrize("game", sanban.GAMES)
def test_a_loop_counts_what_the_library_counts(game):
    position = sanban.Position(game=game)
    sfen = position.sfen
    assert counted(position, 3) == position.perft(3) == position.perft(3, threads=2, hash=1)
    assert position.sfen == sfen
    assert sum(position.divide(2).values()) == position.perft(2)
    assert position.perft(0) == 1


def test_known_counts():
    assert sanban.Position().perft(4) == 719731
    assert sanban.Position(game="dobutsu").perft(1) == 4


@pytest.mark.parametrize("game", sanban.GAMES)
def test_games_are_played_and_taken_back(game):
    rng = random.Random(game)
    for _ in range(30):
        position = sanban.Position(game=game)
        sfens = []
        while len(sfens) < 80 and position.outcome is None:
            moves = position.legal_moves
            assert len(moves) == position.count() > 0
            assert list(moves) == moves and moves[-1] in moves and moves[:2] == list(moves)[:2]
            move = rng.choice(moves)
            assert position.parse(move.usi) is move
            assert sanban.Move.from_bits(game, int(move)) is move
            assert pickle.loads(pickle.dumps(move)) is move
            sfens.append(position.sfen)
            position.push(move if rng.random() < 0.5 else move.usi)
        again = sanban.Position.from_usi(position.usi, game=game)
        assert again == position and again.moves == position.moves
        assert pickle.loads(pickle.dumps(position)).usi == position.usi
        other = copy.copy(position)
        while sfens:
            position.pop()
            assert position.sfen == sfens.pop()
        assert other == again and other.moves == again.moves and position.moves == []
        with pytest.raises(IndexError):
            position.pop()


def test_a_position_tells_of_itself():
    position = sanban.Position("4k4/9/4P4/9/9/9/9/9/9 b G 1")
    assert (position.game, position.side, position.ply, position.size) == ("shogi", "black", 0, (9, 9))
    assert position.pieces == {"5a": "k", "5c": "P"}
    assert position.piece_at("5c") == "P" and position.piece_at("1i") is None
    assert position.hands["G"] == 1
    drop = position.parse("G*5b")
    assert (drop.is_drop, drop.from_square, drop.to_square, str(drop)) == (True, None, "5b", "G*5b")
    assert position.gives_check(drop) and not position.in_check
    position.push(drop)
    assert position.in_check and position.outcome == "loss" and position.verdict is None
    promotion = sanban.Position("4k4/9/4P4/9/9/9/9/9/9 b G 1").parse("5c5b+")
    assert (promotion.is_promotion, promotion.from_square, promotion.to_square) == (True, "5c", "5b")


def test_repetition_is_a_draw():
    position = sanban.Position(moves=["5i5h", "5a5b", "5h5i", "5b5a"] * 3)
    assert position.verdict == position.outcome == "draw"


def test_a_pass_in_janggi():
    position = sanban.Position(game="janggicasual")
    passes = [move for move in position.legal_moves if move.is_pass]
    assert len(passes) == 1
    position.push(passes[0])
    assert position.side == "white"


def test_mistakes_are_told():
    position = sanban.Position()
    with pytest.raises(ValueError, match="illegal move 7g7e in lnsgkgsnl"):
        position.push("7g7e")
    with pytest.raises(ValueError, match="illegal move"):
        position.push(sanban.Position(game="janggi").legal_moves[0])
    with pytest.raises(TypeError):
        position.push(7)
    with pytest.raises(ValueError, match="unknown game chess: expected one of"):
        sanban.Position(game="chess")
    with pytest.raises(ValueError):
        sanban.Position("9/9 b")
    with pytest.raises(ValueError):
        position.piece_at("z")
    with pytest.raises(IndexError):
        position.legal_moves[30]
    assert position.moves == [] and not position.is_legal("nonsense")
    with pytest.raises(ValueError, match="0 is not a move"):
        sanban.Move.from_bits("shogi", 0)


@pytest.mark.parametrize("game", sanban.GAMES)
def test_any_bits_are_a_move_that_can_be_shown(game):
    position = sanban.Position(game=game)
    legal = set(position.legal_moves)
    for bits in range(1, 1 << 16, 7):
        move = sanban.Move.from_bits(game, bits)
        assert isinstance(move.usi, str)
        assert position.is_legal(move) == (move in legal)


@pytest.mark.parametrize("game", sanban.GAMES)
def test_boards_are_drawn(game):
    position = sanban.Position(game=game)
    for _ in range(20):
        if position.outcome is not None:
            break
        position.push(position.legal_moves[0])
    root = ElementTree.fromstring(position._repr_svg_())
    assert root.tag.endswith("svg")
    texts = [element for element in root.iter() if element.tag.endswith("text")]
    assert len(texts) > len(position.pieces)
    assert "opacity" in position.svg()


def test_the_marked_move_was_played_or_is_legal():
    position = sanban.Position(moves=["7g7f"])
    assert position.svg("7g7f") == position.svg()
    assert position.svg("3c3d") == position.svg(position.legal_moves[position.legal_moves.index("3c3d")])
    for wrong in ("1a9i", "nonsense"):
        with pytest.raises(ValueError, match=wrong):
            position.svg(wrong)
