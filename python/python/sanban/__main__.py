"""The command `sanban`: the same program as the binary of that name."""

from __future__ import annotations

import signal
import sys

from ._sanban import command


def main() -> None:
    """Runs the command line."""
    # The engine ends by itself; the interpreter would wait for it to ask.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    # For a match against itself.
    program = [sys.executable, "-m", "sanban"]
    code, sentence = command(sys.argv[1:], program)
    if sentence is not None:
        print(f"sanban: {sentence}", file=sys.stderr)
    sys.exit(code)


if __name__ == "__main__":
    main()
