"""The settings, read once from the environment and .env; the only reader of either."""

import os
import re
from collections.abc import Iterator
from difflib import get_close_matches
from enum import StrEnum
from io import StringIO
from pathlib import Path
from typing import Annotated, Final, Literal

from dotenv import find_dotenv
from dotenv.parser import parse_stream
from pydantic import AfterValidator, BeforeValidator, Field, SecretStr, ValidationError, field_validator
from pydantic_core import PydanticCustomError
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from adapters.retrieval.chroma_address import ChromaAddress
from core.domain.errors import SettingsError
from core.domain.verdict import Verify
from core.language.book_memory import DEFAULT_MEGABYTES

_ROOT = Path(__file__).resolve().parent.parent
_OURS: Final = "THUSFAR_"
_LIKENESS: Final = 0.75
"""How alike a name and a setting's must be for one to be meant by the other; `TEST_POSTGRES` is like none."""


class Provider(StrEnum):
    """Whose model answers; `auto` takes Anthropic where its key is set, else OpenAI, else none."""

    AUTO = "auto"
    ANTHROPIC = "anthropic"
    OPENAI = "openai"
    NONE = "none"


class Embeddings(StrEnum):
    """Whose vectors of passages Chroma searches; `auto` takes MiniLM where its model is at hand, else WordLlama.

    WordLlama tells which words are alike beside the others too; `none` goes by the words as they are written.
    """

    AUTO = "auto"
    MINILM = "minilm"
    WORDLLAMA = "wordllama"
    OPENAI = "openai"
    NONE = "none"


class Strategy(StrEnum):
    """How a model gets at the book: searched for it before it is asked, at its own wish alone, or without tools."""

    PREFETCH = "prefetch"
    TOOL_USE = "tool_use"
    ALWAYS_RETRIEVE = "always_retrieve"


def _ids(form: str, example: str) -> BeforeValidator:
    """Take ids apart that stand with commas or blanks between them."""

    def listed(value: object) -> object:
        if not isinstance(value, str):
            return value
        ids = [part for part in re.split(r"[,\s]+", value) if part]
        if not all(re.fullmatch(form, one) for one in ids):
            raise PydanticCustomError("ids", f"Ids are wanted, such as {example}, with commas between them")
        return ids

    return BeforeValidator(listed)


def _chroma_address(url: SecretStr) -> SecretStr:
    try:
        ChromaAddress.of(url.get_secret_value())
    except ValueError:
        raise PydanticCustomError("url", "An address is wanted, such as http://127.0.0.1:8000") from None
    return url


OwnPath = Annotated[Path, AfterValidator(Path.expanduser)]
Ids = Annotated[frozenset[int], NoDecode, _ids(r"\d+", "1049823471928374")]
SlackIds = Annotated[frozenset[str], NoDecode, _ids(r"[A-Z][A-Z0-9]+", "C0123ABCD")]


class Settings(BaseSettings):
    """Every setting with its default; names are the environment's, in any case."""

    model_config = SettingsConfigDict(extra="ignore", frozen=True, env_ignore_empty=True)

    thusfar_home: OwnPath = Path(".thusfar")
    """Where all local data lives."""
    database_url: str | None = None
    """Another database than SQLite in the home: `postgresql://user:password@host/name`; run `thusfar db upgrade`
    first."""
    chroma_url: Annotated[SecretStr, AfterValidator(_chroma_address)] | None = None
    """A Chroma server that all processes share, instead of a folder in the home: `http://host:8000`, with
    `token@` or `name:password@` before the host and `/database` behind it (`thusfar`; one for each database of
    yours) where wanted."""
    provider: Provider = Field(default=Provider.AUTO, validation_alias="THUSFAR_PROVIDER")
    """Whose model answers: `anthropic`, `openai`, `none` (quotations); `auto`: Anthropic where its key is set,
    else OpenAI, else none."""
    model: str | None = Field(default=None, validation_alias="THUSFAR_MODEL")
    """The model, as its provider names it; else a small, current one."""
    anthropic_api_key: SecretStr | None = None
    """The key of Anthropic's API."""
    anthropic_base_url: str | None = None
    """Another address of Anthropic's API."""
    openai_api_key: SecretStr | None = None
    """The key of OpenAI's API; a local server may need none."""
    openai_base_url: str | None = None
    """A server that speaks OpenAI's API, with or without a key."""
    max_answer_tokens: int | None = Field(default=None, ge=64, validation_alias="THUSFAR_MAX_ANSWER_TOKENS")
    """How long an answer may be; else 4096 with Anthropic, 2048 with OpenAI."""
    max_iterations: int = Field(default=3, ge=1, le=20, validation_alias="THUSFAR_MAX_ITERATIONS")
    """Rounds of searches for one question, where the prompt's rule names no other number."""
    top_k: int = Field(default=5, ge=1, le=20, validation_alias="THUSFAR_TOP_K")
    """How many passages are searched for with a question."""
    retrieval_attempts: int = Field(default=3, ge=1, le=5, validation_alias="THUSFAR_RETRIEVAL_ATTEMPTS")
    """Searches for one question with `always_retrieve`, each in better words."""
    scope_threshold: int = Field(default=75, ge=1, le=100, validation_alias="THUSFAR_SCOPE_THRESHOLD")
    """The score, of 100, from which a message counts as the club's business."""
    strategy: Strategy = Field(default=Strategy.PREFETCH, validation_alias="THUSFAR_STRATEGY")
    """`prefetch`: passages go along with the question, tools on offer; `tool_use`: the model searches;
    `always_retrieve`: for models without tools."""
    guard: Literal["balanced", "strict"] = Field(default="balanced", validation_alias="THUSFAR_GUARD")
    """`strict`: every sentence must rest on read text."""
    scope_judge: bool = Field(default=True, validation_alias="THUSFAR_SCOPE_JUDGE")
    """Whether the model is asked what is off-topic where rules and search cannot tell."""
    verifier: Verify = Field(default=Verify.ALL, validation_alias="THUSFAR_VERIFIER")
    """Which sentences of an answer a model verifies against read pages: `all`, those in `doubt`, `off`."""
    verifier_model: str | None = Field(default=None, validation_alias="THUSFAR_VERIFIER_MODEL")
    """Another, cheaper model of the same provider that verifies, and is asked twice where its page speaks
    against it."""
    turn_seconds: float = Field(default=90, gt=0, le=900, validation_alias="THUSFAR_TURN_SECONDS")
    """How long one question may take, all in all: searching, the model, judging its answer."""
    turn_retries: int = Field(default=2, ge=0, le=10, validation_alias="THUSFAR_TURN_RETRIES")
    """How many failed calls of one question may be tried again."""
    turns_at_once: int = Field(default=800, ge=1, validation_alias="THUSFAR_TURNS_AT_ONCE")
    """How many questions one process answers side by side, and half as many of one channel; fewer for a model on
    your own machine."""
    embeddings: Embeddings = Field(default=Embeddings.AUTO, validation_alias="THUSFAR_EMBEDDINGS")
    """Whose vectors of passages Chroma searches: `auto` takes WordLlama's (`wordllama`; they come with the
    program), or MiniLM's (`minilm`; it knows sentences) once it is fetched; `none`: words as they are written,
    without Chroma; `openai`: [sends the whole book](privacy.md)."""
    minilm_folder: OwnPath | None = Field(default=None, validation_alias="THUSFAR_MINILM_FOLDER")
    """The folder with MiniLM's model, else where Chroma keeps it; `thusfar embeddings get` fills it."""
    embedding_model: str = Field(default="text-embedding-3-small", validation_alias="THUSFAR_EMBEDDING_MODEL")
    """The model for `openai`; another one embeds every book again."""
    embedding_dimensions: int | None = Field(default=None, ge=1, validation_alias="THUSFAR_EMBEDDING_DIMENSIONS")
    """How many numbers a vector of another model has; known for OpenAI's own."""
    notes_model: str | None = Field(default=None, validation_alias="THUSFAR_NOTES_MODEL")
    """The model that writes reading notes; else that of answers."""
    notes_tokens: int = Field(default=2_000_000, ge=1_000, validation_alias="THUSFAR_NOTES_TOKENS")
    """What the notes of one book may take, tokens in and out."""
    books_memory_megabytes: int = Field(default=DEFAULT_MEGABYTES, ge=16, validation_alias="THUSFAR_BOOKS_MEMORY_MB")
    """What is held in memory of the texts of all books together: about fifty novels; more are loaded again when
    asked about. The words of reading notes, `/calibrate` and likeness of words have bounds of their own,
    together 104 MB beside it."""
    max_book_megabytes: int = Field(default=50, ge=1, validation_alias="THUSFAR_MAX_BOOK_MB")
    """The largest book file."""
    max_history_messages: int = Field(default=20, ge=0, validation_alias="THUSFAR_MAX_HISTORY_MESSAGES")
    """How many messages of a thread a model is shown whole; what was said before goes along in short."""
    max_history_turns: int = Field(default=5, ge=0, validation_alias="THUSFAR_MAX_HISTORY_TURNS")
    """How many questions and answers of it; the smaller of the two counts."""
    club_tokens_a_day: int | None = Field(default=None, ge=1, validation_alias="THUSFAR_CLUB_TOKENS_A_DAY")
    """Tokens that a club's model calls may take in a day (UTC); then it gets quotations. No bound without it."""
    questions_a_minute: int = Field(default=20, ge=1, validation_alias="THUSFAR_QUESTIONS_A_MINUTE")
    """Questions of one member in a minute."""
    discord_token: SecretStr | None = None
    """The bot's token."""
    discord_api_base: str | None = Field(default=None, pattern=r"^https?://")
    """Another address of Discord's API, for a proxy: `https://.../api/v10`."""
    discord_gateway_url: str | None = Field(default=None, pattern=r"^wss?://")
    """Another address of its gateway: `wss://...`."""
    discord_guilds: Ids = frozenset()
    """Ids of the servers in which it may speak, with commas between them, else all; DMs are not theirs."""
    discord_channels: Ids = frozenset()
    """Ids of the channels in which it may speak; else all."""
    discord_organiser_roles: Ids = frozenset()
    """Ids of roles that organise, in addition to everyone with the right Manage Threads."""
    discord_missed_hours: int = Field(default=12, ge=0, le=168)
    """How old a question may be that is answered after a pause."""
    discord_emoji_searching: str = "🔍"
    """The reaction while it searches; all reactions may be a server's own emoji too, as `name:id`."""
    discord_emoji_found: str = "📖"
    """The reaction where something was found."""
    discord_emoji_found_nothing: str = "🤷"
    """The reaction where nothing was found."""
    discord_emoji_answered: str = "✅"
    """The reaction while the answer is posted."""
    discord_emoji_failed: str = "⚠️"
    """The reaction where no answer comes."""
    discord_emoji_waiting: str = "⏳"
    """The reaction while a question waits its turn."""
    discord_emoji_thanked: str = "💛"
    """The reaction to thanks."""
    slack_bot_token: SecretStr | None = None
    """The bot's token."""
    slack_app_token: SecretStr | None = None
    """The app's token, for Socket Mode."""
    slack_signing_secret: SecretStr | None = None
    """Over HTTP: what requests are verified with."""
    slack_api_base: str | None = Field(default=None, pattern=r"^https?://")
    """Another address of Slack's API."""
    slack_host: str = "127.0.0.1"
    """Over HTTP: the address at which requests come in."""
    slack_port: int = Field(default=3000, ge=0, le=65_535)
    """Over HTTP: the port."""
    slack_channels: SlackIds = frozenset()
    """Ids of the channels in which it may speak; else all."""
    slack_organisers: SlackIds = frozenset()
    """Ids of members who organise, in addition to workspace admins."""
    slack_missed_hours: int = Field(default=12, ge=0, le=168)
    """As for Discord."""
    slack_emoji_searching: str = "mag"
    """The reactions, as for Discord, by their names in Slack."""
    slack_emoji_found: str = "book"
    """The reaction where something was found."""
    slack_emoji_found_nothing: str = "shrug"
    """The reaction where nothing was found."""
    slack_emoji_answered: str = "white_check_mark"
    """The reaction while the answer is posted."""
    slack_emoji_failed: str = "warning"
    """The reaction where no answer comes."""
    slack_emoji_waiting: str = "hourglass_flowing_sand"
    """The reaction while a question waits its turn."""
    slack_emoji_thanked: str = "yellow_heart"
    """The reaction to thanks."""
    log_level: Literal["debug", "info", "warning", "error"] = Field(
        default="warning", validation_alias="THUSFAR_LOG_LEVEL"
    )
    """`debug`, `info`, `warning` or `error`. No level shows what members say, or a key."""
    log_format: Literal["text", "json"] = Field(default="text", validation_alias="THUSFAR_LOG_FORMAT")
    """`json` for an object a line."""
    metrics_port: int | None = Field(default=None, ge=0, le=65_535, validation_alias="THUSFAR_METRICS_PORT")
    """Where `serve`, `work` and `web` answer `/healthz` and `/metrics`; `0` takes any port that is free. Off
    without it."""
    metrics_host: str = Field(default="127.0.0.1", validation_alias="THUSFAR_METRICS_HOST")
    """The address of that port."""
    left_server_days: int = Field(default=30, ge=1, validation_alias="THUSFAR_LEFT_SERVER_DAYS")
    """When what a server leaves behind that removes the bot (books, clubs, all that was said) is erased; one
    that returns before that finds all as it was."""
    inbox_days: int = Field(default=30, ge=8, validation_alias="THUSFAR_INBOX_DAYS")
    """How long the ids of messages that are done are kept, so that none is answered twice."""

    @field_validator("*", mode="before")
    @classmethod
    def _without_blanks(cls, value: object) -> object:
        """Files that keep a secret end with a line break, which no header and no address takes."""
        return value.strip() if isinstance(value, str) else value

    @field_validator(
        "provider", "guard", "verifier", "strategy", "embeddings", "log_level", "log_format", mode="before"
    )
    @classmethod
    def _in_any_case(cls, value: object) -> object:
        return value.strip().lower() if isinstance(value, str) else value

    @property
    def database(self) -> str:
        """The database's URL: `DATABASE_URL`, else SQLite in the home."""
        return self.database_url or f"sqlite:///{self.thusfar_home.resolve() / 'thusfar.db'}"

    @property
    def chroma_folder(self) -> Path:
        """Chroma's folder in the home."""
        return self.thusfar_home.resolve() / "chroma"

    @property
    def indexes_folder(self) -> Path:
        """What was worked out of the books' texts, in the home."""
        return self.thusfar_home.resolve() / "indexes"

    @property
    def prompts_dir(self) -> Path:
        """The prompts that come with the program."""
        return _ROOT / "prompts"

    @property
    def sample_folder(self) -> Path:
        """The novel that comes with the program, with its labels."""
        return _ROOT / "fixtures" / "sample"


def load_settings() -> Settings:
    """Read the environment and the nearest .env.

    Raises:
        SettingsError: a value is wrong; the sentence names the variable and never shows the value.
    """
    env_file = find_dotenv(usecwd=True) or None
    try:
        _check_names(env_file)
        return Settings(_env_file=env_file)
    except (UnicodeDecodeError, OSError) as error:
        raise SettingsError(f"The settings in {env_file} cannot be read: {error.__class__.__name__}.") from None
    except ValidationError as error:
        first = error.errors()[0]
        name = str(first["loc"][0]).upper() if first["loc"] else "A setting"
        raise SettingsError(f"{name} is wrong: {first['msg']}.") from None


def _check_names(env_file: str | None) -> None:
    """Refuse what is meant as a setting and would be passed over: the guard, say, would not be as strict as was asked.

    Raises:
        SettingsError: a line of the file is no setting, or a name is nearly one of ours.
    """
    names = [*os.environ, *(_names_in(env_file) if env_file else ())]  # noqa: TID251 (this is the one reader)
    known = {str(field.validation_alias or name).upper() for name, field in Settings.model_fields.items()}
    ours = [name.removeprefix(_OURS) for name in known if name.startswith(_OURS)]
    for name in sorted({name.upper() for name in names if name.upper().startswith(_OURS)} - known):
        meant = get_close_matches(name.removeprefix(_OURS), ours, n=1, cutoff=_LIKENESS)
        if meant:
            raise SettingsError(f"{name} is no setting; {_OURS}{meant[0]} is one.")


def _names_in(env_file: str) -> Iterator[str]:
    for line in parse_stream(StringIO(Path(env_file).read_text(encoding="utf-8-sig"))):
        if line.error:
            raise SettingsError(f"Line {line.original.line} of {env_file} is not of the form NAME=value.")
        if line.key:
            yield line.key
