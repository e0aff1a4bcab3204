"""How `thusfar setup` asks and remembers: prompts in a terminal, and each accepted answer in .env at once."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import TypeVar

import typer

from bot.env_file import EnvFile, has_screen, overridden
from bot.settings import Settings, load_settings
from core.domain.errors import SettingsError

Chosen = TypeVar("Chosen", bound=Enum)
Check = tuple[str, bool, str]
_SHORT = 80
"""The letters of an address to show that is open already: Slack's link holds a whole manifest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Secret:
    """A token or key that is asked for.

    Attributes:
        name: its setting.
        where: how to get one, and `page` where.
        check: makes the real call and returns checks as `thusfar doctor` does.
        decides: the check that tells whether the secret works; without it, the first one does.
        along: settings that are kept with it.
    """

    name: str
    where: str
    page: str
    check: Callable[[Settings], list[Check]]
    decides: str = ""
    along: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Guide:
    """Talks with the person who sets the bot up; where it `asks` nothing, a missing answer is an error.

    `given` are settings from stdin, which are written as soon as they are found to work.
    """

    file: EnvFile
    asks: bool
    given: Mapping[str, str]
    _told: set[Check] = field(default_factory=set)

    def settings(self, proposed: Mapping[str, str] | None = None) -> Settings:
        """Return the current settings, with those given and proposed. Raises SettingsError: one is invalid."""
        return load_settings({**self.given, **(proposed or {})})

    def say(self, text: str) -> None:
        """Print a line."""
        print(text, flush=True)

    def report(self, checks: list[Check]) -> None:
        """Print checks; what is fine, once."""
        for name, ok, detail in (check for check in checks if check not in self._told or not check[1]):
            self.say(f"  {'ok   ' if ok else 'TO DO'} {name}: {detail}")
        self._told.update(checks)

    def keep(self, values: Mapping[str, str]) -> None:
        """Write settings."""
        self.file.keep(values)
        for name in overridden(values):
            self.say(f"  The environment has another {name}, which wins over {self.file.path}: unset it there.")

    def open(self, page: str) -> None:
        """Show a page's address, and the page itself if there is a browser in front of someone."""
        is_shown = self.asks and has_screen()
        self.say(f"  {page[:_SHORT]} (opened in your browser)" if is_shown else f"  {page}")
        if is_shown:
            typer.launch(page)

    def yes(self, question: str) -> bool:
        """Ask; where nobody can be asked, return no."""
        return self.asks and typer.confirm(question, default=True)

    def choose(self, question: str, default: Chosen) -> Chosen:
        """Ask for one of a kind of choices; where nobody can be asked, return the default."""
        if not self.asks:
            return default
        chosen: Chosen = typer.prompt(question, type=type(default), default=default.value)
        return chosen

    def take(self, wanted: Secret) -> bool:
        """Have a secret that works: the current one, or one that is typed without echo; return whether there is one.

        Raises:
            SettingsError: nobody can be asked, and there is none or it doesn't work.
        """
        value = getattr(self.settings(), wanted.name.lower())
        given = value.get_secret_value() if value is not None else ""
        if given and self._works(wanted, given) and (not self.asks or self.yes(f"Keep this {wanted.name}?")):
            return True
        if not self.asks:
            raise SettingsError(f"{wanted.name} is not set: pass it in the environment, or with --stdin.")
        self.say(wanted.where)
        self.open(wanted.page)
        while typed := typer.prompt(f"{wanted.name} (hidden)", default="", show_default=False, hide_input=True).strip():
            if self._works(wanted, typed):
                return True
        return False

    def accept(self, checks: list[Check], values: Mapping[str, str]) -> bool:
        """Report a test, and write the settings that passed it; return whether they did.

        Raises:
            SettingsError: they did not, and nobody can be asked.
        """
        failed = next((detail for _, ok, detail in checks if not ok), None)
        if failed is not None and not self.asks:
            raise SettingsError(failed)
        self.report(checks)
        if failed is None:
            self.keep(values)
        return failed is None

    def _works(self, wanted: Secret, given: str) -> bool:
        values = {**wanted.along, wanted.name: given}
        checks = wanted.check(self.settings(values))
        return self.accept([check for check in checks if check[0] == wanted.decides] or checks[:1], values)
