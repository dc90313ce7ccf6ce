//! Rules of standard shogi.
