"""The settings of a server: read, checked, listed."""

import stat
import threading
from pathlib import Path

import pytest

from quartermaster.errors import QuartermasterError
from quartermaster.server.settings import VARIABLES, Settings

MEMORY = {"DATABASE_URL": "sqlite://"}


def test_settings_have_defaults(tmp_path: Path) -> None:
    found = Settings.from_environment({"XDG_DATA_HOME": str(tmp_path), "QUARTERMASTER_RATE": " "})
    folder = tmp_path / "quartermaster"
    assert found.database_url == f"sqlite:///{folder}/quartermaster.db"
    assert (found.rate_limit, found.log_level, found.public_url) == (600, "info", None)
    assert found.bot_processes >= 1
    assert not found.allow_private_webhooks
    kept = folder / "secret"
    assert kept.read_bytes() == found.secret
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert [one.name for one in folder.iterdir()] == ["secret"]
    assert Settings.from_environment({"XDG_DATA_HOME": str(tmp_path)}).secret == found.secret


def test_servers_that_start_at_once_share_a_secret(tmp_path: Path) -> None:
    found: list[bytes] = []

    def start() -> None:
        url = f"sqlite:///{tmp_path}/new/games.db"
        found.append(Settings.from_environment({"DATABASE_URL": url}).secret)

    threads = [threading.Thread(target=start) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8
    assert len(set(found)) == 1


def test_settings_are_read() -> None:
    found = Settings.from_environment(
        {
            "DATABASE_URL": "postgres://me:hunter2@db/games",
            "QUARTERMASTER_SECRET": "0123456789abcdef",
            "QUARTERMASTER_URL": "https://Games.example.org/",
            "QUARTERMASTER_BOTS": "3",
            "QUARTERMASTER_SMTP": "smtps://me:sword@mail.example.org",
            "QUARTERMASTER_MAIL_FROM": "Games <games@example.org>",
            "QUARTERMASTER_PRIVATE_WEBHOOKS": "1",
            "QUARTERMASTER_RATE": "0",
            "QUARTERMASTER_METRICS_TOKEN": "keeper",
            "QUARTERMASTER_LOG": "DEBUG",
        }
    )
    assert found.database_url == "postgresql://me:hunter2@db/games"
    assert found.public_url == "https://games.example.org"
    assert (found.bot_processes, found.rate_limit, found.log_level) == (3, 0, "debug")
    for shown in (repr(found), str(found), str(found.__rich_repr__()), f"{[found]}"):
        assert "games.example.org" in shown
        for secret in ("hunter2", "0123456789abcdef", "sword", "keeper"):
            assert secret not in shown


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("DATABASE_URL", "mysql://me:hunter2@db/games"),
        ("DATABASE_URL", "games.db"),
        ("QUARTERMASTER_SECRET", "short"),
        ("QUARTERMASTER_URL", "games.example.org"),
        ("QUARTERMASTER_URL", "https://games.example.org/play"),
        ("QUARTERMASTER_URL", "https://me:hunter2@games.example.org"),
        ("QUARTERMASTER_BOTS", "0"),
        ("QUARTERMASTER_BOTS", "many"),
        ("QUARTERMASTER_SMTP", "mail.example.org"),
        ("QUARTERMASTER_SMTP", "smtp://me:hunter2@mail.example.org:x"),
        ("QUARTERMASTER_MAIL_FROM", "games"),
        ("QUARTERMASTER_PRIVATE_WEBHOOKS", "perhaps"),
        ("QUARTERMASTER_RATE", "-1"),
        ("QUARTERMASTER_LOG", "loud"),
    ],
)
def test_wrong_settings_are_named(name: str, value: str) -> None:
    with pytest.raises(QuartermasterError, match=f"^{name}: expected ") as caught:
        Settings.from_environment(MEMORY | {name: value})
    assert "hunter2" not in str(caught.value)


def test_settings_that_need_others(tmp_path: Path) -> None:
    with pytest.raises(QuartermasterError, match="QUARTERMASTER_SECRET"):
        Settings.from_environment({"DATABASE_URL": "postgresql://db/games"})
    with pytest.raises(QuartermasterError, match="QUARTERMASTER_MAIL_FROM"):
        Settings.from_environment(MEMORY | {"QUARTERMASTER_SMTP": "smtp://localhost"})
    mail = {"QUARTERMASTER_SMTP": "smtp://localhost", "QUARTERMASTER_MAIL_FROM": "a@example.org"}
    with pytest.raises(QuartermasterError, match="QUARTERMASTER_URL"):
        Settings.from_environment(MEMORY | mail)
    (tmp_path / "secret").write_text("short")
    with pytest.raises(QuartermasterError, match="16 characters"):
        Settings.from_environment({"DATABASE_URL": f"sqlite:///{tmp_path}/games.db"})
    (tmp_path / "file").write_text("")
    with pytest.raises(QuartermasterError, match="set QUARTERMASTER_SECRET"):
        Settings.from_environment({"DATABASE_URL": f"sqlite:///{tmp_path}/file/games.db"})


def test_all_variables_are_listed() -> None:
    assert len(VARIABLES) == len(Settings.__struct_fields__)
    assert all(len(row) == 3 for row in VARIABLES)
