//! Training positions, selected from recorded games and kept in memory.

use super::quiet::{DECIDED, is_quiet};
use super::record::{Ply, Record, Result as Outcome};
use super::tree::TreePosition;
use sanban_engine::search::Bound;
use sanban_engine::{Evaluator, Game};
use sanban_rules::{Color, MoveList, Placement, Position, Rng, Score, SearchPosition};
use sanban_system::prefetch;

/// Number of random successors of a position for a teacher.
const SUCCESSORS: usize = 4;
/// Padding for positions with fewer placements than others.
pub const NOTHING: u16 = u16::MAX;
/// Maximum number of placements of a position in any game.
const WIDTH: usize = 40;

#[derive(Default)]
pub struct Samples {
    placements: Vec<[u16; WIDTH]>,
    labels: Vec<Label>,
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Label {
    pub side: Color,
    /// Score of the search in centipawns for the side to move.
    pub score: i16,
    pub kind: LabelKind,
}

/// The part of a label that depends on the origin of the position.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum LabelKind {
    Game {
        /// Result of the game for the side to move: 0, 0.5 or 1.
        result: f32,
    },
    /// A position without a result: inside the tree of a search, or before a random move. The kind of its score.
    Score(Bound),
}

impl Samples {
    /// Size of a position in bytes.
    pub const BYTES: usize = size_of::<[u16; WIDTH]>() + size_of::<Label>();

    pub fn len(&self) -> usize {
        self.labels.len()
    }

    pub fn is_empty(&self) -> bool {
        self.labels.is_empty()
    }

    /// The placements of a position, and its label.
    #[inline]
    pub fn get(&self, index: usize) -> (impl Iterator<Item = Placement> + '_, Label) {
        let placements = self.placements[index].iter().take_while(|&&p| p != NOTHING).map(|&p| Placement(p));
        (placements, self.labels[index])
    }

    pub fn prefetch(&self, index: usize) {
        self.placements[index].iter().step_by(WIDTH - 1).for_each(prefetch);
        prefetch(&self.labels[index]);
    }

    pub fn push<P: SearchPosition>(&mut self, pos: &P, score: Score, result: Outcome) {
        let black = match result {
            Outcome::Loss => 0.0,
            Outcome::Draw => 0.5,
            Outcome::Win => 1.0,
        };
        let side = pos.side();
        let result = if side == Color::Black { black } else { 1.0 - black };
        self.add(pos, score, LabelKind::Game { result });
    }

    fn add<P: SearchPosition>(&mut self, pos: &P, score: Score, kind: LabelKind) {
        // What the position itself adds to every evaluation is not for the network to learn.
        let score = score - pos.tempered(0);
        let (mut row, mut n) = ([NOTHING; WIDTH], 0);
        pos.placements(|p| {
            if let Some(slot) = row.get_mut(n) {
                *slot = p.0;
            }
            n += 1;
        });
        self.placements.push(row);
        self.labels.push(Label { side: pos.side(), score: score.clamp(-32000, 32000) as i16, kind });
    }

    pub fn append(&mut self, mut other: Self) {
        self.placements.append(&mut other.placements);
        self.labels.append(&mut other.labels);
    }

    /// Removes all positions, but keeps their memory.
    pub fn clear(&mut self) {
        self.placements.clear();
        self.labels.clear();
    }

    /// A checksum of the labels, continuing the checksum of other samples.
    pub fn checksum(&self, before: u64) -> u64 {
        self.labels.iter().fold(before, |sum: u64, label| {
            let kind = match label.kind {
                LabelKind::Game { result } => result.to_bits(),
                LabelKind::Score(bound) => 1 + bound as u32,
            };
            let label = u64::from(label.score as u16) << 32 | u64::from(kind);
            (sum.rotate_left(7) ^ label).wrapping_mul(0x9E37_79B9_7F4A_7C15)
        })
    }

    /// Adds positions inside the searches of a game, which must be in the order of its plies. The error is the index of
    /// the first position that cannot be reached.
    pub(super) fn add_tree<P: SearchPosition>(
        &mut self,
        start: &P,
        record: &Record,
        tree: &[TreePosition],
    ) -> Result<(), usize> {
        let (mut done, mut illegal) = (0, None);
        let replayed = record.replay(start.clone(), |pos, at, _| {
            for position in tree[done..].iter().take_while(|position| usize::from(position.ply) == at) {
                let added = position
                    .visit(pos, |pos| self.add(pos, position.score.into(), LabelKind::Score(position.bound)));
                illegal = illegal.or(added.is_err().then_some(done));
                done += 1;
            }
        });
        let all = replayed.is_ok() && done == tree.len();
        illegal.or((!all).then_some(done)).map_or(Ok(()), Err)
    }

    /// Adds the quiet positions of a game. Those before its last random move have no result, since that move affected
    /// it. The error is the index of the first illegal ply.
    pub(super) fn add_game<P: SearchPosition>(
        &mut self,
        start: &P,
        record: &Record,
        lambda: f32,
    ) -> Result<(), usize> {
        let from = record.sound_from();
        let scores = blended(&record.plies, lambda);
        record.replay(start.clone(), |pos, at, ply| {
            if let (Some(score), Some(blended)) = (ply.score, scores[at])
                && is_quiet(pos, ply.mv, score)
            {
                if at >= from {
                    self.push(pos, blended, record.result);
                } else {
                    self.add(pos, blended, LabelKind::Score(Bound::Exact));
                }
            }
        })
    }
}

/// The scores of the plies of a game, each blended with the following ones up to the next random move, whose weights
/// decay by a factor of `lambda` per ply (R. Sutton, Learning to predict by the methods of temporal differences, 1988).
fn blended(plies: &[Ply], lambda: f32) -> Vec<Option<Score>> {
    let mut next = None;
    let backwards = plies.iter().rev().map(|ply| {
        next = ply.score.map(|score| {
            let score = score.clamp(-DECIDED, DECIDED) as f32;
            next.map_or(score, |next: f32| (1.0 - lambda) * score - lambda * next)
        });
        next.map(|blended| blended.round() as Score)
    });
    let mut out: Vec<_> = backwards.collect();
    out.reverse();
    out
}

/// Labels the positions of games and some random successors with another evaluation, to pre-train a network before it
/// learns from the games. The positions need not be quiet, and any number can be generated, because no search is
/// needed.
pub(super) struct Teacher<G: Game>(pub G::Evaluator);

impl<G: Game> Teacher<G> {
    /// Adds the positions of a game. The error is the index of the first illegal move.
    pub fn add_game(&mut self, start: &G::Position, record: &Record, out: &mut Samples) -> Result<(), usize> {
        record.replay(start.clone(), |pos, _, _| {
            self.add(pos, record.result, out);
            let (mut moves, mut rng) = (MoveList::new(), Rng::new(pos.key()));
            pos.legal(&mut moves);
            for _ in 0..SUCCESSORS {
                pos.make(moves[rng.below(moves.len())], &mut ());
                self.add(pos, record.result, out);
                pos.unmake();
            }
        })
    }

    fn add(&mut self, pos: &G::Position, result: Outcome, out: &mut Samples) {
        if !pos.in_check() {
            self.0.reset(pos);
            let score = self.0.evaluate(pos);
            out.push(pos, score, result);
        }
    }
}

pub fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

/// The scale to use if no position determines it.
pub const USUAL_SCALE: f32 = 400.0;

/// The scale in centipawns at which `1 / (1 + exp(-score / scale))` predicts results best (least squares).
pub fn fit_scale(samples: &Samples) -> f32 {
    let step = samples.len().div_ceil(200_000).max(1);
    let loss = |scale: f32| -> f64 {
        let error = |label: &Label| match label.kind {
            LabelKind::Game { result } => f64::from(sigmoid(f32::from(label.score) / scale) - result).powi(2),
            LabelKind::Score(_) => 0.0,
        };
        samples.labels.iter().step_by(step).map(error).sum()
    };
    // A golden-section search would take fewer steps, but this is fast enough.
    let candidates = (10..=200).map(|n| n as f32 * 10.0);
    candidates
        .map(|scale| (loss(scale), scale))
        .fold((f64::MAX, USUAL_SCALE), |a, b| if b.0 < a.0 { b } else { a })
        .1
}

#[cfg(test)]
mod tests {
    use super::*;
    use sanban_rules::Move;
    use sanban_rules::{Shogi, Variant};

    #[test]
    fn a_score_is_blended_with_those_that_follow() {
        let blend = |scores: &[Option<Score>], lambda| {
            let mv = Move::from_bits(1).expect("valid move");
            let plies: Vec<Ply> = scores.iter().map(|&score| Ply { mv, score }).collect();
            blended(&plies, lambda)
        };
        let scores = [Some(100), Some(-300), Some(500)];
        assert_eq!(blend(&scores, 0.0), scores);
        // From the end: 500; (-300 - 500) / 2; (100 + 400) / 2.
        assert_eq!(blend(&scores, 0.5), [Some(250), Some(-400), Some(500)]);
        // A mate counts as a decided game.
        assert_eq!(blend(&[Some(0), Some(-30_000)], 0.5), [Some(DECIDED / 2), Some(-DECIDED)]);
        // A random move says nothing about the positions before it.
        assert_eq!(blend(&[Some(100), None, Some(500)], 0.5), [Some(100), None, Some(500)]);
        assert!(blend(&[], 0.5).is_empty());
    }

    #[test]
    fn positions_before_a_random_move_have_no_result() {
        let start = Shogi::parse(Shogi::START).expect("valid start position");
        let mut pos = start.clone();
        let mut ply = |usi: &str, score| {
            let mv = pos.parse_usi(usi).expect("legal move");
            pos.make(mv, &mut ());
            Ply { mv, score }
        };
        let plies =
            vec![ply("7g7f", Some(30)), ply("9c9d", None), ply("2g2f", Some(60)), ply("3c3d", Some(-20))];
        let mut samples = Samples::default();
        let record = Record { result: Outcome::Win, plies };
        assert_eq!(samples.add_game(&start, &record, 0.5), Ok(()));
        let labels: Vec<_> = samples.labels.iter().map(|label| (label.score, label.kind)).collect();
        let game = |result| LabelKind::Game { result };
        assert_eq!(labels, [(30, LabelKind::Score(Bound::Exact)), (40, game(1.0)), (-20, game(0.0))]);
    }

    /// The engine adds progress towards a declaration to the output of every network.
    #[test]
    fn progress_towards_a_declaration_is_not_learned() {
        let pos = Shogi::parse("4K4/3GG4/9/9/9/9/9/9/4k4 b 2R2B2G4S4N4L18P 1").expect("valid position");
        let mut samples = Samples::default();
        samples.push(&pos, 1500, Outcome::Win);
        assert!(pos.tempered(0) > 0);
        assert_eq!(Score::from(samples.labels[0].score), 1500 - pos.tempered(0));
    }

    #[test]
    fn a_teacher_speaks_of_more_positions_than_the_game_has() {
        let start = Shogi::parse(Shogi::START).expect("valid start position");
        let mut pos = start.clone();
        let (mut plies, mut rng) = (vec![], Rng::new(4));
        for _ in 0..20 {
            let moves = pos.legal_moves();
            let mv = moves[rng.below(moves.len())];
            plies.push(Ply { mv, score: Some(1234) });
            pos.make(mv, &mut ());
        }
        let mut eval = Shogi::evaluator(&Shogi::embedded());
        let mut samples = Samples::default();
        let record = Record { result: Outcome::Win, plies };
        let mut teacher = Teacher::<Shogi>(Shogi::evaluator(&Shogi::embedded()));
        assert_eq!(teacher.add_game(&start, &record, &mut samples), Ok(()));
        assert!(samples.len() > 20 * SUCCESSORS && samples.len() <= 20 * (1 + SUCCESSORS));
        // The first sample is the start position.
        eval.reset(&start);
        assert_eq!(Score::from(samples.get(0).1.score), eval.evaluate(&start));
        assert!((0..samples.len()).all(|n| samples.get(n).1.score != 1234));
    }
}
