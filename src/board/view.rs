//! A position as the page shows it: the pieces, the legal moves, and the moves that led to it.

use super::cells::Cells;
use super::shown::Shown;
use sanban_engine::Game;
use sanban_rules::{Color, Verdict};
use serde_json::{Value as Json, json};
use std::collections::HashMap;

/// Longest game that is shown, in moves.
pub(super) const LONGEST_GAME: usize = 5_000;

/// A game from its start to the position that is shown.
pub(super) struct Course<P> {
    /// The position that is shown.
    pub pos: P,
    /// The SFEN of the start position.
    start: String,
    /// The moves, as the page lists them.
    moves: Vec<Json>,
    /// How often the position has occurred, this time included.
    occurrences: usize,
}

impl<P: Shown> Course<P> {
    /// Plays the moves of a game. The error names the faulty field of the SFEN or the illegal move.
    pub fn play<G: Game<Position = P>>(
        sfen: Option<&str>,
        moves: &[&str],
        rules: &P::Rules,
    ) -> Result<Self, String> {
        if moves.len() > LONGEST_GAME {
            return Err(format!("a game of more than {LONGEST_GAME} moves"));
        }
        let mut pos = G::parse(sfen.unwrap_or(G::START)).map_err(|error| error.to_string())?;
        pos.set_rules(rules);
        let start = pos.sfen();
        let mut seen = HashMap::from([(key(&start), 1)]);
        let (mut cells, mut list, mut occurrences) = (Cells::read(&start), Vec::new(), 1);
        for (n, text) in moves.iter().enumerate() {
            let mv = pos.parse_usi(text).ok_or_else(|| format!("illegal move {text:.8} at ply {}", n + 1))?;
            let side = pos.side();
            pos.make(mv, &mut ());
            let usi = P::usi(mv);
            let sfen = pos.sfen();
            let after = Cells::read(&sfen);
            let at = |cells: &Cells, square: &str| cells.board.get(square).cloned();
            // A drop is `P*5e`, a move `7g7f` or `2b2a+`.
            let (from, to) = match usi.split_once('*') {
                Some((_, to)) => (None, to.to_string()),
                None => (usi.get(..2).map(str::to_string), usi.get(2..4).unwrap_or_default().to_string()),
            };
            let piece = match &from {
                Some(from) => at(&cells, from),
                None => usi.get(..1).map(|letter| cased(letter, side)),
            };
            let pass = from.as_deref() == Some(&to);
            list.push(json!({
                "usi": usi,
                "side": side.letter().to_string(),
                "piece": piece,
                "from": from,
                "to": to,
                "captured": if pass { None } else { at(&cells, &to) },
                "pass": pass,
                "check": pos.in_check(),
            }));
            let count = seen.entry(key(&sfen)).or_insert(0);
            *count += 1;
            (cells, occurrences) = (after, *count);
        }
        Ok(Self { pos, start, moves: list, occurrences })
    }

    /// The position, its legal moves, and the moves that led to it.
    pub fn view(&self) -> Json {
        let sfen = self.pos.sfen();
        let cells = Cells::read(&sfen);
        let legal = self.pos.legal_moves();
        let legal: Vec<String> = legal.iter().map(|&mv| P::usi(mv)).collect();
        let [black, white] = &cells.hands;
        let over = self.ending(&cells, legal.is_empty()).map(|(winner, reason)| {
            json!({ "winner": winner.map(|side| side.letter().to_string()), "reason": reason })
        });
        let check = self.pos.in_check().then(|| royal(&cells, self.pos.side())).flatten();
        json!({
            "sfen": sfen,
            "start": self.start,
            "files": cells.files,
            "ranks": cells.ranks,
            "side": self.pos.side().letter().to_string(),
            "ply": self.pos.game_ply(),
            "board": cells.board,
            "hands": { "b": black, "w": white },
            "check": check,
            "legal": legal,
            "moves": self.moves,
            "occurrences": self.occurrences,
            "repetitions": P::REPETITIONS,
            "declare": self.pos.can_declare(),
            "over": over,
        })
    }

    /// Is this a legal move?
    pub fn is_legal(&self, text: &str) -> bool {
        self.pos.parse_usi(text).is_some_and(|mv| self.pos.is_legal(mv))
    }

    /// Is the game over?
    pub fn is_over(&self) -> bool {
        self.end().is_some()
    }

    /// The winner, if the game is over and not drawn.
    pub fn winner(&self) -> Option<Color> {
        self.end()?.0
    }

    fn end(&self) -> Option<(Option<Color>, &'static str)> {
        self.ending(&Cells::read(&self.pos.sfen()), self.pos.count() == 0)
    }

    /// The winner and the reason; `None` while the game continues.
    fn ending(&self, cells: &Cells, no_moves: bool) -> Option<(Option<Color>, &'static str)> {
        let pos = &self.pos;
        // A win by declaration does not count until it is declared.
        let verdict = pos.verdict(0).filter(|_| !pos.can_declare());
        let repeated = self.occurrences >= P::REPETITIONS;
        let (verdict, reason) = match verdict {
            Some(Verdict::Draw) if repeated => (Verdict::Draw, "repetition"),
            Some(Verdict::Draw) if self.passes() >= 2 => (Verdict::Draw, "passes"),
            // Without legal moves, only facing generals draw; with insufficient material there are still moves.
            Some(Verdict::Draw) if no_moves => (Verdict::Draw, "facing"),
            Some(Verdict::Draw) => (Verdict::Draw, "material"),
            Some(verdict) if repeated && self.checks() => (verdict, "perpetual"),
            Some(verdict) if royal(cells, pos.side()).is_none() => (verdict, "captured"),
            Some(verdict) => (verdict, P::DECIDED),
            None if no_moves && pos.in_check() => (pos.verdict_without_moves(), "mate"),
            None if no_moves => (pos.verdict_without_moves(), "stalemate"),
            None => return None,
        };
        let winner = match verdict {
            Verdict::Win | Verdict::Superior => Some(pos.side()),
            Verdict::Loss | Verdict::Inferior => Some(!pos.side()),
            Verdict::Draw => None,
        };
        Some((winner, reason))
    }

    /// Did one of the last two moves give check?
    fn checks(&self) -> bool {
        self.moves.iter().rev().take(2).any(|mv| mv["check"] == true)
    }

    /// Number of consecutive passes before this position.
    fn passes(&self) -> usize {
        self.moves.iter().rev().take_while(|mv| mv["pass"] == true).count()
    }
}

/// The repetition key: an SFEN without its move count.
fn key(sfen: &str) -> String {
    sfen.rsplit_once(' ').map_or(sfen, |(key, _)| key).to_string()
}

/// A piece's letter in the case of its side.
fn cased(letter: &str, side: Color) -> String {
    match side {
        Color::Black => letter.to_ascii_uppercase(),
        Color::White => letter.to_ascii_lowercase(),
    }
}

/// The square of a side's king, general or lion.
fn royal(cells: &Cells, side: Color) -> Option<String> {
    let letters = ["K", "L"].map(|letter| cased(letter, side));
    // On boards with kings, `L` is a lance.
    letters.iter().find_map(|letter| {
        let found = cells.board.iter().find(|(_, piece)| *piece == letter);
        found
            .map(|(square, _)| square.clone())
            .filter(|_| letter.eq_ignore_ascii_case("K") || cells.files == 3)
    })
}
