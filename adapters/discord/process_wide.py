"""What discord.py keeps for the whole process: where Discord is, and what it need not warn of."""

import discord
import yarl


def set_up(*, api_base: str | None) -> None:
    """Before the first call: the address that the operator named, if any."""
    # Nobody speaks with the bot; without this discord.py warns of what a voice would need.
    discord.VoiceClient.warn_nacl = False
    discord.VoiceClient.warn_dave = False
    if api_base is not None:
        discord.http.Route.BASE = api_base.rstrip("/")


def set_gateway(url: str) -> None:
    """Before the first connection: discord.py itself never asks where the gateway is."""
    discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(url)
