//! Python wrappers of searches, evaluation caches and batches.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use numpy::{PyReadonlyArray2, PyReadwriteArray1, PyReadwriteArray3, PyReadwriteArray4, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::{Position, to_json};
use crate::batch::{self, lock};
use crate::cache;
use crate::planes::Signature;
use crate::rules::Values;
use crate::search::{self, Driver, Focus, SearchSpec};

#[pyclass(module = "engines._core", frozen, get_all)]
pub(super) struct Line {
    r#move: String,
    visits: u32,
    value: f32,
    pv: Vec<String>,
    points: Option<Vec<f32>>,
}

#[pyclass(module = "engines._core", frozen)]
pub(super) struct Report {
    report: search::Report,
    seats: usize,
}

#[pymethods]
impl Report {
    #[getter]
    fn best_move(&self) -> Option<&str> {
        self.report.best_move.as_deref()
    }

    #[getter]
    fn values(&self) -> &[f32] {
        &self.report.values[..self.seats]
    }

    #[getter]
    fn points(&self) -> Option<Vec<f32>> {
        self.of_seats(self.report.points)
    }

    #[getter]
    fn policies(&self) -> Vec<search::Policy> {
        self.report.policies.clone()
    }

    #[getter]
    fn visits(&self) -> u32 {
        self.report.visits
    }

    #[getter]
    fn inherited(&self) -> u32 {
        self.report.inherited
    }

    #[getter]
    fn nodes(&self) -> usize {
        self.report.nodes
    }

    #[getter]
    fn depth(&self) -> u32 {
        self.report.depth
    }

    #[getter]
    fn lines(&self) -> Vec<Line> {
        let line = |line: &search::Line| Line {
            r#move: line.text.clone(),
            visits: line.visits,
            value: line.value,
            pv: line.pv.clone(),
            points: self.of_seats(line.points),
        };
        self.report.lines.iter().map(line).collect()
    }
}

impl Report {
    fn of_seats(&self, numbers: Option<Values>) -> Option<Vec<f32>> {
        numbers.map(|numbers| numbers[..self.seats].to_vec())
    }
}

#[pyclass(module = "engines._core", frozen)]
pub(super) struct Search {
    shared: batch::Shared,
    seats: usize,
    interrupted: AtomicBool,
}

#[pymethods]
impl Search {
    #[new]
    #[pyo3(signature = (position, evaluator = "native", options = None, seed = 0))]
    fn new(
        py: Python<'_>,
        position: &Position,
        evaluator: &str,
        options: Option<&Bound<'_, PyAny>>,
        seed: u64,
    ) -> PyResult<Self> {
        let spec = SearchSpec { evaluator: evaluator.into(), options: to_json(options)?, seed };
        let search = py.detach(|| position.inner.search(&spec))?;
        let shared = Arc::new(Mutex::new(search));
        Ok(Self { shared, seats: position.inner.seats(), interrupted: AtomicBool::new(false) })
    }

    #[pyo3(signature = (simulations, milliseconds = None))]
    fn run(&self, py: Python<'_>, simulations: u32, milliseconds: Option<u32>) -> PyResult<u32> {
        py.detach(|| {
            let mut search = lock(&self.shared);
            let Driver::SelfEvaluating(search) = search.driver() else {
                return Err(PyValueError::new_err("the evaluations of this search come in batches"));
            };
            let ends = milliseconds.map(|time| Instant::now() + Duration::from_millis(time.into()));
            let (mut done, step) = (0, search.step());
            loop {
                let ran = search.run(step.min(simulations - done));
                done += ran;
                let late = ends.is_some_and(|end| Instant::now() >= end);
                if ran == 0 || done >= simulations || late || self.interrupted.swap(false, Ordering::Relaxed) {
                    return Ok(done);
                }
            }
        })
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
        Ok(py.detach(|| lock(&self.shared).advance(r#move))?)
    }

    #[pyo3(signature = (lines = 1))]
    fn report(&self, py: Python<'_>, lines: usize) -> Report {
        Report { report: py.detach(|| lock(&self.shared).report(lines)), seats: self.seats }
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
        py.detach(|| lock(&self.shared).visits())
    }

    #[getter]
    fn bytes(&self, py: Python<'_>) -> usize {
        py.detach(|| lock(&self.shared).bytes())
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
