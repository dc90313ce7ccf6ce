//! Attacks on the program and second opinions on what must not be wrong: mutated input of every kind, scarce memory,
//! processes and disk space, other processes at the same files, and rules counted a second time.

#[path = "hostile/declaration.rs"]
mod declaration;
#[path = "common/naive.rs"]
#[allow(dead_code)]
mod naive;
