"""What waiting cannot mend, in one sentence each."""

from typing import Final

WRONG_TOKEN: Final = "Discord does not accept DISCORD_TOKEN: copy the bot's token anew from the developer portal."  # noqa: S105

UNMENDABLE: Final = {
    4004: WRONG_TOKEN,
    4010: "Discord refuses the connection: it was told an invalid shard (close code 4010).",
    4011: "Discord refuses the connection: the bot is in too many servers for one process (close code 4011).",
    4012: "Discord refuses the connection: its API has a version this program does not speak (close code 4012).",
    4013: "Discord refuses the connection: it does not know the intents that were asked for (close code 4013).",
    4014: "Discord refuses the connection: it grants none of the intents that were asked for (close code 4014).",
}
