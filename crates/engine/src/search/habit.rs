//! The habits of people in the opening: a first move, a formation for the rook or the cannon, a castle.
//!
//! A game has several plans, each a list of moves in the order in which people usually make them. A player chooses one
//! plan for a whole game and plays its next moves while nothing happens.

use sanban_rules::{Color, Move, Rng, SearchPosition};

/// The last ply at which plans are followed.
const LAST_PLY: usize = 44;
/// The fewest pieces with which a game is in its opening: Janggi begins with 32, shogi with 40.
const PIECES: usize = 26;
/// How often the first of the next moves of the plan is made, and how often the first or the second, in percent.
/// Otherwise, the third is made.
const ORDER: [usize; 2] = [70, 90];
/// How often the plan is followed, in percent: at a side's first move and later.
const FIRST: usize = 97;
const LATER: usize = 92;

/// The move of the plan for this position. `game` is a random number drawn for the game, `luck` one for the move.
pub(super) fn next<P: SearchPosition>(root: &P, plans: &[&str], game: u64, luck: u64) -> Option<Move> {
    if plans.is_empty() || root.game_ply() > LAST_PLY {
        return None;
    }
    let mut pieces = 0;
    root.placements(|_| pieces += 1);
    if pieces < PIECES {
        return None;
    }
    // The players of a game choose their plans independently.
    let plan = plans[Rng::new(game ^ root.side().index() as u64).below(plans.len())];
    let mut rng = Rng::new(luck);
    let is_first = root.game_ply() <= 2;
    if rng.below(100) >= if is_first { FIRST } else { LATER } {
        return None;
    }
    let share = if is_first { 0 } else { rng.below(100) };
    let place = ORDER.iter().filter(|&&order| share >= order).count();
    let moves = plan.split(' ').filter_map(|text| root.parse_usi(&turned::<P>(text, root.side())));
    let next: Vec<Move> = moves.filter(|&mv| root.gain(mv) == 0).take(place + 1).collect();
    next.get(place).or(next.first()).copied()
}

/// A move of the first player, for a side: the board is turned for the second player.
fn turned<P: SearchPosition>(text: &str, side: Color) -> String {
    let turn = |c: char| match c {
        '1'..='9' => char::from(b'0' + (P::FILES as u8 + 1 - (c as u8 - b'0'))),
        _ => char::from(b'a' + (P::RANKS as u8 - 1 - (c as u8 - b'a'))),
    };
    if side == Color::Black { text.into() } else { text.chars().map(turn).collect() }
}
