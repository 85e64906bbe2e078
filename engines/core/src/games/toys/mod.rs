//! Two small games for testing rare cases of the interface: simultaneous moves with intermediate rewards, and a hidden
//! order that may be set up from its seed or from the seats' knowledge. They are never offered to users.

pub mod draw;
mod draw_planes;
pub mod goofspiel;

/// A 128-bit mix of a few small numbers.
pub(super) fn mix(words: impl IntoIterator<Item = u64>) -> u128 {
    words.into_iter().fold(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835, |hash: u128, word| {
        let hash = (hash ^ u128::from(word)).wrapping_mul(0x2d35_8dcc_aa6c_78a5_8bb8_4b93_962e_acc9);
        hash ^ (hash >> 67)
    })
}
