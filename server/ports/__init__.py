"""Interfaces of the infrastructure that services depend on; ``server.adapters`` implements them."""
