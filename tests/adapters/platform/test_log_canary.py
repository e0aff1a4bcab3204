"""The debug log never contains members' words, tokens or keys."""

import io
import logging
from collections.abc import Iterator

import pytest

from adapters.platform.services import PlatformServices
from bot.logs import WithoutWords, _JsonLines
from tests.adapters.answering import ScriptedAnswers
from tests.adapters.platform.conftest import ReadBook
from tests.adapters.platform.stages import Stage

_CANARY = "xylophone"


@pytest.fixture
def logs() -> Iterator[list[io.StringIO]]:
    """Return the debug log, as text and as JSON."""
    handlers = []
    for form in (WithoutWords("%(levelname)s %(name)s: %(message)s"), _JsonLines()):
        handlers.append(logging.StreamHandler(io.StringIO()))
        handlers[-1].setFormatter(form)
    root = logging.getLogger()
    level = root.level
    for handler in handlers:
        root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    yield [handler.stream for handler in handlers]
    for handler in handlers:
        root.removeHandler(handler)
    root.setLevel(level)


async def test_nothing_private_is_in_the_log(
    stage: Stage, read_book: ReadBook, services: PlatformServices, logs: list[io.StringIO]
) -> None:
    await read_book()
    async with stage.settling():
        used = [stage.use("ask", f"Who has a {_CANARY}?")]
        said = {"ask", "who", "chat", "quote", "predict", "later", "suggest"}
        commands = [one for one in services.commands.picked() if stage.name == "slack" or one.words in said]
        used += [stage.use(one.words, _CANARY if one.takes else "") for one in commands]
        errors = {"content": {"_errors": [{"code": "BAD", "message": f"{_CANARY} is bad."}]}}
        stage.fail("post", stage.faults.Fault(status=400, body={"message": "No.", "code": 50035, "errors": errors}))
        await stage.wait_for(lambda: stage.count("post"))
        asked = stage.ask(f"Who has the {_CANARY}?")
        await stage.answer_to(asked)
        stage.edit(asked, f"{stage.server.bot.mention} Who has that {_CANARY}?")
        stage.say_alone(f"My {_CANARY}?", by=stage.club.ada)
        stage.press_as("tf1:.up:1", stage.plant("tf1:.up:1"), by=stage.club.ada)
    failing = ScriptedAnswers()
    failing.fail_with(RuntimeError(f"They said {_CANARY}"))
    async with stage.settling(failing):
        stage.ask(f"Who has the {_CANARY} now?")
        await failing.was_asked()
    for log in logs:
        _free_of_private_words(log.getvalue(), stage)


def _free_of_private_words(text: str, stage: Stage) -> None:
    tokens = [stage.server.token, getattr(stage.server, "app_token", stage.server.token)]
    tokens += (
        [one.token for one in getattr(stage.server.platform, "interactions", {}).values()]
        if stage.name == "discord"
        else []
    )
    for line in text.splitlines():
        assert _CANARY not in line.lower(), line
        assert not any(token in line for token in tokens), line
    assert len(text) > 100
