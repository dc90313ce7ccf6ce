//! The evaluator of a game that may have a network: one kind or the other, chosen when a search thread starts.

use super::accumulator::Accumulator;
use super::network::Network;
use crate::base::Score;
use crate::game::{Evaluator, Observer, Placement, Position};
use std::sync::Arc;

/// A hand-written evaluation or a network.
pub enum Evaluation<H> {
    /// Written by hand.
    ByHand(H),
    /// Trained.
    Trained(Accumulator),
}

impl<H: Default> Evaluation<H> {
    /// Reads this network, or evaluates by hand where there is none.
    pub fn new(network: Option<&Arc<Network>>) -> Self {
        match network {
            Some(network) => Self::Trained(Accumulator::new(Arc::clone(network))),
            None => Self::ByHand(H::default()),
        }
    }
}

impl<H: Observer> Observer for Evaluation<H> {
    #[inline]
    fn put(&mut self, placement: Placement) {
        match self {
            Self::ByHand(eval) => eval.put(placement),
            Self::Trained(eval) => eval.put(placement),
        }
    }

    #[inline]
    fn take(&mut self, placement: Placement) {
        match self {
            Self::ByHand(eval) => eval.take(placement),
            Self::Trained(eval) => eval.take(placement),
        }
    }
}

impl<P: Position, H: Evaluator<P>> Evaluator<P> for Evaluation<H> {
    fn reset(&mut self, pos: &P) {
        match self {
            Self::ByHand(eval) => eval.reset(pos),
            Self::Trained(eval) => eval.reset(pos),
        }
    }

    #[inline]
    fn push(&mut self) {
        match self {
            Self::ByHand(eval) => eval.push(),
            Self::Trained(eval) => eval.push(),
        }
    }

    #[inline]
    fn pop(&mut self) {
        match self {
            Self::ByHand(eval) => eval.pop(),
            Self::Trained(eval) => eval.pop(),
        }
    }

    #[inline]
    fn evaluate(&mut self, pos: &P) -> Score {
        match self {
            Self::ByHand(eval) => eval.evaluate(pos),
            Self::Trained(eval) => eval.evaluate(pos),
        }
    }

    fn raw(&mut self, pos: &P) -> Score {
        match self {
            Self::ByHand(eval) => eval.raw(pos),
            Self::Trained(eval) => eval.raw(pos),
        }
    }
}
