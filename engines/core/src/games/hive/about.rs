//! The description of the game in `GET /api/rules`.

use serde_json::{Value, json};

/// Game types, seats, notation and notes.
#[must_use]
pub fn about() -> Value {
    json!({
        "title": "Hive",
        "sentence": "Place and move insects, and surround the other player's Queen Bee.",
        "seats": ["White", "Black"],
        "variantTitles": {
            "Base+MLP": "All insects",
            "Base": "Base game",
            "Base+M": "Base game and Mosquito",
            "Base+L": "Base game and Ladybug",
            "Base+P": "Base game and Pillbug",
            "Base+ML": "Base game, Mosquito, Ladybug",
            "Base+MP": "Base game, Mosquito, Pillbug",
            "Base+LP": "Base game, Ladybug, Pillbug",
        },
        "variants": {
            "Base+MLP": "With Mosquito, Ladybug and Pillbug.",
            "Base": "The eleven pieces of each colour, without expansions.",
            "Base+M": "With the Mosquito.",
            "Base+L": "With the Ladybug.",
            "Base+P": "With the Pillbug.",
            "Base+ML": "With Mosquito and Ladybug.",
            "Base+MP": "With Mosquito and Pillbug.",
            "Base+LP": "With Ladybug and Pillbug.",
        },
        "reasons": {
            "board": "by surrounding the Queen",
            "repetition": "by repetition",
            "ply-limit": "by the limit of moves",
        },
        "samples": {
            "evaluation": 50_000,
            "beginner": 850, "novice": 2_000, "easy": 6_000, "medium": 18_000, "hard": 60_000, "strong": 200_000
        },
        "noise": {"beginner": 0.18, "novice": 0.13, "easy": 0.105, "medium": 0.06, "hard": 0.03, "strong": 0},
        "notation": "MoveStrings of the Universal Hive Protocol: wA1 (first piece), bB1 wA1- (east of wA1), \
                     wS1 /bQ (south-west of bQ), bB1 wQ (on top of wQ), pass.",
        "analysisOnly": ["cells", "toMove"],
        "notes": [
            "The Queen may not be a player's first piece, and must be in play by the fourth turn.",
            "A player wins by surrounding the other Queen; if both Queens are surrounded at once, the game is a draw.",
            "The third occurrence of a position is a draw, and so is a game of 500 plies.",
            "A player passes only when there is no other move.",
        ],
    })
}
