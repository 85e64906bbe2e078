"""The client that agents play with: ``AsyncClient`` with the requests that only they need."""

from plyhouse.agents import requests
from plyhouse.client import AsyncClient, Endpoint


class AgentClient(AsyncClient):
    """A client of one server."""

    seen = Endpoint(requests.seen)
    rules = Endpoint(requests.rules)
    listed = Endpoint(requests.listed)
    record = Endpoint(requests.record)
    study = Endpoint(requests.study)
