//! Rules of janggi.
