"""Tests of the agent talk with scripted models, which must be played to their end."""

from tests.fakes.fixtures import scripted

__all__ = ["scripted"]
