//! The weights that shogi is played with.

use super::file;
use super::inputs::shogi::OWN;
use super::network::Network;
use once_cell::sync::Lazy;
use std::path::Path;
use std::sync::Arc;

/// The network in the binary; docs/network.md tells how it was made.
static EMBEDDED: &[u8] = include_bytes!("../../nets/shogi.nnue");

/// The name that stands, where a file is asked for, for the evaluation written by hand.
pub const BY_HAND: &str = "handwritten";

/// A network, or none: then the evaluation written by hand is used. The default is what the binary carries.
#[derive(Clone)]
pub struct Weights(Option<Arc<Network>>);

impl Default for Weights {
    fn default() -> Self {
        static DEFAULT: Lazy<Option<Arc<Network>>> = Lazy::new(|| {
            // An embedded network that does not load is caught by a test.
            file::parse(EMBEDDED, &OWN, "embedded").ok().map(Arc::new)
        });
        Self(DEFAULT.clone())
    }
}

impl Weights {
    /// Reads a file of our own or of the community's, or takes no network for [`BY_HAND`]; an error says what was expected
    /// and found.
    pub fn load(path: &Path, fv_scale: i32) -> Result<Self, String> {
        if path == Path::new(BY_HAND) {
            return Ok(Self(None));
        }
        Ok(Self(Some(Arc::new(file::load(path, &OWN, fv_scale)?))))
    }

    /// The network, if there is one.
    pub fn network(&self) -> Option<&Arc<Network>> {
        self.0.as_ref()
    }

    /// One line about them.
    pub fn describe(&self) -> String {
        self.0.as_ref().map_or("material and attacks around both kings, by hand".into(), |n| n.name.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_embedded_network_loads() {
        assert!(Weights::default().network().is_some());
    }
}
