//! Exact solution of zero-sum matrix games: two players choose a row and a column at once.

/// Equilibrium strategies of a matrix game.
#[derive(Debug, Clone, PartialEq)]
pub struct Solution {
    /// What the row player gets on average.
    pub value: f64,
    /// Probability of each row.
    pub rows: Vec<f64>,
    /// Probability of each column.
    pub columns: Vec<f64>,
}

/// Numbers this small count as zero. Otherwise payoffs that differ only by rounding would lead to divisions by such
/// differences.
const TINY: f64 = 1e-9;

/// Solves the game whose `payoffs`, one list of equal length per row, go to the row player; there is at least one row
/// and one column. If there are several equilibria, returns one of them.
///
/// With the payoffs scaled to [1, 2], the columns maximise Σy subject to A·y ≤ 1 and y ≥ 0; the dual variables of the
/// solution are the rows' (Dantzig 1951). Bland's rule keeps the simplex method from cycling.
#[must_use]
pub fn solve(payoffs: &[Vec<f64>]) -> Solution {
    let (rows, columns) = (payoffs.len(), payoffs[0].len());
    let lowest = payoffs.iter().flatten().copied().fold(f64::INFINITY, f64::min);
    let span = payoffs.iter().flatten().copied().fold(lowest, f64::max) - lowest;
    let unit = if span > 0.0 { span } else { 1.0 };
    let mut tableau = Tableau::new(payoffs, |payoff| (payoff - lowest) / unit + 1.0);
    while tableau.improve() {}
    let total = tableau.total();
    let share = |weights: Vec<f64>| {
        let sum: f64 = weights.iter().sum();
        weights.into_iter().map(|weight| weight / sum).collect()
    };
    let duals = (0..rows).map(|row| (-tableau.objective[columns + row]).max(0.0)).collect();
    let primals = (0..columns).map(|column| tableau.variable(column)).collect();
    Solution { value: (1.0 / total - 1.0) * unit + lowest, rows: share(duals), columns: share(primals) }
}

/// A simplex tableau: one row per constraint, with the right-hand side last, and the objective's reduced costs.
struct Tableau {
    rows: Vec<Vec<f64>>,
    objective: Vec<f64>,
    /// The variable that each row determines.
    basis: Vec<usize>,
}

impl Tableau {
    fn new(payoffs: &[Vec<f64>], scaled: impl Fn(f64) -> f64) -> Self {
        let (count, columns) = (payoffs.len(), payoffs[0].len());
        let row = |(index, payoffs): (usize, &Vec<f64>)| {
            let mut row: Vec<f64> = payoffs.iter().copied().map(&scaled).collect();
            row.resize(columns + count, 0.0);
            row[columns + index] = 1.0;
            row.push(1.0);
            row
        };
        let mut objective = vec![1.0; columns];
        objective.resize(columns + count + 1, 0.0);
        Self {
            rows: payoffs.iter().enumerate().map(row).collect(),
            objective,
            basis: (columns..columns + count).collect(),
        }
    }

    /// Lets a variable enter the basis; `false` if none improves the objective.
    fn improve(&mut self) -> bool {
        let variables = self.objective.len() - 1;
        let Some(entering) = (0..variables).find(|index| self.objective[*index] > TINY) else { return false };
        let ratio = |row: &Vec<f64>| row[variables] / row[entering];
        let bounded = (0..self.rows.len()).filter(|row| self.rows[*row][entering] > TINY);
        let leaving = bounded.min_by(|a, b| {
            let by_ratio = ratio(&self.rows[*a]).total_cmp(&ratio(&self.rows[*b]));
            by_ratio.then(self.basis[*a].cmp(&self.basis[*b]))
        });
        let Some(leaving) = leaving else { return false };
        self.pivot(leaving, entering);
        true
    }

    fn pivot(&mut self, leaving: usize, entering: usize) {
        let factor = self.rows[leaving][entering];
        self.rows[leaving].iter_mut().for_each(|cell| *cell /= factor);
        let pivot = self.rows[leaving].clone();
        let others = self.rows.iter_mut().enumerate().filter(|(row, _)| *row != leaving).map(|(_, row)| row);
        for row in others.chain([&mut self.objective]) {
            let factor = row[entering];
            row.iter_mut().zip(&pivot).for_each(|(cell, pivot)| *cell -= factor * pivot);
        }
        self.basis[leaving] = entering;
    }

    /// The value of a variable.
    fn variable(&self, index: usize) -> f64 {
        let row = self.basis.iter().position(|basic| *basic == index);
        row.map_or(0.0, |row| self.rows[row][self.objective.len() - 1].max(0.0))
    }

    /// The value of the objective.
    fn total(&self) -> f64 {
        -self.objective[self.objective.len() - 1]
    }
}

#[cfg(test)]
mod tests {
    use rand::prelude::*;
    use rand_pcg::Pcg64;

    use super::*;

    fn close(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-9, "{found}, not {expected}");
    }

    #[test]
    fn games_of_known_value() {
        let rock_paper_scissors = [vec![0.0, -1.0, 1.0], vec![1.0, 0.0, -1.0], vec![-1.0, 1.0, 0.0]];
        let solution = solve(&rock_paper_scissors);
        close(solution.value, 0.0);
        solution.rows.iter().chain(&solution.columns).for_each(|share| close(*share, 1.0 / 3.0));
        let solution = solve(&[vec![0.9, -0.1], vec![-0.4, 0.05]]);
        close(solution.value, 0.005 / 1.45);
        close(solution.rows[0], 0.45 / 1.45);
        close(solution.columns[0], 0.15 / 1.45);
        let saddle = solve(&[vec![1.0, 0.0, 1.0], vec![1.0, -1.0, 0.0]]);
        assert_eq!((saddle.value, saddle.rows, saddle.columns), (0.0, vec![1.0, 0.0], vec![0.0, 1.0, 0.0]));
        assert_eq!(solve(&[vec![-2.5]]).value, -2.5);
    }

    /// What the row player gets at most against the columns, and at least with the rows.
    fn best_responses(payoffs: &[Vec<f64>], solution: &Solution) -> [f64; 2] {
        let of_row = |row: &Vec<f64>| row.iter().zip(&solution.columns).map(|(a, y)| a * y).sum::<f64>();
        let of_column =
            |column: usize| payoffs.iter().zip(&solution.rows).map(|(row, x)| row[column] * x).sum::<f64>();
        let best = payoffs.iter().map(of_row).fold(f64::NEG_INFINITY, f64::max);
        [best, (0..payoffs[0].len()).map(of_column).fold(f64::INFINITY, f64::min)]
    }

    #[test]
    fn no_player_can_do_better_alone() {
        let mut rng = Pcg64::seed_from_u64(1);
        for _ in 0..2000 {
            let (rows, columns) = (rng.random_range(1..7), rng.random_range(1..7));
            // Few different numbers, so that many bases are degenerate.
            let range = if rng.random() { 3 } else { 1000 };
            let payoffs: Vec<Vec<f64>> = (0..rows)
                .map(|_| (0..columns).map(|_| f64::from(rng.random_range(-range..=range)) / 2.0).collect())
                .collect();
            let solution = solve(&payoffs);
            close(solution.rows.iter().sum(), 1.0);
            close(solution.columns.iter().sum(), 1.0);
            let [best, worst] = best_responses(&payoffs, &solution);
            assert!((best - solution.value).abs() < 1e-6 && (worst - solution.value).abs() < 1e-6, "{payoffs:?}");
        }
    }

    /// Means that should be equal differ by rounding.
    #[test]
    fn rounding_does_not_matter() {
        let mut rng = Pcg64::seed_from_u64(2);
        for _ in 0..5000 {
            let (rows, columns) = (rng.random_range(1..6), rng.random_range(1..6));
            let values: [f64; 3] = std::array::from_fn(|_| 40.0 * rng.random::<f64>());
            let mut payoff = || values[rng.random_range(0..3)] * (1.0 + 1e-13 * rng.random::<f64>());
            let payoffs: Vec<Vec<f64>> = (0..rows).map(|_| (0..columns).map(|_| payoff()).collect()).collect();
            let [best, worst] = best_responses(&payoffs, &solve(&payoffs));
            assert!(best - worst < 1e-6, "{best} {worst} {payoffs:?}");
        }
    }
}
