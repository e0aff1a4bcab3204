"""`thusfar doctor`: check the setup and say how to fix it."""

import platform
import sys
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Annotated, Final

import typer

from bot.commands.running import JsonOption, prepared_settings, print_json, run

if TYPE_CHECKING:
    from bot.providers import ModelProvider
    from bot.settings import Settings
    from bot.wiring import Application
    from core.domain.errors import LLMError

Check = tuple[str, bool, str]

_THOUSAND: Final = 1_000
_BETTER: Final = "; `thusfar embeddings get` downloads MiniLM, which understands sentences"
_NOT_INSTALLED: Final = "WordLlama isn't installed (it has no version for this Python): search uses exact words"


LiveOption = Annotated[
    list[str] | None,
    typer.Option(
        "--live",
        metavar="CHANNEL",
        help="Also test posting in this channel (its id; repeat it for Discord and Slack) and ask the model.",
    ),
]


def doctor(as_json: JsonOption = False, live: LiveOption = None) -> None:
    """Check the setup. The exit code is 1 if something needs fixing.

    With --live, it posts, edits, reacts and opens a thread in a channel, deletes all of it, and asks the model two
    questions about the sample. The output then contains no secrets.

    Example: thusfar doctor --live 1122334455667788990
    """
    from bot.commands.doctor_live import without_secrets

    settings = prepared_settings()
    checks = [_python(), *_files(settings), *_opened(live or ())]
    if live:
        checks = [(name, ok, without_secrets(detail, settings)) for name, ok, detail in checks]
    if as_json:
        print_json({"checks": [{"name": name, "ok": ok, "detail": detail} for name, ok, detail in checks]})
    else:
        for name, ok, detail in checks:
            print(f"{'ok     ' if ok else 'PROBLEM'} {name}: {detail}")
    if not all(ok for _, ok, _ in checks):
        raise typer.Exit(1)


def _python() -> Check:
    return "python", sys.version_info >= (3, 11), f"{platform.python_version()} on {platform.system()}"


def _files(settings: "Settings") -> list[Check]:
    prompts = sorted(path.name for path in settings.prompts_dir.glob("*.md"))
    sample = settings.sample_folder / "novel.txt"
    return [
        ("prompts", bool(prompts), ", ".join(prompts) or f"none in {settings.prompts_dir}"),
        ("sample novel", sample.is_file(), "there" if sample.is_file() else f"missing: {sample}"),
    ]


def _opened(live: Sequence[str]) -> list[Check]:
    """Check the home; if it cannot be opened, report that."""
    from core.domain.errors import StorageError

    try:
        return run(lambda thusfar: _inside(thusfar, live), stays=True)
    except StorageError as error:
        return [("home", False, str(error))]


async def _inside(thusfar: "Application", live: Sequence[str]) -> list[Check]:
    from bot.commands.doctor_live import live_checks

    checks: list[Check] = [("home", True, str(thusfar.settings.thusfar_home.resolve()))]
    named = (
        ("database", _database),
        ("database files", _database_files),
        ("index", _index),
        ("embeddings", _embeddings),
        ("model", _model),
        ("notes", _notes),
        *([("budget", _budget)] if thusfar.settings.budget_a_month is not None else []),
    )
    for name, check in named:
        checks.append(await _guarded(name, check, thusfar))
    checks += [*await _discord(thusfar), *await _slack(thusfar)]
    return [*checks, *await live_checks(thusfar, live)] if live else checks


async def _guarded(name: str, check: "Callable[[Application], Awaitable[Check]]", thusfar: "Application") -> Check:
    from core.domain.errors import LLMError

    try:
        return await check(thusfar)
    except LLMError as error:
        return name, False, _model_trouble(error, thusfar.settings, embedding=name == "embeddings")
    except Exception as error:  # noqa: BLE001 (doctor reports any error)
        return name, False, f"{type(error).__name__}: {str(error)[:200]}"


def _model_trouble(error: "LLMError", settings: "Settings", *, embedding: bool) -> str:
    """Return one sentence for the operator; members get a shorter one."""
    from bot.providers import key_setting
    from core.domain.errors import LLMErrorCode

    if error.code is LLMErrorCode.AUTH:
        return f"{key_setting(settings, embedding=embedding)} is not accepted ({error.cause[:200]})"
    return f"no answer: {error.cause[:200]}"


async def _database(thusfar: "Application") -> Check:
    from adapters.persistence.migrate import NEWEST_REVISION, current_revision

    revision = current_revision(thusfar.database.engine)
    dialect = thusfar.database.engine.dialect.name
    if revision != NEWEST_REVISION:
        return "database", False, f"{dialect} at schema {revision}, not {NEWEST_REVISION}: run `thusfar db upgrade`"
    return "database", True, f"{dialect} at schema {revision}"


async def _database_files(thusfar: "Application") -> Check:
    from adapters.persistence.database import sqlite_file
    from adapters.persistence.soundness import what_is_wrong
    from bot.home import refuse_damaged_files

    path = sqlite_file(thusfar.settings.database)
    if path is None:
        dialect = thusfar.database.engine.dialect.name
        return "database files", True, f"managed by {dialect}: check them with `pg_amcheck`"
    refuse_damaged_files(thusfar.settings, thoroughly=True)
    wrong = what_is_wrong(path)
    if wrong is not None:
        return "database files", False, f"{wrong}; restore a backup (`thusfar restore`)"
    return "database files", True, "whole"


async def _index(thusfar: "Application") -> Check:
    if thusfar.chroma is None:
        unused = "; CHROMA_URL is not used" if thusfar.settings.chroma_url is not None else ""
        return "index", True, f"words only (no passage vectors){unused}"
    store = thusfar.chroma.store
    if await thusfar.chroma.usable():
        return "index", True, store.told
    return "index", not store.is_shared, f"{store.not_now}; exact search from SQL here"


async def _embeddings(thusfar: "Application") -> Check:
    from adapters.retrieval.wordllama_embedding import WordLlamaEmbeddingProvider
    from bot.settings import Embeddings

    if thusfar.embeddings is None:
        return "embeddings", True, "off" if thusfar.settings.embeddings is Embeddings.NONE else _NOT_INSTALLED
    vector = (await thusfar.embeddings.embed(["the locked room"]))[0]
    better = _BETTER if isinstance(thusfar.embeddings, WordLlamaEmbeddingProvider) else ""
    return "embeddings", True, f"{thusfar.embeddings.model_id}, {len(vector)} dimensions{better}"


async def examine_model(settings: "Settings") -> Check:
    """Ask the model that the settings name, and close its connections."""
    from bot.providers import chat_provider
    from core.domain.errors import LLMError

    model = chat_provider(settings)
    try:
        return await _asked(model, settings)
    except LLMError as error:
        return "model", False, _model_trouble(error, settings, embedding=False)
    finally:
        if model is not None:
            await model.close()


async def _model(thusfar: "Application") -> Check:
    return await _asked(thusfar.model, thusfar.settings)


async def _asked(model: "ModelProvider | None", settings: "Settings") -> Check:
    from bot.answering import options_by_rule, verifier_options
    from bot.providers import check_model
    from bot.settings import Strategy

    if model is None:
        return "model", True, "none: answers are quotations from the book"
    takes_tools = settings.strategy is not Strategy.ALWAYS_RETRIEVE
    answered = await (check_model(model) if takes_tools else model.check())
    told = [f"{model.name}, {answered} answered", _price(model, answered)]
    if dropped := model.dropped_options(options_by_rule(settings)):
        told.append(f"not accepted: {', '.join(dropped)}")
    if settings.verifier_model:
        verifier = await model.check(options=verifier_options(settings))
        told += [f"{verifier} verifies", _price(model, verifier)]
    return "model", True, "; ".join(told)


async def _budget(thusfar: "Application") -> Check:
    from core.domain.tool_use import TokenUsage

    if thusfar.model is not None and thusfar.price(thusfar.model.model, TokenUsage()) is None:
        return "budget", False, f"THUSFAR_BUDGET_A_MONTH limits nothing: the price of {thusfar.model.model} is unknown"
    return "budget", True, f"{await thusfar.quota.share_of_month():.0%} of the month's dollars used"


async def _notes(thusfar: "Application") -> Check:
    """Report which model writes notes, which local books have notes, and unfinished ones."""
    from core.domain.scopes import LOCAL_SCOPE

    books = await thusfar.library.in_scope(scope=LOCAL_SCOPE)
    by, notes = "no model to write them", thusfar.noted()
    if notes.maker is not None:
        by = f"written by {notes.maker.model}, up to {thusfar.settings.notes_tokens:,} tokens per book"
    noted = sum(bool(book.notes_id) for book in books)
    makings = [] if notes.jobs is None else await notes.jobs.makings()
    under_way = f"; unfinished: {len(makings)}, `thusfar notes make` continues" if makings else ""
    return "notes", True, f"{by}; {noted} of {len(books)} local books have them{under_way}"


async def _discord(thusfar: "Application") -> list[Check]:
    if thusfar.settings.discord_token is None:
        return [("discord", True, "off: DISCORD_TOKEN is not set (`thusfar setup discord` asks for it)")]
    from adapters.discord.doctor import examine
    from bot.platforms import discord_options

    return await examine(discord_options(thusfar.settings))


async def _slack(thusfar: "Application") -> list[Check]:
    if thusfar.settings.slack_bot_token is None:
        return [("slack", True, "off: SLACK_BOT_TOKEN is not set (`thusfar setup slack` asks for it)")]
    from adapters.slack.doctor import examine
    from bot.platforms import slack_options
    from core.domain.errors import SettingsError

    try:
        return await examine(slack_options(thusfar.settings))
    except SettingsError as error:
        return [("slack", False, str(error))]


def _price(provider: "ModelProvider", model: str) -> str:
    from bot.providers import price_list
    from core.domain.tool_use import TokenUsage

    read, written = TokenUsage(input_tokens=_THOUSAND), TokenUsage(output_tokens=_THOUSAND)
    prices = [price_list(provider)(model, usage) for usage in (read, written)]
    if None in prices:
        return "its price is unknown"
    million = [f"${price * _THOUSAND:.2f}" for price in prices if price is not None]
    return f"{million[0]} a million tokens in, {million[1]} out"
