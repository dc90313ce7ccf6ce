//! Jobs that are split into numbered units, for several runs or machines: the files of finished units, with one line of
//! JSON per unit.

use super::failure::Failure;
use super::text::note;
use sanban_system::{Journal, Part, Signed};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A finished unit.
pub(super) trait Unit: Serialize + DeserializeOwned {
    /// The kind of job, as stored in the first line of its file.
    const JOB: &'static str;
    /// What the units are called in messages, and what happens to a damaged one.
    const WORDS: [&'static str; 2];

    /// Number of the unit, from 0.
    fn number(&self) -> u64;

    /// How two results for the unit differ.
    fn difference(&self, _other: &Self) -> Option<String> {
        None
    }
}

/// The finished units of a job.
pub(super) struct Units<U> {
    pub done: BTreeMap<u64, U>,
    journal: Option<Journal>,
}

impl<U: Unit> Units<U> {
    /// Opens the file of a job, if there is one, and reads the units of a shard in it.
    pub fn open(out: Option<&Path>, about: &Value, part: Part) -> Result<Self, Failure> {
        let mut done = BTreeMap::new();
        let journal = out.map(|path| {
            Journal::open(path, U::JOB, about, |line, unit| {
                match sound::<U>(unit) {
                    Ok(unit) => drop(done.insert(unit.number(), unit)),
                    Err(error) => note(&format!("{}: line {line}: {error}; {}", path.display(), U::WORDS[1])),
                }
                Ok(())
            })
        });
        let journal = journal.transpose()?;
        done.retain(|&number, _| part.has(number));
        Ok(Self { done, journal })
    }

    /// Stores a unit.
    pub fn add(&mut self, unit: U) -> Result<(), Failure> {
        if let Some(journal) = &mut self.journal {
            journal.append(&Signed::new(&unit)).map_err(|error| Failure::Work(error.to_string()))?;
        }
        self.done.insert(unit.number(), unit);
        Ok(())
    }
}

/// Combines the files of all shards, of which none may be missing. `count` returns the number of units from the
/// description of the job. A damaged line is ignored: its unit may be in another file.
pub(super) fn combine<A: DeserializeOwned, U: Unit>(
    paths: &[PathBuf],
    count: impl Fn(&A) -> u64,
) -> Result<(A, BTreeMap<u64, U>), Failure> {
    let (mut about, mut done): (Option<Value>, BTreeMap<u64, U>) = (None, BTreeMap::new());
    for path in paths {
        let mut units = Vec::new();
        let found = Journal::read(path, U::JOB, |line, unit| {
            units.push((line, sound::<U>(unit)));
            Ok(())
        })?;
        let shown = path.display();
        if about.is_some() && found.is_some() && found != about {
            let sentence = format!("{shown}: belongs to a different job from the previous file");
            return Err(Failure::Request(sentence));
        }
        about = found.or(about);
        for (line, unit) in units {
            match unit {
                Err(error) => note(&format!("{shown}: line {line}: {error}; skipped")),
                Ok(unit) => {
                    let known = done.get(&unit.number());
                    if let Some(problem) = known.and_then(|known| known.difference(&unit)) {
                        return Err(Failure::Work(format!("{shown}: line {line}: {problem}")));
                    }
                    done.insert(unit.number(), unit);
                }
            }
        }
    }
    let names = U::WORDS[0];
    let Some(about) = about.and_then(|about| serde_json::from_value::<A>(about).ok()) else {
        return Err(Failure::Request(format!("{}: contains no {names}", paths[0].display())));
    };
    let all = count(&about);
    let mut missing = (0..all).filter(|number| !done.contains_key(number)).peekable();
    if let Some(&first) = missing.peek() {
        let sentence = format!("{} of {all} {names} are missing; the first is {first}", missing.count());
        return Err(Failure::Work(sentence));
    }
    Ok((about, done))
}

/// Checks that a line is intact and was written by this version.
fn sound<U: Unit>(line: serde_json::Result<Signed<U>>) -> Result<U, String> {
    let signed = line.map_err(|error| error.to_string())?;
    let version = env!("CARGO_PKG_VERSION");
    if !signed.is_intact() {
        return Err("the checksum does not match".into());
    }
    if signed.version != version {
        return Err(format!("written by version {}, not {version}", signed.version));
    }
    Ok(signed.work)
}
