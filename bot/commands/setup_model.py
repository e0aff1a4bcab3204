"""The step of `thusfar setup` that chooses who writes answers: no model, one with a key, or one on this machine."""

import asyncio
from enum import StrEnum
from typing import TYPE_CHECKING, Final

import typer

from bot.commands.doctor import examine_model
from bot.commands.setup_guide import Check, Guide, Secret
from bot.providers import chosen_provider
from bot.settings import Provider, Settings

if TYPE_CHECKING:
    from adapters.llm.local_servers import LocalServer

_KEYS: Final = {
    "anthropic": "https://platform.claude.com/settings/keys",
    "openai": "https://platform.openai.com/api-keys",
}
_MOST_SHOWN: Final = 8


class Answerer(StrEnum):
    """Who writes answers."""

    NONE = "none"
    ANTHROPIC = "anthropic"
    OPENAI = "openai"
    LOCAL = "local"


def choose_model(guide: Guide) -> None:
    """Choose a model that answers a test call, or none; until one answers, ask again.

    Raises:
        SettingsError: the configured model doesn't answer, and nobody can be asked.
    """
    guide.say("Without a model, the bot quotes the book. With one, it writes answers, all checked.")
    servers = _found(guide)
    before = _now(guide.settings())
    while True:
        chosen = guide.choose("Model?", _now(guide.settings()))
        if chosen is Answerer.NONE:
            guide.keep({"THUSFAR_PROVIDER": "none"} if before is not Answerer.NONE else {})
            return
        if chosen is Answerer.LOCAL and _on_this_machine(guide, servers):
            return
        if chosen is not Answerer.LOCAL and _with_key(guide, chosen, before):
            _limit(guide)
            return


def _now(settings: Settings) -> Answerer:
    """Return who writes answers by the settings."""
    provider = chosen_provider(settings)
    return Answerer.LOCAL if provider is Provider.OPENAI and settings.openai_base_url else Answerer(provider.value)


def _found(guide: Guide) -> "list[LocalServer]":
    from adapters.llm.local_servers import found_servers

    servers = asyncio.run(found_servers()) if guide.asks else []
    for server in servers:
        guide.say(f"  Found on this machine: {server.name} with {', '.join(server.models[:_MOST_SHOWN])}")
    return servers


def _with_key(guide: Guide, chosen: Answerer, before: Answerer) -> bool:
    """Have a key; return whether there is one. What another provider needed goes."""
    others = {} if chosen is before else {"THUSFAR_MODEL": "", "OPENAI_BASE_URL": ""}
    return guide.take(
        Secret(
            name=f"{chosen.upper()}_API_KEY",
            where="Make a key and copy it (nothing typed: choose again):",
            page=_KEYS[chosen],
            check=_asked,
            along={"THUSFAR_PROVIDER": chosen.value, **others},
        )
    )


def _limit(guide: Guide) -> None:
    """Ask what the model may cost."""
    if guide.asks:
        now = guide.settings().budget_a_month or 0.0
        dollars = typer.prompt("US dollars a month at most, for all clubs (0: no limit)", type=float, default=now)
        guide.keep({"THUSFAR_BUDGET_A_MONTH": f"{dollars:g}" if dollars > 0 else ""})


def _on_this_machine(guide: Guide, servers: "list[LocalServer]") -> bool:
    """Use a model of a local server; return whether it answered."""
    settings = guide.settings()
    url, model = settings.openai_base_url or "", settings.model or ""
    if guide.asks:
        usual = servers[0] if servers else None
        url = typer.prompt("Address", default=url or (usual.base_url if usual else "http://localhost:11434/v1"))
        there = next((server.models for server in servers if server.base_url == url), ())
        model = typer.prompt("Its model", default=model or next((one for one in there if "embed" not in one), None))
    values = {"THUSFAR_PROVIDER": "openai", "OPENAI_BASE_URL": url, "THUSFAR_MODEL": model}
    guide.say("  Testing it, which takes a while if the server has to load the model ...")
    return guide.accept(_asked(guide.settings(values)), values)


def _asked(settings: Settings) -> list[Check]:
    return [asyncio.run(examine_model(settings))]
