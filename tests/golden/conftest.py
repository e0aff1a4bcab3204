"""The stage of the platforms' shared tests."""

from tests.adapters.platform.conftest import stage
from tests.adapters.platforms import services

__all__ = ["services", "stage"]
