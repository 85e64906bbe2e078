//! What a search has found: its best moves, values and lines.

use pyo3::prelude::*;

use crate::rules::Values;
use crate::search;

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
    /// The report of a search of a game with this many seats.
    pub(super) const fn of(report: search::Report, seats: usize) -> Self {
        Self { report, seats }
    }

    fn of_seats(&self, numbers: Option<Values>) -> Option<Vec<f32>> {
        numbers.map(|numbers| numbers[..self.seats].to_vec())
    }
}
