//! Named settings that a game or an engine offers to the user.

/// The type, default and range of one setting, in the terms of a USI `option` line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SettingKind {
    /// `true` or `false`: default.
    Check(bool),
    /// An integer: default, smallest, largest.
    Spin(i64, i64, i64),
    /// One of several words: default, all words.
    Combo(&'static str, &'static [&'static str]),
    /// Any text: default.
    Text(&'static str),
    /// A file name: default.
    File(&'static str),
}

/// A setting: its name (ASCII without spaces) and kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setting {
    /// The name in the USI `option` line.
    pub name: &'static str,
    /// The type and range of its values.
    pub kind: SettingKind,
}
