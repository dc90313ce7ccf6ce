//! The failures of subcommands and their exit codes.

use sanban_lab::arena;
use sanban_lab::train::TrainError;
use sanban_system::{FileError, JournalError, JournalFault};
use std::io::{self, ErrorKind};
use std::path::Path;

/// The exit codes of every subcommand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum ExitStatus {
    /// Success; if the command answers a question, the answer is yes.
    Done = 0,
    /// The command failed (disk full, engine crashed, out of memory, file in use by another process, some of the files
    /// failed), or it succeeded, and the printed answer is no.
    Failed = 1,
    /// The request is invalid: a usage error, input that cannot be read, or a path that cannot be written.
    Request = 2,
    /// The question is open: a limit was reached before the answer was known.
    Open = 3,
    /// The command was interrupted by Ctrl-C or a signal; partial results are kept where the documentation says so.
    Interrupted = 130,
}

impl ExitStatus {
    /// All exit codes with their meanings, for `--help`.
    pub const TABLE: [(Self, &str); 5] = [
        (Self::Done, "success; if the command answers a question, the answer is yes"),
        (
            Self::Failed,
            "the command failed (disk full, engine crashed, file in use, some files failed), or the answer is no",
        ),
        (
            Self::Request,
            "the request is invalid: a usage error, unreadable input, or an output path that cannot be written",
        ),
        (Self::Open, "the answer is open: a limit was reached"),
        (Self::Interrupted, "interrupted (Ctrl-C, SIGTERM)"),
    ];
}

/// Why a subcommand ended early, with a message for the user if needed.
#[derive(Debug)]
pub enum Failure {
    /// The request is invalid.
    Request(String),
    /// The work failed.
    Work(String),
    /// The command succeeded, and the printed answer is no.
    No,
    /// The command reached a limit, and the answer is open.
    Open,
    /// The work was interrupted; everything has been reported.
    Interrupted,
    /// Help or version was printed; nothing is left to do.
    Printed,
}

impl Failure {
    pub fn status(&self) -> ExitStatus {
        match self {
            Self::Request(_) => ExitStatus::Request,
            Self::Work(_) | Self::No => ExitStatus::Failed,
            Self::Open => ExitStatus::Open,
            Self::Interrupted => ExitStatus::Interrupted,
            Self::Printed => ExitStatus::Done,
        }
    }

    /// Classifies a system error: an unusable path makes the request invalid; a full disk or a file in use does not.
    pub fn system(sentence: String, error: &io::Error) -> Self {
        match error.kind() {
            ErrorKind::NotFound
            | ErrorKind::PermissionDenied
            | ErrorKind::AlreadyExists
            | ErrorKind::InvalidInput
            | ErrorKind::InvalidFilename
            | ErrorKind::IsADirectory
            | ErrorKind::NotADirectory
            | ErrorKind::ReadOnlyFilesystem => Self::Request(sentence),
            _ if is_symlink_loop(error) => Self::Request(sentence),
            _ => Self::Work(sentence),
        }
    }

    /// A system error for a file, with its path in the message.
    pub fn file(path: &Path, error: &io::Error) -> Self {
        Self::system(format!("{}: {error}", path.display()), error)
    }
}

/// Creates an output directory unless it exists.
pub fn make_directory(path: &Path) -> Result<(), Failure> {
    match std::fs::create_dir_all(path) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            Err(Failure::Request(format!("{}: not a directory", path.display())))
        }
        made => made.map_err(|error| Failure::file(path, &error)),
    }
}

/// Whether the error is a loop of symbolic links, for which the standard library has no stable [`ErrorKind`].
fn is_symlink_loop(error: &io::Error) -> bool {
    #[cfg(unix)]
    let code = Some(nix::errno::Errno::ELOOP as i32);
    #[cfg(not(unix))]
    let code = None;
    code.is_some() && error.raw_os_error() == code
}

impl From<FileError> for Failure {
    fn from(error: FileError) -> Self {
        Self::system(error.to_string(), &error.source)
    }
}

impl From<JournalError> for Failure {
    fn from(error: JournalError) -> Self {
        let sentence = error.to_string();
        match &error.fault {
            JournalFault::System(error) => Self::system(sentence, error),
            JournalFault::Busy(_) => Self::Work(sentence),
            _ => Self::Request(sentence),
        }
    }
}

impl From<arena::Error> for Failure {
    fn from(error: arena::Error) -> Self {
        match error {
            arena::Error::Journal(error) => error.into(),
            error @ (arena::Error::Faults { .. } | arena::Error::Restart(_)) => Self::Work(error.to_string()),
            error => Self::Request(error.to_string()),
        }
    }
}

impl From<TrainError> for Failure {
    fn from(error: TrainError) -> Self {
        match error {
            TrainError::File(error) => error.into(),
            error => Self::Request(error.to_string()),
        }
    }
}

impl From<String> for Failure {
    fn from(sentence: String) -> Self {
        Self::Request(sentence)
    }
}
