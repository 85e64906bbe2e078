"""The host protocol of pyrat-rust: a host runs bots, which connect to it by TCP and exchange FlatBuffers with it.

``board`` reads positions, ``state_hash`` hashes them as pyrat-rust does, ``messages`` are the messages and ``codec``
their bytes, ``framing`` cuts the stream into packets, and ``session`` is the host's side of a conversation.
"""
