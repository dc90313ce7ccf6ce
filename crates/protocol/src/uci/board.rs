//! The board as a diagram with the coordinates of UCI or CECP, for users at a terminal.

use sanban_rules::AnyPosition;
use sanban_rules::uci::fen;

/// The board and the position as FEN; `first` is the number of the first player's rank.
pub fn board(pos: &AnyPosition, first: usize) -> String {
    let (files, ranks) = pos.size();
    let mut out: String = ('a'..='i').take(files).map(|file| format!("{file:>3}")).collect();
    for rank in 0..ranks {
        out.push('\n');
        for file in (0..files).rev() {
            let piece = pos.piece_on(file * ranks + rank).map_or(".".into(), |piece| piece.to_string());
            out += &format!("{piece:>3}");
        }
        out += &format!("  {}", ranks - 1 - rank + first);
    }
    out + "\nfen " + &fen(&pos.sfen(), !pos.variant().is_janggi(), pos.quiet_plies())
}
