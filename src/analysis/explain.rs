//! Reasons for and against the moves of an analysed game, and the names of its openings and castles.

use super::{Analysis, Class, Judged, win_rate};
use crate::teach::facts::{BAD, CONFIRMING, Fact, Found, Teacher};
use crate::teach::names::{Namer, Table};
use crate::teach::notation::move_text;
use crate::teach::tactics::Tactic;
use crate::teach::{Language, Teach, sentence};
use sanban_formats::record::Record;
use sanban_rules::score::mate_distance;
use sanban_rules::{Color, Move, Position, Score, SearchPosition, SfenError, Shogi, Variant};

/// Maximum number of reasons for one move.
const MOST: usize = 4;
/// Ratio of the nodes of the position's search to the node limit of a mate search, so that reasons cost little time.
const SHARE: u64 = 60;
/// The win rate in percent below which a game counts as lost, and giving up a piece is not called a sacrifice.
const LOST: f64 = 15.0;

/// A reason with its sentences.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    /// The move concerned: the move played, or the best move.
    pub mv: Move,
    /// The verified fact.
    pub fact: Fact,
    /// The sentence in English, Japanese and Korean.
    pub texts: [String; 3],
}

/// Remarks on one move.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Remark {
    /// Reasons for or against the move that was played.
    pub reasons: Vec<Reason>,
    /// Reasons for the best move, if a bad move was played instead.
    pub better: Vec<Reason>,
    /// Names of openings and castles completed by this move: the side, and the name in English and Japanese.
    pub names: Vec<(Color, [String; 2])>,
}

/// Remarks on every move of the main line, with the names from `table`.
///
/// # Errors
/// The start position is not valid in this game.
pub fn explain<G: Teach>(
    record: &Record,
    analysis: &Analysis,
    table: &Table,
) -> Result<Vec<Remark>, SfenError> {
    let mut pos = record.start_position::<G>()?;
    let is_shogi = G::NAME == Shogi::NAME;
    let mut namer = if is_shogi { Some(Namer::new(table, record.start.as_deref())?) } else { None };
    let mut teacher = Teacher::default();
    let mut previous: Option<G::Position> = None;
    let mut out = Vec::with_capacity(analysis.positions.len());
    for (index, judged) in analysis.positions.iter().enumerate() {
        let Some(mv) = judged.played else { break };
        let nodes = judged.candidates.first().map_or(0, |best| best.nodes);
        teacher.mate_nodes = (nodes / SHARE).clamp(64, 20_000);
        let mut remark = Remark::default();
        let loss = analysis.loss(index).unwrap_or(0.0);
        let after = analysis.positions.get(index + 1).filter(|next| !next.candidates.is_empty());
        let answer = after.map_or(&[][..], |next| &next.candidates[0].pv);
        if loss >= BAD {
            let best = judged.best().filter(|&best| best != mv && pos.is_legal(best));
            let merits = best.map_or_else(Vec::new, |best| {
                let mut facts = teacher.merits::<G>(&pos, previous.as_ref(), best);
                facts.retain(|fact| !is_contradicted(fact, 0.0, 0, win_rate(judged.score())));
                facts
            });
            // Without merits to report, the line itself shows what is better.
            let line = if best.is_some() && merits.is_empty() { &judged.candidates[0].pv[..] } else { &[] };
            let confirmed = analysis.confirmed_loss(index);
            let facts = teacher.faults::<G>(&pos, mv, Found { loss, confirmed, nodes, answer, best: line });
            remark.reasons = told::<G>(&pos, mv, facts);
            if let Some(best) = best {
                remark.better = told::<G>(&pos, best, merits);
                if let Some(first) = remark.better.first_mut() {
                    for (language, text) in Language::ALL.into_iter().zip(&mut first.texts) {
                        let better = move_text::<G>(&pos, best, language);
                        *text = match language {
                            Language::English => format!("Better: {better}. {text}"),
                            Language::Japanese => format!("最善は{better}。{text}"),
                            Language::Korean => format!("최선의 수: {better}. {text}"),
                        };
                    }
                }
            }
        } else if let Some(missed) =
            teacher.missed_mate::<G>(&pos, mv).filter(|missed| !mates_as_well(analysis, &pos, index, missed))
        {
            remark.reasons = told::<G>(&pos, mv, vec![missed]);
        } else if is_mated(analysis, index + 1) {
            // A move that allows a mate has no merits. After the best move, the mate was unavoidable and is not
            // reported.
            let allowed = if loss > 0.0 { teacher.allowed_mate::<G>(&pos, mv) } else { None };
            remark.reasons = told::<G>(&pos, mv, allowed.into_iter().collect());
        } else if let Some(lost) = given_away::<G>(judged, after, &pos, mv) {
            remark.reasons = told::<G>(&pos, mv, vec![lost]);
        } else {
            let mut facts = teacher.merits::<G>(&pos, previous.as_ref(), mv);
            let dropped =
                after.filter(|_| judged.rank() != Some(0)).map(|next| judged.score() + next.score());
            let chances = after.map_or(win_rate(judged.score()), |next| 100.0 - win_rate(next.score()));
            facts.retain(|fact| !is_contradicted(fact, loss, dropped.unwrap_or(0), chances));
            remark.reasons = told::<G>(&pos, mv, facts);
        }
        let found = namer.as_mut().and_then(|namer| namer.play(mv).ok()).unwrap_or_default();
        remark.names = found
            .into_iter()
            .map(|found| (found.side, [found.name.english.clone(), found.name.japanese.clone()]))
            .collect();
        out.push(remark);
        previous = Some(pos.clone());
        pos.make(mv, &mut ());
    }
    Ok(out)
}

/// The piece that a move gives away for nothing, even in a decided game, where the loss hardly changes the win rate.
/// `after`: the analysis of the position after the move.
fn given_away<G: Teach>(
    judged: &Judged,
    after: Option<&Judged>,
    pos: &G::Position,
    mv: Move,
) -> Option<Fact> {
    let after = after?;
    let best = judged.best().filter(|&best| pos.is_legal(best))?;
    let dropped = judged.score() + after.score();
    Teacher::given_away::<G>(pos, mv, best, after.best()?, dropped)
}

/// Returns whether the search contradicts this merit of a move. `loss`: in percentage points; `dropped`: in centipawns;
/// `chances`: the mover's win rate after the move. For a bad move, only the end of the game, a mate and a recapture
/// count as merits, and in a lost game nothing counts as a sacrifice.
fn is_contradicted(fact: &Fact, loss: f64, dropped: Score, chances: f64) -> bool {
    match fact {
        Fact::Ends | Fact::Draws | Fact::Loses | Fact::Mates { .. } | Fact::Recaptures(_) => false,
        _ if Class::of_loss(loss).is_bad() => true,
        Fact::Tactic(Tactic::Sacrifice { loss: given }) => dropped >= given / CONFIRMING || chances < LOST,
        _ => false,
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

/// Returns whether the search found that the move made in position `index` also mates, by a check or no later than the
/// missed mate.
fn mates_as_well<P: SearchPosition>(analysis: &Analysis, pos: &P, index: usize, missed: &Fact) -> bool {
    let plies = mate(analysis, index + 1).filter(|&plies| plies < 0).map(|plies| 1 + plies.unsigned_abs());
    let checks = analysis.positions[index].played.is_some_and(|mv| pos.gives_check(mv));
    plies.is_some_and(|plies| checks || plies as usize <= missed.line().len())
}

/// Converts the first facts, at most `MOST`, to reasons.
fn told<G: Teach>(pos: &G::Position, mv: Move, facts: Vec<Fact>) -> Vec<Reason> {
    let mut facts = facts;
    facts.truncate(MOST);
    let words = |fact: &Fact| Language::ALL.map(|language| sentence::<G>(pos, mv, fact, language));
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
        let record = &record::read(format!("sfen {sfen} moves {mv}\n").as_bytes()).expect("a game")[0];
        let mut pos = record.start_position::<Shogi>().expect("a position");
        let candidate = |mv: Option<Move>, score| {
            let pv = mv.into_iter().collect();
            Candidate { score, depth: 10, seldepth: 10, nodes: 1_000_000, time: Duration::ZERO, pv }
        };
        let mut judged = |(best, score): (&str, Score), mv: Option<&str>| {
            let candidates = vec![candidate(pos.parse_usi(best), score)];
            let played = mv.and_then(|mv| pos.parse_usi(mv));
            let judged = Judged { sfen: pos.sfen(), side: pos.side(), candidates, played };
            if let Some(mv) = played {
                pos.make(mv, &mut ());
            }
            judged
        };
        let positions = vec![judged(best, Some(mv)), judged(answer, None)];
        let analysis = Analysis { positions, cut: false };
        let remarks = explain::<Shogi>(record, &analysis, Table::built_in()).expect("a position");
        remarks[0].reasons.iter().map(|reason| reason.texts[0].clone()).collect()
    }

    /// A missed mate is reported even if the game remains won.
    #[test]
    fn a_missed_mate_is_named_whatever_it_costs() {
        let gold = "4k4/9/4P4/9/9/9/9/9/4K4 b 2G 1";
        let missed = ["Misses a mate in 1: G*5b."];
        assert_eq!(reasons(gold, "G*5d", ("G*5b", mate_in(1)), ("5a4a", -9000)), missed);
        assert_eq!(reasons(gold, "G*5d", ("G*5b", mate_in(1)), ("5a4a", -mate_in(2))), missed);
        assert_eq!(reasons(gold, "G*5b", ("G*5b", mate_in(1)), ("", -mate_in(0))), ["This ends the game."]);
        // Another check, after which the search finds a mate.
        assert!(
            !reasons(gold, "G*4b", ("G*5b", mate_in(1)), ("5a6a", -mate_in(4))).contains(&missed[0].into())
        );
    }

    #[test]
    fn a_better_move_without_merits_is_shown_with_the_loss() {
        let said = reasons(Shogi::START, "1g1f", ("7g7f", 400), ("3c3d", 400));
        assert_eq!(said, ["The winning chances drop by 32 points after P-3d. Better: P-7f."]);
    }

    #[test]
    fn a_piece_that_is_given_away_in_a_decided_game_is_named() {
        let rook = "4k4/9/9/9/4p4/9/9/9/3KR4 b - 1";
        let taken = ["Lets the opponent win the rook on 5f (Px5f)."];
        for won in [3000, -2000] {
            assert_eq!(reasons(rook, "5i5f", ("5i5h", won), ("5e5f", 1000 - won)), taken);
        }
        // The score hardly changes, or the best move loses as much.
        assert!(reasons(rook, "5i5f", ("5i5h", 3000), ("5e5f", -2900)).iter().all(|text| text != taken[0]));
        assert!(reasons(rook, "5i5f", ("5i5f", 3000), ("5e5f", -2000)).iter().all(|text| text != taken[0]));
        let hangs = "4k4/9/9/9/9/4p4/4R4/9/3K5 b P 1";
        assert!(reasons(hangs, "P*9e", ("P*8e", 3000), ("5f5g+", -2000)).is_empty());
        // A piece that was hanging could have been saved.
        let taken = ["Lets the opponent win the rook on 5g (Px5g+)."];
        assert_eq!(reasons(hangs, "P*9e", ("5g5f", 3000), ("5f5g+", -2000)), taken);
    }

    #[test]
    fn what_is_simply_given_away_is_no_sacrifice() {
        let rook = "4k4/9/9/9/4p4/9/9/9/3KR4 b - 1";
        let sacrifice = ["Sacrifice: rook on 5f."];
        let said = |best, before, after| reasons(rook, "5i5f", (best, before), ("5a4a", after));
        assert_eq!(said("5i5f", 0, 0), sacrifice);
        assert_eq!(said("5i5h", 50, 0), sacrifice);
        // The loss of half a piece in a decided game, an inaccuracy, and a lost game.
        assert_eq!(said("5i5h", 3000, -2500), Vec::<String>::new());
        assert_eq!(said("5i5h", 150, 0), Vec::<String>::new());
        assert_eq!(said("5i5f", -2000, 2000), Vec::<String>::new());
    }

    #[test]
    fn an_inaccuracy_is_not_praised() {
        let threat = "4k4/9/9/9/9/3s5/9/9/4K1R2 b - 1";
        let said = |before| reasons(threat, "3i3f", ("3i2i", before), ("5a4a", 0));
        assert_eq!(said(100)[0], "Threatens to win the silver on 6f (Rx6f).");
        assert_eq!(said(150), Vec::<String>::new());
    }
}
