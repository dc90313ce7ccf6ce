//! The languages of the explanations.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    English,
    Japanese,
    Korean,
}

/// A text in every language, in the order of [`Language::ALL`].
pub type Sentences = [String; Language::ALL.len()];

impl Language {
    pub const ALL: [Self; 3] = [Self::English, Self::Japanese, Self::Korean];

    /// The two-letter code of the language.
    pub const fn code(self) -> &'static str {
        ["en", "ja", "ko"][self as usize]
    }

    /// The file of its texts.
    pub(super) const fn texts(self) -> &'static str {
        match self {
            Self::English => include_str!("texts/en.txt"),
            Self::Japanese => include_str!("texts/ja.txt"),
            Self::Korean => include_str!("texts/ko.txt"),
        }
    }

    /// The file of its texts for children.
    pub(super) const fn child_texts(self) -> &'static str {
        match self {
            Self::English => include_str!("texts/en-child.txt"),
            Self::Japanese => include_str!("texts/ja-child.txt"),
            Self::Korean => include_str!("texts/ko-child.txt"),
        }
    }

    /// Returns whether words are separated by spaces.
    pub(super) const fn is_spaced(self) -> bool {
        !matches!(self, Self::Japanese)
    }
}
