"""Tests of the use cases stand in a world of fakes; scripted models must be played to their end."""

import pytest

from tests.fakes.fixtures import scripted
from tests.unit.app.world import World

__all__ = ["scripted"]


@pytest.fixture
def world() -> World:
    return World()
