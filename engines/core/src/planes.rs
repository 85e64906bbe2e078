//! Network input and output: how a game fills planes and where its actions stand in a policy vector.

use crate::evaluation::Evaluation;
use crate::rules::{MAX_SEATS, Rules, Seat};

/// The tensor signature of a model, batch dimension left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Signature {
    /// Number of input planes.
    pub planes: usize,
    /// Second dimension of a plane as the tensor has it (`shape[2]`).
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

/// Optional part of [`Rules`] for games that networks can evaluate. Planes and policy indices depend on nothing that
/// [`Rules::information_key`] of the seat to act leaves out: evaluations are cached by it.
pub trait Planes<R: Rules>: Sync {
    /// Whether a model of this signature can evaluate this game.
    ///
    /// # Errors
    /// A sentence that names the mismatch.
    fn fits(&self, signature: &Signature) -> Result<(), String>;

    /// Fills one input row (`signature.input_len()` numbers, all of them written) from the view of the seat to act.
    fn fill(&self, state: &R::State, signature: &Signature, row: &mut [f32]);

    /// Where `action` of `seat` stands in the policy vector; `None` where the model has no opinion or the search should not
    /// follow it (its prior is then 0).
    fn policy_index(
        &self,
        state: &R::State,
        signature: &Signature,
        seat: Seat,
        action: R::Action,
    ) -> Option<usize>;
}

/// What a network's output for a state says. `legal` has the acting seats in order, each with its legal actions.
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
        // The value of the seat to act, of two whose values sum to zero.
        (1, [(seat, _), ..]) => (per_seat[*seat], per_seat[1 - seat]) = (values[0], -values[0]),
        _ => per_seat[..seats].copy_from_slice(&values[..seats]),
    }
    let planes = rules.planes();
    let weight = |seat: Seat, action: R::Action| {
        let index = planes.and_then(|planes| planes.policy_index(state, signature, seat, action));
        index.map_or(0.0, |index| policy[index])
    };
    let policies = legal.iter().map(|(seat, actions)| actions.iter().map(move |action| weight(*seat, *action)));
    Evaluation::new(&per_seat[..seats], policies)
}
