//! Writes the tree of a search from a node on, to a depth: as JSON, as rows of a table, and as a graph for Graphviz.
//!
//! A node to which several ways lead is written once, with the first of the shortest ones. So a graph is not unrolled, and
//! what is written is never more than the search holds.

use std::collections::HashMap;
use std::fmt::Write;

use serde_json::{Value, json};

use super::inspect::{ActionFacts, EdgeFacts, Inspect, NodeFacts, NodePath, PerSeat};

/// The most nodes, actions and edges that are written.
pub const MOST_ENTRIES: usize = 200_000;

/// What to write.
#[derive(Debug, Clone, Copy)]
pub struct Extent {
    /// Edges from the first node to the last ones.
    pub depth: usize,
    /// Visits of the edges to follow, at least.
    pub least_visits: u32,
}

/// The nodes within an extent; the first one is that from which they were collected.
pub struct Excerpt<'s> {
    search: &'s dyn Inspect,
    nodes: Vec<Entry>,
}

/// A node, with its number as an index into the nodes of the excerpt.
struct Entry {
    path: NodePath,
    depth: usize,
    /// The texts of the edges that lead to it from the first node.
    moves: Vec<String>,
    facts: NodeFacts,
    actions: Vec<ActionFacts>,
    /// Those that are followed, with the numbers of their nodes; none at the greatest depth.
    edges: Vec<(EdgeFacts, usize)>,
}

/// More than [`MOST_ENTRIES`] nodes, actions and edges are within an extent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooLarge;

impl<'s> Excerpt<'s> {
    /// Collects the nodes from a path on; `None` if the search has no node there.
    ///
    /// # Errors
    /// [`TooLarge`].
    pub fn collect(search: &'s dyn Inspect, from: &NodePath, extent: Extent) -> Result<Option<Self>, TooLarge> {
        let Some(first) = Entry::read(search, from.clone(), Vec::new()) else { return Ok(None) };
        let mut numbers = HashMap::from([(first.facts.id, 0)]);
        let mut entries = first.entries();
        let mut nodes = vec![first];
        let mut next = 0;
        while next < nodes.len() {
            for edge in nodes[next].followed(search, extent) {
                let (path, mut moves) = (nodes[next].path.behind(edge.key), nodes[next].moves.clone());
                let Some(facts) = search.node(&path) else { continue };
                let number = *numbers.entry(facts.id).or_insert(nodes.len());
                if number == nodes.len() {
                    moves.push(edge.text.clone());
                    let Some(entry) = Entry::read(search, path, moves) else { continue };
                    entries += entry.entries();
                    nodes.push(entry);
                }
                entries += 1;
                if entries > MOST_ENTRIES {
                    return Err(TooLarge);
                }
                nodes[next].edges.push((edge, number));
            }
            next += 1;
        }
        Ok(Some(Self { search, nodes }))
    }

    /// Everything, as a JSON object.
    #[must_use]
    pub fn json(&self) -> Value {
        let counters = self.search.counters();
        let nodes: Vec<Value> =
            self.nodes.iter().enumerate().map(|(number, node)| self.node(number, node)).collect();
        json!({
            "search": self.search.name(),
            "unit": self.search.unit().name(),
            "evaluations": counters.evaluations,
            "known": counters.known,
            "hits": counters.hits,
            "nodes": nodes,
        })
    }

    fn node(&self, number: usize, node: &Entry) -> Value {
        let actions: Vec<Value> = node.actions.iter().map(action_json).collect();
        let edges = node.edges.iter().map(|(edge, child)| with(self.edge(edge), [("node", json!(child))]));
        json!({
            "node": number,
            "depth": node.depth,
            "moves": node.moves,
            "kind": node.facts.kind.name(),
            "toAct": node.facts.to_act,
            "visits": node.facts.visits,
            "q": node.facts.q.as_ref().map(|q| self.seats(q)),
            "evaluation": node.facts.evaluation.as_ref().map(|values| self.seats(values)),
            "points": node.facts.points.as_ref().map(|points| self.seats(points)),
            "distance": node.facts.distance,
            "actions": actions,
            "edges": edges.collect::<Vec<Value>>(),
        })
    }

    fn edge(&self, edge: &EdgeFacts) -> Value {
        let reward = edge.reward.as_ref().map(|reward| self.seats(reward));
        json!({"move": edge.text, "visits": edge.visits, "q": self.seats(&edge.q), "reward": reward})
    }

    fn seats<'n>(&self, numbers: &'n PerSeat) -> &'n [f64] {
        &numbers[..self.search.seats()]
    }

    /// A row for each action of each node.
    #[must_use]
    pub fn action_rows(&self) -> Value {
        let rows = self.nodes.iter().enumerate().flat_map(|(number, node)| {
            node.actions.iter().map(move |action| with(node.path_json(number), members(action_json(action))))
        });
        rows.collect()
    }

    /// A row for each edge; numbers per seat have a column for each seat.
    #[must_use]
    pub fn edge_rows(&self) -> Value {
        let rows = self.nodes.iter().enumerate().flat_map(|(number, node)| {
            node.edges.iter().map(move |(edge, child)| {
                let path = with(node.path_json(number), [("move", json!(edge.text)), ("child", json!(child))]);
                let row = with(path, [("visits", json!(edge.visits))]);
                let per_seat = (0..self.search.seats()).flat_map(|seat| {
                    let reward = edge.reward.map(|reward| reward[seat]);
                    [(format!("q{seat}"), json!(edge.q[seat])), (format!("reward{seat}"), json!(reward))]
                });
                with(row, per_seat)
            })
        });
        rows.collect()
    }

    /// The nodes as a directed graph in the language of Graphviz: a box for each node with its visits and Q per seat, and
    /// an arrow for each edge with its move and visits.
    #[must_use]
    pub fn dot(&self) -> String {
        let mut text = String::from("digraph search {\n  node [shape=box, fontname=\"sans-serif\"];\n");
        for (number, node) in self.nodes.iter().enumerate() {
            let q = node.facts.q.as_ref().map_or_else(String::new, |q| {
                let numbers: Vec<String> = self.seats(q).iter().map(|value| format!("{value:.3}")).collect();
                format!("\\nQ {}", numbers.join(" "))
            });
            let kind = node.facts.kind.name();
            // Writing to a string cannot fail.
            let _ = writeln!(text, "  n{number} [label=\"{kind}\\n{} visits{q}\"];", node.facts.visits);
            for (edge, child) in &node.edges {
                let (text_of, visits) = (quoted(&edge.text), edge.visits);
                let _ = writeln!(text, "  n{number} -> n{child} [label=\"{text_of}\\n{visits}\"];");
            }
        }
        text.push_str("}\n");
        text
    }
}

impl Entry {
    fn read(search: &dyn Inspect, path: NodePath, moves: Vec<String>) -> Option<Self> {
        let (facts, actions) = (search.node(&path)?, search.actions(&path)?);
        Some(Self { path, depth: moves.len(), moves, facts, actions, edges: Vec::new() })
    }

    /// What it adds to the excerpt without its edges.
    fn entries(&self) -> usize {
        1 + self.actions.len()
    }

    /// The edges that an extent includes.
    fn followed(&self, search: &dyn Inspect, extent: Extent) -> Vec<EdgeFacts> {
        if self.depth >= extent.depth {
            return Vec::new();
        }
        let edges = search.edges(&self.path).unwrap_or_default();
        edges.into_iter().filter(|edge| edge.visits >= extent.least_visits).collect()
    }

    fn path_json(&self, number: usize) -> Value {
        json!({"node": number, "depth": self.depth, "moves": self.moves.join(" ")})
    }
}

fn action_json(action: &ActionFacts) -> Value {
    json!({
        "seat": action.seat,
        "action": action.text,
        "prior": action.prior,
        "visits": action.visits,
        "q": action.q,
        "u": action.u,
        "score": action.score,
        "amafVisits": action.amaf.map(|(visits, _)| visits),
        "amafQ": action.amaf.map(|(_, q)| q),
        "regret": action.regret.map(|(regret, _)| regret),
        "strategy": action.regret.map(|(_, strategy)| strategy),
    })
}

/// An object with more members.
fn with<N: Into<String>>(mut object: Value, more: impl IntoIterator<Item = (N, Value)>) -> Value {
    if let Value::Object(known) = &mut object {
        known.extend(more.into_iter().map(|(name, value)| (name.into(), value)));
    }
    object
}

fn members(object: Value) -> serde_json::Map<String, Value> {
    if let Value::Object(members) = object { members } else { serde_json::Map::new() }
}

/// A text within quotation marks of Graphviz.
fn quoted(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}
