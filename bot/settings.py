"""The settings, read once from the environment and .env, which no other module reads."""

import os
import re
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from enum import StrEnum
from io import StringIO
from pathlib import Path
from typing import Annotated, Any, Final, Literal

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
"""The least similarity at which an unknown name counts as a misspelt setting; `TEST_POSTGRES` must not."""


class Provider(StrEnum):
    """The model's provider; `auto` uses Anthropic if its key is set, else OpenAI, else none."""

    AUTO = "auto"
    ANTHROPIC = "anthropic"
    OPENAI = "openai"
    NONE = "none"


class Embeddings(StrEnum):
    """The embedding model; `auto` uses MiniLM if it is downloaded, else WordLlama.

    WordLlama also supplies similar words to the other models; `none` searches exact words.
    """

    AUTO = "auto"
    MINILM = "minilm"
    WORDLLAMA = "wordllama"
    OPENAI = "openai"
    NONE = "none"


class Strategy(StrEnum):
    """How a model searches the book: a search before the call plus tools, tools only, or without tools."""

    PREFETCH = "prefetch"
    TOOL_USE = "tool_use"
    ALWAYS_RETRIEVE = "always_retrieve"


def _ids(form: str, example: str) -> BeforeValidator:
    """Split ids at commas and blanks."""

    def listed(value: object) -> object:
        if not isinstance(value, str):
            return value
        ids = [part for part in re.split(r"[,\s]+", value) if part]
        if not all(re.fullmatch(form, one) for one in ids):
            raise PydanticCustomError("ids", f"Expected ids such as {example}, separated by commas")
        return ids

    return BeforeValidator(listed)


def _chroma_address(url: SecretStr) -> SecretStr:
    try:
        ChromaAddress.of(url.get_secret_value())
    except ValueError:
        raise PydanticCustomError("url", "Expected an address such as http://127.0.0.1:8000") from None
    return url


OwnPath = Annotated[Path, AfterValidator(Path.expanduser)]
Ids = Annotated[frozenset[int], NoDecode, _ids(r"\d+", "1049823471928374")]
SlackIds = Annotated[frozenset[str], NoDecode, _ids(r"[A-Z][A-Z0-9]+", "C0123ABCD")]


class Settings(BaseSettings):
    """Every setting with its default; environment names are case-insensitive."""

    model_config = SettingsConfigDict(extra="ignore", frozen=True, env_ignore_empty=True)

    thusfar_home: OwnPath = Path(".thusfar")
    """Where all local data lives."""
    database_url: str | None = None
    """A database instead of SQLite in the home: `postgresql://user:password@host/name`; run `thusfar db upgrade`
    first."""
    chroma_url: Annotated[SecretStr, AfterValidator(_chroma_address)] | None = None
    """A Chroma server shared by all processes, instead of a folder in the home: `http://host:8000`, optionally with
    `token@` or `name:password@` before the host and a Chroma `/database` after it (default `thusfar`; use one for
    each Thusfar database)."""
    provider: Provider = Field(default=Provider.AUTO, validation_alias="THUSFAR_PROVIDER")
    """The model's provider: `anthropic`, `openai`, `none` (quotations); `auto`: Anthropic if its key is set, else
    OpenAI, else none."""
    model: str | None = Field(default=None, validation_alias="THUSFAR_MODEL")
    """The model's name at its provider; by default a small, current one."""
    anthropic_api_key: SecretStr | None = None
    """The Anthropic API key."""
    anthropic_base_url: str | None = None
    """Another address of Anthropic's API."""
    openai_api_key: SecretStr | None = None
    """The OpenAI API key; a local server may need none."""
    openai_base_url: str | None = None
    """A server with OpenAI's API, with or without a key."""
    max_answer_tokens: int | None = Field(default=None, ge=64, validation_alias="THUSFAR_MAX_ANSWER_TOKENS")
    """The longest answer, in tokens; by default 4096 with Anthropic, 2048 with OpenAI."""
    max_iterations: int = Field(default=3, ge=1, le=20, validation_alias="THUSFAR_MAX_ITERATIONS")
    """Rounds of tool calls for one question, unless the prompt's rule sets another number."""
    top_k: int = Field(default=5, ge=1, le=20, validation_alias="THUSFAR_TOP_K")
    """How many passages a search returns."""
    retrieval_attempts: int = Field(default=3, ge=1, le=5, validation_alias="THUSFAR_RETRIEVAL_ATTEMPTS")
    """Searches for one question with `always_retrieve`, each with better words."""
    scope_threshold: int = Field(default=75, ge=1, le=100, validation_alias="THUSFAR_SCOPE_THRESHOLD")
    """The score, out of 100, from which a message counts as on-topic."""
    strategy: Strategy = Field(default=Strategy.PREFETCH, validation_alias="THUSFAR_STRATEGY")
    """`prefetch`: passages are sent with the question, plus tools; `tool_use`: the model searches;
    `always_retrieve`: for models without tools."""
    guard: Literal["balanced", "strict"] = Field(default="balanced", validation_alias="THUSFAR_GUARD")
    """Without a verifier: `balanced`, or `strict`, where every sentence must rest on read text."""
    scope_judge: bool = Field(default=True, validation_alias="THUSFAR_SCOPE_JUDGE")
    """Whether the model decides if a message is off-topic when rules and search cannot."""
    verifier: Verify = Field(default=Verify.ALL, validation_alias="THUSFAR_VERIFIER")
    """Which sentences of an answer a model verifies against read pages: `all`, `doubt` (doubtful ones), `off`."""
    background: bool = Field(default=False, validation_alias="THUSFAR_BACKGROUND")
    """`on`: a model may add what is generally known outside the book, marked and verified; only with a verifier.
    [What that risks](safety.md#background)."""
    verifier_model: str | None = Field(default=None, validation_alias="THUSFAR_VERIFIER_MODEL")
    """A cheaper model of the same provider for verifying. It is asked again if it rejects a sentence that its cited
    page seems to support."""
    turn_seconds: float = Field(default=90, gt=0, le=900, validation_alias="THUSFAR_TURN_SECONDS")
    """Seconds that one question may take in total: search, model calls, checking the answer."""
    turn_retries: int = Field(default=2, ge=0, le=10, validation_alias="THUSFAR_TURN_RETRIES")
    """How many failed calls of one question may be retried."""
    turns_at_once: int = Field(default=800, ge=1, validation_alias="THUSFAR_TURNS_AT_ONCE")
    """How many questions one process answers in parallel (one channel: half as many). Use fewer for a model on your
    own machine."""
    embeddings: Embeddings = Field(default=Embeddings.AUTO, validation_alias="THUSFAR_EMBEDDINGS")
    """The embedding model: `auto` uses WordLlama (`wordllama`, comes with the program), or MiniLM (`minilm`,
    understands sentences) once it is downloaded; `none`: exact words, without Chroma; `openai`:
    [sends the whole book](privacy.md)."""
    minilm_folder: OwnPath | None = Field(default=None, validation_alias="THUSFAR_MINILM_FOLDER")
    """The folder of MiniLM's model, by default Chroma's own; `thusfar embeddings get` downloads it."""
    embedding_model: str = Field(default="text-embedding-3-small", validation_alias="THUSFAR_EMBEDDING_MODEL")
    """The model for `openai`; a change embeds every book again."""
    embedding_dimensions: int | None = Field(default=None, ge=1, validation_alias="THUSFAR_EMBEDDING_DIMENSIONS")
    """The dimensions of another model's vectors; known for OpenAI's own models."""
    notes_model: str | None = Field(default=None, validation_alias="THUSFAR_NOTES_MODEL")
    """The model that writes reading notes; by default the answering model."""
    notes_tokens: int = Field(default=2_000_000, ge=1_000, validation_alias="THUSFAR_NOTES_TOKENS")
    """The token limit for one book's notes, in and out."""
    books_memory_megabytes: int = Field(default=DEFAULT_MEGABYTES, ge=16, validation_alias="THUSFAR_BOOKS_MEMORY_MB")
    """Memory for the texts of all books together: about fifty novels; others are loaded again when needed. Reading
    notes, `/calibrate` and word similarity have their own limits, together another 104 MB."""
    max_book_megabytes: int = Field(default=50, ge=1, validation_alias="THUSFAR_MAX_BOOK_MB")
    """The largest book file."""
    max_history_messages: int = Field(default=20, ge=0, validation_alias="THUSFAR_MAX_HISTORY_MESSAGES")
    """How many messages of a thread a model gets in full; earlier ones are summarised."""
    max_history_turns: int = Field(default=5, ge=0, validation_alias="THUSFAR_MAX_HISTORY_TURNS")
    """The same limit in questions with answers; the smaller one counts."""
    club_tokens_a_day: int | None = Field(default=None, ge=1, validation_alias="THUSFAR_CLUB_TOKENS_A_DAY")
    """Tokens that a club's model calls may use in a day (UTC); then it gets quotations. Unlimited by default."""
    budget_a_month: float | None = Field(default=None, gt=0, validation_alias="THUSFAR_BUDGET_A_MONTH")
    """US dollars that answers to all clubs may [cost in a month](costs.md) (UTC); then they get quotations. Organisers
    are told at 80 %. Unlimited by default."""
    questions_a_minute: int = Field(default=20, ge=1, validation_alias="THUSFAR_QUESTIONS_A_MINUTE")
    """Questions that one member may ask in a minute."""
    discord_token: SecretStr | None = None
    """The bot's token."""
    discord_api_base: str | None = Field(default=None, pattern=r"^https?://")
    """Another address of Discord's API, for a proxy: `https://.../api/v10`."""
    discord_gateway_url: str | None = Field(default=None, pattern=r"^wss?://")
    """Another address of Discord's gateway: `wss://...`."""
    discord_guilds: Ids = frozenset()
    """Ids of servers in which the bot may speak, separated by commas; by default all. DMs are not affected."""
    discord_channels: Ids = frozenset()
    """Ids of channels in which the bot may speak; by default all."""
    discord_organiser_roles: Ids = frozenset()
    """Ids of organiser roles, in addition to everyone with the permission Manage Threads."""
    discord_missed_hours: int = Field(default=12, ge=0, le=168)
    """After downtime, questions up to this many hours old are answered."""
    discord_emoji_searching: str = "🔍"
    """The reaction while the bot searches; a server's own emoji is `name:id`."""
    discord_emoji_found: str = "📖"
    """The reaction if something was found."""
    discord_emoji_found_nothing: str = "🤷"
    """The reaction if nothing was found."""
    discord_emoji_answered: str = "✅"
    """The reaction while the answer is posted."""
    discord_emoji_failed: str = "⚠️"
    """The reaction if there is no answer."""
    discord_emoji_waiting: str = "⏳"
    """The reaction while a question waits."""
    discord_emoji_thanked: str = "💛"
    """The reaction to thanks."""
    slack_bot_token: SecretStr | None = None
    """The bot's token."""
    slack_app_token: SecretStr | None = None
    """The app's token, for Socket Mode."""
    slack_signing_secret: SecretStr | None = None
    """Over HTTP: the secret that verifies requests."""
    slack_api_base: str | None = Field(default=None, pattern=r"^https?://")
    """Another address of Slack's API."""
    slack_host: str = "127.0.0.1"
    """Over HTTP: the address to listen on."""
    slack_port: int = Field(default=3000, ge=0, le=65_535)
    """Over HTTP: the port to listen on."""
    slack_channels: SlackIds = frozenset()
    """Ids of channels in which the bot may speak; by default all."""
    slack_organisers: SlackIds = frozenset()
    """Ids of organisers, in addition to workspace admins."""
    slack_missed_hours: int = Field(default=12, ge=0, le=168)
    """As for Discord."""
    slack_emoji_searching: str = "mag"
    """The reaction while the bot searches, by its name in Slack."""
    slack_emoji_found: str = "book"
    """The reaction if something was found."""
    slack_emoji_found_nothing: str = "shrug"
    """The reaction if nothing was found."""
    slack_emoji_answered: str = "white_check_mark"
    """The reaction while the answer is posted."""
    slack_emoji_failed: str = "warning"
    """The reaction if there is no answer."""
    slack_emoji_waiting: str = "hourglass_flowing_sand"
    """The reaction while a question waits."""
    slack_emoji_thanked: str = "yellow_heart"
    """The reaction to thanks."""
    log_level: Literal["debug", "info", "warning", "error"] = Field(
        default="warning", validation_alias="THUSFAR_LOG_LEVEL"
    )
    """`debug`, `info`, `warning` or `error`. No level shows members' words or keys."""
    log_format: Literal["text", "json"] = Field(default="text", validation_alias="THUSFAR_LOG_FORMAT")
    """`text`, or `json` for one object per line."""
    metrics_port: int | None = Field(default=None, ge=0, le=65_535, validation_alias="THUSFAR_METRICS_PORT")
    """The port where `serve`, `work` and `web` answer `/healthz` and `/metrics`; `0` takes any free one. Off by
    default."""
    metrics_host: str = Field(default="127.0.0.1", validation_alias="THUSFAR_METRICS_HOST")
    """The address to listen on for that port."""
    left_server_days: int = Field(default=30, ge=1, validation_alias="THUSFAR_LEFT_SERVER_DAYS")
    """Days until the data of a server that removed the bot (books, clubs, conversations) is erased. If the bot
    returns earlier, everything is still there."""
    keep_days: int | None = Field(default=None, ge=1, validation_alias="THUSFAR_KEEP_DAYS")
    """Days after its last question until what was said in a thread is deleted from the database. Never by default."""
    inbox_days: int = Field(default=30, ge=8, validation_alias="THUSFAR_INBOX_DAYS")
    """Days to keep the ids of answered messages, so that none is answered twice."""

    @field_validator("*", mode="before")
    @classmethod
    def _without_blanks(cls, value: object) -> object:
        """Strip blanks: secret files end with a line break, which headers and addresses do not allow."""
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
        """The folder of index files in the home."""
        return self.thusfar_home.resolve() / "indexes"

    @property
    def prompts_dir(self) -> Path:
        """The folder of the prompts that come with the program."""
        return _ROOT / "prompts"

    @property
    def sample_folder(self) -> Path:
        """The folder of the sample novel with its labels."""
        return _ROOT / "fixtures" / "sample"


def load_settings(proposed: Mapping[str, str] | None = None) -> Settings:
    """Read the environment and the nearest .env; `proposed` replaces settings by their names in the environment.

    Raises:
        SettingsError: a value is invalid; the sentence names the variable and never shows the value.
    """
    env_file = find_dotenv(usecwd=True) or None
    fields = {env_name(name): str(field.validation_alias or name) for name, field in Settings.model_fields.items()}
    try:
        _check_names(env_file)
        given: dict[str, Any] = {fields[name]: value or None for name, value in (proposed or {}).items()}
        return Settings(_env_file=env_file, **given)
    except KeyError as error:
        raise SettingsError(f"{error.args[0]} is not a setting.") from None
    except (UnicodeDecodeError, OSError) as error:
        raise SettingsError(f"The settings in {env_file} cannot be read: {error.__class__.__name__}.") from None
    except ValidationError as error:
        first = error.errors()[0]
        name = str(first["loc"][0]).upper() if first["loc"] else "A setting"
        raise SettingsError(f"{name} is invalid: {first['msg']}.") from None


def env_name(field: str) -> str:
    """Return a setting's name in the environment."""
    return str(Settings.model_fields[field].validation_alias or field).upper()


def _check_names(env_file: str | None) -> None:
    """Refuse misspelt settings, which would be ignored: the guard, for example, might not be strict.

    Raises:
        SettingsError: a line of the file is not a setting, or a name is almost one of ours.
    """
    names = [*os.environ, *(_names_in(env_file) if env_file else ())]  # noqa: TID251 (this is the one reader)
    known = set(map(env_name, Settings.model_fields))
    ours = [name.removeprefix(_OURS) for name in known if name.startswith(_OURS)]
    for name in sorted({name.upper() for name in names if name.upper().startswith(_OURS)} - known):
        meant = get_close_matches(name.removeprefix(_OURS), ours, n=1, cutoff=_LIKENESS)
        if meant:
            raise SettingsError(f"{name} is not a setting. Did you mean {_OURS}{meant[0]}?")


def _names_in(env_file: str) -> Iterator[str]:
    for line in parse_stream(StringIO(Path(env_file).read_text(encoding="utf-8-sig"))):
        if line.error:
            raise SettingsError(f"Line {line.original.line} of {env_file} does not have the form NAME=value.")
        if line.key:
            yield line.key
