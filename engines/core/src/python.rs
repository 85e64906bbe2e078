//! The Python module: thin wrappers, all of them listed in `engines/_core.pyi`. Only this file and its submodules use
//! pyo3.
//!
//! This file has games and errors; `positions` has positions, `environments` many games at once; `searches` has searches,
//! caches and batches, `reports` what they have found, `tree` the nodes of their trees, `evaluators` what evaluates their
//! leaves in Python; `json` converts values.

mod environments;
mod evaluators;
mod json;
mod positions;
mod reports;
mod searches;
mod tree;

use pyo3::create_exception;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::games;
use crate::rules;
use json::to_python;
use positions::{Layout, Outcome, Position, read_position};

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
    fn members(&self) -> Vec<&'static str> {
        self.0.members.to_vec()
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

#[pymodule]
fn _core(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add("RuleError", py.get_type::<RuleError>())?;
    module.add("IllegalMove", py.get_type::<IllegalMove>())?;
    module.add("BadNotation", py.get_type::<BadNotation>())?;
    module.add("BadConfig", py.get_type::<BadConfig>())?;
    module.add("EvaluatorError", py.get_type::<evaluators::EvaluatorError>())?;
    module.add_class::<Game>()?;
    module.add_class::<Outcome>()?;
    module.add_class::<Layout>()?;
    module.add_class::<Position>()?;
    module.add_class::<environments::Environments>()?;
    module.add_class::<reports::Line>()?;
    module.add_class::<reports::Report>()?;
    module.add_class::<searches::Search>()?;
    module.add_class::<tree::SearchNode>()?;
    module.add_class::<tree::SearchAction>()?;
    module.add_class::<tree::SearchEdge>()?;
    module.add_class::<tree::SearchCounters>()?;
    module.add_class::<searches::Batch>()?;
    module.add_class::<searches::Cache>()?;
    module.add_function(wrap_pyfunction!(list_games, module)?)?;
    module.add_function(wrap_pyfunction!(read_position, module)?)?;
    Ok(())
}
