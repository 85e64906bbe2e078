//! The bag: which tiles are drawn, in an order that the seats do not know.

use super::tile_set::{TILES, TileId};

/// Tiles in the bag when it is full.
pub const BAG: usize = TILES - 1;

/// The tiles that are drawn, in order.
#[derive(Debug, Clone, Copy)]
pub struct Bag {
    /// Every tile but the start tile. Those from `end` on never come into play.
    order: [TileId; BAG],
    /// The place of the tile drawn last; `end` when the bag is empty and nothing is in hand.
    at: u8,
    end: u8,
}

impl Bag {
    /// A bag with an order, of which only the first `count` (1..=71) tiles are drawn; the first is in hand.
    #[must_use]
    pub fn new(order: [TileId; BAG], count: u8) -> Self {
        Self { order, at: 0, end: count }
    }

    /// The tile drawn last; `None` once nothing can be drawn.
    #[inline]
    #[must_use]
    pub fn drawn(&self) -> Option<TileId> {
        (self.at < self.end).then(|| self.order[usize::from(self.at)])
    }

    /// Draws the next tile, if there is one.
    #[inline]
    pub fn draw(&mut self) {
        self.at = self.end.min(self.at + 1);
    }

    /// How many tiles can still be drawn.
    #[inline]
    #[must_use]
    pub fn left(&self) -> u8 {
        self.end - self.end.min(self.at + 1)
    }

    /// The tiles drawn so far, in order, those that had no place included.
    #[inline]
    #[must_use]
    pub fn seen(&self) -> &[TileId] {
        &self.order[..self.first_unseen().min(self.end.into())]
    }

    /// The tiles that nobody has seen, in order: those in the bag, and those that never come into play.
    #[inline]
    #[must_use]
    pub fn unseen(&self) -> &[TileId] {
        &self.order[self.first_unseen()..]
    }

    /// The same, to put them into another order.
    #[inline]
    pub fn unseen_mut(&mut self) -> &mut [TileId] {
        let first = self.first_unseen();
        &mut self.order[first..]
    }

    fn first_unseen(&self) -> usize {
        usize::from(self.at + 1).min(self.end.into())
    }
}
