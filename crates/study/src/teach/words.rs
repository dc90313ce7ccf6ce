//! Turns facts into sentences in English, Japanese and Korean.

use super::facts::Fact;
use super::gain::Target;
use super::language::Language;
use super::notation::{move_text, square_text};
use super::tactics::Tactic;
use super::texts::{piece_name, text_in};
use sanban_rules::{AnyPosition, Move, Symbol, VariantId};

/// Maximum number of moves shown of a line.
const LINE: usize = 7;

/// Formats a fact about a move as a sentence. `pos` is the position before the move, `mv` the move.
pub fn sentence(pos: &AnyPosition, mv: Move, fact: &Fact, language: Language) -> String {
    let text = words(&Saying { pos, mv, language }, fact);
    // A shortened line already ends with an ellipsis.
    text.replace("….", "…").replace("…。", "…")
}

fn words(say: &Saying, fact: &Fact) -> String {
    let pos = say.pos;
    let counted =
        |name: &str, line: &[Move], shown: String| say.text(name, &[&line.len().to_string(), &shown]);
    let opponent = |line: &[Move]| say.line(&say.after(), say.to(), line);
    let own = |line: &[Move]| say.line(pos, say.last(), line);
    match fact {
        Fact::Ends if say.after().in_check() && !say.is_dobutsu() => say.text("ends-mate", &[]),
        Fact::Ends if say.is_dobutsu() && say.takes_lion() => say.text("ends-lion-taken", &[]),
        Fact::Ends if say.is_dobutsu() && say.to().and_then(|to| say.letter(to)) == Some('L') => {
            say.text("ends-lion-home", &[])
        }
        // In shogi, only a repetition ends the game in a draw or in a loss for the side that gave check.
        Fact::Draws | Fact::Loses if say.is_shogi() => say.text(&format!("{}-shogi", fact.word()), &[]),
        Fact::Ends | Fact::Draws | Fact::Loses | Fact::AvoidsMate => say.text(fact.word(), &[]),
        Fact::Mates { line } | Fact::Missed { line } | Fact::Slower { line } => {
            counted(fact.word(), line, own(line))
        }
        Fact::ThreatensMate { line } => {
            let name = if line.len() == 1 { "threatens-mate-1" } else { "threatens-mate" };
            counted(name, line, say.line(&say.passed(), None, line))
        }
        Fact::ParriesMate { line } => {
            say.text("parries-mate", &[&say.line(&say.passed_before(), None, &line[..1])])
        }
        Fact::SeesMate { plies } => say.text("sees-mate", &[&plies.to_string()]),
        Fact::Wins(target) | Fact::Recaptures(target) | Fact::Accepts(target) => {
            say.text(fact.word(), &[&say.piece(target)])
        }
        Fact::Exchanges { own, target } => say.exchange(*own, target),
        Fact::Promotes(target) => {
            say.text("promotes", &[&say.name(target.piece), &say.square(target.square)])
        }
        Fact::Threatens { target, by } => {
            say.text("threatens", &[&say.piece(target), &say.line(&say.passed(), None, &[*by])])
        }
        Fact::ThreatensPromotion { by, .. } => {
            say.text("threatens-promotion", &[&say.line(&say.passed(), None, &[*by])])
        }
        Fact::Saves { target, by } => say.saving(target, *by),
        Fact::Tactic(tactic) => say.tactic(tactic),
        Fact::AllowsMate { line } => counted("allows-mate", line, opponent(line)),
        Fact::Hangs { target, by } => {
            let name = match target.piece.letter {
                _ if say.is_pawn(target) && by.is_promotion() => "hangs-promotion",
                'L' if say.is_dobutsu() => "hangs-lion",
                _ => "hangs",
            };
            say.text(name, &[&say.piece(target), &opponent(&[*by])])
        }
        Fact::Allows { line, merit } => {
            let merit = words(&Saying { pos: &say.after(), mv: line[0], ..*say }, merit);
            say.text("allows", &[&opponent(&line[..1]), &merit])
        }
        Fact::Preferred { line } | Fact::Close { line } => {
            say.text(fact.word(), &[&own(without_last_captures(pos, line))])
        }
        Fact::Refuted { line, best, loss, change } => {
            let after = say.after();
            let (line, best) = match change {
                Some(change) => (&line[..change.plies - 1], &best[..change.plies]),
                None => (without_last_captures(&after, line), without_last_captures(pos, best)),
            };
            let (line, loss) = (opponent(line), loss.to_string());
            let costs = match change {
                Some(change) => {
                    let numbers = [change.played, change.best].map(|number| number.to_string());
                    let aspect = format!("aspect-{}", change.aspect.word());
                    let clause = say.text(&aspect, &[&numbers[0], &numbers[1]]);
                    say.text("refuted-aspect", &[&line, &loss, &clause])
                }
                None => say.text("refuted", &[&line, &loss]),
            };
            match own(best) {
                best if best.is_empty() => costs,
                best => say.text("refuted-better", &[&costs, &best]),
            }
        }
        Fact::Falls(fall) => say.falls(fall),
        Fact::MissesGain(fall) => say.misses(fall),
        Fact::Remedy { remedy, line, fall, instead } => say.remedy(remedy, line, fall, *instead),
        Fact::AllowsSeenMate { plies, line } => {
            say.text("allows-seen-mate", &[&plies.to_string(), &opponent(line)])
        }
        Fact::MissesSeenMate { plies, line } => {
            say.text("misses-seen-mate", &[&plies.to_string(), &own(line)])
        }
        Fact::ExposesKing { line } => say.text("exposes-king", &[&opponent(line)]),
        Fact::Spoils { from, to, keeps } => {
            let [from, to] = [from, to].map(|value| say.text(&format!("value-{value}"), &[]));
            say.text("spoils", &[&from, &to, &own(&[*keeps])])
        }
    }
}

/// The line up to its last quiet move, but at least its first move: the lines of the search often end within an exchange.
fn without_last_captures<'a>(pos: &AnyPosition, line: &'a [Move]) -> &'a [Move] {
    let mut pos = pos.clone();
    let mut length = line.len().min(1);
    for (number, &mv) in line.iter().enumerate() {
        if !pos.is_legal(mv) {
            break;
        }
        let quiet = !pos.is_capture(mv);
        pos.play(mv);
        if quiet {
            length = number + 1;
        }
    }
    &line[..length]
}

/// A fact being turned into a sentence.
pub(super) struct Saying<'a> {
    pub(super) pos: &'a AnyPosition,
    pub(super) mv: Move,
    pub(super) language: Language,
}

impl Saying<'_> {
    fn is_shogi(&self) -> bool {
        self.pos.variant() == VariantId::Shogi
    }

    fn is_dobutsu(&self) -> bool {
        matches!(self.pos.variant(), VariantId::Dobutsu | VariantId::DobutsuMate)
    }

    pub(super) fn text(&self, name: &str, values: &[&str]) -> String {
        text_in(self.pos.variant(), self.language, name, values)
    }

    pub(super) fn name(&self, piece: Symbol) -> String {
        piece_name(self.pos.variant(), piece, self.language)
    }

    pub(super) fn square(&self, square: usize) -> String {
        square_text(self.pos, square, self.language)
    }

    /// The position after the move.
    pub(super) fn after(&self) -> AnyPosition {
        let mut pos = self.pos.clone();
        pos.play(self.mv);
        pos
    }

    /// The position after the move and a pass.
    fn passed(&self) -> AnyPosition {
        let mut pos = self.after();
        pos.make_null();
        pos
    }

    /// The position after a pass instead of the move.
    fn passed_before(&self) -> AnyPosition {
        let mut pos = self.pos.clone();
        pos.make_null();
        pos
    }

    /// The destination of the last move before the move.
    pub(super) fn last(&self) -> Option<usize> {
        self.pos.last_move().filter(|last| !last.is_pass()).map(Move::to)
    }

    /// The destination of the move.
    pub(super) fn to(&self) -> Option<usize> {
        (!self.mv.is_pass()).then(|| self.mv.to())
    }

    /// Formats the moves of a line from a position, shortened to `LINE` moves. `to`: the destination of the move before
    /// the line.
    pub(super) fn line(&self, pos: &AnyPosition, to: Option<usize>, line: &[Move]) -> String {
        let (mut pos, mut to) = (pos.clone(), to);
        let mut out = Vec::new();
        for &mv in line.iter().take(LINE) {
            if !pos.is_legal(mv) {
                break;
            }
            out.push(move_text(&pos, mv, to, self.language));
            to = (!mv.is_pass()).then(|| mv.to());
            pos.play(mv);
        }
        if line.len() > LINE {
            out.push("…".into());
        }
        out.join(if self.language.is_spaced() { " " } else { "" })
    }

    /// Formats a piece on a square: `silver on 5f`, `５六の銀`, `56의 은`.
    pub(super) fn piece(&self, target: &Target) -> String {
        self.named(target.piece, target.square)
    }

    pub(super) fn named(&self, piece: Symbol, square: usize) -> String {
        self.text("piece-on", &[&self.name(piece), &self.square(square)])
    }

    /// The exchange that a capture begins.
    fn exchange(&self, own: Symbol, target: &Target) -> String {
        if own.letter == target.piece.letter {
            return self.text("exchanges-same", &[&self.name(Symbol { promoted: false, ..own })]);
        }
        self.text("exchanges", &[&self.name(own), &self.piece(target)])
    }

    /// How the move saves a piece from a capture.
    fn saving(&self, target: &Target, by: Move) -> String {
        let piece = self.piece(target);
        let takes = self.to() == Some(by.from()) && !by.is_drop();
        if takes {
            let attacker = self.pos.piece_on(by.from()).map_or(String::new(), |piece| self.name(piece));
            return self.text("saves-taken", &[&piece, &attacker]);
        }
        if !self.mv.is_drop() && self.mv.from() == target.square {
            return self.text("saves-moved", &[&self.name(target.piece)]);
        }
        let name = if self.is_pawn(target) { "saves-pawn" } else { "saves" };
        self.text(name, &[&piece, &self.line(&self.passed_before(), None, &[by])])
    }

    /// The piece on a square after the move.
    fn on(&self, square: usize) -> String {
        let pos = self.after();
        match pos.piece_on(square) {
            Some(piece) => self.named(piece, square),
            None => self.square(square),
        }
    }

    fn tactic(&self, tactic: &Tactic) -> String {
        match tactic {
            Tactic::Fork { squares } => self.fork(squares),
            Tactic::Pin { square, back } => self.text("pin", &[&self.on(*square), &self.on(*back)]),
            Tactic::Skewer { front, back } => {
                let name = if self.letter(self.mv.to()) == Some('L') { "skewer-lance" } else { "skewer" };
                self.text(name, &[&self.on(*front), &self.on(*back)])
            }
            Tactic::Discovered { from, to } => self.discovered(*from, *to),
            Tactic::Sacrifice { .. } => self.sacrifice(),
            Tactic::DoubleCheck | Tactic::EdgeAttack | Tactic::DanglingPawn | Tactic::JoiningPawn => {
                self.text(tactic.id(), &[])
            }
        }
    }

    fn fork(&self, squares: &[usize]) -> String {
        let pieces: Vec<String> = squares.iter().map(|&square| self.on(square)).collect();
        let [first, others @ .., last] = &pieces[..] else { return String::new() };
        let others = others.iter().fold(first.clone(), |all, piece| self.text("fork-more", &[&all, piece]));
        let besides: Vec<usize> =
            squares.iter().copied().filter(|&square| self.letter(square) != Some('K')).collect();
        let (name, besides) = match (self.is_shogi(), squares, &besides[..]) {
            (true, [_, _], [other]) => ("fork-check", self.after().piece_on(*other)),
            _ => ("fork", None),
        };
        let besides = besides.map_or(String::new(), |piece| self.name(piece));
        self.text(name, &[&others, last, &besides])
    }

    fn discovered(&self, from: usize, to: usize) -> String {
        if self.after().in_check() && self.letter(to) == Some('K') {
            return self.text("discovered-check", &[]);
        }
        let opened = self.after().piece_on(from).map_or(String::new(), |piece| self.name(piece));
        self.text("discovered-attack", &[&opened, &self.on(to)])
    }

    fn sacrifice(&self) -> String {
        let to = self.mv.to();
        let captured = if self.mv.is_drop() { None } else { self.pos.piece_on(to) };
        let name = self.after().piece_on(to).map_or(String::new(), |piece| self.name(piece));
        match captured {
            Some(captured) => self.text("sacrifice-for", &[&name, &self.named(captured, to)]),
            None => self.text("sacrifice", &[&name, &self.square(to)]),
        }
    }

    /// Returns whether a target is a pawn of shogi.
    fn is_pawn(&self, target: &Target) -> bool {
        self.is_shogi() && target.piece.letter == 'P' && !target.piece.promoted
    }

    /// Returns whether the move captures a lion.
    fn takes_lion(&self) -> bool {
        self.to().and_then(|to| self.pos.piece_on(to)).is_some_and(|piece| piece.letter == 'L')
    }

    /// The letter of the piece on a square after the move.
    fn letter(&self, square: usize) -> Option<char> {
        self.after().piece_on(square).map(|piece| piece.letter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::teach::Teacher;
    use crate::teach::teacher::Found;
    use sanban_rules::Rng;

    /// Every sentence about moves of random games of Dobutsu shogi.
    #[test]
    fn children_read_no_kanji() {
        let (mut rng, mut teacher, mut said) = (Rng::new(7), Teacher::default(), 0);
        for _ in 0..30 {
            let mut pos = AnyPosition::new(VariantId::Dobutsu);
            let mut previous = None;
            while let (Some(&mv), None) = (rng.pick(&pos.legal_moves()), pos.verdict()) {
                let mut after = pos.clone();
                after.play(mv);
                let answers = after.legal_moves();
                let (answer, best) = (rng.pick(&answers).copied(), rng.pick(&pos.legal_moves()).copied());
                let (answer, best) = (answer.as_slice(), best.as_slice());
                let found = Found { loss: 40.0, answer, best, mated: None, mates: None };
                let mut facts = teacher.merits(&pos, previous.as_ref(), mv);
                facts.extend(teacher.faults(&pos, mv, found));
                for fact in facts {
                    let text = sentence(&pos, mv, &fact, Language::Japanese);
                    assert!(!text.contains(|letter| ('\u{4e00}'..='\u{9fff}').contains(&letter)), "{text}");
                    said += 1;
                }
                previous = Some(std::mem::replace(&mut pos, after));
            }
        }
        assert!(said > 300, "only {said}");
    }
}
