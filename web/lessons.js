// The lessons: for every step the position, the goal, and a solution for "Show me". The strings are in `lessons-en.js`
// and its translations, in the same order.
//
// A goal has one or more of these keys, all of which must hold:
//  take: squares    every piece of the opponent on these squares has been captured; the opponent does not move
//  over: reason     the game has ended for this reason (a keyword of the engine's view)
//  refused: word    a move was tried that the rules reject for this reason
//  check, promotes, declines, drops, passes, declared: true
//                   the move gives check, promotes, could promote and does not, is a drop or a pass; a win was declared
//  piece: letter    this piece moved; with `to`, to this square
//  fork: squares    the moved piece now attacks all of these squares
//  safe: true       the opponent cannot capture the lion
//  line: true       the moves of the solution have been played: the learner's, and the page's replies between them

const step = (sfen, goal, solve, more = {}) => ({ sfen, goal, solve: solve.split(" "), ...more });
const script = (sfen, moves, goal = {}, more = {}) => step(sfen, { line: true, ...goal }, moves, more);
const again = (moves, times) => Array(times).fill(moves).join(" ");

const SHOGI = [
	{
		id: "shogi-generals",
		steps: [
			step("8k/9/9/5p3/3p5/9/4K4/9/9 b - 1", { take: ["6e", "4d"] }, "5g5f 5f6e 6e5d 5d4d"),
			step("8k/9/9/9/4s4/4pp3/4G4/9/K8 b - 1", { take: ["4f", "5e", "5f"] }, "5g4f 4f5e 5e5f"),
			step("8k/9/9/9/4p4/3p1p3/4S4/9/K8 b - 1", { take: ["4f", "5e", "6f"] }, "5g4f 4f5e 5e6f"),
		],
	},
	{
		id: "shogi-runners",
		steps: [
			step("8k/9/9/9/4s4/4p4/4P4/9/K8 b - 1", { take: ["5f", "5e"] }, "5g5f 5f5e"),
			step("8k/9/9/4s4/4p4/9/9/4L4/K8 b - 1", { take: ["5e", "5d"] }, "5h5e 5e5d"),
			step("8k/9/9/4p4/9/3p5/9/4N4/K8 b - 1", { take: ["6f", "5d"] }, "5h6f 6f5d"),
			step("k8/9/9/9/4p2p1/9/9/4R2s1/K8 b - 1", { take: ["5e", "2e", "2h"] }, "5h5e 5e2e 2e2h"),
			step("4k4/9/9/9/4p4/7p1/6p2/1B7/K8 b - 1", { take: ["5e", "3g", "2f"] }, "8h5e 5e3g 3g2f"),
		],
	},
	{
		id: "shogi-promotion",
		steps: [
			step("8k/9/9/4P4/9/9/9/9/K8 b - 1", { promotes: true }, "5d5c+"),
			step("k8/9/9/9/9/9/9/7R1/K8 b - 1", { promotes: true }, "2h2c+"),
			step("8k/9/9/9/4p4/3+R5/9/4s4/K8 b - 1", { take: ["5e", "5h"] }, "6f5e 5e5h"),
			step("8k/9/5p3/4S4/9/9/9/9/K8 b - 1", { declines: true }, "5d4c"),
		],
	},
	{
		id: "shogi-drops",
		steps: [
			step("8k/9/9/9/4n4/9/4R4/9/K8 b - 1", { take: ["5e"] }, "5g5e"),
			step("3r1g2k/9/9/9/9/9/9/9/K8 b N 1", { drops: true, fork: ["6a", "4a"] }, "N*5c"),
			step("8k/9/9/9/4+p4/9/4R4/9/K8 b - 1", { take: ["5e"] }, "5g5e"),
		],
	},
	{
		id: "shogi-check",
		steps: [
			step("4k4/9/9/9/9/9/9/1R7/K8 b - 1", { check: true }, "8h5h"),
			step("4k4/9/9/4r4/9/9/9/9/4K4 b - 1", { piece: "K" }, "5i4h"),
			step("4k4/9/9/4r4/9/9/9/9/4K4 b G 1", { drops: true }, "G*5h"),
			step("4k4/9/9/9/4r4/9/9/9/4K3B b - 1", { take: ["5e"] }, "1i5e"),
		],
	},
	{
		id: "shogi-mate",
		steps: [
			step("4k4/9/4P4/9/9/9/9/9/4K4 b G 1", { over: "mate" }, "G*5b"),
			step("4k4/R8/9/9/9/9/9/7R1/4K4 b - 1", { over: "mate" }, "2h2a+"),
			step("7nk/9/7GP/9/9/9/9/9/K8 b G 1", { over: "mate" }, "G*1b"),
		],
	},
	{
		id: "shogi-forbidden",
		steps: [
			step("4k4/9/9/9/9/9/4P4/9/4K4 b P 1", { refused: "two-pawns" }, "P*5e"),
			step("4k4/9/9/9/9/9/9/9/4K4 b P 1", { refused: "no-way-on" }, "P*1a"),
			step("3rkr3/9/3GG4/9/9/9/9/9/K8 b P 1", { refused: "pawn-mate" }, "P*5b"),
			step("4k4/9/9/9/3r5/9/9/9/4K4 b - 1", { refused: "into-check" }, "5i6i"),
			step("4k4/9/9/9/4r4/9/4G4/9/4K4 b - 1", { refused: "exposes" }, "5g6g"),
		],
	},
	{
		id: "shogi-endings",
		steps: [
			script("4k4/9/9/9/9/9/9/9/4K3R b - 1", again("5i5h 5a5b 5h5i 5b5a", 3), { over: "repetition" }),
			script("9/9/9/9/9/9/9/K6R1/8k b - 1", again("2h2i 1i1h 2i2h 1h1i", 3), { over: "perpetual" }),
			step("+R3GK1+B1/2SSGG3/3PPP3/9/9/9/9/9/4k4 b RB 1", { declared: true }, "declare"),
		],
	},
];

/** The moves of the openings. */
const OPENINGS = [
	"2g2f 3c3d 2f2e 2b3c 7g7f 4c4d 3i4h 8b3b 3g3f 3a4b 5i6h 5a6b 6h7h 6b7b 5g5f 5c5d 4i5h 4a5b 7i6h 4b5c 1g1f 1c1d 4g4f 7b8b 2i3g 7a7b",
	"2g2f 3c3d 2f2e 2b3c 7g7f 4c4d 3i4h 3a4b 5g5f 4b4c 4h5g 5c5d 8h7g 4a3b 5i6h 7a6b 7i7h 6b5c 6g6f 7c7d 7h6g 5a4a 6i7h 8b5b 3g3f 8a7c",
	"7g7f 3c3d 2g2f 4c4d 3i4h 3a3b 5g5f 8b4b 5i6h 5a6b 6h7h 7a7b 4h5g 4a5b 8h7g 6b7a 7h8h 3b4c 9i9h 4c5d 6g6f 7a8b 8h9i 6c6d 7i8h 7c7d 6i7i 5b6c",
	"7g7f 3c3d 2g2f 4c4d 3i4h 3a4b 5g5f 4b4c 5i6h 3d3e 6h7h 8b3b 2f2e 2b3c 4i3h 5a6b 3h2g 6b7b 3g3f 3c4b 3f3e 3b3e 2g2f 3e3a",
	"7g7f 3c3d 2g2f 4c4d 3i4h 3a3b 5g5f 8b4b 5i6h 5a6b 6h7h 7a7b 4i5h 6b7a 9g9f 9c9d 4h5g 4a5b 7i6h 7a8b 5f5e 3b4c 2f2e 2b3c",
	"2g2f 3c3d 7g7f 4c4d 3i4h 3a3b 5g5f 8b4b 5i6h 5a6b 6h7h 7a7b 4i5h 6b7a 3g3f 4a5b 7i6h 9c9d 9g9f 7a8b 2f2e 2b3c 1g1f 1c1d",
	"7g7f 3c3d 2g2f 4c4d 3i4h 3a3b 5g5f 8b4b 5i6h 5a6b 6h7h 7a7b 4i5h 6b7a 9g9f 9c9d 8g8f 3b4c 7h8g 4a5b 7i7h 6c6d 2f2e 2b3c 4h5g 7a8b 5g6f 5b6c",
	"2g2f 3c3d 7g7f 4c4d 3i4h 3a4b 4i5h 4b4c 5i6h 5c5d 5g5f 8c8d 7i7h 7a6b 2f2e 4a3b 2e2d 2c2d 2h2d P*2c 2d2h 6b5c 7h7g 7c7d 6g6f 6c6d 6h7h 6a5b",
	"2g2f 8c8d 2f2e 8d8e 6i7h 4a3b 2e2d 2c2d 2h2d P*2c 2d2f 7a7b 1g1f 1c1d 3i3h 9c9d 9g9f 3c3d 7g7f 5a4b 5i6h 8e8f 8g8f 8b8f P*8g 8f8b",
	"7g7f 8c8d 7i6h 3c3d 6h7g 7a6b 3i4h 3a4b 5g5f 5c5d 6i7h 4a3b 5i6i 5a4a 4i5h 6a5b 6g6f 4b3c 8h7i 2b3a 3g3f 4c4d 5h6g 5b4c",
	"7g7f 8c8d 7i6h 3c3d 6h7g 7a6b 3i4h 5c5d 5g5f 3a4b 6i7h 6a5b 5i6i 4a3b 4i5h 5a4a 6g6f 7c7d 3g3f 5d5e 4h5g 6b5c 2g2f 5c5d",
	"2g2f 8c8d 2f2e 8d8e 6i7h 4a3b 2e2d 2c2d 2h2d P*2c 2d2f 7a7b 1g1f 1c1d 9g9f 3c3d 3i3h 6c6d 2f3f 3b3c 3h2g 7b6c 4i3h 4c4d 3f2f 6a5b 2g3f 5b4c",
	"2g2f 8c8d 2f2e 8d8e 6i7h 4a3b 2e2d 2c2d 2h2d P*2c 2d2f 7a7b 1g1f 1c1d 3i3h 3c3d 7g7f 8e8f 8g8f 8b8f P*8g 8f8b",
	"7g7f 8c8d 7i6h 3c3d 6h7g 7a6b 5g5f 5c5d 3i4h 3a4b 4i5h 4a3b 6g6f 5a4a 5h6g 7c7d 6i7h 6a5b 8h7i 4b3c 5i6i 2b3a 7i6h 4c4d",
];

SHOGI.push(...OPENINGS.map((moves, n) => ({ id: `opening-${n + 1}`, opening: n + 1, steps: [script(null, moves)] })));

const JANGGI = [
	{
		id: "janggi-pieces",
		steps: [
			step("9/4k4/9/p7p/9/5p3/4Pp3/9/4K4/9 b - 1", { take: ["4g", "4f"] }, "5g4g 4g4f"),
			step("9/4k4/9/p7p/3p3p1/9/9/7R1/4K4/9 b - 1", { take: ["2e", "6e"] }, "2h2e 2e6e"),
			step("9/4k4/9/p6pp/5p3/9/4N4/9/4K4/9 b - 1", { take: ["4e", "2d"] }, "5g4e 4e2d"),
			step("4k4/9/9/p7p/6p2/9/3p5/4B4/4K4/9 b - 1", { take: ["3e", "6g"] }, "5h3e 3e6g"),
			step("9/4k4/9/1p6p/9/1P7/9/1C7/4K4/9 b - 1", { take: ["8d"] }, "8h8d"),
		],
	},
	{
		id: "janggi-palace",
		steps: [
			step("9/4k4/9/p7p/9/9/P7P/9/5A3/4K4 b - 1", { piece: "A", to: "5i" }, "4i5i"),
			step("9/4k4/9/p7p/9/9/P7P/9/4K4/9 b - 1", { piece: "K", to: "4h" }, "5i4h"),
			step("4ka3/9/3R5/p7p/9/9/P7P/9/4K4/9 b - 1", { take: ["4a"] }, "6c4a"),
		],
	},
	{
		id: "janggi-check",
		steps: [
			step("9/4k4/9/p7p/9/9/P7P/1R7/4K4/9 b - 1", { check: true }, "8h8b"),
			step("9/4k4/9/p3r3p/9/9/P7P/9/4K4/9 b - 1", { piece: "K" }, "5i4i"),
			step("9/4k4/9/p3r3p/9/9/P7P/R8/4K4/9 b - 1", { piece: "R" }, "9h5h"),
			step("4k4/R8/9/p7p/9/9/P7P/7R1/4K4/9 b - 1", { over: "mate" }, "2h2a"),
		],
	},
	{
		id: "janggi-forbidden",
		steps: [
			step(null, { refused: "screen" }, "8h8e"),
			step("4k4/9/1r6r/9/1c7/9/9/1C7/9/4K4 b - 1", { refused: "cannon-jump" }, "8h8c"),
			step("4k4/9/1c6r/9/1P7/9/9/1C7/9/4K4 b - 1", { refused: "cannon-takes" }, "8h8c"),
			step("9/4k4/9/p7p/5p3/4P4/4N4/9/4K4/9 b - 1", { refused: "blocked" }, "5g4e"),
			step("4k4/9/r8/9/9/9/R8/4K4/9/9 b - 1", { refused: "palace" }, "5h5g"),
			step("4k4/9/9/3r5/9/9/9/9/R3K4/9 b - 1", { refused: "into-check" }, "5i6i"),
		],
	},
	{
		id: "janggi-endings",
		steps: [
			step(null, { refused: "pass-not-needed" }, "pass"),
			step("3k5/9/9/9/9/9/3r1r3/9/C7r/4K4 b - 1", { passes: true }, "pass"),
			script(null, "pass 5b5b", { over: "passes" }, { game: "janggicasual" }),
			script(null, again("9j9i 9a9b 9i9j 9b9a", 2), { over: "repetition" }),
			script("4k4/9/r8/9/9/9/R3P4/9/4K4/9 b - 1", "5g6g 5a5a", { over: "facing" }, { game: "janggitraditional" }),
			script(null, "pass 5b5b", { over: "count" }, { game: "janggimodern" }),
		],
	},
];

const DOBUTSU = [
	{
		id: "dobutsu-animals",
		steps: [
			step("l2/1c1/1C1/2L b 2g2e 1", { take: ["2b"] }, "2c2b"),
			step("l2/3/1ce/LG1 b gec 1", { take: ["2c", "1c"] }, "2d2c 2c1c"),
			step("l2/1c1/2g/LE1 b gec 1", { take: ["1c", "2b"] }, "2d1c 1c2b"),
			step("l2/2c/1e1/1L1 b 2gec 1", { take: ["2c", "1b"] }, "2d2c 2c1b"),
		],
	},
	{
		id: "dobutsu-friends",
		steps: [
			step(null, { take: ["2b"] }, "2c2b"),
			step("1l1/3/3/1L1 b C2g2ec 1", { drops: true }, "C*1c"),
			step("l2/2C/3/1L1 b 2g2ec 1", { promotes: true }, "1b1a+"),
		],
	},
	{
		id: "dobutsu-winning",
		steps: [
			step("1l1/3/1G1/1L1 b g2e2c 1", { check: true }, "2c2b"),
			step("1l1/1C1/3/1L1 b 2g2ec 1", { over: "captured" }, "2b2a+"),
			step("l2/3/1g1/1L1 b g2e2c 1", { safe: true }, "2d2c"),
			step("3/L2/2l/3 b 2E2G2C 1", { over: "try" }, "3b3a"),
		],
	},
	{
		id: "dobutsu-careful",
		steps: [
			step("1g1/L1l/3/3 b 2EG2C 1", { refused: "rash-try" }, "3b3a"),
			step("1g1/1l1/3/L2 b 2EG2C 1", { refused: "into-check" }, "3d3c", { game: "dobutsumate" }),
			step("3/1l1/3/L2 b C2e2gc 1", { refused: "last-row" }, "C*1a", { game: "dobutsumate" }),
			script(null, again("1d1c 3a3b 1c1d 3b3a", 2), { over: "repetition" }),
		],
	},
];

/** The lessons of each kind of game. */
export const LESSONS = { shogi: SHOGI, janggi: JANGGI, dobutsu: DOBUTSU };
