//! Exact solutions of small boards by backward induction, in fractions.

use std::collections::HashMap;
use std::ops::{Add, Div, Mul, Sub};

use _core::games::pyrat::PyRat;
use _core::games::pyrat::direction::Direction;
use _core::games::pyrat::state::State;
use _core::rules::{Rules, ToAct};

/// A fraction in lowest terms, with a positive denominator. Overflow panics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fraction {
    above: i128,
    below: i128,
}

impl Fraction {
    pub const ZERO: Self = Self { above: 0, below: 1 };
    pub const ONE: Self = Self { above: 1, below: 1 };

    pub fn new(above: i128, below: i128) -> Self {
        let divisor = common_divisor(above, below) * below.signum();
        Self { above: above / divisor, below: below / divisor }
    }

    pub fn to_f64(self) -> f64 {
        self.above as f64 / self.below as f64
    }
}

fn common_divisor(a: i128, b: i128) -> i128 {
    if b == 0 { a.abs() } else { common_divisor(b, a % b) }
}

fn times(a: i128, b: i128) -> i128 {
    a.checked_mul(b).expect("fractions have become too long")
}

impl Add for Fraction {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self::new(times(self.above, other.below) + times(other.above, self.below), times(self.below, other.below))
    }
}

impl Sub for Fraction {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        self + Self { above: -other.above, ..other }
    }
}

impl Mul for Fraction {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        Self::new(times(self.above, other.above), times(self.below, other.below))
    }
}

impl Div for Fraction {
    type Output = Self;

    fn div(self, other: Self) -> Self {
        Self::new(times(self.above, other.below), times(self.below, other.above))
    }
}

impl PartialOrd for Fraction {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some((*self - *other).above.cmp(&0))
    }
}

/// A matrix game: what the row player gets, one list per row.
pub type Payoffs = Vec<Vec<Fraction>>;

/// The value of a matrix game for the row player, by the simplex method with Bland's rule: with payoffs of at least 1,
/// the columns maximise Σy subject to A·y ≤ 1 and y ≥ 0, and the value is 1 / Σy.
pub fn value(payoffs: &Payoffs) -> Fraction {
    let lowest = payoffs.iter().flatten().copied().reduce(|a, b| if b < a { b } else { a }).unwrap();
    let shift = Fraction::ONE - lowest;
    let (count, columns) = (payoffs.len(), payoffs[0].len());
    let unit = |index: usize| move |at: usize| if at == index { Fraction::ONE } else { Fraction::ZERO };
    let mut rows: Vec<Vec<Fraction>> = (0..count)
        .map(|index| {
            let payoffs = payoffs[index].iter().map(|payoff| *payoff + shift);
            payoffs.chain((0..count).map(unit(index))).chain([Fraction::ONE]).collect()
        })
        .collect();
    let mut objective = vec![Fraction::ONE; columns];
    objective.resize(columns + count + 1, Fraction::ZERO);
    let mut basis: Vec<usize> = (columns..columns + count).collect();
    let last = columns + count;
    while let Some(entering) = (0..last).find(|index| objective[*index] > Fraction::ZERO) {
        let ratio = |row: usize| rows[row][last] / rows[row][entering];
        let bounded = (0..count).filter(|row| rows[*row][entering] > Fraction::ZERO);
        let leaving = bounded.min_by(|a, b| {
            let by_ratio = ratio(*a).partial_cmp(&ratio(*b)).unwrap();
            by_ratio.then(basis[*a].cmp(&basis[*b]))
        });
        let leaving = leaving.expect("payoffs are positive, so the columns are bounded");
        let factor = rows[leaving][entering];
        let pivot: Vec<Fraction> = rows[leaving].iter().map(|cell| *cell / factor).collect();
        for row in rows.iter_mut().chain([&mut objective]) {
            let factor = row[entering];
            row.iter_mut().zip(&pivot).for_each(|(cell, pivot)| *cell = *cell - factor * *pivot);
        }
        rows[leaving] = pivot;
        basis[leaving] = entering;
    }
    Fraction::ONE / (Fraction::ZERO - objective[last]) - shift
}

/// Differences of points, of all unfinished states that have been reached.
pub struct Oracle<'r> {
    rules: &'r PyRat<1>,
    pub known: HashMap<u128, Fraction>,
}

impl<'r> Oracle<'r> {
    pub fn new(rules: &'r PyRat<1>) -> Self {
        Self { rules, known: HashMap::new() }
    }

    /// How many more points seat 0 wins than seat 1 from a state on.
    pub fn value(&mut self, state: &State<1>) -> Fraction {
        if let ToAct::Over(_) = self.rules.to_act(state) {
            return Fraction::ZERO;
        }
        let key = self.rules.key(state);
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        let value = value(&self.payoffs(state));
        self.known.insert(key, value);
        value
    }

    /// The matrix game of one turn.
    pub fn payoffs(&mut self, state: &State<1>) -> Payoffs {
        let [first, second] = [0, 1].map(|seat| {
            let mut legal = Vec::new();
            self.rules.legal(state, seat, &mut legal);
            legal
        });
        let of_row =
            |first: &Direction| second.iter().map(|second| self.after(state, [*first, *second])).collect();
        first.iter().map(of_row).collect()
    }

    fn after(&mut self, state: &State<1>, pair: [Direction; 2]) -> Fraction {
        let margin = |state: &State<1>| {
            let [first, second] = state.players().map(|player| i128::from(player.half_points));
            Fraction::new(first - second, 2)
        };
        let mut after = state.clone();
        self.rules.play_unchecked(&mut after, &pair);
        margin(&after) - margin(state) + self.value(&after)
    }
}

#[test]
fn fractions_and_matrix_games_of_known_value() {
    let half = Fraction::new(-2, -4);
    assert_eq!((half, half * half - Fraction::ONE), (Fraction::new(1, 2), Fraction::new(-3, 4)));
    assert!(Fraction::new(1, 3) < half && half / Fraction::new(1, 3) > Fraction::ONE);
    let game = |rows: &[&[i128]]| {
        let row = |row: &&[i128]| row.iter().map(|number| Fraction::new(*number, 1)).collect();
        value(&rows.iter().map(row).collect())
    };
    assert_eq!(game(&[&[0, -1, 1], &[1, 0, -1], &[-1, 1, 0]]), Fraction::ZERO, "rock, paper, scissors");
    assert_eq!(game(&[&[3, -1], &[-2, 1]]), Fraction::new(1, 7));
    assert_eq!(game(&[&[1, 0, 1], &[1, -1, 0]]), Fraction::ZERO, "a saddle point");
    assert_eq!(game(&[&[-5]]), Fraction::new(-5, 1));
}
