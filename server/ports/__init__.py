"""Interfaces of the infrastructure that services depend on; ``store``, ``web`` and ``analysts`` implement them."""
