"""Signs buttons: a MAC over command, text, place and, for a private button, the member.

Anyone can send a button id with changed contents, but only this installation can make the MAC. `Surface.proves` checks
it before anything that a button, a menu or a form says is done.
"""

import base64
import hashlib
import hmac
import secrets
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Final

from core.club.commands.values import Choice
from core.domain.thread import Thread

_CODE_BYTES: Final = 9
_EVERYONE: Final = ""


async def _process_secret() -> bytes:
    return secrets.token_bytes()


class ButtonSeal:
    """Makes and checks the MACs; the secret is loaded when it is first needed."""

    def __init__(self, secret: Callable[[], Awaitable[bytes]] = _process_secret) -> None:
        self._secret = secret
        self._key = b""

    async def of(self, choices: Sequence[Choice], thread: Thread, member_id: str | None) -> tuple[Choice, ...]:
        """Return the choices with their MACs: for one member, or for everyone there if `member_id` is None."""
        return tuple([replace(one, seal=await self._code(one, thread, member_id or _EVERYONE)) for one in choices])

    async def proves(self, choice: Choice, thread: Thread, member_id: str) -> bool:
        """Whether the choice was made here, for this member or for everyone."""
        codes = [await self._code(choice, thread, each) for each in (member_id, _EVERYONE)]
        return any(hmac.compare_digest(choice.seal.encode("utf-8", "replace"), code.encode()) for code in codes)

    async def _code(self, choice: Choice, thread: Thread, member_id: str) -> str:
        self._key = self._key or await self._secret()
        said = "\0".join((thread.scope, thread.thread or thread.place, member_id, choice.command, choice.text))
        code = hashlib.blake2b(said.encode("utf-8", "replace"), key=self._key, digest_size=_CODE_BYTES)
        return base64.urlsafe_b64encode(code.digest()).decode()
