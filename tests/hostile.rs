//! Tests under hostile conditions, and independent checks of critical results: mutated input of every kind, scarce
//! memory, threads and disk space, other processes that use the same files, and a second implementation of the rules.

#[path = "common/command.rs"]
mod command;
#[path = "hostile/declaration.rs"]
mod declaration;
#[path = "hostile/fuzz/mod.rs"]
mod fuzz;
#[path = "common/gui.rs"]
#[allow(dead_code)]
mod gui;
#[path = "hostile/inputs.rs"]
mod inputs;
#[cfg(target_os = "linux")]
#[path = "hostile/limits.rs"]
mod limits;
#[path = "common/naive.rs"]
#[allow(dead_code)]
mod naive;
#[path = "hostile/others.rs"]
mod others;
#[path = "hostile/outputs.rs"]
mod outputs;
#[path = "hostile/pipes.rs"]
mod pipes;
use sanban_system::scratch;
