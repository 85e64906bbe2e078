//! The description of the game in `GET /api/rules`.

use serde_json::{Value, json};

/// Board limits, notation and edition notes.
#[must_use]
pub fn about() -> Value {
    json!({
        "title": "Wallwars",
        "sentence": "Race your cat to the other player's mouse, and build walls in the way of theirs.",
        "boardWidth": {"min": 3, "max": 20, "default": 8},
        "boardHeight": {"min": 3, "max": 20, "default": 8},
        "fixedBoards": {"freestyle": {"boardWidth": 12, "boardHeight": 10}},
        "samples": {"beginner": 12, "novice": 28, "easy": 70, "medium": 150, "hard": 400, "strong": 1000},
        "noise": {"beginner": 0.44, "novice": 0.36, "easy": 0.3, "medium": 0.24, "hard": 0.1, "strong": 0.04},
        "networkNoise": {
            "beginner": 0.29, "novice": 0.21, "easy": 0.14, "medium": 0.1, "hard": 0.06, "strong": 0.04,
        },
        "variants": {
            "standard": "Each cat hunts the other player's mouse.",
            "classic": "Each cat runs to its own home corner.",
            "freestyle": "As standard, on a 12x10 board from a random mirrored start.",
            "survival": "Player 1's cat has to catch player 2's mouse within a limit of turns.",
        },
        "reasons": {
            "capture": "by capture",
            "one-move-rule": "by the one-move rule",
            "survival": "by holding out",
        },
        "variantReasons": {"classic": {"capture": "by reaching home"}},
        "notation": "Up to two actions joined by '.': Cb8 (cat to b8), Ma2 (mouse to a2), >d4 (wall right of d4), \
                     ^c5 (wall above c5); --- passes. Columns a.., rows from the bottom.",
        "notes": [
            "A win counts only at the end of a turn, after both actions.",
            "Player 1's capture is a draw if player 2's cat is at most two steps from player 1's mouse \
             (standard and freestyle only).",
            "The number of walls is unlimited, but every cat must keep a way to its goal.",
        ],
    })
}
