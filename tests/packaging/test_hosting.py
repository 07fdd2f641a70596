"""The files for hosts fit the server: what they name is there, what they run works."""

import configparser
import json
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
import yaml
from typer.testing import CliRunner

from quartermaster.cli.main import app
from quartermaster.server.settings import VARIABLES
from servers import Server, free_port

ROOT = Path(__file__).parents[2]
DOCKERFILE = (ROOT / "Dockerfile").read_text().replace("\\\n", " ")
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text())
HOSTING = (ROOT / "docs" / "hosting.md").read_text()
KNOWN = {name for name, _, _ in VARIABLES}


def instructions(name: str) -> list[str]:
    return re.findall(rf"^{name} (.*)$", DOCKERFILE, re.MULTILINE)


def test_the_image_copies_what_is_there_and_git_knows() -> None:
    copied = [words.split()[:-1] for words in instructions("COPY") if "--from" not in words]
    names = [name for names in copied for name in names]
    assert all((ROOT / name).exists() for name in names)
    let_in = re.findall(r"^!(.+)$", (ROOT / ".dockerignore").read_text(), re.MULTILINE)
    assert sorted(names) == sorted(let_in)


def test_the_image_runs_as_somebody_and_what_it_runs_is_a_command() -> None:
    last = DOCKERFILE.rpartition("\nFROM ")[2]
    assert "\nUSER quartermaster\n" in last
    assert "gcc" not in last
    arguments = json.loads(instructions("CMD")[-1])
    assert helped(*arguments)
    assert json.loads(instructions("ENTRYPOINT")[-1]) == ["quartermaster"]


def helped(*arguments: str) -> bool:
    """Whether the command line takes these options; nothing is started."""
    return CliRunner().invoke(app, [*arguments, "--help"]).exit_code == 0


def test_the_healthcheck_tells_well_from_ill(tmp_path: Path) -> None:
    check = json.loads(re.findall(r"HEALTHCHECK .* CMD (\[.*\])", DOCKERFILE)[0])
    assert check[0] == "python"

    def run(port: int) -> int:
        code = check[2].replace(":8080/", f":{port}/")
        return subprocess.run([sys.executable, check[1], code], capture_output=True).returncode

    with Server(f"sqlite:///{tmp_path}/games.db", tmp_path) as server:
        assert run(server.port) == 0
        (tmp_path / "games.db").rename(tmp_path / "elsewhere")
        until = time.monotonic() + 30
        while not run(server.port):  # it goes on saying for some seconds that it was well
            assert time.monotonic() < until
            time.sleep(0.2)
        (tmp_path / "elsewhere").rename(tmp_path / "games.db")
    assert run(free_port()) != 0


def test_compose_names_what_there_is() -> None:
    services = COMPOSE["services"]
    server = services["server"]
    assert set(server["environment"]) <= KNOWN
    assert helped(*server["command"])
    for service in services.values():
        assert set(service.get("depends_on", [])) <= set(services)
        for volume in service.get("volumes", []):
            source = volume.partition(":")[0]
            if source.startswith("./deploy/"):
                assert (ROOT / source).is_file()
            else:
                assert source in COMPOSE["volumes"] or source == "./backups"
    needed = set(re.findall(r"\$\{(\w+):\?", (ROOT / "compose.yaml").read_text()))
    told = HOSTING.partition("cat > .env <<END\n")[2].partition("\nEND\n")[0]
    assert needed == {line.partition("=")[0] for line in told.splitlines()}
    # pg_dump must be of the server's version or later.
    version = re.findall(r"postgresql-client-(\d+)", DOCKERFILE)[0]
    assert services["database"]["image"].startswith(f"postgres:{version}")
    assert "server:8080" in (ROOT / "deploy" / "Caddyfile").read_text()


def test_the_unit_runs_a_command_with_known_settings() -> None:
    unit = configparser.ConfigParser(strict=False, interpolation=None)
    unit.optionxform = str  # type: ignore[assignment]
    unit.read(ROOT / "deploy" / "quartermaster.service")
    service = unit["Service"]
    program, *arguments = service["ExecStart"].split()
    assert program == "/opt/quartermaster/bin/quartermaster"
    assert program in HOSTING
    assert helped(*arguments)
    assert service["Environment"].partition("=")[0] in KNOWN
    assert service["NoNewPrivileges"] == "yes"
    assert int(service["LimitNOFILE"]) >= 65536


@pytest.mark.parametrize("name", sorted(KNOWN))
def test_every_setting_is_told(name: str) -> None:
    assert f"| `{name}` |" in HOSTING
