"""All sentences for members stand in the catalogue: whoever translates or reads them has them together."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from babel.messages.pofile import read_po

from tests.architecture.source import ROOT, modules, parsed, relative

_POT = ROOT / "core/catalogue/members.pot"
_SAID_IN = ("text", "announcement", "label", "help", "opens", "placeholder", "sentence")
_TELLS = re.compile(r"(?:Thusfar|Position|NotPermitted|AskedTooFast)Error|.*\.(?:tell|refuse|aside|whisper|report)")
"""What is called with a sentence: errors that members read, and what shows them one."""
_IN_THE_CATALOGUE = (
    "adapters/discord",
    "adapters/platform",
    "adapters/slack",
    "adapters/terminal",
    "adapters/web",
    "core/answering",
    "core/club/books",
    "core/club/browser",
    "core/club/commands",
    "core/club/editions",
    "core/club/hearing",
    "core/club/later",
    "core/club/links",
    "core/club/people",
    "core/club/polls",
    "core/club/position",
    "core/club/progress",
    "core/club/questions",
    "core/club/recap",
    "core/club/schedule",
    "core/club/sealed",
    "core/club/sections",
    "core/club/settings",
    "core/club/timers",
    "core/club/watch",
    "core/domain",
    "core/guard",
    "core/understanding",
)
"""The folders whose sentences have been moved there."""
_SAYS = re.compile(r"(?:say|say_count|sentence)\(['\"]")
_WORDS = re.compile(r"[A-Za-z]{2,}.* .*[A-Za-z]{2,}")


def test_the_catalogue_is_up_to_date(tmp_path: Path) -> None:
    made = tmp_path / "members.pot"
    pybabel = Path(sys.executable).with_name("pybabel")
    (recipe,) = re.findall(r"pybabel (.*?) --output \S+ (.*)", (ROOT / "Makefile").read_text().replace("\\\n", ""))
    command = f"{pybabel} {recipe[0]} --output {made} {recipe[1]}"
    subprocess.run(command, shell=True, cwd=ROOT, check=True)  # noqa: S602 - our own recipe
    assert _ids(made) == _ids(_POT), "run `make catalogue`"


def test_every_sentence_is_said_by_the_catalogue() -> None:
    bare = {relative(path): list(_bare(parsed(path))) for path in modules(*_IN_THE_CATALOGUE)}
    assert {name: texts for name, texts in bare.items() if texts} == {}


def test_nothing_is_said_within_an_f_string() -> None:
    """There Babel does not look for it."""
    for path in modules("core", "adapters"):
        templates = [each for each in ast.walk(parsed(path)) if isinstance(each, ast.JoinedStr)]
        within = [ast.unparse(each) for one in templates for each in ast.walk(one) if isinstance(each, ast.Call)]
        assert [each for each in within if _SAYS.match(each)] == [], relative(path)


def test_each_sentence_is_said_by_a_call_of_its_own() -> None:
    """Of two in one call, `say("One." if x else "Two.")`, Babel makes one."""
    for path in modules("core", "adapters"):
        said = [each for each in ast.walk(parsed(path)) if isinstance(each, ast.Call) and each.args]
        chosen = [each.args[0] for each in said if ast.unparse(each.func) in {"say", "say_count", "sentence"}]
        parts = [one for each in chosen if not isinstance(each, ast.Constant) for one in ast.walk(each)]
        texts = [one.value for one in parts if isinstance(one, ast.Constant) and isinstance(one.value, str)]
        assert [text for text in texts if _WORDS.search(text)] == [], relative(path)


def test_every_sentence_of_the_templates_is_said_by_the_catalogue() -> None:
    for path in (ROOT / "adapters/web/templates").glob("*.html"):
        html = re.sub(r"{{.*?}}|{%.*?%}", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
        shown = [re.sub(r"<[^>]*>", " ", html), *re.findall(r'(?:aria-label|placeholder|alt)="([^"]*)"', html)]
        words = re.findall(r"(?<!/)\b[A-Za-z]{2,}", " ".join(shown))
        assert set(words) <= {"Thusfar", "talking"}, path.name


def test_bare_sentences_are_found() -> None:
    source = "A(text='Two words.', help=say('fine here'), label=f'{x} of mine', opens=f'{say(y)} {say(z)}')"
    refused = "raise PositionError('No such page.')\nsurface.tell('Now they know.', B(sentence='Not here.'))"
    bare = ["No such page.", "Not here.", "Now they know.", "Two words.", "{} of mine"]
    assert sorted(_bare(ast.parse(f"{source}\n{refused}"))) == bare


def _ids(path: Path) -> set[tuple[str, ...]]:
    with path.open("rb") as file:
        return {(each.id,) if isinstance(each.id, str) else tuple(each.id) for each in read_po(file) if each.id}


def _bare(tree: ast.AST) -> Iterator[str]:
    """Yield what is told to members without the catalogue: texts of responses, and of errors that they read."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or ast.unparse(node.func) == "ToolOutput":
            continue
        told = [each.value for each in node.keywords if each.arg in _SAID_IN]
        if _TELLS.fullmatch(ast.unparse(node.func)):
            told += node.args
        for each in told:
            parts = each.values if isinstance(each, ast.JoinedStr) else [each]
            text = "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in parts)
            if _WORDS.search(text):
                yield text
