//! Opponents for weak levels of the engine, and games against them.

use sanban::engine::ladder::Player;
use sanban::engine::search::Settings;
use sanban::rules::{Rng, SearchPosition};
use sanban::{Color, Game, Limits, Move, Position, Searcher, Verdict};
use std::ops::ControlFlow;

/// A player that chooses moves.
pub trait Bot<P> {
    /// Chooses a legal move in a position that has one; `None` declares a win.
    fn choose(&mut self, pos: &P) -> Option<Move>;
}

/// Plays a random legal move.
pub struct Random(pub Rng);

impl<P: Position> Bot<P> for Random {
    fn choose(&mut self, pos: &P) -> Option<Move> {
        self.0.pick(&pos.legal_moves()).copied()
    }
}

/// Captures the most valuable piece that it can capture, and otherwise moves at random.
pub struct Taker(pub Rng);

impl<P: SearchPosition> Bot<P> for Taker {
    fn choose(&mut self, pos: &P) -> Option<Move> {
        let moves = pos.legal_moves();
        let captures = moves.iter().copied().filter(|&mv| pos.victim(mv) > 0);
        // The value of the captured piece counts, but the gain from a promotion does not.
        let value = |mv: Move| if mv.is_promotion() { pos.gain(unpromoted(mv)) } else { pos.gain(mv) };
        let best = captures.clone().map(value).max();
        let best: Vec<Move> = match best {
            Some(best) => captures.filter(|&mv| value(mv) == best).collect(),
            None => moves.to_vec(),
        };
        self.0.pick(&best).copied()
    }
}

fn unpromoted(mv: Move) -> Move {
    Move::board(mv.from(), mv.to())
}

/// The engine at a given level, or as a given player.
pub struct Level<G: Game> {
    searcher: Searcher<G>,
    limits: Limits,
}

impl<G: Game> Level<G> {
    /// `nodes`: node limit at full strength.
    pub fn new(level: u32, player: Option<Player>, luck: u64, nodes: u64) -> Self {
        let mut searcher = Searcher::new();
        *searcher.settings() = Settings { skill_level: level, player, luck, ..Settings::default() };
        Self { searcher, limits: Limits { nodes: Some(nodes), ..Limits::default() } }
    }

    /// Starts a new game.
    pub fn new_game(&mut self, luck: u64) {
        self.searcher.clear();
        self.searcher.settings().luck = luck;
    }
}

impl<G: Game> Bot<G::Position> for Level<G> {
    fn choose(&mut self, pos: &G::Position) -> Option<Move> {
        self.searcher.search(pos, &self.limits, |_| ControlFlow::Continue(())).best
    }
}

/// Plies after which a game is a draw.
const LONGEST: usize = 400;

/// Plays a game that starts with `random` random plies; returns black's score in half points.
pub fn game<G: Game>(
    black: &mut dyn Bot<G::Position>,
    white: &mut dyn Bot<G::Position>,
    random: usize,
    rng: &mut Rng,
) -> u32 {
    let mut pos = G::parse(G::START).expect("the start position");
    for ply in 0..LONGEST {
        let verdict = match pos.verdict(0) {
            None if pos.count() == 0 => Some(pos.verdict_without_moves()),
            verdict => verdict,
        };
        let to_move = if pos.side() == Color::Black { 2 } else { 0 };
        match verdict {
            Some(Verdict::Win | Verdict::Superior) => return to_move,
            Some(Verdict::Loss | Verdict::Inferior) => return 2 - to_move,
            Some(Verdict::Draw) => return 1,
            None => {}
        }
        let bot: &mut dyn Bot<G::Position> =
            if pos.side() == Color::Black { &mut *black } else { &mut *white };
        let mv = if ply < random { rng.pick(&pos.legal_moves()).copied() } else { bot.choose(&pos) };
        let Some(mv) = mv else { return to_move };
        assert!(pos.is_legal(mv), "illegal move in {}", pos.sfen());
        pos.make(mv, &mut ());
    }
    1
}
