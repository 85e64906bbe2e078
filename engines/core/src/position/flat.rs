//! Positions as environments show them: planes for each seat, actions as numbers, and batches of games.

use super::Erased;
use crate::environments::{Environments, Games, Spec};
use crate::flat::Flat;
use crate::planes::Signature;
use crate::rules::{RuleError, Rules, Seat};

/// The part of a [`Position`](super::Position) that environments use. `size` is that of the planes, where it can be chosen;
/// all methods fail with `BadConfig` if the game has no planes, or none of this size.
pub trait FlatPosition {
    /// The flat actions and planes of environments: their shapes and how many actions a seat has.
    fn flat_shape(&self, size: Option<usize>) -> Result<(Signature, usize), RuleError>;
    /// What a seat sees, in the middle of its move if something is staged.
    fn observe(&self, seat: Seat, staged: &str, size: Option<usize>) -> Result<Vec<f32>, RuleError>;
    /// The numbers of the actions of a seat that may follow the staged beginning of a move.
    fn flat_legal(&self, seat: Seat, staged: &str, size: Option<usize>) -> Result<Vec<u32>, RuleError>;
    /// The text of a staged beginning with one more action, and whether that is a whole move.
    fn flat_text(
        &self,
        seat: Seat,
        staged: &str,
        index: u32,
        size: Option<usize>,
    ) -> Result<(String, bool), RuleError>;
    /// The numbers of the actions of a whole move.
    fn flat_indices(&self, seat: Seat, text: &str, size: Option<usize>) -> Result<Vec<u32>, RuleError>;
    /// Many games with these rules.
    fn environments(&self, spec: Spec) -> Result<Box<dyn Environments>, RuleError>;
}

impl<R: Rules> FlatPosition for Erased<R> {
    fn flat_shape(&self, size: Option<usize>) -> Result<(Signature, usize), RuleError> {
        let flat = Flat::new(&*self.rules, size)?;
        Ok((*flat.signature(), flat.actions()))
    }

    fn observe(&self, seat: Seat, staged: &str, size: Option<usize>) -> Result<Vec<f32>, RuleError> {
        self.seat(Some(seat))?;
        Flat::new(&*self.rules, size)?.observe(&self.state, seat, staged)
    }

    fn flat_legal(&self, seat: Seat, staged: &str, size: Option<usize>) -> Result<Vec<u32>, RuleError> {
        self.seat(Some(seat))?;
        Flat::new(&*self.rules, size)?.legal(&self.state, seat, staged)
    }

    fn flat_text(
        &self,
        seat: Seat,
        staged: &str,
        index: u32,
        size: Option<usize>,
    ) -> Result<(String, bool), RuleError> {
        self.seat(Some(seat))?;
        Flat::new(&*self.rules, size)?.text(&self.state, seat, staged, index)
    }

    fn flat_indices(&self, seat: Seat, text: &str, size: Option<usize>) -> Result<Vec<u32>, RuleError> {
        self.seat(Some(seat))?;
        Flat::new(&*self.rules, size)?.indices(&self.state, seat, text)
    }

    fn environments(&self, spec: Spec) -> Result<Box<dyn Environments>, RuleError> {
        Games::<R>::open(spec)
    }
}
