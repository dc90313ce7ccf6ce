//! What a line of the search gains and why it can: the line is played until no capture wins anything, and the first
//! gain that lasts is named.

use super::exchange::{exchange, victim_value};
use super::gain::{Cause, Fall, Placed, Price, Remedy, Target};
use super::material::{KING, WORTH};
use super::plain;
use super::tactics::{Tactic, tactics};
use sanban_rules::shogi::Kind;
use sanban_rules::shogi::attacks::attacks;
use sanban_rules::{AnyPosition, Board, Move, Position as _, Score, Symbol, VariantId};

/// Smallest gain that is named if there is no larger one, in centipawns: a pawn.
const PAWN: Score = 80;
/// The numbers of moves taken from the lines of the search. The ends of long lines are searched less deeply, and what is
/// won early can be given back there.
const HORIZONS: [usize; 3] = [6, 9, 14];
/// Longest line to a gain that is named, in moves: the number of moves that a sentence shows.
const SHOWN: usize = 7;
/// Longest line to the gain of a pawn that is named, in moves.
const SHORT: usize = 3;
/// Maximum number of captures that are added until the position is quiet.
const CAPTURES: usize = 8;

/// A line played until it is quiet, with the balance of material after every move.
struct Played {
    moves: Vec<Move>,
    /// The gains so far of the side that moves first minus those of the other, in centipawns.
    balance: Vec<Score>,
}

impl Played {
    fn new(pos: &AnyPosition, line: &[Move], longest: usize) -> Self {
        let mut pos = pos.clone();
        let (mut moves, mut balance, mut sum) = (Vec::new(), Vec::new(), 0);
        let mut captures = 0;
        loop {
            let next =
                line.get(moves.len()).filter(|&&mv| moves.len() < longest && pos.is_legal(mv)).copied();
            let Some(mv) = next.or_else(|| if captures < CAPTURES { winning(&mut pos) } else { None }) else {
                break;
            };
            captures += usize::from(next.is_none());
            let gain = if mv.is_pass() { 0 } else { pos.gain(mv) };
            sum += if moves.len() % 2 == 0 { gain } else { -gain };
            pos.play(mv);
            moves.push(mv);
            balance.push(sum);
            if pos.verdict().is_some() {
                break;
            }
        }
        Self { moves, balance }
    }

    /// The balance at the end for the side that moves first.
    fn end(&self) -> Score {
        self.balance.last().copied().unwrap_or(0)
    }

    /// The first move of the side that moves first (`own`) or of the other side that gains at least `least`, compared
    /// with `base`, for the rest of the line; and the gain that remains.
    fn gain(&self, own: bool, base: Score, least: Score) -> Option<(usize, Score)> {
        let sign = if own { 1 } else { -1 };
        let first = usize::from(!own);
        (first..self.moves.len())
            .step_by(2)
            .find_map(|at| {
                let kept = self.balance[at..].iter().map(|&sum| sign * sum).min()? - base;
                let before = at.checked_sub(1).map_or(0, |before| sign * self.balance[before]);
                (kept >= least && sign * self.balance[at] > before).then_some((at, kept))
            })
            .filter(|&(at, kept)| at + usize::from(own) <= if kept < WORTH { SHORT } else { SHOWN })
    }
}

/// The capture or promotion that wins the most, if one wins material.
fn winning(pos: &mut AnyPosition) -> Option<Move> {
    let mut best = None;
    for mv in pos.captures() {
        let gain = if pos.gain(mv) >= WORTH { exchange(pos, mv) } else { 0 };
        if (WORTH..KING).contains(&gain) && best.is_none_or(|(most, _)| gain > most) {
            best = Some((gain, mv));
        }
    }
    best.map(|(_, mv)| mv)
}

/// What two lines from a position show.
#[derive(Default)]
pub struct Comparison {
    /// What the opponent gains after the move, compared with the better line.
    pub falls: Option<Fall>,
    /// What the better line gains, compared with the move.
    pub misses: Option<Fall>,
}

/// Compares a move and its best answers with the best line instead. `threat`: the mate that the side to move has, if
/// there is one. Large gains, and among them the one in the shortest line, are preferred.
pub fn compare(
    pos: &AnyPosition,
    mv: Move,
    answer: &[Move],
    best: &[Move],
    threat: &mut dyn FnMut(&AnyPosition) -> Option<Vec<Move>>,
) -> Comparison {
    let found = HORIZONS.map(|longest| {
        let played = Played::new(pos, &[&[mv], answer].concat(), longest);
        compare_played(pos, mv, &played, &Played::new(pos, best, longest), threat)
    });
    let cost = |found: &Comparison| {
        let fall = found.falls.as_ref().or(found.misses.as_ref());
        fall.map_or((true, usize::MAX), |fall| (fall.target.gain < WORTH, fall.line.len()))
    };
    found.into_iter().min_by_key(cost).unwrap_or_default()
}

/// Compares two lines of about the same length.
fn compare_played(
    pos: &AnyPosition,
    mv: Move,
    played: &Played,
    better: &Played,
    threat: &mut dyn FnMut(&AnyPosition) -> Option<Vec<Move>>,
) -> Comparison {
    let taken = pos.gain_of(mv);
    let mut falls = |least| {
        let base = (-taken).max(-better.end());
        let (at, kept) = played.gain(false, base, least)?;
        Some(fall(pos, &played.moves, at, 1, kept, threat))
    };
    let falls_much = falls(WORTH);
    let falls_little = if falls_much.is_none() { falls(PAWN) } else { None };
    let mut misses = |least| {
        let (at, kept) = better.gain(true, played.end().max(0), least)?;
        Some(fall(pos, &better.moves, at, 0, kept, threat))
    };
    let misses = if falls_much.is_some() { None } else { misses(WORTH).or_else(|| misses(PAWN)) };
    // A large missed gain says more than a lost pawn.
    let large = misses.as_ref().is_some_and(|fall| fall.target.gain >= WORTH);
    Comparison { falls: falls_much.or(if large { None } else { falls_little }), misses }
}

/// Describes the gain made by the move number `at` of a line; the description begins with move number `from`.
fn fall(
    pos: &AnyPosition,
    moves: &[Move],
    at: usize,
    from: usize,
    kept: Score,
    threat: &mut dyn FnMut(&AnyPosition) -> Option<Vec<Move>>,
) -> Fall {
    let mut positions = vec![pos.clone()];
    for &mv in &moves[..=at] {
        let mut next = positions[positions.len() - 1].clone();
        next.play(mv);
        positions.push(next);
    }
    let (here, after, mv) = (&positions[at], &positions[at + 1], moves[at]);
    // Where the last capture alone does not explain the gain, the most valuable one of the line is named.
    let most = (0..=at)
        .filter(|number| {
            number % 2 == at % 2 && *number >= from && positions[*number].is_capture(moves[*number])
        })
        .max_by_key(|&number| victim_value(&positions[number], moves[number]));
    if let Some(most) = most.filter(|&most| {
        let value = |number: usize| victim_value(&positions[number], moves[number]);
        let little = here.gain_of(mv) + WORTH <= kept || here.gain_of(mv) < WORTH;
        most < at && little && value(most) >= WORTH.max(value(at))
    }) && let Some(piece) = positions[most].piece_on(moves[most].to())
    {
        let target = Target { piece, square: moves[most].to(), gain: kept };
        let line = moves[from..=at].to_vec();
        let cause = cause(&positions, moves, most, false, kept, threat);
        return Fall { line, target, promotes: false, price: Price::Later, cause };
    }
    let victim = here.piece_on(mv.to()).filter(|_| victim_value(here, mv) >= PAWN);
    let raised = !mv.is_drop() && mv.is_promotion() && here.gain_of(mv) - victim_value(here, mv) >= WORTH;
    let promotes = raised && victim_value(here, mv) < WORTH;
    let shown = if promotes { after.piece_on(mv.to()) } else { victim };
    let piece = shown.or_else(|| after.piece_on(mv.to()));
    let unknown = Symbol { color: here.side(), letter: 'P', promoted: false };
    let target = Target { piece: piece.unwrap_or(unknown), square: mv.to(), gain: kept };
    let answered = moves.get(at + 1).filter(|answer| !answer.is_pass() && answer.to() == mv.to());
    let price = match answered.and_then(|_| after.piece_on(mv.to())) {
        Some(taken) if victim_value(after, moves[at + 1]) >= PAWN && !promotes => {
            Price::Piece(Symbol { promoted: false, ..taken })
        }
        _ if here.gain_of(mv) - kept >= WORTH => Price::Later,
        _ => Price::Nothing,
    };
    let cause = cause(&positions, moves, at, promotes, kept, threat);
    Fall { line: moves[from..=at].to_vec(), target, promotes, price, cause }
}

/// Why the gain of move number `at` is possible.
fn cause(
    positions: &[AnyPosition],
    moves: &[Move],
    at: usize,
    promotes: bool,
    kept: Score,
    threat: &mut dyn FnMut(&AnyPosition) -> Option<Vec<Move>>,
) -> Option<Cause> {
    let (here, mv) = (&positions[at], moves[at]);
    if let Some(pinned) = pinned_guard(here, mv) {
        return Some(Cause::Pinned(pinned));
    }
    let shown = || shown_by_itself(here, mv, moves.get(at + 1).copied());
    let Some(&reply) = at.checked_sub(1).and_then(|before| moves.get(before)) else { return shown() };
    let before = &positions[at - 1];
    if at < 2 {
        return own_fault(before, here, reply, mv, kept).or_else(shown);
    }
    let (start, first) = (&positions[at - 2], moves[at - 2]);
    let found = if first.is_pass() {
        Vec::new()
    } else if start.variant() == VariantId::Shogi {
        let mut previous = start.clone();
        let known = start.last_move().is_some();
        if known {
            previous.undo();
        }
        tactics(start, known.then_some(&previous), first)
    } else {
        plain::tactics(start, first)
    };
    let by = here.piece_on(if mv.is_drop() { mv.to() } else { mv.from() });
    let moved_by_first = !first.is_pass() && !mv.is_drop() && first.to() == mv.from();
    // The square on which the piece stood before the reply.
    let stood =
        if !reply.is_pass() && reply.to() == mv.to() && !reply.is_drop() { reply.from() } else { mv.to() };
    for tactic in &found {
        match tactic {
            Tactic::Fork { squares } if moved_by_first && squares.contains(&stood) => {
                let pieces = squares.iter().filter_map(|&at| Some((before.piece_on(at)?, at))).collect();
                return Some(Cause::Fork(by?, pieces));
            }
            Tactic::Discovered { from, to } if *to == stood && !mv.is_drop() && mv.from() == *from => {
                return Some(Cause::Discovered(by?));
            }
            Tactic::Pin { square, .. } if *square == stood => return Some(Cause::Pin),
            Tactic::DanglingPawn | Tactic::JoiningPawn if moved_by_first => {
                return Some(Cause::PawnDrop(tactic.id()));
            }
            _ => {}
        }
    }
    if promotes && is_unstoppable(before, mv) {
        return Some(Cause::Unstoppable);
    }
    if before.in_check() {
        return Some(Cause::Check);
    }
    if start.is_legal(mv)
        && !first.is_pass()
        && start.is_capture(first)
        && guards(start, mv).contains(&first.to())
    {
        return Some(Cause::GuardTaken((start.piece_on(first.to())?, first.to())));
    }
    let mut passed = before.clone();
    passed.make_null();
    if passed.is_legal(mv)
        && !reply.is_drop()
        && !reply.is_pass()
        && guards(&passed, mv).contains(&reply.from())
        && !guards(here, mv).contains(&reply.to())
    {
        return Some(Cause::Deflected(before.piece_on(reply.from())?));
    }
    if !promotes && is_trapped(before, &mut passed, stood) {
        return Some(Cause::Trapped);
    }
    if threat(&passed).is_some() {
        return Some(Cause::MateThreat);
    }
    // The first move attacks the piece, which was safe before.
    let mut start = start.clone();
    let attacked = !promotes
        && passed.is_legal(mv)
        && exchange(&mut passed, mv) >= WORTH
        && !(start.is_legal(mv) && exchange(&mut start, mv) >= WORTH);
    if attacked && passed.is_capture(mv) {
        return Some(Cause::Attacked);
    }
    guard_left_before(positions, moves, at).or_else(shown)
}

/// The piece moved by the first move of a line, if it protected the square of the opponent's capture before and would
/// be the only protector now.
fn guard_left_before(positions: &[AnyPosition], moves: &[Move], at: usize) -> Option<Cause> {
    let (played, here, mv) = (moves[0], &positions[at], moves[at]);
    if at.is_multiple_of(2) || played.is_pass() || played.is_drop() || !guards(here, mv).is_empty() {
        return None;
    }
    let (Board::Shogi(start), Board::Shogi(now)) = (positions[0].board(), here.board()) else { return None };
    let (us, piece) = (start.side(), start.piece_on(played.from())?);
    let protected = start.attackers(us, mv.to(), start.occupied()).has(played.from());
    let stayed = now.piece_on(played.to()).is_some_and(|(color, _)| color == us);
    let reaches = attacks(us, piece.1, played.from(), now.occupied()).has(mv.to());
    let left = protected && stayed && reaches && played.to() != mv.to();
    if left { positions[0].piece_on(played.from()).map(Cause::Unguarded) } else { None }
}

/// Why a capture or promotion gains something, seen from it alone: nothing protects the square, it comes with check or
/// attacks another piece, or what takes back is taken in turn. `next`: the next move.
fn shown_by_itself(here: &AnyPosition, mv: Move, next: Option<Move>) -> Option<Cause> {
    let mut after = here.clone();
    after.play(mv);
    let takes_back = |pos: &AnyPosition| pos.captures().into_iter().find(|answer| answer.to() == mv.to());
    let Some(answer) = takes_back(&after) else { return Some(Cause::Loose) };
    if next.is_none_or(|next| next.is_pass() || next.to() != mv.to()) {
        if after.in_check() {
            return Some(Cause::Checks);
        }
        let old = here.captures();
        let is_new = |to| mv.is_drop() || !old.iter().any(|old| old.from() == mv.from() && old.to() == to);
        let mut passed = after.clone();
        passed.make_null();
        let attacked = passed
            .captures()
            .into_iter()
            .filter(|capture| capture.from() == mv.to() && is_new(capture.to()))
            .map(|capture| (exchange(&mut passed, capture), capture.to()))
            .filter(|(gain, _)| (WORTH..KING).contains(gain))
            .max();
        if let Some((_, square)) = attacked {
            return Some(Cause::AlsoAttacks((after.piece_on(square)?, square)));
        }
    }
    if exchange(&mut here.clone(), mv) < PAWN {
        return None;
    }
    after.play(answer);
    let by = takes_back(&after)?.from();
    Some(Cause::Supported((after.piece_on(by)?, by)))
}

/// How a move allows the immediate capture `mv`. `before`, `here`: the positions before and after the move.
fn own_fault(before: &AnyPosition, here: &AnyPosition, played: Move, mv: Move, kept: Score) -> Option<Cause> {
    if !played.is_pass() && played.to() == mv.to() {
        return here.is_capture(mv).then_some(Cause::Placed);
    }
    if before.in_check() || played.is_pass() {
        return None;
    }
    let mut passed = before.clone();
    passed.make_null();
    if !passed.is_legal(mv) {
        let opened =
            !mv.is_drop() && !played.is_drop() && is_between(before, mv.from(), mv.to(), played.from());
        return if opened { before.piece_on(mv.from()).map(Cause::Opened) } else { None };
    }
    let threatened = exchange(&mut passed, mv);
    if threatened > 0 && threatened >= kept - WORTH {
        return Some(Cause::Ignored);
    }
    let (old, new) = (guards(&passed, mv), guards(here, mv));
    if !played.is_drop() && old.contains(&played.from()) && !new.contains(&played.to()) {
        return before.piece_on(played.from()).map(Cause::Unguarded);
    }
    let blocked =
        old.iter().find(|&&guard| !new.contains(&guard) && is_between(before, guard, mv.to(), played.to()));
    match blocked.and_then(|&guard| before.piece_on(guard)) {
        Some(guard) => Some(Cause::Blocked(guard)),
        None => (threatened >= WORTH).then_some(Cause::Ignored),
    }
}

/// The squares of the pieces that could take back after a capture.
fn guards(pos: &AnyPosition, capture: Move) -> Vec<usize> {
    let mut after = pos.clone();
    after.play(capture);
    let answers = after.captures().into_iter().filter(|answer| answer.to() == capture.to());
    answers.map(Move::from).collect()
}

/// A piece of shogi that protects the square of a capture but must shield its king, if no piece can take back.
fn pinned_guard(pos: &AnyPosition, capture: Move) -> Option<Placed> {
    let mut after = pos.clone();
    after.play(capture);
    if after.in_check() || after.captures().into_iter().any(|answer| answer.to() == capture.to()) {
        return None;
    }
    let Board::Shogi(board) = after.board() else { return None };
    let attackers = board.attackers(board.side(), capture.to(), board.occupied());
    let pinned =
        attackers.into_iter().find(|&at| board.piece_on(at).is_some_and(|(_, kind)| kind != Kind::King))?;
    Some((after.piece_on(pinned)?, pinned))
}

/// Returns whether every reply leaves the promotion possible without loss.
fn is_unstoppable(pos: &AnyPosition, promotion: Move) -> bool {
    let mut here = pos.clone();
    pos.legal_moves().into_iter().all(|reply| {
        here.play(reply);
        let stays = here.is_legal(promotion) && exchange(&mut here, promotion) >= WORTH;
        here.undo();
        stays
    })
}

/// Returns whether a piece is attacked and every move of it loses material. `passed`: the position after a pass.
fn is_trapped(pos: &AnyPosition, passed: &mut AnyPosition, square: usize) -> bool {
    let loses = |pos: &mut AnyPosition, square: usize, gained: Score| {
        let captures = pos.captures().into_iter().filter(|capture| capture.to() == square);
        captures.into_iter().any(|capture| exchange(pos, capture) - gained >= WORTH)
    };
    if pos.in_check() || !loses(passed, square, 0) {
        return false;
    }
    let mut here = pos.clone();
    let steps = pos
        .legal_moves()
        .into_iter()
        .filter(|step| !step.is_pass() && !step.is_drop() && step.from() == square);
    steps.into_iter().all(|step| {
        let gained = here.gain(step);
        here.play(step);
        let lost = loses(&mut here, step.to(), gained);
        here.undo();
        lost
    })
}

/// Returns whether a square lies between two others on a line. Cannons of Janggi need a piece there, so that their lines
/// do not count.
fn is_between(pos: &AnyPosition, a: usize, b: usize, square: usize) -> bool {
    if pos.piece_on(a).is_some_and(|piece| pos.variant().is_janggi() && piece.letter == 'C') {
        return false;
    }
    let ranks = pos.size().1 as isize;
    let at = |square: usize| (square as isize / ranks, square as isize % ranks);
    let step = |(f, r): (isize, isize), (g, s): (isize, isize)| (g - f, s - r);
    let (whole, part) = (step(at(a), at(b)), step(at(a), at(square)));
    let straight = whole.0 == 0 || whole.1 == 0 || whole.0.abs() == whole.1.abs();
    let length = |(f, r): (isize, isize)| f.abs().max(r.abs());
    let same_way =
        whole.0 * length(part) == part.0 * length(whole) && whole.1 * length(part) == part.1 * length(whole);
    straight && same_way && (1..length(whole)).contains(&length(part))
}

/// The gain of any move, a pass included.
trait GainOf {
    fn gain_of(&self, mv: Move) -> Score;
}

impl GainOf for AnyPosition {
    fn gain_of(&self, mv: Move) -> Score {
        if mv.is_pass() { 0 } else { self.gain(mv) }
    }
}

/// What `best` does about the gain of the opponent that `mv` allows.
pub fn remedy(pos: &AnyPosition, mv: Move, best: Move, fall: &Fall) -> Remedy {
    if best.is_pass() {
        return Remedy::Avoids;
    }
    let (answer, last) = (fall.line[0], fall.line[fall.line.len() - 1]);
    if fall.line.len() == 1
        && !answer.is_pass()
        && !answer.is_drop()
        && best.to() == answer.from()
        && let Some(piece) = pos.piece_on(best.to())
    {
        return Remedy::Takes((piece, best.to()));
    }
    let own = pos.side();
    let stood = if !mv.is_pass() && !mv.is_drop() && mv.to() == last.to() { mv.from() } else { last.to() };
    if !best.is_drop() && best.from() == stood && !fall.promotes {
        let mut moved = pos.clone();
        moved.play(best);
        let taken = moved.captures().into_iter().filter(|capture| capture.to() == best.to());
        let safe = taken.into_iter().all(|capture| exchange(&mut moved, capture) <= 0);
        if let Some(piece) = pos.piece_on(stood).filter(|piece| safe && piece.color == own) {
            return Remedy::Leaves(piece);
        }
    }
    let mut after = pos.clone();
    after.play(best);
    if !after.is_legal(answer) {
        return Remedy::Prevents;
    }
    if fall.line.len() == 1
        && after.is_capture(answer)
        && exchange(&mut after, answer) < WORTH.min(fall.target.gain)
    {
        return match after.piece_on(answer.to()) {
            Some(piece) if guards(&after, answer).contains(&best.to()) => {
                Remedy::Guards((piece, answer.to()))
            }
            _ => Remedy::Defuses,
        };
    }
    Remedy::Avoids
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a move loses, and what it misses: the gain, the cause and the length of the line.
    fn compared(
        sfen: &str,
        mv: &str,
        answer: &str,
        best: &str,
    ) -> [Option<(String, &'static str, usize)>; 2] {
        let pos = AnyPosition::parse(VariantId::Shogi, sfen).expect("a position");
        let line = |start: &AnyPosition, text: &str| {
            let mut pos = start.clone();
            text.split(' ')
                .map(|text| {
                    let mv = pos.parse_usi(text).unwrap_or_else(|| panic!("{text} is not legal"));
                    pos.play(mv);
                    mv
                })
                .collect::<Vec<_>>()
        };
        let mv = line(&pos, mv)[0];
        let mut after = pos.clone();
        after.play(mv);
        let found = compare(&pos, mv, &line(&after, answer), &line(&pos, best), &mut |_| None);
        [found.falls, found.misses].map(|fall| {
            let fall = fall?;
            let square = pos.square(fall.target.square).to_string();
            Some((square, fall.cause.as_ref().map_or("", Cause::word), fall.line.len()))
        })
    }

    #[test]
    fn the_first_lasting_gain_of_a_game_is_named() {
        // The lance is attacked on both sides; what happens later does not matter.
        let lance = "1n1gk1snl/1r4gb1/2pppp2p/6RP1/lp7/2P6/PPSPPPP1P/p1GB5/1N2K1G1L w SLPsnp 34";
        let [falls, _] = compared(lance, "P*3c", "3d9d S*9c 9d9e", "N*2g 3i2i S*4d L*2h 2g1i+ 2i1i");
        assert_eq!(falls, Some(("9e".into(), "trapped", 3)));
        // A check on the king comes before the capture of the gold.
        let gold = "+N2g3nl/1P2rkg2/1+P2ppsp1/1S1p2p1p/L1Pn5/+b1pS1PP1P/3PPSN2/2GK1G3/7RL b L3Pb 97";
        let [falls, _] = compared(gold, "L*6c", "B*8f 6h5h 9f7h 4g5f 8f6h+ 5h4g", "L*7i 9f7h");
        assert_eq!(falls, Some(("7h".into(), "check", 3)));
        // The gold closes the line of the rook, which protects the silver.
        let silver = "1n1gk3+L/1r3s+S2/2p+Rpp+N1p/5bpg1/1p5s1/2P6/+lPSPPPP1P/2GB5/1+p2K1G1L w L2P2n2p 54";
        let [falls, _] = compared(silver, "6a6b", "3b4b", "4d3c 3b3c");
        assert_eq!(falls, Some(("4b".into(), "guard-blocked", 1)));
    }

    #[test]
    fn a_capture_or_promotion_may_explain_itself() {
        let one = |sfen, mv, answer, best| {
            let [falls, misses] = compared(sfen, mv, answer, best);
            falls.or(misses).map(|(square, cause, _)| (square, cause))
        };
        let named = |square: &str, cause| Some((square.to_string(), cause));
        // The gold that could have protected 8g went the other way.
        let rook = "lnsgkg1nl/1r3s1b1/p1pppp1pp/6p2/1p7/2P4P1/PPSPPPP1P/1B5R1/LN1GKGSNL b - 9";
        let line = "8e8f 8g8f 8b8f 6g6f 8f8g+";
        assert_eq!(one(rook, "4i5h", line, "6i7h 6c6d"), named("8g", "unprotected"));
        // The silver may take the tokin, but the rook takes back.
        let tokin = "4k4/9/9/9/9/9/5Sp2/7r1/K8 w - 1";
        assert_eq!(one(tokin, "5a6a", "4g4f", "3g3h+ 4g4f"), named("3h", "supported"));
        // The pawn is protected, but its protector is attacked.
        let pawn = "l4g1nl/4rgk2/ppnp2sp1/2ps1pp1p/4p1P2/2PG1G1+B1/PPNPPPNPP/2RS1KS2/L7L w b 36";
        assert_eq!(one(pawn, "4b4c", "3e3d 3c2d 2f3f", "3d3e 2f3e P*3d"), named("3d", "also-attacks"));
        let knight = "ln7/3Sn1+R2/1pp3sp1/4p1k2/5ppn1/p1P6/1P2PPPPL/4G1SK1/L4G3 b GL3Pbgsn2p 78";
        let best = "G*2f 2e1g+ 2h1g G*2b 3b5b";
        assert_eq!(one(knight, "3b5b", "2e1g+ 2h3i", best), named("1g", "with-check"));
        // Pawns that are dropped to promote, and to open a file.
        let dangling = "lnsgk1snl/6gb1/pppppp2p/6R2/9/9/PPPPPPP1P/1B7/LNSGKGSNL b Pr 1";
        assert_eq!(one(dangling, "1g1f", "9c9d", "P*2d 9c9d 2d2c+ 1c1d"), named("2c", "dangling-pawn"));
    }

    /// The piece that moved had protected the square, which is captured on only later.
    #[test]
    fn a_guard_that_has_left_is_named_later() {
        let gold = "4k4/9/9/9/1p7/9/9/1G7/6K2 b - 1";
        let [falls, _] = compared(gold, "8h8i", "8e8f 3i4i 8f8g+", "3i4i 5a4a 4i5i");
        assert_eq!(falls, Some(("8g".into(), "guard-left", 3)));
    }

    #[test]
    fn a_pawn_at_the_end_of_a_line_explains_nothing() {
        let pawn = "lr5nl/1P1g1kg2/+P2sppsp1/3p2p1p/2Pn5/1+b1S1PP1P/3PPSN2/2GK1G3/LN5RL b B2P2p 61";
        assert_eq!(compared(pawn, "8i7g", "8a7a 6h5h", "6h5h 8a4a B*8c P*9h 9i9h"), [None, None]);
        // It may explain a loss where it is captured at once; it was not attacked before.
        let near = "4k4/9/9/9/4r4/9/4P4/3K5/9 b - 1";
        assert_eq!(compared(near, "5g5f", "5e5f", "6h5h"), [Some(("5f".into(), "placed", 1)), None]);
    }
}
