"""What proves a button: a code over its command, its text, its place and, where it is one member's alone, the member.

Anyone can send a button's id with other words in it. Only this home can make the code, and it is looked at in one
place: `Surface.proves`, before anything that a button, a choice or a form says is done.
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
_OF_ALL: Final = ""


async def _of_this_process() -> bytes:
    return secrets.token_bytes()


class ButtonSeal:
    """Makes and checks the codes; the secret is asked for when the first one is needed."""

    def __init__(self, secret: Callable[[], Awaitable[bytes]] = _of_this_process) -> None:
        self._secret = secret
        self._key = b""

    async def of(self, choices: Sequence[Choice], thread: Thread, member_id: str | None) -> tuple[Choice, ...]:
        """Return choices with their codes, for one member alone or, with None, for all who see them there."""
        return tuple([replace(one, seal=await self._code(one, thread, member_id or _OF_ALL)) for one in choices])

    async def proves(self, choice: Choice, thread: Thread, member_id: str) -> bool:
        """Whether a choice was made here, and for this member or for all."""
        codes = [await self._code(choice, thread, each) for each in (member_id, _OF_ALL)]
        return any(hmac.compare_digest(choice.seal.encode("utf-8", "replace"), code.encode()) for code in codes)

    async def _code(self, choice: Choice, thread: Thread, member_id: str) -> str:
        self._key = self._key or await self._secret()
        said = "\0".join((thread.scope, thread.thread or thread.place, member_id, choice.command, choice.text))
        code = hashlib.blake2b(said.encode("utf-8", "replace"), key=self._key, digest_size=_CODE_BYTES)
        return base64.urlsafe_b64encode(code.digest()).decode()
