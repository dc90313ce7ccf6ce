//! Shards of games as sources of positions.

use super::data::{Part, Source};
use super::error::TrainError;
use super::samples::Teacher;
use super::selfplay::start;
use super::{shard, tree};
use sanban_engine::Game;
use sanban_engine::nnue::NetworkChoice;
use sanban_rules::{AsBoard, Rng, VariantId};
use sanban_system::FileError;
use std::marker::PhantomData;
use std::path::PathBuf;

/// One game in this many is kept for validation.
const VALIDATION: u64 = 100;

/// How positions of games are labelled.
#[derive(Clone)]
pub struct Labelling {
    /// An evaluation that replaces the scores of the games. Random successors of the positions are then added as well.
    pub teacher: Option<NetworkChoice>,
    /// Without a teacher, the score of a position is blended with those of the following moves, whose weight decays by
    /// this factor per ply.
    pub lambda: f32,
    /// Whether to add positions inside the searches, if their files exist. Ignored with a teacher.
    pub tree: bool,
    /// Whether to learn from only half of the games; which half depends on this number.
    pub half: Option<u64>,
}

/// The shards (`*.games`) in the given directories, sorted by name, which contain a game on the board of `G`.
pub fn shards<G: Game<Position: AsBoard>>(
    game: VariantId,
    directories: &[PathBuf],
    labelling: &Labelling,
) -> Result<Vec<Box<dyn Source>>, TrainError> {
    let mut paths = vec![];
    for directory in directories {
        let entries =
            std::fs::read_dir(directory).map_err(|source| FileError { path: directory.into(), source })?;
        let files = entries.flatten().map(|entry| entry.path());
        paths.extend(files.filter(|path| path.extension().is_some_and(|ext| ext == "games")));
    }
    paths.sort();
    let source = |path| {
        Box::new(Shard::<G> { game, path, labelling: labelling.clone(), board: PhantomData })
            as Box<dyn Source>
    };
    Ok(paths.into_iter().map(source).collect())
}

struct Shard<G> {
    game: VariantId,
    path: PathBuf,
    labelling: Labelling,
    board: PhantomData<fn() -> G>,
}

impl<G: Game<Position: AsBoard>> Source for Shard<G> {
    fn read(&self) -> Result<Part, TrainError> {
        let path = &self.path;
        let Labelling { teacher, lambda, tree, half } = &self.labelling;
        let mut teacher = teacher.as_ref().map(|network| Teacher::<G>(G::evaluator(network)));
        let (origin, records) = shard::read(path)?;
        let expected = self.game.name();
        if origin.game != expected {
            return Err(TrainError::OtherGame { path: path.into(), found: origin.game, expected });
        }
        let start = start::<G>(self.game);
        let trees = tree::beside(path);
        let tree = if *tree && teacher.is_none() && trees.exists() { tree::read(&trees)? } else { vec![] };
        let mut out = Part::default();
        for (game, record) in records.iter().enumerate() {
            // The choice depends only on the game, so it is the same in every training run.
            let number = origin.seed ^ (origin.first + game as u64);
            let validates = Rng::new(number).next().is_multiple_of(VALIDATION);
            let other_half = |&half: &u64| Rng::new(number ^ Rng::new(half).next()).next().is_multiple_of(2);
            if !validates && half.as_ref().is_some_and(other_half) {
                continue;
            }
            out.games += 1;
            let samples = if validates { &mut out.validation } else { &mut out.training };
            let added = match &mut teacher {
                Some(teacher) => teacher.add_game(&start, record, samples),
                None => samples.add_game(&start, record, *lambda),
            };
            added.map_err(|ply| {
                let offset = shard::offset(&records, game);
                TrainError::Illegal { path: path.into(), offset, game, ply }
            })?;
            out.plies += record.plies.len();
            let first = tree.partition_point(|position| (position.game as usize) < game);
            let own = tree.partition_point(|position| position.game as usize <= game);
            if !validates {
                let added = out.training.add_tree(&start, record, &tree[first..own]);
                added.map_err(|at| TrainError::IllegalLine { path: trees.clone(), position: first + at })?;
            }
        }
        Ok(out)
    }
}
