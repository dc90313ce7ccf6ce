//! Sentences about what lines of the search gain, why they can, and what the better move does about it.

use super::gain::{Cause, Fall, Placed, Price, Remedy, Target};
use super::words::Saying;
use sanban_rules::Move;

impl Saying<'_> {
    /// What the opponent gains after the move.
    pub(super) fn falls(&self, fall: &Fall) -> String {
        self.gain("falls", fall, &self.line(&self.after(), self.to(), &fall.line))
    }

    /// What the better move would have gained.
    pub(super) fn misses(&self, fall: &Fall) -> String {
        self.gain("misses", fall, &self.line(self.pos, self.last(), &fall.line))
    }

    fn gain(&self, word: &str, fall: &Fall, line: &str) -> String {
        let price = match fall.price {
            Price::Piece(own) => self.name(own),
            _ => String::new(),
        };
        let kind = match fall.price {
            _ if fall.promotes => "-promotion",
            Price::Nothing => "",
            Price::Piece(_) => "-for",
            Price::Later => "-later",
        };
        let told = self.text(&format!("{word}{kind}"), &[&self.piece(&fall.target), line, &price]);
        match &fall.cause {
            // A promotion wins no piece that something could protect.
            Some(Cause::Loose) if fall.promotes => {
                let cause = self.text("cause-unprotected-square", &[&self.square(fall.target.square)]);
                self.text("gain-because", &[&told, &cause])
            }
            Some(cause) => self.text("gain-because", &[&told, &self.cause(cause)]),
            None => self.text("gain", &[&told]),
        }
    }

    fn placed(&self, (piece, square): &Placed) -> String {
        self.piece(&Target { piece: *piece, square: *square, gain: 0 })
    }

    fn cause(&self, cause: &Cause) -> String {
        let name = format!("cause-{}", cause.word());
        match cause {
            Cause::Fork(by, pieces) => {
                let pieces = pieces.iter().map(|placed| self.placed(placed));
                let all = pieces.reduce(|all, piece| self.text("cause-fork-more", &[&all, &piece]));
                self.text(&name, &[&self.name(*by), &all.unwrap_or_default()])
            }
            Cause::Unguarded(piece)
            | Cause::Blocked(piece)
            | Cause::Opened(piece)
            | Cause::Discovered(piece)
            | Cause::Deflected(piece) => self.text(&name, &[&self.name(*piece)]),
            Cause::Pinned(placed)
            | Cause::GuardTaken(placed)
            | Cause::AlsoAttacks(placed)
            | Cause::Supported(placed) => self.text(&name, &[&self.placed(placed)]),
            _ => self.text(&name, &[]),
        }
    }

    /// What the better move does about the gain that follows the move `instead`.
    pub(super) fn remedy(&self, remedy: &Remedy, line: &[Move], fall: &Fall, instead: Move) -> String {
        let other = Saying { mv: instead, ..*self };
        let answer = || other.line(&other.after(), other.to(), &fall.line[..1]);
        match remedy {
            Remedy::Takes(placed) => self.text("remedy-takes", &[&self.placed(placed)]),
            Remedy::Leaves(piece) => self.text("remedy-leaves", &[&self.name(*piece)]),
            Remedy::Prevents => self.text("remedy-prevents", &[&answer()]),
            Remedy::Guards(placed) => self.text("remedy-guards", &[&self.placed(placed)]),
            Remedy::Defuses => self.text("remedy-defuses", &[&answer()]),
            Remedy::Avoids => self.text("remedy-avoids", &[&self.line(self.pos, self.last(), line)]),
        }
    }
}
