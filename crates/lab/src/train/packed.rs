//! Games in about a byte per move, for shards (`shard`): a range coder with models that learn from the games of the
//! shard as they are coded.
//!
//! A move is coded by its probability among the legal moves, the softmax of a sum of weights for its features; the
//! weights start at zero and follow the gradient after every move. A score is rounded to one of the `LEVELS` and coded
//! as the difference from the level that the previous scores suggest. The encoder and the decoder run the same code
//! ([`Coder`]), so they see the same models; all arithmetic is exact or correctly rounded, on every processor.

use super::record::{Ply, Record, Result as Outcome};
use sanban_rules::score::{DECISIVE, MATE};
use sanban_rules::{Color, Move, Score, SearchPosition};

/// Encodes or decodes symbols. Every method takes the symbol to encode, which a decoder ignores, and returns the symbol.
pub trait Coder {
    /// Codes a symbol below `weights.len()` with these relative frequencies, which sum to at most `TOTAL`.
    fn choose(&mut self, weights: &[u32], symbol: usize) -> usize;

    /// Codes a bit with an adaptive probability.
    fn bit(&mut self, bit: &mut Bit, value: bool) -> bool {
        let value = self.choose(&[bit.0, TOTAL - bit.0], value.into()) == 1;
        let target = if value { 0 } else { TOTAL };
        bit.0 = bit.0.saturating_add_signed((target as i32 - bit.0 as i32) >> RATE).clamp(1, TOTAL - 1);
        value
    }

    /// Codes the lowest bits of a number, all equally likely.
    fn bits(&mut self, count: u32, value: u32) -> u32 {
        (0..count).rev().fold(0, |sum, at| sum << 1 | self.choose(&[1, 1], (value >> at & 1) as usize) as u32)
    }
}

/// The sum of the frequencies of all symbols.
const TOTAL: u32 = 1 << 16;
/// How fast the probability of a bit adapts.
const RATE: u32 = 5;

/// The probability that a bit is zero.
#[derive(Clone, Copy)]
pub struct Bit(u32);

impl Default for Bit {
    fn default() -> Self {
        Self(TOTAL / 2)
    }
}

/// A range smaller than this is scaled up by a byte.
const NARROW: u32 = 1 << 24;

/// A range coder (G. N. N. Martin, "Range encoding", 1979) with carries, as in LZMA.
pub struct Encoder {
    low: u64,
    range: u32,
    /// The last byte that a carry can still change, and the number of bytes 255 after it.
    last: Option<u8>,
    full: usize,
    out: Vec<u8>,
}

impl Default for Encoder {
    fn default() -> Self {
        Self { low: 0, range: u32::MAX, last: None, full: 0, out: vec![] }
    }
}

impl Encoder {
    fn shift(&mut self) {
        let carry = (self.low >> 32) as u8;
        if self.low < 0xFF00_0000 || carry > 0 {
            self.out.extend(self.last.map(|last| last.wrapping_add(carry)));
            self.out.extend((0..std::mem::take(&mut self.full)).map(|_| 0xFF_u8.wrapping_add(carry)));
            self.last = Some((self.low >> 24) as u8);
        } else {
            self.full += 1;
        }
        self.low = self.low << 8 & 0xFFFF_FFFF;
    }

    /// The code of all symbols.
    pub fn finish(mut self) -> Vec<u8> {
        (0..5).for_each(|_| self.shift());
        self.out
    }
}

impl Coder for Encoder {
    fn choose(&mut self, weights: &[u32], symbol: usize) -> usize {
        let total: u32 = weights.iter().sum();
        let before: u32 = weights[..symbol].iter().sum();
        let unit = self.range / total;
        self.low += u64::from(unit) * u64::from(before);
        self.range = unit * weights[symbol];
        while self.range < NARROW {
            self.range <<= 8;
            self.shift();
        }
        symbol
    }
}

/// Decodes the bytes of an [`Encoder`]. Zeros follow the end.
pub struct Decoder<'a> {
    code: u32,
    range: u32,
    rest: &'a [u8],
}

impl<'a> Decoder<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        let mut decoder = Self { code: 0, range: u32::MAX, rest: bytes };
        (0..4).for_each(|_| decoder.shift());
        decoder
    }

    fn shift(&mut self) {
        let (&byte, rest) = self.rest.split_first().unwrap_or((&0, &[]));
        self.rest = rest;
        self.code = self.code << 8 | u32::from(byte);
    }
}

impl Coder for Decoder<'_> {
    fn choose(&mut self, weights: &[u32], _: usize) -> usize {
        let total: u32 = weights.iter().sum();
        let unit = self.range / total;
        let place = self.code / unit;
        let (mut before, mut symbol) = (0, 0);
        // The last symbol takes all that remains, so that damaged bytes decode to something.
        while symbol + 1 < weights.len() && before + weights[symbol] <= place {
            before += weights[symbol];
            symbol += 1;
        }
        self.code = self.code.wrapping_sub(unit * before);
        self.range = unit * weights[symbol];
        while self.range < NARROW {
            self.range <<= 8;
            self.shift();
        }
        symbol
    }
}

/// Smallest distance of two levels in centipawns.
const STEP: Score = 30;
/// The levels of large scores are this fraction of the score apart.
const FRACTION: Score = 32;

/// The scores, from 0, to which scores are rounded: 1/128 of a win apart at most, if 960 centipawns (to which the results
/// of self-play fit) are an expected result of 1 / (1 + 1/e).
const LEVELS: [Score; level_count()] = {
    let mut levels = [0; level_count()];
    let mut at = 1;
    while at < levels.len() {
        levels[at] = next(levels[at - 1]);
        at += 1;
    }
    levels
};

const fn next(level: Score) -> Score {
    let share = level / FRACTION;
    level + if share > STEP { share } else { STEP }
}

const fn level_count() -> usize {
    let (mut count, mut level) = (0, 0);
    while level <= DECISIVE {
        count += 1;
        level = next(level);
    }
    count
}

/// The level of a score that is not a mate: its number, negative for negative scores.
fn level(score: Score) -> i32 {
    let size = score.abs();
    let above = LEVELS.partition_point(|&level| level < size).min(LEVELS.len() - 1);
    let near = if above > 0 && size - LEVELS[above - 1] <= LEVELS[above] - size { above - 1 } else { above };
    near as i32 * score.signum()
}

/// Codes signed numbers: zero, sign, and the size in unary up to [`Number::UNARY`], then in Elias gamma code.
#[derive(Clone, Default)]
struct Number {
    zero: Bit,
    sign: Bit,
    unary: [Bit; Self::UNARY],
    gamma: [Bit; 32],
}

impl Number {
    const UNARY: usize = 20;

    fn code(&mut self, coder: &mut dyn Coder, value: i32) -> i32 {
        if coder.bit(&mut self.zero, value == 0) {
            return 0;
        }
        let negative = coder.bit(&mut self.sign, value < 0);
        let size = value.unsigned_abs() as usize;
        let mut found = 1;
        while found <= Self::UNARY && coder.bit(&mut self.unary[found - 1], size > found) {
            found += 1;
        }
        if found > Self::UNARY {
            let rest = (size.saturating_sub(found) + 1) as u32;
            let mut bits = 0;
            while bits < 24 && coder.bit(&mut self.gamma[bits as usize], rest >> (bits + 1) > 0) {
                bits += 1;
            }
            found += (1 << bits | coder.bits(bits, rest & ((1 << bits) - 1))) as usize - 1;
        }
        if negative { -(found as i32) } else { found as i32 }
    }
}

/// Number of features of a move.
const FEATURES: usize = 6;
/// Number of weights of a feature, at most: others share weights.
const WEIGHTS: usize = 1 << 13;
/// How fast the weights follow the gradient.
const LEARNING: f32 = 0.05;

/// The features of the legal moves of a position, and their probabilities.
#[derive(Default)]
struct Moves {
    moves: Vec<Move>,
    safe: Vec<Option<bool>>,
    features: Vec<[u16; FEATURES]>,
    shares: Vec<f32>,
    frequencies: Vec<u32>,
}

struct MoveModel {
    weights: Vec<[f32; WEIGHTS]>,
}

/// 2 to the power of `x`, for `x` up to 0, by additions and multiplications only.
fn power(x: f32) -> f32 {
    let x = x.max(-60.0);
    let whole = x.floor();
    let part = x - whole;
    // A polynomial with an error below 0.0003.
    let value = 1.0 + part * (0.695_56 + part * (0.226_17 + part * 0.078_02));
    value * f32::from_bits(((127 + whole as i32) as u32) << 23)
}

impl MoveModel {
    fn new() -> Self {
        Self { weights: vec![[0.0; WEIGHTS]; FEATURES] }
    }

    fn code(&mut self, coder: &mut dyn Coder, found: &mut Moves, index: usize) -> usize {
        let Moves { features, shares, frequencies, .. } = found;
        shares.clear();
        shares.extend(features.iter().map(|features| {
            let weights = features.iter().enumerate();
            weights.map(|(n, &feature)| self.weights[n][usize::from(feature) % WEIGHTS]).sum::<f32>()
        }));
        let largest = shares.iter().copied().fold(f32::MIN, f32::max);
        shares.iter_mut().for_each(|share| *share = power(*share - largest));
        let sum: f32 = shares.iter().sum();
        let unit = 1.0 / sum;
        let room = (TOTAL as usize - shares.len()) as f32;
        shares.iter_mut().for_each(|share| *share *= unit);
        frequencies.clear();
        frequencies.extend(shares.iter().map(|share| 1 + (share * room) as u32));
        let index = coder.choose(frequencies, index);
        for (n, (share, features)) in shares.iter().zip(features).enumerate() {
            let gradient = if n == index { 1.0 - share } else { -share };
            if gradient.abs() > 0.001 {
                for (n, &feature) in features.iter().enumerate() {
                    self.weights[n][usize::from(feature) % WEIGHTS] += LEARNING * gradient;
                }
            }
        }
        index
    }
}

/// The models of the games of a shard.
struct Model {
    /// Moves that were searched, and random ones.
    moves: [MoveModel; 2],
    scored: [Bit; 8],
    mate: Bit,
    result: [Bit; 2],
    scores: Vec<Number>,
    found: Moves,
}

/// Codes games from a start position, of which an encoder needs the first `count` and a decoder only the numbers.
/// Returns the games, whose scores are rounded.
///
/// # Errors
/// The number of the first game that contains an illegal move, or that the bytes do not stand for.
pub fn code<P: SearchPosition>(
    coder: &mut dyn Coder,
    start: &P,
    known: Option<&[Record]>,
    (count, plies): (usize, usize),
) -> Result<Vec<Record>, usize> {
    let mut model = Model {
        moves: [MoveModel::new(), MoveModel::new()],
        scored: Default::default(),
        mate: Bit::default(),
        result: Default::default(),
        scores: vec![Number::default(); 128],
        found: Moves::default(),
    };
    let (mut games, mut left) = (vec![], plies);
    for number in 0..count {
        let record = known.map(|known| &known[number]);
        let game = model.game(coder, start.clone(), record, left).ok_or(number)?;
        left -= game.plies.len();
        games.push(game);
    }
    if left == 0 { Ok(games) } else { Err(count) }
}

impl Model {
    /// Codes a game of at most `most` plies; `None` if it contains an illegal move, or if the bytes stand for none.
    fn game<P: SearchPosition>(
        &mut self,
        coder: &mut dyn Coder,
        mut pos: P,
        record: Option<&Record>,
        most: usize,
    ) -> Option<Record> {
        let result = record.map_or(Outcome::Loss, |record| record.result);
        let draw = coder.bit(&mut self.result[0], result == Outcome::Draw);
        let win = !draw && coder.bit(&mut self.result[1], result == Outcome::Win);
        let result = match (draw, win) {
            (true, _) => Outcome::Draw,
            (_, true) => Outcome::Win,
            _ => Outcome::Loss,
        };
        let count = coder.bits(16, record.map_or(0, |record| record.plies.len() as u32)) as usize;
        if count > most {
            return None;
        }
        let mut plies: Vec<Ply> = Vec::with_capacity(count);
        // The level of the last score for the side to move, and how it differed from the one before.
        let (mut expected, mut change) = (0_i32, 0_i32);
        for at in 0..count {
            let known = record.map(|record| record.plies[at]);
            let last = plies.iter().rev().take(2);
            let recent = last.fold(1, |bits, ply| bits << 1 | usize::from(ply.score.is_some()));
            let scored = coder.bit(&mut self.scored[recent], known.is_some_and(|ply| ply.score.is_some()));
            self.found.list(&pos, &plies);
            let moves = &self.found.moves;
            let index = match known {
                Some(ply) => moves.iter().position(|&mv| mv == ply.mv)?,
                None if moves.is_empty() => return None,
                None => 0,
            };
            let index = self.moves[usize::from(!scored)].code(coder, &mut self.found, index);
            let mv = self.found.moves[index];
            let score = known.and_then(|ply| ply.score).unwrap_or(0).clamp(-MATE, MATE);
            let score = if !scored {
                None
            } else if coder.bit(&mut self.mate, score.abs() > DECISIVE) {
                Some((coder.bits(16, score as u32) as i16).into())
            } else {
                let context = size_class(change) * 16 + size_class(expected) * 2 + (recent & 1);
                let difference = self.scores[context].code(coder, level(score) - expected);
                let most = LEVELS.len() as i32 - 1;
                let found = (expected + difference).clamp(-most, most);
                (change, expected) = (found - expected, found);
                Some(LEVELS[found.unsigned_abs() as usize] * found.signum())
            };
            expected = -expected;
            plies.push(Ply { mv, score });
            pos.make(mv, &mut ());
        }
        Some(Record { result, plies })
    }
}

/// The number of bits of a number's size, at most seven.
fn size_class(n: i32) -> usize {
    (32 - n.unsigned_abs().leading_zeros()).min(7) as usize
}

impl Moves {
    /// Lists the legal moves with their features.
    fn list<P: SearchPosition>(&mut self, pos: &P, plies: &[Ply]) {
        self.moves.clear();
        self.moves.extend(pos.legal_moves());
        // The order in which moves are generated may change.
        self.moves.sort_unstable();
        let squares = P::FILES * P::RANKS;
        let turn = |square: usize| if pos.side() == Color::Black { square } else { squares - 1 - square };
        let hash = |n: usize| (n as u32).wrapping_mul(0x9E37_79B1) as usize >> 19;
        let last = plies.len().checked_sub(1).map_or(squares, |at| turn(plies[at].mv.to()));
        let own = plies.len().checked_sub(2).map_or(squares, |at| turn(plies[at].mv.to()));
        let info = pos.check_info();
        self.features.clear();
        self.safe.clear();
        self.safe.resize(Move::SQUARES, None);
        self.features.extend(self.moves.iter().map(|&mv| {
            let (row, to) = (pos.piece_to(mv) / squares, turn(mv.to()));
            let from = if mv.is_drop() { squares } else { turn(mv.from()) };
            let checks = usize::from(pos.gives_check_with(&info, mv));
            let wins = if mv.is_drop() {
                *self.safe[mv.to()].get_or_insert_with(|| pos.see_ge(mv, 0))
            } else {
                pos.see_ge(mv, 0)
            };
            let wins = usize::from(wins);
            let promotes = usize::from(mv.is_promotion());
            let kind = ((pos.victim(mv) * 32 + row) * 2 + checks) * 4 + wins * 2 + promotes;
            [
                row * squares + to,
                kind,
                row * 256 + to + squares - last.min(squares),
                hash((last * 32 + row) * 128 + to),
                hash((from * 128 + to) * 2 + usize::from(from == own)),
                row * 256 + to + squares - own.min(squares),
            ]
            .map(|feature| (feature % WEIGHTS) as u16)
        }));
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use sanban_rules::{Position, Rng, dobutsu, janggi, shogi};
    use sanban_system::checksum;

    /// A game of random moves and scores, of at most this number of plies.
    pub fn random_game<P: Position>(start: &P, plies: usize, rng: &mut Rng) -> Record {
        let mut pos = start.clone();
        let mut record =
            Record { result: [Outcome::Loss, Outcome::Draw, Outcome::Win][rng.below(3)], plies: vec![] };
        for at in 0..plies {
            let mut moves = pos.legal_moves();
            if moves.is_empty() {
                break;
            }
            moves.sort_unstable();
            let mv = moves[rng.below(moves.len())];
            let score = match rng.below(4) {
                0 => None,
                // Mates, and scores of every size.
                1 if at % 8 == 0 => Some([MATE - 3, 5 - MATE][rng.below(2)]),
                _ => Some((rng.below(60_001) as Score - 30_000) >> rng.below(12)),
            };
            record.plies.push(Ply { mv, score });
            pos.make(mv, &mut ());
        }
        record
    }

    /// The game with its scores rounded.
    pub fn rounded(record: &Record) -> Record {
        let near = |score: Score| {
            if score.abs() > DECISIVE {
                return score;
            }
            let nearest = LEVELS.into_iter().min_by_key(|level| (level - score.abs()).abs());
            nearest.expect("there are levels") * score.signum()
        };
        let plies = record.plies.iter().map(|ply| Ply { mv: ply.mv, score: ply.score.map(near) });
        Record { result: record.result, plies: plies.collect() }
    }

    fn come_back<P: SearchPosition>(start: &P) -> Vec<u8> {
        let mut rng = Rng::new(5);
        let games: Vec<Record> = (0..12).map(|n| random_game(start, n * 12, &mut rng)).collect();
        let counts = (games.len(), games.iter().map(|game| game.plies.len()).sum());
        let mut encoder = Encoder::default();
        let expected: Vec<Record> = games.iter().map(rounded).collect();
        assert!(code(&mut encoder, start, Some(&games), counts).as_ref() == Ok(&expected));
        let bytes = encoder.finish();
        assert!(code(&mut Decoder::new(&bytes), start, None, counts) == Ok(expected));
        // Fewer moves than there are.
        assert!(code(&mut Decoder::new(&bytes), start, None, (counts.0, counts.1 - 1)).is_err());
        bytes
    }

    #[test]
    fn games_come_back() {
        come_back(&janggi::Position::default());
        come_back(&dobutsu::Original::default());
        let bytes = come_back(&shogi::Position::default());
        // A change of the models makes all packed games unreadable.
        assert_eq!((bytes.len(), checksum(&bytes)), (1925, 16_877_935_830_690_780_795));
    }

    /// Rounded scores differ by at most half a step.
    #[test]
    fn scores_are_near() {
        for score in -DECISIVE..=DECISIVE {
            let near = LEVELS[level(score).unsigned_abs() as usize] * level(score).signum();
            let step = STEP.max(score.abs() / FRACTION + 1);
            assert!(
                (near - score).abs() * 2 <= step || score.abs() > LEVELS[LEVELS.len() - 1],
                "{score}: {near}"
            );
        }
        assert!(DECISIVE - LEVELS[LEVELS.len() - 1] < DECISIVE / FRACTION);
    }

    #[test]
    fn any_bytes_are_decoded() {
        let mut rng = Rng::new(8);
        let start = shogi::Position::default();
        for _ in 0..50 {
            let bytes: Vec<u8> =
                (0..rng.below(400)).map(|_| [0, 0xFF, rng.next() as u8][rng.below(3)]).collect();
            for record in code(&mut Decoder::new(&bytes), &start, None, (3, 300)).unwrap_or_default() {
                assert_eq!(record.replay(start.clone(), |_, _, _| ()), Ok(()));
            }
        }
    }
}
