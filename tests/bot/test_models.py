"""The command line with a model: who answered, what it cost, and what is said where it cannot."""

import asyncio
import json
import sqlite3
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from adapters.llm import anthropic as anthropic_adapter
from tests.bot.program import thusfar_process
from tests.bot.running import Ran, thusfar
from tests.patience import PATIENCE_S
from tests.servers import anthropic_server
from tests.servers.anthropic_server import AnthropicServer, message_reply, text, tool_use
from tests.servers.checks import Checks
from tests.servers.openai_server import CHAT, OpenAIServer, answer, call
from tests.servers.scripted import HANG_UP

_WHO = "Who lit the lamp?"
_KEY = "sk-live-0123456789abcdefghij"


@pytest.fixture
async def anthropic(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[AnthropicServer]:
    """Anthropic's wire, with the settings that lead there.

    A machine that does much else takes long to load the SDK, which counts for the check, and to connect.
    """
    async with AnthropicServer() as server:
        monkeypatch.setattr(anthropic_adapter, "_CHECK_S", PATIENCE_S)
        monkeypatch.setattr(anthropic_adapter, "_CONNECT_S", PATIENCE_S)
        Checks(server, lambda words: message_reply(text(words), usage={"input_tokens": 0, "output_tokens": 0}))
        monkeypatch.setenv("ANTHROPIC_API_KEY", anthropic_server.KEY)
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        monkeypatch.setenv("THUSFAR_MODEL", anthropic_server.MODEL)
        yield server


@pytest.fixture
async def openai(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[OpenAIServer]:
    """A compatible server, with the settings that lead there: no key, as with Ollama."""
    async with OpenAIServer(strings_only=True) as server:
        Checks(server, lambda words: answer(words, usage={}))
        monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
        monkeypatch.setenv("THUSFAR_MODEL", "llama-9")
        yield server


@pytest.fixture
def lamp(small_book: Path) -> str:
    """A book in the home."""
    return str(thusfar("books", "add", str(small_book), "--title", "The Lamp", "--json").json["book_id"])


async def run(*arguments: str, typed: str = "") -> Ran:
    """Run a command beside the server."""
    return await asyncio.to_thread(thusfar, *arguments, typed=typed)


async def ask(*more: str) -> Ran:
    return await run("ask", _WHO, "--book", "The Lamp", "--page", "2", *more)


async def details(*, ok: bool = True) -> dict[str, Any]:
    """What doctor says of each thing."""
    ran = await run("doctor", "--json")
    assert ran.code == (0 if ok else 1)
    checks = Ran(code=0, out=ran.out, err=ran.err).json["checks"]
    assert all(check["ok"] for check in checks) == ok
    assert [check["name"] for check in checks if not check["ok"]] == ([] if ok else ["model"])
    return {check["name"]: check["detail"] for check in checks}


def turns(home: Path) -> list[tuple[Any, ...]]:
    connection = sqlite3.connect(home / "thusfar.db")
    rows = connection.execute(
        "SELECT status, error_code, provider, model, input_tokens, output_tokens, cost_micro_usd FROM turn"
    ).fetchall()
    connection.close()
    return rows


async def test_doctor_says_which_model_answered_and_what_it_costs(anthropic: AnthropicServer) -> None:
    anthropic.will_say(message_reply(text("OK.")))
    said = (await details())["model"]
    assert (
        said == "anthropic, claude-sonnet-5-5-20261001 answered; $2.00 a million tokens in, $10.00 out"
        "; not accepted: temperature"
    )


async def test_doctor_says_which_options_a_model_does_not_take(monkeypatch: pytest.MonkeyPatch) -> None:
    async with OpenAIServer(reasons=True, without=["max_tokens"]) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
        server.will_answer(CHAT, answer("OK."))
        said = (await details())["model"]
    assert said.endswith("; not accepted: reasoning, while tools are on offer")


async def test_doctor_says_of_a_wrong_key_one_sentence_that_names_the_setting(
    anthropic: AnthropicServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", _KEY)
    said = (await details(ok=False))["model"]
    assert said == "ANTHROPIC_API_KEY is not accepted (anthropic answered 401 authentication_error: invalid [key])"


@pytest.mark.usefixtures("lamp")
async def test_an_answer_says_who_gave_it_from_what_and_for_how_many_tokens(anthropic: AnthropicServer) -> None:
    usage = {"input_tokens": 10, "output_tokens": 7, "cache_read_input_tokens": 90, "cache_creation_input_tokens": 0}
    anthropic.will_say(
        message_reply(tool_use("toolu_1", {"query": "lamp", "top_k": 1}), stop_reason="tool_use", usage=usage),
        message_reply(text("The keeper did (p. 1)."), usage=usage),
    )
    said = (await ask("--json")).json
    assert (said["answer"], said["provider"], said["model"]) == (
        "The keeper did (p. 1).",
        "anthropic",
        "claude-sonnet-5-5-20261001",
    )
    assert said["usage"] == {"input_tokens": 200, "output_tokens": 14}
    pages = {source["start_page"]: source["text"] for source in said["sources"]}
    assert set(pages) <= {1, 2}
    (called,) = said["tool_calls"]
    assert (called["tool"], called["iteration"]) == ("search_book", 1)
    assert called["params"] == {"query": "lamp", "top_k": 1}
    assert f"[p. 1]\n{pages[1]}" in called["result"]


@pytest.mark.usefixtures("lamp")
async def test_the_rounds_of_tools_that_the_settings_allow_are_told_of_once_they_are_used_up(
    openai: OpenAIServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("THUSFAR_MAX_ITERATIONS", "1")
    openai.will_answer(CHAT, answer(None, calls=[call('{"query": "lamp"}')]), answer("The keeper did (p. 1)."))
    said = (await ask("--json")).json
    assert (said["max_iterations_reached"], len(said["tool_calls"]), said["answer"]) == (
        True,
        1,
        "The keeper did (p. 1).",
    )


@pytest.mark.usefixtures("lamp")
async def test_who_asks_on_the_command_line_is_called_you(openai: OpenAIServer) -> None:
    openai.will_answer(CHAT, *[answer("The keeper did (p. 1).")] * 2)
    for _ in range(2):
        assert (await ask("--session", "s")).code == 0
    sent = str(openai.requests[1].json()["messages"])
    assert f"You: {_WHO}" in sent
    assert "A member" not in sent


async def test_a_turns_cost_is_kept_where_the_price_is_known(
    anthropic: AnthropicServer, lamp: str, own_home: Path
) -> None:
    usage = {"input_tokens": 1_000, "output_tokens": 100, "cache_read_input_tokens": 10_000}
    anthropic.will_say(message_reply(text("The keeper did (p. 1)."), usage=usage))
    assert (await ask("--session", "s")).out == "The keeper did (p. 1).\n\n(up to p. 2)\n"
    micro_dollars = 1_000 * 2 + 10_000 * 0.1 + 100 * 10
    model = "claude-sonnet-5-5-20261001"
    assert turns(own_home) == [("answered", None, "anthropic", model, 11_000, 100, micro_dollars)]


async def test_a_wrong_key_is_one_line(
    anthropic: AnthropicServer, lamp: str, own_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", _KEY)
    for more in ([], ["--json"], ["--session", "s"]):
        line = (await ask(*more)).failed_in_one_line()
        assert "key isn't accepted" in line
        assert _KEY not in line
    assert turns(own_home) == [("failed", "auth", "anthropic", "claude-sonnet-5-5", 0, 0, 0)]


@pytest.mark.usefixtures("openai", "lamp")
async def test_a_server_that_is_not_there_is_one_line_of_the_real_program(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("OPENAI_API_KEY", _KEY)
    arguments = ("ask", _WHO, "--book", "The Lamp", "--page", "2", "--json")
    line = (await asyncio.to_thread(thusfar_process, *arguments)).failed_in_one_line()
    assert "can't reach my AI model" in line


@pytest.mark.usefixtures("lamp")
async def test_in_the_chat_a_model_answers_and_its_failure_is_a_sentence_with_quotations(openai: OpenAIServer) -> None:
    openai.will_answer(
        CHAT,
        answer(None, calls=[call('{"query": "lamp"}')]),
        answer("The keeper did (p. 1)."),
        HANG_UP,
        HANG_UP,
        HANG_UP,
    )
    ran = await run("chat", "--book", "The Lamp", "--page", "2", typed=f"{_WHO}\n{_WHO}\n")
    assert (ran.code, ran.err) == (0, "")
    assert "🔍 📖 ✅" in ran.out
    assert "\nThe keeper did (p. 1).\n(up to p. 2)\n" in ran.out
    assert "I can't reach my AI model right now." in ran.out
    assert "> The lighthouse keeper lit the lamp.\n" in ran.out


@pytest.mark.parametrize("command", [["doctor"], ["ask", _WHO, "--book", "sample", "--page", "1"], ["chat"]])
@pytest.mark.parametrize(
    ("provider", "names"),
    [("anthropic", ["THUSFAR_PROVIDER", "ANTHROPIC_API_KEY"]), ("openai", ["OPENAI_API_KEY", "OPENAI_BASE_URL"])],
)
def test_a_provider_that_is_named_without_its_key_is_one_line(
    monkeypatch: pytest.MonkeyPatch, provider: str, names: list[str], command: list[str]
) -> None:
    monkeypatch.setenv("THUSFAR_PROVIDER", provider)
    line = thusfar(*command).failed_in_one_line()
    assert [name for name in names if name not in line] == []


@pytest.mark.usefixtures("anthropic", "openai", "lamp")
async def test_of_two_keys_the_named_provider_answers_and_none_means_quotations(
    anthropic: AnthropicServer, openai: OpenAIServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    anthropic.will_say(message_reply(text("It was the keeper (p. 1).")))
    openai.will_answer(CHAT, answer("The keeper did (p. 1)."))
    for provider, said in (
        ("auto", "It was the keeper (p. 1)."),
        ("openai", "The keeper did (p. 1)."),
        ("none", "**pp. 1-2, chapter 1**\n> The lighthouse"),
    ):
        monkeypatch.setenv("THUSFAR_PROVIDER", provider)
        assert (await ask()).out.startswith(said)


async def test_doctor_says_when_a_budget_limits_nothing(openai: OpenAIServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THUSFAR_BUDGET_A_MONTH", "5")
    openai.will_answer(CHAT, answer("OK."))
    checks = json.loads((await run("doctor", "--json")).out)["checks"]
    (problem,) = [check for check in checks if not check["ok"]]
    assert problem["name"] == "budget"
    assert "the price of llama-9 is unknown" in problem["detail"]


async def test_doctor_says_how_much_of_the_budget_is_used(
    anthropic: AnthropicServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("THUSFAR_BUDGET_A_MONTH", "5")
    anthropic.will_answer("/v1/messages", message_reply(text("OK.")))
    assert (await details())["budget"] == "0% of the month's dollars used"
