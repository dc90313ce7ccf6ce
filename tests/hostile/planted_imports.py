"""Adds every forbidden import between the crates and checks that the compiler rejects it.

    python3 tests/hostile/planted_imports.py [FOLDER]

The imports are added to a copy of the repository in FOLDER (default: `target/planted`). A crate may import only the
crates that its manifest names; the script adds imports of all others, including the facade, to its `lib.rs`, one at a
time. The exit code is 1 if an import compiles or fails for another reason.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CRATES = ["system", "rules", "engine", "formats", "lab"]


def copy(folder):
    """Copies the tracked files of the working tree, with their modification times."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)


def foreign(crate):
    """Returns the crates of the workspace that the crate's manifest does not name."""
    manifest = (ROOT / "crates" / crate / "Cargo.toml").read_text().splitlines()
    others = ["sanban"] + [f"sanban-{other}" for other in CRATES if other != crate]
    return [other for other in others if f"{other}.workspace = true" not in manifest]


def complaint(folder, crate, other):
    """Returns what is wrong with the compiler's output, or None if the import is rejected and nothing else is."""
    library = folder / "crates" / crate / "src" / "lib.rs"
    original, name = library.read_text(), other.replace("-", "_")
    library.write_text(f"{original}\npub use {name} as planted;\n")
    try:
        command = ["cargo", "check", "--locked", "--quiet", "--package", f"sanban-{crate}", "--lib"]
        environment = os.environ | {"CARGO_TARGET_DIR": str(folder / "target"), "CARGO_TERM_COLOR": "never"}
        answer = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    finally:
        library.write_text(original)
    if answer.returncode == 0:
        return "accepted"
    errors = [line for line in answer.stderr.splitlines() if line.startswith("error[")]
    expected = [f"error[E0432]: unresolved import `{name}`"]
    return None if errors == expected else f"rejected for another reason\n{answer.stderr}"


def main():
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "target" / "planted").resolve()
    copy(folder)
    wrong = 0
    for crate in CRATES:
        for other in foreign(crate):
            problem = complaint(folder, crate, other)
            wrong += problem is not None
            print(f"{other} in sanban-{crate}: {problem or 'rejected'}", flush=True)
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
