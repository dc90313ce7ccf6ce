"""Solves mates with many interpositions, each at a random table size.

    python3 tests/oracles/mate_interpositions.py target/release/sanban [POSITIONS] [--seed N] [--threads N] [--limit S]

Each position has a king near an edge, two to five attackers including a slider, possibly some of the defender's pieces
on the board, and all other pieces in the defender's hand, so that distant checks can be answered by repeated drops.
Every second position is a variation of a known difficult position. Without a limit, `sanban mate` must answer each with
a mate or "nomate", never with "timeout" (--limit only sets how long this script waits). Answers at the random size must
agree with those at 64 MB. From 16 MB up, no answer may take more than three times the processor time it takes at 64 MB
(answers within half a second are not compared).
"""

import argparse
import random
import resource
import subprocess
import sys

COUNTS = {"R": 2, "B": 2, "G": 4, "S": 4, "N": 4, "L": 4, "P": 18}


KNOWN = {(0, 7): "k", (1, 5): "+B", (1, 6): "p", (2, 7): "S", (2, 8): "s"}


def variation(choice):
    """Moves one or two pieces of the known position and adds a knight."""
    board = [[""] * 9 for _ in range(9)]
    for (rank, file), piece in KNOWN.items():
        board[rank][file] = piece
    for _ in range(choice.randrange(1, 3)):
        (rank, file), piece = choice.choice([item for item in KNOWN.items() if item[1] != "k"])
        board[rank][file] = ""
        to = (choice.randrange(5), choice.randrange(4, 9))
        if not board[to[0]][to[1]] and (to[0] > 0 or piece.lower() not in "p"):
            board[to[0]][to[1]] = piece
    knight = (choice.randrange(7), choice.randrange(9))
    if not board[knight[0]][knight[1]]:
        board[knight[0]][knight[1]] = "n"
    left = dict(COUNTS)
    for piece in (piece for rank in board for piece in rank if piece not in ("", "k")):
        left[piece[-1].upper()] -= 1
    return to_sfen(board, {}, left)


def position(choice):
    left = dict(COUNTS)
    board = [[""] * 9 for _ in range(9)]
    king = (choice.randrange(2), choice.choice([0, 1, 7, 8]))
    board[king[0]][king[1]] = "k"

    def put(kind, ours, promoted, ranks):
        for _ in range(20):
            rank, file = choice.randrange(ranks), choice.randrange(9)
            lowest = {"P": 0, "L": 0, "N": 1}.get(kind, -1)
            edge = rank if ours else 8 - rank
            if board[rank][file] or (not promoted and edge <= lowest) or left[kind] == 0:
                continue
            if kind == "P" and not promoted and any(
                board[r][file] == ("P" if ours else "p") for r in range(9)
            ):
                continue
            left[kind] -= 1
            board[rank][file] = ("+" if promoted else "") + (kind if ours else kind.lower())
            return

    for _ in range(choice.randrange(1, 3)):
        kind = choice.choice("RBRBL")
        put(kind, True, kind != "L" and choice.random() < 0.6, 9)
    for _ in range(choice.randrange(1, 4)):
        kind = choice.choice("GSNLP")
        put(kind, True, kind != "G" and choice.random() < 0.4, 5)
    for _ in range(choice.randrange(4)):
        put(choice.choice("GSNLPP"), False, False, 8)
    black = {}
    for _ in range(choice.randrange(3)):
        kind = choice.choice("GSNLPRB")
        if left[kind]:
            left[kind] -= 1
            black[kind] = black.get(kind, 0) + 1
    return to_sfen(board, black, left)


def to_sfen(board, black, white):
    ranks = []
    for rank in board:
        text, empty = "", 0
        for piece in rank:
            if not piece:
                empty += 1
                continue
            text += (str(empty) if empty else "") + piece
            empty = 0
        ranks.append(text + (str(empty) if empty else ""))
    def count(n):
        return "" if n == 1 else str(n)

    hands = "".join(count(n) + k for k, n in black.items())
    hands += "".join(count(n) + k.lower() for k, n in white.items() if n)
    return f"{'/'.join(ranks)} b {hands or '-'} 1"


SIZES = [1, 2, 4, 8, 16, 24, 32, 48, 96, 128, 256]


def ask(args, sfen, megabytes):
    command = [args.program, "mate", "--hash", str(megabytes), "--threads", str(args.threads), sfen]
    def used():
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime

    begin = used()
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=args.limit)
    except subprocess.TimeoutExpired:
        return "unfinished", args.limit
    if done.returncode:
        return f"error {done.stderr.strip()}", 0
    words = done.stdout.rstrip("\n").split("\t")[1].split()
    return " ".join(words[:2] if words[0] == "mate" else words), used() - begin


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("positions", nargs="?", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--limit", type=float, default=120)
    args = parser.parse_args()
    choice = random.Random(args.seed)
    counts, faults, slow = {}, 0, 0
    number = 0
    while number < args.positions:
        sfen, megabytes = (variation, position)[number % 2](choice), choice.choice(SIZES)
        answer, seconds = ask(args, sfen, megabytes)
        if "can be captured" in answer:
            continue  # invalid: the king is in check with the other side to move
        number += 1
        usual, expected = ask(args, sfen, 64)
        word = answer.split()[0]
        counts[word] = counts.get(word, 0) + 1
        wrong = word not in ("mate", "nomate", "unfinished")
        wrong |= {word, usual.split()[0]} == {"mate", "nomate"} or usual == "timeout"
        late = megabytes >= 16 and seconds > 0.5 and seconds > 3 * expected
        faults, slow = faults + wrong, slow + late
        if wrong or late or word == "unfinished":
            sizes = f"{megabytes} MB: {answer}, {seconds:.1f} s; 64 MB: {usual}, {expected:.1f} s"
            print(f"{number}: {sfen}\t{sizes}", flush=True)
    print(f"{args.positions} positions: {counts}; {faults} faults, {slow} more than three times as slow as at 64 MB")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
