"""Packets of the host protocol: every message survives its encoding, and nothing else crashes the reader."""

import struct
from contextlib import suppress
from enum import IntEnum
from itertools import pairwise
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest
from flatbuffers.builder import Builder
from hypothesis import given
from hypothesis import strategies as st

from protocols.pyrat.host import messages
from protocols.pyrat.host.board import Cell
from protocols.pyrat.host.codec import decode_bot, decode_host, encode_bot, encode_host
from protocols.pyrat.host.framing import MAX_PACKET_BYTES, PacketSplitter, framed
from protocols.session import RemoteError

NUMBERS = {
    messages.U8: st.integers(0, 2**8 - 1),
    messages.U16: st.integers(0, 2**16 - 1),
    messages.U32: st.integers(0, 2**32 - 1),
    messages.U64: st.integers(0, 2**64 - 1),
    messages.I32: st.integers(-(2**31), 2**31 - 1),
    messages.F32: st.floats(width=32, allow_nan=False),
    Cell: st.tuples(st.integers(0, 255), st.integers(0, 255)),
    str: st.text(max_size=4),
}


def values_of(hint: Any) -> st.SearchStrategy[Any]:
    if hint in NUMBERS:
        return NUMBERS[hint]
    if type(None) in get_args(hint):
        return st.none() | values_of(get_args(hint)[0])
    if Ellipsis in get_args(hint):
        return st.lists(values_of(get_args(hint)[0]), max_size=2).map(tuple)
    if issubclass(hint, IntEnum):
        return st.sampled_from(hint)
    return messages_of(hint)


def messages_of(table: type[Any]) -> st.SearchStrategy[Any]:
    hints = get_type_hints(table, include_extras=True)
    return st.builds(table, **{name: values_of(hint) for name, hint in hints.items()})


FROM_HOST, FROM_BOT = get_args(messages.HostMessage), get_args(messages.BotMessage)


@pytest.mark.parametrize("table", FROM_HOST)
def test_every_message_of_the_host_survives_its_encoding(table: type[Any]) -> None:
    @given(messages_of(table))
    def law(message: messages.HostMessage) -> None:
        assert decode_host(encode_host(message)) == message

    law()


@pytest.mark.parametrize("table", FROM_BOT)
def test_every_message_of_a_bot_survives_its_encoding(table: type[Any]) -> None:
    @given(messages_of(table))
    def law(message: messages.BotMessage) -> None:
        assert decode_bot(encode_bot(message)) == message

    law()


def packet_of(number: int, builder: Builder, table: int) -> bytes:
    """A packet with a table of ``builder`` as message ``number``."""
    builder.StartObject(2)
    builder.PrependUint8Slot(0, number, 0)
    builder.PrependUOffsetTRelativeSlot(1, table, 0)
    builder.Finish(builder.EndObject())
    return bytes(builder.Output())


def empty_packet(number: int) -> bytes:
    """A packet with an empty table as message ``number``."""
    builder = Builder(16)
    builder.StartObject(0)
    return packet_of(number, builder, builder.EndObject())


def test_the_bytes_of_a_message() -> None:
    """Written out: the root's union has type 4 (an action), and defaults are not stored."""
    packet = encode_bot(
        messages.ActionMessage(messages.Direction.LEFT, turn=7, state_hash=0x0123456789ABCDEF)
    )
    assert packet.hex(" ", 4) == (
        # The root: its offset and vtable, then type 4 and the offset of the message.
        "0c000000 08000a00 09000400 08000000 14000000 00040e00"
        # The message: its vtable, then the hash, the turn and the direction.
        " 14001300 00001000 00000400 0e000000 efcdab89 67452301 00000000 07000003"
    )


PACKETS = Path(__file__).parents[2] / "golden" / "pyrat" / "host-packets.txt"


def test_packets_keep_their_bytes() -> None:
    """A packet of each message, as other programs have read and written them, and what is in it."""
    sides: dict[str, tuple[Any, Any]] = {"host": (decode_host, encode_host), "bot": (decode_bot, encode_bot)}
    lines = [line.split(" ", 2) for line in PACKETS.read_text().splitlines()]
    assert [side for side, *_ in lines] == ["host"] * len(FROM_HOST) + ["bot"] * len(FROM_BOT)
    for side, packet, content in lines:
        decode, encode = sides[side]
        message = decode(bytes.fromhex(packet))
        assert (encode(message).hex(), repr(message)) == (packet, content)


def test_absent_fields_are_defaults() -> None:
    assert decode_bot(empty_packet(4)) == messages.ActionMessage(
        messages.Direction.UP, messages.Slot.RAT, 0, 0, 0
    )
    assert decode_bot(empty_packet(5)) == messages.InfoMessage(target=None, score=None, pv=(), message="")


# ---- malformed packets ---------------------------------------------------------------------------


def refused(packet: bytes) -> str:
    with pytest.raises(RemoteError) as caught:
        decode_bot(packet)
    return str(caught.value)


@given(st.binary(max_size=200))
def test_no_bytes_crash_the_reader(packet: bytes) -> None:
    with suppress(RemoteError):
        decode_bot(packet)


@given(messages_of(messages.IdentifyMessage), st.data())
def test_no_changed_byte_crashes_the_reader(message: messages.IdentifyMessage, data: st.DataObject) -> None:
    packet = bytearray(encode_bot(message))
    for _ in range(data.draw(st.integers(1, 3))):
        packet[data.draw(st.integers(0, len(packet) - 1))] = data.draw(st.sampled_from([0, 1, 4, 127, 255]))
    with suppress(RemoteError):
        decode_bot(bytes(packet))


@pytest.mark.parametrize("number", [0, 10, 255])
def test_unknown_messages_are_named(number: int) -> None:
    assert refused(empty_packet(number)) == f"unknown message type {number}"


def test_a_packet_without_a_message() -> None:
    assert refused(packet_of(2, Builder(16), 0)) == "a packet without a message"


def test_a_table_without_a_cell_that_it_must_have() -> None:
    builder = Builder(16)
    builder.StartObject(0)
    wall = builder.EndObject()
    builder.StartVector(4, 1, 4)
    builder.PrependUOffsetTRelative(wall)
    walls = builder.EndVector()
    builder.StartObject(11)
    builder.PrependUOffsetTRelativeSlot(3, walls, 0)
    config = builder.EndObject()
    builder.StartObject(2)
    builder.PrependUOffsetTRelativeSlot(1, config, 0)
    with pytest.raises(RemoteError, match="WallTable without pos1"):
        decode_host(packet_of(2, builder, builder.EndObject()))


def test_a_short_packet() -> None:
    assert refused(b"\0\0").startswith("malformed packet: ")


def test_a_direction_that_does_not_exist() -> None:
    packet = encode_bot(messages.ActionMessage(messages.Direction.STAY)).replace(b"\x04", b"\x09")
    assert "9" in refused(packet)


def test_a_text_that_is_not_utf8() -> None:
    packet = encode_bot(messages.IdentifyMessage(name="abcdef"))
    assert refused(packet.replace(b"abcdef", b"\xff" * 6)) == "name is not UTF-8"


def test_a_vector_that_is_longer_than_its_packet() -> None:
    packet = encode_bot(messages.InfoMessage(pv=(messages.Direction.LEFT,) * 77))
    changed = packet.replace(struct.pack("<I", 77), struct.pack("<I", 1 << 31))
    assert refused(changed) == "pv has 2147483648 elements, more than the packet can hold"


def test_a_packet_whose_parts_overlap_cannot_fill_the_memory() -> None:
    builder = Builder(1024)
    text = builder.CreateString("x" * 100_000)
    builder.StartVector(4, 1000, 4)
    for _ in range(1000):
        builder.PrependUOffsetTRelative(text)
    choices = builder.EndVector()
    builder.StartObject(6)
    builder.PrependUOffsetTRelativeSlot(5, choices, 0)
    option = builder.EndObject()
    builder.StartVector(4, 1, 4)
    builder.PrependUOffsetTRelative(option)
    options = builder.EndVector()
    builder.StartObject(4)
    builder.PrependUOffsetTRelativeSlot(2, options, 0)
    assert (
        refused(packet_of(1, builder, builder.EndObject()))
        == "a packet with more than 16777216 bytes of values"
    )


# ---- framing -------------------------------------------------------------------------------------


@given(st.lists(st.binary(min_size=1, max_size=20), max_size=5), st.lists(st.integers(0, 120), max_size=6))
def test_packets_do_not_depend_on_how_the_stream_is_cut(packets: list[bytes], cuts: list[int]) -> None:
    stream, splitter = b"".join(map(framed, packets)), PacketSplitter()
    ends = sorted([0, len(stream), *(min(cut, len(stream)) for cut in cuts)])
    assert [packet for start, end in pairwise(ends) for packet in splitter.feed(stream[start:end])] == packets


def test_the_length_begins_with_its_most_significant_byte() -> None:
    assert framed(b"abc") == b"\0\0\0\3abc"


@pytest.mark.parametrize("length", [0, MAX_PACKET_BYTES + 1])
def test_lengths_that_are_not_allowed(length: int) -> None:
    with pytest.raises(RemoteError, match=f"a packet of {length} bytes; allowed are 1 to 16777216"):
        PacketSplitter().feed(length.to_bytes(4, "big"))
