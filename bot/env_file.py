"""The .env that `thusfar setup` writes, and what it has to know of the environment beside it."""

import os
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from dotenv import dotenv_values, find_dotenv, set_key

from core.domain.errors import SettingsError

_OWNERS_ONLY: Final = 0o600
_PLAIN: Final = re.compile(r"[\w.:/+=@~-]*")
"""Values that need no quotes, which a container's `--env-file` would take as part of the value."""
_environment: Final = os.environ  # noqa: TID251 (no setting is read here)


class EnvFile:
    """The file that the settings are read from: the nearest .env, or a new one in this folder."""

    def __init__(self) -> None:
        self.path = Path(find_dotenv(usecwd=True) or ".env").resolve()

    def keep(self, values: Mapping[str, str]) -> None:
        """Write settings and leave all other lines as they are; only the owner may read the file.

        Raises:
            SettingsError: the file cannot be written.
        """
        kept = dotenv_values(self.path) if self.path.exists() else {}
        try:
            if self.path.exists():
                self.path.chmod(_OWNERS_ONLY)
            else:
                os.close(os.open(self.path, os.O_CREAT | os.O_EXCL, _OWNERS_ONLY))
            for name, value in values.items():
                if (kept.get(name) or "") != value:
                    set_key(self.path, name, value, quote_mode="never" if _PLAIN.fullmatch(value) else "always")
        except OSError as error:
            raise SettingsError(f"{self.path} cannot be written ({error.strerror}).") from None


def overridden(values: Mapping[str, str]) -> list[str]:
    """Return the names whose value in .env has no effect, because the environment has another one."""
    return [name for name, value in values.items() if _environment.get(name, "") not in {"", value}]


def has_screen() -> bool:
    """Return whether a browser can show a page here: not over SSH, in a container or on a server."""
    is_shown = _environment.get("DISPLAY") or _environment.get("WAYLAND_DISPLAY")
    return sys.platform in {"darwin", "win32"} or bool(is_shown)
