//! Moves and squares in the usual notation of each language. The board's page uses the same notation
//! (`web/notation.js`), except for shogi in Japanese, where its list of moves gives the square of origin.

use super::language::Language;
use super::texts::{is_for_children, piece_name, text_in};
use Language::{English, Japanese};
use sanban_formats::record::{Board, ki2_text, mark, western_text};
use sanban_rules::{AnyPosition, Color, Move, Square, Symbol, UsiMove, VariantId};

/// Formats a playable move: `P7g-7f` or `soldier 7g-7f` in English, `▲２四歩` or `７六卒(77)` in Japanese, `79졸78` or
/// `24보(25)` in Korean. `last`: the destination of the last move, which Japanese notation does not repeat (`△同歩`).
pub fn move_text(pos: &AnyPosition, mv: Move, last: Option<usize>, language: Language) -> String {
    if mv.is_pass() {
        return text_in(pos.variant(), language, "pass", &[]);
    }
    let usi = || pos.display(mv);
    if pos.variant() == VariantId::Shogi && language != Language::Korean {
        let Ok(board) = Board::from_sfen(&pos.sfen()) else { return usi() };
        let shown = if language == Japanese { ki2_text(&board, mv) } else { western_text(&board, mv) };
        let shown = shown.unwrap_or_else(|_| usi());
        return if language == Japanese && last == Some(mv.to()) { same_square(&shown) } else { shown };
    }
    match language {
        Japanese => japanese(pos, mv),
        Language::Korean => korean(pos, mv),
        _ => english(pos, mv),
    }
}

/// Formats a square: `5f`, `５六`, `56`. Korean Janggi records give the rank before the file, and number the files from
/// the left.
pub fn square_text(pos: &AnyPosition, square: usize, language: Language) -> String {
    text_of(pos.variant(), pos.square(square), language)
}

fn text_of(game: VariantId, square: Square, language: Language) -> String {
    const FILES: [char; 9] = ['１', '２', '３', '４', '５', '６', '７', '８', '９'];
    const RANKS: [char; 10] = ['一', '二', '三', '四', '五', '六', '七', '八', '九', '十'];
    let (file, rank) = (usize::from(square.file), rank_of(square));
    match language {
        Japanese if is_for_children(game) => format!("{}{}", FILES[file - 1], FILES[rank - 1]),
        Japanese => format!("{}{}", FILES[file - 1], RANKS[rank - 1]),
        Language::Korean if game.is_janggi() => format!("{}{}", rank % 10, 10 - file),
        Language::Korean => format!("{file}{rank}"),
        _ => square.to_string(),
    }
}

/// The number of the rank, from 1.
fn rank_of(square: Square) -> usize {
    square.rank as usize - usize::from(b'a') + 1
}

/// The piece that moves.
fn mover(pos: &AnyPosition, mv: UsiMove) -> Symbol {
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

fn english(pos: &AnyPosition, mv: Move) -> String {
    let way = if pos.is_capture(mv) { 'x' } else { '-' };
    let mv = pos.notation(mv);
    let name = piece_name(pos.variant(), mover(pos, mv), English);
    match mv {
        UsiMove::Drop { to, .. } => format!("{name} * {to}"),
        UsiMove::Board { from, to, promotion } => {
            format!("{name} {from}{way}{to}{}", if promotion { "+" } else { "" })
        }
    }
}

fn japanese(pos: &AnyPosition, mv: Move) -> String {
    let mv = pos.notation(mv);
    let name = piece_name(pos.variant(), mover(pos, mv), Japanese);
    let sign = if pos.variant().is_janggi() { String::new() } else { mark(pos.side()).to_string() };
    let square = |square| text_of(pos.variant(), square, Japanese);
    let children = is_for_children(pos.variant());
    let [promotes, drops] = if children { ["なる", "うつ"] } else { ["成", "打"] };
    match mv {
        UsiMove::Drop { to, .. } => format!("{sign}{}{name}{drops}", square(to)),
        UsiMove::Board { from, to, promotion } => {
            let promotion = if promotion { promotes } else { "" };
            format!("{sign}{}{name}{promotion}({}{})", square(to), from.file, rank_of(from))
        }
    }
}

fn korean(pos: &AnyPosition, mv: Move) -> String {
    let mv = pos.notation(mv);
    let piece = mover(pos, mv);
    let name = short_korean(pos.variant(), piece);
    let square = |square| text_of(pos.variant(), square, Language::Korean);
    match mv {
        UsiMove::Drop { to, .. } => format!("{}{name}놓기", square(to)),
        UsiMove::Board { from, to, .. } if pos.variant().is_janggi() => {
            format!("{}{name}{}", square(from), square(to))
        }
        UsiMove::Board { from, to, promotion } => {
            let ending = match promotion {
                true => " 승격",
                false if pos.variant() == VariantId::Shogi && declines(piece, from, to) => " 불승격",
                false => "",
            };
            format!("{}{name}({}){ending}", square(to), square(from))
        }
    }
}

/// Returns whether a shogi move could also promote its piece.
fn declines(piece: Symbol, from: Square, to: Square) -> bool {
    let in_zone = |square| match piece.color {
        Color::Black => rank_of(square) <= 3,
        Color::White => rank_of(square) >= 7,
    };
    !piece.promoted && "PLNSBR".contains(piece.letter) && (in_zone(from) || in_zone(to))
}

/// The name of a piece in Korean move notation.
fn short_korean(game: VariantId, piece: Symbol) -> String {
    let short = match (game, piece.letter, piece.promoted) {
        (VariantId::Shogi, 'R', false) => "비",
        (VariantId::Shogi, 'B', false) => "각",
        (VariantId::Shogi, 'N', false) => "계",
        (VariantId::Shogi, 'L', false) => "향",
        (VariantId::Shogi, 'P', false) => "보",
        (VariantId::Shogi, 'R', true) => "용",
        (VariantId::Shogi, 'B', true) => "마",
        (VariantId::Shogi, 'P', true) => "토",
        (game, 'K', _) if game.is_janggi() => match piece.color {
            Color::Black => "초",
            Color::White => "한",
        },
        _ => return piece_name(game, piece, Language::Korean),
    };
    short.into()
}

#[cfg(test)]
mod tests {
    use super::super::language::Sentences;
    use super::*;
    use VariantId::{Dobutsu, Janggi, Shogi};

    fn texts(game: VariantId, sfen: &str, usi: &str) -> Sentences {
        let pos = AnyPosition::parse(game, sfen).expect("a position");
        let mv = pos.parse_usi(usi).expect("a legal move");
        Language::ALL.map(|language| move_text(&pos, mv, None, language))
    }

    #[test]
    fn moves_are_written_as_in_their_language() {
        assert_eq!(texts(Shogi, Shogi.info().start, "7g7f"), ["P7g-7f", "▲７六歩", "76보(77)"]);
        let promotes = "4k4/9/9/5R3/9/9/9/9/4K4 b P 1";
        assert_eq!(texts(Shogi, promotes, "4d3d")[2], "34비(44)");
        assert_eq!(texts(Shogi, promotes, "4d4c+")[2], "43비(44) 승격");
        assert_eq!(texts(Shogi, promotes, "4d4c")[2], "43비(44) 불승격");
        assert_eq!(texts(Shogi, promotes, "P*3d")[2], "34보놓기");
        assert_eq!(texts(Janggi, Janggi.info().start, "7g7f"), ["soldier 7g-7f", "７六卒(77)", "73졸63"]);
        assert_eq!(
            texts(Dobutsu, Dobutsu.info().start, "2c2b"),
            ["chick 2cx2b", "▲２２ひよこ(23)", "22자(23)"]
        );
    }

    #[test]
    fn a_square_is_not_repeated_in_japanese() {
        let pos = AnyPosition::parse(Shogi, "4k4/9/9/4s4/4P4/9/9/9/4K4 b - 1").expect("a position");
        let mv = pos.parse_usi("5e5d").expect("a legal move");
        let text = |last| move_text(&pos, mv, last, Japanese);
        assert_eq!([text(None), text(Some(mv.to()))], ["▲５四歩", "▲同歩"]);
    }

    #[test]
    fn squares_are_written_as_in_their_language() {
        let squares = |game, square| {
            let pos = AnyPosition::new(game);
            Language::ALL.map(|language| square_text(&pos, square, language))
        };
        assert_eq!(squares(Janggi, 9), ["1j", "１十", "09"]);
        assert_eq!(squares(Shogi, 41), ["5f", "５六", "56"]);
        assert_eq!(squares(Dobutsu, 5), ["2b", "２２", "22"]);
    }
}
