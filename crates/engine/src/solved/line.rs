//! Perfect play from the values of positions.
//!
//! The values ignore history. Repetitions within the next two plies are detected here: the winning side avoids a draw
//! by repetition, and the losing side plays it. Beyond that, a winning line repeats no position, because the distance
//! to its end decreases with every ply.

use super::value::Value;
use sanban_rules::score::{mate_in, mated_in};
use sanban_rules::{Move, MoveList, Position, Score, Verdict};

/// The values of a game's positions.
pub(super) trait Values<P: Position> {
    /// The longest win under perfect play, in plies.
    const LONGEST: usize;

    /// The value of a position; `None` if it is not known.
    fn value(&self, pos: &P) -> Option<Value>;
    /// The moves to choose from.
    fn candidates(&self, pos: &P) -> MoveList {
        pos.legal_moves()
    }
}

/// Returns the score of a position and a best line from it, or `None` if the game is over or a value is missing. The
/// game is drawn after `max_moves` moves (0: no limit).
pub(super) fn solution<P: Position, V: Values<P>>(
    pos: &P,
    values: &V,
    max_moves: usize,
) -> Option<(Score, Vec<Move>)> {
    if pos.verdict(0).is_some() {
        return None;
    }
    let in_time = |plies: u8| max_moves == 0 || pos.game_ply() + usize::from(plies) <= max_moves;
    let mut end = pos.clone();
    let first = best(&mut end, values)?;
    let score = match first.value {
        Value::Win(plies) if in_time(plies) => mate_in(usize::from(plies)),
        Value::Loss(plies) if in_time(plies) => mated_in(usize::from(plies)),
        _ => 0,
    };
    let mut line = vec![first.mv];
    end.play(first.mv);
    // A drawn line has no natural end, so it consists of a move and a reply.
    let length = if first.value == Value::Draw { 2 } else { V::LONGEST };
    while line.len() < length && end.verdict(0).is_none() {
        let Some(next) = best(&mut end, values) else { break };
        line.push(next.mv);
        end.play(next.mv);
    }
    Some((score, line))
}

/// A move and its value.
struct Choice {
    mv: Move,
    value: Value,
    /// For a draw, the permille of the replies that lose.
    slips: i32,
}

/// Returns the best move, or `None` if there is no move or the value after a move is unknown. Among drawing moves, the
/// one with the largest share of losing replies is best.
fn best<P: Position, V: Values<P>>(pos: &mut P, values: &V) -> Option<Choice> {
    let mut best: Option<Choice> = None;
    for mv in values.candidates(pos) {
        pos.make(mv, &mut ());
        let choice = judge(mv, pos, values);
        pos.unmake();
        let choice = choice?;
        let order = |choice: &Choice| (choice.value.rank(), choice.slips);
        if best.as_ref().is_none_or(|best| order(&choice) > order(best)) {
            best = Some(choice);
        }
    }
    best
}

/// Returns the value of the move `mv`, which has just been made, for the side that made it.
fn judge<P: Position, V: Values<P>>(mv: Move, pos: &mut P, values: &V) -> Option<Choice> {
    let sure = |value| Some(Choice { mv, value, slips: 0 });
    match pos.verdict(0) {
        Some(Verdict::Loss) => return sure(Value::Win(1)),
        Some(Verdict::Win) => return sure(Value::Loss(1)),
        Some(_) => return sure(Value::Draw),
        None => {}
    }
    let value = values.value(pos)?.of_move();
    if let Value::Loss(_) = value {
        return sure(value);
    }
    let (mut repeats, mut slips) = (false, 0);
    let answers = pos.legal_moves();
    for &answer in &answers {
        pos.make(answer, &mut ());
        repeats |= pos.verdict(0) == Some(Verdict::Draw);
        slips += i32::from(matches!(values.value(pos), Some(Value::Win(_))));
        pos.unmake();
    }
    if matches!(value, Value::Win(_)) && !repeats {
        return sure(value);
    }
    Some(Choice { mv, value: Value::Draw, slips: slips * 1_000 / (answers.len() as i32).max(1) })
}
