"""What a model is asked beside its answers: is one borne out by the book, is a message the club's business?

All of it is agreed to, so that a server's script holds nothing but answers. A test that cares says what such a call
gets:

    checks = Checks(server, answer)
    checks.will_say("verifier", answer("1 NOT"))
"""

from collections import defaultdict, deque
from collections.abc import Callable
from typing import Final, Literal

from tests.fakes.chat_provider import agreed
from tests.servers.scripted import ReceivedRequest, Reply, ScriptedServer

Checker = Literal["verifier", "judge"]
_BEGINS: Final[dict[Checker, bytes]] = {
    "verifier": b"You check an answer in a book club",
    "judge": b"You decide whether a message in a book club",
}


class Checks:
    """Answers these calls to a server as it was told to, else by agreeing; `asked` keeps them.

    Args:
        server: whose script is spared them.
        said: puts a text into the words of the wire.
    """

    def __init__(self, server: ScriptedServer, said: Callable[[str], Reply]) -> None:
        server.beside = self._answer
        self.asked: list[ReceivedRequest] = []
        self._said = said
        self._script: defaultdict[Checker, deque[Reply]] = defaultdict(deque)

    def will_say(self, checker: Checker, *replies: Reply) -> None:
        """Append to what a checker says before it agrees again."""
        self._script[checker].extend(replies)

    def left(self) -> int:
        """How much of what was to be said nobody has asked for."""
        return sum(map(len, self._script.values()))

    def _answer(self, request: ReceivedRequest) -> Reply | None:
        checker = next((each for each, begins in _BEGINS.items() if begins in request.body), None)
        if checker is None:
            return None
        self.asked.append(request)
        script = self._script[checker]
        return script.popleft() if script else self._said(agreed(_question(request)))


def _question(request: ReceivedRequest) -> str:
    content = request.json()["messages"][-1]["content"]
    return content if isinstance(content, str) else str(content[-1]["text"])
