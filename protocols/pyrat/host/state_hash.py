"""The state hash of pyrat-rust: bots compute it after each turn and compare it with the host's.

The hash of a state is the SipHash-1-3 of the maze, combined by XOR with one random number for each thing that can
change (Zobrist hashing). The numbers are the key stream of ChaCha12 with a fixed key. Only the wire uses this hash: our
own searches use ``Position.key``.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from protocols.pyrat.host.board import MatchBoard, MatchState, PlayerState

SEED = 0x50795261745A6F62
"""The seed from which pyrat-rust makes its random numbers ("PyRatZob")."""

SIDE, MUD, HALF_POINTS, TURNS = 64, 16, 512, 1024
"""Numbers per coordinate, turns in mud, half points, and turns: the limits of what can be hashed."""

MASK = (1 << 64) - 1

Words = npt.NDArray[np.uint32]


# ---- states --------------------------------------------------------------------------------------


def maze_hash(board: MatchBoard) -> int:
    """The hash of the walls and the mud, 64 bits."""
    moves = packed_moves(board)
    mud = sorted(board.mud)
    numbers = [byte for (first, second, cost) in mud for byte in (*first, *second, cost)]
    size = bytes([board.width, board.height])
    return siphash13(_u64(len(moves)) + moves + size + _u64(len(mud)) + bytes(numbers))


def packed_moves(board: MatchBoard) -> bytes:
    """The open steps of each cell, in rows from the bottom: four bits (up, right, down, left), the lowest first."""
    steps = [int(digit, 16) for row in board.exits for digit in row] + [0]
    return bytes(low | high << 4 for low, high in zip(steps[0::2], steps[1::2], strict=False))


def changing_hash(state: MatchState) -> int:
    """The hash of everything except the maze. The state hash is this, XOR ``maze_hash``."""
    keys = zobrist_keys()
    result = keys.turn[state.turn]
    for player, own in zip(state.players, keys.players, strict=True):
        result ^= own.of(player)
    for x, y in state.cheese:
        result ^= keys.cheese[x * SIDE + y]
    return result


# ---- random numbers ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PlayerKeys:
    """The numbers of one player."""

    x: list[int]
    y: list[int]
    mud: list[int]
    half_points: list[int]

    def of(self, player: PlayerState) -> int:
        """The combined number of a player's state."""
        x, y = player.cell
        return self.x[x] ^ self.y[y] ^ self.mud[player.mud] ^ self.half_points[round(2 * player.score)]


@dataclass(frozen=True, slots=True)
class ZobristKeys:
    """All numbers."""

    players: tuple[PlayerKeys, PlayerKeys]
    turn: list[int]
    cheese: list[int]
    """By 64 · x + y."""


@cache
def zobrist_keys() -> ZobristKeys:
    """The random numbers that pyrat-rust uses, drawn in the same order."""
    sizes = [SIDE, SIDE, MUD, HALF_POINTS] * 2 + [TURNS, SIDE * SIDE]
    words = chacha12(expanded_key(SEED), sum(sizes) // 8).view("<u8")
    ends = np.cumsum(sizes)[:-1]
    parts: list[list[int]] = [part.tolist() for part in np.split(words, ends)]
    return ZobristKeys((PlayerKeys(*parts[0:4]), PlayerKeys(*parts[4:8])), *parts[8:])


def expanded_key(seed: int) -> bytes:
    """A key of 32 bytes from 64 bits, as the Rust crate rand_core expands seeds: by a PCG32 generator."""
    return b"".join(word.to_bytes(4, "little") for word in _pcg32(seed, 8))


def _pcg32(state: int, count: int) -> Iterator[int]:
    for _ in range(count):
        state = (state * 6364136223846793005 + 11634580027462260723) & MASK
        mixed = ((state >> 18 ^ state) >> 27) & 0xFFFF_FFFF
        turn = state >> 59
        yield (mixed >> turn | mixed << (32 - turn)) & 0xFFFF_FFFF


def chacha12(key: bytes, blocks: int) -> Words:
    """The first blocks of the key stream of ChaCha with 12 rounds (Bernstein 2008), 16 words each; the nonce is 0."""
    start = np.zeros((16, blocks), "<u4")
    start[0:4] = np.frombuffer(b"expand 32-byte k", "<u4")[:, None]
    start[4:12] = np.frombuffer(key, "<u4")[:, None]
    start[12] = np.arange(blocks)
    words = start.copy()
    for _ in range(6):
        for column in range(4):
            _quarter_round(words, [column, column + 4, column + 8, column + 12])
        for column in range(4):
            diagonal = [4 * row + (column + row) % 4 for row in range(4)]
            _quarter_round(words, diagonal)
    return np.ascontiguousarray((words + start).T).reshape(-1)


def _quarter_round(words: Words, rows: list[int]) -> None:
    a, b, c, d = rows
    for left, right in ((16, 12), (8, 7)):
        words[a] += words[b]
        words[d] = _rotated(words[d] ^ words[a], left)
        words[c] += words[d]
        words[b] = _rotated(words[b] ^ words[c], right)


def _rotated(words: Words, bits: int) -> Words:
    return words << np.uint32(bits) | words >> np.uint32(32 - bits)


# ---- SipHash -------------------------------------------------------------------------------------


def siphash13(data: bytes) -> int:
    """SipHash-1-3 (Aumasson and Bernstein 2012) with the key 0, as in Rust's standard library; 64 bits."""
    state = [0x736F6D6570736575, 0x646F72616E646F6D, 0x6C7967656E657261, 0x7465646279746573]
    padded = data + bytes(7 - len(data) % 8) + bytes([len(data) % 256])
    for start in range(0, len(padded), 8):
        word = int.from_bytes(padded[start : start + 8], "little")
        state[3] ^= word
        _sip_round(state)
        state[0] ^= word
    state[2] ^= 0xFF
    for _ in range(3):
        _sip_round(state)
    return state[0] ^ state[1] ^ state[2] ^ state[3]


def _sip_round(state: list[int]) -> None:
    v0, v1, v2, v3 = state
    v0 = (v0 + v1) & MASK
    v1 = _rotated64(v1, 13) ^ v0
    v2 = (v2 + v3) & MASK
    v3 = _rotated64(v3, 16) ^ v2
    v0 = (_rotated64(v0, 32) + v3) & MASK
    v3 = _rotated64(v3, 21) ^ v0
    v2 = (v2 + v1) & MASK
    v1 = _rotated64(v1, 17) ^ v2
    state[:] = v0, v1, _rotated64(v2, 32), v3


def _rotated64(word: int, bits: int) -> int:
    return (word << bits | word >> (64 - bits)) & MASK


def _u64(number: int) -> bytes:
    return number.to_bytes(8, "little")
