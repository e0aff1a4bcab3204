"""Answers that carry their evidence: what a verifier's prompt would shrink to, and what it would then not see.

    python -m benchmarks.evidence_carried [FOLDER ...]

The drafts of `benchmarks.natural` are played once, and what their verifier is shown is cut down in three ways: to the
words that the labels name as evidence (a writer that gives the best there are), to those words with what stands around
them in the book, and, without any help of the writer, to the sentences of the shown pages that fit each sentence best.
Told of each: tokens; how much of the labelled evidence is left in it; how much of a supported sentence's matter.
Held against the page by string alone, evidence lets through whatever comes with true words of a read page: a leak that
no rule holds back passes with any.
"""

import argparse
import asyncio
import re
import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from benchmarks.labelled import PRACTICE
from benchmarks.natural import CERTAIN, Played, play
from benchmarks.natural_model import LETTERS_A_TOKEN, key_of, read_drafts
from core.guard.citations import without_citations
from core.language.sentences import fold_space, sentences
from core.language.words import content_stems

_PASSAGE = re.compile(r"^\[p\. (\d+)\]\n(.*?)(?=\n\n\[p\. |\Z)", re.MULTILINE | re.DOTALL)
_WORDS_OF_EVIDENCE: Final = 8
_BEST: Final = 2

Pages = Mapping[int, str]
Shown = Callable[[Played, str, Pages], str]
"""A draft, one of its sentences, the pages that the verifier is shown today: what it is shown of them."""


@dataclass(slots=True, kw_only=True)
class Trial:
    """What one way of showing gives, over all drafts."""

    tokens: list[int] = field(default_factory=list)
    evidence: list[bool] = field(default_factory=list)
    matter: list[float] = field(default_factory=list)

    def __str__(self) -> str:
        return (
            f"{statistics.median(self.tokens):.0f} tokens in the median, {max(self.tokens)} at most; of the labelled "
            f"evidence {statistics.mean(self.evidence):.1%} is shown, of a supported sentence's matter "
            f"{statistics.mean(self.matter):.0%}, under half of it of {_share_below(self.matter):.0%}"
        )


def _share_below(matter: Sequence[float], least: float = 0.5) -> float:
    return sum(each < least for each in matter) / len(matter)


def _whole(_played: Played, _sentence: str, pages: Pages) -> str:
    return "\n\n".join(pages.values())


def _labelled(played: Played, sentence: str, _pages: Pages) -> str:
    found = (each for each in played.draft.sentences if each.key in key_of(sentence))
    return " ... ".join(words for each in found for _, words in each.evidence)


def _around(count: int) -> Shown:
    def shown(played: Played, sentence: str, pages: Pages) -> str:
        words = _labelled(played, sentence, pages).split(" ... ")
        flat = _flat(pages)
        kept = {at for at, text in enumerate(flat) if any(each and fold_space(each) in text for each in words)}
        return _with_neighbours(flat, kept, count) or " ... ".join(words)

    return shown


def _fitting(best: int, count: int) -> Shown:
    def shown(_played: Played, sentence: str, pages: Pages) -> str:
        wanted, flat = content_stems(without_citations(sentence)), _flat(pages)
        ranked = sorted(range(len(flat)), key=lambda at: -len(wanted & content_stems(flat[at])))
        return _with_neighbours(flat, set(ranked[:best]), count)

    return shown


def _flat(pages: Pages) -> list[str]:
    return [each for text in pages.values() for each in sentences(text)]


def _with_neighbours(flat: Sequence[str], kept: set[int], count: int) -> str:
    around = sorted({near for at in kept for near in range(max(at - count, 0), min(at + count + 1, len(flat)))})
    return " ".join(flat[at] for at in around)


WAYS: Final[Mapping[str, Shown]] = {
    "whole pages, as today": _whole,
    "the labelled words alone": _labelled,
    "the labelled words, a sentence on either side": _around(1),
    "the labelled words, three sentences on either side": _around(3),
    "the two best sentences of the pages, one on either side": _fitting(_BEST, 1),
    "the two best sentences of the pages, three on either side": _fitting(_BEST, 3),
}


def tried(played: Sequence[Played], way: Shown) -> Trial:
    """Cut down what every verifier was shown."""
    trial = Trial()
    for each in played:
        for prompt, tokens in zip(each.calls.verifier_prompts, each.calls.verifier_tokens, strict=True):
            passages, _, rest = prompt.partition("\n\nQuestion:")
            pages = {int(page): text for page, text in _PASSAGE.findall(passages)}
            said = re.findall(r"^\d+\. (.+)$", rest.rpartition("Sentences:\n")[2], re.MULTILINE)
            shown = {sentence: way(each, sentence, pages) for sentence in said}
            kept = passages if way is _whole else "\n".join(dict.fromkeys(shown.values()))
            trial.tokens.append(tokens - (len(passages) - len(kept)) // LETTERS_A_TOKEN)
            for one in each.draft.sentences:
                sentence = next((text for text in said if one.key in key_of(text)), None)
                if one.label == "supported" and sentence is not None:
                    _weigh(trial, one.text, [words for _, words in one.evidence], shown[sentence])
    return trial


def _weigh(trial: Trial, text: str, evidence: Sequence[str], shown: str) -> None:
    flat, wanted = fold_space(shown), content_stems(without_citations(text))
    trial.evidence += [fold_space(words) in flat for words in evidence]
    trial.matter.append(len(wanted & content_stems(shown)) / max(len(wanted), 1))


async def _measure(names: Sequence[str]) -> None:
    folders = [Path(name) for name in names] or [each for each in sorted(PRACTICE.glob("*")) if read_drafts(each)]
    played = await play(folders, verifier=None)
    for name, way in WAYS.items():
        print(f"{name}: {tried(played, way)}", flush=True)
    stated = [sum(one.label == "supported" for one in each.draft.sentences) for each in played]
    written = statistics.median(stated) * _WORDS_OF_EVIDENCE
    leaking = [each for each in played if any(one.label == "leak" for one in each.draft.sentences)]
    by_rule = [each for each in leaking if CERTAIN & each.outcome.blocks.keys()]
    print(
        f"evidence that the writer adds: {written:.0f} words an answer in the median; by string alone, with true words "
        f"of a read page beside each sentence, {len(leaking) - len(by_rule)} of {len(leaking)} leaking drafts pass"
    )


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folders", nargs="*")
    asyncio.run(_measure(parser.parse_args().folders))


if __name__ == "__main__":
    main()
