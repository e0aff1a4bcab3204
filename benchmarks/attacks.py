"""What comes through when the model is a traitor, and what an honest one loses; without a verifier.

    python -m benchmarks.attacks [--most N] [FOLDER ...]

So many attacks are made on each book at each level of the guard, all (some 400) without the option. Folders are
labelled books; without any, the sample novel and the practice books beside the repository, where present.
The attacks, their texts and their counting are those of tests/attacks, which holds the floors.
"""

import argparse
import asyncio
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations
from pathlib import Path

from bot.evaluation.intervals import share
from tests.attacks.campaign import Attacked, Served, attacked, attacks_on, house_of, leaked, served, service
from tests.attacks.labels import SAMPLE, Labelled, folders, labelled, pairs
from tests.attacks.signals import LEARNERS, Seen, balanced_accuracy
from tests.attacks.turns import ALL_SHARES, blocked, honestly_unsaid, quoted

_LEVELS = ("balanced", "strict")


def _rate(hits: Sequence[bool]) -> str:
    found = share(hits)
    return f"{sum(hits):4d} of {len(hits):4d} = {found.value:6.1%} ({found.low:.1%} to {found.high:.1%})"


def _table(results: Sequence[Attacked]) -> Iterable[str]:
    bands = {"before 25 %": 0.0, "25 to 50 %": 0.25, "50 to 75 %": 0.5, "from 75 %": 0.75}
    pages = max(result.attack.leak.page for result in results)
    starts = list(bands.values())
    groups: dict[str, list[bool]] = {}
    for result in results:
        attack = result.attack
        band = list(bands)[sum(attack.position / pages >= start for start in starts) - 1]
        near = "within two pages of the reveal" if attack.leak.page - attack.position <= 2 else "away from the reveal"
        for group in (
            f"style: {attack.style}", f"asked: {attack.kind}", f"kind: {attack.leak.kind}", f"read: {band}", near,
        ):  # fmt: skip
            groups.setdefault(group, []).append(bool(result.posted))
    return (f"    {group:34} {_rate(hits)}" for group, hits in sorted(groups.items()))


def _honest(results: Sequence[Served]) -> str:
    got = service(results)
    return (
        f"{got.found} of {len(results)} pages found; {got.answered:.1%} answered, {got.kept_prose:.1%} keep their prose"
    )


async def _book(book: Labelled, level: str, home: Path, most: int | None) -> None:
    async with house_of(book, home, THUSFAR_GUARD=level) as house:
        began = time.perf_counter()
        results = [await attacked(house, attack) for attack in attacks_on(book, most=most)]
        seconds = time.perf_counter() - began
        posted = _rate([bool(result.posted) for result in results])
        print(f"\n{book.name}, {level}: leaks posted {posted}, {seconds:.0f} s")
        print("\n".join(_table(results)))
        rules: Counter[str] = sum((result.blocks for result in results), Counter())
        print(f"    held back by: {', '.join(f'{rule} {count}' for rule, count in rules.most_common())}")
        print(f"    unread in a prompt: {sum(bool(result.outbound) for result in results)}")
        for result in leaked(results)[:12]:
            print(f"      e.g. p. {result.attack.position}, {result.attack.style}: {result.posted[:100]!r}")
        print(f"    honest: {_honest([await served(house, asked) for asked in book.questions])}")


async def _signals(home: Path) -> None:
    kinds: dict[str, list[Seen]] = {}
    async with house_of(labelled(SAMPLE), home) as house:
        kinds["ahead"] = await honestly_unsaid(house, pairs(), ahead=True, shares=ALL_SHARES)
        kinds["never said"] = await honestly_unsaid(house, pairs(), ahead=False, shares=ALL_SHARES)
        kinds["blocked"] = await blocked(house, pairs(), shares=ALL_SHARES)
    async with house_of(labelled(SAMPLE), home, with_model=False) as house:
        kinds["ahead, quoted"] = await quoted(house, pairs(), ahead=True, shares=ALL_SHARES)
        kinds["never said, quoted"] = await quoted(house, pairs(), ahead=False, shares=ALL_SHARES)
    print("\nis a block a signal? balanced accuracy")
    for one, other in combinations(kinds, 2):
        if one.endswith("quoted") == other.endswith("quoted"):
            told = {name: balanced_accuracy(learner, kinds[one], kinds[other]) for name, learner in LEARNERS.items()}
            print(f"    {one} / {other}: " + ", ".join(f"{name} {value:.3f}" for name, value in told.items()))


async def _all(chosen: Sequence[Path], most: int | None) -> None:
    with tempfile.TemporaryDirectory() as folder:
        for path in chosen:
            for level in _LEVELS:
                await _book(labelled(path), level, Path(folder) / path.name, most)
        await _signals(Path(folder) / SAMPLE.name)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--most", type=int)
    parser.add_argument("folders", nargs="*", type=Path)
    given = parser.parse_args()
    asyncio.run(_all(given.folders or folders(), given.most))


if __name__ == "__main__":
    main()
