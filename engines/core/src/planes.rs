//! Network input and output: how a game fills planes, and the indices of its actions in the policy vector.

use std::ops::RangeInclusive;

use crate::evaluation::Evaluation;
use crate::rules::{MAX_SEATS, Rules, Seat};

/// The tensor signature of a model, without the batch dimension.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Signature {
    /// Number of input planes.
    pub planes: usize,
    /// Second dimension of a plane in the tensor (`shape[2]`).
    pub dim2: usize,
    /// Third dimension of a plane (`shape[3]`).
    pub dim3: usize,
    /// Length of the policy vector.
    pub policy: usize,
    /// Number of values: 1 is the value for the seat to act, otherwise one per seat.
    pub values: usize,
}

impl Signature {
    /// Length of one input row.
    #[must_use]
    pub fn input_len(&self) -> usize {
        self.planes * self.dim2 * self.dim3
    }
}

/// How a network for exactly the board of a game is built: its shapes, and what its heads look at.
#[derive(Debug, Clone, PartialEq)]
pub struct Layout {
    /// The shapes, with planes of the board's own size.
    pub signature: Signature,
    /// Number of policies: one, or one per seat if the seats act together. The policy vector has them in seat order.
    pub policies: usize,
    /// Entries of a policy for each cell. They come first: all cells for the first entry, then all for the second.
    pub per_cell: usize,
    /// The cells that matter most: for each, the plane that marks it, and the number that this plane has only there.
    pub anchors: Vec<(usize, f32)>,
}

/// A symmetry of the rules under which games remain games: permutations of an input row, of the policy vector and of the
/// values. Entry `i` of the reflected vector is entry `permutation[i]` of the original one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Symmetry {
    /// Of the input row.
    pub inputs: Vec<usize>,
    /// Of the policy vector.
    pub policy: Vec<usize>,
    /// Of the values: which seat each one becomes that of.
    pub values: Vec<usize>,
}

/// Optional part of [`Rules`] for games that networks can evaluate. Planes and policy indices depend only on what is
/// covered by [`Rules::information_key`] of the seat to act, because evaluations are cached by it.
pub trait Planes<R: Rules>: Sync {
    /// Whether a model of this signature can evaluate this game.
    ///
    /// # Errors
    /// A sentence that names the mismatch.
    fn fits(&self, signature: &Signature) -> Result<(), String>;

    /// The layout of networks for exactly this board.
    fn layout(&self) -> Layout;

    /// Whether self-play trains networks of this layout. If not, the planes are for programs and networks of others.
    fn is_trained(&self) -> bool {
        true
    }

    /// The symmetries of a network's input and output in this layout, without the identity.
    fn symmetries(&self) -> Vec<Symmetry> {
        Vec::new()
    }

    /// Whether the values of networks are points that the seats are expected to win from the position on, one per seat,
    /// rather than the expected result.
    fn estimates_points(&self) -> bool {
        false
    }

    /// What a value of 1 is worth in points, for networks that estimate points. Values are shares of this number, so that
    /// they mean the same on boards of all sizes.
    fn points_unit(&self, _state: &R::State) -> f32 {
        1.0
    }

    /// The signature of another size of the planes, in games whose planes are a window on an unbounded board.
    ///
    /// # Errors
    /// A sentence that names the possible sizes.
    fn windowed(&self, _size: usize) -> Result<Signature, String> {
        Err("planes have the size of the board in this game".into())
    }

    /// Whether the planes are a window beyond whose edge there may be more, so that several actions may share a number.
    fn has_edge(&self, _signature: &Signature) -> bool {
        false
    }

    /// Fills one input row (all `signature.input_len()` numbers) with what `seat` sees. Searches ask for the seat to act,
    /// environments for every seat, also at the end of a game.
    fn fill(&self, state: &R::State, seat: Seat, signature: &Signature, row: &mut [f32]);

    /// The same for several seats, one row after the other. Override if what they see has much in common.
    fn fill_seats(&self, state: &R::State, seats: &[Seat], signature: &Signature, rows: &mut [f32]) {
        for (seat, row) in seats.iter().zip(rows.chunks_exact_mut(signature.input_len())) {
            self.fill(state, *seat, signature, row);
        }
    }

    /// The index of `seat`'s `action` in the policy vector; `None` if the model has no output for it or the search
    /// should not follow it (its prior is then 0).
    fn policy_index(
        &self,
        state: &R::State,
        signature: &Signature,
        seat: Seat,
        action: R::Action,
    ) -> Option<usize>;

    /// The same for several actions of `seat` in one state, in their order. Override if what they share is costly.
    fn policy_indices(
        &self,
        state: &R::State,
        signature: &Signature,
        seat: Seat,
        actions: &[R::Action],
    ) -> Vec<Option<usize>> {
        actions.iter().map(|action| self.policy_index(state, signature, seat, *action)).collect()
    }

    /// How many flat actions a seat of an environment has. Override if the policy vector has no entry for an action
    /// without which a seat may have none, or entries for several seats.
    fn flat_actions(&self, signature: &Signature) -> usize {
        signature.policy
    }

    /// The numbers of `seat`'s actions among its flat actions; `None` for those that environments do not offer.
    fn flat_indices(
        &self,
        state: &R::State,
        signature: &Signature,
        seat: Seat,
        actions: &[R::Action],
    ) -> Vec<Option<usize>> {
        self.policy_indices(state, signature, seat, actions)
    }

    /// What an action stands for that the state does not allow, in games where a seat may try it.
    fn flat_attempt(&self, _number: usize) -> Option<R::Action> {
        None
    }
}

/// The size of a window, if it is one of these.
///
/// # Errors
/// A sentence that names the sizes.
pub fn window_size(size: usize, sizes: &RangeInclusive<usize>) -> Result<usize, String> {
    if sizes.contains(&size) {
        return Ok(size);
    }
    Err(format!("planes have a size from {} to {} in this game, not {size}", sizes.start(), sizes.end()))
}

/// Whether a signature is that of a square window of one of these sizes. `of_size` has the same planes and values for all.
///
/// # Errors
/// A sentence that names the mismatch.
pub fn fits_window(
    found: &Signature,
    sizes: &RangeInclusive<usize>,
    of_size: impl Fn(usize) -> Signature,
) -> Result<(), String> {
    let wanted = of_size(found.dim2.clamp(*sizes.start(), *sizes.end()));
    if (found.planes, found.values) != (wanted.planes, wanted.values) {
        return Err(format!(
            "{} planes and {} values are not {} and {}",
            found.planes, found.values, wanted.planes, wanted.values
        ));
    }
    if (found.dim2, found.dim3) != (wanted.dim2, wanted.dim3) {
        let (dim2, dim3) = (found.dim2, found.dim3);
        return Err(format!("{dim2}x{dim3} is not a square of {} to {}", sizes.start(), sizes.end()));
    }
    if found.policy != wanted.policy {
        return Err(format!("a policy of {} is not {}", found.policy, wanted.policy));
    }
    Ok(())
}

/// Converts a network's output. `legal` has the acting seats in order, each with its legal actions.
pub fn read_output<R: Rules>(
    rules: &R,
    state: &R::State,
    signature: &Signature,
    legal: &[(Seat, &[R::Action])],
    policy: &[f32],
    values: &[f32],
) -> Evaluation {
    let seats = rules.seats();
    let mut per_seat = [0.0; MAX_SEATS];
    match (signature.values, legal) {
        // The value of the seat to act; the other seat's is its negative.
        (1, [(seat, _), ..]) => (per_seat[*seat], per_seat[1 - seat]) = (values[0], -values[0]),
        _ => per_seat[..seats].copy_from_slice(&values[..seats]),
    }
    let planes = rules.planes();
    let indices = |(seat, actions): &(Seat, &[R::Action])| match planes {
        Some(planes) => planes.policy_indices(state, signature, *seat, actions),
        None => vec![None; actions.len()],
    };
    let policies = legal
        .iter()
        .map(|acting| indices(acting).into_iter().map(|index| index.map_or(0.0, |index| policy[index])));
    match planes {
        Some(planes) if planes.estimates_points() => {
            let unit = planes.points_unit(state);
            per_seat.iter_mut().for_each(|points| *points *= unit);
            Evaluation::in_points(&per_seat[..seats], policies)
        }
        _ => Evaluation::new(&per_seat[..seats], policies),
    }
}
