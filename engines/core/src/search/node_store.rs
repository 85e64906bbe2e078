//! The memory of a search: nodes and edges in two flat vectors, indexed by `u32`, for trees and graphs.
//!
//! Each search defines its own node and edge types. The edges of a node are contiguous; they are listed at once, or
//! inserted one by one. An edge leads to a node, or to none yet; several edges may lead to the same node.

use std::ops::Range;

/// Index of a node. Node 0 is the root.
pub type NodeId = u32;

/// The child of an edge without a node.
pub const NO_CHILD: NodeId = NodeId::MAX;

/// An edge of a search, which may lead to a node.
pub trait Link: Copy {
    /// The child node, or [`NO_CHILD`].
    fn child(&self) -> NodeId;

    /// Attaches a child node.
    fn set_child(&mut self, child: NodeId);
}

/// A node and the range of its edges.
#[derive(Debug, Clone, Copy)]
struct Slot<N> {
    node: N,
    first: u32,
    len: u16,
    /// Edges for which there is room.
    room: u16,
}

impl<N> Slot<N> {
    fn new(node: N) -> Self {
        Self { node, first: 0, len: 0, room: 0 }
    }

    fn range(&self) -> Range<usize> {
        self.first as usize..self.first as usize + usize::from(self.len)
    }
}

/// From this size in bytes on, a list grows by a quarter instead of doubling, so that little more is reserved than used.
const MEDIUM: usize = 1 << 12;

/// From this size in bytes on, a list grows by an eighth.
const BIG: usize = 1 << 16;

/// Reserves room for `more` items.
pub(super) fn reserve<T>(items: &mut Vec<T>, more: usize) {
    if items.capacity() - items.len() < more {
        let step = match items.len() * size_of::<T>() {
            ..MEDIUM => items.len(),
            MEDIUM..BIG => items.len() / 4,
            BIG.. => items.len() / 8,
        };
        items.reserve_exact(more.max(step));
    }
}

/// Nodes and edges of one search.
#[derive(Debug, Clone)]
pub struct NodeStore<N, E> {
    slots: Vec<Slot<N>>,
    edges: Vec<E>,
    /// For each number of edges, the starts of the abandoned blocks that have room for them.
    free: Vec<Vec<u32>>,
}

impl<N: Copy, E: Link> NodeStore<N, E> {
    /// A store with one node.
    #[must_use]
    pub fn new(root: N) -> Self {
        Self { slots: vec![Slot::new(root)], edges: Vec::new(), free: Vec::new() }
    }

    /// Adds a node without edges.
    pub fn push(&mut self, node: N) -> NodeId {
        reserve(&mut self.slots, 1);
        self.slots.push(Slot::new(node));
        (self.slots.len() - 1) as NodeId
    }

    /// Removes the latest node, which must have no edges and no edge leading to it.
    pub fn pop(&mut self) {
        self.slots.pop();
    }

    /// The node with this index.
    #[must_use]
    pub fn node(&self, id: NodeId) -> &N {
        &self.slots[id as usize].node
    }

    /// The node with this index.
    pub fn node_mut(&mut self, id: NodeId) -> &mut N {
        &mut self.slots[id as usize].node
    }

    /// Adds edges after those of a node, which move to a block of the right size.
    pub fn append_edges(&mut self, id: NodeId, edges: &[E]) {
        let Some(&filler) = edges.first() else { return };
        let before = usize::from(self.slots[id as usize].len);
        self.move_edges(id, (before + edges.len()) as u16, filler);
        self.slots[id as usize].len += edges.len() as u16;
        self.edges_mut(id)[before..].copy_from_slice(edges);
    }

    /// Inserts an edge before the one with this index. If there is no room for it, the node's edges move to a block
    /// with half as much room again.
    pub fn insert_edge(&mut self, id: NodeId, index: usize, edge: E) {
        let Slot { len, room, .. } = self.slots[id as usize];
        if len == room {
            self.move_edges(id, room.saturating_add(room.div_ceil(2)).max(1), edge);
        }
        self.slots[id as usize].len += 1;
        let edges = &mut self.edges_mut(id)[index..];
        edges.rotate_right(1);
        edges[0] = edge;
    }

    /// Moves the edges of a node to a block with this room, which is more than they have. What is not theirs of a new
    /// block are copies of `filler`.
    fn move_edges(&mut self, id: NodeId, room: u16, filler: E) {
        let first = self.block(room, filler);
        let slot = &mut self.slots[id as usize];
        self.edges.copy_within(slot.range(), first as usize);
        if slot.room > 0 {
            self.free[usize::from(slot.room)].push(slot.first);
        }
        (slot.first, slot.room) = (first, room);
    }

    /// The start of an unused block with this room. A new one is filled with copies of an edge.
    fn block(&mut self, room: u16, edge: E) -> u32 {
        let room = usize::from(room);
        if self.free.len() <= room {
            self.free.resize(room + 1, Vec::new());
        }
        self.free[room].pop().unwrap_or_else(|| {
            let first = self.edges.len();
            reserve(&mut self.edges, room);
            self.edges.resize(first + room, edge);
            first as u32
        })
    }

    /// The edges of a node, in the order chosen by its search.
    #[must_use]
    pub fn edges(&self, id: NodeId) -> &[E] {
        &self.edges[self.slots[id as usize].range()]
    }

    /// The edges of a node.
    pub fn edges_mut(&mut self, id: NodeId) -> &mut [E] {
        &mut self.edges[self.slots[id as usize].range()]
    }

    /// Number of nodes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    /// Always false: the root always exists.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// Memory used, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let blocks: usize = self.free.iter().map(Vec::capacity).sum();
        let free = blocks * size_of::<u32>() + self.free.capacity() * size_of::<Vec<u32>>();
        self.slots.capacity() * size_of::<Slot<N>>() + self.edges.capacity() * size_of::<E>() + free
    }

    /// Memory for this number of nodes and edges, in bytes.
    #[must_use]
    pub fn bytes_for(nodes: usize, edges: usize) -> usize {
        nodes * size_of::<Slot<N>>() + edges * size_of::<E>()
    }

    /// A new store with everything reachable from `root`, which becomes node 0; and the old index of each of its nodes.
    #[must_use]
    pub fn reachable(&self, root: NodeId) -> (Self, Vec<NodeId>) {
        let mut new_id = vec![NO_CHILD; self.slots.len()];
        let mut kept = vec![root];
        new_id[root as usize] = 0;
        let mut store = Self { slots: Vec::new(), edges: Vec::new(), free: Vec::new() };
        let mut next = 0;
        while let Some(&old) = kept.get(next) {
            let first = store.edges.len() as u32;
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
                reserve(&mut store.edges, 1);
                store.edges.push(edge);
            }
            let slot = self.slots[old as usize];
            reserve(&mut store.slots, 1);
            store.slots.push(Slot { first, room: slot.len, ..slot });
            next += 1;
        }
        (store, kept)
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
    fn a_big_store_reserves_little_more_than_it_uses() {
        let mut store: NodeStore<u64, To> = NodeStore::new(0);
        for node in 1..300_000 {
            let id = store.push(node);
            store.append_edges(id, &[0, 1, 2].map(To));
        }
        let used = NodeStore::<u64, To>::bytes_for(300_000, 900_000);
        assert!((used..used * 5 / 4).contains(&store.bytes()), "{} for {used}", store.bytes());
        let kept = store.reachable(0).0.bytes();
        assert!(kept < 1000, "{kept}");
    }

    #[test]
    fn inserted_edges_stay_in_order_and_abandoned_blocks_are_used_again() {
        let mut store: NodeStore<(), To> = NodeStore::new(());
        let nodes = [0, store.push(()), store.push(())];
        store.append_edges(nodes[2], &[2, 4, 8].map(To));
        for id in nodes {
            for to in [9, 3, 7, 1, 5, 6] {
                let index = store.edges(id).partition_point(|edge| edge.0 < to);
                store.insert_edge(id, index, To(to));
            }
        }
        for id in &nodes[..2] {
            assert_eq!(store.edges(*id), [1, 3, 5, 6, 7, 9].map(To));
        }
        assert_eq!(store.edges(nodes[2]), [1, 2, 3, 4, 5, 6, 7, 8, 9].map(To));
        // Node 0 leaves blocks for 1, 2, 3 and 5 edges, and node 1 takes them; node 2 moves from 3 to 5 to 8 to 12.
        assert_eq!(store.edges.len(), (1 + 2 + 3 + 5 + 8) + 8 + (3 + 8 + 12));
    }

    #[test]
    fn a_shared_node_is_kept_once() {
        let mut store = NodeStore::new('a');
        let ids: Vec<NodeId> = ['b', 'c', 'd', 'e'].map(|node| store.push(node)).to_vec();
        store.append_edges(0, &[To(ids[0]), To(NO_CHILD)]);
        store.append_edges(ids[0], &[To(ids[1]), To(NO_CHILD), To(ids[2])]);
        store.append_edges(ids[1], &[To(ids[3])]);
        store.append_edges(ids[2], &[To(ids[3])]);
        let (mut kept, old) = store.reachable(ids[0]);
        assert_eq!(old, [ids[0], ids[1], ids[2], ids[3]]);
        assert_eq!((0..4).map(|id| *kept.node(id)).collect::<String>(), "bcde");
        assert_eq!(kept.edges(0), [To(1), To(NO_CHILD), To(2)]);
        assert_eq!((kept.edges(1), kept.edges(2), kept.len()), (&[To(3)][..], &[To(3)][..], 4));
        kept.insert_edge(1, 0, To(NO_CHILD));
        assert_eq!((kept.edges(1), kept.edges(2)), (&[To(NO_CHILD), To(3)][..], &[To(3)][..]));
    }
}
