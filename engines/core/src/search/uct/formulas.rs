//! The formulas of the search, on values in [0, 1].

/// Number of children that a node with this many visits may have (progressive widening, Coulom 2007): c · nᵅ, at least
/// one.
#[must_use]
pub fn max_children(visits: u32, c: f64, alpha: f64) -> usize {
    ((c * f64::from(visits.max(1)).powf(alpha)).floor() as usize).max(1)
}

/// The exploration term C · √(ln N / n) of UCB1 (Auer, Cesa-Bianchi and Fischer 2002), given ln N; n ≥ 1.
#[must_use]
pub fn exploration(c: f64, log_parent_visits: f64, visits: u32) -> f64 {
    c * (log_parent_visits / f64::from(visits)).sqrt()
}

/// The weight of the AMAF mean in a node with this many visits (Gelly and Silver 2007): √(k / (3N + k)).
#[must_use]
pub fn amaf_weight(visits: u32, k: f64) -> f64 {
    (k / (3.0 * f64::from(visits) + k)).sqrt()
}

/// The results of an action: visits and the sum of their values.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Mean {
    /// Number of values.
    pub visits: u32,
    /// Their sum.
    pub sum: f64,
}

impl Mean {
    /// Adds a value.
    pub fn add(&mut self, value: f64) {
        self.visits += 1;
        self.sum += value;
    }

    /// Adds other values.
    pub fn add_all(&mut self, others: Self) {
        self.visits += others.visits;
        self.sum += others.sum;
    }

    /// The mean, or `otherwise` without visits.
    #[must_use]
    pub fn or(&self, otherwise: f64) -> f64 {
        if self.visits == 0 { otherwise } else { self.sum / f64::from(self.visits) }
    }
}

/// The score by which a node with `parent` visits chooses an action.
#[must_use]
pub fn uct(own: Mean, parent: u32, c: f64) -> f64 {
    if own.visits == 0 {
        return f64::INFINITY;
    }
    own.or(0.0) + exploration(c, f64::from(parent).ln(), own.visits)
}

/// [`uct`] with the AMAF mean mixed in; an unknown AMAF mean counts as 0.5. With `first_play`, an action without visits
/// scores 1 more than its AMAF mean, if that is known.
#[must_use]
pub fn rave(own: Mean, amaf: Mean, parent: u32, c: f64, k: f64, first_play: FirstPlay) -> f64 {
    if own.visits == 0 {
        return match first_play {
            FirstPlay::Amaf if amaf.visits > 0 => 1.0 + amaf.or(0.0),
            _ => f64::INFINITY,
        };
    }
    let weight = amaf_weight(parent, k);
    (1.0 - weight) * own.or(0.0) + weight * amaf.or(0.5) + exploration(c, f64::from(parent).ln(), own.visits)
}

/// Which action without visits comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FirstPlay {
    /// The first one in the static order.
    Static,
    /// The one with the best AMAF mean; those without one follow in the static order.
    Amaf,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-9, "{found}, not {expected}");
    }

    #[test]
    fn uct_of_known_numbers() {
        for (sum, visits, parent, c, expected) in [
            (30.0, 50, 100, 1.41, 1.027_914_450_486_611_1),
            (7.0, 10, 100, 1.41, 1.656_845_799_842_530_8),
            (0.5, 1, 1, 1.41, 0.5),
            (2.1, 3, 12, 1.41, 1.983_256_652_745_080_6),
            (3.5, 7, 64, 0.5, 0.885_397_896_584_058_8),
            (12.0, 20, 200, 2.0, 1.629_399_569_316_797),
        ] {
            close(uct(Mean { visits, sum }, parent, c), expected);
        }
        assert_eq!(uct(Mean::default(), 10, 1.41), f64::INFINITY);
    }

    #[test]
    fn weights_of_known_numbers() {
        for (visits, k, expected) in [
            (0, 100.0, 1.0),
            (1, 100.0, 0.985_329_278_164_293_2),
            (10, 100.0, 0.877_058_019_307_029_2),
            (33, 100.0, 0.708_881_205_008_335_9),
            (100, 100.0, 0.5),
            (200, 100.0, 0.377_964_473_009_227_2),
            (100, 300.0, std::f64::consts::FRAC_1_SQRT_2),
            (461, 100.0, 0.259_674_572_002_288_66),
            (10_000, 300.0, 0.099_503_719_020_998_92),
            (1000, 50.0, 0.128_036_879_932_895_98),
        ] {
            close(amaf_weight(visits, k), expected);
        }
    }

    #[test]
    fn rave_of_known_numbers() {
        let amaf = Mean { visits: 5, sum: 4.0 };
        let of = |sum, visits, amaf, parent, k| rave(Mean { visits, sum }, amaf, parent, 1.41, k, FirstPlay::Amaf);
        close(of(7.0, 10, amaf, 100, 100.0), 1.706_845_799_842_530_8);
        close(of(7.0, 10, Mean::default(), 100, 100.0), 1.556_845_799_842_531);
        close(of(1.0, 4, amaf, 10, 100.0), 1.802_168_036_835_394_3);
        close(of(12.0, 20, amaf, 200, 300.0), 1.441_196_750_206_267);
        close(of(0.0, 0, amaf, 10, 100.0), 1.8);
        assert_eq!(of(0.0, 0, Mean::default(), 10, 100.0), f64::INFINITY);
        assert_eq!(rave(Mean::default(), amaf, 10, 1.41, 100.0, FirstPlay::Static), f64::INFINITY);
    }

    #[test]
    fn widening_of_known_numbers() {
        let visits = [0, 1, 2, 3, 4, 5, 8, 9, 10, 16, 25, 50, 99, 100, 101, 1000];
        for (c, alpha, expected) in [
            (2.0, 0.5, [2, 2, 2, 3, 4, 4, 5, 6, 6, 8, 10, 14, 19, 20, 20, 63]),
            (1.0, 0.5, [1, 1, 1, 1, 2, 2, 2, 3, 3, 4, 5, 7, 9, 10, 10, 31]),
            (4.0, 0.5, [4, 4, 5, 6, 8, 8, 11, 12, 12, 16, 20, 28, 39, 40, 40, 126]),
            (2.0, 0.0, [2; 16]),
            (0.1, 0.5, [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 3]),
            (1.5, 0.3, [1, 1, 1, 2, 2, 2, 2, 2, 2, 3, 3, 4, 5, 5, 5, 11]),
        ] {
            assert_eq!(visits.map(|visits| max_children(visits, c, alpha)), expected, "c {c}, alpha {alpha}");
        }
    }
}
