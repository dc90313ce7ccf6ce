//! Grows opening books: [`think`] searches the positions where the best lines end, [`minimax`] backs up values.

pub mod minimax;
pub mod think;
