//! The weights of the actions of each node, as a network gave them. They are kept, since a search cannot compute them
//! again when it lists more edges.

use crate::search::node_store::{NodeId, reserve};

/// Weights of the actions of nodes.
#[derive(Debug, Clone, Default)]
pub(super) struct Weights {
    all: Vec<f32>,
    /// For each node, where its weights begin and end; a node beyond has none.
    spans: Vec<(u32, u32)>,
}

impl Weights {
    /// Keeps the weights of a node, one per action in the game's order.
    pub(super) fn keep(&mut self, id: NodeId, weights: &[f32]) {
        let first = self.all.len();
        reserve(&mut self.all, weights.len());
        self.all.extend_from_slice(weights);
        let missing = (id as usize + 1).saturating_sub(self.spans.len());
        reserve(&mut self.spans, missing);
        self.spans.resize(self.spans.len() + missing, (0, 0));
        self.spans[id as usize] = (first as u32, self.all.len() as u32);
    }

    /// The weights of a node; none if none were kept.
    pub(super) fn of(&self, id: NodeId) -> &[f32] {
        let (first, end) = self.spans.get(id as usize).copied().unwrap_or_default();
        &self.all[first as usize..end as usize]
    }

    /// Those of nodes that get the numbers 0, 1, …
    pub(super) fn of_all(&self, ids: &[NodeId]) -> Self {
        let mut kept = Self::default();
        for (new, &id) in (0..).zip(ids) {
            if !self.of(id).is_empty() {
                kept.keep(new, self.of(id));
            }
        }
        kept
    }

    /// Memory used, in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.all.capacity() * size_of::<f32>() + self.spans.capacity() * size_of::<(u32, u32)>()
    }

    /// Memory for this number of nodes with so many actions each, in bytes.
    pub(super) fn bytes_for(nodes: usize, actions: usize) -> usize {
        nodes * (actions * size_of::<f32>() + size_of::<(u32, u32)>())
    }
}
