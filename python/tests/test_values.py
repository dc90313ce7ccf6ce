"""Results of every kind can be pickled, compared, hashed and sorted; the ranges of arguments are checked."""

import collections.abc
import copy
import multiprocessing
import pickle
import random
import typing

import pytest

import sanban

MATE = "4k4/9/4P4/9/9/9/9/9/9 b G 1"

VARIATIONS = """手合割：平手
先手：A
後手：B
*at the start
手数----指手---------消費時間--
   1 ７六歩(77)   ( 0:12/00:00:12)
*a comment
&a bookmark
   2 ３四歩(33)   ( 0:01/00:00:01)+
   3 ２六歩(27)   ( 0:02/00:00:14)
   4 投了

変化：2手
   2 ８四歩(83)
   3 ６八銀(79)

変化：2手
   2 ４四歩(43)
   3 時間切れにより先手の勝ち
"""


def results() -> list[object]:
    """Returns results of every kind."""
    engine = sanban.Engine()
    outcome = engine.search(sanban.Position(), nodes=3000, multipv=2)
    over = engine.search(sanban.Position("4k4/4G4/4P4/9/9/9/9/9/9 w - 1"), nodes=10)
    (record,) = sanban.read_records(VARIATIONS.encode())
    game = sanban.Position(moves=["7g7f", "3c3d", "2h6h"])
    fork = sanban.Position("4k4/9/3g1g3/9/9/9/9/9/4K4 b N 1")
    return [
        outcome,
        over,
        *outcome.lines,
        sanban.mate(sanban.Position(MATE)),
        sanban.mate(sanban.Position(), nodes=1),
        record,
        sanban.Network(),
        sanban.Network("handwritten", game="dobutsu"),
        *sanban.names(game),
        *sanban.names(sanban.Position(game="janggi")),
        *sanban.reasons(fork, "N*5e"),
        *sanban.levels(),
        *sanban.problems()[:3],
        sanban.Position(game="janggi").legal_moves,
        sanban.Move.from_bits("shogi", 5),
    ]


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_everything_pickles(protocol):
    kinds = set()
    for result in results():
        back = pickle.loads(pickle.dumps(result, protocol))
        assert back == result and type(back) is type(result), result
        assert repr(back) == repr(result)
        assert copy.deepcopy(result) == result
        kinds.add(type(result).__name__)
    assert {"Outcome", "Line", "Mate", "Record", "Network", "Name", "Reason", "Level", "Problem"} <= kinds


def searched(sfen: str) -> sanban.Outcome:
    return sanban.Engine().search(sanban.Position(sfen), nodes=500)


def identity(value: object) -> object:
    return value


def test_results_cross_processes():
    context = multiprocessing.get_context("spawn")
    sent = results()
    with context.Pool(1) as pool:
        outcomes = pool.map(searched, [sanban.Position().sfen, MATE])
        back = pool.map(identity, sent)
    assert back == sent
    assert outcomes[1].best == sanban.Position(MATE).parse("G*5b")


def test_records_pickle_with_variations_comments_and_ends():
    (record,) = sanban.read_records(VARIATIONS.encode())
    text = record.write("kif")
    assert text.count("変化：") == 2 and "&a bookmark" in text and "時間切れにより先手の勝ち" in text
    assert pickle.loads(pickle.dumps(record)).write("kif") == text
    # The last one is not a KIF keyword.
    words = "投了 中断 持将棋 引き分け 千日手 詰み 不詰 切れ負け 反則勝ち 反則負け 入玉勝ち 不戦勝 不戦敗 トライ 最大手数 雨天中止"
    for word in words.split():
        (record,) = sanban.read_records(f"手合割：平手\n   1 ７六歩(77)\n   2 {word}\n".encode())
        back = pickle.loads(pickle.dumps(record))
        assert back == record and back.end == record.end == word
    for text, winner in [("持将棋（先手30点、後手24点）", "draw"), ("持将棋（先手31点、後手23点）", "black")]:
        (record,) = sanban.read_records(f"手合割：平手\n   1 ７六歩(77)\nまで1手で{text}\n".encode())
        back = pickle.loads(pickle.dumps(record))
        assert back == record and back.winner == record.winner == winner


def test_a_network_whose_file_has_changed_does_not_come_back(tmp_path):
    pickled = pickle.dumps(sanban.Network("handwritten"))
    fingerprint = sanban.Network("handwritten").fingerprint.encode()
    assert pickled.count(fingerprint) == 1
    with pytest.raises(ValueError, match="not the network that was pickled"):
        pickle.loads(pickled.replace(fingerprint, b"0" * 16))


def test_values_compare_and_hash_by_their_fields():
    first, second = results(), results()
    for one, two in zip(first, second, strict=True):
        if isinstance(one, (sanban.Outcome, sanban.Line)):
            # The times differ.
            continue
        assert one == two
    assert len({*sanban.levels(), *sanban.levels()}) == len(sanban.levels())
    assert sanban.levels()[0] != sanban.levels()[1] and sanban.levels()[0] != "level"
    assert sanban.mate(sanban.Position(MATE)) != sanban.mate(sanban.Position(), nodes=1)
    for unhashable in (sanban.Position(), sanban.Position().legal_moves, sanban.Record(sanban.Position())):
        assert isinstance(unhashable, collections.abc.Hashable) is False
        with pytest.raises(TypeError, match="unhashable"):
            hash(unhashable)


def test_fields_are_read_only_and_classes_final():
    for value in results():
        kind = type(value)
        for name in vars(kind):
            if not name.startswith("_") and not callable(getattr(value, name)):
                with pytest.raises(AttributeError):
                    setattr(value, name, None)
        with pytest.raises(TypeError, match="not an acceptable base type"):
            type("Other", (kind,), {})


def test_legal_moves_contain_texts():
    position = sanban.Position()
    moves = position.legal_moves
    assert isinstance(moves, collections.abc.Sequence)
    assert "7g7f" in moves and "7g7e" not in moves and "P*5e" not in moves and 7 not in moves
    for nonsense in ("7g", "", "77f7g", "nonsense"):
        with pytest.raises(ValueError, match="move"):
            nonsense in moves  # noqa: B015
    for game in sanban.GAMES:
        position = sanban.Position(game=game)
        moves = position.legal_moves
        for place, move in enumerate(moves):
            assert move.usi in moves and moves.index(move) == moves.index(move.usi) == place
            assert moves.count(move) == moves.count(move.usi) == 1
        assert list(reversed(moves)) == list(moves)[::-1]
        with pytest.raises(ValueError, match="not in the list"):
            moves.index(moves[0], 1)
        assert moves.index(moves[-1], -1) == len(moves) - 1
    assert sanban.Position(game="janggi").legal_moves[0] not in sanban.Position().legal_moves


def test_moves_sort():
    moves = list(sanban.Position().legal_moves)
    random.Random(1).shuffle(moves)
    assert [move.usi for move in sorted(moves)] == sorted(move.usi for move in moves)
    assert min(moves) <= min(moves) < max(moves) and moves[0] == moves[0] and not moves[0] != moves[0]
    # The same text on two boards is not the same move.
    here, there = sanban.Move.from_bits("shogi", 1), sanban.Move.from_bits("janggi", 1)
    assert here != there and (here < there) != (there < here)
    with pytest.raises(TypeError):
        moves[0] < "7g7f"  # noqa: B015


def test_outcomes_agree_with_their_first_line():
    engine, rng = sanban.Engine(), random.Random(3)
    for number in range(40):
        game = sanban.GAMES[number % len(sanban.GAMES)]
        engine, position = sanban.Engine(game), sanban.Position(game=game)
        while len(position.moves) < rng.randrange(40) and position.outcome is None:
            position.push(rng.choice(position.legal_moves))
        limits = [{"nodes": rng.randrange(1, 4000)}, {"depth": 4}, {"time": 0.02}][number % 3]
        outcome = engine.search(position, multipv=number % 4 + 1, skill=20 - number % 3 * 8, **limits)
        if position.outcome is None and not outcome.declare:
            line = outcome.lines[0]
            assert (outcome.score, outcome.mate, outcome.depth) == (line.score, line.mate, line.depth)
            assert outcome.best == line.pv[0]


def test_bounds_are_checked():
    engine, position, network = sanban.Engine(), sanban.Position(), sanban.Network()
    attempts: list[tuple[str, typing.Callable[[], object]]] = [
        (r"multipv is 0, expected 1 to 600", lambda: engine.search(position, nodes=1, multipv=0)),
        (r"multipv is 601, expected 1 to 600", lambda: engine.search(position, nodes=1, multipv=601)),
        (r"skill is 99, expected 0 to 20", lambda: engine.search(position, nodes=1, skill=99)),
        (r"skill is -1, expected 0 to 20", lambda: engine.search(position, nodes=1, skill=-1)),
        (r"nodes is 0, expected at least 1", lambda: engine.search(position, nodes=0)),
        (r"depth is -1, expected at least 1", lambda: engine.search(position, depth=-1)),
        (r"time is -1, expected", lambda: engine.search(position, time=-1.0)),
        (r"byoyomi is -1, expected", lambda: engine.search(position, nodes=1, byoyomi=-1.0)),
        (r"increment is NaN, expected", lambda: engine.search(position, nodes=1, increment=(float("nan"), 0.0))),
        (r"threads is 0, expected 1 to 1024", lambda: sanban.Engine(threads=0)),
        (r"hash is 0, expected 1 to 1048576", lambda: sanban.Engine(hash=0)),
        (r"fv_scale is 0, expected 1 to 128", lambda: sanban.Network(fv_scale=0)),
        (r"threads is 2000, expected", lambda: network.evaluate([position], threads=2000)),
        (r"threads is -5, expected", lambda: sanban.mate(position, threads=-5)),
        (r"hash is 0, expected", lambda: sanban.mate(position, hash=0)),
        (r"nodes is 0, expected", lambda: sanban.mate(position, nodes=0)),
        (r"time is -0.5, expected", lambda: sanban.mate(position, time=-0.5)),
        (r"depth is -1, expected 0 to 255", lambda: position.perft(-1)),
        (r"threads is 0, expected", lambda: position.perft(1, threads=0)),
        (r"hash is -1, expected 0", lambda: position.divide(1, hash=-1)),
        (r"mate_nodes is 0, expected", lambda: sanban.reasons(position, "7g7f", mate_nodes=0)),
        (r"nodes is -1, expected at least 0", lambda: sanban.find_problem(position, nodes=-1)),
    ]
    for message, attempt in attempts:
        with pytest.raises(ValueError, match=message):
            attempt()


def test_the_names_of_games_are_a_type():
    assert [typing.get_args(name) for name in typing.get_args(sanban.Game)] == [(game,) for game in sanban.GAMES]


def test_moves_are_made_from_their_notation() -> None:
    for game in sanban.GAMES:
        position = sanban.Position(game=game)
        rng = random.Random(5)
        for _ in range(60):
            legal = list(position.legal_moves)
            if not legal:
                break
            for mv in legal:
                assert sanban.Move(str(mv), game=game) is mv
                assert eval(repr(mv), {"Move": sanban.Move}) is mv
            position.push(rng.choice(legal))
    assert (str(sanban.Move("7g7f")), repr(sanban.Move("7g7f"))) == ("7g7f", "Move('7g7f')")
    assert repr(sanban.Move("9j9i", "janggi")) == "Move('9j9i', game='janggi')"
    for text, game in [
        ("", "shogi"), ("7g", "shogi"), ("7g7j", "shogi"), ("K*5e", "shogi"), ("5e5e", "shogi"), ("X*5e", "shogi"),
        ("P*5e", "janggi"), ("9a9b+", "janggi"), ("9a9a", "janggi"), ("L*2b", "dobutsu"), ("4a4b", "dobutsu"),
    ]:  # fmt: skip
        with pytest.raises(ValueError, match="."):
            sanban.Move(text, game=game)
    with pytest.raises(ValueError, match="chess"):
        sanban.Move("e2e4", game="chess")  # type: ignore[arg-type]
