//! Finds the facts about a move.

use super::aspects::change;
use super::ends::{end, short_mate, wins_at_once};
use super::exchange::exchange;
use super::facts::Fact;
use super::gain::Target;
use super::material::{
    KING, WORTH, capture, hangs, prey, promotion, regained, saves, takes_back, target_of, threat,
};
use super::plain;
use super::refutation::{Comparison, compare};
use super::tactics::{Tactic, tactics};
use sanban_engine::mate::{MateLimits, MateOutcome, Workspace};
use sanban_engine::solve_mate;
use sanban_rules::{AnyPosition, Board, Move, Score, VariantId};

/// Longest threat of mate that is mentioned, in plies.
const LONGEST_THREAT: usize = 5;
/// Length of the line in which repeated checks are a reason, in plies.
const SHOWN: usize = 7;
/// Memory for the mate solver, in megabytes.
const MEMORY: usize = 16;

/// The search result for a move that was played.
#[derive(Clone, Copy, Debug)]
pub struct Found<'a> {
    /// The loss of win rate, in percentage points.
    pub loss: f64,
    /// The best line after the move, for the opponent.
    pub answer: &'a [Move],
    /// The best line instead of the move.
    pub best: &'a [Move],
    /// The length in plies of the opponent's mate that the search found after the move.
    pub mated: Option<u32>,
    /// The length in plies of the mate that the search found instead of the move.
    pub mates: Option<u32>,
}

/// Smallest loss after a second search; a move that loses less is called nearly as good as the best one.
pub const CLOSE: f64 = 3.0;

/// The search confirms the loss of a piece if the score drops by at least its value divided by this number.
pub const CONFIRMING: Score = 3;

/// Smallest loss of material that matters even in a decided game, in centipawns: about the value of a minor piece.
fn weighty(pos: &AnyPosition) -> Score {
    match pos.board() {
        Board::Shogi(_) => 500,
        Board::Janggi(_) | Board::Dobutsu(_) | Board::DobutsuMate(_) => 250,
    }
}

/// Finds reasons for and against moves; owns the memory of the mate solver.
pub struct Teacher {
    workspace: Workspace,
    /// Node limit of a mate search.
    pub mate_nodes: u64,
    /// The last result for each kind of position, which several facts need.
    known: [Option<Known>; 2],
}

/// Positions whose mate is remembered: with the side to move, and after a pass.
#[derive(Clone, Copy)]
enum Kept {
    Here,
    Passed,
}

/// The game, key and node limit of a search for a mate, and its result.
type Known = ((VariantId, u64, u64), Option<Vec<Move>>);

impl Default for Teacher {
    /// By default, a mate search is limited to a few thousand nodes.
    fn default() -> Self {
        Self { workspace: Workspace::default(), mate_nodes: 5_000, known: [None, None] }
    }
}

impl Teacher {
    /// The merits of a legal move. `previous`: the position before the last move, if known.
    pub fn merits(&mut self, pos: &AnyPosition, previous: Option<&AnyPosition>, mv: Move) -> Vec<Fact> {
        let mut before = pos.clone();
        let mut after = pos.clone();
        after.play(mv);
        if let Some(fact) = end(&after) {
            return vec![fact];
        }
        // In Dobutsu shogi, a move may leave the lion to be captured; then nothing else matters.
        if after.captures().iter().any(|&answer| after.gain(answer) >= KING) {
            return Vec::new();
        }
        // If the move starts a mate, nothing else matters.
        if let Some(line) = self.mate_by(pos, mv) {
            return vec![Fact::Mates { line }];
        }
        // Whether the opponent gains by capturing the piece.
        let hangs = !mv.is_pass()
            && after
                .captures()
                .into_iter()
                .any(|answer| answer.to() == mv.to() && exchange(&mut after, answer) > 0);
        // After a check, and in answer to one, new threats cannot be told from old ones.
        let threatens = !after.in_check() && !before.in_check();
        let mut out = Vec::new();
        if threatens {
            out.extend(self.parried_mate(pos, &after));
            out.extend(self.threatened_mate(pos, &after, mv, hangs));
        }
        let back = previous.is_some_and(|previous| takes_back(previous, pos, mv));
        let capture = capture(&mut before, &after, mv, back, hangs);
        let captures = capture.is_some();
        out.extend(capture);
        let tactics = match pos.variant() {
            VariantId::Shogi => tactics(pos, previous, mv),
            _ => plain::tactics(pos, mv),
        };
        out.extend(tactics.into_iter().map(Fact::Tactic));
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
    fn threatened_mate(
        &mut self,
        pos: &AnyPosition,
        after: &AnyPosition,
        mv: Move,
        hangs: bool,
    ) -> Option<Fact> {
        let mut passed = after.clone();
        passed.make_null();
        let line = self.kept(&passed, Kept::Passed).filter(|line| line.len() <= LONGEST_THREAT)?;
        let idle = hangs && !line[0].is_drop() && line[0].from() == mv.to();
        (!idle && self.kept(pos, Kept::Here).is_none()).then_some(Fact::ThreatensMate { line })
    }

    /// The mate that the opponent threatened and that the move prevents. `after`: the position after the move.
    fn parried_mate(&mut self, pos: &AnyPosition, after: &AnyPosition) -> Option<Fact> {
        let mut passed = pos.clone();
        passed.make_null();
        let line = self.kept(&passed, Kept::Passed).filter(|line| line.len() <= LONGEST_THREAT)?;
        matches!(self.solve(after), MateOutcome::NoMate).then_some(Fact::ParriesMate { line })
    }

    /// The faults of a legal move that the search found to be bad.
    pub fn faults(&mut self, pos: &AnyPosition, mv: Move, found: Found) -> Vec<Fact> {
        let mut after = pos.clone();
        after.play(mv);
        let mut out: Vec<Fact> = self.missed_mate(pos, mv).into_iter().collect();
        if let Some(fact) = end(&after).or_else(|| self.allowed_mate(pos, mv)) {
            out.push(fact);
            return out;
        }
        // In Dobutsu shogi, a move may leave the lion to be captured.
        if let Some(by) = after.captures().into_iter().find(|&answer| after.gain(answer) >= KING) {
            out.extend(target_of(&mut after, by).map(|target| Fact::Hangs { target, by }));
            return out;
        }
        if found.answer.first().is_none_or(|&answer| !after.is_legal(answer)) {
            return out;
        }
        if let Some(plies) = found.mated {
            out.push(Fact::AllowsSeenMate { plies, line: found.answer.to_vec() });
            return out;
        }
        if let Some(plies) = found.mates.filter(|_| out.is_empty()) {
            out.push(Fact::MissesSeenMate { plies, line: found.best.to_vec() });
        }
        let mut threat = |pos: &AnyPosition| self.mate(pos).filter(|line| line.len() <= LONGEST_THREAT);
        let Comparison { falls, misses } = compare(pos, mv, found.answer, found.best, &mut threat);
        out.extend(falls.map(|fall| Fact::Falls(Box::new(fall))));
        let is_mate = |fact: &Fact| matches!(fact, Fact::Missed { .. } | Fact::MissesSeenMate { .. });
        let misses = misses.filter(|_| !out.iter().any(is_mate));
        out.extend(misses.map(|fall| Fact::MissesGain(Box::new(fall))));
        if out.is_empty() {
            out.extend(self.allowed(pos, &after, found.answer));
        }
        if out.is_empty() {
            out.extend(exposed(&after, found.answer));
        }
        if out.is_empty() {
            let loss = found.loss.round() as u32;
            let (line, best) = (found.answer.to_vec(), found.best.to_vec());
            let change = change(pos, &[&[mv], found.answer].concat(), found.best);
            out.push(Fact::Refuted { line, best, loss, change });
        }
        out
    }

    /// The merit of the best answer to a move, if it is one that explains a loss: the one that weighs most. A piece that
    /// is captured next has no merit.
    fn allowed(&mut self, pos: &AnyPosition, after: &AnyPosition, line: &[Move]) -> Option<Fact> {
        let answer = line[0];
        if line.get(1).is_some_and(|next| !next.is_pass() && !answer.is_pass() && next.to() == answer.to()) {
            return None;
        }
        // A piece that could promote before only keeps its threat.
        let mut before = after.clone();
        let promotions: Vec<Move> =
            before.legal_moves().into_iter().filter(|mv| !mv.is_drop() && !mv.is_pass()).collect();
        let promotes = !answer.is_pass()
            && promotions.into_iter().any(|mv| {
                !answer.is_drop()
                    && mv.from() == answer.from()
                    && mv.is_promotion()
                    && exchange(&mut before, mv) >= WORTH
            });
        let weight = |merit: &Fact| match merit {
            Fact::ThreatensMate { .. } => Some(0),
            Fact::Threatens { by, .. } if line.get(2) == Some(by) => Some(1),
            Fact::Tactic(Tactic::Fork { .. } | Tactic::Skewer { .. }) => Some(2),
            Fact::Tactic(Tactic::Pin { .. }) => Some(3),
            Fact::Threatens { .. } => Some(4),
            Fact::ThreatensPromotion { .. } if !promotes => Some(4),
            Fact::Tactic(Tactic::Discovered { .. } | Tactic::DanglingPawn | Tactic::JoiningPawn) => Some(5),
            _ => None,
        };
        let merits = self.merits(after, Some(pos), answer);
        let merit = merits.into_iter().filter(|merit| weight(merit).is_some()).min_by_key(weight)?;
        Some(Fact::Allows { line: [&[answer], merit.line()].concat(), merit: Box::new(merit) })
    }

    /// The piece that the best answer to a legal move wins, if the loss matters even in a decided game and `best`
    /// avoids it. `dropped`: the drop in the mover's score caused by the move, in centipawns.
    pub fn given_away(pos: &AnyPosition, mv: Move, best: Move, answer: Move, dropped: Score) -> Option<Fact> {
        let weighty = weighty(pos);
        if best == mv || dropped < weighty / CONFIRMING {
            return None;
        }
        let mut after = pos.clone();
        after.play(mv);
        if !after.is_legal(answer) {
            return None;
        }
        let (fact, lost) = hangs(pos, &mut after, mv, answer)?;
        if lost < weighty || dropped < lost / CONFIRMING {
            return None;
        }
        after.undo();
        after.play(best);
        let net = |target: Target| target.gain - regained(pos, best, target.square);
        let anyway = prey(&mut after).into_iter().map(|(target, _)| net(target)).max();
        anyway.is_none_or(|anyway| anyway <= lost - WORTH).then_some(fact)
    }

    /// The mate that a legal move misses: the position has a mate, but this move does not mate.
    pub fn missed_mate(&mut self, pos: &AnyPosition, mv: Move) -> Option<Fact> {
        let line = self.kept(pos, Kept::Here)?;
        let mut after = pos.clone();
        after.play(mv);
        let misses = line[0] != mv && !wins_at_once(&after) && self.mate_by(pos, mv).is_none();
        misses.then_some(Fact::Missed { line })
    }

    /// The mate that a legal move allows, if it is proven.
    pub fn allowed_mate(&mut self, pos: &AnyPosition, mv: Move) -> Option<Fact> {
        let mut after = pos.clone();
        after.play(mv);
        self.mate(&after).map(|line| Fact::AllowsMate { line })
    }

    /// A mate that begins with this move, against the longest defence.
    fn mate_by(&mut self, pos: &AnyPosition, mv: Move) -> Option<Vec<Move>> {
        if !pos.gives_check(mv) {
            return None;
        }
        let shortest = self.kept(pos, Kept::Here)?;
        if shortest[0] == mv {
            return Some(shortest);
        }
        // There is a mate, but perhaps not by this move: there must be a mate after every answer.
        let mut after = pos.clone();
        after.play(mv);
        let mut longest = Vec::new();
        for answer in after.legal_moves() {
            after.play(answer);
            let rest = self.mate(&after);
            after.undo();
            let rest = rest?;
            if rest.len() + 2 > longest.len() {
                longest = [&[mv, answer][..], &rest].concat();
            }
        }
        (!longest.is_empty()).then_some(longest)
    }

    /// Like `mate`, but remembers the last result.
    fn kept(&mut self, pos: &AnyPosition, kept: Kept) -> Option<Vec<Move>> {
        let asked = (pos.variant(), pos.key(), self.mate_nodes);
        if let Some((known, line)) = &self.known[kept as usize]
            && *known == asked
        {
            return line.clone();
        }
        let line = self.mate(pos);
        self.known[kept as usize] = Some((asked, line.clone()));
        line
    }

    /// A mate by the side to move, proven by the solver; in games without a solver, a mate in one or three.
    fn mate(&mut self, pos: &AnyPosition) -> Option<Vec<Move>> {
        match self.solve(pos) {
            MateOutcome::Mate(line) if !line.is_empty() => Some(line),
            _ => None,
        }
    }

    /// Solves a position. Games without a solver know only mates in one and three.
    fn solve(&mut self, pos: &AnyPosition) -> MateOutcome {
        let limits = MateLimits {
            time: None,
            nodes: Some(self.mate_nodes),
            memory: MEMORY,
            threads: 1,
            shortest: true,
        };
        solve_mate(&mut self.workspace, pos, &limits, &())
            .unwrap_or_else(|| short_mate(&mut pos.clone()).map_or(MateOutcome::NoMate, MateOutcome::Mate))
    }
}

/// The best line of the opponent after a move, if it gives check at least twice in its first moves.
fn exposed(after: &AnyPosition, line: &[Move]) -> Option<Fact> {
    let (mut pos, mut last) = (after.clone(), Vec::new());
    for (number, &mv) in line.iter().take(SHOWN).enumerate() {
        if !pos.is_legal(mv) {
            break;
        }
        pos.play(mv);
        if number % 2 == 0 && pos.in_check() {
            last.push(number);
        }
    }
    let [_, .., last] = last[..] else { return None };
    Some(Fact::ExposesKing { line: line[..=last].to_vec() })
}

/// Removes facts that another fact implies: threats that a threatened mate, a fork or a skewer contains, a skewer or a
/// discovered attack on a forked piece, a discovered attack in a double check or on a threatened piece, and the threat to
/// promote a dangling pawn.
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
    let dangling = facts.contains(&Fact::Tactic(Tactic::DanglingPawn));
    let is_said = |square: usize| forked.contains(&square) || skewered == Some(square);
    facts.retain(|fact| match fact {
        Fact::Threatens { target, by } => !is_said(target.square) && Some(*by) != mates,
        Fact::ThreatensPromotion { by, .. } => !dangling && Some(*by) != mates,
        Fact::Tactic(Tactic::Skewer { front, .. }) => !forked.contains(front),
        Fact::Tactic(Tactic::Discovered { to, .. }) => {
            !double && !is_said(*to) && (threatened != Some(*to) || Some(*to) == skewered)
        }
        _ => true,
    });
    facts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::teach::{Language, sentence};
    use VariantId::{Dobutsu, Janggi, Shogi};

    fn read(sfen: &str, mv: &str) -> (AnyPosition, Move) {
        let pos = AnyPosition::parse(Shogi, sfen).expect("a position");
        let mv = pos.parse_usi(mv).expect("a legal move");
        (pos, mv)
    }

    /// Returns the keyword and the line of every merit of a move.
    fn merits(sfen: &str, mv: &str) -> Vec<(&'static str, String)> {
        let (pos, mv) = read(sfen, mv);
        let facts = Teacher::default().merits(&pos, None, mv);
        let usi = |line: &[Move]| line.iter().map(|&mv| pos.display(mv)).collect::<Vec<_>>().join(" ");
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
        // Next, the opponent would mate.
        has("4k4/9/9/9/9/9/4p4/9/4K4 b g 1", "5i6h", "parries-mate", "G*5h");
        // The knight cannot leave the rook unprotected. A lance that only advances on the file pins nothing anew.
        has("3r5/3n5/9/9/9/9/k8/9/4K4 b L 1", "L*6h", "pin", "");
        let advanced = merits("3r5/3n5/9/9/9/9/k8/3L5/4K4 b - 1", "6h6g");
        assert!(advanced.iter().all(|(word, _)| *word != "pin"), "{advanced:?}");
        // A quiet move has no merits to report.
        assert_eq!(merits(Shogi.info().start, "1g1f"), []);
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
        let facts = teacher.merits(&pos, None, mv);
        assert!(
            matches!(&facts[..], [Fact::Mates { line }] if line[0] == mv && line.len() == 3),
            "{facts:?}"
        );
    }

    /// A threat of mate is not a merit of a move that misses a mate, with a solver and without.
    #[test]
    fn a_mate_that_was_there_is_missed_rather_than_threatened() {
        fn told(game: VariantId, sfen: &str, mv: &str) -> (Vec<&'static str>, Option<String>) {
            let pos = AnyPosition::parse(game, sfen).expect("a position");
            let mv = pos.parse_usi(mv).expect("a legal move");
            let mut teacher = Teacher::default();
            let missed = teacher.missed_mate(&pos, mv);
            let merits = teacher.merits(&pos, None, mv);
            let missed = missed.map(|fact| sentence(&pos, mv, &fact, Language::English));
            (merits.iter().map(Fact::word).collect(), missed)
        }
        let gold = "4k4/9/4P4/9/9/9/9/9/4K4 b 2G 1";
        assert_eq!(told(Shogi, gold, "G*5d"), (vec![], Some("Misses a mate in 1: G*5b.".into())));
        assert_eq!(told(Shogi, gold, "G*5b"), (vec!["ends"], None));
        let chariot = "2b1aab2/4n4/4ck3/6R2/1p3p3/3P5/P3P1PP1/RC2C1N2/5K3/2BA1AB2 b - 37";
        assert_eq!(
            told(Janggi, chariot, "9g8g"),
            (vec![], Some("Misses a mate in 1: chariot 3d-4d.".into()))
        );
    }

    /// Tests mates in one in a game without a mate solver, and a lion left to be captured in Dobutsu shogi.
    #[test]
    fn the_simplest_faults_of_other_games_are_stated() {
        fn faults(game: VariantId, sfen: &str, mv: &str) -> Vec<String> {
            let pos = AnyPosition::parse(game, sfen).expect("a position");
            let mv = pos.parse_usi(mv).expect("a legal move");
            let found = Found { loss: 40.0, answer: &[], best: &[], mated: None, mates: None };
            let facts = Teacher::default().faults(&pos, mv, found);
            facts.iter().map(|fact| sentence(&pos, mv, fact, Language::English)).collect()
        }
        let lion = faults(Dobutsu, "g1e/lC1/1E1/1LG w C 4", "3b2a");
        assert_eq!(lion, ["The lion on 2a can be caught (chick 2bx2a+)."]);
        let mated = "2b1aab2/4n4/4ck3/6R2/p4p3/3P5/P3P1PP1/RC2C1N2/5K3/2BA1AB2 w - 36";
        assert_eq!(faults(Janggi, mated, "9e8e"), ["Allows a mate in 1: chariot 3d-4d."]);
    }

    /// The fourth occurrence of a position is a draw, or a loss for the side that has given perpetual check.
    #[test]
    fn ends_by_repetition_are_stated() {
        let told = |sfen: &str, cycle: &[&str]| {
            let mut pos = AnyPosition::parse(Shogi, sfen).expect("a position");
            let mut teacher = Teacher::default();
            let mut last = None;
            for text in cycle.repeat(3) {
                let mv = pos.parse_usi(text).expect("a legal move");
                let found = Found { loss: 50.0, answer: &[], best: &[], mated: None, mates: None };
                last = Some((teacher.merits(&pos, None, mv), teacher.faults(&pos, mv, found)));
                pos.play(mv);
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
            pos.play(last);
            let mv = pos.parse_usi(mv).expect("a legal move");
            let facts = Teacher::default().merits(&pos, Some(&previous), mv);
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
            after.play(mv);
            let mut line = after.clone();
            let mut step = |text: &str| {
                let mv = line.parse_usi(text).expect("a legal move");
                line.play(mv);
                mv
            };
            let answer: Vec<Move> = answer.split(' ').map(&mut step).collect();
            let found = Found { loss: 40.0, answer: &answer, best: &[], mated: None, mates: None };
            let facts = Teacher::default().faults(&pos, mv, found);
            let told = facts.iter().map(|fact| sentence(&pos, mv, fact, Language::English));
            facts.iter().map(Fact::word).zip(told).collect::<Vec<_>>()
        };
        let missed = faults("4k4/9/4P4/9/9/9/9/9/4K4 b G 1", "5i5h", "5a4a");
        assert_eq!(missed[0], ("missed", "Misses a mate in 1: G*5b.".into()));
        let allowed = faults("4k4/9/9/9/9/4p4/9/9/R3K4 b g 1", "9i9h", "G*5h");
        assert!(allowed.iter().all(|(word, _)| *word != "missed"), "{allowed:?}");
        let hung = faults("4k4/9/9/9/4r4/9/9/4S4/3K5 b - 1", "5h4g", "5e4e");
        assert_eq!(hung[0].0, "allows-attack", "{hung:?}");
        let quiet = faults("4k4/9/9/9/4r4/9/9/4S4/3K5 b - 1", "5h4g", "5e5b");
        assert_eq!(quiet[0].0, "refuted", "{quiet:?}");
        let checked = faults("4k4/9/9/9/4+r4/9/9/9/3K5 b - 1", "6i7i", "5e5i 7i7h 5i5h");
        assert_eq!(
            checked[0],
            ("exposes-king", "Exposes the king to repeated checks: +R5e-5i K7i-7h +R5i-5h.".into())
        );
        let forked = faults("4k4/9/9/9/4n4/9/9/3G1G3/4K4 b P 1", "P*9e", "5e4g");
        assert!(forked.iter().all(|(word, _)| *word != "allows-fork"), "{forked:?}");
        let forked = faults("4k4/9/9/9/9/9/9/3R1R3/4K4 b Pn 1", "P*9e", "N*5f");
        assert_eq!(
            forked[0],
            ("allows-fork", "Allows N*5f: forks the rook on 4h and the rook on 6h.".into())
        );
        let promoted = faults("4k4/9/9/9/9/4r4/4P4/9/3K5 b - 1", "6i7h", "5f5g+");
        assert_eq!(
            promoted[0],
            ("falls", "Lets the opponent promote (R5fx5g+): this was already threatened.".into())
        );
        let hung = faults("4k4/9/9/9/4r4/9/9/5S3/3K5 b - 1", "4h5g", "5e5g+");
        assert_eq!(
            hung[0],
            ("falls", "Lets the opponent win the silver on 5g (R5ex5g+): it can be captured there.".into())
        );
    }
}
