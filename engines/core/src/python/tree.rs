//! Python views of the trees of searches. A node is a path in the tree of its search and reads that tree whenever it is
//! asked; it copies nothing but the numbers that it returns.

use pyo3::exceptions::{PyImportError, PyLookupError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use pyo3::{PyTraverseError, PyVisit};

use super::BadConfig;
use super::json::to_python;
use super::searches::Search;
use crate::near_names::did_you_mean;
use crate::search::export::{Excerpt, Extent, MOST_ENTRIES, TooLarge};
use crate::search::inspect::{ActionFacts, Counters, EdgeFacts, Inspect, NodeFacts, NodePath, PerSeat};

/// What a search has done.
#[pyclass(module = "engines._core", frozen, get_all)]
pub(super) struct SearchCounters {
    evaluations: u64,
    known: u64,
    hits: u64,
    cache_hits: u64,
    nodes: usize,
    depth: u32,
}

impl SearchCounters {
    pub(super) fn new(counters: Counters, cache_hits: u64) -> Self {
        let Counters { evaluations, known, hits, nodes, depth } = counters;
        Self { evaluations, known, hits, cache_hits, nodes, depth }
    }
}

#[pymethods]
impl SearchCounters {
    fn __repr__(&self) -> String {
        let Self { evaluations, known, hits, cache_hits, nodes, depth } = self;
        format!(
            "<SearchCounters evaluations={evaluations} known={known} hits={hits} cache_hits={cache_hits} \
             nodes={nodes} depth={depth}>"
        )
    }
}

/// The action of a seat in a node.
#[pyclass(module = "engines._core", frozen, get_all)]
pub(super) struct SearchAction {
    seat: usize,
    action: String,
    prior: Option<f64>,
    visits: u32,
    q: Option<f64>,
    u: Option<f64>,
    score: Option<f64>,
    amaf_visits: Option<u32>,
    amaf_q: Option<f64>,
    regret: Option<f64>,
    strategy: Option<f64>,
}

impl SearchAction {
    fn new(facts: ActionFacts) -> Self {
        Self {
            seat: facts.seat,
            action: facts.text,
            prior: facts.prior,
            visits: facts.visits,
            q: facts.q,
            u: facts.u,
            score: facts.score,
            amaf_visits: facts.amaf.map(|(visits, _)| visits),
            amaf_q: facts.amaf.map(|(_, q)| q),
            regret: facts.regret.map(|(regret, _)| regret),
            strategy: facts.regret.map(|(_, strategy)| strategy),
        }
    }
}

#[pymethods]
impl SearchAction {
    fn __repr__(&self) -> String {
        let q = self.q.map_or_else(|| "None".into(), |q| format!("{q:.3}"));
        format!("<SearchAction {} of seat {}: {} visits, q={q}>", self.action, self.seat, self.visits)
    }
}

/// An edge of a node.
#[pyclass(module = "engines._core", frozen, get_all)]
pub(super) struct SearchEdge {
    r#move: String,
    visits: u32,
    q: Vec<f64>,
    reward: Option<Vec<f64>>,
    node: Py<SearchNode>,
}

#[pymethods]
impl SearchEdge {
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.node)
    }

    fn __repr__(&self) -> String {
        format!("<SearchEdge {}: {} visits>", self.r#move, self.visits)
    }
}

/// A node of a search.
#[pyclass(module = "engines._core", frozen)]
pub(super) struct SearchNode {
    search: Py<Search>,
    /// The number of moves that the search had followed.
    generation: u64,
    path: NodePath,
    moves: Vec<String>,
}

/// The numbers of the seats of a game.
fn of_seats(numbers: &PerSeat, seats: usize) -> Vec<f64> {
    numbers[..seats].to_vec()
}

impl SearchNode {
    /// The root of a search, in the tree of a deal or in all trees together.
    pub(super) fn root(search: Bound<'_, Search>, deal: Option<usize>) -> PyResult<Self> {
        let (py, path) = (search.py(), NodePath { deal, edges: Vec::new() });
        let opened = search.get();
        let generation = opened.inspect(py, |_| opened.generation())?;
        Ok(Self { search: search.unbind(), generation, path, moves: Vec::new() })
    }

    /// The node behind an edge.
    fn behind(&self, py: Python<'_>, edge: &EdgeFacts) -> Self {
        let moves = self.moves.iter().chain([&edge.text]).cloned().collect();
        let (search, generation) = (self.search.clone_ref(py), self.generation);
        Self { search, generation, path: self.path.behind(edge.key), moves }
    }

    /// What a search that has not moved on says; LookupError if it has, or if it has no node here.
    fn read<T: Send>(
        &self,
        py: Python<'_>,
        look: impl FnOnce(&dyn Inspect, &NodePath) -> Option<T> + Send,
    ) -> PyResult<T> {
        let (search, path) = (self.search.get(), &self.path);
        let found = search.inspect(py, |inspect| {
            let is_current = search.generation() == self.generation;
            (is_current, if is_current { look(inspect, path) } else { None })
        })?;
        match found {
            (_, Some(found)) => Ok(found),
            (false, None) => {
                Err(PyLookupError::new_err("the search has followed a move since: take its root again"))
            }
            (true, None) => Err(PyLookupError::new_err("the search has no such node any more")),
        }
    }

    fn facts(&self, py: Python<'_>) -> PyResult<NodeFacts> {
        self.read(py, |search, path| search.node(path))
    }

    fn seats(&self) -> usize {
        self.search.get().seats
    }

    fn edge_facts(&self, py: Python<'_>) -> PyResult<Vec<EdgeFacts>> {
        self.read(py, |search, path| search.edges(path))
    }

    fn edge(&self, py: Python<'_>, facts: EdgeFacts) -> PyResult<SearchEdge> {
        Ok(SearchEdge {
            node: Py::new(py, self.behind(py, &facts))?,
            visits: facts.visits,
            q: of_seats(&facts.q, self.seats()),
            reward: facts.reward.map(|reward| of_seats(&reward, self.seats())),
            r#move: facts.text,
        })
    }

    /// What `write` makes of the nodes to a depth.
    fn exported<T: Send>(
        &self,
        py: Python<'_>,
        depth: usize,
        min_visits: u32,
        write: impl FnOnce(&Excerpt<'_>) -> T + Send,
    ) -> PyResult<T> {
        let extent = Extent { depth, least_visits: min_visits };
        let written = self.read(py, |search, path| match Excerpt::collect(search, path, extent) {
            Ok(excerpt) => Some(Ok(write(&excerpt?))),
            Err(TooLarge) => Some(Err(TooLarge)),
        })?;
        written.map_err(|TooLarge| {
            PyValueError::new_err(format!(
                "more than {MOST_ENTRIES} nodes, actions and edges: ask for less depth or for more visits"
            ))
        })
    }
}

#[pymethods]
impl SearchNode {
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.search)
    }

    #[getter]
    fn id(&self, py: Python<'_>) -> PyResult<u64> {
        Ok(self.facts(py)?.id)
    }

    #[getter]
    fn moves(&self) -> Vec<String> {
        self.moves.clone()
    }

    #[getter]
    fn depth(&self) -> usize {
        self.moves.len()
    }

    #[getter]
    fn kind(&self, py: Python<'_>) -> PyResult<&'static str> {
        Ok(self.facts(py)?.kind.name())
    }

    #[getter]
    fn unit(&self, py: Python<'_>) -> PyResult<&'static str> {
        self.read(py, |search, _| Some(search.unit().name()))
    }

    #[getter]
    fn to_act(&self, py: Python<'_>) -> PyResult<Vec<usize>> {
        Ok(self.facts(py)?.to_act)
    }

    #[getter]
    fn visits(&self, py: Python<'_>) -> PyResult<u32> {
        Ok(self.facts(py)?.visits)
    }

    #[getter]
    fn q(&self, py: Python<'_>) -> PyResult<Option<Vec<f64>>> {
        Ok(self.facts(py)?.q.map(|q| of_seats(&q, self.seats())))
    }

    #[getter]
    fn evaluation(&self, py: Python<'_>) -> PyResult<Option<Vec<f64>>> {
        Ok(self.facts(py)?.evaluation.map(|values| of_seats(&values, self.seats())))
    }

    #[getter]
    fn points(&self, py: Python<'_>) -> PyResult<Option<Vec<f64>>> {
        Ok(self.facts(py)?.points.map(|points| of_seats(&points, self.seats())))
    }

    #[getter]
    fn distance(&self, py: Python<'_>) -> PyResult<Option<u32>> {
        Ok(self.facts(py)?.distance)
    }

    #[getter]
    fn actions(&self, py: Python<'_>) -> PyResult<Vec<SearchAction>> {
        let actions = self.read(py, |search, path| search.actions(path))?;
        Ok(actions.into_iter().map(SearchAction::new).collect())
    }

    #[getter]
    fn edges(&self, py: Python<'_>) -> PyResult<Vec<SearchEdge>> {
        self.edge_facts(py)?.into_iter().map(|edge| self.edge(py, edge)).collect()
    }

    #[getter]
    fn children(&self, py: Python<'_>) -> PyResult<Vec<Self>> {
        Ok(self.edge_facts(py)?.iter().map(|edge| self.behind(py, edge)).collect())
    }

    fn child(&self, py: Python<'_>, r#move: &str) -> PyResult<Self> {
        let edges = self.edge_facts(py)?;
        if let Some(edge) = edges.iter().find(|edge| edge.text == r#move) {
            return Ok(self.behind(py, edge));
        }
        let known: Vec<&str> = edges.iter().map(|edge| edge.text.as_str()).collect();
        let hint = if known.is_empty() { String::new() } else { did_you_mean(r#move, &known) };
        Err(PyLookupError::new_err(format!("the node has no visited move '{move}'{hint}", r#move = r#move)))
    }

    #[pyo3(signature = (moves = 10))]
    fn principal_variation(&self, py: Python<'_>, moves: usize) -> PyResult<Vec<SearchEdge>> {
        let (mut edges, mut at) = (Vec::new(), None::<Py<Self>>);
        while edges.len() < moves {
            let node = at.as_ref().map_or(self, |node| node.get());
            let best = node.read(py, |search, path| {
                let best = search.best(path);
                Some(search.edges(path)?.into_iter().find(|edge| Some(edge.key) == best))
            })?;
            let Some(best) = best else { break };
            let edge = node.edge(py, best)?;
            at = Some(edge.node.clone_ref(py));
            edges.push(edge);
        }
        Ok(edges)
    }

    #[pyo3(signature = (depth = 1, *, min_visits = 1))]
    fn to_json(&self, py: Python<'_>, depth: usize, min_visits: u32) -> PyResult<String> {
        self.exported(py, depth, min_visits, |excerpt| excerpt.json().to_string())
    }

    #[pyo3(signature = (depth = 1, *, min_visits = 1))]
    fn to_dot(&self, py: Python<'_>, depth: usize, min_visits: u32) -> PyResult<String> {
        self.exported(py, depth, min_visits, |excerpt| excerpt.dot())
    }

    #[pyo3(signature = (depth = 1, *, rows = "actions", min_visits = 1))]
    fn to_dataframe<'py>(
        &self,
        py: Python<'py>,
        depth: usize,
        rows: &str,
        min_visits: u32,
    ) -> PyResult<Bound<'py, PyAny>> {
        let written = match rows {
            "actions" => self.exported(py, depth, min_visits, |excerpt| excerpt.action_rows())?,
            "edges" => self.exported(py, depth, min_visits, |excerpt| excerpt.edge_rows())?,
            _ => return Err(BadConfig::new_err("rows must be one of actions, edges")),
        };
        let pandas = py
            .import("pandas")
            .map_err(|_| PyImportError::new_err("to_dataframe needs pandas: pip install pandas"))?;
        let arguments = PyDict::new(py);
        arguments.set_item("data", to_python(py, &written)?)?;
        pandas.getattr("DataFrame")?.call((), Some(&arguments))
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let way = if self.moves.is_empty() { "root".into() } else { self.moves.join(" ") };
        match self.facts(py) {
            Ok(facts) => format!("<SearchNode {way}: {} visits, {}>", facts.visits, facts.kind.name()),
            Err(_) => format!("<SearchNode {way}: gone>"),
        }
    }
}
