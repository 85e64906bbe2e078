"""Encoding and decoding of V3 messages: the only module that knows their JSON.

It also converts between seats and the protocol's players: an evaluation on the wire is P1's, inside it is seat 0's, the
same player. Incoming evaluations are clamped to [-1, 1]. Members are written in the order of the protocol's examples,
optional ones only if present; unknown members are ignored. Called by the sessions of this package, never by sockets.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any, TypeVar

from engines import Candidate, Comparison
from protocols.bgs import messages as bgs
from protocols.bgs.config import read_limits, write_limits
from protocols.bgs.ladder import ladder_json
from protocols.bgs.tournaments import tournaments_json
from protocols.dialects import game_member
from protocols.jsontext import (
    JsonDict,
    MistypedError,
    count,
    filled,
    flag,
    mapping,
    number,
    optional,
    read_object,
    string,
    strings,
    write,
)
from protocols.session import RemoteError
from protocols.values import ClockReading, VariantOffer
from protocols.values.tournaments import usual_terms

M = TypeVar("M")

MOST_POINTS = 1e6
"""Expected points on the wire are limited to this number on both sides of 0."""


MOST_PER_SEAT = 16
"""The longest array with a member per seat: no game has so many seats."""

MOST_LINES = 20
"""The lines of an answer that are read."""

LONGEST_LINE = 20
"""The moves of a line that are read."""

MOST_LIKELY = 100
"""The moves of a policy that are read. Games whose answers have policies have few moves."""


class BadFieldsError(RemoteError):
    """A message of a known type has missing or mistyped members.

    ``message_type`` is its class; ``bgs_id`` is its session, or "" if that could not be read.
    """

    def __init__(self, message_type: type[Any], bgs_id: str, reason: str) -> None:
        super().__init__(reason)
        self.message_type = message_type
        self.bgs_id = bgs_id


@dataclass(frozen=True, slots=True)
class UncheckedAttach:
    """An attach message whose members ``attach.read_attach`` has not validated yet."""

    fields: JsonDict


@dataclass(frozen=True, slots=True)
class _Field:
    """One member: its name on the wire, its name in the message, and how to read and write it."""

    wire: str
    name: str
    read: Callable[[object], Any]
    write: Callable[[Any], Any] | None = None
    optional: bool = False


# ---- perspective and ranges --------------------------------------------------------------------


def clamp(value: float) -> float:
    """``value`` clamped to [-1, 1]; minus zero becomes zero."""
    return min(1.0, max(-1.0, value)) + 0.0


def _evaluation(value: object) -> float:
    return clamp(number(value))


def _per_seat(value: object, what: str = "number") -> list[object]:
    if not isinstance(value, list) or not 0 < len(value) <= MOST_PER_SEAT:
        raise MistypedError(f"an array with one {what} per seat")
    return value


def _values(value: object) -> bgs.Values:
    return tuple(map(_evaluation, _per_seat(value)))


def _points(value: object) -> bgs.Values:
    return tuple(map(_point, _per_seat(value)))


def _point(value: object) -> float:
    return min(MOST_POINTS, max(-MOST_POINTS, number(value)))


def _share(value: object) -> float:
    """A probability."""
    return max(0.0, clamp(number(value)))


def _policies(value: object) -> bgs.Policies:
    return tuple(map(_policy, _per_seat(value, "object")))


def _policy(value: object) -> dict[str, float]:
    return {move: _share(share) for move, share in islice(mapping(value).items(), MOST_LIKELY)}


def _lines(value: object) -> tuple[Candidate, ...]:
    if not isinstance(value, list):
        raise MistypedError("an array of objects")
    return tuple(map(_line, value[:MOST_LINES]))


def _line(value: object) -> Candidate:
    try:
        line = mapping(value)
        return Candidate(
            string(line.get("move")),
            count(line.get("visits")),
            _evaluation(line.get("value")),
            _first_moves(line.get("pv")),
            optional(_share)(line.get("chance")),
            optional(_points)(line.get("points")),
        )
    except MistypedError:
        text = "an array of objects with move, visits, value, pv and maybe chance and points"
        raise MistypedError(text) from None


def _first_moves(value: object) -> tuple[str, ...]:
    return strings(value[:LONGEST_LINE] if isinstance(value, list) else value)


def _lines_json(lines: tuple[Candidate, ...]) -> list[JsonDict]:
    return [_line_json(line) for line in lines]


def _line_json(line: Candidate) -> JsonDict:
    out: JsonDict = {"move": line.move, "visits": line.visits, "value": line.value, "pv": line.pv}
    more = {"chance": line.chance, "points": line.points}
    return {**out, **{name: value for name, value in more.items() if value is not None}}


def _comparisons(value: object) -> tuple[Comparison, ...]:
    if not isinstance(value, list):
        raise MistypedError("an array of objects")
    try:
        return tuple(map(_comparison, value[:MOST_PER_SEAT]))
    except MistypedError:
        raise MistypedError("an array of objects with move, chance and maybe points and error") from None


def _comparison(value: object) -> Comparison:
    try:
        members = mapping(value)
        return Comparison(
            string(members.get("move")),
            _evaluation(members.get("chance")),
            optional(_point)(members.get("points")),
            optional(_point)(members.get("error")),
        )
    except MistypedError:
        raise MistypedError("an object with move, chance and maybe points and error") from None


def _comparisons_json(comparisons: tuple[Comparison, ...]) -> list[JsonDict]:
    return [_comparison_json(comparison) for comparison in comparisons]


def _comparison_json(comparison: Comparison) -> JsonDict:
    out: JsonDict = {"move": comparison.move, "chance": comparison.chance}
    more = {"points": comparison.points, "error": comparison.error}
    return {**out, **{name: value for name, value in more.items() if value is not None}}


def _chances(value: object) -> bgs.Values:
    return tuple(max(0.0, chance) for chance in _values(value))


# ---- clocks ------------------------------------------------------------------------------------


def _clock(value: object) -> ClockReading:
    try:
        clock = mapping(value)
        return ClockReading(count(clock.get("remainingMs")), count(clock.get("incrementMs")))
    except MistypedError:
        raise MistypedError("an object with remainingMs and incrementMs, whole numbers") from None


def _clock_json(clock: ClockReading) -> JsonDict:
    return {"remainingMs": clock.remaining_ms, "incrementMs": clock.increment_ms}


# ---- the messages of a session -----------------------------------------------------------------

_BGS_ID = _Field("bgsId", "bgs_id", filled)
_PLY = _Field("ply", "ply", count)
_EXPECTED_PLY = _Field("expectedPly", "expected_ply", count)
_VERDICT = (_Field("success", "success", flag), _Field("error", "error", string))

_REQUEST_FIELDS: dict[type[bgs.Request], tuple[_Field, ...]] = {
    bgs.StartGameSession: (
        _BGS_ID,
        _Field("botId", "bot_id", string),
        _Field("config", "config", mapping),
        _Field("moves", "moves", strings, optional=True),
    ),
    bgs.EvaluatePosition: (
        _BGS_ID,
        _EXPECTED_PLY,
        _Field("clock", "clock", _clock, _clock_json, optional=True),
        _Field("limits", "limits", read_limits, write_limits, optional=True),
        _Field("lines", "lines", count, optional=True),
        _Field("priority", "priority", count, optional=True),
        _Field("played", "played", string, optional=True),
        _Field("then", "then", strings, optional=True),
        _Field("refused", "refused", string, optional=True),
    ),
    bgs.ApplyMove: (_BGS_ID, _EXPECTED_PLY, _Field("move", "move", string)),
    bgs.EndGameSession: (_BGS_ID,),
}
_RESPONSE_FIELDS: dict[type[bgs.Response], tuple[_Field, ...]] = {
    bgs.GameSessionStarted: (_BGS_ID, *_VERDICT, _Field("ply", "ply", count, optional=True)),
    bgs.EvaluateResponse: (
        _BGS_ID,
        _PLY,
        _Field("bestMove", "best_move", string),
        _Field("evaluation", "evaluation", _evaluation, clamp),
        *_VERDICT,
        _Field("values", "values", _values, optional=True),
        _Field("policies", "policies", _policies, optional=True),
        _Field("lines", "lines", _lines, _lines_json, optional=True),
        _Field("samples", "samples", count, optional=True),
        _Field("inherited", "inherited", count, optional=True),
        _Field("source", "source", string, optional=True),
        _Field("chances", "chances", _chances, optional=True),
        _Field("points", "points", _points, optional=True),
        _Field("cut", "is_cut", flag, optional=True),
        _Field("comparisons", "comparisons", _comparisons, _comparisons_json, optional=True),
        _Field("reviewed", "reviewed", _comparison, _comparison_json, optional=True),
    ),
    bgs.MoveApplied: (_BGS_ID, _PLY, *_VERDICT),
    bgs.GameSessionEnded: (_BGS_ID, *_VERDICT),
}
TYPE_NAMES: Mapping[type[Any], str] = {
    bgs.StartGameSession: "start_game_session",
    bgs.EvaluatePosition: "evaluate_position",
    bgs.ApplyMove: "apply_move",
    bgs.EndGameSession: "end_game_session",
    bgs.CancelEvaluation: "cancel_evaluation",
    bgs.GameSessionStarted: "game_session_started",
    bgs.EvaluateResponse: "evaluate_response",
    bgs.MoveApplied: "move_applied",
    bgs.GameSessionEnded: "game_session_ended",
    bgs.Attach: "attach",
    bgs.Attached: "attached",
    bgs.AttachRejected: "attach-rejected",
    bgs.GameResult: "game_result",
}
_REQUESTS = {TYPE_NAMES[cls]: cls for cls in _REQUEST_FIELDS}
_RESPONSES = {TYPE_NAMES[cls]: cls for cls in _RESPONSE_FIELDS}
_HOST_MESSAGES: Mapping[str, type[bgs.HostMessage]] = {
    **_REQUESTS,
    TYPE_NAMES[bgs.CancelEvaluation]: bgs.CancelEvaluation,
}
_SESSION_FIELDS: dict[type[Any], tuple[_Field, ...]] = {
    **_REQUEST_FIELDS,
    bgs.CancelEvaluation: (_BGS_ID,),
    **_RESPONSE_FIELDS,
}


def encode(message: bgs.Message) -> str:
    """The text of ``message``."""
    match message:
        case bgs.Attach():
            return write(_attach_json(message))
        case bgs.Attached():
            return write(_attached_json(message))
        case bgs.GameResult():
            return write(_result_json(message))
        case bgs.AttachRejected(code, text):
            return write({"type": TYPE_NAMES[bgs.AttachRejected], "code": code, "message": text})
        case _:
            return write(_session_json(message))


def decode_request(text: str) -> bgs.Request:
    """Decode a host's request to an engine; BadFieldsError if its type is known and its members are invalid."""
    return _read_message(_REQUESTS, read_object(text))


def decode_from_host(text: str) -> bgs.HostMessage:
    """Decode any message of a host to an engine; errors as in ``decode_request``."""
    return _read_message(_HOST_MESSAGES, read_object(text))


def decode_from_bot(text: str) -> bgs.Response | UncheckedAttach:
    """Decode a bot client's message; BadFieldsError if it is a known response with invalid members."""
    value = read_object(text)
    if _type_name(value) == TYPE_NAMES[bgs.Attach]:
        return UncheckedAttach(value)
    return _read_message(_RESPONSES, value)


def decode_response(text: str) -> bgs.Response:
    """Decode an engine's answer; BadFieldsError if its type is known and its members are invalid."""
    message = decode_from_bot(text)
    if isinstance(message, UncheckedAttach):
        raise RemoteError("an engine does not attach")
    return message


def decode_from_server(text: str) -> bgs.HostMessage | bgs.Attached | bgs.AttachRejected | bgs.GameResult:
    """Decode a server's message to a client; BadFieldsError if its type is known and its members are invalid."""
    value = read_object(text)
    name = _type_name(value)
    if name == TYPE_NAMES[bgs.Attached]:
        return _attached(value)
    if name == TYPE_NAMES[bgs.AttachRejected]:
        return bgs.AttachRejected(str(value.get("code", "")), str(value.get("message", "")))
    if name == TYPE_NAMES[bgs.GameResult]:
        return _result(value)
    return _read_message(_HOST_MESSAGES, value)


def _type_name(value: JsonDict) -> str:
    name = value.get("type")
    return name if isinstance(name, str) else ""


def _read_message(types: Mapping[str, type[M]], value: JsonDict) -> M:
    cls = types.get(_type_name(value))
    if cls is None:
        raise RemoteError(f"unknown message type {str(value.get('type'))[:40]!r}")
    members: dict[str, Any] = {}
    for field in _SESSION_FIELDS[cls]:
        raw = value.get(field.wire)
        if raw is None and field.optional:
            continue
        try:
            members[field.name] = field.read(raw)
        except MistypedError as error:
            reason = f"{TYPE_NAMES[cls]}.{field.wire} must be {error}"
            raise BadFieldsError(cls, _bgs_id(value), reason) from None
    return cls(**members)


def _bgs_id(value: JsonDict) -> str:
    bgs_id = value.get("bgsId")
    return bgs_id if isinstance(bgs_id, str) else ""


def _session_json(message: bgs.HostMessage | bgs.Response) -> JsonDict:
    out: JsonDict = {"type": TYPE_NAMES[type(message)]}
    for field in _SESSION_FIELDS[type(message)]:
        value = getattr(message, field.name)
        if value is None and field.optional:
            continue
        out[field.wire] = value if field.write is None else field.write(value)
    return out


# ---- attachment --------------------------------------------------------------------------------


def _attach_json(attach: bgs.Attach) -> JsonDict:
    out: JsonDict = {
        "type": TYPE_NAMES[bgs.Attach],
        "protocolVersion": attach.protocol_version,
        "clientId": attach.client_id,
        "client": _info_json(attach.client),
        "bots": [_bot_json(bot) for bot in attach.bots],
    }
    if attach.wants_results:
        out["results"] = True
    if attach.is_worker:
        out["worker"] = True
    if attach.sessions is not None:
        out["sessions"] = attach.sessions
    return out if attach.resume_secret is None else {**out, "resumeSecret": attach.resume_secret}


def _bot_json(bot: bgs.BotEntry) -> JsonDict:
    out: JsonDict = {"botId": bot.bot_id, "name": bot.name, "username": bot.username}
    if bot.official_token is not None:
        out["officialToken"] = bot.official_token
    if bot.appearance is not None:
        out["appearance"] = bot.appearance
    if bot.is_timed:
        out["timed"] = True
    if bot.analyses:
        out["analyses"] = True
    if bot.version:
        out["version"] = bot.version
    if bot.ladder is not None:
        out["ladder"] = ladder_json(bot.ladder)
    if bot.tournaments != usual_terms(bot.ladder):
        out["tournaments"] = tournaments_json(bot.tournaments, bot.ladder)
    if bot.retries:
        out["retries"] = bot.retries
    out |= game_member(bot.game)
    out["variants"] = {name: offer_json(offer) for name, offer in bot.variants.items()}
    return out


def offer_json(offer: VariantOffer) -> JsonDict:
    """A variant's offer as attach messages and bot listings contain it."""
    if offer.board_width is None or offer.board_height is None:
        return {}
    return {
        "boardWidth": {"min": offer.board_width.min, "max": offer.board_width.max},
        "boardHeight": {"min": offer.board_height.min, "max": offer.board_height.max},
        "recommended": [
            {"boardWidth": size.board_width, "boardHeight": size.board_height} for size in offer.recommended
        ],
    }


def _attached_json(attached: bgs.Attached) -> JsonDict:
    out: JsonDict = {
        "type": TYPE_NAMES[bgs.Attached],
        "protocolVersion": attached.protocol_version,
        "serverTime": attached.server_time,
        "server": _info_json(attached.server),
        "limits": {
            "maxMessageBytes": attached.limits.max_message_bytes,
            "minClientMessageIntervalMs": attached.limits.min_client_message_interval_ms,
        },
    }
    return out if attached.resume_secret is None else {**out, "resumeSecret": attached.resume_secret}


def _info_json(info: bgs.ClientInfo) -> JsonDict:
    return {"name": info.name, "version": info.version}


def _attached(value: JsonDict) -> bgs.Attached:
    try:
        server, limits = mapping(value.get("server")), mapping(value.get("limits"))
        return bgs.Attached(
            server_time=count(value.get("serverTime")),
            server=bgs.ClientInfo(string(server.get("name")), string(server.get("version"))),
            limits=bgs.AttachLimits(
                count(limits.get("maxMessageBytes")), count(limits.get("minClientMessageIntervalMs"))
            ),
            protocol_version=count(value.get("protocolVersion")),
            resume_secret=optional(string)(value.get("resumeSecret")),
        )
    except MistypedError as error:
        raise BadFieldsError(bgs.Attached, "", f"a member of attached must be {error}") from None


# ---- results -----------------------------------------------------------------------------------


def _result_json(over: bgs.GameResult) -> JsonDict:
    return {
        "type": TYPE_NAMES[bgs.GameResult],
        "gameId": over.game_id,
        "botId": over.bot_id,
        "seat": over.seat,
        "result": over.result,
    }


def _result(value: JsonDict) -> bgs.GameResult:
    try:
        return bgs.GameResult(
            game_id=string(value.get("gameId")),
            bot_id=string(value.get("botId")),
            seat=count(value.get("seat")),
            result=optional(mapping)(value.get("result")),
        )
    except MistypedError as error:
        raise BadFieldsError(bgs.GameResult, "", f"a member of game_result must be {error}") from None
