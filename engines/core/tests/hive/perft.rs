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
