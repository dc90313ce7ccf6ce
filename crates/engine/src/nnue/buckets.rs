//! Selects the set of dense layers for a position by the hands, the positions of the kings, and the progress of the
//! game. The names and numbers follow YaneuraOu.

use super::features::Features;
use super::inputs::shogi::{HALFKP, seen};
use sanban_rules::shogi::Kind;
use sanban_rules::shogi::hand::{What, what};
use sanban_rules::shogi::piece::PLACEMENTS;
use sanban_rules::shogi::square::{SQUARES, file, rank};
use sanban_rules::{Color, Placement, Position};

/// A scheme for classifying the hand of a side.
struct Hands {
    name: &'static str,
    classes: usize,
    /// For each kind of piece, the bit that is set if the hand contains one, or the points of each.
    kinds: [u8; Kind::HAND],
    points: bool,
}

const fn hands(name: &'static str, classes: usize, kinds: [u8; Kind::HAND]) -> Hands {
    Hands { name, classes, kinds, points: false }
}

/// The schemes. The order of `kinds` is pawn, lance, knight, silver, bishop, rook, gold.
static HANDS: [Hands; 6] = [
    hands("hand4", 2, [0, 0, 0, 0, 1, 0, 0]),
    hands("hand16", 4, [1, 0, 0, 0, 2, 0, 0]),
    hands("hand64", 8, [1, 1, 1, 2, 4, 2, 2]),
    Hands { name: "hand64z", classes: 8, kinds: [1, 2, 2, 3, 5, 5, 3], points: true },
    hands("hand256", 16, [1, 1, 1, 2, 4, 8, 2]),
    hands("hand1024", 32, [1, 2, 2, 4, 8, 16, 4]),
];

impl Hands {
    /// The classes of the hands of both sides.
    fn held<P: Position>(&self, worth: &[[u8; 2]], pos: &P) -> [usize; 2] {
        let mut held = [0; 2];
        pos.placements(|placement| {
            for (held, worth) in held.iter_mut().zip(worth[placement.index()]) {
                *held = if self.points { *held + usize::from(worth) } else { *held | usize::from(worth) };
            }
        });
        if self.points { held.map(|points| points.div_ceil(4).min(self.classes - 1)) } else { held }
    }
}

/// A division of the board into zones for the king, as seen by its side.
struct Kings {
    name: &'static str,
    /// The first zone of each rank.
    ranks: [usize; 9],
    /// From this rank on, groups of this many files are separate zones.
    files: Option<(usize, usize)>,
}

static KINGS: [Kings; 6] = [
    Kings { name: "k3k3", ranks: [0, 0, 0, 1, 1, 1, 2, 2, 2], files: None },
    Kings { name: "k9k9", ranks: [0, 1, 2, 3, 4, 5, 6, 7, 8], files: None },
    Kings { name: "k9k9z", ranks: [0, 0, 0, 1, 1, 1, 2, 3, 6], files: Some((7, 3)) },
    Kings { name: "k13k13z", ranks: [0, 1, 2, 3, 4, 5, 6, 7, 10], files: Some((7, 3)) },
    Kings { name: "k21k21", ranks: [0, 0, 0, 1, 1, 1, 2, 3, 12], files: Some((7, 1)) },
    Kings { name: "k29k29", ranks: [0, 0, 0, 1, 1, 1, 2, 11, 20], files: Some((6, 1)) },
];

impl Kings {
    fn zone(&self, sq: usize) -> usize {
        let across =
            self.files.filter(|&(first, _)| rank(sq) >= first).map_or(0, |(_, files)| file(sq) / files);
        self.ranks[rank(sq)] + across
    }

    fn zones(&self) -> usize {
        self.zone(SQUARES - 1) + 1
    }
}

/// Supported numbers of classes of game progress.
const PROGRESS: [usize; 6] = [2, 3, 4, 8, 16, 32];

/// The criteria that select a bucket.
#[derive(Clone, Copy, Default)]
pub struct Scheme {
    hands: Option<&'static Hands>,
    kings: Option<&'static Kings>,
    progress: Option<usize>,
}

impl Scheme {
    /// The scheme with a name such as `hand64_k3k3_progress8`; the empty name means a single set.
    pub fn named(name: &str) -> Option<Self> {
        let name = name.replace("_by_", "").replace("king", "k").replace("zone", "z").replace("zk", "k");
        let mut scheme = Self::default();
        for word in name.split('_').filter(|word| !word.is_empty()) {
            let (hands, kings) =
                (HANDS.iter().find(|h| h.name == word), KINGS.iter().find(|k| k.name == word));
            match word.strip_prefix("progress") {
                Some(classes) => {
                    scheme.progress = Some(classes.parse().ok().filter(|n| PROGRESS.contains(n))?)
                }
                None if hands.is_some() => scheme.hands = hands,
                None => scheme.kings = Some(kings?),
            }
        }
        Some(scheme)
    }

    /// Every scheme without progress.
    pub fn all() -> impl Iterator<Item = Self> {
        let hands = std::iter::once(None).chain(HANDS.iter().map(Some));
        let kings = || std::iter::once(None).chain(KINGS.iter().map(Some));
        hands.flat_map(move |hands| kings().map(move |kings| Self { hands, kings, progress: None }))
    }

    /// The number of buckets.
    pub fn buckets(&self) -> usize {
        let hands = self.hands.map_or(1, |hands| hands.classes.pow(2));
        let kings = self.kings.map_or(1, |kings| kings.zones().pow(2));
        hands * kings * self.progress.unwrap_or(1)
    }

    /// Number of progress weights in a file, if the scheme has any: a bias, and one for each input of HalfKP.
    pub fn progress_numbers(&self) -> Option<usize> {
        self.progress.map(|_| 1 + HALFKP.rows)
    }

    /// The name, with a hyphen before each part.
    pub fn label(&self) -> String {
        let names = [self.hands.map(|hands| hands.name), self.kings.map(|kings| kings.name)];
        let names = names.into_iter().flatten().map(|name| format!("-{name}"));
        names.chain(self.progress.map(|classes| format!("-progress{classes}"))).collect()
    }
}

/// Selects the set of dense layers for a position.
pub struct Buckets {
    scheme: Scheme,
    /// The square of the king in each bucket, as its side sees the board.
    squares: Vec<u8>,
    /// The contribution of a placement to the hand class of each side.
    worth: Vec<[u8; 2]>,
    progress: Option<Progress>,
}

impl Buckets {
    /// Creates the buckets of this scheme for these inputs, with the progress weights if the scheme needs them.
    pub fn new(scheme: Scheme, features: &Features, progress: Option<Vec<i32>>) -> Self {
        let mut squares = vec![0; features.buckets];
        let mut worth = vec![[0; 2]; PLACEMENTS];
        for (at, worth) in worth.iter_mut().enumerate() {
            let placement = Placement(at as u16);
            match (what(placement), features.king(placement)) {
                (What::Hand(color, kind, _), _) => {
                    worth[color.index()] = scheme.hands.map_or(0, |hands| hands.kinds[kind.index()]);
                }
                (What::Board(_, _, sq), Some((color, bucket))) => {
                    squares[usize::from(bucket)] = seen(color, sq) as u8;
                }
                _ => {}
            }
        }
        let progress =
            scheme.progress.zip(progress).map(|(classes, numbers)| Progress::new(classes, numbers));
        Self { scheme, squares, worth, progress }
    }

    /// The set for a position with these king buckets, that of the side to move first.
    pub fn choose<P: Position>(&self, pos: &P, buckets: [u8; 2]) -> usize {
        let sides = [pos.side(), !pos.side()];
        let squares = buckets.map(|bucket| self.squares[usize::from(bucket)]);
        let mut set = 0;
        if let Some(hands) = self.scheme.hands {
            let held = hands.held(&self.worth, pos);
            set = sides.iter().fold(set, |set, side| set * hands.classes + held[side.index()]);
        }
        if let Some(kings) = self.scheme.kings {
            set = squares.iter().fold(set, |set, &sq| set * kings.zones() + kings.zone(usize::from(sq)));
        }
        if let Some(progress) = &self.progress {
            set = set * (progress.least.len() + 1) + progress.class(pos, sides, squares);
        }
        set
    }
}

/// The progress of a game.
struct Progress {
    /// The bias, then one number for each input of HalfKP.
    numbers: Vec<i32>,
    /// The smallest sum of each class except the first.
    least: Vec<i64>,
}

impl Progress {
    fn new(classes: usize, numbers: Vec<i32>) -> Self {
        // The logistic function is divided into 256 steps; a class begins at the first step that belongs to it. Sums
        // are in 65536ths.
        let least = (1..classes).map(|class| {
            let step = (256 * class).div_ceil(classes) as f64 / 256.0;
            ((step / (1.0 - step)).ln() * 65536.0).round() as i64
        });
        Self { numbers, least: least.collect() }
    }

    fn class<P: Position>(&self, pos: &P, sides: [Color; 2], squares: [u8; 2]) -> usize {
        let (bias, weights) = (self.numbers[0], &self.numbers[1..]);
        let mut sum = i64::from(bias);
        for (side, sq) in sides.into_iter().zip(squares) {
            let mut pieces = 0;
            pos.placements(|placement| {
                if let Some(row) = HALFKP.row(side, sq, placement) {
                    sum += i64::from(weights[row]);
                    pieces += 1;
                }
            });
            let missing = HALFKP.full.unwrap_or(0).saturating_sub(pieces) as i64;
            sum += missing * i64::from(weights[HALFKP.filler(sq)]);
        }
        self.least.partition_point(|&least| least <= sum)
    }
}
