//! Prints brinkmates and proofs.

use super::super::failure::Failure;
use super::super::text::print;
use super::answer::{self, describe, texts};
use sanban_engine::mate::{
    Answer, Brink, BrinkOutcome, MateLimits, MateOutcome, ProofNode, ProofOutcome, brinkmate, prove,
};
use sanban_rules::Move;
use sanban_rules::shogi::Position;
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
            BrinkOutcome::Mate(line) => answer::json::<Position>(pos, &MateOutcome::Mate(line)),
            BrinkOutcome::Unknown => answer::json::<Position>(pos, &MateOutcome::Unknown),
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

/// The SFEN without the move number, which a proof does not need.
fn plain(pos: &Position) -> String {
    let sfen = pos.sfen();
    sfen.rsplit_once(' ').map_or(sfen.clone(), |(plain, _)| plain.to_string())
}

/// The first line of every proof.
const HEAD: &[u8] = b"sanban proof 1\n";

/// The file of a proof, which is renamed into place when the proof is complete.
struct ProofFile {
    whole: Whole,
    writer: BufWriter<File>,
}

impl ProofFile {
    /// Creates the file and writes its header, which contains the first position and its result.
    fn create(path: &Path, pos: &Position, node: &ProofNode) -> io::Result<Self> {
        let mut whole = Whole::replace(path, begins_with(HEAD))?;
        let mut writer = BufWriter::new(whole.file().try_clone()?);
        let head = match node {
            ProofNode::Mate(_, plies) => format!("mate {plies}"),
            ProofNode::NoMate(_) => "nomate".into(),
        };
        writer.write_all(HEAD)?;
        writeln!(writer, "{head} {}", plain(pos))?;
        Ok(Self { whole, writer })
    }

    fn write(&mut self, pos: &Position, node: &ProofNode) -> io::Result<()> {
        match node {
            ProofNode::Mate(mv, plies) => {
                writeln!(self.writer, "{plies}\t{}\t{}", plain(pos), Position::usi(*mv))
            }
            ProofNode::NoMate(answers) => {
                let moves: Vec<Move> = answers.iter().flat_map(|&(check, reply)| [check, reply]).collect();
                writeln!(self.writer, "{}\t{}", plain(pos), texts::<Position>(&moves).join(" "))
            }
        }
    }

    fn finish(mut self) -> io::Result<()> {
        self.writer.flush()?;
        self.whole.finish()
    }
}

/// Solves a problem, writes its proof and prints the answer with the number of positions.
pub(super) fn prove_one(sfen: &str, pos: &Position, path: &Path, limits: &MateLimits) -> Result<(), Failure> {
    let failed = |error: io::Error| Failure::file(path, &error);
    // An unsolved problem leaves no file.
    let mut file: Option<ProofFile> = None;
    let mut result = Ok(());
    let outcome = prove(pos, limits, &(), &mut |pos: &Position, node: &ProofNode| {
        let mut write = || {
            let file = match &mut file {
                Some(file) => file,
                none => none.insert(ProofFile::create(path, pos, node)?),
            };
            file.write(pos, node)
        };
        if result.is_ok() {
            result = write();
        }
    });
    result.map_err(failed)?;
    if let Some(file) = file
        && outcome != ProofOutcome::Unknown
    {
        file.finish().map_err(failed)?;
    }
    match outcome {
        ProofOutcome::Mate(count) => print(&format!("{sfen}\tmate\t{count} positions")),
        ProofOutcome::NoMate(count) => print(&format!("{sfen}\tnomate\t{count} positions")),
        ProofOutcome::Unknown => print(&format!("{sfen}\ttimeout")),
    }
}
