//! Leaves of the tree of single actions, against a table and against the plain model.

use _core::games::wallwars::board::Grid;
use _core::games::wallwars::setup::{Setup, Terms, Variant};
use _core::moves;

use super::model::Model;

/// The model is only asked for tables up to this many leaves.
const MODEL_LEAVES: u64 = 100_000;

#[test]
fn tables() {
    let lines = include_str!("../data/wallwars/perft.txt").lines().filter(|line| !line.starts_with('#'));
    for line in lines {
        let words: Vec<&str> = line.split_whitespace().collect();
        let setup = setup(words[0], words[1]);
        for (depth, leaves) in (1..).zip(&words[2..]) {
            let leaves: u64 = leaves.parse().expect("a number");
            assert_eq!(perft(&setup, depth), leaves, "{line}, depth {depth}");
            if leaves <= MODEL_LEAVES {
                assert_eq!(Model::new(&setup).perft(depth), leaves, "{line}, depth {depth}, model");
            }
        }
    }
}

fn setup(variant: &str, size: &str) -> Setup {
    let (width, height) = size.split_once('x').expect("a size");
    let grid = Grid { width: width.parse().expect("columns"), height: height.parse().expect("rows") };
    let variant = match variant {
        "standard" => Variant::Standard,
        "classic" => Variant::Classic,
        "survival" => Variant::Survival(Terms { turns: 2, mouse_can_move: true }),
        other => panic!("variant {other}?"),
    };
    Setup::corners(variant, grid)
}

fn perft(setup: &Setup, depth: u32) -> u64 {
    fn from<const N: usize>(setup: &Setup, depth: u32) -> u64 {
        let (rules, state) = setup.begin::<N>().expect("a legal start");
        moves::perft(&rules, &state, depth)
    }
    match setup.grid.words() {
        1 => from::<1>(setup, depth),
        2 => from::<2>(setup, depth),
        4 => from::<4>(setup, depth),
        _ => from::<7>(setup, depth),
    }
}
