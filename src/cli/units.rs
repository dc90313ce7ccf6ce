//! Runs jobs that are split into units, and stores finished units in files, with one line of JSON per unit.

use super::failure::Failure;
use super::text::note;
use sanban_lab::jobs::{Job, finished};
use sanban_system::{Journal, Part, Signed};
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc::{Sender, channel};
use std::thread;

/// A job with the finished and the open units of a shard.
pub(super) struct Units<J: Job> {
    pub job: J,
    pub done: BTreeMap<u64, J::Unit>,
    pub open: Vec<u64>,
    journal: Option<Journal>,
}

impl<J: Job> Units<J> {
    /// Opens the file of a job, if there is one, and reads the units of a shard in it.
    pub fn open(job: J, out: Option<&Path>, part: Part) -> Result<Self, Failure> {
        let (about, all) = job.plan();
        let mut done = BTreeMap::new();
        let journal = out.map(|path| {
            Journal::open(path, J::KIND, &about, |line, unit| {
                let unit = finished(unit).and_then(|unit| job.check(&unit, None).map_or(Ok(unit), Err));
                match unit {
                    Ok(unit) => drop(done.insert(J::number(&unit), unit)),
                    Err(error) => note(&format!("{}: line {line}: {error}; {}", path.display(), J::WORDS[1])),
                }
                Ok(())
            })
        });
        let journal = journal.transpose()?;
        done.retain(|&number, _| part.has(number));
        let open = (0..all).filter(|number| part.has(*number) && !done.contains_key(number)).collect();
        Ok(Self { job, done, open, journal })
    }

    /// Reads the files of all shards, of which none may be missing. `plan` returns the job of a description. A damaged
    /// line is ignored: its unit may be in another file.
    pub fn combine<A: DeserializeOwned>(
        paths: &[PathBuf],
        plan: impl Fn(A) -> Result<J, Failure>,
    ) -> Result<Self, Failure> {
        let ((mut first, mut done), names) = ((None, BTreeMap::new()), J::WORDS[0]);
        for path in paths {
            let (mut units, shown) = (Vec::new(), path.display());
            let about = Journal::read(path, J::KIND, |line, unit| {
                units.push((line, finished(unit)));
                Ok(())
            })?;
            let Some(about) = about else { continue };
            let (known, job) = match &first {
                Some(first) => first,
                None => {
                    let read = serde_json::from_value(about.clone());
                    let read = read.map_err(|_| format!("{shown}: contains no {names}"))?;
                    first.insert((about.clone(), plan(read)?))
                }
            };
            if about != *known {
                let sentence = format!("{shown}: belongs to a different job from the previous file");
                return Err(Failure::Request(sentence));
            }
            for (line, unit) in units {
                match unit {
                    Err(error) => note(&format!("{shown}: line {line}: {error}; skipped")),
                    Ok(unit) => {
                        if let Some(problem) = job.check(&unit, done.get(&J::number(&unit))) {
                            return Err(Failure::Work(format!("{shown}: line {line}: {problem}")));
                        }
                        done.insert(J::number(&unit), unit);
                    }
                }
            }
        }
        let (_, job) = first.ok_or_else(|| format!("{}: contains no {names}", paths[0].display()))?;
        let all = job.plan().1;
        let mut missing = (0..all).filter(|number| !done.contains_key(number)).peekable();
        if let Some(&first) = missing.peek() {
            let sentence = format!("{} of {all} {names} are missing; the first is {first}", missing.count());
            return Err(Failure::Work(sentence));
        }
        Ok(Self { job, done, open: vec![], journal: None })
    }

    /// Runs the open units on this many threads, and stores each before it is passed to `each`.
    pub fn run(
        &mut self,
        threads: usize,
        mut each: impl FnMut(&J::Unit) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let Self { job, done, open, journal } = self;
        let store = |unit: J::Unit| {
            if let Some(journal) = journal {
                journal.append(&Signed::new(&unit))?;
            }
            each(done.entry(J::number(&unit)).insert_entry(unit).get())
        };
        if threads == 1 {
            return open.iter().map_while(|&unit| job.run(unit)).try_for_each(store);
        }
        let (next, (sender, finished)) = (AtomicUsize::new(0), channel());
        let work = |sender: Sender<J::Unit>| {
            // After an error the receiver is gone, which ends the loop.
            while let Some(&unit) = open.get(next.fetch_add(1, Relaxed))
                && let Some(unit) = job.run(unit)
                && sender.send(unit).is_ok()
            {}
        };
        thread::scope(|scope| {
            for _ in 0..threads.min(open.len()) {
                let sender = sender.clone();
                let thread = thread::Builder::new().spawn_scoped(scope, move || work(sender));
                thread.map_err(|error| Failure::Work(format!("cannot start threads: {error}")))?;
            }
            drop(sender);
            finished.into_iter().try_for_each(store)
        })
    }

    /// Combines the finished units.
    pub fn total(&self) -> Result<J::Total, Failure> {
        let total = self.job.merge(&self.done);
        total.ok_or_else(|| Failure::Work("the count does not fit in 64 bits".into()))
    }
}
