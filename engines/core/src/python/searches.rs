//! Python wrappers of searches, evaluation caches and batches.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use numpy::{PyReadonlyArray2, PyReadwriteArray1, PyReadwriteArray3, PyReadwriteArray4, PyUntypedArrayMethods};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use pyo3::{PyTraverseError, PyVisit, intern};
use serde_json::Value;

use super::BadConfig;
use super::evaluators::{BATCH, CACHE, PythonEvaluator};
use super::json::{joined, to_json};
use super::positions::Position;
use super::reports::Report;
use super::tree::{SearchCounters, SearchNode};
use crate::batch::{self, lock};
use crate::cache;
use crate::planes::Signature;
use crate::rules::RuleError;
use crate::search::inspect::Inspect;
use crate::search::{self, Driver, Focus, SearchSpec};

/// How long a search runs before handlers of signals get their turn.
const SIGNALS: Duration = Duration::from_millis(50);

#[pyclass(module = "engines._core", frozen)]
pub(super) struct Search {
    pub(super) shared: batch::Shared,
    /// Number of moves that the search has followed: nodes of its tree belong to one of them. Changes while locked.
    generation: AtomicU64,
    pub(super) seats: usize,
    interrupted: AtomicBool,
    evaluator: Option<PythonEvaluator>,
    /// Whether a run with the evaluator in Python is in progress.
    running: AtomicBool,
}

/// What evaluates the leaves of a search.
#[derive(FromPyObject)]
enum Evaluator {
    #[pyo3(transparent, annotation = "str")]
    Named(String),
    #[pyo3(transparent, annotation = "callable")]
    Python(Py<PyAny>),
}

impl Search {
    fn of(search: Box<dyn search::Search>, seats: usize, evaluator: Option<PythonEvaluator>) -> Self {
        Self {
            shared: Arc::new(Mutex::new(search)),
            generation: AtomicU64::new(0),
            seats,
            interrupted: AtomicBool::new(false),
            evaluator,
            running: AtomicBool::new(false),
        }
    }

    /// Number of moves that the search has followed, for those who have locked it.
    pub(super) fn generation(&self) -> u64 {
        self.generation.load(Ordering::Relaxed)
    }

    /// Asks the search for a number. Keeps the GIL if no other thread runs the search: giving it up takes longer, and
    /// lets other threads take turns.
    fn ask<T: Send>(&self, py: Python<'_>, question: fn(&dyn search::Search) -> T) -> T {
        match self.shared.try_lock() {
            Ok(search) => question(&**search),
            Err(_) => py.detach(|| question(&**lock(&self.shared))),
        }
    }

    /// Looks into the tree. Waits without the GIL until no other thread runs the search.
    pub(super) fn inspect<T: Send>(
        &self,
        py: Python<'_>,
        look: impl FnOnce(&dyn Inspect) -> T + Send,
    ) -> PyResult<T> {
        py.detach(|| match lock(&self.shared).inspect() {
            Some(search) => Ok(look(search)),
            None => Err(BadConfig::new_err("this search keeps no tree to look into: puct, uct and mcgs do")),
        })
    }

    /// Runs the search with its own evaluator. In the main thread, it stops every now and then for the handlers of
    /// signals, which may look at the search; if one raises, as that of Ctrl-C does, the search keeps what it has done.
    fn run_alone(&self, simulations: u32, is_main: bool, is_over: impl Fn() -> bool) -> PyResult<u32> {
        let mut done = 0;
        loop {
            let mut search = lock(&self.shared);
            let Driver::SelfEvaluating(running) = search.driver() else {
                return Err(PyValueError::new_err("the evaluations of this search come in batches"));
            };
            let (began, step) = (Instant::now(), running.step());
            while !is_main || began.elapsed() < SIGNALS {
                let ran = running.run(step.min(simulations - done));
                done += ran;
                if ran == 0 || done >= simulations || is_over() {
                    return Ok(done);
                }
            }
            drop(search);
            Python::attach(|py| py.check_signals())?;
        }
    }

    /// Runs the search with an evaluator in Python.
    fn run_with(
        &self,
        py: Python<'_>,
        evaluator: &PythonEvaluator,
        simulations: u32,
        is_over: impl Fn() -> bool,
    ) -> PyResult<u32> {
        if self.running.swap(true, Ordering::Acquire) {
            return Err(PyRuntimeError::new_err("this search is running already"));
        }
        let _running = Running(&self.running);
        evaluator.run(py, &self.shared, simulations, is_over)
    }
}

/// Python runs the handlers of signals in this thread only.
fn is_main_thread(py: Python<'_>) -> PyResult<bool> {
    let threading = py.import(intern!(py, "threading"))?;
    let main = threading.call_method0(intern!(py, "main_thread"))?.getattr(intern!(py, "ident"))?;
    threading.call_method0(intern!(py, "get_ident"))?.eq(main)
}

/// Marks a search as no longer running when it goes, also in a panic.
struct Running<'s>(&'s AtomicBool);

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Release);
    }
}

/// The options of a search: those of a mapping, and those given by name.
fn all_options(options: Option<&Bound<'_, PyAny>>, named: Option<&Bound<'_, PyDict>>) -> PyResult<Value> {
    let options = to_json(options)?;
    let Some(named) = named.filter(|named| !named.is_empty()) else { return Ok(options) };
    let named = to_json(Some(named))?;
    match (&options, named.as_object()) {
        (Value::Null | Value::Object(_), Some(members)) => {
            if let Some(name) = members.keys().find(|name| options.get(name.as_str()).is_some()) {
                return Err(BadConfig::new_err(format!("search option {name} is given twice")));
            }
            Ok(joined([options, named]))
        }
        _ => Err(BadConfig::new_err("search options are an object")),
    }
}

#[pymethods]
impl Search {
    #[new]
    #[pyo3(
        signature = (
            position, evaluator = Evaluator::Named("native".into()), options = None, seed = 0, *, batch = None,
            cache = None, **parameters
        ),
        text_signature = "(position, evaluator='native', options=None, seed=0, *, batch=None, cache=None, **parameters)"
    )]
    #[expect(clippy::too_many_arguments, reason = "they have names in Python")]
    fn new(
        py: Python<'_>,
        position: &Position,
        evaluator: Evaluator,
        options: Option<&Bound<'_, PyAny>>,
        seed: u64,
        batch: Option<usize>,
        cache: Option<usize>,
        parameters: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let options = all_options(options, parameters)?;
        let (name, call) = match evaluator {
            Evaluator::Named(name) => (name, None),
            Evaluator::Python(call) => ("planes".into(), Some(call)),
        };
        let signature = match &call {
            None if batch.is_some() || cache.is_some() => {
                return Err(BadConfig::new_err("batch and cache are for evaluators in Python"));
            }
            None => None,
            Some(call) if !call.bind(py).is_callable() => {
                return Err(BadConfig::new_err("an evaluator is a name or a callable"));
            }
            Some(_) => {
                let game = position.game.name;
                let found = position.inner.flat_shape(None).map_err(|refusal| {
                    BadConfig::new_err(format!("{game} has no planes for evaluators in Python: {refusal}"))
                });
                Some(found?.0)
            }
        };
        let spec = SearchSpec { evaluator: name, options, seed };
        let mut search = py.detach(|| position.inner.search(&spec))?;
        let takes_policy = match search.driver() {
            Driver::Batched(search) => search.takes_policy(),
            Driver::SelfEvaluating(_) if call.is_some() => {
                return Err(BadConfig::new_err(
                    "the evaluator is a callable, but search option eval names another one",
                ));
            }
            Driver::SelfEvaluating(_) => false,
        };
        let evaluator = call.zip(signature).map(|(call, signature)| {
            let in_points = position.inner.points_unit().is_some();
            let (batch, cache) = (batch.unwrap_or(BATCH), cache.unwrap_or(CACHE));
            PythonEvaluator::new(call.bind(py), signature, in_points, takes_policy, batch, cache)
        });
        Ok(Self::of(search, position.inner.seats(), evaluator.transpose()?))
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.evaluator.as_ref().map_or(Ok(()), |evaluator| evaluator.traverse(&visit))
    }

    fn __clear__(&self) {
        if let Some(evaluator) = &self.evaluator {
            evaluator.clear();
        }
    }

    fn copy(&self, py: Python<'_>) -> PyResult<Self> {
        let search = py.detach(|| lock(&self.shared).copy())?;
        Ok(Self::of(search, self.seats, self.evaluator.as_ref().map(|evaluator| evaluator.copy(py))))
    }

    #[getter]
    fn root(slf: Bound<'_, Self>) -> PyResult<SearchNode> {
        SearchNode::root(slf, None)
    }

    #[getter]
    fn deals(slf: Bound<'_, Self>) -> PyResult<Vec<SearchNode>> {
        let deals = slf.get().inspect(slf.py(), |search| search.deals())?;
        (0..deals).map(|deal| SearchNode::root(slf.clone(), Some(deal))).collect()
    }

    #[getter]
    fn counters(&self, py: Python<'_>) -> PyResult<SearchCounters> {
        let counters = self.inspect(py, |search| search.counters())?;
        Ok(SearchCounters::new(counters, self.evaluator.as_ref().map_or(0, PythonEvaluator::hits)))
    }

    #[pyo3(signature = (simulations, milliseconds = None))]
    fn run(&self, py: Python<'_>, simulations: u32, milliseconds: Option<u32>) -> PyResult<u32> {
        let ends = milliseconds.map(|time| Instant::now() + Duration::from_millis(time.into()));
        let is_over = || {
            let late = ends.is_some_and(|end| Instant::now() >= end);
            late || self.interrupted.swap(false, Ordering::Relaxed)
        };
        match &self.evaluator {
            Some(evaluator) => self.run_with(py, evaluator, simulations, is_over),
            None => {
                let is_main = is_main_thread(py)?;
                py.detach(|| self.run_alone(simulations, is_main, is_over))
            }
        }
    }

    fn interrupt(&self) {
        self.interrupted.store(true, Ordering::Relaxed);
    }

    fn focus(&self, py: Python<'_>) -> bool {
        py.detach(|| lock(&self.shared).focusing().is_some_and(Focus::focus))
    }

    #[getter]
    fn focus_visits(&self, py: Python<'_>) -> u32 {
        py.detach(|| {
            let mut search = lock(&self.shared);
            let behind = search.focusing().map(|focusing| focusing.focus_visits());
            behind.unwrap_or_else(|| search.visits())
        })
    }

    fn unfocus(&self, py: Python<'_>) {
        py.detach(|| {
            if let Some(focusing) = lock(&self.shared).focusing() {
                focusing.unfocus();
            }
        });
    }

    fn advance(&self, py: Python<'_>, r#move: &str) -> PyResult<()> {
        Ok(py.detach(|| {
            let mut search = lock(&self.shared);
            search.advance(r#move)?;
            self.generation.fetch_add(1, Ordering::Relaxed);
            Ok::<_, RuleError>(())
        })?)
    }

    fn look_ahead(&self, py: Python<'_>, moves: Vec<String>) -> PyResult<bool> {
        Ok(py.detach(|| lock(&self.shared).look_ahead(&moves))?)
    }

    #[pyo3(signature = (lines = 1))]
    fn report(&self, py: Python<'_>, lines: usize) -> Report {
        Report::of(py.detach(|| lock(&self.shared).report(lines)), self.seats)
    }

    fn example(
        &self,
        py: Python<'_>,
        values: usize,
        mut planes: PyReadwriteArray3<'_, f32>,
        mut policy: PyReadwriteArray1<'_, f32>,
    ) -> PyResult<Option<Vec<f32>>> {
        let &[count, dim2, dim3] = planes.shape() else { return Err(PyValueError::new_err("planes have 3 axes")) };
        let signature = Signature { planes: count, dim2, dim3, policy: policy.len(), values };
        let (planes, policy) = (planes.as_slice_mut()?, policy.as_slice_mut()?);
        let found = py.detach(|| lock(&self.shared).example(&signature, planes, policy));
        Ok(found.map(|values| values[..self.seats].to_vec()))
    }

    #[getter]
    fn visits(&self, py: Python<'_>) -> u32 {
        self.ask(py, |search| search.visits())
    }

    #[getter]
    fn bytes(&self, py: Python<'_>) -> usize {
        self.ask(py, |search| search.bytes())
    }

    fn bytes_for(&self, py: Python<'_>, simulations: u32) -> usize {
        py.detach(|| lock(&self.shared).bytes_for(simulations))
    }
}

#[pyclass(module = "engines._core", frozen)]
pub(super) struct Cache(Arc<cache::Cache>);

#[pymethods]
impl Cache {
    #[new]
    fn new(capacity: usize) -> Self {
        Self(Arc::new(cache::Cache::new(capacity)))
    }

    #[getter]
    fn capacity(&self) -> usize {
        self.0.capacity()
    }

    #[getter]
    fn hits(&self) -> u64 {
        self.0.hits()
    }

    #[getter]
    fn misses(&self) -> u64 {
        self.0.misses()
    }

    fn __len__(&self, py: Python<'_>) -> usize {
        py.detach(|| self.0.len())
    }
}

#[pyclass(module = "engines._core", frozen)]
pub(super) struct Batch {
    signature: Signature,
    inner: Mutex<batch::Batch>,
}

impl Batch {
    fn locked(&self) -> std::sync::MutexGuard<'_, batch::Batch> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl Batch {
    #[new]
    fn new(planes: usize, dim2: usize, dim3: usize, policy: usize, values: usize, cache: &Cache) -> Self {
        let signature = Signature { planes, dim2, dim3, policy, values };
        Self { signature, inner: Mutex::new(batch::Batch::new(signature, Arc::clone(&cache.0))) }
    }

    fn gather(
        &self,
        py: Python<'_>,
        searches: Vec<Py<Search>>,
        wanted: Vec<u32>,
        parallel: usize,
        mut planes: PyReadwriteArray4<'_, f32>,
    ) -> PyResult<usize> {
        let Signature { planes: count, dim2, dim3, .. } = self.signature;
        if searches.len() != wanted.len() {
            return Err(PyValueError::new_err("one number of simulations per search is needed"));
        }
        if planes.shape()[1..] != [count, dim2, dim3] {
            return Err(PyValueError::new_err(format!("a row is not of shape [{count}, {dim2}, {dim3}]")));
        }
        let searches: Vec<(batch::Shared, u32)> =
            searches.iter().map(|search| Arc::clone(&search.get().shared)).zip(wanted).collect();
        let buffer = planes.as_slice_mut()?;
        Ok(py.detach(|| {
            let mut batch = self.locked();
            batch.gather(&searches, parallel, buffer);
            batch.rows()
        }))
    }

    fn scatter(
        &self,
        py: Python<'_>,
        priors: PyReadonlyArray2<'_, f32>,
        values: PyReadonlyArray2<'_, f32>,
    ) -> PyResult<Vec<u32>> {
        let (rows, signature) = (py.detach(|| self.locked().rows()), self.signature);
        for (name, shape, width) in
            [("priors", priors.shape(), signature.policy), ("values", values.shape(), signature.values)]
        {
            if shape != [rows, width] {
                return Err(PyValueError::new_err(format!("{name} has shape {shape:?}, not [{rows}, {width}]")));
            }
        }
        let (priors, values) = (priors.as_slice()?, values.as_slice()?);
        py.detach(|| {
            if !priors.iter().chain(values).all(|number| number.is_finite()) {
                return Err(PyValueError::new_err("priors or values are NaN or infinite"));
            }
            Ok(self.locked().scatter(priors, values))
        })
    }

    fn cancel(&self, py: Python<'_>) {
        py.detach(|| self.locked().cancel());
    }
}
