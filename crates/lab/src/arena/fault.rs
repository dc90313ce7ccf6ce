//! Faults of engines.

use sanban_rules::VariantId;

/// A fault of an engine other than breaking the rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Trouble {
    /// The engine exited or closed its output.
    Crash,
    /// The engine did not answer in time and was killed.
    Hang,
}

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{engine}: {fault}")]
pub struct EngineError {
    pub engine: String,
    pub fault: EngineFault,
}

/// A fault that keeps an engine from playing.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum EngineFault {
    /// The engine cannot be started; contains the error message of the system.
    #[error("{0}")]
    Start(String),
    #[error("{} before sending {word}", .trouble.verb())]
    Silent { trouble: Trouble, word: &'static str },
    #[error("the engine has no option {0}")]
    Option(String),
    #[error("the engine does not play {game}: {option} has no such value{}", hint(*.game))]
    Game { game: VariantId, option: String },
    #[error(
        "answers neither usi, uci nor xboard within ten seconds; if it starts slowly, state its protocol"
    )]
    Protocol,
    /// The engine's protocol cannot express what the match needs.
    #[error("{0}")]
    Unable(&'static str),
    /// The engine rejects a value; contains its message.
    #[error("{0}")]
    Value(String),
}

fn hint(game: VariantId) -> &'static str {
    match game {
        VariantId::Janggi => {
            "; what other engines call janggi has other rules for passes and facing generals, --game janggicasual is a game that they know"
        }
        _ => "",
    }
}

impl Trouble {
    fn verb(self) -> &'static str {
        match self {
            Self::Crash => "exited",
            Self::Hang => "hung",
        }
    }
}
