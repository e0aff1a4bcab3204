"""Every setting's default, once: a changed one changes what clubs meet who set nothing, and must be meant."""

from pathlib import Path

from bot.settings import Settings

_NOT_SET = {
    "CHROMA_URL",
    "DATABASE_URL",
    "THUSFAR_MODEL",
    "THUSFAR_VERIFIER_MODEL",
    "ANTHROPIC_API_KEY",
    "ANTHROPIC_BASE_URL",
    "OPENAI_API_KEY",
    "OPENAI_BASE_URL",
    "THUSFAR_MAX_ANSWER_TOKENS",
    "THUSFAR_EMBEDDING_DIMENSIONS",
    "THUSFAR_MINILM_FOLDER",
    "THUSFAR_CLUB_TOKENS_A_DAY",
    "DISCORD_TOKEN",
    "DISCORD_API_BASE",
    "DISCORD_GATEWAY_URL",
    "SLACK_BOT_TOKEN",
    "SLACK_APP_TOKEN",
    "SLACK_SIGNING_SECRET",
    "SLACK_API_BASE",
    "THUSFAR_METRICS_PORT",
}
_DEFAULTS: dict[str, object] = {
    "THUSFAR_HOME": Path(".thusfar"),
    "THUSFAR_PROVIDER": "auto",
    "THUSFAR_TURNS_AT_ONCE": 800,
    "THUSFAR_STRATEGY": "prefetch",
    "THUSFAR_GUARD": "balanced",
    "THUSFAR_SCOPE_JUDGE": True,
    "THUSFAR_VERIFIER": "all",
    "THUSFAR_BACKGROUND": False,
    "THUSFAR_TURN_SECONDS": 90,
    "THUSFAR_MAX_ITERATIONS": 3,
    "THUSFAR_TOP_K": 5,
    "THUSFAR_RETRIEVAL_ATTEMPTS": 3,
    "THUSFAR_SCOPE_THRESHOLD": 75,
    "THUSFAR_TURN_RETRIES": 2,
    "THUSFAR_EMBEDDINGS": "auto",
    "THUSFAR_EMBEDDING_MODEL": "text-embedding-3-small",
    "THUSFAR_BOOKS_MEMORY_MB": 320,
    "THUSFAR_LEFT_SERVER_DAYS": 30,
    "THUSFAR_MAX_BOOK_MB": 50,
    "THUSFAR_NOTES_MODEL": None,
    "THUSFAR_NOTES_TOKENS": 2_000_000,
    "THUSFAR_MAX_HISTORY_MESSAGES": 20,
    "THUSFAR_MAX_HISTORY_TURNS": 5,
    "THUSFAR_QUESTIONS_A_MINUTE": 20,
    "THUSFAR_LOG_LEVEL": "warning",
    "THUSFAR_LOG_FORMAT": "text",
    "THUSFAR_METRICS_HOST": "127.0.0.1",
    "THUSFAR_INBOX_DAYS": 30,
    "THUSFAR_KEEP_DAYS": None,
    "DISCORD_GUILDS": frozenset(),
    "DISCORD_CHANNELS": frozenset(),
    "DISCORD_ORGANISER_ROLES": frozenset(),
    "DISCORD_MISSED_HOURS": 12,
    "DISCORD_EMOJI_SEARCHING": "🔍",
    "DISCORD_EMOJI_FOUND": "📖",
    "DISCORD_EMOJI_FOUND_NOTHING": "🤷",
    "DISCORD_EMOJI_ANSWERED": "✅",
    "DISCORD_EMOJI_FAILED": "⚠️",
    "DISCORD_EMOJI_WAITING": "⏳",
    "DISCORD_EMOJI_THANKED": "💛",
    "SLACK_HOST": "127.0.0.1",
    "SLACK_PORT": 3000,
    "SLACK_CHANNELS": frozenset(),
    "SLACK_ORGANISERS": frozenset(),
    "SLACK_MISSED_HOURS": 12,
    "SLACK_EMOJI_SEARCHING": "mag",
    "SLACK_EMOJI_FOUND": "book",
    "SLACK_EMOJI_FOUND_NOTHING": "shrug",
    "SLACK_EMOJI_ANSWERED": "white_check_mark",
    "SLACK_EMOJI_FAILED": "warning",
    "SLACK_EMOJI_WAITING": "hourglass_flowing_sand",
    "SLACK_EMOJI_THANKED": "yellow_heart",
}


def test_every_default_is_the_one_that_is_meant() -> None:
    found = {
        str(field.validation_alias or name).upper(): field.default for name, field in Settings.model_fields.items()
    }
    assert found == _DEFAULTS | dict.fromkeys(_NOT_SET)
