//! Positions, their outcomes and the layouts of their planes.

use std::sync::Arc;

use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyList, PyMapping, PyTuple};
use serde_json::{Value, json};

use super::json::{joined, to_json, to_python};
use super::{BadNotation, RuleError};
use crate::games;
use crate::near_names;
use crate::planes::Signature;
use crate::position;

/// The parts of a written position.
const PARTS: [&str; 2] = ["config", "moves"];

/// The member of a written configuration that names the variant.
const VARIANT: &str = "variant";

#[pyfunction]
#[pyo3(signature = (game, text, variant = None))]
pub(super) fn read_position(game: &str, text: &str, variant: Option<&str>) -> PyResult<Position> {
    let value: Value = serde_json::from_str(text)
        .map_err(|error| BadNotation::new_err(format!("the position is not JSON: {error}")))?;
    let (config, moves) = match value {
        Value::Object(mut members) if PARTS.iter().any(|part| members.contains_key(*part)) => {
            near_names::check("the position", members.keys(), &PARTS)?;
            let [config, moves] = PARTS.map(|part| members.remove(part));
            (config.unwrap_or_default(), moves.unwrap_or_else(|| json!([])))
        }
        bare => (bare, json!([])),
    };
    let moves: Vec<String> =
        serde_json::from_value(moves).map_err(|_| BadNotation::new_err("moves is not a list of move texts"))?;
    let variant = config.get(VARIANT).and_then(Value::as_str).or(variant);
    let mut position = Position::open(game, variant, &config)?;
    position.inner.play(&moves)?;
    Ok(position)
}

#[pyclass(module = "engines._core", frozen, get_all)]
pub(super) struct Outcome {
    winners: Vec<usize>,
    places: Vec<usize>,
    reason: &'static str,
    scores: Option<Vec<f32>>,
    values: Vec<f32>,
}

#[pyclass(module = "engines._core", frozen, get_all)]
pub(super) struct Layout {
    planes: usize,
    dim2: usize,
    dim3: usize,
    policy: usize,
    values: usize,
    policies: usize,
    is_trained: bool,
    per_cell: usize,
    anchors: Vec<(usize, f32)>,
    symmetries: Vec<(Vec<usize>, Vec<usize>, Vec<usize>)>,
}

#[pyclass(module = "engines._core")]
pub(super) struct Position {
    pub(super) game: &'static games::Game,
    variant: String,
    pub(super) inner: Box<dyn position::Position>,
    /// The history, once it has been requested.
    history: PyOnceLock<Py<PyTuple>>,
    /// The beginning of the history, from an earlier position whose history was requested.
    known: Option<Py<PyTuple>>,
    /// What all positions of the game have in common.
    shared: Arc<Shared>,
}

/// What does not change during a game, converted when it is first requested.
struct Shared {
    config: PyOnceLock<Py<PyDict>>,
    constants: PyOnceLock<Py<PyDict>>,
}

impl Shared {
    const fn new() -> Self {
        Self { config: PyOnceLock::new(), constants: PyOnceLock::new() }
    }
}

/// A shallow copy of a dictionary that is converted at most once.
fn copied<'py>(
    py: Python<'py>,
    once: &PyOnceLock<Py<PyDict>>,
    value: impl FnOnce() -> Value,
) -> PyResult<Bound<'py, PyDict>> {
    let convert = || Ok::<_, PyErr>(to_python(py, &value())?.cast_into::<PyDict>()?.unbind());
    once.get_or_try_init(py, convert)?.bind(py).copy()
}

impl Position {
    fn open(game: &str, variant: Option<&str>, config: &Value) -> PyResult<Self> {
        let row = games::find(game)?;
        let variant = variant.unwrap_or(row.variants[0]);
        let inner = games::open(game, Some(variant), config)?;
        Ok(Self::of(row, variant, inner, Arc::new(Shared::new()), None))
    }

    fn of(
        game: &'static games::Game,
        variant: &str,
        inner: Box<dyn position::Position>,
        shared: Arc<Shared>,
        known: Option<Py<PyTuple>>,
    ) -> Self {
        Self { game, variant: variant.into(), inner, history: PyOnceLock::new(), known, shared }
    }

    /// Checks that a configuration with the secret leads to this position: after a redeal, it does not.
    fn check_secret(&self, config: &Value) -> PyResult<()> {
        let mut again = games::open(self.game.name, Some(&self.variant), config)?;
        if again.play(&self.inner.history()).is_ok() && again.key() == self.inner.key() {
            return Ok(());
        }
        Err(RuleError::new_err("what is hidden was dealt anew, so no secret stands for it"))
    }

    /// Another position of the same game.
    fn with(&self, inner: Box<dyn position::Position>, known: Option<Py<PyTuple>>) -> Self {
        Self::of(self.game, &self.variant, inner, Arc::clone(&self.shared), known)
    }

    /// The known part of the history, for this position and for later ones.
    fn known(&self, py: Python<'_>) -> Option<Py<PyTuple>> {
        self.history.get(py).or(self.known.as_ref()).map(|history| history.clone_ref(py))
    }

    /// The whole history. Shares the strings of the known part and converts only the rest.
    fn read_history(&self, py: Python<'_>) -> PyResult<Py<PyTuple>> {
        let Some(known) = &self.known else { return Ok(PyTuple::new(py, self.inner.history())?.unbind()) };
        let known = known.bind(py);
        let more = PyTuple::new(py, self.inner.history_after(known.len()))?;
        Ok(known.as_sequence().concat(more.as_sequence())?.to_tuple()?.unbind())
    }
}

#[pymethods]
impl Position {
    #[new]
    #[pyo3(signature = (game, variant = None, config = None))]
    fn new(
        py: Python<'_>,
        game: &str,
        variant: Option<&str>,
        config: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let config = to_json(config)?;
        py.detach(|| Self::open(game, variant, &config))
    }

    #[getter]
    fn game(&self) -> &'static str {
        self.game.name
    }

    #[getter]
    fn variant(&self) -> &str {
        &self.variant
    }

    #[getter]
    fn config<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        copied(py, &self.shared.config, || self.inner.config())
    }

    #[getter]
    fn secret<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &self.inner.secret())
    }

    #[getter]
    fn is_dealt(&self) -> bool {
        self.inner.is_dealt()
    }

    #[getter]
    fn seats(&self) -> usize {
        self.inner.seats()
    }

    #[getter]
    fn ply(&self) -> usize {
        self.inner.ply()
    }

    #[getter]
    fn usual_plies(&self) -> Option<u32> {
        self.inner.usual_plies()
    }

    #[getter]
    fn progress(&self) -> f64 {
        self.inner.progress()
    }

    #[getter]
    fn key(&self) -> u128 {
        self.inner.key()
    }

    fn information_key(&self, seat: usize) -> PyResult<u128> {
        Ok(self.inner.information_key(seat)?)
    }

    #[getter]
    fn image_keys(&self) -> PyResult<Vec<u128>> {
        Ok(self.inner.image_keys()?)
    }

    fn images(&self, r#move: &str) -> PyResult<Vec<String>> {
        Ok(self.inner.images(r#move)?)
    }

    #[getter]
    fn to_act(&self) -> Vec<usize> {
        self.inner.to_act()
    }

    #[getter]
    fn history<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let history = self.history.get_or_try_init(py, || self.read_history(py))?;
        Ok(history.bind(py).to_list())
    }

    #[getter]
    fn last_move(&self) -> Option<&str> {
        self.inner.last_move()
    }

    #[getter]
    fn outcome(&self) -> Option<Outcome> {
        let outcome = self.inner.outcome()?;
        let seats = self.inner.seats();
        Some(Outcome {
            winners: outcome.winners(seats),
            places: outcome.places[..seats].iter().copied().map(usize::from).collect(),
            reason: outcome.reason,
            scores: outcome.scores.map(|scores| scores[..seats].to_vec()),
            values: outcome.values(seats)[..seats].to_vec(),
        })
    }

    #[pyo3(signature = (seat = None))]
    fn view<'py>(&self, py: Python<'py>, seat: Option<usize>) -> PyResult<Bound<'py, PyDict>> {
        let changing = to_python(py, &self.inner.changing_view(seat)?)?;
        let view = copied(py, &self.shared.constants, || self.inner.constants())?;
        view.update(changing.cast::<PyMapping>()?)?;
        Ok(view)
    }

    #[getter]
    fn lists_moves(&self) -> bool {
        self.inner.lists_moves()
    }

    #[pyo3(signature = (seat = None))]
    fn legal_moves(&self, seat: Option<usize>) -> PyResult<Vec<String>> {
        Ok(self.inner.legal_moves(seat)?)
    }

    #[pyo3(signature = (seat = None, staged = ""))]
    fn legal_actions(&self, seat: Option<usize>, staged: &str) -> PyResult<Vec<String>> {
        Ok(self.inner.legal_actions(seat, staged)?)
    }

    #[pyo3(signature = (seat = None, staged = ""))]
    fn legal(&self, seat: Option<usize>, staged: &str) -> PyResult<Vec<String>> {
        if self.inner.lists_moves() && staged.is_empty() {
            return self.legal_moves(seat);
        }
        self.legal_actions(seat, staged)
    }

    #[pyo3(signature = (seat = None, staged = ""))]
    fn can_finish(&self, seat: Option<usize>, staged: &str) -> PyResult<bool> {
        Ok(self.inner.can_finish(seat, staged)?)
    }

    #[pyo3(signature = (r#move, seat = None))]
    fn check(&self, r#move: &str, seat: Option<usize>) -> PyResult<String> {
        Ok(self.inner.check(r#move, seat)?)
    }

    fn submitted<'t>(&self, r#move: &'t str) -> &'t str {
        self.inner.submitted(r#move)
    }

    #[pyo3(signature = (*moves))]
    fn play<'py>(&mut self, py: Python<'py>, moves: &Bound<'py, PyTuple>) -> PyResult<Bound<'py, PyAny>> {
        let moves: Vec<String> = moves.extract()?;
        let inner = &mut self.inner;
        let events = py.detach(|| inner.play(&moves))?;
        self.known = self.history.take().or(self.known.take());
        to_python(py, &Value::Array(events))
    }

    #[pyo3(signature = (r#move, seat = None, deal = None))]
    fn after(&self, py: Python<'_>, r#move: &str, seat: Option<usize>, deal: Option<u64>) -> PyResult<Self> {
        let mut after = self.copy(py);
        after.inner.play_submitted(r#move, seat, deal)?;
        Ok(after)
    }

    fn forfeit(&mut self, seat: usize) -> PyResult<()> {
        self.inner.play(&[format!("!{seat}")])?;
        self.known = self.history.take().or(self.known.take());
        Ok(())
    }

    fn undo(&mut self) -> PyResult<()> {
        self.inner.undo()?;
        self.history.take();
        self.known = None;
        Ok(())
    }

    fn copy(&self, py: Python<'_>) -> Self {
        self.with(self.inner.boxed_clone(), self.known(py))
    }

    fn at_ply(&self, py: Python<'_>, ply: usize) -> PyResult<Self> {
        let earlier = py.detach(|| self.inner.at_ply(ply))?;
        let Some(earlier) = earlier else {
            return Err(PyValueError::new_err(format!("only {} moves were played", self.inner.ply())));
        };
        Ok(self.with(earlier, None))
    }

    fn redeal(&mut self, seat: usize, seed: u64) -> PyResult<()> {
        Ok(self.inner.redeal(seat, seed)?)
    }

    #[pyo3(signature = (*, secret = false))]
    fn write(&self, secret: bool) -> PyResult<String> {
        let hidden = if secret { self.inner.secret() } else { json!({}) };
        let is_kept = hidden != json!({});
        let config = joined([self.inner.config(), hidden]);
        if is_kept {
            self.check_secret(&config)?;
        }
        let config = joined([json!({(VARIANT): self.variant}), config]);
        Ok(json!({"config": config, "moves": self.inner.history()}).to_string())
    }

    fn fits(&self, planes: usize, dim2: usize, dim3: usize, policy: usize, values: usize) -> Option<String> {
        self.inner.fits(&Signature { planes, dim2, dim3, policy, values }).err()
    }

    #[getter]
    fn layout(&self) -> Option<Layout> {
        let layout = self.inner.layout()?;
        let Signature { planes, dim2, dim3, policy, values } = layout.signature;
        let symmetries = self.inner.symmetries().into_iter();
        Some(Layout {
            planes,
            dim2,
            dim3,
            policy,
            values,
            policies: layout.policies,
            is_trained: self.inner.is_trained(),
            per_cell: layout.per_cell,
            anchors: layout.anchors,
            symmetries: symmetries.map(|each| (each.inputs, each.policy, each.values)).collect(),
        })
    }

    #[pyo3(signature = (size = None))]
    fn flat_shape(&self, size: Option<usize>) -> PyResult<(usize, usize, usize, usize)> {
        let (signature, actions) = self.inner.flat_shape(size)?;
        Ok((signature.planes, signature.dim2, signature.dim3, actions))
    }

    #[pyo3(signature = (seat, staged = "", size = None))]
    fn observe<'py>(
        &self,
        py: Python<'py>,
        seat: usize,
        staged: &str,
        size: Option<usize>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (signature, _) = self.inner.flat_shape(size)?;
        let row = PyArray1::from_vec(py, self.inner.observe(seat, staged, size)?);
        Ok(row.reshape([signature.planes, signature.dim2, signature.dim3])?.into_any())
    }

    #[pyo3(signature = (seat, staged = "", size = None))]
    fn flat_actions(&self, seat: usize, staged: &str, size: Option<usize>) -> PyResult<Vec<u32>> {
        Ok(self.inner.flat_legal(seat, staged, size)?)
    }

    #[pyo3(signature = (action, seat, staged = "", size = None))]
    fn flat_text(&self, action: u32, seat: usize, staged: &str, size: Option<usize>) -> PyResult<(String, bool)> {
        Ok(self.inner.flat_text(seat, staged, action, size)?)
    }

    #[pyo3(signature = (r#move, seat, size = None))]
    fn flat_numbers(&self, r#move: &str, seat: usize, size: Option<usize>) -> PyResult<Vec<u32>> {
        Ok(self.inner.flat_indices(seat, r#move, size)?)
    }

    #[getter]
    fn scores(&self) -> Option<Vec<f32>> {
        Some(self.inner.scores()?[..self.inner.seats()].to_vec())
    }

    #[getter]
    fn points_unit(&self) -> Option<f32> {
        self.inner.points_unit()
    }

    #[pyo3(signature = (evaluator = "native"))]
    fn features<'py>(&self, py: Python<'py>, evaluator: &str) -> PyResult<Bound<'py, PyArray2<f32>>> {
        Ok(PyArray2::from_vec2(py, &self.inner.features(evaluator)?)?)
    }

    #[pyo3(signature = (evaluator = "native"))]
    fn weights(&self, evaluator: &str) -> PyResult<Vec<(&'static str, f64)>> {
        Ok(self.inner.weights(evaluator)?)
    }

    #[pyo3(signature = (evaluator = "native"))]
    fn value(&self, evaluator: &str) -> PyResult<Vec<f32>> {
        Ok(self.inner.value(evaluator)?)
    }

    #[pyo3(signature = (depth, threads = 1))]
    fn perft(&self, py: Python<'_>, depth: u32, threads: usize) -> PyResult<u64> {
        Ok(py.detach(|| self.inner.perft(depth, threads))?)
    }
}
