"""Reads a folder of game records into a table, one row a game: python games_table.py FOLDER

With pandas, the table is a DataFrame; without it, a list of dictionaries.
"""

import sys
from pathlib import Path

import sanban


def rows(folder: Path) -> list[dict[str, object]]:
    found: list[dict[str, object]] = []
    for path in sorted(folder.rglob("*.ki[f2]*")):
        try:
            records = sanban.read_records(path)
        except ValueError as error:
            print(f"{path}: {error}", file=sys.stderr)
            continue
        for record in records:
            openings = [name.english for name in sanban.names(record.position()) if name.kind == "opening"]
            found.append(
                {
                    "file": path.name,
                    "black": record.black,
                    "white": record.white,
                    "plies": len(record),
                    "winner": record.winner,
                    "opening": openings[0] if openings else None,
                }
            )
    return found


table = rows(Path(sys.argv[1]))
try:
    import pandas

    print(pandas.DataFrame(table).to_string())
except ImportError:
    for row in table:
        print(row)
