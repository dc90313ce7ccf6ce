import threading
import time

import pytest

import sanban

MATE = "4k4/9/4P4/9/9/9/9/9/9 b G 1"


def test_a_search_keeps_to_its_limits():
    engine = sanban.Engine()
    position = sanban.Position()
    lines = []
    outcome = engine.search(position, nodes=20000, multipv=2, on_line=lines.append)
    assert outcome.best in position.legal_moves and outcome.nodes <= 20000
    assert lines and all(line.pv[0] in position.legal_moves for line in lines)
    assert [line.rank for line in outcome.lines] == [1, 2]
    assert engine.search(position, depth=3).depth == 3
    only = position.parse("1g1f")
    assert engine.search(position, depth=2, moves=["1g1f"]).best is only


def test_equal_searches_are_equal():
    def nodes():
        return [sanban.Engine().search(sanban.Position(), depth=6).nodes for _ in range(2)]

    first, second = nodes()
    assert first == second


@pytest.mark.parametrize("game", sanban.GAMES)
def test_every_game_is_searched(game):
    position = sanban.Position(game=game)
    engine = sanban.Engine(game)
    assert engine.search(position, nodes=2000).best in position.legal_moves
    assert isinstance(engine.evaluate(position), int)


def test_mates_are_seen():
    outcome = sanban.Engine().search(sanban.Position(MATE), nodes=1000)
    assert outcome.best.usi == "G*5b" and outcome.mate == 1


def test_the_interpreter_is_free_and_a_search_can_be_stopped():
    engine = sanban.Engine()
    outcomes, ticks = [], 0
    thread = threading.Thread(target=lambda: outcomes.append(engine.search(sanban.Position())))
    thread.start()
    end = time.monotonic() + 0.3
    while time.monotonic() < end:
        ticks += 1
    with pytest.raises(RuntimeError, match="already searching"):
        engine.search(sanban.Position(), nodes=1)
    engine.stop()
    thread.join(10)
    assert not thread.is_alive() and ticks > 1000 and outcomes[0].best is not None


def test_clearing_waits_for_a_search_without_a_deadlock():
    engine = sanban.Engine()
    outcomes = []
    thread = threading.Thread(target=lambda: outcomes.append(engine.search(sanban.Position(), time=0.5)))
    thread.start()
    time.sleep(0.1)
    cleared = threading.Thread(target=engine.clear)
    cleared.start()
    engine.clear()
    for each in (thread, cleared):
        each.join(10)
        assert not each.is_alive()
    assert outcomes[0].best is not None


def test_a_callback_cannot_clear_what_is_searching():
    engine = sanban.Engine()
    errors = []

    def clear(_):
        try:
            engine.clear()
        except RuntimeError as error:
            errors.append(error)

    engine.search(sanban.Position(), depth=3, on_line=clear)
    assert errors and all("on_line" in str(error) for error in errors)
    engine.clear()


def test_what_a_callback_raises_ends_the_search():
    def refuse(_):
        raise KeyError("enough")

    with pytest.raises(KeyError, match="enough"):
        sanban.Engine().search(sanban.Position(), on_line=refuse)


def test_mistakes_are_told():
    engine = sanban.Engine()
    with pytest.raises(ValueError, match="expected a position of shogi, found one of janggi"):
        engine.search(sanban.Position(game="janggi"), nodes=1)
    with pytest.raises(ValueError):
        sanban.Engine(network="not there")
    with pytest.raises(ValueError):
        engine.search(sanban.Position(), time=-1.0)
    with pytest.raises(ValueError, match="illegal move"):
        engine.search(sanban.Position(), nodes=1, moves=["5i5e"])


def test_mate_problems():
    found = sanban.mate(sanban.Position(MATE))
    assert found and found.status == "mate" and [move.usi for move in found.moves] == ["G*5b"]
    none = sanban.mate(sanban.Position("4k4/9/9/9/9/9/9/9/9 b G 1"))
    assert not none and none.status == "nomate" and none.moves == []
    assert sanban.mate(sanban.Position(), nodes=1).status in ("nomate", "timeout")
    with pytest.raises(ValueError):
        sanban.mate(sanban.Position(game="dobutsu"))
