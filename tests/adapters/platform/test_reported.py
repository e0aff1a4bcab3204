"""*That was a spoiler* hides an answer from everyone, on both platforms, and an organiser can show it again."""

import asyncio
from pathlib import Path

import pytest

from bot.platforms import platform_services
from tests.adapters.platform.stages import Stage
from tests.adapters.platform.test_speaking import asks, draft, reads, with_model
from tests.bot.running import thusfar
from tests.fakes.chat_provider import ScriptedChatProvider

_ANSWER = "Marrable the keeper lit the lamp of the lighthouse every evening at six (p. 1)."
_HIDDEN = "A member reported the answer here as a spoiler."


async def test_a_reported_answer_is_hidden_for_all_and_is_in_no_later_prompt(
    stage: Stage, own_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("THUSFAR_HOME", str(own_home))
    borne_out = draft("1 SUPPORTED p1")
    model = ScriptedChatProvider(draft(_ANSWER), borne_out, draft("The storm broke the window (p. 2)."), borne_out)
    async with with_model(own_home, model) as application:
        await reads(application, stage, tmp_path)
        async with stage.settling(platform_services(application)) as bot:
            thread, answer = await asks(stage)
            assert "That was a spoiler" in stage.labels(answer)
            pressed = stage.press(".spoiler", answer, by=stage.club.ben)
            (thanks,) = await stage.wait_for(lambda: pressed.messages or stage.told(stage.club.ben))
            assert thanks.content.startswith("Thank you. I won't use that answer again")
            assert answer.content == _HIDDEN
            await bot.settled()
            assert stage.labels(answer) == ["Show it again"]
            await stage.answer_to(stage.say(thread, "What broke the window?", mention=True))
            await bot.settled()
            assert "evening at six (p. 1)" not in str(model.asked[2])
            (case,) = (await asyncio.to_thread(thusfar, "turns", "export", "--spoilers")).json_lines
            refused = stage.press(".no-spoiler", answer, by=stage.club.ben)
            await stage.wait_for(
                lambda: any("organisers" in each.content for each in (*refused.messages, *stage.told(stage.club.ben)))
            )
            assert answer.content == _HIDDEN
            stage.press(".no-spoiler", answer, by=stage.club.organiser)
            await stage.wait_for(lambda: any(each.content.startswith(_ANSWER) for each in stage.public()))
    assert (case["label"], case["page"], case["text"]) == ("spoiler", 2, _ANSWER)
    assert case["sentences"] == [{"text": _ANSWER, "verdict": "SUPPORTED"}]
    assert case["evidence"][0]["page"] == 1
