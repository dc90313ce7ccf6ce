//! The evaluator of a game with networks: embedded networks, networks from files, and the choice between a network and
//! the hand-written evaluation, which is made when a search thread starts. docs/network.md describes how the embedded
//! networks were made.

use super::accumulator::Accumulator;
use super::features::Features;
use super::network::Network;
use super::source::NetworkSource;
use super::{file, inputs};
use crate::{Evaluator, NetworkError};
use once_cell::sync::Lazy;
use sanban_rules::{Observer, Placement, Position, Score};
use std::sync::Arc;

/// A hand-written evaluation or a network.
pub enum Evaluation<H> {
    /// The hand-written evaluation.
    ByHand(H),
    /// A network.
    Trained(Accumulator),
}

impl<H: Default> Evaluation<H> {
    /// Evaluates with this network, or with the hand-written evaluation if there is no network.
    pub fn new(network: Option<&Arc<Network>>) -> Self {
        match network {
            Some(network) => Self::Trained(Accumulator::new(Arc::clone(network))),
            None => Self::ByHand(H::default()),
        }
    }
}

/// Calls the same method on either variant.
macro_rules! either {
    ($self:ident, $eval:ident => $call:expr) => {
        match $self {
            Self::ByHand($eval) => $call,
            Self::Trained($eval) => $call,
        }
    };
}

impl<H: Observer> Observer for Evaluation<H> {
    fn put(&mut self, placement: Placement) {
        either!(self, eval => eval.put(placement));
    }

    fn take(&mut self, placement: Placement) {
        either!(self, eval => eval.take(placement));
    }
}

impl<P: Position, H: Evaluator<P>> Evaluator<P> for Evaluation<H> {
    fn reset(&mut self, pos: &P) {
        either!(self, eval => eval.reset(pos));
    }

    fn push(&mut self) {
        either!(self, eval => eval.push());
    }

    fn pop(&mut self) {
        either!(self, eval => eval.pop());
    }

    fn update(&mut self, pos: &P) {
        if let Self::Trained(eval) = self {
            eval.update(pos);
        }
    }

    fn evaluate(&mut self, pos: &P) -> Score {
        pos.tempered(either!(self, eval => eval.evaluate(pos)))
    }

    fn raw(&mut self, pos: &P) -> Score {
        either!(self, eval => eval.raw(pos))
    }
}

/// The networks of a game.
pub trait Family: Clone + Send + Sync + 'static {
    /// Whether the game supports community network files.
    const COMMUNITY: bool;
    /// A one-line description of the hand-written evaluation.
    const BY_HAND: &'static str;

    /// The inputs of our own networks.
    fn features() -> &'static Features;
    /// The embedded network.
    fn embedded() -> Option<Arc<Network>>;
}

/// An optional network, shared by clones; without one, the hand-written evaluation is used.
#[derive(Clone)]
pub struct NetworkChoice(Option<Arc<Network>>);

impl NetworkChoice {
    /// No network: the hand-written evaluation.
    pub const HANDWRITTEN: Self = Self(None);

    /// The embedded network of a game.
    pub fn embedded<F: Family>() -> Self {
        Self(F::embedded())
    }

    /// Loads the network of this source.
    ///
    /// # Errors
    /// See [`file::load`].
    pub fn load<F: Family>(source: &NetworkSource) -> Result<Self, NetworkError> {
        Ok(Self(match source {
            NetworkSource::Embedded => F::embedded(),
            NetworkSource::Handwritten => None,
            NetworkSource::File { path, fv_scale } => {
                Some(Arc::new(file::load(path, F::features(), F::COMMUNITY.then_some(*fv_scale))?))
            }
        }))
    }

    /// The network, if there is one.
    pub fn network(&self) -> Option<&Arc<Network>> {
        self.0.as_ref()
    }

    /// A one-line description of the evaluation.
    pub fn describe<F: Family>(&self) -> String {
        self.0.as_ref().map_or_else(|| F::BY_HAND.into(), |network| network.name.clone())
    }
}

/// An embedded network. A test checks that it can be loaded.
type Embedded = Lazy<Option<Arc<Network>>>;

fn read(bytes: &[u8], features: &'static Features) -> Option<Arc<Network>> {
    file::parse(bytes, features, "embedded").ok().map(Arc::new)
}

/// The networks of shogi.
#[derive(Clone)]
pub struct ShogiNets;

impl Family for ShogiNets {
    const COMMUNITY: bool = true;
    const BY_HAND: &'static str = "hand-written: material and attacks around both kings";

    fn features() -> &'static Features {
        &inputs::shogi::OWN
    }

    fn embedded() -> Option<Arc<Network>> {
        static NETWORK: Embedded =
            Lazy::new(|| read(include_bytes!("../../nets/shogi.nnue"), ShogiNets::features()));
        NETWORK.clone()
    }
}

/// The networks of Janggi, shared by all pass rules.
#[derive(Clone)]
pub struct JanggiNets;

impl Family for JanggiNets {
    const COMMUNITY: bool = false;
    const BY_HAND: &'static str = "hand-written: features with weights fitted to self-play games";

    fn features() -> &'static Features {
        &inputs::janggi::OWN
    }

    fn embedded() -> Option<Arc<Network>> {
        static NETWORK: Embedded =
            Lazy::new(|| read(include_bytes!("../../nets/janggi.nnue"), JanggiNets::features()));
        NETWORK.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_embedded_networks_load() {
        assert!(ShogiNets::embedded().is_some());
        assert!(JanggiNets::embedded().is_some());
    }
}
