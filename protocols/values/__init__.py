"""A game as plain values, shared by the codecs of ``protocols`` and the server's domain.

Frozen dataclasses and enums. No wire format, no I/O, and nothing that only one of the two needs. Imports only
``engines``. ``__all__`` lists the public names.
"""

from protocols.values.boards import BoardSize, Range, VariantOffer
from protocols.values.claim import ClaimKind
from protocols.values.clock_reading import ClockReading
from protocols.values.evaluated_line import Entry, FailureCode, GameLine, extra_values
from protocols.values.history import FORFEIT, entries_until, is_move, moves_of, parts_of
from protocols.values.ladder import LadderGame, LadderTerms
from protocols.values.offer import Offer, OfferKind
from protocols.values.record import Record
from protocols.values.result import MAX_NOTE, LeaveReason, Result, printable_note
from protocols.values.seat import BUILT_IN_CLIENT, Seat, SeatKind
from protocols.values.table import Assistance, Attendance, GameFacts, Listed, Match, Status, Table, Visibility
from protocols.values.time_control import TimeControl
from protocols.values.tournaments import ANY_TOURNAMENT, TournamentTerms

__all__ = [
    "ANY_TOURNAMENT",
    "BUILT_IN_CLIENT",
    "FORFEIT",
    "MAX_NOTE",
    "Assistance",
    "Attendance",
    "BoardSize",
    "ClaimKind",
    "ClockReading",
    "Entry",
    "FailureCode",
    "GameFacts",
    "GameLine",
    "LadderGame",
    "LadderTerms",
    "LeaveReason",
    "Listed",
    "Match",
    "Offer",
    "OfferKind",
    "Range",
    "Record",
    "Result",
    "Seat",
    "SeatKind",
    "Status",
    "Table",
    "TimeControl",
    "TournamentTerms",
    "VariantOffer",
    "Visibility",
    "entries_until",
    "extra_values",
    "is_move",
    "moves_of",
    "parts_of",
    "printable_note",
]
