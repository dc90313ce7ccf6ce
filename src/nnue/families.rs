//! The networks of the games that have some; docs/network.md tells how those in the binary were made.

use super::features::Features;
use super::file;
use super::inputs;
use super::network::Network;
use super::weights::Family;
use once_cell::sync::Lazy;
use std::sync::Arc;

/// A network in the binary. One that does not load is caught by a test.
type Embedded = Lazy<Option<Arc<Network>>>;

fn read(bytes: &[u8], features: &'static Features) -> Option<Arc<Network>> {
    file::parse(bytes, features, "embedded").ok().map(Arc::new)
}

/// Networks of shogi.
#[derive(Clone)]
pub struct Shogi;

impl Family for Shogi {
    const COMMUNITY: bool = true;
    const BY_HAND: &'static str = "material and attacks around both kings, by hand";

    fn features() -> &'static Features {
        &inputs::shogi::OWN
    }

    fn embedded() -> Option<Arc<Network>> {
        static NETWORK: Embedded =
            Lazy::new(|| read(include_bytes!("../../nets/shogi.nnue"), Shogi::features()));
        NETWORK.clone()
    }
}

/// Networks of Janggi, the same for both ways to pass.
#[derive(Clone)]
pub struct Janggi;

impl Family for Janggi {
    const COMMUNITY: bool = false;
    const BY_HAND: &'static str = "hand-written features with weights fitted to its own games";

    fn features() -> &'static Features {
        &inputs::janggi::OWN
    }

    fn embedded() -> Option<Arc<Network>> {
        static NETWORK: Embedded =
            Lazy::new(|| read(include_bytes!("../../nets/janggi.nnue"), Janggi::features()));
        NETWORK.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_embedded_networks_load() {
        assert!(Shogi::embedded().is_some());
        assert!(Janggi::embedded().is_some());
    }
}
