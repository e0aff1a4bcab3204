"""Finds model servers with OpenAI's API on this machine, for `thusfar setup`."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import aiohttp

USUAL_ADDRESSES: Final = {
    "Ollama": "http://localhost:11434/v1",
    "LM Studio": "http://localhost:1234/v1",
    "llama.cpp": "http://localhost:8080/v1",
    "vLLM": "http://localhost:8000/v1",
}
_PATIENCE_S: Final = 2.0
_MOST_BYTES: Final = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalServer:
    """A server that answered, and the names of its models."""

    name: str
    base_url: str
    models: tuple[str, ...]


async def found_servers(addresses: Mapping[str, str] | None = None) -> list[LocalServer]:
    """Return the servers that list models at these addresses, by default at those that are usual."""
    looked_at = USUAL_ADDRESSES if addresses is None else addresses
    async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=_PATIENCE_S)) as session:
        found = await asyncio.gather(*(_look(session, name, url) for name, url in looked_at.items()))
    return [server for server in found if server is not None and server.models]


async def _look(session: aiohttp.ClientSession, name: str, base_url: str) -> LocalServer | None:
    """Return what is at an address: any program may listen there, and answer anything."""
    try:
        async with session.get(f"{base_url}/models", allow_redirects=False) as response:
            if (response.content_length or 0) > _MOST_BYTES:
                return None
            listed = await response.json()
        models = tuple(str(one["id"]) for one in listed["data"] or ())
    except (aiohttp.ClientError, OSError, TimeoutError, ValueError, LookupError, TypeError):
        return None
    return LocalServer(name=name, base_url=base_url, models=models)
