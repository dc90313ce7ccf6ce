//! Turns facts into sentences in English, Japanese and Korean.

use super::facts::{Fact, Target};
use super::language::{Language, piece_name};
use super::names::Table;
use super::notation::{move_text, square_text};
use super::tactics::Tactic;
use sanban_engine::Game;
use sanban_rules::{Move, Position, SearchPosition, Square, Symbol};

use Language::{English, Japanese, Korean};

/// Maximum number of moves shown of a line.
const LINE: usize = 7;

/// Formats a fact about a move as a sentence. `pos` is the position before the move, `mv` the move.
pub fn sentence<G: Game>(pos: &G::Position, mv: Move, fact: &Fact, language: Language) -> String {
    let text = words(&Saying::<G> { pos, mv, language }, fact);
    // A shortened line already ends with an ellipsis.
    text.replace("….", "…").replace("…。", "…")
}

fn words<G: Game>(say: &Saying<G>, fact: &Fact) -> String {
    let (pos, language) = (say.pos, say.language);
    match fact {
        Fact::Ends => say.pick(["This ends the game.", "これで終局。", "이 수로 대국이 끝난다."]),
        Fact::Draws => {
            say.pick(["This ends the game in a draw.", "これで引き分け。", "이 수로 대국이 무승부로 끝난다."])
        }
        Fact::Loses => say.pick([
            "After this, the opponent wins by the rules.",
            "規定により相手の勝ちとなる。",
            "이 수 이후 상대가 규칙에 따라 이긴다.",
        ]),
        Fact::Mates { line } => {
            let text = say.line(pos, line);
            let n = line.len();
            match language {
                English => format!("Mates in {n}: {text}."),
                Japanese => format!("{n}手詰: {text}。"),
                Korean => format!("{n}수 만에 외통: {text}."),
            }
        }
        Fact::ThreatensMate { line } => {
            let text = say.line(&say.passed(), line);
            let n = line.len();
            match language {
                English => format!("Threatens mate in {n}: {text}."),
                Japanese => format!("{n}手詰の詰めろ: {text}。"),
                Korean => format!("{n}수 외통을 노린다: {text}."),
            }
        }
        Fact::Wins(target) => {
            let piece = say.piece(target);
            match language {
                English => format!("Wins material by taking the {piece}."),
                Japanese => format!("{piece}を取って駒得。"),
                Korean => format!("{piece} 잡아 이득을 본다.", piece = object(&piece)),
            }
        }
        Fact::Recaptures(target) => {
            let piece = say.piece(target);
            match language {
                English => format!("Recaptures the {piece}."),
                Japanese => format!("{piece}を取り返す。"),
                Korean => format!("{piece} 되잡는다.", piece = object(&piece)),
            }
        }
        Fact::Threatens { target, by } => {
            let (piece, text) = (say.piece(target), say.line(&say.passed(), &[*by]));
            match language {
                English => format!("Threatens to win the {piece} ({text})."),
                Japanese => format!("{piece}取りの狙い（{text}）。"),
                Korean => format!("{piece} 노린다({text}).", piece = object(&piece)),
            }
        }
        Fact::ThreatensPromotion { by, .. } => {
            let text = say.line(&say.passed(), &[*by]);
            match language {
                English => format!("Threatens to promote ({text})."),
                Japanese => format!("次に成り込む狙い（{text}）。"),
                Korean => format!("다음에 승격을 노린다({text})."),
            }
        }
        Fact::Saves(target) => {
            let piece = say.piece(target);
            match language {
                English => format!("Saves the {piece}, which was hanging."),
                Japanese => format!("取られそうだった{piece}を助ける。"),
                Korean => format!("잡힐 뻔한 {piece} 지킨다.", piece = object(&piece)),
            }
        }
        Fact::Tactic(tactic) => say.tactic(tactic),
        Fact::Missed { line } => {
            let (n, text) = (line.len(), say.line(pos, line));
            match language {
                English => format!("Misses a mate in {n}: {text}."),
                Japanese => format!("{n}手詰を逃した: {text}。"),
                Korean => format!("{n}수 외통을 놓쳤다: {text}."),
            }
        }
        Fact::AllowsMate { line } => {
            let (n, text) = (line.len(), say.line(&say.after(), line));
            match language {
                English => format!("Allows a mate in {n}: {text}."),
                Japanese => format!("{n}手詰を許す: {text}。"),
                Korean => format!("상대에게 {n}수 외통을 허용한다: {text}."),
            }
        }
        Fact::Hangs { target, by } => {
            let (piece, text) = (say.piece(target), say.line(&say.after(), &[*by]));
            match language {
                English => format!("Lets the opponent win the {piece} ({text})."),
                Japanese => format!("{piece}を取られて駒損（{text}）。"),
                Korean => format!("{piece} 잃는다({text}).", piece = object(&piece)),
            }
        }
        Fact::Refuted { line, best, loss } => {
            let (text, best) = (say.line(&say.after(), line), say.line(pos, best));
            match (language, best.is_empty()) {
                (English, true) => format!("The winning chances drop by {loss} points after {text}."),
                (English, false) => {
                    format!("The winning chances drop by {loss} points after {text}. Better: {best}.")
                }
                (Japanese, true) => format!("{text}で勝率が{loss}ポイント下がる。"),
                (Japanese, false) => format!("{text}で勝率が{loss}ポイント下がる。最善は{best}。"),
                (Korean, true) => format!("{text} 이후 승률이 {loss}%p 떨어진다."),
                (Korean, false) => format!("{text} 이후 승률이 {loss}%p 떨어진다. 최선의 수: {best}."),
            }
        }
    }
}

/// A fact being turned into a sentence.
struct Saying<'a, G: Game> {
    pos: &'a G::Position,
    mv: Move,
    language: Language,
}

impl<G: Game> Saying<'_, G> {
    fn pick(&self, texts: [&str; 3]) -> String {
        texts[self.language as usize].into()
    }

    /// The position after the move.
    fn after(&self) -> G::Position {
        let mut pos = self.pos.clone();
        pos.make(self.mv, &mut ());
        pos
    }

    /// The position after the move and a pass.
    fn passed(&self) -> G::Position {
        let mut pos = self.after();
        pos.make_null();
        pos
    }

    /// Formats the moves of a line from a position, shortened to `LINE` moves.
    fn line(&self, pos: &G::Position, line: &[Move]) -> String {
        let mut pos = pos.clone();
        let mut out = Vec::new();
        for &mv in line.iter().take(LINE) {
            if !pos.is_legal(mv) {
                break;
            }
            out.push(move_text::<G>(&pos, mv, self.language));
            pos.make(mv, &mut ());
        }
        if line.len() > LINE {
            out.push("…".into());
        }
        out.join(if self.language == Japanese { "" } else { " " })
    }

    /// Formats a piece on a square: `silver on 5f`, `５六の銀`, `56의 은`.
    fn piece(&self, target: &Target) -> String {
        self.named(target.piece, target.square)
    }

    fn named(&self, piece: Symbol, square: usize) -> String {
        let name = piece_name(G::NAME, piece, self.language);
        let square = square_text::<G>(square, self.language);
        match self.language {
            English => format!("{name} on {square}"),
            Japanese => format!("{square}の{name}"),
            Korean => format!("{square}의 {name}"),
        }
    }

    /// The piece on a square after the move.
    fn on(&self, square: usize) -> String {
        let pos = self.after();
        match pos.piece_at(Square::at(square, G::Position::RANKS)) {
            Some(piece) => self.named(piece, square),
            None => square_text::<G>(square, self.language),
        }
    }

    fn tactic(&self, tactic: &Tactic) -> String {
        if let Tactic::Discovered { to, .. } = tactic
            && self.after().in_check()
            && self
                .after()
                .piece_at(Square::at(*to, G::Position::RANKS))
                .is_some_and(|piece| piece.letter == 'K')
        {
            return self.pick(["Discovered check.", "開き王手。", "열린 장군."]);
        }
        let name = Table::built_in().get(tactic.id());
        let name = name.map_or(tactic.id(), |name| name.text(self.language.code()));
        let detail = match tactic {
            Tactic::Fork { squares } => {
                let pieces: Vec<String> = squares.iter().map(|&square| self.on(square)).collect();
                match &pieces[..] {
                    [others @ .., last] if self.language == English && !others.is_empty() => {
                        format!("{} and {last}", others.join(", "))
                    }
                    _ => pieces.join(self.and()),
                }
            }
            Tactic::Pin { square } => self.on(*square),
            Tactic::Skewer { front, back } => [self.on(*front), self.on(*back)].join(self.and()),
            Tactic::Discovered { to, .. } => self.on(*to),
            Tactic::Sacrifice { .. } => self.on(self.mv.to()),
            Tactic::DoubleCheck | Tactic::EdgeAttack | Tactic::DanglingPawn | Tactic::JoiningPawn => {
                String::new()
            }
        };
        // The table has no Korean names.
        let name = if self.language == Korean { korean_tactic(tactic) } else { name };
        let name = match self.language {
            English => capital(name),
            _ => name.into(),
        };
        match (self.language, detail.is_empty()) {
            (Japanese, true) => format!("{name}。"),
            (Japanese, false) => format!("{name}: {detail}。"),
            (_, true) => format!("{name}."),
            (_, false) => format!("{name}: {detail}."),
        }
    }

    const fn and(&self) -> &'static str {
        match self.language {
            English => " and ",
            Japanese => "と",
            Korean => ", ",
        }
    }
}

const fn korean_tactic(tactic: &Tactic) -> &'static str {
    match tactic {
        Tactic::Fork { .. } => "양수걸이",
        Tactic::Pin { .. } => "묶기",
        Tactic::Skewer { .. } => "꿰기",
        Tactic::Discovered { .. } => "길 열기 공격",
        Tactic::DoubleCheck => "양수겸장",
        Tactic::Sacrifice { .. } => "희생수",
        Tactic::EdgeAttack => "변 공격",
        Tactic::DanglingPawn => "늘어뜨린 보",
        Tactic::JoiningPawn => "이음 보",
    }
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// The word with its object particle: 을 after a final consonant, 를 otherwise.
fn object(word: &str) -> String {
    let last = word.chars().next_back().map_or(0, u32::from);
    let closed = (0xAC00..=0xD7A3).contains(&last) && !(last - 0xAC00).is_multiple_of(28);
    format!("{word}{}", if closed { "을" } else { "를" })
}

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn particles_follow_the_last_syllable() {
        assert_eq!(object("56의 은"), "56의 은을");
        assert_eq!(object("28의 비차"), "28의 비차를");
    }
}
