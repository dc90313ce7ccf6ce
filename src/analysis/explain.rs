//! Reasons for and against the moves of an analysed game, and the names of its openings and castles.

use super::Analysis;
use crate::teach::facts::{BAD, Fact, Found, Teacher};
use crate::teach::names::{Namer, Table};
use crate::teach::notation::move_text;
use crate::teach::{Language, Teach, sentence};
use sanban_formats::record::Record;
use sanban_rules::score::mate_distance;
use sanban_rules::{Color, Move, Position, SfenError, Shogi, Variant};

/// Maximum number of reasons for one move.
const MOST: usize = 4;
/// The mate search gets one node for this many nodes of the position's search, so that reasons cost little time.
const SHARE: u64 = 60;

/// A reason with its sentences.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    /// The move concerned: the one played, or the better one.
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
        if loss >= BAD {
            let after = analysis.positions.get(index + 1).and_then(|next| next.candidates.first());
            let answer = after.map_or(&[][..], |best| &best.pv);
            let facts = teacher.faults::<G>(
                &pos,
                mv,
                Found { loss, confirmed: analysis.confirmed_loss(index), nodes, answer },
            );
            remark.reasons = told::<G>(&pos, mv, facts);
            if let Some(best) = judged.best().filter(|&best| best != mv && pos.is_legal(best)) {
                let facts = teacher.merits::<G>(&pos, previous.as_ref(), best);
                remark.better = told::<G>(&pos, best, facts);
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
        } else if is_mated(analysis, index + 1) {
            // Nothing speaks for a move that lets the opponent mate; the best one could not prevent it.
            let allowed = if loss > 0.0 { teacher.allowed_mate::<G>(&pos, mv) } else { None };
            remark.reasons = told::<G>(&pos, mv, allowed.into_iter().collect());
        } else {
            let facts = teacher.merits::<G>(&pos, previous.as_ref(), mv);
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

/// Did the search find a mate by the side to move?
fn is_mated(analysis: &Analysis, index: usize) -> bool {
    let judged = analysis.positions.get(index).filter(|judged| !judged.candidates.is_empty());
    judged.is_some_and(|judged| mate_distance(judged.score()).is_some_and(|plies| plies > 0))
}

/// Converts the selected facts to sentences.
fn told<G: Teach>(pos: &G::Position, mv: Move, facts: Vec<Fact>) -> Vec<Reason> {
    let mut facts = facts;
    facts.truncate(MOST);
    let words = |fact: &Fact| Language::ALL.map(|language| sentence::<G>(pos, mv, fact, language));
    facts.into_iter().map(|fact| Reason { mv, texts: words(&fact), fact }).collect()
}
