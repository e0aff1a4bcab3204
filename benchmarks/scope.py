"""How well off-topic messages are told from the club's: 100 written messages (fixtures/scope), half of them off-topic.

    python -m benchmarks.scope

First the score alone, by which only what is below the grey band is turned away; then with a judge in the grey band
that never errs: what a model could add at most. The messages were not used to fit the score.
"""

import json
from collections.abc import Sequence
from typing import Any

from benchmarks.labelled import ROOT
from core.answering.scope_guardrail import ScopeVerdict
from core.domain.conversation import Line
from core.understanding.understand import understand

_MESSAGES = ROOT / "fixtures" / "scope" / "messages.jsonl"


def main() -> None:
    """Print the figures."""
    messages = read_messages()
    verdicts = verdicts_of(messages)
    off = [each["off_topic"] for each in messages]
    alone = [each.is_off for each in verdicts]
    at_best = [real if each.is_grey else each.is_off for each, real in zip(verdicts, off, strict=True)]
    for name, turned in (("the score alone", alone), ("and a judge that never errs", at_best)):
        precision, recall = precision_and_recall(turned, off)
        wrongly = sum(a and not b for a, b in zip(turned, off, strict=True))
        print(
            f"{name:28} precision {precision:.2f}, recall {recall:.2f}, "
            f"{wrongly} of {len(off) - sum(off)} in scope turned away"
        )
    for each, is_away in zip(messages, alone, strict=True):
        if is_away != each["off_topic"]:
            print(f"  {'turned away' if is_away else 'answered'}: {each['text']}")


def read_messages() -> list[dict[str, Any]]:
    """Return the written messages."""
    return [json.loads(line) for line in _MESSAGES.read_text(encoding="utf-8").splitlines()]


def verdicts_of(messages: Sequence[dict[str, Any]]) -> list[ScopeVerdict]:
    """Return the verdict on each message, without a model."""
    return [_verdict(each["text"], each["after"]) for each in messages]


def precision_and_recall(turned: Sequence[bool], off: Sequence[bool]) -> tuple[float, float]:
    """Return both for off-topic: of those turned away, the share that is; of those that are, the share turned away."""
    right = sum(a and b for a, b in zip(turned, off, strict=True))
    return right / max(sum(turned), 1), right / sum(off)


def _verdict(text: str, after: str | None) -> ScopeVerdict:
    before = [Line(text=after, author="Ada"), Line(text="", is_bot=True)] if after else []
    off_topic = understand(Line(text=text, mentions_bot=True), before).off_topic
    return ScopeVerdict(score=round(100 * (1 - off_topic)), reasoning="")


if __name__ == "__main__":
    main()
