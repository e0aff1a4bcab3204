"""A busy store: it is retried, but not for ever, and its error messages are not shown to members."""

import pytest

from adapters.platform.services import PlatformServices
from core.domain.errors import StorageError
from core.domain.messages import STORE_AWAY
from tests.adapters.slack.conftest import Running
from tests.adapters.slack.using import contents
from tests.adapters.watching import watched
from tests.platform_servers.slack.places import Club
from tests.platform_servers.slack.server import SlackServer


async def test_members_do_not_see_the_address_of_the_store(
    slack_server: SlackServer,
    club: Club,
    settling: Running,
    services: PlatformServices,
    caplog: pytest.LogCaptureFixture,
) -> None:
    seen, commands = watched(services)
    commands.fails = StorageError("The database /srv/secret/thusfar.db cannot be used (database is locked).")
    async with settling(services=seen):
        used = await slack_server.responded(
            slack_server.slash("/thusfar", "where", user=club.ada, channel=club.channel)
        )
    assert contents(used) == [STORE_AWAY]
    assert "/srv/secret" in caplog.text
