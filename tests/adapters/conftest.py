"""Houses of the adapters' tests are wired from what is made once."""

from tests.homes import empty_database, made_once

__all__ = ["empty_database", "made_once"]
