"""The container file, run without containers: its steps in order, on what it copies, in an environment of its own.

What this leaves out: the base image, and downloading (the locked packages are those that run the tests).
"""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from fnmatch import fnmatch
from functools import partial
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
import typer.main
import yaml

from bot.cli import app
from bot.settings import Settings, env_name
from tests.architecture.source import ROOT

_DEPLOY = ROOT / "docs" / "deploy"


def _instructions() -> Iterator[tuple[str, str]]:
    text = (_DEPLOY / "Containerfile").read_text(encoding="utf-8").replace("\\\n", " ")
    for line in text.splitlines():
        if line and not line.startswith("#"):
            word, _, rest = line.partition(" ")
            yield word, rest.strip()


def _in_context(path: str) -> bool:
    """Whether .dockerignore lets a file of the project into a build; its last line that fits decides."""
    lines = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    fitting = [line for line in lines if not line.startswith("#") and fnmatch(path, line.removeprefix("!"))]
    return not fitting or fitting[-1].startswith("!")


class Image:
    """A folder in place of a container, in which instructions are carried out."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        subprocess.run([sys.executable, "-m", "venv", folder / "python"], check=True)
        # The locked packages are installed here already; an empty environment would have to download them.
        (site,) = (folder / "python" / "lib").glob("python*/site-packages")
        (site / "locked.pth").write_text(sysconfig.get_path("purelib"), encoding="utf-8")
        self.env = {"PATH": f"{folder}/python/bin:{os.environ['PATH']}", "PIP_NO_INDEX": "1"}
        self.work = folder
        self.last: dict[str, Any] = {}

    def carry_out(self, word: str, rest: str) -> None:
        match word:
            case "WORKDIR":
                self.work = self.folder / rest.lstrip("/")
                self.work.mkdir(parents=True, exist_ok=True)
            case "ENV":
                self.env |= {name: self._here(value) for name, _, value in (one.partition("=") for one in rest.split())}
            case "COPY":
                *sources, target = rest.split()
                for source in sources:
                    self._copy(source, target)
            case "RUN":
                ran = self.run("sh", "-c", self._step(rest))
                assert ran.returncode == 0, f"{rest}\n{ran.stdout}{ran.stderr}"
            case "HEALTHCHECK":
                self.last[word] = json.loads(rest.partition("CMD ")[2])
            case "ENTRYPOINT" | "CMD":
                self.last[word] = json.loads(rest)
            case _:
                assert word in {"FROM", "USER", "VOLUME", "EXPOSE"}, word

    def run(self, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
        env = self.env | more
        return subprocess.run(words, cwd=self.work, env=env, capture_output=True, text=True, check=False, timeout=200)

    def _here(self, value: str) -> str:
        return f"{self.folder}{value}" if value.startswith("/") else value

    def _copy(self, source: str, target: str) -> None:
        assert _in_context(source), f".dockerignore leaves out {source}"
        to = self.work / target
        if (ROOT / source).is_dir():
            shutil.copytree(ROOT / source, to, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / source, to)

    def _step(self, command: str) -> str:
        if not command.startswith("useradd "):
            return command
        if os.geteuid() or shutil.which("useradd") is None:
            return "true"
        accounts = self.folder / "etc"
        accounts.mkdir()
        for name in ("passwd", "group", "shadow", "gshadow"):
            (accounts / name).touch()
        return command.replace("useradd", f"useradd --prefix {shlex.quote(str(self.folder))}", 1)


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Image:
    """The image, as far as it goes."""
    made = Image(tmp_path_factory.mktemp("image"))
    for word, rest in _instructions():
        made.carry_out(word, rest)
    return made


def test_the_image_answers_from_the_sample(image: Image) -> None:
    (program,) = image.last["ENTRYPOINT"]
    asked = image.run(program, "ask", "Who is Hallam?", "--book", "sample", "--page", "18")
    assert (asked.returncode, asked.stderr) == (0, "")
    assert "Ralph Hallam had been Surveyor" in asked.stdout
    assert (image.folder / "data" / "thusfar.db").is_file()
    assert image.run("sh", "-c", "command -v thusfar").stdout == f"{image.folder}/python/bin/thusfar\n"


def test_without_tokens_it_says_what_to_do(image: Image) -> None:
    served = image.run(*image.last["ENTRYPOINT"], *image.last["CMD"])
    assert served.returncode == 1
    assert "`thusfar setup` asks for them" in served.stderr


@pytest.mark.parametrize(("status", "is_well"), [(200, True), (503, False)])
def test_its_health_is_what_the_program_says(image: Image, status: int, is_well: bool) -> None:
    class Health(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(status if self.path == "/healthz" else 404)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Health) as server:
        Thread(target=partial(server.serve_forever, poll_interval=0.01)).start()
        asked = image.run(*image.last["HEALTHCHECK"], THUSFAR_METRICS_PORT=str(server.server_port))
        server.shutdown()
    assert (asked.returncode == 0) == is_well


def _compose() -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load((_DEPLOY / "compose.yaml").read_text(encoding="utf-8"))
    return loaded


def test_the_compose_file_runs_what_is_there() -> None:
    compose = _compose()
    services = compose["services"]
    ours = {name: one for name, one in services.items() if one["image"] == "thusfar"}
    assert ours.keys() == {"bot", "gateway", "worker", "upgrade"}
    commands: Any = typer.main.get_command(app)
    for one in ours.values():
        context = (_DEPLOY / one["build"]["context"]).resolve()
        assert (context, (context / one["build"]["dockerfile"]).is_file()) == (ROOT, True)
        assert {"/data"} == {volume.partition(":")[2] for volume in one["volumes"]}
        assert one.get("environment", {}).keys() <= {*map(env_name, Settings.model_fields), "PGPASSWORD"}
        step = commands
        for word in one.get("command", ["serve"]):
            step = step.commands[word] if not word.startswith("--") else step
            assert not word.startswith("--") or any(word in option.opts for option in step.params), word
    assert {volume.partition(":")[0] for one in services.values() for volume in one["volumes"]} == set(
        compose["volumes"]
    )


def test_sqlite_is_what_runs_unless_the_profile_is_asked_for() -> None:
    services = _compose()["services"]
    assert [name for name, one in services.items() if "profiles" not in one] == ["bot"]
    assert {name for name, one in services.items() if one.get("profiles") == ["postgres"]} == services.keys() - {"bot"}
    waited_for = {name: one["depends_on"] for name, one in services.items() if "depends_on" in one}
    done, healthy = "service_completed_successfully", "service_healthy"
    assert waited_for == {
        "gateway": {"upgrade": {"condition": done}},
        "worker": {"upgrade": {"condition": done}},
        "upgrade": {"postgres": {"condition": healthy}},
    }
    address = services["gateway"]["environment"]["DATABASE_URL"]
    user, host = re.fullmatch(r"postgresql://(\w+)@(\w+)/thusfar", address).groups()  # type: ignore[union-attr]
    assert (services[host]["environment"]["POSTGRES_USER"], host) == (user, "postgres")
