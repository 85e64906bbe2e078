//! Many games at once, with arrays in and out.

use std::sync::{Mutex, MutexGuard, PoisonError};

use numpy::{
    PyArray1, PyArray2, PyArray3, PyArray5, PyArrayMethods, PyReadonlyArray2, PyReadwriteArray1,
    PyReadwriteArray2, PyReadwriteArray3, PyReadwriteArray5, PyUntypedArrayMethods,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use serde_json::json;

use super::json::to_json;
use crate::environments::{self, FinalObservations, Outputs, Rewards, Shape, Spec};
use crate::games;

/// The member of configurations that decides what is random in a game.
const SEED: &str = "seed";

#[pyclass(module = "engines._core", frozen)]
pub(super) struct Environments {
    shape: Shape,
    inner: Mutex<Box<dyn environments::Environments>>,
}

/// The arrays of one step, in the order of their axes.
type Arrays<'py> = (
    PyReadwriteArray5<'py, f32>,
    PyReadwriteArray3<'py, bool>,
    PyReadwriteArray1<'py, i64>,
    PyReadwriteArray2<'py, f32>,
    PyReadwriteArray1<'py, bool>,
    PyReadwriteArray1<'py, bool>,
);

impl Environments {
    fn locked(&self) -> MutexGuard<'_, Box<dyn environments::Environments>> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Checks the shapes of the arrays.
    fn check(&self, arrays: &Arrays<'_>) -> PyResult<()> {
        let Shape { games, seats, choosing, signature, actions } = self.shape;
        let shapes: [(&str, &[usize], &[usize]); 6] = [
            ("planes", arrays.0.shape(), &[games, choosing, signature.planes, signature.dim2, signature.dim3]),
            ("masks", arrays.1.shape(), &[games, choosing, actions]),
            ("seats", arrays.2.shape(), &[games]),
            ("rewards", arrays.3.shape(), &[games, seats]),
            ("terminated", arrays.4.shape(), &[games]),
            ("truncated", arrays.5.shape(), &[games]),
        ];
        match shapes.into_iter().find(|(_, found, wanted)| found != wanted) {
            None => Ok(()),
            Some((name, found, wanted)) => {
                Err(PyValueError::new_err(format!("{name} has shape {found:?}, not {wanted:?}")))
            }
        }
    }
}

/// The arrays as slices.
fn outputs<'o>(arrays: &'o mut Arrays<'_>) -> PyResult<Outputs<'o>> {
    Ok(Outputs {
        planes: arrays.0.as_slice_mut()?,
        masks: arrays.1.as_slice_mut()?,
        seats: arrays.2.as_slice_mut()?,
        rewards: arrays.3.as_slice_mut()?,
        terminated: arrays.4.as_slice_mut()?,
        truncated: arrays.5.as_slice_mut()?,
    })
}

#[pymethods]
impl Environments {
    #[new]
    #[expect(clippy::too_many_arguments, reason = "they are keyword arguments in Python")]
    #[pyo3(signature = (game, variant = None, config = None, *, games = 1, size = None, rewards = "result", max_steps = 0, threads = 1))]
    fn new(
        py: Python<'_>,
        game: &str,
        variant: Option<&str>,
        config: Option<&Bound<'_, PyAny>>,
        games: usize,
        size: Option<usize>,
        rewards: &str,
        max_steps: u32,
        threads: usize,
    ) -> PyResult<Self> {
        let config = match to_json(config)? {
            serde_json::Value::Null => json!({}),
            given => given,
        };
        let row = games::find(game)?;
        let position = games::open(game, variant, &config)?;
        let config = games::given(row, variant.unwrap_or(row.variants[0]), &config)?;
        let seeded = row.members.contains(&SEED) && config.get(SEED).is_none();
        let spec = Spec {
            variant: variant.unwrap_or(row.variants[0]).into(),
            config,
            seeded,
            games,
            size,
            rewards: Rewards::named(rewards)?,
            max_steps,
            threads,
        };
        let inner = py.detach(|| position.environments(spec))?;
        Ok(Self { shape: inner.shape(), inner: Mutex::new(inner) })
    }

    #[getter]
    fn games(&self) -> usize {
        self.shape.games
    }

    #[getter]
    fn seats(&self) -> usize {
        self.shape.seats
    }

    #[getter]
    fn choosing(&self) -> usize {
        self.shape.choosing
    }

    #[getter]
    fn planes(&self) -> (usize, usize, usize) {
        (self.shape.signature.planes, self.shape.signature.dim2, self.shape.signature.dim3)
    }

    #[getter]
    fn actions(&self) -> usize {
        self.shape.actions
    }

    fn reset(&self, py: Python<'_>, seed: u64, mut arrays: Arrays<'_>) -> PyResult<()> {
        self.check(&arrays)?;
        let mut out = outputs(&mut arrays)?;
        Ok(py.detach(|| self.locked().reset(seed, &mut out))?)
    }

    fn step(&self, py: Python<'_>, actions: PyReadonlyArray2<'_, i64>, mut arrays: Arrays<'_>) -> PyResult<()> {
        self.check(&arrays)?;
        let wanted = [self.shape.games, self.shape.choosing];
        if actions.shape() != wanted {
            let found = actions.shape();
            return Err(PyValueError::new_err(format!("actions have shape {found:?}, not {wanted:?}")));
        }
        let chosen = actions.as_slice()?;
        let mut out = outputs(&mut arrays)?;
        Ok(py.detach(|| self.locked().step(chosen, &mut out))?)
    }

    #[expect(clippy::type_complexity, reason = "three arrays")]
    fn final_observations<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyArray1<usize>>, Bound<'py, PyArray5<f32>>, Bound<'py, PyArray3<bool>>)> {
        let FinalObservations { games, planes, masks } = py.detach(|| self.locked().final_observations())?;
        let Shape { seats, signature, actions, .. } = self.shape;
        let shape = [games.len(), seats, signature.planes, signature.dim2, signature.dim3];
        let masks = PyArray1::from_vec(py, masks).reshape([games.len(), seats, actions])?;
        Ok((PyArray1::from_vec(py, games), PyArray1::from_vec(py, planes).reshape(shape)?, masks))
    }

    fn sample<'py>(&self, py: Python<'py>, seed: u64) -> PyResult<Bound<'py, PyArray2<i64>>> {
        let shape = [self.shape.games, self.shape.choosing];
        let mut chosen = vec![0; shape[0] * shape[1]];
        py.detach(|| self.locked().sample(seed, &mut chosen));
        PyArray1::from_vec(py, chosen).reshape(shape)
    }

    fn play_random(&self, py: Python<'_>, steps: usize, seed: u64) -> PyResult<usize> {
        Ok(py.detach(|| self.locked().play_random(steps, seed))?)
    }
}
