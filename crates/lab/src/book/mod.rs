//! Growing opening books: [`think`] searches where the best play ends, [`minimax`] carries values back.

pub mod minimax;
pub mod think;
