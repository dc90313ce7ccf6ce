//! Jobs that are split into numbered units, for several runs or machines.

mod perft;
mod suite;

pub use perft::{ByKind, Count, CountAbout, CountJob};
pub use suite::{Answer, Problem, SuiteJob, describe, problem, suite_about, texts};

use sanban_system::Signed;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::collections::BTreeMap;

/// A job: its plan, one unit of work, the check of a finished unit, and the total.
pub trait Job: Sync {
    /// The kind of job, as stored in the first line of its file.
    const KIND: &'static str;
    /// What the units are called in messages, and what happens to a damaged one.
    const WORDS: [&'static str; 2];
    /// A finished unit.
    type Unit: Serialize + DeserializeOwned + Send;
    type Total;

    /// The description of the job, and the number of units.
    fn plan(&self) -> (Value, u64);

    /// Number of a finished unit, from 0.
    fn number(unit: &Self::Unit) -> u64;

    /// Does a unit; `None` after an interrupt, which ends the job.
    fn run(&self, unit: u64) -> Option<Self::Unit>;

    /// Returns what contradicts the plan, or another result for the unit, in a finished unit.
    fn check(&self, _: &Self::Unit, _: Option<&Self::Unit>) -> Option<String> {
        None
    }

    /// Combines finished units; `None` if the total is too large.
    fn merge(&self, units: &BTreeMap<u64, Self::Unit>) -> Option<Self::Total>;
}

/// Returns the finished unit of an intact line of this version, or what is wrong with the line.
pub fn finished<T: Serialize>(line: serde_json::Result<Signed<T>>) -> Result<T, String> {
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
