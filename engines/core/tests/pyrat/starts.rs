//! Generated starts: golden mazes, and what holds for all of them.

use std::fmt::Write;

use _core::games::open;
use _core::games::pyrat::generate::{self, Symmetry};
use _core::games::pyrat::grid::{Grid, SIDE_LIMITS};
use _core::games::pyrat::maze::{Edge, Maze};
use _core::games::pyrat::variant::{Terrain, VARIANTS, Variant};
use serde_json::{Value, json};

/// The starts of every variant for a fixed seed, drawn from the top row to the bottom.
#[test]
fn golden_starts() {
    let golden: String = VARIANTS.iter().map(|variant| draw(variant, 7)).collect();
    let expected = include_str!("../data/pyrat/starts.txt");
    let expected = expected.split_once("\n\n").unwrap().1;
    assert!(golden == expected, "the starts have changed:\n{golden}");
}

fn draw(variant: &str, seed: u64) -> String {
    let position = open("pyrat", Some(variant), &json!({"seed": seed})).unwrap();
    let view = position.view(None).unwrap();
    let mut text = format!("{variant} {seed}\n");
    for row in view["exits"].as_array().unwrap().iter().rev() {
        writeln!(text, "{}", row.as_str().unwrap()).unwrap();
    }
    let cell = |cell: &Value| format!("{},{}", cell[0], cell[1]);
    let mud = view["mud"].as_array().unwrap().iter();
    let mud = mud.map(|mud| format!(" {}-{}:{}", cell(&mud[0]), cell(&mud[1]), mud[2]));
    writeln!(text, "mud{}", mud.collect::<String>()).unwrap();
    let cheese = view["cheese"].as_array().unwrap().iter().map(|piece| format!(" {}", cell(piece)));
    writeln!(text, "cheese{}\n", cheese.collect::<String>()).unwrap();
    text
}

#[test]
fn mazes_are_connected_and_symmetric() {
    for seed in 0..500 {
        let side = |turn: u64| (2 + (seed * 31 + turn * 17) % 15) as u8;
        let grid = Grid { width: side(1), height: side(2) };
        for symmetry in [Symmetry::HalfTurn, Symmetry::None] {
            let maze = generate::maze(grid, symmetry, seed);
            assert!(maze.reached(&[0]).into_iter().all(|reached| reached), "{grid:?} {seed}");
            assert!(symmetry == Symmetry::None || is_symmetric(&maze), "{grid:?} {seed}");
            assert!(maze == generate::maze(grid, symmetry, seed));
        }
    }
    let most = *SIDE_LIMITS.end();
    let largest = generate::maze(Grid { width: most, height: most }, Symmetry::HalfTurn, 1);
    assert!(is_symmetric(&largest) && largest.reached(&[0]).into_iter().all(|reached| reached));
}

fn is_symmetric(maze: &Maze) -> bool {
    maze.edge_ids().all(|edge| maze.edge(edge) == maze.edge(maze.mirror(edge)))
}

#[test]
fn variants_differ_in_symmetry() {
    for name in VARIANTS {
        let variant = Variant::named(name).unwrap();
        if variant.terrain == Terrain::Maze {
            let maze = generate::maze(variant.grid, variant.symmetry, 5);
            assert_eq!(is_symmetric(&maze), name != "asymmetric");
            assert!(maze != generate::maze(variant.grid, variant.symmetry, 6));
        }
    }
}

/// Mean shares of walls, passages with mud, and passages, of the reference program's mazes. They were measured on 40 of
/// its mazes, 8 of the two largest boards; the standard error of its mud is 3 to 6 %. Ours has none to speak of.
#[test]
fn densities_are_those_of_the_reference() {
    for (name, mazes, walls, mud, passages) in [
        ("tiny", 4000, 0.441, 15.2, 99.5),
        ("small", 1000, 0.458, 26.8, 196.2),
        ("medium", 500, 0.464, 47.0, 318.2),
        ("large", 40, 0.473, 89.5, 659.0),
        ("huge", 40, 0.481, 173.0, 1281.0),
    ] {
        let Variant { grid, symmetry, .. } = Variant::named(name).unwrap();
        let mean = |is_counted: fn(Edge) -> bool| {
            let counts = (0..mazes).map(|seed| {
                let maze = generate::maze(grid, symmetry, seed);
                maze.edge_ids().filter(|edge| is_counted(maze.edge(*edge))).count()
            });
            counts.sum::<usize>() as f64 / mazes as f64
        };
        let measured = [mean(|edge| edge == Edge::Wall), mean(|edge| matches!(edge, Edge::Mud(_)))];
        let edges = Maze::open(grid).edge_ids().count() as f64;
        for (measured, expected, tolerance) in
            [(measured[0] / edges, walls, 0.02), (edges - measured[0], passages, 0.02), (measured[1], mud, 0.10)]
        {
            assert!((measured / expected - 1.0).abs() < tolerance, "{name}: {measured} instead of {expected}");
        }
    }
}

#[test]
fn cheese_is_symmetric_and_off_the_starts() {
    for seed in 0..300 {
        let grid = Grid { width: 3 + (seed % 5) as u8, height: 3 + (seed / 5 % 4) as u8 };
        let starts = [0, grid.cells() - 1];
        for symmetry in [Symmetry::HalfTurn, Symmetry::None] {
            let is_odd = grid.centre().is_some() && seed % 2 == 0;
            let count = 4 + u16::from(is_odd);
            let cheese = generate::cheese(grid, symmetry, count, starts, seed).unwrap();
            assert_eq!(cheese.len(), usize::from(count));
            assert!(cheese.is_sorted_by(|first, second| first < second));
            assert!(!cheese.iter().any(|cell| starts.contains(cell)));
            let has = |cell| cheese.contains(&cell);
            if symmetry == Symmetry::HalfTurn {
                assert!(cheese.iter().all(|cell| has(grid.mirror(*cell))));
            }
            let has_centre = symmetry == Symmetry::HalfTurn && is_odd;
            assert_eq!(grid.centre().is_some_and(has), has_centre, "only an odd symmetric number has the centre");
        }
    }
}

/// With starts that are not symmetric, cheese is neither on a start nor on its image.
#[test]
fn cheese_is_off_other_starts() {
    let grid = Grid { width: 5, height: 4 };
    for seed in 0..50 {
        let cheese = generate::cheese(grid, Symmetry::HalfTurn, 16, [1, 7], seed).unwrap();
        assert!([1, 7, grid.mirror(1), grid.mirror(7)].iter().all(|cell| !cheese.contains(cell)));
    }
    assert!(generate::cheese(grid, Symmetry::HalfTurn, 18, [1, 7], 0).is_err());
}

/// A full board: every cell that may have cheese has it.
#[test]
fn every_free_cell_may_have_cheese() {
    let grid = Grid { width: 5, height: 5 };
    for (symmetry, most) in [(Symmetry::HalfTurn, 23), (Symmetry::None, 22)] {
        assert_eq!(generate::cheese(grid, symmetry, most, [0, 24], 1).unwrap().len(), usize::from(most));
        assert!(generate::cheese(grid, symmetry, most + 1, [0, 24], 1).is_err());
    }
}
