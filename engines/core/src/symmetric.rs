//! Mirror images and rotations: positions that are the same game seen from another side.

use crate::rules::{RuleError, Rules, Seat};

/// Optional part of [`Rules`] for games whose board looks the same from several sides.
///
/// Symmetries are numbered from 0, which leaves everything as it is. Laws (tested in `tests/engines/test_explorer.py`): the
/// keys of a position's image are those of the position in another order; the image of a legal move is legal in the
/// image of the position, and leads to the image of the position after the move.
pub trait Symmetric<R: Rules>: Sync {
    /// Number of symmetries.
    fn symmetries(&self) -> usize;

    /// A hash of what players see of the image of a position, with the names of the pieces that moves can name. What has
    /// been repeated is not part of it.
    fn image_key(&self, state: &R::State, symmetry: usize) -> u128;

    /// The canonical text of the image of a legal move.
    ///
    /// # Errors
    /// As [`Rules::read`].
    fn image(&self, state: &R::State, seat: Seat, text: &str, symmetry: usize) -> Result<String, RuleError>;
}
