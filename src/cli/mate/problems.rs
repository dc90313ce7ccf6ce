//! Prints soundness checks, brinkmates and proofs.

use super::super::failure::Failure;
use super::super::text::print;
use super::answer::describe;
use sanban_engine::mate::{
    Answer, Brink, BrinkOutcome, MateLimits, MateOutcome, ProofNode, ProofOutcome, Soundness, Verdict,
    brinkmate, check, prove,
};
use sanban_rules::Move;
use sanban_rules::shogi::Position;
use sanban_system::{Whole, begins_with};
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

fn texts(moves: &[Move]) -> String {
    moves.iter().map(|&mv| Position::usi(mv)).collect::<Vec<_>>().join(" ")
}

/// Checks whether a problem is sound and prints the verdict, then every alternative solution on a separate line.
pub(super) fn check_one(sfen: &str, pos: &Position, limits: &MateLimits) -> Result<(), Failure> {
    let Soundness { verdict, line, leftover, findings, complete } = check(pos, limits, &());
    let word = match verdict {
        Verdict::Sound => "sound",
        Verdict::Cooked => "cooked",
        Verdict::Leftover => "leftover",
        Verdict::NoMate => "nomate",
        Verdict::Unknown => "timeout",
    };
    let mut text = format!("{sfen}\t{word}");
    if !line.is_empty() {
        text += &format!("\tmate {} {}", line.len(), texts(&line));
        text += if leftover { "\tpieces left over" } else { "" };
    }
    if verdict == Verdict::Cooked && !complete {
        text += "\tnot searched to the end";
    }
    for finding in findings {
        let plies = finding.plies.map_or("longer".into(), |plies| format!("mate {plies}"));
        let place = if finding.in_main_line { "main line" } else { "equal defence" };
        text += &format!(
            "\n  {}\tply {}\t{}\t{plies}\t{place}\t{}",
            finding.kind,
            finding.before.len() + 1,
            Position::usi(finding.mv),
            texts(&finding.before)
        );
    }
    print(text.trim_end_matches('\t'))
}

/// Searches for a brinkmate and prints it, then every defence on a separate line.
pub(super) fn brink_one(sfen: &str, pos: &Position, plies: u16, limits: &MateLimits) -> Result<(), Failure> {
    match brinkmate(pos, plies, limits, &()) {
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

fn defences(brink: &Brink, depth: usize) -> Result<(), Failure> {
    let indent = "  ".repeat(depth);
    for (mv, answer) in &brink.defences {
        let mv = Position::usi(*mv);
        match answer {
            Answer::Mate(line) => print(&format!("{indent}{mv}\tmate {} {}", line.len(), texts(line)))?,
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
                writeln!(self.writer, "{}\t{}", plain(pos), texts(&moves))
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
