"""What tests wire where they are about something else is what the settings wire where nothing is set."""

from bot.answering import answered_by
from bot.settings import Settings
from core.answering.scope_guardrail import ScopeVerdict
from tests.fakes.chat_provider import ScriptedChatProvider
from tests.unit.world import AGREEING, CONTEXT, STRATEGY


def test_the_world_of_the_use_cases_answers_as_the_house_that_ships() -> None:
    ships = answered_by(Settings(_env_file=None), ScriptedChatProvider())
    assert type(STRATEGY) is type(ships.strategy)
    assert type(CONTEXT) is type(ships.context)
    assert vars(CONTEXT) == vars(ships.context)
    assert ships.verifier is not None
    assert (AGREEING.scope, AGREEING.looks_twice) == (ships.verifier.scope, ships.verifier.looks_twice)
    assert ships.scope.asks_model(ScopeVerdict(score=50, reasoning=""))
