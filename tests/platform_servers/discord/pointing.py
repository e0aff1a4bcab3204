"""Points the real discord.py at a loopback server, and tells which hosts were dialled meanwhile."""

import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any, Protocol

import yarl

with warnings.catch_warnings():
    # discord.py imports audioop, which Python 3.11 and 3.12 warn of.
    warnings.simplefilter("ignore", DeprecationWarning)
    import discord.asset
    import discord.gateway
    import discord.http


class Loopback(Protocol):
    @property
    def url(self) -> str: ...
    @property
    def api_base(self) -> str: ...
    @property
    def gateway_url(self) -> str: ...


@contextmanager
def pointed_at(server: Loopback) -> Iterator[None]:
    """Let every client that starts meanwhile talk to the server; afterwards Discord's own addresses are back."""
    before = discord.http.Route.BASE, discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY, discord.asset.Asset.BASE
    discord.http.Route.BASE = server.api_base
    discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(server.gateway_url)
    discord.asset.Asset.BASE = server.url
    try:
        yield
    finally:
        discord.http.Route.BASE, discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY, discord.asset.Asset.BASE = before


_listeners: list[set[str]] = []


@contextmanager
def dialled() -> Iterator[set[str]]:
    """The hosts that this process resolves or connects to, by name or address, refused attempts included."""
    _listen()
    hosts: set[str] = set()
    _listeners.append(hosts)
    try:
        yield hosts
    finally:
        _listeners.remove(hosts)


@cache
def _listen() -> None:
    """Set the hook, once: an audit hook is never taken away."""
    sys.addaudithook(_hear)


def _hear(event: str, arguments: tuple[Any, ...]) -> None:
    if not _listeners or event not in ("socket.connect", "socket.getaddrinfo", "socket.gethostbyname"):
        return
    target = arguments[1] if event == "socket.connect" else arguments[0]
    host = target[0] if isinstance(target, tuple) else target
    for hosts in _listeners:
        hosts.add(host.decode() if isinstance(host, bytes) else str(host))
