//! Reasons for and against the moves of an analysed game, and the names of its openings and castles.

use super::{Analysis, Class, Judged, win_rate};
use crate::teach::exchange::exchange;
use crate::teach::facts::Fact;
use crate::teach::gain::Remedy;
use crate::teach::material::WORTH;
use crate::teach::names::{Namer, Table};
use crate::teach::notation::move_text;
use crate::teach::refutation::remedy;
use crate::teach::tactics::Tactic;
use crate::teach::teacher::{CLOSE, CONFIRMING, Found, Teacher};
use crate::teach::{Language, Sentences, sentence, text_in};
use sanban_formats::record::Record;
use sanban_rules::score::mate_distance;
use sanban_rules::{AnyPosition, Color, Move, Score, SfenError, VariantId};

/// Maximum number of reasons for one move.
const MOST: usize = 4;
/// Ratio of the nodes of the position's search to the node limit of a mate search, so that reasons cost little time.
const SHARE: u64 = 60;
/// Ratio of the nodes of the analysis to those of the second searches of bad moves.
const AGAIN: u64 = 6;
/// The win rate in percent below which, or its counterpart above which, a game is decided.
const DECIDED: f64 = 10.0;
/// Smallest loss of material that is marked in a decided game, in centipawns.
const HEAVY: Score = 500;
/// Longest mate that is stated on the evidence of the search alone, in plies.
const SEEN: u32 = 13;
/// The win rate in percent below which a game counts as lost, and giving up a piece is not called a sacrifice.
const LOST: f64 = 15.0;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    /// The move concerned: the move played, or the best move.
    pub mv: Move,
    pub fact: Fact,
    pub texts: Sentences,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Remark {
    /// Reasons for or against the move that was played.
    pub reasons: Vec<Reason>,
    /// Reasons for the best move, if a bad move was played instead.
    pub better: Vec<Reason>,
    /// The class of the move by material and mates, if the game was decided and the win rate says nothing.
    pub class: Option<Class>,
    /// Names of openings and castles completed by this move: the side, and the name in English and Japanese.
    pub names: Vec<(Color, [String; 2])>,
}

/// Searches positions of a game again: the position, and the number of nodes. Returns the score for the side to move and
/// the best line.
pub type Again<'a> = &'a mut dyn FnMut(&AnyPosition, u64) -> Option<(Score, Vec<Move>)>;

/// Remarks on every move of the main line, with the names from `table`. With `again`, every bad move and the move that
/// was better are searched again, both with the same number of nodes.
///
/// # Errors
/// The start position is not valid in this game.
pub fn explain(
    record: &Record,
    analysis: &Analysis,
    table: &Table,
    mut again: Option<Again>,
) -> Result<Vec<Remark>, SfenError> {
    let mut pos = record.start_position()?;
    let is_shogi = record.game == VariantId::Shogi;
    let mut namer = if is_shogi { Some(Namer::new(table, record.start.as_deref())?) } else { None };
    let mut teacher = Teacher::default();
    let mut previous: Option<AnyPosition> = None;
    let mut out = Vec::with_capacity(analysis.positions.len());
    let budget = nodes_again(analysis);
    for (index, judged) in analysis.positions.iter().enumerate() {
        let Some(mv) = judged.played else { break };
        let nodes = judged.candidates.first().map_or(0, |best| best.nodes);
        teacher.mate_nodes = (nodes / SHARE).clamp(64, 20_000);
        let mut remark = Remark::default();
        let loss = analysis.loss(index).unwrap_or(0.0);
        let after = analysis.positions.get(index + 1).filter(|next| !next.candidates.is_empty());
        let answer = after.map_or(&[][..], |next| &next.candidates[0].pv);
        let chances = after.map_or(win_rate(judged.score()), |next| 100.0 - win_rate(next.score()));
        let dropped = after.filter(|_| judged.rank() != Some(0)).map(|next| judged.score() + next.score());
        let offered =
            index > 0 && analysis.loss(index - 1).is_some_and(|loss| !Class::of_loss(loss).is_bad());
        let context = Context { mv, answer, loss, dropped: dropped.unwrap_or(0), chances, offered };
        let solved = judged.solved.as_ref();
        let bad = analysis.class(index).is_some_and(Class::is_bad);
        if let Some(solved) = solved.filter(|solved| solved.played < solved.best) {
            let fact = Fact::Spoils { from: solved.best, to: solved.played, keeps: solved.keeps };
            remark.reasons = told(&pos, mv, vec![fact]);
        } else if !judged.is_known() {
            // The analysis was stopped before.
        } else if bad && solved.is_none() {
            let searched =
                again.as_deref_mut().and_then(|again| twice(again, budget, &pos, mv, judged, after));
            // Where the second searches explain nothing, the first ones may.
            for lines in searched.into_iter().chain([Lines::of(judged, after)]) {
                let found = fault(&mut teacher, &pos, previous.as_ref(), mv, &lines, context);
                if remark.reasons.is_empty() || clarity(&found.reasons) > clarity(&remark.reasons) {
                    remark = found;
                }
                if clarity(&remark.reasons) == Clarity::Gain {
                    break;
                }
            }
        } else if let Some(missed) = teacher
            .missed_mate(&pos, mv)
            .filter(|missed| !mates_as_well(analysis, &pos, index, missed))
            .and_then(|missed| slower(analysis, index, missed))
        {
            remark.reasons = told(&pos, mv, vec![missed]);
        } else if is_mated(analysis, index + 1) {
            // A move that allows a mate has no merits. After the best move, the mate was unavoidable and is not
            // reported.
            let allowed = if loss > 0.0 { teacher.allowed_mate(&pos, mv) } else { None };
            remark.reasons = told(&pos, mv, allowed.into_iter().collect());
        } else if let Some(lost) = given_away(judged, after, &pos, mv) {
            remark.reasons = told(&pos, mv, vec![lost]);
        } else if is_decided(judged)
            && context.dropped >= HEAVY
            && let lines = Lines::of(judged, after)
            && let lost = fault(&mut teacher, &pos, previous.as_ref(), mv, &lines, context)
            && by_material(&lost.reasons).is_some()
        {
            remark = lost;
        } else {
            let facts = teacher.merits(&pos, previous.as_ref(), mv);
            let mut facts = context.checked(&pos, facts);
            facts.retain(|fact| !is_trivial(&pos, mv, fact));
            if let Some(plies) = mate_seen(analysis, index) {
                mated(&mut facts, plies);
            }
            remark.reasons = told(&pos, mv, facts);
        }
        if is_decided(judged) && solved.is_none() && judged.best().is_none_or(|best| best != mv) {
            let unavoidable = mate(analysis, index).is_some_and(|plies| plies < 0);
            remark.class = by_material(&remark.reasons).filter(|_| !unavoidable);
        }
        let found = namer.as_mut().and_then(|namer| namer.play(mv).ok()).unwrap_or_default();
        remark.names = found
            .into_iter()
            .map(|found| (found.side, [found.name.english.clone(), found.name.japanese.clone()]))
            .collect();
        out.push(remark);
        previous = Some(pos.clone());
        pos.play(mv);
    }
    Ok(out)
}

/// How much the reasons against a bad move explain.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Clarity {
    /// Only that it loses.
    Nothing,
    /// What else becomes worse.
    Aspect,
    /// A gain, a threat or a mate.
    Gain,
}

fn clarity(reasons: &[Reason]) -> Clarity {
    let of = |reason: &Reason| match reason.fact {
        Fact::Refuted { change: None, .. } => Clarity::Nothing,
        Fact::Refuted { .. } => Clarity::Aspect,
        _ => Clarity::Gain,
    };
    reasons.iter().map(of).max().unwrap_or(Clarity::Nothing)
}

/// Returns whether the game is decided, so that moves are judged by material and mates.
fn is_decided(judged: &Judged) -> bool {
    !(DECIDED..=100.0 - DECIDED).contains(&win_rate(judged.score()))
}

/// The class of a move in a decided game, by the material that it loses and the mates that it misses or allows.
fn by_material(reasons: &[Reason]) -> Option<Class> {
    let class = |reason: &Reason| match &reason.fact {
        Fact::AllowsMate { .. } | Fact::AllowsSeenMate { .. } => Some(Class::Mistake),
        Fact::Missed { .. } => Some(Class::Inaccuracy),
        fact @ (Fact::Hangs { .. } | Fact::Falls(_) | Fact::MissesGain(_)) => match fact.target()?.gain {
            gain if gain >= 2 * HEAVY => Some(Class::Mistake),
            gain if gain >= HEAVY => Some(Class::Dubious),
            _ => None,
        },
        _ => None,
    };
    reasons.iter().filter_map(class).max()
}

/// The nodes for each of the two searches of a bad move: together, they may take a fixed share of the analysis.
fn nodes_again(analysis: &Analysis) -> u64 {
    let each =
        analysis.positions.iter().filter_map(|judged| judged.candidates.first()).map(|best| best.nodes);
    let bad = (0..analysis.positions.len()).filter(|&index| analysis.class(index).is_some_and(Class::is_bad));
    let (total, most) =
        each.fold((0, 0), |(total, most): (u64, u64), nodes| (total + nodes, most.max(nodes)));
    (total / AGAIN / (2 * bad.count() as u64).max(1)).min(2 * most)
}

/// The lines after a bad move and after the best move, with their scores for the mover.
struct Lines {
    /// The score of the move that was played, and the best line after it.
    played: Score,
    answer: Vec<Move>,
    /// The score of the best move, and the line that begins with it.
    best: Score,
    line: Vec<Move>,
}

impl Lines {
    /// The lines of the analysis.
    fn of(judged: &Judged, after: Option<&Judged>) -> Self {
        let pv = |judged: &Judged| judged.candidates.first().map_or(vec![], |best| best.pv.clone());
        Self {
            played: after.map_or(judged.score(), |after| -after.score()),
            answer: after.map_or(vec![], pv),
            best: judged.score(),
            line: pv(judged),
        }
    }

    fn loss(&self) -> f64 {
        win_rate(self.best) - win_rate(self.played)
    }
}

/// Searches the positions after a bad move and after the best move, both with the same number of nodes.
fn twice(
    again: Again,
    nodes: u64,
    pos: &AnyPosition,
    mv: Move,
    judged: &Judged,
    after: Option<&Judged>,
) -> Option<Lines> {
    let best = judged.best().filter(|&best| best != mv && pos.is_legal(best))?;
    let mut search = |mv| {
        let mut after = pos.clone();
        after.play(mv);
        again(&after, nodes).map(|(score, line)| (-score, line))
    };
    // A game that has ended is not searched.
    if nodes == 0 || after?.candidates.first()?.pv.is_empty() {
        return None;
    }
    let (played, answer) = search(mv)?;
    let (best_score, rest) = search(best)?;
    Some(Lines { played, answer, best: best_score, line: [&[best], &rest[..]].concat() })
}

/// The reasons against a bad move and for the better one.
fn fault(
    teacher: &mut Teacher,
    pos: &AnyPosition,
    previous: Option<&AnyPosition>,
    mv: Move,
    lines: &Lines,
    context: Context,
) -> Remark {
    let mut remark = Remark::default();
    let Some(best) = lines.line.first().copied().filter(|&best| best != mv && pos.is_legal(best)) else {
        return remark;
    };
    let seen = |score: Score, line: &[Move]| {
        let plies = mate_distance(score)?.unsigned_abs();
        (plies <= SEEN && line.len() + 1 >= plies as usize).then_some(plies)
    };
    let is_mate = |score: Score| mate_distance(score).is_some();
    let mated = if lines.played < 0 && !(is_mate(lines.best) && lines.best < 0) {
        seen(lines.played, &lines.answer)
    } else {
        None
    };
    let mates = if lines.best > 0 && !(is_mate(lines.played) && lines.played > 0) {
        seen(lines.best, &lines.line)
    } else {
        None
    };
    let found = Found { loss: lines.loss(), answer: &lines.answer, best: &lines.line, mated, mates };
    let mut facts = teacher.faults(pos, mv, found);
    let unclear = facts.iter().all(|fact| matches!(fact, Fact::Refuted { .. }));
    if unclear && lines.loss() < CLOSE {
        facts = vec![Fact::Close { line: lines.line.clone() }];
    }
    let context = Context {
        mv: best,
        answer: &lines.line[1..],
        loss: 0.0,
        dropped: 0,
        chances: win_rate(lines.best),
        ..context
    };
    let mut merits: Vec<Fact> = Vec::new();
    for fact in &facts {
        match fact {
            Fact::Falls(fall) => merits.push(Fact::Remedy {
                remedy: remedy(pos, mv, best, fall),
                line: lines.line.clone(),
                fall: fall.clone(),
                instead: mv,
            }),
            Fact::AllowsMate { .. } | Fact::AllowsSeenMate { .. }
                if !is_mate(lines.best) || lines.best > 0 =>
            {
                merits.push(Fact::AvoidsMate);
            }
            _ => {}
        }
    }
    // A merit that has nothing to do with the loss explains nothing, except where the loss is a missed gain.
    let others = better(teacher, pos, previous, mv, &context);
    let is_answer = |fact: &Fact| match fact {
        Fact::Mates { .. } | Fact::ParriesMate { .. } | Fact::Ends => true,
        Fact::Saves { target, .. } => {
            facts.iter().any(|fault| fault.target().is_some_and(|lost| lost.square == target.square))
        }
        _ => merits.is_empty(),
    };
    let mut told_merits: Vec<Fact> = others.into_iter().filter(is_answer).collect();
    let parried = told_merits.iter().any(|fact| matches!(fact, Fact::ParriesMate { .. }));
    let saved = told_merits.iter().any(|fact| matches!(fact, Fact::Saves { .. }));
    merits.retain(|fact| match fact {
        Fact::AvoidsMate => !parried,
        Fact::Remedy { remedy, .. } => !saved || matches!(remedy, Remedy::Takes(_)),
        _ => true,
    });
    merits.append(&mut told_merits);
    let line_shown = facts.iter().any(|fact| {
        matches!(
            fact,
            Fact::Refuted { .. }
                | Fact::Close { .. }
                | Fact::MissesGain(_)
                | Fact::MissesSeenMate { .. }
                | Fact::Missed { .. }
        )
    });
    if merits.is_empty() && !line_shown {
        merits.push(Fact::Preferred { line: lines.line.clone() });
        remark.better = told(pos, best, merits);
    } else {
        remark.better = named(pos, best, told(pos, best, merits));
    }
    remark.reasons = told(pos, mv, facts);
    remark
}

/// Returns whether a merit of a good move goes without saying: it takes back, or moves an attacked piece away.
fn is_trivial(pos: &AnyPosition, mv: Move, fact: &Fact) -> bool {
    match fact {
        Fact::Recaptures(_) => true,
        Fact::Saves { target, by } => {
            let takes = !by.is_drop() && !mv.is_pass() && mv.to() == by.from();
            !takes && !mv.is_drop() && !mv.is_pass() && mv.from() == target.square && !pos.is_capture(mv)
        }
        _ => false,
    }
}

/// What the best move does and the move that was played, `mv`, does not. `context`: what the search found about the
/// best move. A sacrifice alone is a price, not a merit.
fn better(
    teacher: &mut Teacher,
    pos: &AnyPosition,
    previous: Option<&AnyPosition>,
    mv: Move,
    context: &Context,
) -> Vec<Fact> {
    let played = teacher.merits(pos, previous, mv);
    let facts = teacher.merits(pos, previous, context.mv);
    let mut facts = context.checked(pos, facts);
    facts.retain(|fact| !played.iter().any(|other| is_same(fact, other)));
    if facts.iter().all(|fact| matches!(fact, Fact::Tactic(Tactic::Sacrifice { .. }))) {
        facts.clear();
    }
    facts
}

/// Names the best move at the beginning of its first reason.
fn named(pos: &AnyPosition, best: Move, mut reasons: Vec<Reason>) -> Vec<Reason> {
    let last = pos.last_move().filter(|last| !last.is_pass()).map(Move::to);
    if let Some(first) = reasons.first_mut() {
        for (language, text) in Language::ALL.into_iter().zip(&mut first.texts) {
            let best = move_text(pos, best, last, language);
            *text = text_in(pos.variant(), language, "preferred-because", &[&best, text]);
        }
    }
    reasons
}

/// The piece that a move gives away for nothing, even in a decided game, where the loss hardly changes the win rate.
/// `after`: the analysis of the position after the move.
fn given_away(judged: &Judged, after: Option<&Judged>, pos: &AnyPosition, mv: Move) -> Option<Fact> {
    let after = after?;
    let best = judged.best().filter(|&best| pos.is_legal(best))?;
    let dropped = judged.score() + after.score();
    Teacher::given_away(pos, mv, best, after.best()?, dropped)
}

/// What the search found about a move.
#[derive(Clone, Copy)]
struct Context<'a> {
    mv: Move,
    /// The best line after the move, for the opponent.
    answer: &'a [Move],
    /// The loss of win rate in percentage points.
    loss: f64,
    /// The drop in the mover's score in centipawns.
    dropped: Score,
    /// The mover's win rate after the move, in percent.
    chances: f64,
    /// Whether the opponent's last move was not bad, so that a piece it left to be captured was offered.
    offered: bool,
}

impl Context<'_> {
    /// The merits of the move that the search does not contradict.
    fn checked(&self, pos: &AnyPosition, facts: Vec<Fact>) -> Vec<Fact> {
        let mut after = pos.clone();
        after.play(self.mv);
        let answer = self.answer.first().copied().filter(|&answer| after.is_legal(answer));
        let accepts = self.offered
            && self.chances <= 100.0 - LOST
            && pos.last_move().is_some_and(|last| last.to() == self.mv.to());
        let mut out = Vec::with_capacity(facts.len());
        for fact in facts {
            if self.is_contradicted(&fact)
                || answer.is_some_and(|answer| self.is_answered(&mut after, &fact, answer))
            {
                continue;
            }
            out.push(match fact {
                Fact::Wins(target) if accepts => Fact::Accepts(target),
                fact => fact,
            });
        }
        out
    }

    /// Returns whether the search contradicts this merit of the move. For a bad move, only the end of the game, a mate
    /// and a recapture count as merits, and in a lost game nothing counts as a sacrifice or a threat.
    fn is_contradicted(&self, fact: &Fact) -> bool {
        match fact {
            Fact::Ends | Fact::Draws | Fact::Loses | Fact::Mates { .. } | Fact::Recaptures(_) => false,
            _ if Class::of_loss(self.loss).is_bad() => true,
            Fact::Tactic(Tactic::Sacrifice { loss }) => {
                self.dropped >= loss / CONFIRMING || self.chances < LOST
            }
            Fact::Tactic(_)
            | Fact::Threatens { .. }
            | Fact::ThreatensPromotion { .. }
            | Fact::ThreatensMate { .. } => self.chances < LOST,
            _ => false,
        }
    }

    /// Returns whether the best answer removes this merit: it captures the piece that threatens, captures the saved
    /// piece, or wins back what the move won.
    fn is_answered(&self, after: &mut AnyPosition, fact: &Fact, answer: Move) -> bool {
        if answer.is_pass() {
            return false;
        }
        let captured = !self.mv.is_pass() && answer.to() == self.mv.to();
        let idle = |by: Move| captured && !by.is_drop() && by.from() == self.mv.to();
        match fact {
            Fact::Threatens { by, .. } | Fact::ThreatensPromotion { by, .. } => idle(*by),
            Fact::ThreatensMate { line } => idle(line[0]),
            Fact::Promotes(_) | Fact::Tactic(Tactic::Fork { .. } | Tactic::Skewer { .. }) => captured,
            // A pinned piece captures the attacker, or the piece behind it leaves with a capture.
            Fact::Tactic(Tactic::Pin { back, .. }) => {
                captured || !answer.is_drop() && answer.from() == *back && after.is_capture(answer)
            }
            Fact::Exchanges { .. } => !captured,
            Fact::Saves { target, .. } => {
                let moved = !self.mv.is_drop() && self.mv.from() == target.square;
                answer.to() == if moved { self.mv.to() } else { target.square }
            }
            Fact::Wins(target) => {
                after.is_capture(answer) && !captured && target.gain - exchange(after, answer) < WORTH
            }
            _ => false,
        }
    }
}

/// Returns whether two moves have the same merit.
fn is_same(fact: &Fact, other: &Fact) -> bool {
    let square = |fact: &Fact| fact.target().map(|target| target.square);
    match (fact, other) {
        (Fact::Tactic(a), Fact::Tactic(b)) => a == b,
        // Captures of the same piece.
        (Fact::Wins(a) | Fact::Recaptures(a), Fact::Wins(b) | Fact::Recaptures(b)) => a.square == b.square,
        _ => fact.word() == other.word() && square(fact).is_some() && square(fact) == square(other),
    }
}

/// Replaces the merits of a move after which the search found a mate in `plies`, unless a fact states the mate or the
/// end of the game.
fn mated(facts: &mut Vec<Fact>, plies: u32) {
    if !facts.iter().any(|fact| matches!(fact, Fact::Ends | Fact::Mates { .. })) {
        facts.retain(|fact| matches!(fact, Fact::ThreatensMate { .. } | Fact::ParriesMate { .. }));
        facts.insert(0, Fact::SeesMate { plies });
    }
}

/// A missed mate, or the shorter mate if the move that was played also mates; `None` if that move was the best.
fn slower(analysis: &Analysis, index: usize, missed: Fact) -> Option<Fact> {
    match missed {
        Fact::Missed { line } if mates_in(analysis, index).is_some() => {
            (analysis.positions[index].rank() != Some(0)).then_some(Fact::Slower { line })
        }
        missed => Some(missed),
    }
}

/// Returns whether the search found a mate by the side to move.
fn is_mated(analysis: &Analysis, index: usize) -> bool {
    mate(analysis, index).is_some_and(|plies| plies > 0)
}

/// The distance in plies of a mate that the search found, negative if the side to move is mated.
fn mate(analysis: &Analysis, index: usize) -> Option<i32> {
    let judged = analysis.positions.get(index).filter(|judged| !judged.candidates.is_empty())?;
    mate_distance(judged.score())
}

/// The length in plies of the mate that the search found to begin with the move made in position `index`.
fn mates_in(analysis: &Analysis, index: usize) -> Option<u32> {
    mate(analysis, index + 1).filter(|&plies| plies < 0).map(|plies| 1 + plies.unsigned_abs())
}

/// Like [`mates_in`], but only if the mate is short and the search has its whole line: without it, the score can come
/// from pruned parts of the tree.
fn mate_seen(analysis: &Analysis, index: usize) -> Option<u32> {
    let plies = mates_in(analysis, index).filter(|&plies| plies <= SEEN)?;
    let line = &analysis.positions.get(index + 1)?.candidates.first()?.pv;
    (line.len() + 1 >= plies as usize).then_some(plies)
}

/// Returns whether the search found that the move made in position `index` also mates, by a check or no later than the
/// missed mate.
fn mates_as_well(analysis: &Analysis, pos: &AnyPosition, index: usize, missed: &Fact) -> bool {
    let plies = mates_in(analysis, index);
    let checks = analysis.positions[index].played.is_some_and(|mv| pos.gives_check(mv));
    plies.is_some_and(|plies| checks || plies as usize <= missed.line().len())
}

/// Converts the first facts, at most `MOST`, to reasons.
fn told(pos: &AnyPosition, mv: Move, facts: Vec<Fact>) -> Vec<Reason> {
    let mut facts = facts;
    facts.truncate(MOST);
    let words = |fact: &Fact| Language::ALL.map(|language| sentence(pos, mv, fact, language));
    facts.into_iter().map(|fact| Reason { mv, texts: words(&fact), fact }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::Candidate;
    use sanban_formats::record;
    use sanban_rules::score::mate_in;
    use std::time::Duration;

    /// The English reasons for the first move of a shogi game. The searches before and after the move found the moves
    /// and scores `best` and `answer`.
    fn reasons(sfen: &str, mv: &str, best: (&str, Score), answer: (&str, Score)) -> Vec<String> {
        let remarks = remarks(sfen, mv, best, answer);
        remarks[0].reasons.iter().map(|reason| reason.texts[0].clone()).collect()
    }

    fn remarks(sfen: &str, mv: &str, best: (&str, Score), answer: (&str, Score)) -> Vec<Remark> {
        let record = &record::read(format!("sfen {sfen} moves {mv}\n").as_bytes()).expect("a game")[0];
        remarks_of(record, best, answer)
    }

    /// Remarks on the first move of a game.
    fn remarks_of(record: &record::Record, best: (&str, Score), answer: (&str, Score)) -> Vec<Remark> {
        let mv = record.legal_moves().expect("moves").1[0];
        let mut pos = record.start_position().expect("a position");
        let candidate = |mv: Option<Move>, score| {
            let pv = mv.into_iter().collect();
            Candidate { score, depth: 10, seldepth: 10, nodes: 1_000_000, time: Duration::ZERO, pv }
        };
        let mut judged = |(best, score): (&str, Score), played: Option<Move>| {
            let candidates = vec![candidate(pos.parse_usi(best), score)];
            let judged = Judged { sfen: pos.sfen(), side: pos.side(), candidates, played, solved: None };
            if let Some(mv) = played {
                pos.play(mv);
            }
            judged
        };
        let positions = vec![judged(best, Some(mv)), judged(answer, None)];
        let analysis = Analysis { positions, cut: false, raised: vec![] };
        explain(record, &analysis, Table::built_in(), None).expect("a position")
    }

    /// Games with handicaps, from a diagram and without an end are explained like others.
    #[test]
    fn games_from_other_positions_are_explained() {
        let handicap = "手合割：二枚落ち\n手数----指手---------消費時間--\n   1 ２二銀(31)\n";
        let diagram = "後手の持駒：なし\n  ９ ８ ７ ６ ５ ４ ３ ２ １\n+---------------------------+\n\
            | ・ ・ ・ ・v玉 ・ ・ ・ ・|一\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|二\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|三\n\
            | ・ ・ ・ ・ ・ ・ ・ ・ ・|四\n| ・ ・ ・ ・v歩 ・ ・ ・ ・|五\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|六\n\
            | ・ ・ ・ ・ ・ ・ ・ ・ ・|七\n| ・ ・ ・ ・ ・ ・ ・ ・ ・|八\n| ・ ・ ・ 玉 飛 ・ ・ ・ ・|九\n\
            +---------------------------+\n先手の持駒：なし\n手数----指手---------消費時間--\n   1 ５六飛(59)\n";
        let read = |text: &str| record::read(text.as_bytes()).expect("a game").remove(0);
        let said = |remarks: &[Remark]| remarks[0].reasons[0].texts[0].clone();
        let quiet = remarks_of(&read(handicap), ("7a6b", -1000), ("7g7f", 1800));
        assert!(said(&quiet).starts_with("No single gain: after P7g-7f"), "{quiet:?}");
        let lost = remarks_of(&read(diagram), ("5i5h", 0), ("5e5f", 1000));
        assert_eq!(said(&lost), "Lets the opponent win the rook on 5f (P5ex5f): it can be captured there.");
    }

    /// In a decided game, what is lost in material is marked although the win rate hardly changes.
    #[test]
    fn a_decided_game_is_judged_by_material() {
        let rook = "4k4/9/9/9/4p4/9/9/9/3KR4 b - 1";
        let lost = remarks(rook, "5i5f", ("5i5h", 3000), ("5e5f", -2000));
        assert_eq!(lost[0].class, Some(Class::Mistake));
        let kept = remarks(rook, "5i5h", ("5i5h", 3000), ("5a4a", -3000));
        assert_eq!(kept[0].class, None);
        let gold = "4k4/9/4P4/9/9/9/9/9/4K4 b 2G 1";
        assert_eq!(
            remarks(gold, "G*5d", ("G*5b", mate_in(1)), ("5a4a", -9000))[0].class,
            Some(Class::Inaccuracy)
        );
    }

    #[test]
    fn a_missed_mate_is_named_whatever_it_costs() {
        let gold = "4k4/9/4P4/9/9/9/9/9/4K4 b 2G 1";
        let missed = ["Misses a mate in 1: G*5b."];
        assert_eq!(reasons(gold, "G*5d", ("G*5b", mate_in(1)), ("5a4a", -9000)), missed);
        assert_eq!(
            reasons(gold, "G*5d", ("G*5b", mate_in(1)), ("5a4a", -mate_in(2))),
            ["There was a shorter mate, in 1: G*5b."]
        );
        assert_eq!(reasons(gold, "G*5b", ("G*5b", mate_in(1)), ("", -mate_in(0))), ["Checkmate."]);
        // Another check, after which the search finds a mate.
        assert!(
            !reasons(gold, "G*4b", ("G*5b", mate_in(1)), ("5a6a", -mate_in(4))).contains(&missed[0].into())
        );
    }

    #[test]
    fn a_better_move_without_merits_is_shown_with_the_loss() {
        let said = reasons(VariantId::Shogi.info().start, "1g1f", ("7g7f", 400), ("3c3d", 400));
        assert_eq!(
            said,
            ["No single gain: after P3c-3d the winning chances are 32 points lower. Better: P7g-7f."]
        );
    }

    #[test]
    fn a_piece_that_is_given_away_in_a_decided_game_is_named() {
        let rook = "4k4/9/9/9/4p4/9/9/9/3KR4 b - 1";
        let taken = ["Lets the opponent win the rook on 5f (P5ex5f)."];
        for won in [3000, -2000] {
            assert_eq!(reasons(rook, "5i5f", ("5i5h", won), ("5e5f", 1000 - won)), taken);
        }
        // The score hardly changes, or the best move loses as much.
        assert!(reasons(rook, "5i5f", ("5i5h", 3000), ("5e5f", -2900)).iter().all(|text| text != taken[0]));
        assert!(reasons(rook, "5i5f", ("5i5f", 3000), ("5e5f", -2000)).iter().all(|text| text != taken[0]));
        let hangs = "4k4/9/9/9/9/4p4/4R4/9/3K5 b P 1";
        assert!(reasons(hangs, "P*9e", ("P*8e", 3000), ("5f5g+", -2000)).is_empty());
        // A piece that was hanging could have been saved.
        let taken = ["Lets the opponent win the rook on 5g (P5fx5g+)."];
        assert_eq!(reasons(hangs, "P*9e", ("5g5f", 3000), ("5f5g+", -2000)), taken);
    }

    #[test]
    fn what_is_simply_given_away_is_no_sacrifice() {
        let rook = "4k4/9/9/9/4p4/9/9/9/3KR4 b - 1";
        let sacrifice = ["Sacrifices the rook on 5f."];
        let said = |best, before, after| reasons(rook, "5i5f", (best, before), ("5a4a", after));
        assert_eq!(said("5i5f", 0, 0), sacrifice);
        assert_eq!(said("5i5h", 50, 0), sacrifice);
        // The loss of half a piece in a decided game, an inaccuracy, and a lost game.
        assert_eq!(said("5i5h", 3000, -2500), Vec::<String>::new());
        assert_eq!(
            said("5i5h", 150, 0),
            ["No single gain: after K5a-4a the winning chances are 6 points lower. Better: R5i-5h."]
        );
        assert_eq!(said("5i5f", -2000, 2000), Vec::<String>::new());
    }

    #[test]
    fn an_inaccuracy_is_not_praised() {
        let threat = "4k4/9/9/9/9/3s5/9/9/4K1R2 b - 1";
        let said = |before| reasons(threat, "3i3f", ("3i2i", before), ("5a4a", 0));
        assert_eq!(said(100)[0], "Threatens to win the silver on 6f (R3fx6f).");
        assert_eq!(
            said(150),
            ["No single gain: after K5a-4a the winning chances are 6 points lower. Better: R3i-2i."]
        );
    }
}
