//! The native module `sanban._sanban` of the Python package `sanban`.

mod batch;
mod dobutsu;
mod engine;
mod game;
mod jobs;
mod mate;
mod moves;
mod position;
mod record_state;
mod records;
mod teach;
mod training;
mod value;
mod wait;

use pyo3::prelude::*;

/// The classes and functions that the Python code of the package builds on.
#[pymodule]
mod _sanban {
    #[pymodule_export]
    use super::batch::Network;
    #[pymodule_export]
    use super::dobutsu::DobutsuTable;
    #[pymodule_export]
    use super::engine::{Engine, Line, Outcome};
    #[pymodule_export]
    use super::jobs::{
        Claim, Journal, book_size, check_games, command, identity, is_intact, join_games, match_standing,
        play_games, record_files, shard_games, shard_name, write_whole,
    };
    #[pymodule_export]
    use super::mate::{Mate, mate};
    #[pymodule_export]
    use super::moves::{LegalMoves, Move};
    #[pymodule_export]
    use super::position::Position;
    #[pymodule_export]
    use super::records::{Record, read_records};
    #[pymodule_export]
    use super::teach::{Level, Name, Problem, Reason, all_problems, find_problem, levels, names, reasons};
    #[pymodule_export]
    use super::training::{pack_entry, pack_games, unpack_entry, unpack_hcpe};

    use super::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        // On unsupported processors, the program exits with a message instead of crashing.
        #[cfg(all(target_arch = "x86_64", unix, target_feature = "avx2"))]
        sanban::system::processor::keep();
        module.add("__version__", env!("CARGO_PKG_VERSION"))?;
        module.add("GAMES", sanban::VariantId::NAMES.to_vec())
    }
}
