//! Prints brinkmates and proofs.

use super::super::failure::Failure;
use super::super::text::print;
use sanban_engine::mate::{
    Answer, Brink, BrinkOutcome, MateLimits, MateOutcome, ProofNode, ProofOutcome, brinkmate, prove,
};
use sanban_lab::jobs::{describe, texts};
use sanban_rules::shogi::Position;
use sanban_rules::{Checks, Move};
use sanban_system::{Whole, begins_with};
use serde_json::{Value, json};
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// Searches for a brinkmate and prints it, then every defence on a separate line; or all of it as JSON.
pub(super) fn brink_one(
    sfen: &str,
    pos: &Position,
    plies: u16,
    limits: &MateLimits,
    as_json: bool,
) -> Result<(), Failure> {
    let found = brinkmate(pos, plies, limits, &());
    if as_json {
        let mut out = match found {
            BrinkOutcome::Mate(line) => answer_json::<Position>(pos, &MateOutcome::Mate(line)),
            BrinkOutcome::Unknown => answer_json::<Position>(pos, &MateOutcome::Unknown),
            BrinkOutcome::None => json!({ "sfen": pos.sfen(), "result": "nobrink" }),
            BrinkOutcome::Brink(brink) => brink_json(&brink),
        };
        out["sfen"] = pos.sfen().into();
        return print(&out.to_string());
    }
    match found {
        BrinkOutcome::Mate(line) => {
            print(&format!("{sfen}\t{}", describe::<Position>(&MateOutcome::Mate(line))))
        }
        BrinkOutcome::Brink(brink) => {
            print(&format!("{sfen}\tbrink {} {}", brink.plies(), Position::usi(brink.mv)))?;
            defences(&brink, 1)
        }
        BrinkOutcome::None => print(&format!("{sfen}\tnobrink")),
        BrinkOutcome::Unknown => print(&format!("{sfen}\ttimeout")),
    }
}

/// An answer as JSON.
pub(super) fn answer_json<P: Checks>(pos: &P, outcome: &MateOutcome) -> Value {
    let mut out = json!({ "sfen": pos.sfen() });
    out["result"] = match outcome {
        MateOutcome::Mate(line) => {
            out["moves"] = texts::<P>(line).into();
            "mate"
        }
        MateOutcome::NoMate => "nomate",
        MateOutcome::Unknown => "timeout",
    }
    .into();
    out
}

fn brink_json(brink: &Brink) -> Value {
    let defence = |(mv, answer): &(Move, Answer)| {
        let mut out = match answer {
            Answer::Mate(line) => json!({ "result": "mate", "moves": texts::<Position>(line) }),
            Answer::Brink(next) => brink_json(next),
        };
        out["defence"] = Position::usi(*mv).into();
        out
    };
    let defences: Vec<Value> = brink.defences.iter().map(defence).collect();
    let mv = Position::usi(brink.mv);
    json!({ "result": "brink", "plies": brink.plies(), "move": mv, "defences": defences })
}

fn defences(brink: &Brink, depth: usize) -> Result<(), Failure> {
    let indent = "  ".repeat(depth);
    for (mv, answer) in &brink.defences {
        let mv = Position::usi(*mv);
        match answer {
            Answer::Mate(line) => {
                print(&format!("{indent}{mv}\tmate {} {}", line.len(), texts::<Position>(line).join(" ")))?;
            }
            Answer::Brink(next) => {
                print(&format!("{indent}{mv}\tbrink {} {}", next.plies(), Position::usi(next.mv)))?;
                defences(next, depth + 1)?;
            }
        }
    }
    Ok(())
}

/// The first line of every proof.
const HEAD: &str = "sanban proof 1";

/// The file of a proof, which is created with the first line and renamed into place when the proof is complete.
pub(super) struct ProofFile<'p> {
    path: &'p Path,
    open: io::Result<Option<(Whole, BufWriter<File>)>>,
}

impl<'p> ProofFile<'p> {
    pub fn new(path: &'p Path) -> Self {
        Self { path, open: Ok(None) }
    }

    /// Writes a line after the head. A failure is returned by [`Self::finish`].
    pub fn line(&mut self, line: &str) {
        let Ok(open) = &mut self.open else { return };
        let mut write = || {
            let (_, writer) = match open {
                Some(open) => open,
                None => {
                    let mut whole = Whole::replace(self.path, begins_with(format!("{HEAD}\n").as_bytes()))?;
                    let mut writer = BufWriter::new(whole.file().try_clone()?);
                    writeln!(writer, "{HEAD}")?;
                    open.insert((whole, writer))
                }
            };
            writeln!(writer, "{line}")
        };
        if let Err(error) = write() {
            self.open = Err(error);
        }
    }

    /// Renames the file into place if the proof is `complete`; otherwise, it leaves no file.
    pub fn finish(self, complete: bool) -> Result<(), Failure> {
        let finished = self.open.and_then(|open| match open {
            Some((whole, mut writer)) if complete => writer.flush().and_then(|()| whole.finish()),
            _ => Ok(()),
        });
        finished.map_err(|error| Failure::file(self.path, &error))
    }
}

/// Solves a problem, writes its proof and prints the answer with the number of positions.
pub(super) fn prove_one(
    sfen: &str,
    pos: &Position,
    path: &Path,
    limits: &MateLimits,
    as_json: bool,
) -> Result<(), Failure> {
    let mut file = ProofFile::new(path);
    let mut is_first = true;
    let outcome = prove(pos, limits, &(), &mut |pos: &Position, node: &ProofNode| {
        if std::mem::take(&mut is_first) {
            file.line(&node.claim(pos));
        }
        file.line(&node.line(pos));
    });
    file.finish(outcome != ProofOutcome::Unknown)?;
    let (result, count) = match outcome {
        ProofOutcome::Mate(count) => ("mate", Some(count)),
        ProofOutcome::NoMate(count) => ("nomate", Some(count)),
        ProofOutcome::Unknown => ("timeout", None),
    };
    if as_json {
        return print(&json!({ "sfen": pos.sfen(), "result": result, "positions": count }).to_string());
    }
    let count = count.map_or(String::new(), |count| format!("\t{count} positions"));
    print(&format!("{sfen}\t{result}{count}"))
}
