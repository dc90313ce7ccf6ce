//! The choice between a book's moves, controlled by YaneuraOu's book options.

use super::{Book, BookError, BookMove, flip_move, flip_sfen, ply};
use sanban_rules::{AnyPosition, Color, Move, Rng, Score, Verdict};

/// The options that control the choice.
#[derive(Clone, Debug, Default)]
pub struct Policy {
    /// `BookMoves`: the last ply at which the book is used; 1 is the first move of a game.
    pub moves: usize,
    /// `BookIgnoreRate`: the probability of ignoring the book for a move, in percent.
    pub ignore_rate: u32,
    /// `NarrowBook`: exclude moves that were played in less than 10 % of the games.
    pub narrow: bool,
    /// `BookEvalDiff`: how many centipawns worse than the first move the move played may be.
    pub eval_diff: Score,
    /// `BookEvalBlackDiff` and `BookEvalWhiteDiff`: override `BookEvalDiff` for one side.
    pub eval_diff_of: [Option<Score>; 2],
    /// `BookEvalBlackLimit` and `BookEvalWhiteLimit`: the minimum value of a move for the side that plays it.
    pub eval_limit: [Score; 2],
    /// `BookDepthLimit`: the minimum depth of the first move; 0 for any. It does not apply if the depth is unknown.
    pub depth_limit: u32,
    /// `BookDepthBlackLimit` and `BookDepthWhiteLimit`: override `BookDepthLimit` for one side.
    pub depth_limit_of: [Option<u32>; 2],
    /// `ConsiderBookMoveCount`: choose moves in proportion to how often they were played.
    pub by_count: bool,
    /// `BookPvMoves`: the maximum number of moves of a line that is shown.
    pub pv_moves: usize,
    /// `IgnoreBookPly`: match a position at any ply.
    pub ignore_ply: bool,
    /// `FlippedBook`: also look up the rotated position.
    pub flipped: bool,
}

/// A book move and the line that the book expects after it.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// The book entry of the move.
    pub known: BookMove,
    /// The line, starting with this move.
    pub line: Vec<Move>,
    /// How often the move was played, in percent of all moves played in the position, if the book has counts.
    pub share: Option<f64>,
}

/// The result of a book lookup for a position.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Advice {
    /// All moves: first the one to play, if any, then the others in order.
    pub candidates: Vec<Candidate>,
    /// Whether the first candidate should be played.
    pub plays: bool,
    /// Messages about excluded moves.
    pub notes: Vec<String>,
}

impl Policy {
    /// Returns the book's moves for a position, best first: sorted by how often they were played, then by value, then
    /// by their order in the book. If the position is missing and `flipped` is set, the rotated position is looked up
    /// at any ply, since its ply cannot be the same.
    ///
    /// # Errors
    /// The first error found by the lookup.
    pub fn look_up(&self, book: &mut dyn Book, pos: &AnyPosition) -> Result<Vec<BookMove>, BookError> {
        let mut moves = book.find(pos, (!self.ignore_ply).then(|| ply(pos)))?;
        if moves.is_empty() && self.flipped {
            moves = find_flipped(book, pos)?;
        }
        moves.sort_by_key(|known| (std::cmp::Reverse(known.count), std::cmp::Reverse(known.score)));
        Ok(moves)
    }

    /// Returns the candidates of the book and the move to play; `None` if the book is not used.
    ///
    /// # Errors
    /// The first error found by the lookup.
    pub fn advise(
        &self,
        book: &mut dyn Book,
        pos: &AnyPosition,
        random: &mut Rng,
    ) -> Result<Option<Advice>, BookError> {
        if ply(pos) > self.moves || random.below(100) < self.ignore_rate as usize {
            return Ok(None);
        }
        let all = self.look_up(book, pos)?;
        if all.is_empty() {
            return Ok(None);
        }
        let mut notes = Vec::new();
        let chosen = self.choose(pos, all.clone(), random, &mut notes);
        let total: u64 = all.iter().map(|known| u64::from(known.count)).sum();
        let mut order = all;
        if let Some(chosen) = chosen
            && let Some(at) = order.iter().position(|known| known.mv == chosen.mv)
        {
            order[..=at].rotate_right(1);
        }
        let mut candidates = Vec::with_capacity(order.len());
        for known in order {
            let line = self.line(book, pos, &known)?;
            let share = (total > 0).then(|| 100.0 * f64::from(known.count) / total as f64);
            // The expected reply is the one in the entry; otherwise the next move of the line.
            let reply = known.reply.or_else(|| line.get(1).copied());
            candidates.push(Candidate { known: BookMove { reply, ..known }, line, share });
        }
        Ok(Some(Advice { candidates, plays: chosen.is_some(), notes }))
    }

    /// Chooses one of `moves`, which are sorted best first.
    fn choose(
        &self,
        pos: &AnyPosition,
        mut moves: Vec<BookMove>,
        random: &mut Rng,
        notes: &mut Vec<String>,
    ) -> Option<BookMove> {
        let mut keep = |moves: &mut Vec<BookMove>, what: &str, keeps: &dyn Fn(&BookMove) -> bool| {
            let before = moves.len();
            moves.retain(|known| keeps(known));
            if moves.len() < before {
                notes.push(format!("{what}: kept {} of {before} moves", moves.len()));
            }
        };
        let total: u64 = moves.iter().map(|known| u64::from(known.count)).sum();
        if self.narrow && total > 0 {
            keep(&mut moves, "NarrowBook", &|known| u64::from(known.count) * 10 >= total);
        }
        let first = *moves.first()?;
        let side = pos.side();
        let (depth, name) = match self.depth_limit_of[side.index()] {
            None => (self.depth_limit, "BookDepthLimit"),
            Some(depth) => (depth, ["BookDepthBlackLimit", "BookDepthWhiteLimit"][side.index()]),
        };
        keep(&mut moves, name, &|_| depth == 0 || first.depth == 0 || first.depth >= depth);
        let (diff, name) = match self.eval_diff_of[side.index()] {
            None => (self.eval_diff, "BookEvalDiff"),
            Some(diff) => (diff, ["BookEvalBlackDiff", "BookEvalWhiteDiff"][side.index()]),
        };
        keep(&mut moves, name, &|known| known.score >= first.score.saturating_sub(diff));
        let limit = self.eval_limit[side.index()];
        let name = if side == Color::Black { "BookEvalBlackLimit" } else { "BookEvalWhiteLimit" };
        keep(&mut moves, name, &|known| known.score >= limit);
        // Books ignore the history, so the search must decide on a move that ends the game by repetition.
        keep(&mut moves, "repetition", &|known| {
            let mut after = pos.clone();
            after.play(known.mv);
            matches!(after.verdict(), None | Some(Verdict::Loss))
        });
        let total: u64 = moves.iter().map(|known| u64::from(known.count)).sum();
        let weight = |known: &BookMove| if self.by_count && total > 0 { known.count as usize } else { 1 };
        let mut at = random.below(moves.iter().map(weight).sum());
        for known in &moves {
            match at.checked_sub(weight(known)) {
                Some(rest) => at = rest,
                None => return Some(*known),
            }
        }
        None
    }

    /// Returns the book's line that starts with a move: the expected replies, or the best moves where the book has
    /// none, for as long as the book has the positions, then the stored reply.
    fn line(&self, book: &mut dyn Book, pos: &AnyPosition, known: &BookMove) -> Result<Vec<Move>, BookError> {
        let (mut line, mut pos, mut known) = (vec![known.mv], pos.clone(), *known);
        while line.len() < self.pv_moves {
            pos.play(known.mv);
            if pos.verdict().is_some() {
                break;
            }
            let next = self.look_up(book, &pos)?;
            let Some(&best) = next.iter().find(|next| Some(next.mv) == known.reply).or(next.first()) else {
                line.extend(known.reply);
                break;
            };
            known = best;
            line.push(known.mv);
        }
        Ok(line)
    }
}

/// Returns the moves of the rotated position, rotated back.
fn find_flipped(book: &mut dyn Book, pos: &AnyPosition) -> Result<Vec<BookMove>, BookError> {
    let sfen = flip_sfen(&pos.sfen());
    let Ok(other) = pos.with_sfen(&sfen) else { return Ok(Vec::new()) };
    let turn = |mv| flip_move(&other.display(mv), &sfen);
    let mut after = pos.clone();
    let back = |known: BookMove| {
        let mv = pos.parse_usi(&turn(known.mv))?;
        let reply = known.reply.and_then(|reply| {
            after.play(mv);
            let reply = after.parse_usi(&turn(reply));
            after.undo();
            reply
        });
        Some(BookMove { mv, reply, ..known })
    };
    Ok(book.find(&other, None)?.into_iter().filter_map(back).collect())
}
