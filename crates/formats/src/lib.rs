//! Game records and opening books, with one module for each format. [`record::Record`] and [`book::open`] are the
//! common interfaces.

#![warn(missing_docs)]
#![deny(unsafe_code)]

pub mod book;
pub mod record;
