"""A store that is busy: it is asked again, though not for ever, and what it says is not for members."""

from dataclasses import replace

import pytest
from typing_extensions import override

from adapters.platform.services import PlatformServices
from core.club.hearing.addressing import AddressingService
from core.domain.conversation import AskedAs
from core.domain.errors import StorageError
from core.domain.messages import STORE_AWAY
from core.domain.question import IncomingMessage
from core.understanding.listening import Addressing
from tests.adapters.answering import ScriptedAnswers
from tests.adapters.platforms import QUICK
from tests.adapters.slack.conftest import Running
from tests.adapters.slack.using import contents
from tests.adapters.watching import watched
from tests.platform_servers.slack.places import Club
from tests.platform_servers.slack.server import SlackServer

_SOON = replace(QUICK, later=0.02)


class BusyAtDeletions(AddressingService):
    """Core's own, over a store that is busy at the first deletion."""

    def __init__(self, addressing: AddressingService) -> None:
        self._own = addressing
        self.deleted_refs: list[str] = []

    @override
    async def hear(self, message: IncomingMessage, heard: Addressing) -> AskedAs:
        return await self._own.hear(message, heard)

    @override
    def answered(self, message: IncomingMessage, text: str) -> None:
        self._own.answered(message, text)

    @override
    async def deleted(self, ref: str) -> None:
        self.deleted_refs.append(ref)
        if len(self.deleted_refs) == 1:
            raise StorageError("The database is locked.")
        await self._own.deleted(ref)


async def test_a_deletion_that_a_busy_store_did_not_take_is_brought_again(
    slack_server: SlackServer, club: Club, running: Running, services: PlatformServices
) -> None:
    busy = BusyAtDeletions(services.addressing)
    seen = replace(ScriptedAnswers().instead_of(services), addressing=busy)
    async with running(services=seen, retry=_SOON) as client:
        slack_server.delete(slack_server.say(club.channel, club.ada, "I think it was Rudd."))
        await slack_server.settled()
        await client.settled()
    assert len(busy.deleted_refs) == 2
    assert len(set(busy.deleted_refs)) == 1


async def test_a_member_does_not_read_where_the_store_is(
    slack_server: SlackServer,
    club: Club,
    running: Running,
    services: PlatformServices,
    caplog: pytest.LogCaptureFixture,
) -> None:
    seen, commands = watched(services)
    commands.fails = StorageError("The database /srv/secret/thusfar.db cannot be used (database is locked).")
    async with running(services=seen) as client:
        used = await slack_server.responded(
            slack_server.slash("/thusfar", "where", user=club.ada, channel=club.channel)
        )
        await client.settled()
    assert contents(used) == [STORE_AWAY]
    assert "/srv/secret" in caplog.text
