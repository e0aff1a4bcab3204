"""The models that answer where no other is named, as chosen on 2026-11-21: the providers' small, current ones."""

from typing import Final

DEFAULT_ANTHROPIC_MODEL: Final = "claude-haiku-5-5"
DEFAULT_OPENAI_MODEL: Final = "gpt-5.4-mini"
