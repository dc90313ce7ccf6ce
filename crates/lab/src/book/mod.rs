//! Extends opening books: [`think`] searches the positions where the best lines end, [`minimax`] propagates values.

pub mod minimax;
pub mod think;
