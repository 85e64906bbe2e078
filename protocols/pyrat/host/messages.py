"""The messages of the host protocol. The fields of a class are those of its FlatBuffers table, in slot order.

The annotations say how a field is stored; ``codec`` reads them. A field that is absent on the wire is 0, "", () or,
where None is allowed, None.
"""

from dataclasses import dataclass
from enum import IntEnum
from typing import Annotated

from flatbuffers import number_types as types

from protocols.pyrat.host.board import Cell

U8 = Annotated[int, types.Uint8Flags]
U16 = Annotated[int, types.Uint16Flags]
U32 = Annotated[int, types.Uint32Flags]
U64 = Annotated[int, types.Uint64Flags]
I32 = Annotated[int, types.Int32Flags]
F32 = Annotated[float, types.Float32Flags]


class Direction(IntEnum):
    """What a player does in a turn. The names are those of our notation."""

    UP = 0
    RIGHT = 1
    DOWN = 2
    LEFT = 3
    STAY = 4


class Slot(IntEnum):
    """A seat; it is called a player on the wire. The number is ours."""

    RAT = 0
    PYTHON = 1


class TimingMode(IntEnum):
    """Whether moves have a time limit."""

    WAIT = 0
    CLOCK = 1


class MatchResult(IntEnum):
    """Who has won."""

    RAT = 0
    PYTHON = 1
    DRAW = 2


class OptionType(IntEnum):
    """What an option of a bot can be set to."""

    CHECK = 0
    SPIN = 1
    COMBO = 2
    STRING = 3
    BUTTON = 4


# ---- parts ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class WallTable:
    """A wall between two cells."""

    pos1: Cell
    pos2: Cell


@dataclass(frozen=True, slots=True)
class MudTable:
    """Mud between two cells."""

    pos1: Cell
    pos2: Cell
    value: U8


@dataclass(frozen=True, slots=True)
class OptionDefinition:
    """An option that a bot has."""

    name: str = ""
    type: OptionType = OptionType.CHECK
    default_value: str = ""
    min: I32 = 0
    max: I32 = 0
    choices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class OptionAssignment:
    """A value for an option."""

    name: str
    value: str


@dataclass(frozen=True, slots=True)
class MatchConfig:
    """A board, and the time limits."""

    width: U8
    height: U8
    max_turns: U16
    walls: tuple[WallTable, ...]
    mud: tuple[MudTable, ...]
    cheese: tuple[Cell, ...]
    player1_start: Cell
    player2_start: Cell
    timing: TimingMode
    move_timeout_ms: U32
    preprocessing_timeout_ms: U32


@dataclass(frozen=True, slots=True)
class SearchLimits:
    """Limits of a search; 0 is no limit."""

    timeout_ms: U32 = 0
    depth: U16 = 0
    nodes: U32 = 0


@dataclass(frozen=True, slots=True)
class TurnState:
    """A state, and the moves that led to it."""

    turn: U16
    player1_position: Cell
    player2_position: Cell
    player1_score: F32
    player2_score: F32
    player1_mud_turns: U8
    player2_mud_turns: U8
    cheese: tuple[Cell, ...]
    player1_last_move: Direction
    player2_last_move: Direction


# ---- from the host -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class WelcomeMessage:
    """The bot plays this seat."""

    player_slot: Slot


@dataclass(frozen=True, slots=True)
class ConfigureMessage:
    """The game that is about to begin; to be answered by ``ReadyMessage``."""

    options: tuple[OptionAssignment, ...]
    match_config: MatchConfig


@dataclass(frozen=True, slots=True)
class GoPreprocessMessage:
    """The bot may prepare; to be answered by ``PreprocessingDoneMessage``."""

    state_hash: U64


@dataclass(frozen=True, slots=True)
class AdvanceMessage:
    """A turn was played; to be answered by ``SyncOkMessage`` or ``ResyncMessage``."""

    p1_dir: Direction
    p2_dir: Direction
    turn: U16
    new_hash: U64


@dataclass(frozen=True, slots=True)
class GoMessage:
    """Asks the bot for a move; to be answered by ``ActionMessage``."""

    state_hash: U64
    limits: SearchLimits


@dataclass(frozen=True, slots=True)
class GoStateMessage:
    """As ``GoMessage``, for another state."""

    turn_state: TurnState
    state_hash: U64
    limits: SearchLimits


@dataclass(frozen=True, slots=True)
class StopMessage:
    """The time is up."""


@dataclass(frozen=True, slots=True)
class GameOverMessage:
    """The game has ended."""

    result: MatchResult
    player1_score: F32
    player2_score: F32


@dataclass(frozen=True, slots=True)
class FullStateMessage:
    """Everything about the current state; to be answered by ``SyncOkMessage``."""

    match_config: MatchConfig
    turn_state: TurnState


@dataclass(frozen=True, slots=True)
class ProtocolErrorMessage:
    """The bot has violated the protocol, and the connection ends."""

    reason: str


# ---- from the bot --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class IdentifyMessage:
    """Who has connected. ``agent_id`` is the one that the host passed to the program."""

    name: str = ""
    author: str = ""
    options: tuple[OptionDefinition, ...] = ()
    agent_id: str = ""


@dataclass(frozen=True, slots=True)
class ReadyMessage:
    """The bot has read the configuration, and has this hash for the start."""

    state_hash: U64 = 0


@dataclass(frozen=True, slots=True)
class PreprocessingDoneMessage:
    """The bot is prepared."""


@dataclass(frozen=True, slots=True)
class ActionMessage:
    """The bot's move."""

    direction: Direction = Direction.UP
    player: Slot = Slot.RAT
    turn: U16 = 0
    think_ms: U32 = 0
    state_hash: U64 = 0


@dataclass(frozen=True, slots=True)
class InfoMessage:
    """What the bot thinks of a player's moves, for viewers."""

    player: Slot = Slot.RAT
    multipv: U16 = 0
    target: Cell | None = None
    depth: U16 = 0
    nodes: U32 = 0
    score: F32 | None = None
    pv: tuple[Direction, ...] = ()
    message: str = ""
    turn: U16 = 0
    state_hash: U64 = 0


@dataclass(frozen=True, slots=True)
class RenderCommandsMessage:
    """Drawings for viewers, whose format is not defined yet."""

    player: Slot = Slot.RAT
    turn: U16 = 0
    state_hash: U64 = 0


@dataclass(frozen=True, slots=True)
class ProvisionalMessage:
    """The best move so far, to be used if no ``ActionMessage`` arrives in time."""

    direction: Direction = Direction.UP
    player: Slot = Slot.RAT
    turn: U16 = 0
    state_hash: U64 = 0


@dataclass(frozen=True, slots=True)
class SyncOkMessage:
    """The bot's state has this hash."""

    hash: U64 = 0


@dataclass(frozen=True, slots=True)
class ResyncMessage:
    """The bot's state has another hash than the host's."""

    my_hash: U64 = 0


HostMessage = (
    WelcomeMessage
    | ConfigureMessage
    | GoPreprocessMessage
    | AdvanceMessage
    | GoMessage
    | GoStateMessage
    | StopMessage
    | GameOverMessage
    | FullStateMessage
    | ProtocolErrorMessage
)
"""In the order of the union, whose numbers begin with 1."""

BotMessage = (
    IdentifyMessage
    | ReadyMessage
    | PreprocessingDoneMessage
    | ActionMessage
    | InfoMessage
    | RenderCommandsMessage
    | ProvisionalMessage
    | SyncOkMessage
    | ResyncMessage
)
"""In the order of the union, whose numbers begin with 1."""
