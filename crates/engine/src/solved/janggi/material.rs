//! Classes of material: the pieces of both sides, as in `KRCvKA`.

use sanban_rules::Color;
use sanban_rules::janggi::{Kind, Position};
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// Kinds that can leave the palace and give check, in the order of class names.
pub const ATTACKERS: [Kind; 5] = [Kind::Chariot, Kind::Cannon, Kind::Horse, Kind::Elephant, Kind::Soldier];
/// Maximum number of attackers of a class, both sides together.
pub const MOST_ATTACKERS: usize = 3;
/// Maximum number of guards of a side.
pub const MOST_GUARDS: usize = 2;

/// The pieces of one side except its general. Armies are ordered by strength: number of attackers, their kinds, number
/// of guards.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord, Default)]
pub struct Army {
    attackers: u8,
    kinds: [u8; ATTACKERS.len()],
    guards: u8,
}

impl Army {
    /// A general alone.
    pub const BARE: Self = Self { attackers: 0, kinds: [0; ATTACKERS.len()], guards: 0 };

    /// Number of attackers.
    pub const fn attackers(&self) -> usize {
        self.attackers as usize
    }

    /// Number of guards.
    pub const fn guards(&self) -> usize {
        self.guards as usize
    }

    /// The kinds of the attackers, with repetition.
    pub fn kinds(&self) -> impl Iterator<Item = Kind> {
        ATTACKERS.into_iter().zip(self.kinds).flat_map(|(kind, n)| std::iter::repeat_n(kind, n.into()))
    }

    /// The army with one more piece of a kind; the general is not counted.
    #[must_use]
    pub fn with(mut self, kind: Kind) -> Self {
        match ATTACKERS.iter().position(|&attacker| attacker == kind) {
            Some(i) => {
                self.kinds[i] += 1;
                self.attackers += 1;
            }
            None => self.guards += u8::from(kind == Kind::Guard),
        }
        self
    }

    /// The army without one piece of a kind; `None` if it has no such piece.
    #[must_use]
    pub fn without(mut self, kind: Kind) -> Option<Self> {
        if kind == Kind::Guard {
            self.guards = self.guards.checked_sub(1)?;
            return Some(self);
        }
        let i = ATTACKERS.iter().position(|&attacker| attacker == kind)?;
        self.kinds[i] = self.kinds[i].checked_sub(1)?;
        self.attackers -= 1;
        Some(self)
    }
}

/// The letters of the pieces, the general first, then attackers by strength, then guards.
impl fmt::Display for Army {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("K")?;
        for kind in self.kinds() {
            write!(f, "{}", char::from(kind.letter()))?;
        }
        (0..self.guards).try_for_each(|_| f.write_str("A"))
    }
}

/// The pieces of both sides, the stronger side first.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Class {
    armies: [Army; 2],
}

impl Class {
    /// The class of two armies, and whether they are swapped in it.
    pub fn new(armies: [Army; 2]) -> (Self, bool) {
        let [a, b] = armies;
        if a < b { (Self { armies: [b, a] }, true) } else { (Self { armies }, false) }
    }

    /// The class of a position, and whether white is its first side; `None` if no table can exist for the material.
    pub fn of(pos: &Position) -> Option<(Self, bool)> {
        let army = |color| {
            let mut army = Army::BARE;
            for kind in ATTACKERS.into_iter().chain([Kind::Guard]) {
                let n = pos.pieces_of(color, kind).len();
                (0..n).for_each(|_| army = army.with(kind));
            }
            army
        };
        let (class, swapped) = Self::new([army(Color::Black), army(Color::White)]);
        class.is_supported().then_some((class, swapped))
    }

    /// The armies, the stronger one first.
    pub const fn armies(&self) -> [Army; 2] {
        self.armies
    }

    /// Number of attackers of both sides.
    pub fn attackers(&self) -> usize {
        self.armies.iter().map(Army::attackers).sum()
    }

    /// Number of guards of both sides.
    pub fn guards(&self) -> usize {
        self.armies.iter().map(Army::guards).sum()
    }

    fn is_supported(&self) -> bool {
        match self.attackers() {
            0..=2 => self.armies.iter().all(|army| army.guards() <= MOST_GUARDS),
            MOST_ATTACKERS => self.armies[1].attackers() == 1 && self.guards() == 0,
            _ => false,
        }
    }

    /// The classes that a single capture can lead to.
    pub fn after_capture(&self) -> Vec<Self> {
        let mut out: Vec<Self> = Vec::new();
        for (side, army) in self.armies.iter().enumerate() {
            for kind in ATTACKERS.into_iter().chain([Kind::Guard]) {
                let Some(rest) = army.without(kind) else { continue };
                let mut armies = self.armies;
                armies[side] = rest;
                let (class, _) = Self::new(armies);
                if !out.contains(&class) {
                    out.push(class);
                }
            }
        }
        out
    }

    /// Every class for which tables can exist, with at least one attacker. Classes that captures lead to come first.
    pub fn all() -> Vec<Self> {
        let mut armies = vec![Army::BARE];
        for (i, &a) in ATTACKERS.iter().enumerate() {
            armies.push(Army::BARE.with(a));
            armies.extend(ATTACKERS[i..].iter().map(|&b| Army::BARE.with(a).with(b)));
        }
        let guarded = |army: Army| {
            std::iter::successors(Some(army), |army| Some(army.with(Kind::Guard))).take(MOST_GUARDS + 1)
        };
        let armies: Vec<Army> = armies.into_iter().flat_map(guarded).collect();
        let pairs = armies.iter().flat_map(|&a| armies.iter().map(move |&b| [a, b]));
        let mut out: Vec<Self> = pairs
            .filter(|[a, b]| a >= b)
            .map(|armies| Self { armies })
            .filter(|class| class.is_supported() && class.attackers() > 0)
            .collect();
        out.sort_by_key(|class| (class.attackers(), class.guards(), std::cmp::Reverse(class.armies)));
        out
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}v{}", self.armies[0], self.armies[1])
    }
}

/// The error for a string that is not the name of a class.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ClassError {
    /// The text does not have the form of two armies separated by `v`.
    #[error("{0}: expected two sides such as KRCvKA")]
    Sides(String),
    /// A letter is not a piece, or the general is missing or repeated.
    #[error("{0}: each side must have exactly one K and otherwise only the letters R C N B P A")]
    Letter(String),
    /// There are too many pieces for a table.
    #[error(
        "{0}: tables exist for one or two of R C N B P in total and at most two guards (A) per side, and for two \
         against one without guards"
    )]
    Size(String),
}

impl FromStr for Class {
    type Err = ClassError;

    fn from_str(text: &str) -> Result<Self, ClassError> {
        let shown = || sanban_rules::clip(text);
        let Some((a, b)) = text.split_once(['v', 'V']) else { return Err(ClassError::Sides(shown())) };
        let army = |text: &str| {
            let mut army = Army::BARE;
            let mut generals = 0;
            for letter in text.bytes().take(16) {
                let kind = Kind::from_letter(letter)?;
                generals += usize::from(kind == Kind::General);
                army = army.with(kind);
            }
            (generals == 1 && text.len() <= 16).then_some(army)
        };
        let (Some(a), Some(b)) = (army(a), army(b)) else { return Err(ClassError::Letter(shown())) };
        let (class, _) = Self::new([a, b]);
        if class.is_supported() && class.attackers() > 0 { Ok(class) } else { Err(ClassError::Size(shown())) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(text: &str) -> Result<String, ClassError> {
        text.parse::<Class>().map(|class| class.to_string())
    }

    #[test]
    fn names_have_one_order() {
        assert_eq!(name("KRCvK").as_deref(), Ok("KRCvK"));
        assert_eq!(name("kavkacr").as_deref(), Ok("KRCAvKA"));
        assert_eq!(name("KCVKR").as_deref(), Ok("KRvKC"));
        assert_eq!(name("KvKHE").as_deref(), Ok("KNBvK"));
        assert_eq!(name("KPAvKPAA").as_deref(), Ok("KPAAvKPA"));
        assert_eq!(name("KRvKPN").as_deref(), Ok("KNPvKR"));
    }

    #[test]
    fn what_is_no_class_is_refused() {
        assert!(matches!(name("KRC"), Err(ClassError::Sides(_))));
        for text in ["RvK", "KRvC", "KRvKK", "KXvK", "vK", "K vK"] {
            assert!(matches!(name(text), Err(ClassError::Letter(_))), "{text}");
        }
        for text in ["KvK", "KAvK", "KRAAAvK", "KRRRvK", "KRRvKRA", "KRRAvKR", "KRRvKRR"] {
            assert!(matches!(name(text), Err(ClassError::Size(_))), "{text}");
        }
    }

    #[test]
    fn captures_lead_to_classes_that_come_before() {
        let all = Class::all();
        // 5 choices of one attacker, 15 of two on one side and 15 of one on each side, of which 5 are symmetric and
        // allow only 6 combinations of guards. Without guards, 15 choices of two against 5 of one.
        assert_eq!(all.len(), 5 * 9 + 15 * 9 + 10 * 9 + 5 * 6 + 15 * 5);
        for (i, class) in all.iter().enumerate() {
            assert_eq!(class.to_string().parse(), Ok(*class));
            for after in class.after_capture().iter().filter(|after| after.attackers() > 0) {
                assert!(all[..i].contains(after), "{class} to {after}");
            }
        }
    }
}
