//! Properties that hold for any input.
//!
//! `cargo test` tries a few cases of each property, the same every time. For longer runs, with different cases every
//! time:
//!
//! ```sh
//! FUZZ_SECONDS=300 cargo test --test hostile fuzz -- --nocapture --test-threads 1
//! ```
//!
//! This runs every target for that many seconds and prints the number of cases tried. A failing case is minimised and
//! printed; its seed is written to a file `*.kept` beside the target, and every later run tries it first. Dialogues
//! that once failed, or might fail, are stored as text in `tests/hostile/dialogues`.

mod books;
mod bytes;
mod dialogues;
mod files;
mod model;
mod records;
mod sfens;
mod tables;

use proptest::strategy::Strategy;
use proptest::test_runner::{
    Config, FileFailurePersistence, RngAlgorithm, TestCaseResult, TestRng, TestRunner,
};
use std::fmt::Debug;
use std::time::{Duration, Instant};

/// Number of cases between two checks of the clock in a long run.
const BATCH: u32 = 16;

/// Tries `cases` cases, or as many as the seconds of a long run allow. `file` is the source file of the target.
fn check<S: Strategy>(file: &'static str, cases: u32, strategy: S, test: impl Fn(S::Value) -> TestCaseResult)
where
    S::Value: Debug,
{
    let seconds = std::env::var("FUZZ_SECONDS").ok().and_then(|n| n.parse().ok()).map(Duration::from_secs);
    let config = Config {
        cases: if seconds.is_some() { BATCH.min(cases) } else { cases },
        failure_persistence: Some(Box::new(FileFailurePersistence::WithSource("kept"))),
        source_file: Some(file),
        max_shrink_iters: 300,
        ..Config::default()
    };
    let (begin, mut tried) = (Instant::now(), 0);
    loop {
        let mut runner = match seconds {
            None => {
                let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
                TestRunner::new_with_rng(config.clone(), rng)
            }
            Some(_) => TestRunner::new(config.clone()),
        };
        if let Err(error) = runner.run(&strategy, &test) {
            panic!("{file}, after {tried} cases: {error}");
        }
        tried += config.cases;
        if seconds.is_none_or(|seconds| begin.elapsed() >= seconds) {
            break;
        }
    }
    if seconds.is_some() {
        let target = std::thread::current().name().unwrap_or(file).to_string();
        println!("{target}: {tried} cases in {:.0} s", begin.elapsed().as_secs_f64());
    }
}
