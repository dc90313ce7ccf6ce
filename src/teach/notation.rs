//! Moves and squares in the usual notation of each language. The board's page uses the same notation
//! (`web/notation.js`), which gives the square of origin for shogi in English and Japanese, too.

use super::language::{Language, piece_name};
use Language::{English, Japanese};
use sanban_engine::Game;
use sanban_formats::record::{Board, ki2_text, mark, western_text};
use sanban_rules::{Color, Move, Position, SearchPosition, Square, Symbol, UsiMove};

/// Formats a playable move: `P-7f` or `soldier 7g-7f` in English, `▲２四歩` or `７六卒(77)` in Japanese, `79졸78` or
/// `24보(25)` in Korean. `last`: the destination of the last move, which Japanese notation does not repeat (`△同歩`).
pub fn move_text<G: Game>(pos: &G::Position, mv: Move, last: Option<usize>, language: Language) -> String {
    if mv.is_pass() {
        return ["pass", "パス", "한수쉼"][language as usize].into();
    }
    let usi = || G::Position::usi(mv);
    if G::NAME == "shogi" && language != Language::Korean {
        let Ok(board) = Board::from_sfen(&pos.sfen()) else { return usi() };
        let text = if language == Japanese { ki2_text(&board, mv) } else { western_text(&board, mv) };
        let text = text.unwrap_or_else(|_| usi());
        return if language == Japanese && last == Some(mv.to()) { same_square(&text) } else { text };
    }
    match language {
        English => english::<G>(pos, mv),
        Japanese => japanese::<G>(pos, mv),
        Language::Korean => korean::<G>(pos, mv),
    }
}

/// Formats a square: `5f`, `５六`, `56`. Korean Janggi records give the rank before the file, and number the files from
/// the left.
pub fn square_text<G: Game>(square: usize, language: Language) -> String {
    text_of::<G>(Square::at(square, G::Position::RANKS), language)
}

fn text_of<G: Game>(square: Square, language: Language) -> String {
    const FILES: [char; 9] = ['１', '２', '３', '４', '５', '６', '７', '８', '９'];
    const RANKS: [char; 10] = ['一', '二', '三', '四', '五', '六', '七', '八', '九', '十'];
    let (file, rank) = (usize::from(square.file), rank_of(square));
    match language {
        English => square.to_string(),
        Japanese => format!("{}{}", FILES[file - 1], RANKS[rank - 1]),
        Language::Korean if is_janggi::<G>() => format!("{}{}", rank % 10, 10 - file),
        Language::Korean => format!("{file}{rank}"),
    }
}

/// The number of the rank, from 1.
fn rank_of(square: Square) -> usize {
    square.rank as usize - usize::from(b'a') + 1
}

fn is_janggi<G: Game>() -> bool {
    G::NAME.starts_with("janggi")
}

/// The piece that moves.
fn mover<G: Game>(pos: &G::Position, mv: UsiMove) -> Symbol {
    let dropped = |letter| Symbol { color: pos.side(), letter, promoted: false };
    match mv {
        UsiMove::Board { from, .. } => pos.piece_at(from).unwrap_or(dropped('P')),
        UsiMove::Drop { piece, .. } => dropped(piece),
    }
}

/// A shogi move to the square of the last move: `△同銀` instead of `△２八銀`.
fn same_square(text: &str) -> String {
    let mut chars = text.chars();
    let sign = chars.next();
    sign.into_iter().chain(['同']).chain(chars.skip(2)).collect()
}

fn english<G: Game>(pos: &G::Position, mv: Move) -> String {
    let way = if pos.victim(mv) > 0 { 'x' } else { '-' };
    let mv = G::Position::notation(mv);
    let name = piece_name(G::NAME, mover::<G>(pos, mv), English);
    match mv {
        UsiMove::Drop { to, .. } => format!("{name} * {to}"),
        UsiMove::Board { from, to, promotion } => {
            format!("{name} {from}{way}{to}{}", if promotion { "+" } else { "" })
        }
    }
}

fn japanese<G: Game>(pos: &G::Position, mv: Move) -> String {
    let mv = G::Position::notation(mv);
    let name = piece_name(G::NAME, mover::<G>(pos, mv), Japanese);
    let sign = if is_janggi::<G>() { String::new() } else { mark(pos.side()).to_string() };
    let square = |square| text_of::<G>(square, Japanese);
    match mv {
        UsiMove::Drop { to, .. } => format!("{sign}{}{name}打", square(to)),
        UsiMove::Board { from, to, promotion } => {
            let promotion = if promotion { "成" } else { "" };
            format!("{sign}{}{name}{promotion}({}{})", square(to), from.file, rank_of(from))
        }
    }
}

fn korean<G: Game>(pos: &G::Position, mv: Move) -> String {
    let mv = G::Position::notation(mv);
    let piece = mover::<G>(pos, mv);
    let name = short_korean(G::NAME, piece);
    let square = |square| text_of::<G>(square, Language::Korean);
    match mv {
        UsiMove::Drop { to, .. } => format!("{}{name}놓기", square(to)),
        UsiMove::Board { from, to, .. } if is_janggi::<G>() => {
            format!("{}{name}{}", square(from), square(to))
        }
        UsiMove::Board { from, to, promotion } => {
            let ending = match promotion {
                true => " 승격",
                false if declines::<G>(piece, from, to) => " 불승격",
                false => "",
            };
            format!("{}{name}({}){ending}", square(to), square(from))
        }
    }
}

/// Returns whether this is a shogi move that could also promote its piece.
fn declines<G: Game>(piece: Symbol, from: Square, to: Square) -> bool {
    let in_zone = |square| match piece.color {
        Color::Black => rank_of(square) <= 3,
        Color::White => rank_of(square) >= 7,
    };
    G::NAME == "shogi" && !piece.promoted && "PLNSBR".contains(piece.letter) && (in_zone(from) || in_zone(to))
}

/// The name of a piece in Korean move notation.
fn short_korean(game: &str, piece: Symbol) -> &'static str {
    match (game, piece.letter, piece.promoted) {
        ("shogi", 'R', false) => "비",
        ("shogi", 'B', false) => "각",
        ("shogi", 'N', false) => "계",
        ("shogi", 'L', false) => "향",
        ("shogi", 'P', false) => "보",
        ("shogi", 'R', true) => "용",
        ("shogi", 'B', true) => "마",
        ("shogi", 'P', true) => "토",
        (game, 'K', _) if game.starts_with("janggi") => match piece.color {
            Color::Black => "초",
            Color::White => "한",
        },
        _ => piece_name(game, piece, Language::Korean),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sanban_rules::{Dobutsu, Janggi, Shogi, Variant};

    fn texts<G: Game>(sfen: &str, usi: &str) -> [String; 3] {
        let pos = G::parse(sfen).expect("a position");
        let mv = pos.parse_usi(usi).expect("a legal move");
        Language::ALL.map(|language| move_text::<G>(&pos, mv, None, language))
    }

    #[test]
    fn moves_are_written_as_in_their_language() {
        assert_eq!(texts::<Shogi>(Shogi::START, "7g7f"), ["P-7f", "▲７六歩", "76보(77)"]);
        let promotes = "4k4/9/9/5R3/9/9/9/9/4K4 b P 1";
        assert_eq!(texts::<Shogi>(promotes, "4d3d")[2], "34비(44)");
        assert_eq!(texts::<Shogi>(promotes, "4d4c+")[2], "43비(44) 승격");
        assert_eq!(texts::<Shogi>(promotes, "4d4c")[2], "43비(44) 불승격");
        assert_eq!(texts::<Shogi>(promotes, "P*3d")[2], "34보놓기");
        assert_eq!(texts::<Janggi>(Janggi::START, "7g7f"), ["soldier 7g-7f", "７六卒(77)", "73졸63"]);
        assert_eq!(texts::<Dobutsu>(Dobutsu::START, "2c2b"), ["chick 2cx2b", "▲２二ひよこ(23)", "22자(23)"]);
    }

    #[test]
    fn a_square_is_not_repeated_in_japanese() {
        let pos = Shogi::parse("4k4/9/9/4s4/4P4/9/9/9/4K4 b - 1").expect("a position");
        let mv = pos.parse_usi("5e5d").expect("a legal move");
        let text = |last| move_text::<Shogi>(&pos, mv, last, Japanese);
        assert_eq!([text(None), text(Some(mv.to()))], ["▲５四歩", "▲同歩"]);
    }

    #[test]
    fn squares_are_written_as_in_their_language() {
        let squares = |square| Language::ALL.map(|language| square_text::<Janggi>(square, language));
        assert_eq!(squares(9), ["1j", "１十", "09"]);
        assert_eq!(Language::ALL.map(|language| square_text::<Shogi>(41, language)), ["5f", "５六", "56"]);
    }
}
