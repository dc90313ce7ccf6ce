"""The command `sanban`: the same program as the binary of that name."""

from __future__ import annotations

import signal
import sys

from ._sanban import command


def main() -> None:
    """Runs the command line."""
    # With the default handler, Ctrl-C ends the engine immediately; Python's handler would run only after it returns.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    # The command that `sanban match` starts for the engine `-`.
    program = [sys.executable, "-m", "sanban"]
    code, sentence = command(sys.argv[1:], program)
    if sentence is not None:
        print(f"sanban: {sentence}", file=sys.stderr)
    sys.exit(code)


if __name__ == "__main__":
    main()
