"""Houses of the adapters' tests are wired from what is made once."""

from tests.homes import made_once

__all__ = ["made_once"]
