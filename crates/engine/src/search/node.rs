//! Node kinds as types, so that they have no cost at run time.

/// The kind of a node.
pub(super) trait Node {
    /// Whether the node is on the principal variation, with an open window.
    const PV: bool;
    /// Whether the node is the root.
    const ROOT: bool;
    /// Kind of the children that are on the principal variation.
    type Next: Node;
}

/// The root node.
pub(super) struct Root;
/// A node on the principal variation.
pub(super) struct OnPv;
/// A node off the principal variation, searched with a null window.
pub(super) struct OffPv;

impl Node for Root {
    const PV: bool = true;
    const ROOT: bool = true;
    type Next = OnPv;
}

impl Node for OnPv {
    const PV: bool = true;
    const ROOT: bool = false;
    type Next = OnPv;
}

impl Node for OffPv {
    const PV: bool = false;
    const ROOT: bool = false;
    type Next = OffPv;
}
