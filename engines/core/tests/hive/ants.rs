//! Ants that share one walk round the hive go where each would go alone.

use std::collections::BTreeSet;

use _core::games::hive::Hive;
use _core::games::hive::board::Board;
use _core::games::hive::crawl;
use _core::games::hive::grid::Cell;
use _core::games::hive::perimeter::Perimeter;
use _core::games::hive::reach::Union;
use _core::rules::{Rules, ToAct};
use rand::prelude::*;
use rand_pcg::Pcg64Mcg;
use serde_json::json;

use super::perft::late;

#[test]
fn ants_go_where_their_slides_lead() {
    for (seed, (_, game)) in (0..).zip(late()) {
        let config = json!({"gameString": game, "drawByRepetition": false, "plyLimit": 0});
        let (rules, start) = Hive::setup(game.split(';').next().unwrap(), &config).unwrap();
        let mut rng = Pcg64Mcg::seed_from_u64(seed);
        for _ in 0..40 {
            let mut state = start.clone();
            for _ in 0..12 {
                let ToAct::One(seat) = rules.to_act(&state) else { break };
                check(state.board(), game);
                let mut legal = Vec::new();
                rules.legal(&state, seat, &mut legal);
                rules.play_unchecked(&mut state, &[*legal.choose(&mut rng).unwrap()]);
            }
        }
    }
}

/// Every visible piece on the ground moves like an Ant, one after the other.
fn check(board: &Board, game: &str) {
    let mut perimeter = Perimeter::of(board);
    for piece in board.in_play().without(board.covered()).without(board.climbed()) {
        let cell = board.cell(piece);
        let (mut shared, mut alone) = (Union::except(cell), Union::except(cell));
        perimeter.ant(cell, &mut shared);
        crawl::ant(board, cell, &mut alone);
        let set = |ends: &Union| ends.cells().iter().copied().collect::<BTreeSet<Cell>>();
        assert_eq!(set(&shared), set(&alone), "{} after {game}", piece.name());
    }
}
