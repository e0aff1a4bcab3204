"""The settings, read once from the environment and .env; the only reader of either."""

from enum import StrEnum
from pathlib import Path

from dotenv import find_dotenv
from pydantic import Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from core.domain.errors import SettingsError

_ROOT = Path(__file__).resolve().parent.parent


class Provider(StrEnum):
    """Whose model answers; `auto` takes Anthropic where its key is set, else OpenAI, else none."""

    AUTO = "auto"
    ANTHROPIC = "anthropic"
    OPENAI = "openai"
    NONE = "none"


class Embeddings(StrEnum):
    """Where vectors come from."""

    WORDLLAMA = "wordllama"
    OPENAI = "openai"
    NONE = "none"


class Settings(BaseSettings):
    """Every setting with its default; names are the environment's, in any case."""

    model_config = SettingsConfigDict(extra="ignore", frozen=True, env_ignore_empty=True)

    thusfar_home: Path = Path(".thusfar")
    database_url: str | None = None
    provider: Provider = Field(default=Provider.AUTO, validation_alias="THUSFAR_PROVIDER")
    model: str | None = Field(default=None, validation_alias="THUSFAR_MODEL")
    anthropic_api_key: SecretStr | None = None
    anthropic_base_url: str | None = None
    openai_api_key: SecretStr | None = None
    openai_base_url: str | None = None
    max_answer_tokens: int | None = Field(default=None, ge=64, validation_alias="THUSFAR_MAX_ANSWER_TOKENS")
    max_iterations: int = Field(default=3, ge=1, le=20, validation_alias="THUSFAR_MAX_ITERATIONS")
    turn_seconds: float = Field(default=90, gt=0, le=900, validation_alias="THUSFAR_TURN_SECONDS")
    turn_retries: int = Field(default=2, ge=0, le=10, validation_alias="THUSFAR_TURN_RETRIES")
    embeddings: Embeddings = Field(default=Embeddings.WORDLLAMA, validation_alias="THUSFAR_EMBEDDINGS")
    embedding_model: str = Field(default="text-embedding-3-small", validation_alias="THUSFAR_EMBEDDING_MODEL")
    embedding_dimensions: int | None = Field(default=None, ge=1, validation_alias="THUSFAR_EMBEDDING_DIMENSIONS")
    max_book_megabytes: int = Field(default=50, ge=1, validation_alias="THUSFAR_MAX_BOOK_MB")
    max_history_messages: int = Field(default=20, ge=0, validation_alias="THUSFAR_MAX_HISTORY_MESSAGES")
    log_level: str = Field(
        default="WARNING", pattern=r"(?i)^(debug|info|warning|error)$", validation_alias="THUSFAR_LOG_LEVEL"
    )

    @property
    def database(self) -> str:
        """The database's URL: `DATABASE_URL`, else SQLite in the home."""
        return self.database_url or f"sqlite:///{self.thusfar_home.resolve() / 'thusfar.db'}"

    @property
    def chroma_folder(self) -> Path:
        """Chroma's folder in the home."""
        return self.thusfar_home.resolve() / "chroma"

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
    try:
        return Settings(_env_file=find_dotenv(usecwd=True) or None)
    except ValidationError as error:
        first = error.errors()[0]
        name = str(first["loc"][0]).upper() if first["loc"] else "A setting"
        raise SettingsError(f"{name} is wrong: {first['msg']}.") from None
