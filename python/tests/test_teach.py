import random

import pytest

import sanban


def test_openings_and_castles_have_names(tmp_path):
    position = sanban.Position(moves=["7g7f", "3c3d", "2h6h"])
    found = sanban.names(position)
    assert [(name.id, name.japanese, name.side, name.ply) for name in found if name.ply == 3] == [
        ("fourth-file-rook", "四間飛車", "black", 3),
        ("open-fourth", "角道オープン四間飛車", "black", 3),
    ]
    assert {name.kind for name in found} <= {"opening", "castle"}
    table = tmp_path / "names.tsv"
    table.write_text("opening\town\tMy own opening\t自分の戦法\tto:R68\n", encoding="utf-8")
    assert "own" in [name.id for name in sanban.names(position, table=table)]
    table.write_text("opening\town\n", encoding="utf-8")
    with pytest.raises(ValueError, match="line 1"):
        sanban.names(position, table=table)


def test_set_ups_of_janggi_have_names():
    names = sanban.names(sanban.Position(game="janggi"))
    assert [(name.kind, name.korean, name.side) for name in names] == [
        ("set-up", "안상차림", "black"),
        ("set-up", "안상차림", "white"),
    ]
    assert sanban.names(sanban.Position(game="dobutsu")) == []


def test_reasons_are_facts():
    fork = sanban.Position("4k4/9/3g1g3/9/9/9/9/9/4K4 b N 1")
    told = sanban.reasons(fork, "N*5e")
    assert told[0].fact == "fork" and told[0].text("en").startswith("Fork") and told[0].text("ja")
    with pytest.raises(ValueError, match="expected en, ja or ko"):
        told[0].text("fr")
    mate = sanban.reasons(sanban.Position("4k4/9/9/4P4/9/9/9/9/4K4 b G 1"), "5d5c")
    threat = next(reason for reason in mate if reason.fact == "threatens-mate")
    assert [move.usi for move in threat.line] == ["G*5b"] and threat.proof == "mate"
    wins = sanban.reasons(sanban.Position("4k4/9/9/9/4s4/4R4/9/9/4K4 b - 1"), "5f5e")
    assert [(reason.fact, reason.square) for reason in wins if reason.fact == "wins"] == [("wins", "5e")]
    with pytest.raises(ValueError, match="illegal move"):
        sanban.reasons(sanban.Position(), "7g7e")


@pytest.mark.parametrize("game", sanban.GAMES)
def test_every_move_can_be_explained(game):
    rng = random.Random(game)
    position = sanban.Position(game=game)
    while len(position.moves) < 60 and position.outcome is None:
        move = rng.choice(position.legal_moves)
        for reason in sanban.reasons(position, move, mate_nodes=200):
            assert reason.english and reason.japanese and reason.korean
        position.push(move)


def test_levels_are_players():
    levels = sanban.levels()
    assert [level.number for level in levels] == list(range(21))
    assert len({level.text("ko") for level in levels}) == 21
    best = sanban.Engine().search(sanban.Position(), nodes=1000, skill=levels[0].number).best
    assert best in sanban.Position().legal_moves


def test_problems_have_solutions(tmp_path):
    problems = sanban.problems()
    mates = [problem for problem in problems if problem.task == "mate"]
    assert len(mates) >= 100 and len(problems) > len(mates)
    for problem in problems:
        position = sanban.Position(problem.sfen)
        for move in problem.line:
            position.push(move)
        assert problem.task == "next" or position.outcome == "loss" and position.in_check
    easiest = mates[0]
    found = sanban.find_problem(sanban.Position(easiest.sfen))
    assert found is not None and str(found) == str(easiest)
    assert sanban.find_problem(sanban.Position()) is None
    kept = tmp_path / "problems.tsv"
    kept.write_text(f"{easiest}\n")
    assert [str(problem) for problem in sanban.problems(kept)] == [str(easiest)]
