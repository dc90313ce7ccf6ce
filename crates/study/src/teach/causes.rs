//! Sentences about what lines of the search gain, why they can, and what the better move does about it.

use super::gain::{Cause, Fall, Placed, Price, Remedy, Target};
use super::korean::{object, subject, with};
use super::language::Language::{English, Japanese, Korean};
use super::words::Saying;
use sanban_rules::Move;

impl Saying<'_> {
    /// What the opponent gains after the move.
    pub(super) fn falls(&self, fall: &Fall) -> String {
        let text = self.line(&self.after(), self.to(), &fall.line);
        let piece = self.piece(&fall.target);
        let told = match (self.language, fall.promotes, fall.price) {
            (English, true, _) => format!("Lets the opponent promote ({text})"),
            (Japanese, true, _) => format!("成り込まれる（{text}）"),
            (Korean, true, _) => format!("상대에게 승격을 허용한다({text})"),
            (English, false, Price::Nothing) => format!("Lets the opponent win the {piece} ({text})"),
            (Japanese, false, Price::Nothing) => format!("{piece}を取られて駒損（{text}）"),
            (Korean, false, Price::Nothing) => format!("{} 잃는다({text})", object(&piece)),
            (English, false, Price::Piece(own)) => {
                format!("Loses the {piece} for a {} ({text})", self.name(own))
            }
            (Japanese, false, Price::Piece(own)) => {
                format!("{piece}を{}と引き換えに取られて駒損（{text}）", self.name(own))
            }
            (Korean, false, Price::Piece(own)) => {
                format!("{} {} 바꾸어 손해를 본다({text})", object(&piece), with(self.name(own)))
            }
            (English, false, Price::Later) => {
                format!("Loses the {piece}, and material in the exchanges, with {text}")
            }
            (Japanese, false, Price::Later) => format!("{text}と{piece}を取られ、駒の取り合いで駒損"),
            (Korean, false, Price::Later) => {
                format!("{} 잃고 교환에서 손해를 본다({text})", object(&piece))
            }
        };
        self.with_cause(told, fall)
    }

    /// What the better move would have gained.
    pub(super) fn misses(&self, fall: &Fall) -> String {
        let text = self.line(self.pos, self.last(), &fall.line);
        let piece = self.piece(&fall.target);
        let told = match (self.language, fall.promotes, fall.price) {
            (English, true, _) => format!("Misses {text}, which promotes"),
            (Japanese, true, _) => format!("{text}と成り込む手を逃した"),
            (Korean, true, _) => format!("{text} 수순의 승격을 놓쳤다"),
            (English, false, Price::Later) => {
                format!("Misses {text}, which takes the {piece} and wins material in the exchanges")
            }
            (Japanese, false, Price::Later) => format!("{text}と{piece}を取り、取り合いで駒得する順を逃した"),
            (Korean, false, Price::Later) => {
                format!("{text} 수순으로 {} 잡아 교환에서 이득을 볼 기회를 놓쳤다", object(&piece))
            }
            (English, false, Price::Piece(own)) => {
                format!("Misses {text}, which wins the {piece} for a {}", self.name(own))
            }
            (Japanese, false, Price::Piece(own)) => {
                format!("{text}で{piece}を{}と引き換えに取る順を逃した", self.name(own))
            }
            (Korean, false, Price::Piece(own)) => {
                format!("{text} 수순으로 {} {} 바꿀 기회를 놓쳤다", object(&piece), with(self.name(own)))
            }
            (English, false, Price::Nothing) => format!("Misses {text}, which wins the {piece}"),
            (Japanese, false, Price::Nothing) => format!("{text}で{piece}を取る順を逃した"),
            (Korean, false, Price::Nothing) => {
                format!("{text} 수순으로 {} 잡을 기회를 놓쳤다", object(&piece))
            }
        };
        self.with_cause(told, fall)
    }

    fn with_cause(&self, told: String, fall: &Fall) -> String {
        let cause = fall.cause.as_ref().map(|cause| self.cause(cause));
        match (self.language, cause) {
            (English, None) => format!("{told}."),
            (English, Some(cause)) => format!("{told}: {cause}."),
            (Japanese, None) => format!("{told}。"),
            (Japanese, Some(cause)) => format!("{told}。{cause}。"),
            (Korean, None) => format!("{told}."),
            (Korean, Some(cause)) => format!("{told}. {cause}."),
        }
    }

    fn placed(&self, (piece, square): &Placed) -> String {
        self.piece(&Target { piece: *piece, square: *square, gain: 0 })
    }

    fn cause(&self, cause: &Cause) -> String {
        let own = |texts: [&str; 3]| self.pick(texts);
        let language = self.language;
        match cause {
            Cause::Placed => own([
                "it can be captured there",
                "取られる所に進めた駒である",
                "상대가 잡을 수 있는 곳에 둔 말이다",
            ]),
            Cause::Ignored => {
                own(["this was already threatened", "前から狙われていた", "이미 노려지고 있었다"])
            }
            Cause::Unguarded(piece) => {
                let name = self.name(*piece);
                match language {
                    English => format!("the {name} no longer protects it"),
                    Japanese => format!("{name}が動いて守りが外れた"),
                    Korean => format!("{} 움직여 보호가 풀렸다", subject(name)),
                }
            }
            Cause::Blocked(piece) => {
                let name = self.name(*piece);
                match language {
                    English => format!("the move closes the line of the {name} that protected it"),
                    Japanese => format!("守っていた{name}の利きを止めた"),
                    Korean => format!("지키던 {name}의 길을 막았다"),
                }
            }
            Cause::Opened(piece) => {
                let name = self.name(*piece);
                match language {
                    English => format!("the move opens the line of the {name}"),
                    Japanese => format!("相手の{name}の利きを通した"),
                    Korean => format!("상대 {name}의 길을 열어 주었다"),
                }
            }
            Cause::Pinned(placed) => {
                let piece = self.placed(placed);
                match language {
                    English => format!("the {piece} may not take back, since that would expose the king"),
                    Japanese => format!("{piece}は動くと王手になるので取り返せない"),
                    Korean => format!("{} 움직이면 왕이 위험해 되잡지 못한다", subject(&piece)),
                }
            }
            Cause::Fork(by, pieces) => {
                let pieces: Vec<String> = pieces.iter().map(|placed| self.placed(placed)).collect();
                let name = self.name(*by);
                match language {
                    English => format!("the {name} forks the {}", pieces.join(" and the ")),
                    Japanese => format!("{name}による{}の両取り", pieces.join("と")),
                    Korean => format!("{} {} 동시에 노린다", subject(name), object(&pieces.join(", "))),
                }
            }
            Cause::Check => own(["a check comes first", "先に王手が入る", "장군이 먼저 걸린다"]),
            Cause::MateThreat => {
                own(["a threat of mate comes first", "先に詰めろがかかる", "외통 위협이 먼저 걸린다"])
            }
            Cause::Discovered(piece) => {
                let name = self.name(*piece);
                match language {
                    English => format!("the line of the {name} is opened with a discovered attack"),
                    Japanese => format!("{name}の利きが通る"),
                    Korean => format!("{name}의 길이 열린다"),
                }
            }
            Cause::GuardTaken(placed) => {
                let piece = self.placed(placed);
                match language {
                    English => format!("the {piece}, which protected it, is taken first"),
                    Japanese => format!("守っていた{piece}が先に取られる"),
                    Korean => format!("지키던 {} 먼저 잡힌다", subject(&piece)),
                }
            }
            Cause::Deflected(piece) => {
                let name = self.name(*piece);
                match language {
                    English => format!("the {name} that protected it has to move away first"),
                    Japanese => format!("守っていた{name}が先に動かされる"),
                    Korean => format!("지키던 {} 먼저 움직여야 한다", subject(name)),
                }
            }
            Cause::Pin => own([
                "it is pinned to its line",
                "後ろの駒があって動けない",
                "뒤의 말 때문에 움직이지 못한다",
            ]),
            Cause::Trapped => own(["it has no safe square", "逃げ場がない", "달아날 곳이 없다"]),
            Cause::Attacked => own(["it is attacked first", "先に当たりをかけられる", "먼저 공격받는다"]),
            Cause::Loose => own(["nothing protects it", "紐が付いていない", "지키는 말이 없다"]),
            Cause::Unstoppable => {
                own(["no reply prevents it", "どう応じても防げない", "어떻게 두어도 막을 수 없다"])
            }
        }
    }

    /// What the better move does about the gain that follows the move `instead`.
    pub(super) fn remedy(&self, remedy: &Remedy, line: &[Move], fall: &Fall, instead: Move) -> String {
        let other = Saying { pos: self.pos, mv: instead, language: self.language };
        let answer = other.line(&other.after(), other.to(), &fall.line[..1]);
        let language = self.language;
        match remedy {
            Remedy::Takes(placed) => {
                let piece = self.placed(placed);
                match language {
                    English => format!("Takes the {piece}, so that it cannot capture."),
                    Japanese => format!("攻めている{piece}を先に取る。"),
                    Korean => format!("공격하는 {} 먼저 잡는다.", object(&piece)),
                }
            }
            Remedy::Leaves(piece) => {
                let name = self.name(*piece);
                match language {
                    English => format!("Moves the {name} out of danger."),
                    Japanese => format!("{name}を安全な所に動かす。"),
                    Korean => format!("{} 안전한 곳으로 옮긴다.", object(name)),
                }
            }
            Remedy::Prevents => match language {
                English => format!("Makes {answer} impossible."),
                Japanese => format!("{answer}の余地をなくす。"),
                Korean => format!("{} 둘 수 없게 한다.", object(&answer)),
            },
            Remedy::Guards(placed) => {
                let piece = self.placed(placed);
                match language {
                    English => format!("Protects the {piece}."),
                    Japanese => format!("{piece}を守る。"),
                    Korean => format!("{} 지킨다.", object(&piece)),
                }
            }
            Remedy::Defuses => match language {
                English => format!("After it, {answer} wins nothing."),
                Japanese => format!("これなら{answer}は怖くない。"),
                Korean => format!("이 수라면 {answer}에 손해가 없다."),
            },
            Remedy::Avoids => {
                let text = self.line(self.pos, self.last(), line);
                match language {
                    English => format!("The loss does not happen after {text}."),
                    Japanese => format!("{text}と進めばこの損はない。"),
                    Korean => format!("{text} 수순이라면 이 손해가 없다."),
                }
            }
        }
    }
}
