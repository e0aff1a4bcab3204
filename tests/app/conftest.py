"""Scripted models for the tests of the judge."""

from tests.fakes.fixtures import scripted

__all__ = ["scripted"]
