"""Fixtures for the loopback Slack's own tests: the server, and a club in it."""

import pytest

from tests.platform_servers.slack.fixtures import slack_server
from tests.platform_servers.slack.places import Club
from tests.platform_servers.slack.server import SlackServer

__all__ = ["slack_server"]


@pytest.fixture
def club(slack_server: SlackServer) -> Club:
    return slack_server.add_club()
