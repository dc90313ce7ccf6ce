//! Turns facts into sentences in English, Japanese and Korean.

use super::facts::Fact;
use super::gain::Target;
use super::korean::{object, subject, with};
use super::language::{Language, piece_name};
use super::notation::{move_text, square_text};
use super::tactics::Tactic;
use sanban_rules::{AnyPosition, Move, Symbol, VariantId};

use Language::{English, Japanese, Korean};

/// Maximum number of moves shown of a line.
const LINE: usize = 7;

/// Formats a fact about a move as a sentence. `pos` is the position before the move, `mv` the move.
pub fn sentence(pos: &AnyPosition, mv: Move, fact: &Fact, language: Language) -> String {
    let text = words(&Saying { pos, mv, language }, fact);
    // A shortened line already ends with an ellipsis.
    text.replace("….", "…").replace("…。", "…")
}

fn words(say: &Saying, fact: &Fact) -> String {
    let (pos, language) = (say.pos, say.language);
    match fact {
        Fact::Ends if say.after().in_check() && !say.is_dobutsu() => {
            say.pick(["Checkmate.", "これで詰み。", "외통."])
        }
        Fact::Ends if say.is_dobutsu() && say.takes_lion() => {
            say.pick(["Captures the lion.", "ライオンを取って勝ち。", "왕을 잡아 이긴다."])
        }
        Fact::Ends if say.is_dobutsu() && say.to().and_then(|to| say.letter(to)) == Some('L') => say.pick([
            "The lion has reached the last row.",
            "ライオンのトライで勝ち。",
            "왕이 마지막 줄에 들어가 이긴다.",
        ]),
        Fact::Ends => say.pick(["This wins the game.", "これで勝ち。", "이 수로 이긴다."]),
        // In shogi, only a repetition ends the game in a draw or in a loss for the side that gave check.
        Fact::Draws if say.is_shogi() => say.pick([
            "Fourfold repetition: a draw.",
            "千日手が成立して引き分け。",
            "같은 국면이 네 번 나와 무승부가 된다.",
        ]),
        Fact::Draws => {
            say.pick(["This ends the game in a draw.", "これで引き分け。", "이 수로 대국이 무승부로 끝난다."])
        }
        Fact::Loses if say.is_shogi() => say.pick([
            "Perpetual check: the side that gives check loses.",
            "連続王手の千日手で負け。",
            "연속 장군의 반복으로 패한다.",
        ]),
        Fact::Loses => say.pick([
            "After this, the opponent wins by the rules.",
            "規定により相手の勝ちとなる。",
            "이 수 이후 상대가 규칙에 따라 이긴다.",
        ]),
        Fact::Mates { line } => {
            let text = say.line(pos, say.last(), line);
            let n = line.len();
            match language {
                English => format!("Mates in {n}: {text}."),
                Japanese => format!("{n}手詰: {text}。"),
                Korean => format!("{n}수 만에 외통: {text}."),
            }
        }
        Fact::ThreatensMate { line } => {
            let text = say.line(&say.passed(), None, line);
            match (language, line.len()) {
                (English, n) => format!("Threatens mate in {n}: {text}."),
                (Japanese, 1) => format!("詰めろ（{text}まで）。"),
                (Japanese, n) => format!("{n}手詰の詰めろ（{text}）。"),
                (Korean, n) => format!("{n}수 외통을 노린다: {text}."),
            }
        }
        Fact::ParriesMate { line } => {
            let text = say.line(&say.passed_before(), None, &line[..1]);
            match language {
                English => format!("Defends against mate ({text})."),
                Japanese => format!("詰めろ（{text}）を受ける。"),
                Korean => format!("외통({text})을 막는다."),
            }
        }
        Fact::SeesMate { plies } => match language {
            English => format!("The engine sees a mate in {plies}."),
            Japanese => format!("エンジンは{plies}手詰と読んでいる。"),
            Korean => format!("엔진은 {plies}수 외통으로 본다."),
        },
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
        Fact::Accepts(target) => {
            let piece = say.piece(target);
            match language {
                English => format!("Takes the {piece}, which was offered."),
                Japanese => format!("相手が差し出した{piece}を取る。"),
                Korean => format!("상대가 내준 {piece} 잡는다.", piece = object(&piece)),
            }
        }
        Fact::Exchanges { own, target } => say.exchange(*own, target),
        Fact::Promotes(target) => {
            let (name, square) = (say.name(target.piece), say.square(target.square));
            match language {
                English => format!("Makes a {name} on {square}."),
                Japanese => format!("{square}に{name}を作る。"),
                Korean => format!("{square}에 {name} 만든다.", name = object(name)),
            }
        }
        Fact::Threatens { target, by } => {
            let (piece, text) = (say.piece(target), say.line(&say.passed(), None, &[*by]));
            match language {
                English => format!("Threatens to win the {piece} ({text})."),
                Japanese => format!("{piece}取りの狙い（{text}）。"),
                Korean => format!("{piece} 노린다({text}).", piece = object(&piece)),
            }
        }
        Fact::ThreatensPromotion { by, .. } => {
            let text = say.line(&say.passed(), None, &[*by]);
            match language {
                English => format!("Threatens to promote ({text})."),
                Japanese => format!("次に成る狙い（{text}）。"),
                Korean => format!("다음에 승격을 노린다({text})."),
            }
        }
        Fact::Saves { target, by } => say.saving(target, *by),
        Fact::Tactic(tactic) => say.tactic(tactic),
        Fact::Missed { line } => {
            let (n, text) = (line.len(), say.line(pos, say.last(), line));
            match language {
                English => format!("Misses a mate in {n}: {text}."),
                Japanese => format!("{n}手詰を逃した: {text}。"),
                Korean => format!("{n}수 외통을 놓쳤다: {text}."),
            }
        }
        Fact::Slower { line } => {
            let (n, text) = (line.len(), say.line(pos, say.last(), line));
            match language {
                English => format!("There was a shorter mate, in {n}: {text}."),
                Japanese => format!("もっと早い{n}手詰があった: {text}。"),
                Korean => format!("더 빠른 {n}수 외통이 있었다: {text}."),
            }
        }
        Fact::AllowsMate { line } => {
            let (n, text) = (line.len(), say.line(&say.after(), say.to(), line));
            match language {
                English => format!("Allows a mate in {n}: {text}."),
                Japanese => format!("{n}手詰を許す: {text}。"),
                Korean => format!("상대에게 {n}수 외통을 허용한다: {text}."),
            }
        }
        Fact::Hangs { target, by } => {
            let (piece, text) = (say.piece(target), say.line(&say.after(), say.to(), &[*by]));
            let lion = say.is_dobutsu() && target.piece.letter == 'L';
            if say.is_pawn(target) && by.is_promotion() {
                return match language {
                    English => format!("Lets the opponent promote ({text})."),
                    Japanese => format!("成り込まれる（{text}）。"),
                    Korean => format!("상대에게 승격을 허용한다({text})."),
                };
            }
            match (language, lion) {
                (English, true) => format!("Leaves the {piece} to be captured ({text})."),
                (Japanese, true) => format!("{piece}を取られて負け（{text}）。"),
                (Korean, true) => format!("{piece} 잡혀서 진다({text}).", piece = subject(&piece)),
                (English, false) => format!("Lets the opponent win the {piece} ({text})."),
                (Japanese, false) => format!("{piece}を取られて駒損（{text}）。"),
                (Korean, false) => format!("{piece} 잃는다({text}).", piece = object(&piece)),
            }
        }
        Fact::Allows { line, merit } => {
            let after = say.after();
            let text = say.line(&after, say.to(), &line[..1]);
            let merit = words(&Saying { pos: &after, mv: line[0], language }, merit);
            match language {
                English => format!("Allows {text}: {}", uncapital(&merit)),
                Japanese => format!("{text}を許す。{merit}"),
                Korean => format!("{} 허용한다. {merit}", object(&text)),
            }
        }
        Fact::Preferred { line } => {
            let text = say.line(pos, say.last(), without_last_captures(pos, line));
            match language {
                English => format!("The engine prefers {text}."),
                Japanese => format!("エンジンの推奨は{text}。"),
                Korean => format!("엔진의 추천: {text}."),
            }
        }
        Fact::Refuted { line, best, loss } => {
            let after = say.after();
            let line = without_last_captures(&after, line);
            let best = without_last_captures(pos, best);
            let (text, best) = (say.line(&after, say.to(), line), say.line(pos, say.last(), best));
            let costs = match language {
                English => {
                    format!("No single gain: after {text} the winning chances are {loss} points lower.")
                }
                Japanese => format!("一手で決まる損はないが、{text}と進むと勝率が{loss}ポイント低い。"),
                Korean => format!("한 수로 드러나는 손해는 없지만, {text} 다음에는 승률이 {loss}%p 낮다."),
            };
            match (language, best.is_empty()) {
                (_, true) => costs,
                (English, false) => format!("{costs} Better: {best}."),
                (Japanese, false) => format!("{costs}最善は{best}。"),
                (Korean, false) => format!("{costs} 최선의 수: {best}."),
            }
        }
        Fact::Close { line } => {
            let text = say.line(pos, say.last(), without_last_captures(pos, line));
            match language {
                English => format!("A longer search finds this nearly as good as {text}."),
                Japanese => format!("深く読むと{text}と大差ない。"),
                Korean => format!("더 깊이 읽으면 {text} 이하의 수순과 큰 차이가 없다."),
            }
        }
        Fact::Falls(fall) => say.falls(fall),
        Fact::MissesGain(fall) => say.misses(fall),
        Fact::Remedy { remedy, line, fall, instead } => say.remedy(remedy, line, fall, *instead),
        Fact::AllowsSeenMate { plies, line } => {
            let text = say.line(&say.after(), say.to(), line);
            match language {
                English => format!("Allows a mate that the engine sees, in {plies}: {text}."),
                Japanese => format!("エンジンの読みでは{plies}手で詰まされる: {text}。"),
                Korean => format!("엔진이 보기에 {plies}수 외통을 허용한다: {text}."),
            }
        }
        Fact::MissesSeenMate { plies, line } => {
            let text = say.line(pos, say.last(), line);
            match language {
                English => format!("Misses a mate that the engine sees, in {plies}: {text}."),
                Japanese => format!("エンジンの読みでは{plies}手で詰ませられた: {text}。"),
                Korean => format!("엔진이 본 {plies}수 외통을 놓쳤다: {text}."),
            }
        }
        Fact::ExposesKing { line } => {
            let text = say.line(&say.after(), say.to(), line);
            match language {
                English => format!("Exposes the king to repeated checks: {text}."),
                Japanese => format!("玉が{text}と王手で追われる。"),
                Korean => format!("왕이 거듭 장군에 몰린다: {text}."),
            }
        }
        Fact::AvoidsMate => say.pick([
            "After it, the engine sees no mate.",
            "これなら詰まされない。",
            "이 수라면 엔진이 보기에 외통이 없다.",
        ]),
        Fact::Spoils { from, to, keeps } => {
            let keeps = say.line(pos, say.last(), &[*keeps]);
            let value = |value: u8| match language {
                English => ["lost", "a draw", "won"][usize::from(value)],
                Japanese => ["負け", "引き分け", "勝ち"][usize::from(value)],
                Korean => ["패배", "무승부", "승리"][usize::from(value)],
            };
            let (from, to) = (value(*from), value(*to));
            match language {
                English => format!("The game was {from} with {keeps}; now it is {to}."),
                Japanese => format!("{keeps}なら{from}だったが、これで{to}になる。"),
                Korean => format!("{} 두었으면 {from}였지만, 이제 {to}가 된다.", object(&keeps)),
            }
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

    pub(super) fn name(&self, piece: Symbol) -> &'static str {
        piece_name(self.pos.variant(), piece, self.language)
    }

    pub(super) fn square(&self, square: usize) -> String {
        square_text(self.pos, square, self.language)
    }

    pub(super) fn pick(&self, texts: [&str; 3]) -> String {
        texts[self.language as usize].into()
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
        out.join(if self.language == Japanese { "" } else { " " })
    }

    /// Formats a piece on a square: `silver on 5f`, `５六の銀`, `56의 은`.
    pub(super) fn piece(&self, target: &Target) -> String {
        self.named(target.piece, target.square)
    }

    pub(super) fn named(&self, piece: Symbol, square: usize) -> String {
        let name = self.name(piece);
        let square = self.square(square);
        match self.language {
            English => format!("{name} on {square}"),
            Japanese => format!("{square}の{name}"),
            Korean => format!("{square}의 {name}"),
        }
    }

    /// The exchange that a capture begins.
    fn exchange(&self, own: Symbol, target: &Target) -> String {
        let name = self.name(Symbol { promoted: false, ..own });
        if own.letter == target.piece.letter {
            return match self.language {
                English => format!("Exchanges {name}s."),
                Japanese => format!("{name}交換。"),
                Korean => format!("{} 맞바꾼다.", object(name)),
            };
        }
        let (name, piece) = (self.name(own), self.piece(target));
        match self.language {
            English => format!("Exchanges the {name} for the {piece}."),
            Japanese => format!("{name}と{piece}を交換する。"),
            Korean => format!("{name} {piece} 맞바꾼다.", name = with(name), piece = object(&piece)),
        }
    }

    /// How the move saves a piece from a capture.
    fn saving(&self, target: &Target, by: Move) -> String {
        let piece = self.piece(target);
        let takes = self.to() == Some(by.from()) && !by.is_drop();
        if !takes && !self.mv.is_drop() && self.mv.from() == target.square {
            let name = self.name(target.piece);
            return match self.language {
                English => format!("Moves the {name} to safety."),
                Japanese => format!("{name}取りをかわす。"),
                Korean => format!("위협받던 {name} 피한다.", name = subject(name)),
            };
        }
        if takes {
            let attacker = self.pos.piece_on(by.from());
            let attacker = attacker.map_or("", |piece| self.name(piece));
            return match self.language {
                English => format!("Takes the {attacker} that attacked the {piece}."),
                Japanese => format!("{piece}取りの{attacker}を取る。"),
                Korean => format!("{piece} 위협하던 {} 잡는다.", object(attacker), piece = object(&piece)),
            };
        }
        let text = self.line(&self.passed_before(), None, &[by]);
        match (self.language, self.is_pawn(target)) {
            (English, true) => format!("Prevents {text}."),
            (Japanese, true) => format!("{text}を防ぐ。"),
            (Korean, true) => format!("{} 막는다.", object(&text)),
            (English, false) => format!("Prevents {text}, which would win the {piece}."),
            (Japanese, false) => format!("{piece}取り（{text}）を受ける。"),
            (Korean, false) => format!("{text} 위협에서 {piece} 지킨다.", piece = object(&piece)),
        }
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
            Tactic::Pin { square, back } => {
                let (piece, back) = (self.on(*square), self.on(*back));
                match self.language {
                    English => format!("Pins the {piece} to the {back}."),
                    Japanese => format!("{back}の前の{piece}を動けなくする。"),
                    Korean => format!("{back} 앞의 {piece} 묶는다.", piece = object(&piece)),
                }
            }
            Tactic::Skewer { front, back } => {
                let name = if self.letter(self.mv.to()) == Some('L') { "田楽刺し" } else { "串刺し" };
                let (front, back) = (self.on(*front), self.on(*back));
                match self.language {
                    English => format!("Skewers the {front} and the {back}."),
                    Japanese => format!("{front}と{back}の{name}。"),
                    Korean => format!("{} {} 꿰뚫어 노린다.", with(&front), object(&back)),
                }
            }
            Tactic::Discovered { from, to } => self.discovered(*from, *to),
            Tactic::Sacrifice { .. } => self.sacrifice(),
            Tactic::DoubleCheck => self.pick(["Double check.", "両王手。", "양수겸장."]),
            Tactic::EdgeAttack => self.pick(["Attacks on the edge.", "端攻め。", "끝줄을 공격한다."]),
            Tactic::DanglingPawn => self.pick([
                "Dangling pawn: threatens to promote.",
                "垂れ歩（次に成る狙い）。",
                "다음에 승격하려고 보병을 놓는다(늘어뜨린 보).",
            ]),
            Tactic::JoiningPawn => self.pick([
                "Joining pawn: offers a second pawn to open the file.",
                "継ぎ歩。",
                "줄을 열려고 보병을 또 내준다(이음 보).",
            ]),
        }
    }

    fn fork(&self, squares: &[usize]) -> String {
        let pieces: Vec<String> = squares.iter().map(|&square| self.on(square)).collect();
        let [others @ .., last] = &pieces[..] else { return String::new() };
        match self.language {
            English => {
                let others: Vec<String> = others.iter().map(|piece| format!("the {piece}")).collect();
                format!("Forks {} and the {last}.", others.join(", "))
            }
            Japanese => {
                let mut others = squares.iter().filter(|&&square| self.letter(square) != Some('K'));
                if let (true, [_, _], Some(&other), None) =
                    (self.is_shogi(), squares, others.next(), others.next())
                {
                    let piece = self.after().piece_on(other);
                    let name = piece.map_or("", |piece| self.name(piece));
                    return format!("王手{name}取り。");
                }
                format!("{}の両取り。", pieces.join("と"))
            }
            Korean => format!("{}, {} 동시에 노린다.", others.join(", "), object(last)),
        }
    }

    fn discovered(&self, from: usize, to: usize) -> String {
        if self.after().in_check() && self.letter(to) == Some('K') {
            return self.pick(["Discovered check.", "空き王手。", "뜰장군."]);
        }
        let piece = self.on(to);
        let opened = self.after().piece_on(from);
        let opened = opened.map_or("", |piece| self.name(piece));
        match self.language {
            English => format!("Discovered attack by the {opened} on the {piece}."),
            Japanese => format!("{opened}の利きを通して{piece}取り。"),
            Korean => format!("{opened}의 길을 열어 {piece} 노린다.", piece = object(&piece)),
        }
    }

    fn sacrifice(&self) -> String {
        let captured = match self.mv.is_drop() {
            true => None,
            false => self.pos.piece_on(self.mv.to()),
        };
        let moved = self.after().piece_on(self.mv.to());
        let name = moved.map_or("", |piece| self.name(piece));
        if let Some(captured) = captured {
            let captured = self.named(captured, self.mv.to());
            return match self.language {
                English => format!("Gives up the {name} for the {captured}."),
                Japanese => format!("{name}を捨てて{captured}を取る。"),
                Korean => format!("{} 내주고 {} 잡는다.", object(name), object(&captured)),
            };
        }
        let square = self.square(self.mv.to());
        match self.language {
            English => format!("Sacrifices the {name} on {square}."),
            Japanese => format!("{square}に{name}を捨てる。"),
            Korean => format!("{square}에서 {} 희생한다.", object(name)),
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

/// The text with a small first letter.
fn uncapital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_lowercase().chain(chars).collect())
}
