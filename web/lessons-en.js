// The strings of the lessons in English: for every lesson its title, then the explanation and the task of each step.

export const TEXTS = {
	"shogi-generals": [
		"King and generals",
		["The king moves one square in any direction.", "Take both pawns with the king."],
		[
			"The gold general moves one square straight or diagonally forward, sideways, or straight back. It cannot move diagonally back.",
			"Take the three pieces with the gold.",
		],
		[
			"The silver general moves one square straight forward or in any diagonal direction. It cannot move sideways or straight back.",
			"Take the three pawns with the silver.",
		],
	],
	"shogi-runners": [
		"Pawn, lance, knight, rook, bishop",
		["A pawn moves one square straight forward, and captures in the same way.", "Take both pieces with the pawn."],
		["A lance moves straight forward, any distance. It can never move back.", "Take both pieces with the lance."],
		[
			"A knight jumps two squares forward and one to the side. It is the only piece that jumps over others.",
			"Take both pawns with the knight.",
		],
		["A rook moves forward, back and sideways, any distance.", "Take the three pieces with the rook."],
		["A bishop moves diagonally, any distance.", "Take the three pawns with the bishop."],
	],
	"shogi-promotion": [
		"Promotion",
		[
			"The last three ranks are the promotion zone. A piece that moves into it, within it or out of it may be promoted. A promoted pawn, lance, knight or silver moves like a gold.",
			"Move the pawn forward and promote it.",
		],
		[
			"A promoted rook is a dragon: it keeps its moves and may also move one square diagonally. A promoted bishop, the horse, may also move one square straight.",
			"Move the rook into the zone and promote it.",
		],
		["This is a dragon.", "Take both pieces with the dragon."],
		[
			"Promotion is optional as long as the piece can still move. A silver is often more useful unpromoted.",
			"Take the pawn with the silver, and do not promote.",
		],
	],
	"shogi-drops": [
		"Captures and drops",
		["A captured piece changes sides: it is now in your hand.", "Take the knight with the rook."],
		[
			"Instead of moving you may drop a piece from your hand on any empty square. It attacks from its new square immediately. A piece that attacks two others at the same time makes a fork.",
			"Drop the knight where it attacks both the rook and the gold.",
		],
		[
			"A promoted piece that is captured goes to the hand unpromoted. It can be promoted again later, but not when it is dropped.",
			"Take the tokin, and look at your hand.",
		],
	],
	"shogi-check": [
		"Check",
		["A move that attacks the king gives check.", "Give check with the rook."],
		["A king in check must get out of it. The first way: the king moves away.", "Move the king out of check."],
		["The second way: a piece is placed in between.", "Drop the gold between the rook and your king."],
		["The third way: the attacker is captured.", "Take the rook."],
	],
	"shogi-mate": [
		"Mate",
		[
			"A check that cannot be parried is mate, and wins the game. A gold in front of the king, protected by another piece, is the mate that every player learns first.",
			"Give mate with the gold.",
		],
		["One rook guards the second rank. The other can end the game.", "Give mate with the other rook."],
		["Your gold and pawn are close, and the king's own knight is in its way.", "Give mate with a drop."],
	],
	"shogi-forbidden": [
		"Forbidden moves",
		[
			"You may not have two unpromoted pawns on one file (nifu). Try it: the page does not allow it.",
			"Try to drop the pawn in front of your other pawn, on 5e.",
		],
		[
			"No piece may go where it could never move again: a pawn or lance on the last rank, a knight on the last two.",
			"Try to drop the pawn on the last rank, on 1a.",
		],
		["A dropped pawn may not give mate (uchifuzume). A pawn moved on the board may.", "Try to drop the pawn on 5b."],
		["The king may not move to an attacked square.", "Try to move the king to 6i, where the rook would take it."],
		[
			"A piece that shields the king from an attack may not leave the line of attack: it is pinned.",
			"Try to move the gold to 6g.",
		],
	],
	"shogi-endings": [
		"Repetition and impasse",
		[
			"When the same position, with the same side to move and the same hands, occurs for the fourth time, the game is a draw (sennichite).",
			"Move your king up and back again, until the position has occurred four times.",
		],
		[
			"But if one side gave check with every move, that side loses. So you cannot save a game by giving check forever.",
			"Give check again and again, on ranks 9 and 8, and see what happens.",
		],
		[
			"When both kings have entered the enemy camp, checkmate becomes unlikely (impasse). Then points are counted: rook and bishop are worth five each, all other pieces one, the king nothing. You may declare a win if your king and ten of your other pieces are on the last three ranks, you have 28 points as the first player or 27 as the second, and you are not in check.",
			"You have 28 points. Declare the win with the button below the board.",
		],
	],
	openings: [
		"Third-File Rook",
		"Snow Roof, then Central Rook",
		"Anaguma against Fourth-File Rook",
		"Climbing Gold against Third-File Rook",
		"Fifth-File Vanguard against Fourth-File Rook",
		"Boat Castle against Fourth-File Rook",
		"Castle-Tower Mino against Fourth-File Rook",
		"Snow Roof",
		"Double Wing",
		"Yagura",
		"Yagura against a Fifth-File Attack",
		"Double Wing with Vertical Pawn",
		"Double Wing with a pawn exchange on both sides",
		"Yagura from the fifth file",
	],
	opening: [
		"Opening {0}: {1}",
		["A common opening. Play the moves for Black; the moves for White are played for you.", ""],
	],
	"janggi-pieces": [
		"The pieces",
		[
			"Pieces are placed on the intersections of the lines. A soldier moves one step forward or sideways, never back.",
			"Take both soldiers with yours.",
		],
		["A chariot moves straight, any distance.", "Take both soldiers with the chariot."],
		[
			"A horse moves one step straight and then one step diagonally outward. The point of the first step must be empty.",
			"Take both soldiers with the horse.",
		],
		[
			"An elephant moves one step straight and then two steps diagonally outward. Both points on the way must be empty.",
			"Take both soldiers with the elephant.",
		],
		[
			"A cannon also moves straight, but only by jumping over exactly one piece on the way. It may stop on any point behind that piece that it can reach.",
			"Take the soldier behind your own with the cannon.",
		],
	],
	"janggi-palace": [
		"The palace",
		[
			"The general and the guards stay in the palace and move one step along its lines.",
			"Move the guard to the centre of the palace.",
		],
		[
			"From the centre, lines lead to all eight other points. From the middle of an edge, there is no diagonal line.",
			"Move the general to the upper right corner, 4h.",
		],
		[
			"In both palaces, chariots and cannons may move along the diagonal lines, and soldiers may step forward along them.",
			"Take the guard along the diagonal line with the chariot.",
		],
	],
	"janggi-check": [
		"Check and mate",
		["A move that attacks the general gives check.", "Give check with the chariot."],
		[
			"A general in check must get out of it: it moves away, a piece is placed in between, or the attacker is captured.",
			"Move the general out of check.",
		],
		["Here you can block the check with another piece.", "Move the chariot between the general and the attacker."],
		[
			"A check that cannot be parried is mate and wins the game. There are no drops and no promotions in Janggi.",
			"Give mate with the chariot.",
		],
	],
	"janggi-forbidden": [
		"Forbidden moves",
		[
			"A cannon without a piece to jump over cannot move. Try it: the page does not allow it.",
			"Try to move the cannon from 8h to 8e.",
		],
		["A cannon may not jump over a cannon.", "Try to capture on 8c with the cannon."],
		["A cannon may not take a cannon.", "Try to take the cannon on 8c."],
		["A horse is blocked if the point of its first step is occupied.", "Try to take the soldier on 4e with the horse."],
		["The general and the guards may not leave the palace.", "Try to move the general to 5g."],
		["The general may not step onto an attacked point.", "Try to move the general to 6i."],
	],
	"janggi-endings": [
		"Passing, draws and points",
		[
			"By the written rules, you may pass only when your general cannot move. By other rules, you may pass at any time except in check; the list of games has both.",
			"Try to pass with the button below the board.",
		],
		[
			"Here the general has no safe step, and nothing else can move. You are not in check, so you have not lost: you pass.",
			"Pass.",
		],
		[
			"Two passes in a row end the game in a draw. Here you may pass at any time except in check, as is usual in Korea.",
			"Pass; Han will pass as well.",
		],
		[
			"When the same position occurs for the third time, the game is a draw. If one side gave check with every move, that side loses.",
			"Move the chariot up and back until the position has occurred three times.",
		],
		[
			"By the traditional rules, a player who makes the generals face each other with nothing between them offers a draw (bikjang). The other side accepts it by leaving them facing.",
			"Move the soldier away from between the generals.",
		],
		[
			"By the modern rules, games that would otherwise be drawn are decided on points: chariot 13, cannon 7, horse 5, elephant 3, guard 3, soldier 2. Han, who moves second, gets 1.5 extra points.",
			"Pass. Han passes as well, and the points are counted.",
		],
	],
	"dobutsu-animals": [
		"How the animals move",
		["The chick goes one step straight ahead. That is all it can do.", "Catch the other chick!"],
		["The giraffe goes one step ahead, back or to the side.", "Catch both animals with the giraffe!"],
		["The elephant goes one step diagonally.", "Catch both animals with the elephant!"],
		["The lion is the king. It goes one step in every direction.", "Catch both animals with the lion!"],
	],
	"dobutsu-friends": [
		"New friends",
		[
			"If you catch an animal, it becomes your friend and waits beside the board.",
			"Catch the chick in front of yours!",
		],
		["Instead of moving, you may put a friend on any empty square.", "Put your chick on the board!"],
		[
			"A chick that walks onto the last row grows up: now it is a hen and can do much more.",
			"Walk the chick onto the last row!",
		],
	],
	"dobutsu-winning": [
		"How to win",
		[
			"If you can catch the lion with your next move, the other player must be careful.",
			"Move the giraffe next to the lion, so that it could catch it!",
		],
		["The player who catches the lion wins!", "Catch the lion!"],
		["Look! The giraffe wants to catch your lion.", "Save your lion!"],
		[
			"You also win if your lion reaches the last row and nobody can catch it there.",
			"Walk your lion onto the last row!",
		],
	],
	"dobutsu-careful": [
		"Watch out!",
		[
			"The lion may not go to the last row if it could be caught there.",
			"Try to walk onto the last row, straight ahead.",
		],
		[
			"In the version “with mate”, the lion may never go where it could be caught.",
			"Try to walk straight ahead, next to the other lion.",
		],
		[
			"In the version “with mate”, a chick may not be put on the last row.",
			"Try to put the chick in the upper right corner, 1a.",
		],
		["If the same position occurs three times, nobody wins.", "Walk the giraffe ahead and back, and then once more!"],
	],
};

export const WORDS = {
	"wins-in-dobutsu": "Win in {0}",
	"wins-in-janggi": "Win in {0}",
	"task-win-dobutsu": "Win in {0}: catch the lion, or bring yours home.",
	"task-win-janggi": "Mate the general in {0}.",
	"own-mistakes": "My mistakes",
	"task-own": "Move {0}: you played {1}. Find a better move.",
	"problem-of": "Problem {0} of {1}",
	lessons: "Lessons",
	problems: "Problems",
	"to-list": "All lessons",
	"to-problems": "All problems",
	next: "Next",
	"next-lesson": "Next lesson",
	"start-again": "Again",
	"show-me": "Show me",
	"step-of": "Step {0} of {1}",
	"well-done": "Well done!",
	"lesson-done": "Well done! This lesson is finished.",
	"right-refused": "Right: {0}",
	play: "Play {0}.",
	"line-done": "That was the complete opening.",
	"names-are": "Names: {0}.",
	"try-again": "That is legal, but not what is asked for here. Try again.",
	"wrong-check": "That does not attack the king. Try again.",
	"wrong-over": "Not yet: {0} is still possible. Try again.",
	"wrong-safe": "Careful: {0}! Try again.",
	"wrong-checked": "That gives check, so the other side would have to respond. Try again.",
	"wrong-line": "The move here is {0}. Try again.",
	"wrong-fork": "From there it does not attack both. Try again.",
	away: "A different game is on the board.",
	continue: "Continue here",
	finished: "{0} of {1} finished",
	"mates-grade": "Mate in {0}",
	"next-grade-1": "Next move: easy",
	"next-grade-2": "Next move: harder",
	"next-grade-3": "Next move: hard",
	"task-mate": "Mate in {0}: checks only; there is one solution.",
	"task-next": "Find the one move that is far better than all the others.",
	"not-a-check": "Every move of a mate gives check. Try again.",
	"escapes-by": "No mate: {0} escapes. Try again.",
	"also-mates": "This mates as well!",
	"thinking-defence": "Searching for a defence …",
	"not-decided": "The solver found no defence in time, but this is not the solution. Try again.",
	"next-right": "Right! {0}",
	"answered-by": "The engine answers {0}. Try again.",
	"misses-mate": "There was a mate.",
	"misses-gain": "Something could be won.",
	spoils: "That changes the result of the game.",
	lowers: "Afterwards, the winning chances are {0} points lower.",
	"problem-solved": "Solved!",
	"from-own-games":
		"From this program’s own games; solutions are proved by the mate solver, or verified by a long search.",
};
