//! A player that looks one move ahead and has the blind spots of beginners.
//!
//! Every move is judged by what it captures, by the evaluation of the position it leads to, and by the opponent's
//! captures and mates in reply. Whether one of these facts is noticed depends on how hard it is to see: backward moves,
//! drops, captures from a distance, lines opened by another piece, and events far from the last move are overlooked
//! more often. A fact is noticed or overlooked for the whole position, regardless of the move being considered.

use crate::Evaluator;
use crate::ladder::Attention;
use sanban_rules::{Color, Move, Rng, Score, SearchPosition, UsiMove, Verdict};

/// The value that the player assigns to a mate.
const MATE: Score = 20_000;
/// Maximum amount by which the evaluation changes the value of a move, in centipawns.
const SENSE: Score = 400;
/// Maximum probability of overlooking a fact, in percent.
const HARDEST: u32 = 99;
/// What taking back the last move costs, in centipawns: people make moves with a purpose.
const UNDOING: Score = 500;
/// An advantage with which it is easier to choose, in centipawns.
const AHEAD: Score = 1_200;
/// A gain, in centipawns, for which a player departs from a plan.
const CALM: Score = 60;
/// Resolution of the values of exchanges, in centipawns.
const STEP: Score = 10;

/// The kinds of facts, each noticed or overlooked independently.
#[derive(Clone, Copy)]
enum Fact {
    Move,
    Mate,
    Threat,
}

/// How the player sees a position.
struct View {
    attention: Attention,
    /// The destination of the last move.
    focus: Option<usize>,
    /// A random number drawn for the game.
    game: u64,
    seed: u64,
}

/// Returns the moves with the player's estimates of the positions after them, best first. `seed` determines which facts
/// are overlooked and how values are misjudged, and `game`, a random number drawn for the game, which mates the player
/// knows. `habit` is the move that the player makes while nothing happens.
pub(super) fn look<P: SearchPosition, E: Evaluator<P>>(
    root: &P,
    eval: &mut E,
    moves: &[Move],
    attention: Attention,
    habit: Option<Move>,
    [game, seed]: [u64; 2],
) -> Vec<(Move, Score)> {
    let focus = root.last_move().map(Move::to);
    let view = View { attention, focus, game, seed };
    let mut pos = root.clone();
    eval.reset(&pos);
    let before = eval.evaluate(&pos);
    let undone = {
        let mut pos = root.clone();
        pos.unmake();
        pos.last_move().filter(|mv| !mv.is_drop())
    };
    let mut out = Vec::with_capacity(moves.len());
    // The largest gain that the player notices, and that of the habit, both after the replies that it notices.
    let (mut most, mut habitual) = (0, None);
    for &mv in moves {
        // Moves that were not noticed are only played if there is no other move.
        let mut noticed = view.notices(root, mv, Fact::Move);
        let gain = root.gain(mv);
        // With a large advantage, it is easier to choose.
        let mut value = view.misjudge(mv) / if before > AHEAD { 2 } else { 1 };
        eval.push();
        pos.make(mv, eval);
        let end = ended(&pos);
        // A draw is worth 0, whatever the position is worth without it.
        if end != Some(0) {
            if undone.is_some_and(|old| !mv.is_drop() && (old.from(), old.to()) == (mv.to(), mv.from())) {
                value -= UNDOING;
            }
            let sense = (-eval.evaluate(&pos) - before - gain).clamp(-SENSE, SENSE);
            value += before + gain + sense * attention.sense as Score / 100;
            let outcome = match end {
                None => view.outcome(&mut pos),
                // A move that ends the game is noticed as such or not at all.
                Some(end) => {
                    noticed = view.knows(root, mv);
                    end
                }
            };
            value += outcome;
            if habit == Some(mv) {
                (noticed, habitual) = (true, Some(gain + outcome));
            } else if noticed {
                most = most.max(gain + outcome);
            }
        }
        pos.unmake();
        eval.pop();
        out.push((noticed, value, mv));
    }
    let calm = habitual.is_some_and(|gain| gain >= most - CALM);
    // The sort is stable, so that a seed reproduces the same game.
    out.sort_by_key(|&(noticed, value, mv)| (!(calm && habit == Some(mv)), !noticed, -value));
    out.into_iter().map(|(_, value, mv)| (mv, value)).collect()
}

impl View {
    /// The random error in the estimate of a move.
    fn misjudge(&self, mv: Move) -> Score {
        let error = self.attention.error.max(0) as usize;
        self.chance(mv, 0).below(error + 1) as Score
    }

    /// The random number generator for a fact.
    fn chance(&self, mv: Move, salt: u64) -> Rng {
        let mut rng = Rng::new(self.seed ^ u64::from(mv.bits()) << 32 ^ salt);
        Rng::new(rng.next())
    }

    /// The value of the opponent's best reply among those that the player notices: 0 or less. `pos` is the position
    /// after a move that does not end the game.
    fn outcome<P: SearchPosition>(&self, pos: &mut P) -> Score {
        let mut worst = 0;
        let info = pos.check_info();
        // A game may also end without check, by the capture or the entry of a lion.
        let win = pos.mate_in_one();
        for reply in pos.legal_moves() {
            let gain = pos.gain(reply);
            if gain > worst && self.notices(pos, reply, Fact::Threat) {
                worst = worst.max(exchange(pos, reply, gain));
            }
            if (Some(reply) == win || pos.gives_check_with(&info, reply))
                && self.notices(pos, reply, Fact::Mate)
            {
                pos.make(reply, &mut ());
                let mates = ended(pos).is_some_and(|value| value > 0);
                pos.unmake();
                if mates {
                    return -MATE;
                }
            }
        }
        -worst
    }

    /// Whether the player knows the mates by a piece. They are learned as patterns, which stay known or unknown for a
    /// whole game.
    fn knows<P: SearchPosition>(&self, pos: &P, mv: Move) -> bool {
        let letter = match P::notation(mv) {
            UsiMove::Drop { piece, .. } => piece,
            UsiMove::Board { from, .. } => pos.piece_at(from).map_or(' ', |piece| piece.letter),
        };
        let mut rng = Rng::new(self.game ^ u64::from(letter) << 40);
        Rng::new(rng.next()).below(100) < self.attention.mates as usize
    }

    /// Whether the player notices a move of the side to move in `pos`.
    fn notices<P: SearchPosition>(&self, pos: &P, mv: Move, fact: Fact) -> bool {
        let Attention { moves, drops, threats, mates, .. } = self.attention;
        let notice = match fact {
            Fact::Move if mv.is_drop() => drops,
            Fact::Move => moves,
            Fact::Threat => threats,
            Fact::Mate => mates,
        };
        let miss = 100 - notice.min(100);
        let hard = 100 + self.difficulty(pos, mv, fact);
        let miss = (miss * hard / 100).min(HARDEST);
        self.chance(mv, 1 + fact as u64).below(100) as u32 >= miss
    }

    /// How much harder than usual a move is to notice, in percent.
    fn difficulty<P: SearchPosition>(&self, pos: &P, mv: Move, fact: Fact) -> u32 {
        let mut out = 0;
        let [_, to_rank] = place::<P>(mv.to());
        if mv.is_drop() {
            // The rate for the player's own drops already includes this.
            out += if matches!(fact, Fact::Move) { 0 } else { 60 };
        } else {
            let [_, from_rank] = place::<P>(mv.from());
            let backward = if pos.side() == Color::Black { to_rank > from_rank } else { to_rank < from_rank };
            out += if backward { 60 } else { 0 };
            out += if distance::<P>(mv.from(), mv.to()) >= 3 { 30 } else { 0 };
            if matches!(fact, Fact::Threat) && self.was_closed(pos, mv) {
                out += 80;
            }
        }
        let near = P::FILES.max(P::RANKS) / 3;
        if self.focus.is_some_and(|focus| distance::<P>(focus, mv.to()) > near) {
            out += 70;
        }
        out
    }

    /// Whether the reply moves along a line that the move under consideration has opened.
    fn was_closed<P: SearchPosition>(&self, pos: &P, reply: Move) -> bool {
        // A capture of the piece that has just moved is obvious.
        if pos.last_move().is_some_and(|last| last.to() == reply.to()) {
            return false;
        }
        distance::<P>(reply.from(), reply.to()) >= 2
            && pos
                .last_move()
                .is_some_and(|last| !last.is_drop() && between::<P>(reply.from(), reply.to(), last.from()))
    }
}

/// The value of a position in which the game has ended, for the side that has just moved; `None` if the game continues.
fn ended<P: SearchPosition>(pos: &P) -> Option<Score> {
    let verdict = match pos.verdict(0) {
        None if pos.count() == 0 => pos.verdict_without_moves(),
        verdict => verdict?,
    };
    Some(match verdict {
        Verdict::Loss | Verdict::Inferior => MATE,
        Verdict::Win | Verdict::Superior => -MATE,
        Verdict::Draw => 0,
    })
}

/// The material that an exchange starting with this move wins, up to `gain`.
fn exchange<P: SearchPosition>(pos: &P, mv: Move, gain: Score) -> Score {
    let (mut low, mut high) = (0, gain);
    while high - low > STEP {
        let middle = (low + high + 1) / 2;
        if pos.see_ge(mv, middle) { low = middle } else { high = middle - 1 }
    }
    low
}

/// File and rank of a square, from 0.
fn place<P: SearchPosition>(square: usize) -> [i32; 2] {
    [(square / P::RANKS) as i32, (square % P::RANKS) as i32]
}

/// The distance in files or in ranks, whichever is larger.
fn distance<P: SearchPosition>(a: usize, b: usize) -> usize {
    let ([a, b], [c, d]) = (place::<P>(a), place::<P>(b));
    a.abs_diff(c).max(b.abs_diff(d)) as usize
}

/// Whether `middle` lies between two squares on a straight line.
fn between<P: SearchPosition>(a: usize, b: usize, middle: usize) -> bool {
    let ([af, ar], [bf, br], [mf, mr]) = (place::<P>(a), place::<P>(b), place::<P>(middle));
    let cross = (bf - af) * (mr - ar) - (br - ar) * (mf - af);
    let dot = (mf - af) * (mf - bf) + (mr - ar) * (mr - br);
    cross == 0 && dot < 0
}
