//! Why an engine cannot play.

use sanban_rules::VariantId;

/// A fault of an engine other than breaking the rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Trouble {
    /// The engine ended, or closed its output.
    Crash,
    /// The engine did not answer in time and was killed.
    Hang,
}

/// Why an engine cannot play.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{engine}: {fault}")]
pub struct EngineError {
    /// The name of the engine.
    pub engine: String,
    /// What went wrong.
    pub fault: EngineFault,
}

/// A fault that keeps an engine from playing.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum EngineFault {
    /// The system cannot start it; contains the message of the system.
    #[error("{0}")]
    Start(String),
    /// The engine failed before it answered with this word.
    #[error("{} without {word}", .trouble.verb())]
    Silent {
        /// The fault that occurred instead.
        trouble: Trouble,
        /// The word.
        word: &'static str,
    },
    /// The engine does not offer this option.
    #[error("it has no option {0}")]
    Option(String),
    /// The option that chooses the game does not name this one.
    #[error("it does not play {game}: its {option} has no such value")]
    Game {
        /// The game.
        game: VariantId,
        /// The option.
        option: String,
    },
    /// The engine rejects a value; contains its message.
    #[error("{0}")]
    Value(String),
}

impl Trouble {
    /// The verb for messages.
    fn verb(self) -> &'static str {
        match self {
            Self::Crash => "exited",
            Self::Hang => "hung",
        }
    }
}
