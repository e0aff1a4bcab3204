"""Fixtures that are made once and shared by the adapters' tests."""

from tests.homes import made_once

__all__ = ["made_once"]
