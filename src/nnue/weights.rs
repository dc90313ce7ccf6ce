//! The weights that a game is played with: the network in the binary, one from a file, or none.

use super::features::Features;
use super::file;
use super::network::Network;
use std::marker::PhantomData;
use std::path::Path;
use std::sync::Arc;

/// The name that stands, where a file is asked for, for the evaluation written by hand.
pub const BY_HAND: &str = "handwritten";

/// What the networks of a game are.
pub trait Family: Clone + Send + Sync + 'static {
    /// Does the game have the community's network files, too?
    const COMMUNITY: bool;
    /// One line about the evaluation that is used without a network.
    const BY_HAND: &'static str;

    /// What the inputs of our own networks are.
    fn features() -> &'static Features;
    /// The network in the binary.
    fn embedded() -> Option<Arc<Network>>;
}

/// A network, or none: then the evaluation written by hand is used. The default is what the binary carries.
#[derive(Clone)]
pub struct Weights<F>(Option<Arc<Network>>, PhantomData<F>);

impl<F: Family> Default for Weights<F> {
    fn default() -> Self {
        Self(F::embedded(), PhantomData)
    }
}

impl<F: Family> Weights<F> {
    /// Reads a network file, or takes no network for [`BY_HAND`]; an error says what was expected and found.
    /// `fv_scale` is the divisor of the community's files.
    pub fn load(path: &Path, fv_scale: i32) -> Result<Self, String> {
        if path == Path::new(BY_HAND) {
            return Ok(Self(None, PhantomData));
        }
        let network = file::load(path, F::features(), F::COMMUNITY.then_some(fv_scale))?;
        Ok(Self(Some(Arc::new(network)), PhantomData))
    }

    /// The network, if there is one.
    pub fn network(&self) -> Option<&Arc<Network>> {
        self.0.as_ref()
    }

    /// One line about them.
    pub fn describe(&self) -> String {
        self.0.as_ref().map_or_else(|| F::BY_HAND.into(), |network| network.name.clone())
    }
}
