//! Facts about a move, each verified before it is stated: by the rules, by exchanges played out, by the mate solver, or by
//! the search.

use super::Teach;
use super::exchange::{captures, exchange};
use super::proof::Proof;
use super::tactics::Tactic;
use sanban_engine::mate::{MateLimits, MateOutcome, Workspace};
use sanban_rules::{Move, MoveList, Position, Score, SearchPosition, Square, Symbol, Verdict};

/// Smallest gain of an exchange that is mentioned, in centipawns.
pub const WORTH: Score = 150;
/// Longest threat of mate that is mentioned, in plies.
const LONGEST_THREAT: usize = 5;
/// A victim worth this much or more is a king.
const KING: Score = 4_000;
/// Memory for the mate solver, in megabytes.
const MEMORY: usize = 16;

/// A piece on a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target {
    /// The piece.
    pub piece: Symbol,
    /// The number of the piece's square.
    pub square: usize,
    /// The gain of the exchange that starts with the capture of the piece, in centipawns.
    pub gain: Score,
}

/// A fact about a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fact {
    /// The move ends the game: mate, or a win by the rules.
    Ends,
    /// The move ends the game in a draw.
    Draws,
    /// After the move, the opponent wins by the rules.
    Loses,
    /// The move starts a mate.
    Mates {
        /// The mate, this move first.
        line: Vec<Move>,
    },
    /// If the opponent passed, there would be a mate.
    ThreatensMate {
        /// The mate after the pass.
        line: Vec<Move>,
    },
    /// The move wins material by capturing.
    Wins(Target),
    /// The move captures a piece that has just captured a piece of about the same value.
    Recaptures(Target),
    /// The move captures a piece that the opponent offered.
    Accepts(Target),
    /// The move exchanges pieces of about the same value.
    Exchanges {
        /// The moved piece.
        own: Symbol,
        /// The captured piece.
        target: Target,
    },
    /// The piece promotes without loss, which gains more than what it captures.
    Promotes(Target),
    /// If the opponent passed, a piece could be won that could not be won before.
    Threatens {
        /// The piece that could be captured.
        target: Target,
        /// The capturing move.
        by: Move,
    },
    /// If the opponent passed, a piece could promote without loss, which could not before or is the piece that moved.
    ThreatensPromotion {
        /// The promotion.
        by: Move,
        /// The gain in centipawns.
        gain: Score,
    },
    /// A piece that the opponent could have won can no longer be won.
    Saves {
        /// The piece.
        target: Target,
        /// The capture that would have won it.
        by: Move,
    },
    /// The move is an example of a tactic.
    Tactic(Tactic),
    /// The move misses a mate.
    Missed {
        /// The mate.
        line: Vec<Move>,
    },
    /// The move mates later than possible.
    Slower {
        /// The shorter mate.
        line: Vec<Move>,
    },
    /// The opponent can mate now.
    AllowsMate {
        /// The mate.
        line: Vec<Move>,
    },
    /// The best answer wins a piece.
    Hangs {
        /// The piece.
        target: Target,
        /// The answer.
        by: Move,
    },
    /// The best answer has a merit.
    Allows {
        /// The answer, and the line of the merit.
        line: Vec<Move>,
        /// The merit of the answer.
        merit: Box<Self>,
    },
    /// The search found a better line.
    Better {
        /// The line.
        line: Vec<Move>,
    },
    /// The search found an answer after which the win rate is lower.
    Refuted {
        /// The answer and its continuation.
        line: Vec<Move>,
        /// The best line instead of the move; empty if other facts speak for it.
        best: Vec<Move>,
        /// The loss of win rate in percentage points, rounded.
        loss: u32,
    },
}

impl Fact {
    /// How the fact was verified.
    #[must_use]
    pub const fn proof(&self) -> Proof {
        match self {
            Self::Ends | Self::Draws | Self::Loses => Proof::Rules,
            Self::Mates { .. }
            | Self::ThreatensMate { .. }
            | Self::Missed { .. }
            | Self::Slower { .. }
            | Self::AllowsMate { .. } => Proof::Mate,
            Self::Wins(_)
            | Self::Recaptures(_)
            | Self::Accepts(_)
            | Self::Exchanges { .. }
            | Self::Promotes(_)
            | Self::Threatens { .. }
            | Self::ThreatensPromotion { .. }
            | Self::Saves { .. }
            | Self::Hangs { .. } => Proof::Exchange,
            Self::Tactic(tactic) => tactic.proof(),
            // No recursion: a merit of an answer is never itself `Allows`.
            Self::Allows { merit, .. } => match **merit {
                Self::ThreatensMate { .. } => Proof::Mate,
                _ => Proof::Exchange,
            },
            Self::Better { .. } | Self::Refuted { .. } => Proof::Search,
        }
    }

    /// The keyword for the fact in data files.
    #[must_use]
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Ends => "ends",
            Self::Draws => "draws",
            Self::Loses => "loses",
            Self::Mates { .. } => "mates",
            Self::ThreatensMate { .. } => "threatens-mate",
            Self::Wins(_) => "wins",
            Self::Recaptures(_) => "recaptures",
            Self::Accepts(_) => "accepts",
            Self::Exchanges { .. } => "exchanges",
            Self::Promotes(_) => "promotes",
            Self::Threatens { .. } => "threatens",
            Self::ThreatensPromotion { .. } => "threatens-promotion",
            Self::Saves { .. } => "saves",
            Self::Tactic(tactic) => tactic.id(),
            Self::Missed { .. } => "missed",
            Self::Slower { .. } => "slower",
            Self::AllowsMate { .. } => "allows-mate",
            Self::Hangs { .. } => "hangs",
            Self::Allows { merit, .. } => match **merit {
                Self::ThreatensMate { .. } => "allows-threat",
                Self::Promotes(_) => "allows-promotion",
                Self::Tactic(Tactic::Skewer { .. }) => "allows-skewer",
                Self::Tactic(_) => "allows-fork",
                _ => "allows-gain",
            },
            Self::Better { .. } => "better",
            Self::Refuted { .. } => "refuted",
        }
    }

    /// The line of the fact. The line of a threat begins after the pass, and the opponent's line begins after the move.
    #[must_use]
    pub fn line(&self) -> &[Move] {
        match self {
            Self::Mates { line }
            | Self::ThreatensMate { line }
            | Self::Missed { line }
            | Self::Slower { line }
            | Self::AllowsMate { line }
            | Self::Allows { line, .. }
            | Self::Better { line }
            | Self::Refuted { line, .. } => line,
            Self::Threatens { by, .. }
            | Self::ThreatensPromotion { by, .. }
            | Self::Saves { by, .. }
            | Self::Hangs { by, .. } => std::slice::from_ref(by),
            _ => &[],
        }
    }

    /// The piece concerned.
    #[must_use]
    pub const fn target(&self) -> Option<Target> {
        match self {
            Self::Wins(target)
            | Self::Recaptures(target)
            | Self::Accepts(target)
            | Self::Promotes(target) => Some(*target),
            Self::Exchanges { target, .. }
            | Self::Threatens { target, .. }
            | Self::Saves { target, .. }
            | Self::Hangs { target, .. } => Some(*target),
            Self::Allows { merit, .. } => match **merit {
                Self::Wins(target) | Self::Promotes(target) => Some(target),
                _ => None,
            },
            _ => None,
        }
    }
}

/// The search result for a move that was played.
#[derive(Clone, Copy, Debug)]
pub struct Found<'a> {
    /// The loss of win rate, in percentage points.
    pub loss: f64,
    /// The part of the loss that searches of neighbouring positions confirm.
    pub confirmed: f64,
    /// Number of nodes searched.
    pub nodes: u64,
    /// The best line after the move, for the opponent.
    pub answer: &'a [Move],
    /// The best line instead of the move; empty if other facts speak for it.
    pub best: &'a [Move],
}

impl Found<'_> {
    /// The better line, if there is one and the search is deep enough to be trusted.
    #[must_use]
    pub fn better(&self) -> Option<Fact> {
        let trusted = self.confirmed >= BETTER && self.nodes >= DEEP && !self.best.is_empty();
        trusted.then(|| Fact::Better { line: self.best.to_vec() })
    }
}

/// Smallest loss of a move that needs a reason, in percentage points.
pub const BAD: f64 = 10.0;
/// Smallest loss that is stated on the evidence of the search alone, in percentage points, and the smallest part of it
/// that must be confirmed. A deeper search often finds less than half of a smaller loss.
const SURE: f64 = 20.0;
const CONFIRMED: f64 = 15.0;
/// Smallest confirmed part of a loss after which a better line is shown, in percentage points.
const BETTER: f64 = 5.0;
/// Smallest number of nodes of a search that is trusted without other evidence. Searches of 100,000 nodes did not
/// confirm one in six of the losses found with 10,000 nodes.
const DEEP: u64 = 100_000;

/// The search confirms the loss of a piece if the score drops by at least its value divided by this number.
pub const CONFIRMING: Score = 3;

/// Finds reasons for and against moves; owns the memory of the mate solver.
pub struct Teacher {
    workspace: Workspace,
    /// Node limit of a mate search.
    pub mate_nodes: u64,
    /// The last result of `available`, which several facts need.
    available: Option<Available>,
}

/// The game, key and node limit of a search for a mate, and its result.
type Available = ((&'static str, u64, u64), Option<Vec<Move>>);

impl Default for Teacher {
    /// By default, a mate search is limited to a few thousand nodes.
    fn default() -> Self {
        Self { workspace: Workspace::default(), mate_nodes: 5_000, available: None }
    }
}

impl Teacher {
    /// The merits of a legal move. `previous`: the position before the last move, if known.
    pub fn merits<G: Teach>(
        &mut self,
        pos: &G::Position,
        previous: Option<&G::Position>,
        mv: Move,
    ) -> Vec<Fact> {
        let mut before = pos.clone();
        let mut after = pos.clone();
        after.make(mv, &mut ());
        if let Some(fact) = end(&after) {
            return vec![fact];
        }
        // In Dobutsu shogi, a move may leave the lion to be captured; then nothing else matters.
        if captures(&after).iter().any(|&answer| after.gain(answer) >= KING) {
            return Vec::new();
        }
        // If the move starts a mate, nothing else matters.
        if let Some(line) = self.mate_by::<G>(pos, mv) {
            return vec![Fact::Mates { line }];
        }
        // Whether the opponent gains by capturing the piece.
        let hangs = !mv.is_pass()
            && captures(&after)
                .into_iter()
                .any(|answer| answer.to() == mv.to() && exchange(&mut after, answer) > 0);
        // After a check, and in answer to one, new threats cannot be told from old ones.
        let threatens = !after.in_check() && !before.in_check();
        let mut out = Vec::new();
        if threatens {
            out.extend(self.threatened_mate::<G>(pos, &after, mv, hangs));
        }
        let lost = previous.and_then(|previous| just_lost(previous, pos, mv));
        let capture = capture(&mut before, &after, mv, lost, hangs);
        let captures = capture.is_some();
        out.extend(capture);
        out.extend(G::tactics(pos, previous, mv).into_iter().map(Fact::Tactic));
        if !mv.is_pass() && !captures {
            out.extend(saves(&mut before, &mut after, mv));
        }
        if threatens {
            after.make_null();
            let idle = hangs.then_some(mv.to());
            out.extend(
                threat(&mut before, &mut after, idle)
                    .or_else(|| if hangs { None } else { promotion(&mut after, mv) }),
            );
            after.unmake_null();
        }
        without_repetitions(out)
    }

    /// The mate that a legal move threatens. A position with a mate contains no threat, and neither does a piece that
    /// will be captured (`hangs`).
    fn threatened_mate<G: Teach>(
        &mut self,
        pos: &G::Position,
        after: &G::Position,
        mv: Move,
        hangs: bool,
    ) -> Option<Fact> {
        let mut passed = after.clone();
        passed.make_null();
        let line = self.mate::<G>(&passed).filter(|line| line.len() <= LONGEST_THREAT)?;
        let idle = hangs && !line[0].is_drop() && line[0].from() == mv.to();
        (!idle && self.available::<G>(pos).is_none()).then_some(Fact::ThreatensMate { line })
    }

    /// The faults of a legal move that the search found to be bad.
    pub fn faults<G: Teach>(&mut self, pos: &G::Position, mv: Move, found: Found) -> Vec<Fact> {
        let mut after = pos.clone();
        after.make(mv, &mut ());
        let mut out: Vec<Fact> = self.missed_mate::<G>(pos, mv).into_iter().collect();
        if let Some(fact) = end(&after).or_else(|| self.allowed_mate::<G>(pos, mv)) {
            out.push(fact);
            return out;
        }
        // In Dobutsu shogi, a move may leave the lion to be captured.
        if let Some(by) = captures(&after).into_iter().find(|&answer| after.gain(answer) >= KING) {
            out.extend(target_of(&mut after, by).map(|target| Fact::Hangs { target, by }));
            return out;
        }
        let Some(&answer) = found.answer.first().filter(|&&answer| after.is_legal(answer)) else {
            return out;
        };
        out.extend(hangs(pos, &mut after, mv, answer).map(|(fact, _)| fact));
        if out.is_empty() {
            out.extend(self.allowed::<G>(pos, &after, answer));
        }
        if found.loss >= SURE && found.confirmed >= CONFIRMED && found.nodes >= DEEP {
            let loss = found.loss.round() as u32;
            out.push(Fact::Refuted { line: found.answer.to_vec(), best: found.best.to_vec(), loss });
        }
        out
    }

    /// The merit of the best answer to a move, if it is one that explains a loss.
    fn allowed<G: Teach>(&mut self, pos: &G::Position, after: &G::Position, answer: Move) -> Option<Fact> {
        let merits = self.merits::<G>(after, Some(pos), answer);
        let merit = merits.into_iter().find(|merit| {
            matches!(
                merit,
                Fact::ThreatensMate { .. }
                    | Fact::Wins(_)
                    | Fact::Promotes(_)
                    | Fact::Tactic(Tactic::Fork { .. } | Tactic::Skewer { .. })
            )
        })?;
        Some(Fact::Allows { line: [&[answer], merit.line()].concat(), merit: Box::new(merit) })
    }

    /// The piece that the best answer to a legal move wins, if the loss matters even in a decided game and `best`
    /// avoids it. `dropped`: the drop in the mover's score caused by the move, in centipawns.
    #[must_use]
    pub fn given_away<G: Teach>(
        pos: &G::Position,
        mv: Move,
        best: Move,
        answer: Move,
        dropped: Score,
    ) -> Option<Fact> {
        if best == mv || dropped < G::WEIGHTY / CONFIRMING {
            return None;
        }
        let mut after = pos.clone();
        after.make(mv, &mut ());
        if !after.is_legal(answer) {
            return None;
        }
        let (fact, lost) = hangs(pos, &mut after, mv, answer)?;
        if lost < G::WEIGHTY || dropped < lost / CONFIRMING {
            return None;
        }
        after.unmake();
        after.make(best, &mut ());
        let net = |target: Target| target.gain - regained(pos, best, target.square);
        let anyway = prey(&mut after).into_iter().map(|(target, _)| net(target)).max();
        anyway.is_none_or(|anyway| anyway <= lost - WORTH).then_some(fact)
    }

    /// The mate that a legal move misses: the position has a mate, but this move does not mate.
    pub fn missed_mate<G: Teach>(&mut self, pos: &G::Position, mv: Move) -> Option<Fact> {
        let line = self.available::<G>(pos)?;
        let mut after = pos.clone();
        after.make(mv, &mut ());
        let misses = line[0] != mv && !wins_at_once(&after) && self.mate_by::<G>(pos, mv).is_none();
        misses.then_some(Fact::Missed { line })
    }

    /// The mate that a legal move allows, if it is proven.
    pub fn allowed_mate<G: Teach>(&mut self, pos: &G::Position, mv: Move) -> Option<Fact> {
        let mut after = pos.clone();
        after.make(mv, &mut ());
        self.mate::<G>(&after).map(|line| Fact::AllowsMate { line })
    }

    /// A mate that begins with this move, against the longest defence.
    fn mate_by<G: Teach>(&mut self, pos: &G::Position, mv: Move) -> Option<Vec<Move>> {
        if !pos.gives_check(mv) {
            return None;
        }
        let shortest = self.available::<G>(pos)?;
        if shortest[0] == mv {
            return Some(shortest);
        }
        // There is a mate, but perhaps not by this move: there must be a mate after every answer.
        let mut after = pos.clone();
        after.make(mv, &mut ());
        let mut longest = Vec::new();
        for answer in after.legal_moves() {
            after.make(answer, &mut ());
            let rest = self.mate::<G>(&after);
            after.unmake();
            let rest = rest?;
            if rest.len() + 2 > longest.len() {
                longest = [&[mv, answer][..], &rest].concat();
            }
        }
        (!longest.is_empty()).then_some(longest)
    }

    /// Like `mate`, but keeps the last result; for the position before a move.
    fn available<G: Teach>(&mut self, pos: &G::Position) -> Option<Vec<Move>> {
        let asked = (G::NAME, pos.key(), self.mate_nodes);
        if let Some((known, line)) = &self.available
            && *known == asked
        {
            return line.clone();
        }
        let line = self.mate::<G>(pos);
        self.available = Some((asked, line.clone()));
        line
    }

    /// A mate by the side to move, proven by the solver; in games without a solver, a mate in one or three.
    fn mate<G: Teach>(&mut self, pos: &G::Position) -> Option<Vec<Move>> {
        let Some(solve) = G::mate_solver() else { return short_mate(&mut pos.clone()) };
        let limits = MateLimits {
            time: None,
            nodes: Some(self.mate_nodes),
            memory: MEMORY,
            threads: 1,
            shortest: true,
        };
        match solve(&mut self.workspace, pos, &limits, &()) {
            MateOutcome::Mate(line) if !line.is_empty() => Some(line),
            _ => None,
        }
    }
}

/// The end of the game, if the last move was the last one.
fn end<P: SearchPosition>(pos: &P) -> Option<Fact> {
    let verdict = match pos.verdict(0) {
        None if pos.count() == 0 => Some(pos.verdict_without_moves()),
        verdict => verdict,
    };
    match verdict? {
        Verdict::Loss => Some(Fact::Ends),
        Verdict::Draw => Some(Fact::Draws),
        Verdict::Win => Some(Fact::Loses),
        Verdict::Superior | Verdict::Inferior => None,
    }
}

/// Returns whether the side to move has lost by the rules.
fn wins_at_once<P: SearchPosition>(pos: &P) -> bool {
    end(pos) == Some(Fact::Ends)
}

/// A mate in one or three plies by checks, the shorter one if there are both.
fn short_mate<P: SearchPosition>(pos: &mut P) -> Option<Vec<Move>> {
    let mut checks = pos.legal_moves();
    checks.retain(|mv| !mv.is_pass() && pos.gives_check(*mv));
    mate_in_one(pos, &checks).map(|mv| vec![mv]).or_else(|| mate_in_three(pos, &checks))
}

/// A check that ends the game.
fn mate_in_one<P: SearchPosition>(pos: &mut P, checks: &[Move]) -> Option<Move> {
    checks.iter().copied().find(|&mv| {
        pos.make(mv, &mut ());
        let wins = wins_at_once(pos);
        pos.unmake();
        wins
    })
}

/// A check after which every answer allows a mate in one.
fn mate_in_three<P: SearchPosition>(pos: &mut P, checks: &[Move]) -> Option<Vec<Move>> {
    checks.iter().find_map(|&mv| {
        pos.make(mv, &mut ());
        // A position in which the game has ended is no mate in three.
        let line = if end(pos).is_some() { None } else { mates_after(pos) };
        pos.unmake();
        line.map(|[answer, last]| vec![mv, answer, last])
    })
}

/// An answer and the mate in one after it, if there is one after every answer.
fn mates_after<P: SearchPosition>(pos: &mut P) -> Option<[Move; 2]> {
    let mut line = None;
    for answer in pos.legal_moves() {
        pos.make(answer, &mut ());
        let mut checks = if end(pos).is_some() { MoveList::new() } else { pos.legal_moves() };
        checks.retain(|mv| !mv.is_pass() && pos.gives_check(*mv));
        let last = mate_in_one(pos, &checks);
        pos.unmake();
        line = Some([answer, last?]);
    }
    line
}

/// The gain of the last move and the piece it captured, if it captured on the target square of this move.
fn just_lost<P: SearchPosition>(previous: &P, pos: &P, mv: Move) -> Option<(Score, Symbol)> {
    let last = pos.last_move()?;
    let same = !mv.is_pass() && !last.is_pass() && last.to() == mv.to() && previous.victim(last) > 0;
    let piece = previous.piece_at(Square::at(last.to(), P::RANKS))?;
    same.then(|| (previous.gain(last), piece))
}

/// Removes facts that another fact implies: threats that a threatened mate, a fork or a skewer contains, a skewer or a
/// discovered attack on a forked piece, and a discovered attack in a double check or on a threatened piece.
fn without_repetitions(mut facts: Vec<Fact>) -> Vec<Fact> {
    let mates = facts.iter().find_map(|fact| match fact {
        Fact::ThreatensMate { line } => line.first().copied(),
        _ => None,
    });
    let threatened = facts.iter().find_map(|fact| match fact {
        Fact::Threatens { target, .. } => Some(target.square),
        _ => None,
    });
    let forked = facts.iter().find_map(|fact| match fact {
        Fact::Tactic(Tactic::Fork { squares }) => Some(squares.clone()),
        _ => None,
    });
    let forked = forked.unwrap_or_default();
    let skewered = facts.iter().find_map(|fact| match fact {
        Fact::Tactic(Tactic::Skewer { front, .. }) => Some(*front),
        _ => None,
    });
    let double = facts.contains(&Fact::Tactic(Tactic::DoubleCheck));
    let is_said = |square: usize| forked.contains(&square) || skewered == Some(square);
    facts.retain(|fact| match fact {
        Fact::Threatens { target, by } => !is_said(target.square) && Some(*by) != mates,
        Fact::ThreatensPromotion { by, .. } => Some(*by) != mates,
        Fact::Tactic(Tactic::Skewer { front, .. }) => !forked.contains(front),
        Fact::Tactic(Tactic::Discovered { to, .. }) => {
            !double && !is_said(*to) && (threatened != Some(*to) || Some(*to) == skewered)
        }
        _ => true,
    });
    facts
}

/// The value of the piece that a move captures, in centipawns: its gain without the promotion.
fn victim_value<P: SearchPosition>(pos: &P, mv: Move) -> Score {
    if mv.is_drop() || mv.is_pass() { 0 } else { pos.gain(Move::board(mv.from(), mv.to())) }
}

/// Returns whether the promotion is worth more than the captured piece.
fn is_for_promotion<P: SearchPosition>(pos: &P, mv: Move) -> bool {
    !mv.is_drop() && mv.is_promotion() && pos.gain(mv) > 2 * victim_value(pos, mv)
}

/// What a move gains by capturing or promoting. `lost`: the gain of the opponent's last move and the piece that it
/// captured on the same square. `hangs`: whether the opponent gains by capturing the moved piece.
fn capture<P: SearchPosition>(
    before: &mut P,
    after: &P,
    mv: Move,
    lost: Option<(Score, Symbol)>,
    hangs: bool,
) -> Option<Fact> {
    if mv.is_pass() {
        return None;
    }
    let target = taken(before, mv);
    if let (Some(target), Some((lost, piece))) = (target, lost)
        && (target.gain - lost < WORTH || target.piece.letter == piece.letter)
    {
        return Some(Fact::Recaptures(target));
    }
    if is_for_promotion(before, mv) {
        let piece = after.piece_at(Square::at(mv.to(), P::RANKS))?;
        let target = Target { piece, square: mv.to(), gain: exchange(before, mv) };
        return (!hangs && target.gain >= WORTH).then_some(Fact::Promotes(target));
    }
    target.map(Fact::Wins).or_else(|| exchanges(before, after, mv))
}

/// The exchange of pieces of about the same value that a capture begins.
fn exchanges<P: SearchPosition>(before: &mut P, after: &P, mv: Move) -> Option<Fact> {
    if !(WORTH..KING).contains(&victim_value(before, mv)) {
        return None;
    }
    let own = before.piece_at(Square::at(mv.from(), P::RANKS))?;
    let target = target_of(before, mv)?;
    // The captor of a tokin gains a pawn.
    if own.letter == 'P' || target.piece.letter == 'P' {
        return None;
    }
    let answered = captures(after).into_iter().any(|answer| answer.to() == mv.to());
    let even = (1 - WORTH..WORTH).contains(&target.gain);
    (answered && even).then_some(Fact::Exchanges { own, target })
}

/// The target of a capture that wins material.
fn taken<P: SearchPosition>(pos: &mut P, mv: Move) -> Option<Target> {
    if mv.is_pass() || pos.victim(mv) == 0 || pos.gain(mv) >= KING {
        return None;
    }
    let target = target_of(pos, mv)?;
    (target.gain >= WORTH).then_some(target)
}

/// The victim of a capture, and the gain of the exchange.
fn target_of<P: SearchPosition>(pos: &mut P, mv: Move) -> Option<Target> {
    let square = Square::at(mv.to(), P::RANKS);
    let piece = pos.piece_at(square)?;
    let gain = exchange(pos, mv);
    Some(Target { piece, square: mv.to(), gain })
}

/// The gain of a move, if the opponent captures next on its target square; otherwise 0.
fn regained<P: SearchPosition>(pos: &P, mv: Move, square: usize) -> Score {
    if square == mv.to() && !mv.is_pass() { pos.gain(mv) } else { 0 }
}

/// The piece that an answer wins, and the mover's loss in centipawns. `after`: the position after the move. An answer
/// that only recaptures wins nothing.
fn hangs<P: SearchPosition>(pos: &P, after: &mut P, mv: Move, answer: Move) -> Option<(Fact, Score)> {
    let target = taken(after, answer)?;
    let back = answer.to() == mv.to() && !mv.is_pass();
    let victim = if back { pos.piece_at(Square::at(mv.to(), P::RANKS)) } else { None };
    let lost = target.gain - regained(pos, mv, target.square);
    let wins = lost >= WORTH && victim.is_none_or(|victim| victim.letter != target.piece.letter);
    wins.then_some((Fact::Hangs { target, by: answer }, lost))
}

/// The captures that win material: for every victim, the capture that wins the most.
fn prey<P: SearchPosition>(pos: &mut P) -> Vec<(Target, Move)> {
    let mut out: Vec<(Target, Move)> = Vec::new();
    for mv in captures(pos) {
        if pos.gain(mv) >= KING {
            continue;
        }
        let Some(target) = target_of(pos, mv).filter(|target| target.gain >= WORTH) else { continue };
        match out.iter_mut().find(|(known, _)| known.square == target.square) {
            Some(known) if known.0.gain < target.gain => *known = (target, mv),
            Some(_) => {}
            None => out.push((target, mv)),
        }
    }
    out
}

/// The most valuable piece that could be captured after a pass but not before the move. `after`: the position after the
/// move and the pass. `idle`: the square of a piece whose captures do not count.
fn threat<P: SearchPosition>(before: &mut P, after: &mut P, idle: Option<usize>) -> Option<Fact> {
    let old = prey(before);
    let new = prey(after).into_iter().filter(|(target, by)| {
        let known = old.iter().any(|(known, _)| known.square == target.square && known.piece == target.piece);
        !known && (by.is_drop() || idle != Some(by.from()))
    });
    let (target, by) = new.max_by_key(|(target, _)| target.gain)?;
    Some(if is_for_promotion(after, by) {
        Fact::ThreatensPromotion { by, gain: target.gain }
    } else {
        Fact::Threatens { target, by }
    })
}

/// The most valuable promotion of the moved piece after a pass, if it gains enough.
fn promotion<P: SearchPosition>(after: &mut P, mv: Move) -> Option<Fact> {
    if mv.is_pass() {
        return None;
    }
    let moves = after.legal_moves();
    let own: Vec<Move> = moves
        .into_iter()
        .filter(|next| !next.is_drop() && next.is_promotion() && next.from() == mv.to())
        .filter(|next| after.victim(*next) == 0)
        .collect();
    let best = own.into_iter().map(|next| (exchange(after, next), next)).max_by_key(|&(gain, _)| gain);
    let (gain, by) = best?;
    (gain >= WORTH).then_some(Fact::ThreatensPromotion { by, gain })
}

/// The most valuable piece that the opponent could have won before the move and can no longer win. `after`: the
/// position after the move.
fn saves<P: SearchPosition>(before: &mut P, after: &mut P, mv: Move) -> Option<Fact> {
    // While a side is in check, most captures are illegal, but the piece may hang again afterwards.
    if before.in_check() || after.in_check() {
        return None;
    }
    before.make_null();
    let threatened = prey(before);
    let values: Vec<Score> = threatened.iter().map(|(_, by)| victim_value(before, *by)).collect();
    before.unmake_null();
    let left: Vec<usize> = captures(after)
        .into_iter()
        .filter(|&capture| exchange(after, capture) > 0)
        .map(|capture| capture.to())
        .collect();
    let is_safe = |target: &Target| {
        // The moved piece must be safe on its new square.
        let now = if !mv.is_drop() && mv.from() == target.square { mv.to() } else { target.square };
        !left.contains(&now)
    };
    let saved = threatened.into_iter().zip(values).filter(|((target, _), _)| is_safe(target));
    let ((target, by), _) = saved.max_by_key(|&((target, _), value)| (value, target.gain))?;
    Some(Fact::Saves { target, by })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::teach::{Language, sentence};
    use sanban_rules::shogi::Position as Board;
    use sanban_rules::{Dobutsu, Janggi, Shogi, Variant};

    fn read(sfen: &str, mv: &str) -> (Board, Move) {
        let pos = Shogi::parse(sfen).expect("a position");
        let mv = pos.parse_usi(mv).expect("a legal move");
        (pos, mv)
    }

    /// Returns the keyword and the line of every merit of a move.
    fn merits(sfen: &str, mv: &str) -> Vec<(&'static str, String)> {
        let (pos, mv) = read(sfen, mv);
        let facts = Teacher::default().merits::<Shogi>(&pos, None, mv);
        let usi = |line: &[Move]| line.iter().map(|&mv| Board::usi(mv)).collect::<Vec<_>>().join(" ");
        facts.iter().map(|fact| (fact.word(), usi(fact.line()))).collect()
    }

    #[test]
    fn merits_are_verified_facts() {
        let has = |sfen: &str, mv: &str, word: &str, line: &str| {
            let found = merits(sfen, mv);
            assert!(found.contains(&(word, line.into())), "{sfen} {mv}: {found:?}");
        };
        has("4k4/9/4P4/9/9/9/9/9/4K4 b G 1", "G*5b", "ends", "");
        has("4k4/9/9/4P4/9/9/9/9/4K4 b G 1", "5d5c", "threatens-mate", "G*5b");
        has("4k4/9/9/9/4s4/4R4/9/9/4K4 b - 1", "5f5e", "wins", "");
        has("4k4/9/9/9/9/3s5/9/9/4K1R2 b - 1", "3i3f", "threatens", "3f6f");
        // The rook could be captured immediately.
        let idle = merits("4k4/9/9/9/7p1/3s2R2/9/9/4K4 b - 1", "3f2f");
        assert!(idle.iter().all(|(word, _)| *word != "threatens"), "{idle:?}");
        has("4k4/9/9/9/9/9/2r5S/9/4K4 b - 1", "1g2h", "saves", "7g1g+");
        // The pawn could be captured, and the captor recaptured: pieces of equal value are exchanged.
        has("4k4/9/4g4/4s4/9/9/9/4R4/3GK4 b - 1", "5h5d", "sacrifice", "");
        has("4k4/9/4g4/4s4/5S3/9/9/9/3GK4 b - 1", "4e5d", "exchanges", "");
        // A promotion is worth more than the captured pawn, and threatened as such.
        has("4k4/9/2p6/2P6/9/9/9/9/4K4 b - 1", "7d7c+", "promotes", "");
        has("4k4/9/2p6/9/2P6/9/9/2R6/4K4 b - 1", "7e7d", "threatens-promotion", "7d7c+");
        // A pawn that will be captured threatens nothing.
        assert_eq!(merits("4k4/2r6/2p6/9/2P6/9/9/9/4K4 b - 1", "7e7d"), []);
        // The knight cannot leave the rook unprotected.
        has("3r5/3n5/9/9/9/9/k8/9/4K4 b L 1", "L*6h", "pin", "");
        // A quiet move has no merits to report.
        assert_eq!(merits(Shogi::START, "1g1f"), []);
    }

    /// After a check only the captures that answer it are legal, which says nothing about threats.
    #[test]
    fn checks_save_and_threaten_nothing_by_themselves() {
        let words =
            |sfen: &str, mv: &str| merits(sfen, mv).into_iter().map(|(word, _)| word).collect::<Vec<_>>();
        let check = "ln4+Rn1/2sPg4/ks1p+P3p/1pps1Bp2/p4p3/1P4P2/P4PNpP/LKGG1S2R/1N6L b BG2Pp 88";
        assert!(!words(check, "B*7a").contains(&"saves"));
        // The answer to a check: the silver was attacked before.
        let answer = "4k4/9/9/9/9/3s5/9/1B7/r3K4 b - 1";
        assert!(!words(answer, "5i4h").contains(&"threatens"));
    }

    /// The solver finds one mate; another check may start a different mate.
    #[test]
    fn every_mate_is_called_one_and_nothing_else_is_said() {
        let another = "1p5n1/1+BsP+P4/+Rs1p4p/2p2Bp2/pks2p3/6P2/P1G2PN1P/LKGG1S1+pR/1N6L b GNL3Pp 102";
        let mut teacher = Teacher { mate_nodes: 50_000, ..Teacher::default() };
        let (pos, mv) = read(another, "L*8g");
        let facts = teacher.merits::<Shogi>(&pos, None, mv);
        assert!(
            matches!(&facts[..], [Fact::Mates { line }] if line[0] == mv && line.len() == 3),
            "{facts:?}"
        );
    }

    /// A threat of mate is not a merit of a move that misses a mate, with a solver and without.
    #[test]
    fn a_mate_that_was_there_is_missed_rather_than_threatened() {
        fn told<G: Teach>(sfen: &str, mv: &str) -> (Vec<&'static str>, Option<String>) {
            let pos = G::parse(sfen).expect("a position");
            let mv = pos.parse_usi(mv).expect("a legal move");
            let mut teacher = Teacher::default();
            let missed = teacher.missed_mate::<G>(&pos, mv);
            let merits = teacher.merits::<G>(&pos, None, mv);
            let missed = missed.map(|fact| sentence::<G>(&pos, mv, &fact, Language::English));
            (merits.iter().map(Fact::word).collect(), missed)
        }
        let gold = "4k4/9/4P4/9/9/9/9/9/4K4 b 2G 1";
        assert_eq!(told::<Shogi>(gold, "G*5d"), (vec![], Some("Misses a mate in 1: G*5b.".into())));
        assert_eq!(told::<Shogi>(gold, "G*5b"), (vec!["ends"], None));
        let chariot = "2b1aab2/4n4/4ck3/6R2/1p3p3/3P5/P3P1PP1/RC2C1N2/5K3/2BA1AB2 b - 37";
        assert_eq!(
            told::<Janggi>(chariot, "9g8g"),
            (vec![], Some("Misses a mate in 1: chariot 3d-4d.".into()))
        );
    }

    /// Tests mates in one in a game without a mate solver, and a lion left to be captured in Dobutsu shogi.
    #[test]
    fn the_simplest_faults_of_other_games_are_stated() {
        fn faults<G: Teach>(sfen: &str, mv: &str) -> Vec<String> {
            let pos = G::parse(sfen).expect("a position");
            let mv = pos.parse_usi(mv).expect("a legal move");
            let found = Found { loss: 40.0, confirmed: 40.0, nodes: 1_000_000, answer: &[], best: &[] };
            let facts = Teacher::default().faults::<G>(&pos, mv, found);
            facts.iter().map(|fact| sentence::<G>(&pos, mv, fact, Language::English)).collect()
        }
        let lion = faults::<Dobutsu>("g1e/lC1/1E1/1LG w C 4", "3b2a");
        assert_eq!(lion, ["Leaves the lion on 2a to be captured (chick 2bx2a+)."]);
        let mated = "2b1aab2/4n4/4ck3/6R2/p4p3/3P5/P3P1PP1/RC2C1N2/5K3/2BA1AB2 w - 36";
        assert_eq!(faults::<Janggi>(mated, "9e8e"), ["Allows a mate in 1: chariot 3d-4d."]);
    }

    /// The fourth occurrence of a position is a draw, or a loss for the side that has given perpetual check.
    #[test]
    fn ends_by_repetition_are_stated() {
        let told = |sfen: &str, cycle: &[&str]| {
            let mut pos = Shogi::parse(sfen).expect("a position");
            let mut teacher = Teacher::default();
            let mut last = None;
            for text in cycle.repeat(3) {
                let mv = pos.parse_usi(text).expect("a legal move");
                let found = Found { loss: 50.0, confirmed: 50.0, nodes: 1_000_000, answer: &[], best: &[] };
                last =
                    Some((teacher.merits::<Shogi>(&pos, None, mv), teacher.faults::<Shogi>(&pos, mv, found)));
                pos.make(mv, &mut ());
            }
            last.expect("a move")
        };
        let kings = told("4k4/9/9/9/9/9/9/9/4K4 b - 1", &["5i5h", "5a5b", "5h5i", "5b5a"]);
        assert_eq!(kings, (vec![Fact::Draws], vec![Fact::Draws]));
        let rook = told("4k4/9/9/9/4R4/9/9/9/4K4 w - 1", &["5a4a", "5e4e", "4a5a", "4e5e"]);
        assert_eq!(rook, (vec![Fact::Loses], vec![Fact::Loses]));
    }

    #[test]
    fn what_takes_back_is_not_a_gain() {
        let words = |sfen: &str, last: &str, mv: &str| -> Vec<&'static str> {
            let (previous, last) = read(sfen, last);
            let mut pos = previous.clone();
            pos.make(last, &mut ());
            let mv = pos.parse_usi(mv).expect("a legal move");
            let facts = Teacher::default().merits::<Shogi>(&pos, Some(&previous), mv);
            facts.iter().map(Fact::word).collect()
        };
        // Bishops are exchanged. The horse forks nothing, because it will be captured.
        let exchange = "lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 1";
        assert_eq!(words(exchange, "8h2b+", "3a2b"), ["recaptures"]);
        let fork = merits(exchange, "8h2b+");
        assert!(fork.iter().all(|(word, _)| !matches!(*word, "fork" | "threatens")), "{fork:?}");
        // A rook has taken a pawn.
        assert!(words("3gk4/9/9/3p5/9/9/9/9/3RK4 b - 1", "6i6d", "6a6b").is_empty());
        assert_eq!(words("3rk4/9/9/3p5/9/9/9/9/3RK4 b - 1", "6i6d", "6a6d")[0], "wins");
    }

    /// A threat is mentioned only once.
    #[test]
    fn facts_are_not_repeated() {
        let opened = merits("4k4/9/9/4s4/9/9/4P4/9/3KR4 b - 1", "5g5f");
        assert_eq!(opened, []);
        let opened = merits("4k4/9/9/4s4/9/9/4G4/9/3KR4 b - 1", "5g4g");
        assert_eq!(opened, [("threatens", "5i5d".to_string())]);
        let forked = merits("4k4/9/3g1g3/9/9/9/9/9/4K4 b N 1", "N*5e");
        assert_eq!(forked, [("fork", String::new())]);
    }

    #[test]
    fn faults_are_verified_facts() {
        let faults = |sfen: &str, mv: &str, answer: &str| {
            let (pos, mv) = read(sfen, mv);
            let mut after = pos.clone();
            after.make(mv, &mut ());
            let answer: Vec<Move> = after.parse_usi(answer).into_iter().collect();
            let found = Found { loss: 40.0, confirmed: 40.0, nodes: 1_000_000, answer: &answer, best: &[] };
            let facts = Teacher::default().faults::<Shogi>(&pos, mv, found);
            let told = facts.iter().map(|fact| sentence::<Shogi>(&pos, mv, fact, Language::English));
            facts.iter().map(Fact::word).zip(told).collect::<Vec<_>>()
        };
        let missed = faults("4k4/9/4P4/9/9/9/9/9/4K4 b G 1", "5i5h", "5a4a");
        assert_eq!(missed[0], ("missed", "Misses a mate in 1: G*5b.".into()));
        let allowed = faults("4k4/9/9/9/9/4p4/9/9/R3K4 b g 1", "9i9h", "G*5h");
        assert!(allowed.iter().all(|(word, _)| *word != "missed"), "{allowed:?}");
        let hung = faults("4k4/9/9/9/4r4/9/9/4S4/3K5 b - 1", "5h4g", "5e4e");
        assert!(hung.iter().any(|(word, _)| *word == "refuted"), "{hung:?}");
        let forked = faults("4k4/9/9/9/4n4/9/9/3G1G3/4K4 b P 1", "P*9e", "5e4g");
        assert!(forked.iter().all(|(word, _)| *word != "allows-fork"), "{forked:?}");
        let forked = faults("4k4/9/9/9/9/9/9/3R1R3/4K4 b Pn 1", "P*9e", "N*5f");
        assert_eq!(
            forked[0],
            ("allows-fork", "Allows N*5f: forks the rook on 4h and the rook on 6h.".into())
        );
        let hung = faults("4k4/9/9/9/4r4/9/9/5S3/3K5 b - 1", "4h5g", "5e5g+");
        assert_eq!(hung[0], ("hangs", "Lets the opponent win the silver on 5g (Rx5g+).".into()));
    }
}
