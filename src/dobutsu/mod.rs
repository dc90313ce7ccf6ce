//! Rules of dobutsu.
