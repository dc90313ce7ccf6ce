//! Node kinds, which are types, so that they cost nothing at run time.

/// The kind of a node.
pub(super) trait Node {
    /// Is the node on the principal variation, with an open window?
    const PV: bool;
    /// Is the node the root?
    const ROOT: bool;
    /// Kind of the children on the principal variation.
    type Next: Node;
}

/// The root.
pub(super) struct Root;
/// On the principal variation.
pub(super) struct OnPv;
/// Off the principal variation: a null window.
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
