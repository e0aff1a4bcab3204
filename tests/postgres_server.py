"""A PostgreSQL server for one run of the tests, from a package: `python -m tests.postgres_server FOLDER PACKAGE`.

PACKAGE is where the package is. The program starts the server, writes its address into FOLDER and ends; what stays is a
process that stops the server and removes its data when nobody holds the lock on FOLDER's `users` any more. The system
lets go of the lock of a process however that ends.
"""

import fcntl
import json
import os
import pwd
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_USER: Final = "thusfar"
_OPTIONS: Final = {
    "listen_addresses": "127.0.0.1",
    "unix_socket_directories": "",
    "max_connections": "200",
    "shared_buffers": "32MB",
    # What is written is thrown away with the run: nothing must reach a disk.
    "fsync": "off",
    "full_page_writes": "off",
    "synchronous_commit": "off",
    "autovacuum": "off",
    # Whoever gives up connecting half-way holds up the end of a database for as long; a minute by itself.
    "authentication_timeout": "8s",
    # Nobody else's zone is UTC: what forgets a zone is seen.
    "timezone": "Asia/Kolkata",
    # The password lives as long as the run: to guess it may be easy, so that a session begins in no time.
    "scram_iterations": "1",
}


def main() -> None:
    """Start a server, and leave behind what stops it."""
    folder, package = (Path(argument) for argument in sys.argv[1:])
    server = _Server(Path(tempfile.mkdtemp(prefix="thusfar-pg-")), package)
    try:
        address = server.start()
    except BaseException:
        server.remove()
        raise
    (folder / "address.json").write_text(json.dumps(address), encoding="utf-8")
    if os.fork():
        return
    # Ctrl-C in the terminal of the tests is not for this one: they end by it, and then it ends by itself.
    os.setsid()
    with (folder / "users").open("w") as users:
        fcntl.flock(users, fcntl.LOCK_EX)
        (folder / "address.json").unlink(missing_ok=True)
        server.remove()


@dataclass(frozen=True, slots=True)
class _Server:
    """A server whose files are all in `folder`. It refuses to run as root: then it is nobody's."""

    folder: Path
    package: Path

    def start(self) -> str:
        """Make the data, start, and return the address."""
        programs, password = self._programs(), secrets.token_hex(8)
        secret = self.folder / "password"
        secret.write_text(password, encoding="utf-8")
        if os.geteuid() == 0:
            nobody = pwd.getpwnam("nobody")
            for path in (self.folder, secret):
                os.chown(path, nobody.pw_uid, nobody.pw_gid)
        told = [word for name, value in _OPTIONS.items() for word in ("-c", f"{name}={value}")]
        how = ["--auth=scram-sha-256", f"--pwfile={secret}", "--encoding=UTF8", "--locale=C", "--no-sync"]
        self._run(programs / "initdb", "-D", self._data, "-U", _USER, *how, *told)
        port = self._serve(programs / "pg_ctl")
        return f"postgresql://{_USER}:{password}@127.0.0.1:{port}/postgres"

    def _serve(self, program: Path, *, tries: int = 3) -> int:
        """Start, and return the port; one that was free a moment ago may be another's by now."""
        port = _free_port()
        try:
            self._run(program, "-w", "-D", self._data, "-l", self._data / "log", "-o", f"-p {port}", "start")
        except subprocess.CalledProcessError:
            if tries == 1:
                raise
            return self._serve(program, tries=tries - 1)
        return port

    def remove(self) -> None:
        """Stop, where it runs, and leave nothing."""
        with suppress(OSError, ValueError):
            process = int((self._data / "postmaster.pid").read_text(encoding="utf-8").splitlines()[0])
            os.kill(process, signal.SIGQUIT)  # at once: nothing is to be kept
        shutil.rmtree(self.folder, ignore_errors=True)

    @property
    def _data(self) -> Path:
        return self.folder / "data"

    def _programs(self) -> Path:
        """Return where the package's programs are; where only root may read them, a copy of them."""
        programs = max(self.package.glob("pginstall*/bin"))  # the newest of several
        try:
            self._run(programs / "initdb", "--version")
        except (PermissionError, subprocess.CalledProcessError):
            copied = self.folder / self.package.name / programs.parent.name
            shutil.copytree(programs.parent, copied)
            shutil.copytree(f"{self.package}.libs", self.folder / f"{self.package.name}.libs")
            return copied / "bin"
        return programs

    def _run(self, *words: str | Path) -> None:
        nobody = pwd.getpwnam("nobody") if os.geteuid() == 0 else None
        with (self.folder / "said").open("a+") as said:
            try:
                subprocess.run(
                    words,
                    check=True,
                    cwd=self.folder,
                    env={"PATH": os.defpath, "LC_ALL": "C"},
                    stdin=subprocess.DEVNULL,
                    stdout=said,  # no pipe: the server would keep it open
                    stderr=said,
                    user=nobody and nobody.pw_uid,
                    group=nobody and nobody.pw_gid,
                    extra_groups=nobody and [],
                )
            except subprocess.CalledProcessError:
                said.seek(0)
                sys.stderr.write(said.read())
                raise


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


if __name__ == "__main__":
    main()
