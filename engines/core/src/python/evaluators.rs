//! Evaluators written in Python: a callable that gets the planes of several leaves at once as a numpy array.
//!
//! The search runs without the GIL and without being locked while the callable runs, so that the callable may look at
//! the search. What it returns is checked before the search gets any of it; whatever it raises ends that run only.

use std::ops::RangeInclusive;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use numpy::{PyArray1, PyArrayMethods, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::exceptions::{PyException, PyRuntimeError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use pyo3::{PyTraverseError, PyVisit, create_exception, intern};

use super::BadConfig;
use crate::batch::{Batch, Shared};
use crate::cache::Cache;
use crate::planes::Signature;

create_exception!(engines._core, EvaluatorError, PyRuntimeError);

/// Leaves for each call if the caller names no number.
pub(super) const BATCH: usize = 16;

/// Evaluations that a search keeps if the caller names no number.
pub(super) const CACHE: usize = 10_000;

/// The most leaves for each call.
const MOST: usize = 4096;

/// The most evaluations that a search keeps.
const MOST_KEPT: usize = 10_000_000;

/// Probabilities and values may be this far beyond their range, as rounding leaves them.
const ROUNDING: f32 = 1e-3;

/// A callable, and what it gets and returns.
pub(super) struct PythonEvaluator {
    /// `None` once the garbage collector has broken a cycle: the callable may own its search.
    call: Mutex<Option<Py<PyAny>>>,
    /// What the callable is called.
    name: String,
    signature: Signature,
    /// Of values: results, or shares of the points that can still be won.
    range: RangeInclusive<f32>,
    batch: usize,
    /// Of this search alone: what others return for the same position may have other parts.
    cache: Arc<Cache>,
}

/// What a callable returned for the rows of a batch.
struct Answer {
    /// Empty if the search takes no policy.
    policy: Vec<f32>,
    values: Vec<f32>,
}

impl PythonEvaluator {
    /// An evaluator of positions with planes of these shapes, whose values are points or results. `takes_policy`: whether
    /// the search needs priors.
    pub(super) fn new(
        call: &Bound<'_, PyAny>,
        signature: Signature,
        in_points: bool,
        takes_policy: bool,
        batch: usize,
        cache: usize,
    ) -> PyResult<Self> {
        if !(1..=MOST).contains(&batch) {
            return Err(BadConfig::new_err(format!("batch must be a whole number in 1..{MOST}")));
        }
        if cache > MOST_KEPT {
            return Err(BadConfig::new_err(format!("cache must be a whole number in 0..{MOST_KEPT}")));
        }
        let cache = Arc::new(Cache::new(cache));
        let policy = if takes_policy { signature.policy } else { 0 };
        let name = call.getattr("__name__").or_else(|_| call.get_type().getattr("__name__"))?.to_string();
        let range = if in_points { 0.0..=1.0 } else { -1.0..=1.0 };
        let signature = Signature { policy, ..signature };
        Ok(Self { call: Mutex::new(Some(call.clone().unbind())), name, signature, range, batch, cache })
    }

    /// Evaluations that it kept and gave again, since the search was opened.
    pub(super) fn hits(&self) -> u64 {
        self.cache.hits()
    }

    /// The same for a copy of the search.
    pub(super) fn copy(&self, py: Python<'_>) -> Self {
        let cache = Arc::clone(&self.cache);
        let call = Mutex::new(self.callable().as_ref().map(|call| call.clone_ref(py)));
        let (name, range) = (self.name.clone(), self.range.clone());
        Self { call, name, signature: self.signature, range, batch: self.batch, cache }
    }

    /// Held for a moment only.
    fn callable(&self) -> MutexGuard<'_, Option<Py<PyAny>>> {
        self.call.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Shows the callable to the garbage collector.
    pub(super) fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        // The collector must not wait; nobody holds the lock for longer than it takes to copy a reference.
        self.call.try_lock().map_or(Ok(()), |call| visit.call(&*call))
    }

    /// Lets go of the callable.
    pub(super) fn clear(&self) {
        let call = self.callable().take();
        drop(call);
    }

    /// Runs up to `simulations` of a search, until `is_over` says so after a batch; returns their number.
    pub(super) fn run(
        &self,
        py: Python<'_>,
        search: &Shared,
        simulations: u32,
        is_over: impl Fn() -> bool,
    ) -> PyResult<u32> {
        let mut leaves = Batch::new(self.signature, Arc::clone(&self.cache));
        let mut planes = vec![0.0; self.batch * self.signature.input_len()];
        let mut done = 0;
        while done < simulations {
            let wanted = [(Arc::clone(search), simulations - done)];
            py.detach(|| leaves.gather(&wanted, self.batch, &mut planes));
            let rows = leaves.rows();
            let answer = match self.answer(py, &planes[..rows * self.signature.input_len()], rows) {
                Ok(answer) => answer,
                Err(error) => {
                    py.detach(|| leaves.cancel());
                    return Err(error);
                }
            };
            let ran: u32 = py.detach(|| leaves.scatter(&answer.policy, &answer.values)).iter().sum();
            done += ran;
            if ran == 0 || is_over() {
                break;
            }
        }
        Ok(done)
    }

    /// What the callable says about these rows.
    fn answer(&self, py: Python<'_>, planes: &[f32], rows: usize) -> PyResult<Answer> {
        if rows == 0 {
            return Ok(Answer { policy: Vec::new(), values: Vec::new() });
        }
        let Signature { planes: count, dim2, dim3, .. } = self.signature;
        let batch = PyArray1::from_slice(py, planes).reshape([rows, count, dim2, dim3])?;
        let Some(call) = self.callable().as_ref().map(|call| call.clone_ref(py)) else {
            return Err(self.error("was collected as garbage"));
        };
        let returned = call.bind(py).call1((batch,)).map_err(|error| self.blamed(py, "raised", error))?;
        let (policy, values) = self.parts(&returned)?;
        let policy = match policy {
            Some(policy) => self.numbers(&policy, "policy", [rows, self.signature.policy], &(0.0..=1.0))?,
            None => Vec::new(),
        };
        let values = self.numbers(&values, "values", [rows, self.signature.values], &self.range)?;
        Ok(Answer { policy, values })
    }

    /// The policy, if the search takes one, and the values.
    fn parts<'py>(
        &self,
        returned: &Bound<'py, PyAny>,
    ) -> PyResult<(Option<Bound<'py, PyAny>>, Bound<'py, PyAny>)> {
        let pair = returned.cast::<PyTuple>().ok().filter(|pair| pair.len() == 2);
        match (pair, self.signature.policy) {
            (Some(pair), 0) => Ok((None, pair.get_item(1)?)),
            (Some(pair), _) => Ok((Some(pair.get_item(0)?), pair.get_item(1)?)),
            (None, 0) => Ok((None, returned.clone())),
            (None, _) => {
                let found = returned.get_type().name()?;
                Err(self.error(&format!("returned {found}, not (policy, values)")))
            }
        }
    }

    /// The numbers of an array of this shape, all of them in this range.
    fn numbers(
        &self,
        array: &Bound<'_, PyAny>,
        name: &str,
        shape: [usize; 2],
        range: &RangeInclusive<f32>,
    ) -> PyResult<Vec<f32>> {
        let py = array.py();
        let numpy = py.import(intern!(py, "numpy"))?;
        let single = numpy.getattr(intern!(py, "float32"))?;
        let array = numpy
            .call_method1(intern!(py, "ascontiguousarray"), (array, single))
            .map_err(|error| self.blamed(py, &format!("returned {name} that are no array of numbers:"), error))?;
        let found: Vec<usize> = array.getattr(intern!(py, "shape"))?.extract()?;
        if found != shape {
            return Err(self.error(&format!("returned {name} of shape {found:?}, not {shape:?}")));
        }
        let array: PyReadonlyArray2<'_, f32> = array.extract()?;
        debug_assert_eq!(array.shape(), shape);
        let numbers = array.as_slice()?;
        let (least, most) = (range.start() - ROUNDING, range.end() + ROUNDING);
        match numbers.iter().position(|number| !(least..=most).contains(number)) {
            None => Ok(numbers.to_vec()),
            Some(index) => Err(self.error(&format!(
                "returned {} in row {} of its {name}, not a number from {} to {}",
                numbers[index],
                index / shape[1],
                range.start(),
                range.end(),
            ))),
        }
    }

    /// An `EvaluatorError` about the callable.
    fn error(&self, what: &str) -> PyErr {
        EvaluatorError::new_err(format!("the evaluator {} {what}", self.name))
    }

    /// The same, whose cause is what the callable raised. Interrupts are passed on as they are.
    fn blamed(&self, py: Python<'_>, what: &str, cause: PyErr) -> PyErr {
        if !cause.is_instance_of::<PyException>(py) {
            return cause;
        }
        let error = self.error(&format!("{what} {cause}"));
        error.set_cause(py, Some(cause));
        error
    }
}
