//! Game records and opening books: one module for each format, all of them behind [`record::Record`] and [`book::open`].

#![deny(unsafe_code)]

pub mod book;
pub mod record;
