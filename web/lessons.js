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
//  threat: true     the opponent would be mated if it did nothing
//  parry: true      the opponent has no mate now; the move gives no check
//  line: true       the moves of the solution have been played: the learner's, and the page's replies between them
//  find: true       with `line`: the moves are not named, and the engine answers a wrong one
//  plays: level     a closing game against this level, which plays White; with `moves`, it ends after that number of
//                   the learner's moves
// A script with `why` gives the reason for each move; the prefix selects reasons that differ from the usual one.

const step = (sfen, goal, solve, more = {}) => ({ sfen, goal, solve: solve.split(" "), ...more });
const script = (sfen, moves, goal = {}, more = {}) => step(sfen, { line: true, ...goal }, moves, more);
const find = (sfen, moves) => script(sfen, moves, { find: true });
const closing = (sfen, plays, moves, more = {}) => ({
	sfen,
	goal: { plays, ...(moves ? { moves } : {}) },
	solve: [],
	...more,
});
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
		id: "shogi-setup",
		steps: [
			script("ln2k2nl/9/ppppppppp/9/9/9/PPPPPPPPP/9/LN2K2NL b 2G2S2g2s 1", "G*4i G*6a G*6i G*4a S*3i S*7a S*7i S*3a"),
			script("lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/9/LNSGKGSNL b RBrb 1", "B*8h B*2b R*2h R*8b"),
			script(null, "7g7f 3c3d 2g2f", {}, { why: "setup" }),
			step("7k1/9/6SP1/9/9/9/9/9/4K4 b G 1", { over: "mate" }, "G*2b"),
			closing("4k4/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1", 0, 12),
		],
	},
	{
		id: "shogi-values",
		steps: [
			find("4k4/9/2g6/9/9/2R4n1/9/9/4K4 b - 1", "7f7c+"),
			find("4k4/9/6p2/6g2/9/1l4R2/9/9/4K4 b - 1", "3f8f"),
			find("4k4/9/9/2p6/2s6/2P6/9/9/4K4 b - 1", "7f7e 7d7e"),
			find("4k4/9/5p3/5r3/9/9/9/1B7/4K4 b - 1", "8h4d 4c4d"),
			find("4k4/5g3/6+P2/9/9/9/9/9/4K4 b - 1", "3c4b 5a4b"),
			closing("3gkg3/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1", 0, 15),
		],
	},
	{
		id: "shogi-protection",
		steps: [
			step("4k4/4r4/9/9/9/4S4/9/3G1G3/4K4 b - 1", { piece: "G", to: "5g" }, "4h5g"),
			find("lnsgkgsnl/1r7/pppppp1pp/6p2/9/2P4P1/PP1PPPP1P/1+b5R1/LNSGKGSNL b b 5", "7i8h"),
			script("4k4/9/6g2/7p1/7S1/9/9/7R1/4K4 b - 1", "2e2d 3c2d 2h2d"),
			script(
				"lnsgkgsnl/1r5b1/p1ppppppp/9/1p5P1/9/PPPPPPP1P/1B5R1/LNSGKGSNL b - 5",
				"6i7h 4a3b 2e2d 2c2d 2h2d P*2c 2d2h",
				{},
				{ why: "exchange" },
			),
			closing("ln1gk1snl/1rs3gb1/p1ppppppp/9/1p7/9/PPPPPPP1P/1BG4R1/LNS1KGSNL b P 13", 0, 15),
		],
	},
	{
		id: "shogi-mino",
		steps: [
			script(null, "7g7f 3c3d 6g6f 8c8d 2h6h 8d8e 8h7g", {}, { why: "mino" }),
			script(
				"ln1gkgsnl/1r1s3b1/p1pppp1pp/6p2/1p7/2PP5/PPB1PPPPP/3R5/LNSGKGSNL b - 9",
				"5i4h 5a4b 4h3h 4b3b 3h2h",
				{},
				{ why: "mino" },
			),
			script(
				"ln1g1gsnl/1r1s2kb1/p1pp1p1pp/4p1p2/1p7/2PP5/PPB1PPPPP/3R3K1/LNSG1GSNL b - 15",
				"3i3h 6a5b 6i5h",
				{},
				{ why: "castle" },
			),
			closing("ln3gsnl/1r1sg1kb1/p1pp1p1p1/4p1p1p/1p7/2PP5/PPB1PPPPP/3RG1SK1/LNS2G1NL b - 19", 1, 15),
		],
	},
	{
		id: "shogi-boat",
		steps: [
			script(
				"lnsgkgsnl/5r1b1/ppppp2pp/5pp2/9/2P4P1/PP1PPPP1P/1B3S1R1/LNSGKG1NL b - 7",
				"5i6h 5a6b 6h7h 6b7b",
				{},
				{ why: "boat" },
			),
			script(
				"lnsg1gsnl/2k2r1b1/ppppp2pp/5pp2/9/2P4P1/PP1PPPP1P/1BK2S1R1/LNSG1G1NL b - 11",
				"4i5h 7b8b 9g9f 9c9d",
				{},
				{ why: "boat" },
			),
			closing("lnsg1gsnl/1k3r1b1/1pppp2pp/p4pp2/9/P1P4P1/1P1PPPP1P/1BK1GS1R1/LNSG3NL b - 15", 1, 15),
		],
	},
	{
		id: "shogi-climbing",
		steps: [
			script(null, "2g2f 8c8d 2f2e 8d8e 6i7h 4a3b 2e2d 2c2d 2h2d P*2c 2d2h", {}, { why: "exchange" }),
			script(
				"ln1gk1snl/1rs3gb1/p1ppppppp/9/1p7/9/PPPPPPP1P/1BG4R1/LNS1KGSNL b P 13",
				"3i3h 9c9d 3h2g 1c1d 2g2f 5a4b 2f2e",
				{},
				{ why: "climb" },
			),
			script(
				"ln1g2snl/1rs2kgb1/3ppppp1/p1p5p/1p5S1/9/PPPPPPP1P/1BG4R1/LNS1KG1NL b P 21",
				"P*2d 2c2d 2e2d P*2c 2d2c+ 3b2c 2h2c+",
				{},
				{ why: "climb" },
			),
			closing("ln1g2snl/1rs2k3/3pppp+Rb/p1p5p/1p7/9/PPPPPPP1P/1BG6/LNS1KG1NL b G2Ps 29", 1, 15),
		],
	},
	{
		id: "shogi-pawns",
		steps: [
			script("lnsgk2nl/1r1sg4/pppppp2p/6p2/9/2P6/PP1PPPP1P/2G2S1K1/LNSR1G1NL b P 1", "P*2c 8c8d 2c2b+"),
			find("ln2k1snl/1r4g2/p1pg1pppp/3pp4/9/2P6/P2PPPPPP/2G4R1/L1S1KGSNL b NP 1", "P*8c 8b8c N*7e 8c8i+ 7e6c+"),
			script(
				"ln3k1nl/1rs2ggs1/2pppp3/1p4ppp/9/2P3PS1/PPSPPP2P/1KG1G2R1/LN5NL b 2P 1",
				"P*2e 2d2e 2f2e",
				{},
				{ why: "join" },
			),
			find("lnsg1gsnl/4k2b1/p1pp1p1pp/4p1p2/7P1/1r7/P1PP1PP1P/1BSK3R1/LN1G1GSNL b P2p 14", "P*8g"),
			closing("lnsgk2nl/1r1sg4/pppppp2p/6p2/9/2P6/PP1PPPP1P/2G2S1K1/LNSR1G1NL b P 1", 2, 15),
		],
	},
	{
		id: "shogi-forks",
		steps: [
			find("ln3gsnl/1r1g2k2/ppppppppp/9/9/2P6/PP1PPPPPP/3RG1SK1/LN3G1NL b BSb 1", "S*7a 8b7b"),
			find("lnsgk1snl/6g2/p2pppppp/2p6/9/1r7/P1PPPPPPP/2G4R1/LNS1KGSNL b BPbp 1", "B*9e 7a6b 9e8f"),
			find("ln2k1snl/6g2/prpg1pppp/3pp4/9/2P6/P2PPPPPP/1SG4R1/L3KGSNL b N 1", "N*7e 8c8b 7e6c+"),
			closing("lnsgk1snl/6g2/p2pppppp/2p6/9/1B7/P1PPPPPPP/2G4R1/LNS1KGSNL w RPbp 1", 2, 15),
		],
	},
	{
		id: "shogi-threats",
		steps: [
			step("7nl/5s1k1/5pppp/6S2/9/9/9/9/K8 b GN 1", { threat: true }, "N*1e"),
			find("8l/5+P1k1/6p1p/9/9/9/9/9/K8 b GS 1", "S*3b 3c3d G*2c"),
			find("7nl/8k/6ppp/6G2/9/9/9/9/K8 b GS 1", "S*3a 3c3d G*2b"),
			find("7nk/8l/5Gppp/9/9/9/9/9/K8 b G 1", "4c3b 2c2d G*2b"),
			closing("3g2snl/6gk1/p2ppp1pp/2p3p2/9/2P4P1/PP1PPPP1P/2G6/LNS1K1SNL b 2RBGP 1", 2, 20),
		],
	},
	{
		id: "shogi-defence",
		steps: [
			step("4k4/9/9/9/9/9/4+p4/9/4K4 b Sg 1", { parry: true }, "S*5h"),
			step("8k/9/9/9/9/2n6/PPPPP4/2KS5/LN1G5 b Pg 1", { parry: true }, "7g7f"),
			find("4k4/9/9/9/4n4/9/3S1G3/9/K8 b - 1", "4g5g"),
			closing("ln1g2snl/1r3kg2/p1pppp1pp/6p2/1p7/2P6/PPSPPPP1P/2G4R1/LN2KGSNL b BPb 1", 1, 12),
		],
	},
	{
		id: "shogi-handicaps",
		steps: [
			script(
				"9/5k3/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
				"2g2f 4b3b 2f2e 5c5d 2e2d 2c2d 2h2d 5d5e P*2c 3b4b 2c2b+",
				{},
				{ why: "ten" },
			),
			script(
				"2sgk1s2/6g2/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1",
				"9g9f 5a4b 9f9e 3a2b 9e9d 9c9d 9i9d 8c8d 9d9b+",
				{},
				{ why: "six" },
			),
			closing("2sgkgs2/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1", 1, 20),
		],
	},
	{
		id: "shogi-endings",
		steps: [
			script("4k4/9/9/9/9/9/9/9/4K3R b - 1", again("5i5h 5a5b 5h5i 5b5a", 3), { over: "repetition" }),
			script("9/9/9/9/9/9/9/K6R1/8k b - 1", again("2h2i 1i1h 2i2h 1h1i", 3), { over: "perpetual" }),
			step("+R3GK1+B1/2SSGG3/4PP3/3P5/9/9/9/9/4k4 b RB 1", { piece: "P", to: "6c" }, "6d6c"),
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

SHOGI.push(
	...OPENINGS.map((moves, n) => ({
		id: `opening-${n + 1}`,
		opening: n + 1,
		steps: [script(null, moves, {}, { why: n + 1 })],
	})),
);

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
		id: "janggi-start",
		steps: [
			script(null, "1g2g 9d8d 2j3h 2a3c 2h5h 8a7c", {}, { why: "janggi" }),
			step("5k3/9/9/p7p/9/4R4/9/6R2/3A5/4K4 b - 1", { over: "mate" }, "3h4h"),
			step("4k4/4a4/9/p7p/9/9/P7P/9/4K4/9 b - 1", { passes: true }, "pass", { game: "janggicasual" }),
			closing(null, 0, 12, { game: "janggicasual" }),
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
		id: "dobutsu-start",
		steps: [
			script("1l1/1c1/1C1/1L1 b EGeg 1", "E*3d E*1a G*1d G*3a"),
			step("1l1/1G1/3/1L1 b GE2Ce 1", { over: "captured" }, "2b2a"),
			closing(null, 0),
		],
	},
	{
		id: "dobutsu-guard",
		steps: [
			find("1l1/G1C/2E/2L b gec 1", "3b2b"),
			find("3/l2/g1g/ELE b 2C 1", "2d1c"),
			closing("1le/1c1/1C1/ELG w G 1", 0),
		],
	},
	{
		id: "dobutsu-fork",
		steps: [
			step("1l1/c1c/3/1L1 b 2GEe 1", { drops: true, fork: ["3b", "1b"] }, "E*2c"),
			find("e2/1g1/GEl/L2 b Cc 1", "C*1d 2b2c 1d1c"),
			closing("gl1/1c1/1C1/ELG w E 1", 0),
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
