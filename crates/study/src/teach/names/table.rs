//! The table of names: rows of a text file with conditions.

use once_cell::sync::Lazy;
use sanban_formats::record::Board;
use sanban_rules::Color;
use sanban_rules::shogi::Kind;
use sanban_rules::shogi::square::SQUARES;
use thiserror::Error;

/// The embedded table.
const SHOGI: &str = include_str!("shogi.tsv");

static BUILT_IN: Lazy<Table> = Lazy::new(|| Table::parse(SHOGI).unwrap_or_default());

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NameKind {
    Opening,
    /// A formation around the king.
    Castle,
    /// A tactic of a single move.
    Tactic,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    pub kind: NameKind,
    pub id: String,
    pub english: String,
    pub japanese: String,
    /// The conditions, of which at least one must hold.
    pub(super) conditions: Vec<Condition>,
}

impl Name {
    /// Returns whether this is the id of the name or, after `*`, a word of the English name.
    pub(super) fn is(&self, id: &str) -> bool {
        match id.strip_prefix('*') {
            Some(word) => self.english.split(' ').any(|part| part == word),
            None => self.id == id,
        }
    }
}

/// Why a table cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: {problem}")]
pub struct TableError {
    /// The line, from 1.
    pub line: usize,
    pub problem: RowError,
}

/// Why a row of a table is invalid.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum RowError {
    #[error("expected 5 columns separated by tabs, found {0}")]
    Columns(usize),
    #[error("expected opening, castle or tactic, found {0}")]
    Kind(String),
    #[error("invalid term: {0}")]
    Term(String),
    #[error("openings and castles need a condition, and tactics must not have one")]
    Condition,
    #[error("id {0} is already used for a different kind of name")]
    OtherKind(String),
    #[error("a new id needs an English and a Japanese name")]
    Nameless,
}

/// Names with their conditions, in the order in which they are reported.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    names: Vec<Name>,
}

impl Table {
    /// The embedded names for shogi.
    pub fn built_in() -> &'static Self {
        &BUILT_IN
    }

    /// Parses a table; the format is described at the top of the embedded one.
    ///
    /// # Errors
    /// A line cannot be parsed; the error describes the first such line.
    pub fn parse(text: &str) -> Result<Self, TableError> {
        let mut out = Self::default();
        out.extend(text)?;
        Ok(out)
    }

    /// Adds the rows of another table. A row with an existing id adds a condition to its name.
    ///
    /// # Errors
    /// A line cannot be parsed; the error describes the first such line. The lines before it are kept.
    pub fn extend(&mut self, text: &str) -> Result<(), TableError> {
        for (number, row) in text.lines().enumerate() {
            if row.trim().is_empty() || row.starts_with('#') {
                continue;
            }
            self.add(row).map_err(|problem| TableError { line: number + 1, problem })?;
        }
        Ok(())
    }

    pub fn names(&self) -> &[Name] {
        &self.names
    }

    pub fn get(&self, id: &str) -> Option<&Name> {
        self.names.iter().find(|name| name.id == id)
    }

    fn add(&mut self, row: &str) -> Result<(), RowError> {
        let columns: Vec<&str> = row.split('\t').map(str::trim).collect();
        let [kind, id, english, japanese, condition] = columns[..] else {
            return Err(RowError::Columns(columns.len()));
        };
        let kind = match kind {
            "opening" => NameKind::Opening,
            "castle" => NameKind::Castle,
            "tactic" => NameKind::Tactic,
            other => return Err(RowError::Kind(other.into())),
        };
        let condition = Condition::parse(condition)?;
        if condition.is_empty() != (kind == NameKind::Tactic) {
            return Err(RowError::Condition);
        }
        let known = self.names.iter_mut().find(|name| name.id == id);
        match known {
            Some(name) if name.kind != kind => Err(RowError::OtherKind(id.into())),
            Some(name) => {
                name.conditions.push(condition);
                Ok(())
            }
            None if id.is_empty() || english.is_empty() || japanese.is_empty() => Err(RowError::Nameless),
            None => {
                let (id, english, japanese) = (id.into(), english.into(), japanese.into());
                let conditions = if condition.is_empty() { vec![] } else { vec![condition] };
                self.names.push(Name { kind, id, english, japanese, conditions });
                Ok(())
            }
        }
    }
}

/// A conjunction of terms; each term is a disjunction of tests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Condition(Vec<Vec<Test>>);

/// A test, for the side that moves up the board.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Test {
    Piece { own: bool, kind: Kind, square: usize, there: bool },
    Empty(usize),
    Hand { own: bool, kind: Kind, there: bool },
    To(Kind, usize),
    From(usize),
    Takes(Kind),
    Drop,
    Calm,
    Fight,
    Unmoved,
    Plies(usize),
    First,
    Second,
    After { id: String, there: bool },
}

/// The input to conditions: a board with its history, seen from one side.
pub(super) struct Scene<'a> {
    pub board: &'a Board,
    pub side: Color,
    /// The last move, if this side made it.
    pub last: Option<Last>,
    /// Only pawns and bishops have been captured.
    pub calm: bool,
    /// The king of the side has not moved.
    pub unmoved: bool,
    /// Plies made so far.
    pub plies: usize,
    /// The side that moved first, in games without handicap.
    pub first: Option<Color>,
    /// Returns whether a name with this id or, after `*`, with this English word already applies to the side.
    pub known: &'a dyn Fn(&str) -> bool,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Last {
    pub kind: Kind,
    pub from: Option<usize>,
    pub to: usize,
    pub captured: Option<Kind>,
}

impl Condition {
    fn parse(text: &str) -> Result<Self, RowError> {
        let term = |term: &str| term.split('|').map(Test::parse).collect::<Result<Vec<_>, _>>();
        text.split_whitespace().map(term).collect::<Result<_, _>>().map(Self)
    }

    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn holds(&self, scene: &Scene) -> bool {
        self.0.iter().all(|term| term.iter().any(|test| test.holds(scene)))
    }
}

impl Test {
    fn parse(text: &str) -> Result<Self, RowError> {
        let wrong = || RowError::Term(text.into());
        if let Some((word, value)) = text.split_once(':') {
            let (word, there) = word.strip_prefix('-').map_or((word, true), |word| (word, false));
            let kind = |value: &str| piece(value).filter(|(_, rest)| rest.is_empty()).map(|(kind, _)| kind);
            let test = match word {
                "hand" => Self::Hand { own: true, kind: kind(value).ok_or_else(wrong)?, there },
                "vhand" => Self::Hand { own: false, kind: kind(value).ok_or_else(wrong)?, there },
                "after" => Self::After { id: value.into(), there },
                _ if !there => return Err(wrong()),
                "to" => {
                    let (kind, square) = placed(value).ok_or_else(wrong)?;
                    Self::To(kind, square)
                }
                "from" => Self::From(square(value).ok_or_else(wrong)?),
                "takes" => Self::Takes(kind(value).ok_or_else(wrong)?),
                _ => return Err(wrong()),
            };
            return Ok(test);
        }
        if let Some(plies) = text.strip_prefix("ply<=") {
            return plies.parse().map(Self::Plies).map_err(|_| wrong());
        }
        match text {
            "drop" => return Ok(Self::Drop),
            "calm" => return Ok(Self::Calm),
            "fight" => return Ok(Self::Fight),
            "unmoved" => return Ok(Self::Unmoved),
            "first" => return Ok(Self::First),
            "second" => return Ok(Self::Second),
            _ => {}
        }
        let (there, rest) = text.strip_prefix('-').map_or((true, text), |rest| (false, rest));
        if let Some(square) = square(rest)
            && !there
        {
            return Ok(Self::Empty(square));
        }
        let (own, rest) = rest.strip_prefix('v').map_or((true, rest), |rest| (false, rest));
        let (kind, square) = placed(rest).ok_or_else(wrong)?;
        Ok(Self::Piece { own, kind, square, there })
    }

    fn holds(&self, scene: &Scene) -> bool {
        let Scene { board, side, last, .. } = scene;
        let seen = |square: usize| if *side == Color::Black { square } else { SQUARES - 1 - square };
        match *self {
            Self::Piece { own, kind, square, there } => {
                let color = if own { *side } else { !*side };
                let found = board.piece(seen(square));
                found.is_some_and(|piece| piece.color() == color && piece.kind() == kind) == there
            }
            Self::Empty(square) => board.piece(seen(square)).is_none(),
            Self::Hand { own, kind, there } => {
                let color = if own { *side } else { !*side };
                (board.in_hand(color, kind) > 0) == there
            }
            Self::To(kind, square) => last.is_some_and(|last| last.kind == kind && last.to == seen(square)),
            Self::From(square) => last.is_some_and(|last| last.from == Some(seen(square))),
            Self::Takes(kind) => last.is_some_and(|last| last.captured == Some(kind)),
            Self::Drop => last.is_some_and(|last| last.from.is_none()),
            Self::Calm => scene.calm,
            Self::Fight => !scene.calm,
            Self::Unmoved => scene.unmoved,
            Self::Plies(most) => scene.plies <= most,
            Self::First => scene.first == Some(*side),
            Self::Second => scene.first == Some(!*side),
            Self::After { ref id, there } => (scene.known)(id) == there,
        }
    }
}

/// Parses a piece and its square: `G78`, `+B22`.
fn placed(text: &str) -> Option<(Kind, usize)> {
    let (kind, rest) = piece(text)?;
    Some((kind, square(rest)?))
}

fn piece(text: &str) -> Option<(Kind, &str)> {
    let (promoted, rest) = text.strip_prefix('+').map_or((false, text), |rest| (true, rest));
    let letter = *rest.as_bytes().first()?;
    let kind = Kind::from_letter(letter).filter(|_| letter.is_ascii_uppercase())?;
    let kind = if promoted { kind.promoted()? } else { kind };
    Some((kind, &rest[1..]))
}

/// Parses a square: `78` is 7h.
fn square(text: &str) -> Option<usize> {
    match text.as_bytes() {
        [file @ b'1'..=b'9', rank @ b'1'..=b'9'] => {
            Some(usize::from(file - b'1') * 9 + usize::from(rank - b'1'))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_table_can_be_read_and_is_large_enough() {
        let table = Table::parse(SHOGI).expect("the table");
        let count = |kind| table.names().iter().filter(|name| name.kind == kind).count();
        assert!(count(NameKind::Opening) >= 40 && count(NameKind::Castle) >= 40);
        assert_eq!(count(NameKind::Tactic), 9);
        let mut english: Vec<&str> = table.names().iter().map(|name| name.english.as_str()).collect();
        english.sort_unstable();
        assert!(english.windows(2).all(|pair| pair[0] != pair[1]), "two names are the same: {english:?}");
        // Every id that a condition refers to must be in the table.
        for name in table.names() {
            for test in name.conditions.iter().flat_map(|condition| condition.0.iter().flatten()) {
                if let Test::After { id, .. } = test {
                    assert!(table.names().iter().any(|other| other.is(id)), "{}: {id}", name.id);
                }
            }
        }
    }

    #[test]
    fn a_table_can_be_extended() {
        let mut table = Table::built_in().clone();
        let before = table.names().len();
        table.extend("# mine\n\nopening\tmine\tMy opening\t私の戦法\tto:P16 ply<=1\n").expect("a row");
        assert_eq!(table.names().len(), before + 1);
        assert_eq!(table.get("mine").map(|name| &name.japanese[..]), Some("私の戦法"));
    }

    #[test]
    fn mistakes_are_reported_with_their_line() {
        let error = |text: &str| Table::parse(text).expect_err("a mistake");
        for row in ["opening\tx\tX\t甲", "ending\tx\tX\t甲\tK88", "castle\tx\t\t\tK88", "castle\tx\tX\t甲\t"]
        {
            assert_eq!(error(&format!("# a comment\n{row}\n")).line, 2, "{row}");
        }
        for term in
            ["K8", "k88", "X88", "K80", "vto:R68", "-to:R68", "to:88", "ply<=x", "hand:", "-", "K88|", "88"]
        {
            let error = error(&format!("castle\tx\tX\t甲\t{term}\n"));
            assert!(matches!(error.problem, RowError::Term(_)), "{term}: {error}");
        }
    }
}
