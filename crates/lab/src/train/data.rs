//! The training data. The sources can be read again in every epoch, so memory does not limit the number of positions: a
//! small number is kept in memory, a large number is read in blocks of shuffled sources.

use super::error::TrainError;
use super::samples::Samples;
use rayon::prelude::*;
use sanban_rules::Rng;
use sanban_system::available_memory;

/// Number of sources read at the same time.
const TOGETHER: usize = 4;

/// A source of positions, which yields the same positions every time it is read.
pub trait Source: Send + Sync {
    /// Reads all positions of the source.
    fn read(&self) -> Result<Part, TrainError>;
}

#[derive(Default)]
pub struct Part {
    pub training: Samples,
    /// The validation positions, from separate games.
    pub validation: Samples,
    pub games: usize,
    /// Number of recorded moves in the games.
    pub plies: usize,
    /// Messages about unusable data, with the file name.
    pub damaged: Vec<String>,
}

/// Limits on the number of positions in memory.
#[derive(Clone, Copy, Debug)]
pub struct Room {
    /// Up to this number of positions are kept in memory for all epochs.
    pub held: usize,
    /// A larger number is read in blocks of about this size.
    pub block: usize,
}

impl Room {
    /// Limits that take half of the available memory, at most 1 GiB.
    pub fn available() -> Self {
        let bytes = available_memory().map_or(1 << 30, |bytes| (bytes / 2).min(1 << 30));
        let held = bytes as usize / Samples::BYTES;
        Self { held, block: (held / 2).max(1) }
    }
}

pub struct Data {
    /// The sources to read in every epoch; empty if the positions are kept in memory.
    sources: Vec<Box<dyn Source>>,
    /// The training positions, if they are kept in memory.
    held: Option<Samples>,
    /// Number of training positions.
    count: usize,
    block: usize,
    fingerprint: u64,
    /// The validation positions, from separate games.
    pub validation: Samples,
    pub games: usize,
    /// Number of recorded moves in the games.
    pub plies: usize,
    /// Messages about unusable data, with the file name.
    pub damaged: Vec<String>,
}

impl Data {
    /// Reads all sources once. Damaged sources are skipped and reported.
    pub fn load(sources: Vec<Box<dyn Source>>, room: Room) -> Self {
        let mut out = Self::held(Samples::default(), Samples::default());
        out.block = room.block;
        let mut sources = sources.into_iter().peekable();
        while sources.peek().is_some() {
            let group: Vec<Box<dyn Source>> = sources.by_ref().take(TOGETHER).collect();
            let parts: Vec<Result<Part, TrainError>> = group.par_iter().map(|source| source.read()).collect();
            for (source, part) in group.into_iter().zip(parts) {
                match part {
                    Ok(part) => out.take(source, part, room.held),
                    Err(error) => out.damaged.push(error.to_string()),
                }
            }
        }
        if out.held.is_some() {
            out.sources.clear();
        }
        out
    }

    pub fn held(training: Samples, validation: Samples) -> Self {
        Self {
            sources: vec![],
            count: training.len(),
            block: usize::MAX,
            fingerprint: validation.checksum(training.checksum(0)),
            held: Some(training),
            validation,
            games: 0,
            plies: 0,
            damaged: vec![],
        }
    }

    fn take(&mut self, source: Box<dyn Source>, part: Part, most: usize) {
        self.fingerprint = part.validation.checksum(part.training.checksum(self.fingerprint));
        self.games += part.games;
        self.plies += part.plies;
        self.damaged.extend(part.damaged);
        self.validation.append(part.validation);
        if !part.training.is_empty() {
            self.sources.push(source);
        }
        self.count += part.training.len();
        if self.count > most {
            self.held = None;
        }
        if let Some(held) = &mut self.held {
            held.append(part.training);
        }
    }

    pub fn len(&self) -> usize {
        self.count
    }

    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// A checksum of the targets of the positions, in order.
    pub fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    /// The description of the data that is stored in a network.
    pub fn origin(&self) -> String {
        format!("{} games, {} positions", self.games, self.count)
    }

    /// Checks that there are training and validation positions.
    pub fn suffices(&self) -> Result<(), TrainError> {
        let (training, validation) = (self.count, self.validation.len());
        if training > 0 && validation > 0 {
            return Ok(());
        }
        Err(TrainError::TooFew { games: self.games, training, validation })
    }

    /// Visits all training positions block by block, in an order that depends on the random numbers.
    ///
    /// # Errors
    /// A source can no longer be read, or the visitor fails.
    pub fn pass(
        &self,
        rng: &mut Rng,
        mut visit: impl FnMut(&Samples, &mut Rng) -> Result<(), TrainError>,
    ) -> Result<(), TrainError> {
        if let Some(held) = &self.held {
            return visit(held, rng);
        }
        let mut order: Vec<usize> = (0..self.sources.len()).collect();
        rng.shuffle(&mut order);
        let mut block = Samples::default();
        let mut rest = &order[..];
        while !rest.is_empty() {
            let (group, others) = rest.split_at(TOGETHER.min(rest.len()));
            let parts: Vec<Result<Part, TrainError>> =
                group.par_iter().map(|&source| self.sources[source].read()).collect();
            for part in parts {
                block.append(part?.training);
            }
            rest = others;
            if block.len() >= self.block || rest.is_empty() {
                visit(&block, rng)?;
                block.clear();
            }
        }
        Ok(())
    }

    /// Visits some of the training positions: all if they are kept in memory, otherwise those of the first source.
    pub fn excerpt<R>(&self, mut visit: impl FnMut(&Samples) -> R) -> Result<Option<R>, TrainError> {
        if let Some(held) = &self.held {
            return Ok(Some(visit(held)));
        }
        let Some(source) = self.sources.first() else { return Ok(None) };
        Ok(Some(visit(&source.read()?.training)))
    }
}

#[cfg(test)]
mod tests {
    use super::super::record::Result as Outcome;
    use super::*;
    use sanban_rules::{Position as _, Shogi, Variant};

    /// Positions with consecutive scores.
    struct Counted(i32, i32);

    impl Source for Counted {
        fn read(&self) -> Result<Part, TrainError> {
            let pos = Shogi::parse(Shogi::START).expect("valid start position");
            let mut part = Part { games: 1, plies: self.1 as usize, ..Part::default() };
            (self.0..self.0 + self.1).for_each(|score| part.training.push(&pos, score, Outcome::Draw));
            part.validation.push(&pos, -self.0, Outcome::Draw);
            assert!(!pos.in_check());
            Ok(part)
        }
    }

    fn sources() -> Vec<Box<dyn Source>> {
        (0..20).map(|n| Box::new(Counted(n * 10, 10)) as Box<dyn Source>).collect()
    }

    /// Every epoch visits every position once, in blocks if there are too many, and in a different order each time.
    #[test]
    fn blocks_are_the_whole() {
        let all = Data::load(sources(), Room { held: 200, block: 100 });
        let blocks = Data::load(sources(), Room { held: 199, block: 60 });
        assert_eq!((all.fingerprint(), all.len()), (blocks.fingerprint(), blocks.len()));
        assert_eq!((blocks.len(), blocks.validation.len(), blocks.games), (200, 20, 20));
        let pass = |data: &Data, seed| {
            let mut sizes = vec![];
            let mut scores = vec![];
            let visited = data.pass(&mut Rng::new(seed), |samples, _| {
                sizes.push(samples.len());
                scores.extend((0..samples.len()).map(|at| samples.get(at).1.score));
                Ok(())
            });
            assert!(visited.is_ok());
            (sizes, scores)
        };
        assert_eq!(pass(&all, 1), (vec![200], (0..200).collect()));
        let (sizes, mut scores) = pass(&blocks, 1);
        assert_eq!(sizes, [80, 80, 40]);
        assert_ne!(scores, pass(&blocks, 2).1);
        scores.sort_unstable();
        assert_eq!(scores, (0..200).collect::<Vec<i16>>());
        assert_eq!(blocks.excerpt(Samples::len).ok(), Some(Some(10)));
    }

    #[test]
    fn a_source_with_a_fault_is_left_out() {
        struct Broken;
        impl Source for Broken {
            fn read(&self) -> Result<Part, TrainError> {
                Err(TrainError::NotPositions("x".into()))
            }
        }
        let mut sources = sources();
        sources.insert(3, Box::new(Broken));
        let data = Data::load(sources, Room { held: 1000, block: 1000 });
        assert_eq!((data.len(), data.damaged.len()), (200, 1));
        assert!(Data::load(vec![Box::new(Broken)], Room { held: 9, block: 9 }).suffices().is_err());
    }
}
