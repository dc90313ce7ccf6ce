//! A self-play game: its moves with their search scores, and the result.

use sanban_rules::{Move, Position, Score};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ply {
    pub mv: Move,
    /// Score in centipawns for the side to move, mates beyond `DECISIVE`; `None` for random moves and moves of the
    /// opening.
    pub score: Option<Score>,
}

/// The result of a game, for black.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Result {
    /// White won.
    Loss,
    Draw,
    /// Black won.
    Win,
}

/// A game from the start position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    pub result: Result,
    pub plies: Vec<Ply>,
}

/// The 16-bit score that marks a move without a score.
const NO_SCORE: i16 = i16::MIN;

impl Record {
    /// Index of the first ply after the last random move. That move affects the result, which says nothing about
    /// earlier positions.
    pub fn sound_from(&self) -> usize {
        self.plies.iter().rposition(|ply| ply.score.is_none()).map_or(0, |at| at + 1)
    }

    /// Replays the game from its start position and calls `visit` with the position before every ply, which it must
    /// leave unchanged. The error is the index of the first illegal ply.
    pub fn replay<P: Position>(
        &self,
        mut pos: P,
        mut visit: impl FnMut(&mut P, usize, &Ply),
    ) -> std::result::Result<(), usize> {
        for (at, ply) in self.plies.iter().enumerate() {
            if !pos.is_legal(ply.mv) {
                return Err(at);
            }
            visit(&mut pos, at, ply);
            pos.make(ply.mv, &mut ());
        }
        Ok(())
    }

    /// Size in bytes of a game with this number of plies.
    pub const fn size(plies: usize) -> usize {
        3 + 4 * plies
    }

    /// Appends the record: `u16` plies, `u8` result (0 loss, 1 draw, 2 win for black), then for each ply the move's
    /// 16 bits and the score as `i16`, all little-endian.
    pub fn write(&self, out: &mut Vec<u8>) {
        let plies = &self.plies[..self.plies.len().min(usize::from(u16::MAX))];
        out.extend((plies.len() as u16).to_le_bytes());
        out.push(self.result as u8);
        for ply in plies {
            out.extend(ply.mv.bits().to_le_bytes());
            let score =
                ply.score.map_or(NO_SCORE, |s| s.clamp(i32::from(NO_SCORE) + 1, i32::from(i16::MAX)) as i16);
            out.extend(score.to_le_bytes());
        }
    }

    /// Reads one record from the front of `bytes` and advances; `None` if it is invalid.
    pub fn read(bytes: &mut &[u8]) -> Option<Self> {
        let (head, rest) = bytes.split_at_checked(3)?;
        let plies = usize::from(u16::from_le_bytes([head[0], head[1]]));
        let result = *[Result::Loss, Result::Draw, Result::Win].get(usize::from(head[2]))?;
        let (body, rest) = rest.split_at_checked(4 * plies)?;
        let ply = |&[a, b, c, d]: &[u8; 4]| {
            let score = i16::from_le_bytes([c, d]);
            let mv = Move::from_bits(u16::from_le_bytes([a, b]))?;
            Some(Ply { mv, score: (score != NO_SCORE).then(|| score.into()) })
        };
        let plies = body.as_chunks().0.iter().map(ply).collect::<Option<Vec<_>>>()?;
        *bytes = rest;
        Some(Self { result, plies })
    }
}
