//! Evaluators written in Python: a callable that gets the planes of several leaves at once as a numpy array.
//!
//! The search runs without the GIL and without being locked while the callable runs, so that the callable may look at
//! the search. What it returns is checked before the search gets any of it; whatever it raises ends that run only.

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

/// Probabilities may exceed 1 by this rounding.
const ROUNDING: f32 = 1e-3;

/// A callable, and what it gets and returns.
pub(super) struct PythonEvaluator {
    /// `None` once the garbage collector has broken a cycle: the callable may own its search.
    call: Mutex<Option<Py<PyAny>>>,
    signature: Signature,
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
    /// An evaluator of positions with planes of these shapes. `takes_policy`: whether the search needs priors.
    pub(super) fn new(
        call: Py<PyAny>,
        signature: Signature,
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
        Ok(Self { call: Mutex::new(Some(call)), signature: Signature { policy, ..signature }, batch, cache })
    }

    /// Evaluations that it kept and gave again, since the search was opened.
    pub(super) fn hits(&self) -> u64 {
        self.cache.hits()
    }

    /// The same for a copy of the search.
    pub(super) fn copy(&self, py: Python<'_>) -> Self {
        let cache = Arc::clone(&self.cache);
        let call = Mutex::new(self.callable().as_ref().map(|call| call.clone_ref(py)));
        Self { call, signature: self.signature, batch: self.batch, cache }
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
            return Err(EvaluatorError::new_err("the evaluator was collected as garbage"));
        };
        let returned = call.bind(py).call1((batch,)).map_err(|error| blamed(py, "raised", error))?;
        let (policy, values) = self.parts(&returned)?;
        let policy = match policy {
            Some(policy) => self.policy(&policy, rows)?,
            None => Vec::new(),
        };
        Ok(Answer { policy, values: numbers(&values, "values", [rows, self.signature.values])? })
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
                Err(EvaluatorError::new_err(format!("the evaluator returned {found}, not (policy, values)")))
            }
        }
    }

    fn policy(&self, policy: &Bound<'_, PyAny>, rows: usize) -> PyResult<Vec<f32>> {
        let policy = numbers(policy, "policy", [rows, self.signature.policy])?;
        match policy.iter().find(|weight| !(0.0..=1.0 + ROUNDING).contains(*weight)) {
            None => Ok(policy),
            Some(weight) => Err(EvaluatorError::new_err(format!(
                "the evaluator returned {weight} in its policy, which has probabilities from 0 to 1"
            ))),
        }
    }
}

/// The finite numbers of an array of this shape.
fn numbers(array: &Bound<'_, PyAny>, name: &str, shape: [usize; 2]) -> PyResult<Vec<f32>> {
    let py = array.py();
    let numpy = py.import(intern!(py, "numpy"))?;
    let single = numpy.getattr(intern!(py, "float32"))?;
    let array = numpy
        .call_method1(intern!(py, "ascontiguousarray"), (array, single))
        .map_err(|error| blamed(py, &format!("returned {name} that are no array of numbers:"), error))?;
    let found: Vec<usize> = array.getattr(intern!(py, "shape"))?.extract()?;
    if found != shape {
        return Err(EvaluatorError::new_err(format!(
            "the evaluator returned {name} of shape {found:?}, not {shape:?}"
        )));
    }
    let array: PyReadonlyArray2<'_, f32> = array.extract()?;
    debug_assert_eq!(array.shape(), shape);
    let numbers = array.as_slice()?;
    match numbers.iter().position(|number| !number.is_finite()) {
        None => Ok(numbers.to_vec()),
        Some(index) => Err(EvaluatorError::new_err(format!(
            "the evaluator returned {} in row {} of its {name}",
            if numbers[index].is_nan() { "NaN" } else { "an infinite number" },
            index / shape[1],
        ))),
    }
}

/// An `EvaluatorError` whose cause is what the callable raised. Interrupts are passed on as they are.
fn blamed(py: Python<'_>, what: &str, cause: PyErr) -> PyErr {
    if !cause.is_instance_of::<PyException>(py) {
        return cause;
    }
    let error = EvaluatorError::new_err(format!("the evaluator {what} {cause}"));
    error.set_cause(py, Some(cause));
    error
}
