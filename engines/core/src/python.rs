//! The Python module: thin wrappers, every one of them listed in `engines/_core.pyi`. The only file that names pyo3.

use std::sync::{Arc, Mutex, PoisonError};

use numpy::{PyReadonlyArray2, PyReadwriteArray4, PyUntypedArrayMethods};
use pyo3::create_exception;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use serde_json::{Value, json};

use crate::batch::{self, lock};
use crate::cache;
use crate::games;
use crate::planes::Signature;
use crate::position;
use crate::rules;
use crate::search::{self, SearchSpec};

create_exception!(engines._core, RuleError, PyValueError);
create_exception!(engines._core, IllegalMove, RuleError);
create_exception!(engines._core, BadNotation, RuleError);
create_exception!(engines._core, BadConfig, RuleError);

impl From<rules::RuleError> for PyErr {
    fn from(error: rules::RuleError) -> Self {
        let text = error.to_string();
        match error {
            rules::RuleError::IllegalMove(_) => IllegalMove::new_err(text),
            rules::RuleError::BadNotation(_) => BadNotation::new_err(text),
            rules::RuleError::BadConfig(_) => BadConfig::new_err(text),
        }
    }
}

/// A Python object as JSON, through Python's own `json`, which names what it cannot write.
fn to_json(object: Option<&Bound<'_, PyAny>>) -> PyResult<Value> {
    let Some(object) = object else { return Ok(Value::Null) };
    let text: String = match object.py().import("json")?.call_method1("dumps", (object,)) {
        Ok(text) => text.extract()?,
        Err(error) => return Err(BadConfig::new_err(format!("not a JSON object: {error}"))),
    };
    serde_json::from_str(&text).map_err(|_| BadConfig::new_err("not JSON: a number is NaN or infinite"))
}

/// JSON as a Python object.
fn to_python<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    py.import("json")?.call_method1("loads", (value.to_string(),))
}

#[pyclass(module = "engines._core", frozen)]
struct Game(&'static games::Game);

#[pymethods]
impl Game {
    #[getter]
    fn name(&self) -> &'static str {
        self.0.name
    }

    #[getter]
    fn variants(&self) -> Vec<&'static str> {
        self.0.variants.to_vec()
    }

    #[getter]
    fn seats(&self) -> (usize, usize) {
        self.0.seats
    }

    #[getter]
    fn listed(&self) -> bool {
        self.0.listed
    }

    #[getter]
    fn about<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &(self.0.about)())
    }
}

#[pyfunction(name = "games")]
fn list_games() -> Vec<Game> {
    games::CATALOGUE.iter().map(Game).collect()
}

#[pyfunction]
#[pyo3(signature = (game, text, variant = None))]
fn read_position(game: &str, text: &str, variant: Option<&str>) -> PyResult<Position> {
    let value: Value = serde_json::from_str(text)
        .map_err(|error| BadNotation::new_err(format!("the position is not JSON: {error}")))?;
    let (config, moves) = match value.get("moves") {
        None => (value.get("config").cloned().unwrap_or(value), Vec::new()),
        Some(moves) => {
            let texts = moves.as_array().map(|moves| moves.iter().map(|text| text.as_str().map(String::from)));
            let texts: Option<Vec<String>> = texts.and_then(Iterator::collect);
            let texts = texts.ok_or_else(|| BadNotation::new_err("moves is not a list of move texts"))?;
            (value.get("config").cloned().unwrap_or(Value::Null), texts)
        }
    };
    let variant = config.get("variant").and_then(Value::as_str).or(variant);
    let mut position = Position::open(game, variant, &config)?;
    position.inner.play(&moves)?;
    Ok(position)
}

#[pyclass(module = "engines._core", frozen, get_all)]
struct Outcome {
    winners: Vec<usize>,
    reason: &'static str,
    scores: Option<Vec<f32>>,
    values: Vec<f32>,
}

#[pyclass(module = "engines._core")]
struct Position {
    game: &'static games::Game,
    variant: String,
    inner: Box<dyn position::Position>,
}

impl Position {
    fn open(game: &str, variant: Option<&str>, config: &Value) -> PyResult<Self> {
        if !(config.is_null() || config.is_object()) {
            return Err(BadConfig::new_err("a configuration is a JSON object"));
        }
        let row = games::find(game)?;
        let variant = variant.unwrap_or(row.variants[0]);
        let inner = games::open(game, Some(variant), config)?;
        Ok(Self { game: row, variant: variant.into(), inner })
    }
}

#[pymethods]
impl Position {
    #[new]
    #[pyo3(signature = (game, variant = None, config = None))]
    fn new(game: &str, variant: Option<&str>, config: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        Self::open(game, variant, &to_json(config)?)
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
    fn config<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &self.inner.config())
    }

    #[getter]
    fn secret<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &self.inner.secret())
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
    fn key(&self) -> u128 {
        self.inner.key()
    }

    #[getter]
    fn to_act(&self) -> Vec<usize> {
        self.inner.to_act()
    }

    #[getter]
    fn history(&self) -> Vec<String> {
        self.inner.history()
    }

    #[getter]
    fn outcome(&self) -> Option<Outcome> {
        let outcome = self.inner.outcome()?;
        let seats = self.inner.seats();
        Some(Outcome {
            winners: (0..seats).filter(|seat| outcome.won(*seat)).collect(),
            reason: outcome.reason,
            scores: self.inner.scores().map(|scores| scores[..seats].to_vec()),
            values: outcome.values(seats)[..seats].to_vec(),
        })
    }

    #[pyo3(signature = (seat = None))]
    fn view<'py>(&self, py: Python<'py>, seat: Option<usize>) -> PyResult<Bound<'py, PyAny>> {
        to_python(py, &self.inner.view(seat)?)
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

    #[pyo3(signature = (*moves))]
    fn play<'py>(&mut self, py: Python<'py>, moves: &Bound<'py, PyTuple>) -> PyResult<Bound<'py, PyAny>> {
        let moves: Vec<String> = moves.extract()?;
        let events = self.inner.play(&moves)?;
        to_python(py, &Value::Array(events))
    }

    fn forfeit(&mut self, seat: usize) -> PyResult<()> {
        self.inner.play(&[format!("!{seat}")])?;
        Ok(())
    }

    fn undo(&mut self) -> PyResult<()> {
        Ok(self.inner.undo()?)
    }

    fn copy(&self) -> Self {
        Self { game: self.game, variant: self.variant.clone(), inner: self.inner.boxed_clone() }
    }

    fn redeal(&mut self, seat: usize, seed: u64) -> PyResult<()> {
        Ok(self.inner.redeal(seat, seed)?)
    }

    fn write(&self) -> String {
        let mut config = json!({"variant": self.variant});
        if let (Some(members), Value::Object(rest)) = (config.as_object_mut(), self.inner.config()) {
            members.extend(rest);
        }
        json!({"config": config, "moves": self.inner.history()}).to_string()
    }

    fn fits(&self, planes: usize, dim2: usize, dim3: usize, policy: usize, values: usize) -> Option<String> {
        self.inner.fits(&Signature { planes, dim2, dim3, policy, values }).err()
    }

    #[pyo3(signature = (depth, threads = 1))]
    fn perft(&self, py: Python<'_>, depth: u32, threads: usize) -> PyResult<u64> {
        Ok(py.detach(|| self.inner.perft(depth, threads))?)
    }
}

#[pyclass(module = "engines._core", frozen, get_all)]
struct Line {
    r#move: String,
    visits: u32,
    value: f32,
    pv: Vec<String>,
}

#[pyclass(module = "engines._core", frozen)]
struct Report {
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
    fn lines(&self) -> Vec<Line> {
        let line = |line: &search::Line| Line {
            r#move: line.text.clone(),
            visits: line.visits,
            value: line.value,
            pv: line.pv.clone(),
        };
        self.report.lines.iter().map(line).collect()
    }
}

#[pyclass(module = "engines._core", frozen)]
struct Search {
    shared: batch::Shared,
    seats: usize,
}

#[pymethods]
impl Search {
    #[new]
    #[pyo3(signature = (position, evaluator = "native", options = None, seed = 0))]
    fn new(position: &Position, evaluator: &str, options: Option<&Bound<'_, PyAny>>, seed: u64) -> PyResult<Self> {
        let spec = SearchSpec { evaluator: evaluator.into(), options: to_json(options)?, seed };
        let search = position.inner.search(&spec)?;
        Ok(Self { shared: Arc::new(Mutex::new(search)), seats: position.inner.seats() })
    }

    fn run(&self, py: Python<'_>, simulations: u32) -> u32 {
        py.detach(|| lock(&self.shared).run(simulations))
    }

    fn focus(&self, py: Python<'_>) -> bool {
        py.detach(|| lock(&self.shared).focus())
    }

    #[getter]
    fn focus_visits(&self, py: Python<'_>) -> u32 {
        py.detach(|| lock(&self.shared).focus_visits())
    }

    fn unfocus(&self, py: Python<'_>) {
        py.detach(|| lock(&self.shared).unfocus());
    }

    fn advance(&self, py: Python<'_>, r#move: &str) -> PyResult<()> {
        Ok(py.detach(|| lock(&self.shared).advance(r#move))?)
    }

    #[pyo3(signature = (lines = 1))]
    fn report(&self, py: Python<'_>, lines: usize) -> Report {
        Report { report: py.detach(|| lock(&self.shared).report(lines)), seats: self.seats }
    }

    #[getter]
    fn visits(&self, py: Python<'_>) -> u32 {
        py.detach(|| lock(&self.shared).visits())
    }

    #[getter]
    fn bytes(&self, py: Python<'_>) -> usize {
        py.detach(|| lock(&self.shared).bytes())
    }
}

#[pyclass(module = "engines._core", frozen)]
struct Cache(Arc<cache::Cache>);

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
struct Batch {
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

#[pymodule]
fn _core(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add("RuleError", py.get_type::<RuleError>())?;
    module.add("IllegalMove", py.get_type::<IllegalMove>())?;
    module.add("BadNotation", py.get_type::<BadNotation>())?;
    module.add("BadConfig", py.get_type::<BadConfig>())?;
    module.add_class::<Game>()?;
    module.add_class::<Outcome>()?;
    module.add_class::<Position>()?;
    module.add_class::<Line>()?;
    module.add_class::<Report>()?;
    module.add_class::<Search>()?;
    module.add_class::<Batch>()?;
    module.add_class::<Cache>()?;
    module.add_function(wrap_pyfunction!(list_games, module)?)?;
    module.add_function(wrap_pyfunction!(read_position, module)?)?;
    Ok(())
}
