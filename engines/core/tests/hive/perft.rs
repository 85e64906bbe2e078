//! Leaves of the tree of moves, against the published tables.

use _core::games::open;
use serde_json::json;

#[test]
fn tables() {
    let lines = include_str!("../data/hive/perft.txt").lines().filter(|line| !line.starts_with('#'));
    for line in lines.filter(|line| !line.trim().is_empty()) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let position = open("hive", Some(words[0]), &json!(null)).unwrap();
        for (depth, leaves) in (0..).zip(&words[1..]) {
            let counted = position.perft(depth, 1).unwrap();
            assert_eq!(counted.to_string(), *leaves, "{}, depth {depth}", words[0]);
        }
    }
}

/// Late positions, with stacks, throws, gates and holes all over: the leaves at depth 3, and the GameString.
pub fn late() -> impl Iterator<Item = (&'static str, &'static str)> {
    let lines = include_str!("../data/hive/late.txt").lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| match line.splitn(3, ' ').collect::<Vec<_>>()[..] {
        [leaves, _, game] => (leaves, game),
        _ => panic!("{line}"),
    })
}

#[test]
fn late_positions() {
    for (leaves, game) in late() {
        let config = json!({"gameString": game, "drawByRepetition": false, "plyLimit": 0});
        let position = open("hive", game.split(';').next(), &config).unwrap();
        assert_eq!(position.perft(3, 1).unwrap().to_string(), leaves, "{game}");
    }
}
