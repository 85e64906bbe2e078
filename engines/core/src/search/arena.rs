//! The memory of a search: nodes and edges in two flat vectors, addressed by `u32`, for trees and for graphs.
//!
//! What a node and an edge hold is each search's own. The edges of a node lie side by side and are listed once; an edge
//! leads to a node or, so far, to none. Several edges may lead to one node.

/// Index of a node. Node 0 is the root.
pub type NodeId = u32;

/// The child of an edge that was never taken.
pub const NO_CHILD: NodeId = NodeId::MAX;

/// An edge of a search: leads to a node.
pub trait Link: Copy {
    /// The node behind it, or [`NO_CHILD`].
    fn child(&self) -> NodeId;

    /// Attaches a node.
    fn set_child(&mut self, child: NodeId);
}

/// A node and the place of its edges.
#[derive(Debug, Clone, Copy)]
struct Slot<N> {
    node: N,
    first: u32,
    len: u16,
}

/// From this size on, in bytes, a list grows by an eighth instead of doubling, so that what is reserved is close to what is
/// used. The system moves such big blocks without copying them.
const BIG: usize = 1 << 20;

/// Makes room for so many more items.
fn reserve<T>(items: &mut Vec<T>, more: usize) {
    if items.capacity() - items.len() < more {
        let step = if items.len() * size_of::<T>() < BIG { items.len() } else { items.len() / 8 };
        items.reserve_exact(more.max(step));
    }
}

/// Nodes and edges of one search.
#[derive(Debug, Clone)]
pub struct Arena<N, E> {
    slots: Vec<Slot<N>>,
    edges: Vec<E>,
}

impl<N: Copy, E: Link> Arena<N, E> {
    /// An arena of one node.
    #[must_use]
    pub fn new(root: N) -> Self {
        Self { slots: vec![Slot { node: root, first: 0, len: 0 }], edges: Vec::new() }
    }

    /// Adds a node without edges.
    pub fn push(&mut self, node: N) -> NodeId {
        reserve(&mut self.slots, 1);
        self.slots.push(Slot { node, first: 0, len: 0 });
        (self.slots.len() - 1) as NodeId
    }

    /// Removes the latest node, which must have no edges and no edge to it.
    pub fn pop(&mut self) {
        self.slots.pop();
    }

    /// The node of this index.
    #[must_use]
    pub fn node(&self, id: NodeId) -> &N {
        &self.slots[id as usize].node
    }

    /// The node of this index.
    pub fn node_mut(&mut self, id: NodeId) -> &mut N {
        &mut self.slots[id as usize].node
    }

    /// Gives a node its edges; it has none so far.
    pub fn list_edges(&mut self, id: NodeId, edges: impl Iterator<Item = E>) {
        let first = self.edges.len();
        let (least, most) = edges.size_hint();
        reserve(&mut self.edges, most.unwrap_or(least));
        self.edges.extend(edges);
        let slot = &mut self.slots[id as usize];
        (slot.first, slot.len) = (first as u32, (self.edges.len() - first) as u16);
    }

    /// The edges of a node, in the order in which its search keeps them.
    #[must_use]
    pub fn edges(&self, id: NodeId) -> &[E] {
        let slot = &self.slots[id as usize];
        &self.edges[slot.first as usize..slot.first as usize + slot.len as usize]
    }

    /// The edges of a node.
    pub fn edges_mut(&mut self, id: NodeId) -> &mut [E] {
        let slot = &self.slots[id as usize];
        let (first, len) = (slot.first as usize, slot.len as usize);
        &mut self.edges[first..first + len]
    }

    /// Number of nodes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    /// Never: there is at least the root.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// Memory held, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.slots.capacity() * size_of::<Slot<N>>() + self.edges.capacity() * size_of::<E>()
    }

    /// Memory of so many nodes and edges, in bytes.
    #[must_use]
    pub fn bytes_for(nodes: usize, edges: usize) -> usize {
        nodes * size_of::<Slot<N>>() + edges * size_of::<E>()
    }

    /// What can be reached from `root`, as an arena of its own with `root` as node 0.
    #[must_use]
    pub fn reachable(&self, root: NodeId) -> Self {
        let mut new_id = vec![NO_CHILD; self.slots.len()];
        let mut kept = vec![root];
        new_id[root as usize] = 0;
        let mut arena = Self { slots: Vec::new(), edges: Vec::new() };
        let mut next = 0;
        while let Some(&old) = kept.get(next) {
            let first = arena.edges.len() as u32;
            for edge in self.edges(old) {
                let mut edge = *edge;
                if edge.child() != NO_CHILD {
                    let id = &mut new_id[edge.child() as usize];
                    if *id == NO_CHILD {
                        *id = kept.len() as NodeId;
                        kept.push(edge.child());
                    }
                    edge.set_child(*id);
                }
                reserve(&mut arena.edges, 1);
                arena.edges.push(edge);
            }
            let slot = self.slots[old as usize];
            reserve(&mut arena.slots, 1);
            arena.slots.push(Slot { first, ..slot });
            next += 1;
        }
        arena
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Clone, Copy, PartialEq)]
    struct To(NodeId);

    impl Link for To {
        fn child(&self) -> NodeId {
            self.0
        }

        fn set_child(&mut self, child: NodeId) {
            self.0 = child;
        }
    }

    #[test]
    fn a_big_arena_reserves_little_more_than_it_uses() {
        let mut arena: Arena<u64, To> = Arena::new(0);
        for node in 1..300_000 {
            let id = arena.push(node);
            arena.list_edges(id, (0..3).map(To));
        }
        let used = Arena::<u64, To>::bytes_for(300_000, 900_000);
        assert!((used..used * 5 / 4).contains(&arena.bytes()), "{} for {used}", arena.bytes());
        let kept = arena.reachable(0).bytes();
        assert!(kept < 1000, "{kept}");
    }

    #[test]
    fn a_shared_node_is_kept_once() {
        let mut arena = Arena::new('a');
        let ids: Vec<NodeId> = ['b', 'c', 'd', 'e'].map(|node| arena.push(node)).to_vec();
        arena.list_edges(0, [To(ids[0]), To(NO_CHILD)].into_iter());
        arena.list_edges(ids[0], [To(ids[1]), To(NO_CHILD), To(ids[2])].into_iter());
        arena.list_edges(ids[1], [To(ids[3])].into_iter());
        arena.list_edges(ids[2], [To(ids[3])].into_iter());
        let kept = arena.reachable(ids[0]);
        assert_eq!((0..4).map(|id| *kept.node(id)).collect::<String>(), "bcde");
        assert_eq!(kept.edges(0), [To(1), To(NO_CHILD), To(2)]);
        assert_eq!((kept.edges(1), kept.edges(2), kept.len()), (&[To(3)][..], &[To(3)][..], 4));
    }
}
