//! The weights of the features of [`super::features`]: fitted to the results of 13,000 games of self-play of the
//! search, by logistic regression of the result on the value.

use super::features::FEATURES;

/// Thousandths of a point per feature, eight per line.
#[rustfmt::skip]
pub const WEIGHTS: [i16; FEATURES] = [
    202, 102, 0, 0, -210, -185, 0, 0,
    48, -11, 151, 27, 101, 125, 328, -163,
    -78, -111, 113, 40, 263, 90, 424, 431,
    10, -15, 158, 23, 141, 71, 136, 100,
    106, -33, 256, 37, 92, 119, -34, -33,
    -19, -124, 358, 128, 71, 41, 345, 55,
    49, -18, 128, 25, 81, 41, 290, 206,
    34, 19, 279, 102, 61, 165, 249, 263,
    -56, -92, 460, 374, 22, 497, -101, 3,
    -37, -30, 10, -39, 30, -115, -98, -36,
    -111, -47, -96, -126, -66, -143, 0, -70,
    -254, -251, -469, -303, -440, -564, -464, -672,
    -654, -905, 0, 0, 0, -78, -251, -276,
    -420, -267, -391, -569, -418, -725, -655, -1001,
    0, 0, 211, -8, -49, -54, 116,
];
