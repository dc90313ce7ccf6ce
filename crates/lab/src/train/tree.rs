//! Positions inside the search trees of self-play, with the scores or bounds that the transposition table holds for
//! them. They are positions that a search evaluates, and need no additional search (J. Veness, D. Silver, W. Uther and
//! A. Blair, "Bootstrapping from game tree search", 2009).
//!
//! They are stored next to the games of a shard, in a file with the extension `tree`:
//!
//! ```text
//!  0  8  magic "SANBANTR"     8  8  checksum of the rest    16  4  version 1    20  4  positions
//! 24     positions: u32 game of the shard, u16 ply, i16 score, u8 depth, u8 bound, u8 moves, and the moves as u16
//! ```
//!
//! The score is in centipawns for the side to move. The bound is 0 for an exact score, 1 for a lower and 2 for an upper
//! bound. The moves lead from the position before that ply of the game to the position.

use super::error::{ShardError, ShardFault, TrainError};
use super::quiet::{is_calm, is_quiet};
use arrayvec::ArrayVec;
use sanban_engine::Game;
use sanban_engine::search::{Bound, Pool};
use sanban_rules::{Move, Position, Rng};
use sanban_system::{FileError, begins_with, checksum, read_whole, write_whole};
use std::path::{Path, PathBuf};

/// The first bytes of a file of trees.
const MAGIC: &[u8; 8] = b"SANBANTR";
const VERSION: u32 = 1;
/// Size of the header in bytes.
const HEADER: usize = 24;
/// Maximum file size in bytes.
const LARGEST: u64 = 1 << 30;
/// Size of a position without its moves in bytes.
const FIXED: usize = 11;
/// Minimum search depth of a sampled position.
const DEPTH: i32 = 3;
/// Number of positions per ply whose successors are looked up: those searched deepest.
const EXPANDED: [usize; 3] = [1, 2, 2];

/// Moves from a position of the game to one in the tree of its search.
type Line = ArrayVec<Move, { EXPANDED.len() }>;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TreePosition {
    /// Number of the game in its shard, from 0.
    pub game: u32,
    /// The ply of the game whose search contained the position, from 0.
    pub ply: u16,
    /// The moves from the position of that ply to this one.
    pub moves: Line,
    /// The score of the position in centipawns for the side to move.
    pub score: i16,
    pub bound: Bound,
    /// Depth in plies to which the position was searched.
    pub depth: u8,
}

/// Samples up to `most` random quiet positions from the tree of the last search of `root`, the position before ply
/// `ply` of the game. `best` is the move played there; the position after it is excluded, because the game continues
/// with it. The game number is set to 0.
pub fn sample<G: Game>(
    pool: &Pool<G>,
    root: &G::Position,
    best: Move,
    ply: u16,
    most: usize,
) -> Vec<TreePosition> {
    let mut pos = root.clone();
    let mut found: Vec<TreePosition> = vec![];
    let mut front = vec![Line::new()];
    for width in EXPANDED {
        let mut next: Vec<(i32, Line)> = vec![];
        for path in front.iter().take(width) {
            path.iter().for_each(|&mv| pos.make(mv, &mut ()));
            for mv in pos.legal_moves() {
                let mut path = path.clone();
                path.push(mv);
                pos.make(mv, &mut ());
                if let Some(seen) = pool.recall(&pos).filter(|seen| seen.depth >= DEPTH)
                    && pos.verdict(path.len()).is_none()
                {
                    let quiet = seen
                        .best
                        .map_or_else(|| is_calm(&pos, seen.score), |best| is_quiet(&pos, best, seen.score));
                    if quiet && path[..] != [best] {
                        let depth = seen.depth.clamp(0, u8::MAX.into()) as u8;
                        let (score, bound, moves) = (seen.score as i16, seen.bound, path.clone());
                        found.push(TreePosition { game: 0, ply, moves, score, bound, depth });
                    }
                    next.push((seen.depth, path));
                }
                pos.unmake();
            }
            path.iter().for_each(|_| pos.unmake());
        }
        next.sort_by_key(|(depth, _)| -depth);
        front = next.into_iter().map(|(_, path)| path).collect();
    }
    let mut rng = Rng::new(root.key());
    while found.len() > most {
        found.swap_remove(rng.below(found.len()));
    }
    found
}

impl TreePosition {
    /// Calls `visit` with the position, given the position of the game from which it is reached.
    ///
    /// # Errors
    /// A move is illegal; the board is unchanged.
    pub fn visit<P: Position>(&self, pos: &mut P, visit: impl FnOnce(&P)) -> Result<(), Illegal> {
        let legal = self.moves.iter().take_while(|&&mv| {
            let legal = pos.is_legal(mv);
            if legal {
                pos.make(mv, &mut ());
            }
            legal
        });
        let made = legal.count();
        let whole = made == self.moves.len();
        if whole {
            visit(pos);
        }
        (0..made).for_each(|_| pos.unmake());
        if whole { Ok(()) } else { Err(Illegal) }
    }

    fn write(&self, out: &mut Vec<u8>) {
        out.extend(self.game.to_le_bytes());
        out.extend(self.ply.to_le_bytes());
        out.extend(self.score.to_le_bytes());
        let bound = match self.bound {
            Bound::Exact => 0,
            Bound::Lower => 1,
            Bound::Upper => 2,
        };
        out.extend([self.depth, bound, self.moves.len() as u8]);
        self.moves.iter().for_each(|mv| out.extend(mv.bits().to_le_bytes()));
    }

    /// Reads a position from the front of `bytes` and advances; `None` if it is invalid.
    fn read(bytes: &mut &[u8]) -> Option<Self> {
        let (head, rest) = bytes.split_first_chunk::<FIXED>()?;
        let &[g0, g1, g2, g3, p0, p1, s0, s1, depth, bound, count] = head;
        let bound = *[Bound::Exact, Bound::Lower, Bound::Upper].get(usize::from(bound))?;
        let (body, rest) = rest.split_at_checked(2 * usize::from(count))?;
        let moves = body.as_chunks().0.iter().map(|&bits| Move::from_bits(u16::from_le_bytes(bits)));
        let moves: Vec<Move> = moves.collect::<Option<_>>()?;
        *bytes = rest;
        Some(Self {
            game: u32::from_le_bytes([g0, g1, g2, g3]),
            ply: u16::from_le_bytes([p0, p1]),
            moves: Line::try_from(&moves[..]).ok()?,
            score: i16::from_le_bytes([s0, s1]),
            bound,
            depth,
        })
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Illegal;

/// The file of the trees beside a shard of games.
pub fn beside(games: &Path) -> PathBuf {
    games.with_extension("tree")
}

/// Writes the file of these positions.
pub fn write(path: &Path, positions: &[TreePosition]) -> Result<(), FileError> {
    write_whole(path, &bytes(positions), begins_with(MAGIC))
}

fn bytes(positions: &[TreePosition]) -> Vec<u8> {
    let mut out = [&MAGIC[..], &[0; 8]].concat();
    out.extend(VERSION.to_le_bytes());
    out.extend((positions.len() as u32).to_le_bytes());
    positions.iter().for_each(|position| position.write(&mut out));
    let sum = checksum(&out[16..]);
    out[8..16].copy_from_slice(&sum.to_le_bytes());
    out
}

/// Reads a file of tree positions.
pub fn read(path: &Path) -> Result<Vec<TreePosition>, TrainError> {
    let bytes = read_whole(path, LARGEST)?;
    parse(&bytes).map_err(|source| TrainError::Shard { path: path.into(), source })
}

fn parse(bytes: &[u8]) -> Result<Vec<TreePosition>, ShardError> {
    let fault = |offset, fault| ShardError { offset, fault };
    if !bytes.starts_with(MAGIC) {
        return Err(fault(0, ShardFault::NotGames));
    }
    let Some((header, mut rest)) = bytes.split_at_checked(HEADER) else {
        return Err(fault(bytes.len(), ShardFault::Short { part: "header", expected: HEADER }));
    };
    let word = |at: usize| u32::from_le_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]]);
    if word(16) != VERSION {
        return Err(fault(16, ShardFault::Version { found: word(16).into(), expected: VERSION }));
    }
    if header[8..16] != checksum(&bytes[16..]).to_le_bytes() {
        return Err(fault(8, ShardFault::Checksum));
    }
    let mut out = vec![];
    for number in 0..word(20) as usize {
        let offset = bytes.len() - rest.len();
        out.push(TreePosition::read(&mut rest).ok_or(fault(offset, ShardFault::Position(number)))?);
    }
    if rest.is_empty() { Ok(out) } else { Err(fault(bytes.len() - rest.len(), ShardFault::Rest)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scratch::Scratch;
    use sanban_engine::search::{Limits, Signals};
    use sanban_rules::{Shogi, Variant};

    fn searched() -> (Pool<Shogi>, <Shogi as Variant>::Position, Move) {
        let mut pool = Pool::<Shogi>::new();
        let pos = Shogi::parse(Shogi::START).expect("valid start position");
        let limits = Limits { nodes: Some(4000), ..Limits::default() };
        let best = pool.search(&pos, &limits, &Signals::default(), &()).best.expect("search returns a move");
        (pool, pos, best)
    }

    /// Sampled positions are in the tree: their lines are legal, and the transposition table has their scores.
    #[test]
    fn positions_come_from_the_tree() {
        let (pool, mut pos, best) = searched();
        let found = sample(&pool, &pos, best, 3, 8);
        assert_eq!(found.len(), 8);
        for position in &found {
            assert!(position.moves[..] != [best] && i32::from(position.depth) >= DEPTH);
            let mut known = None;
            assert_eq!(position.visit(&mut pos, |pos| known = pool.recall(pos)), Ok(()));
            let known = known.expect("position is in the table");
            assert_eq!((known.score, known.bound), (position.score.into(), position.bound));
        }
        assert_eq!(pos.sfen(), Shogi::START);
        assert_eq!(found, sample(&pool, &pos, best, 3, 8));
    }

    #[test]
    fn files_come_back_and_damage_is_found() {
        let dir = Scratch::new();
        let path = beside(&dir.0.join("a.games"));
        let (pool, pos, best) = searched();
        let found = sample(&pool, &pos, best, 0, 20);
        write(&path, &found).expect("directory is writable");
        assert_eq!(read(&path).ok(), Some(found.clone()));
        let good = bytes(&found);
        assert!((0..good.len()).all(|end| parse(&good[..end]).is_err()));
        for at in 0..good.len() {
            let mut bad = good.clone();
            bad[at] ^= 0x10;
            assert!(parse(&bad).is_err(), "damage at {at}");
        }
    }

    #[test]
    fn illegal_lines_are_refused() {
        let (pool, mut pos, best) = searched();
        let mut position = sample(&pool, &pos, best, 0, 1).remove(0);
        position.moves = [best, best].into_iter().collect();
        assert_eq!(position.visit(&mut pos, |_| panic!("no such position")), Err(Illegal));
        assert_eq!(pos.sfen(), Shogi::START);
    }
}
