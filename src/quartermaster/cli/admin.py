"""`admin`: what who runs a server does to tables, people and messages, on the database itself."""

import asyncio
import getpass
import os
import time
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer
from rich.markup import escape
from rich.table import Table

from quartermaster.cli.common import JsonOption, console, friendly, print_json
from quartermaster.cli.serve import NEEDS
from quartermaster.errors import QuartermasterError

if TYPE_CHECKING:
    from quartermaster.server.keeper import Keeper
    from quartermaster.server.settings import Settings

T = TypeVar("T")

admin = typer.Typer(
    no_args_is_help=True,
    help="Look after a server: tables, people, messages, reports. Works on the database that"
    " DATABASE_URL names, also while the server runs, which notices within a second or two."
    " All that is done is written to a log (`admin log`).",
)
tables = typer.Typer(no_args_is_help=True, help="List, show and close tables.")
people = typer.Typer(no_args_is_help=True, help="List, ban, rename and delete people.")
messages = typer.Typer(no_args_is_help=True, help="Read and remove what was said.")
reports = typer.Typer(no_args_is_help=True, help="What players have reported.")
admin.add_typer(tables, name="tables")
admin.add_typer(people, name="people")
admin.add_typer(messages, name="messages")
admin.add_typer(reports, name="reports")

_LARGEST = 2**31 - 1  # of what the databases number
Limit = Annotated[int, typer.Option(min=1, max=10_000, help="How many at most.")]
Reason = Annotated[str, typer.Option(help="Why; who is concerned is told.")]
Person = Annotated[str, typer.Argument(help="A person's id or name.")]
Game = Annotated[str, typer.Argument(help="The table's id, as in its address.")]


def run(work: "Callable[[Keeper], Awaitable[T]]") -> T:
    """Do something as whoever calls, on the database of the settings."""
    try:
        from quartermaster.server.keeper import Keeper
        from quartermaster.server.store.store import Store
    except ImportError as error:
        raise QuartermasterError(f"{NEEDS} ({error})") from None
    settings = _settings()

    async def do() -> T:
        store = Store(settings.database_url)
        try:
            return await work(Keeper(store, _who()))
        finally:
            await store.close()

    return asyncio.run(do())


def _settings() -> "Settings":
    from quartermaster.server.settings import Settings, hide_password
    from quartermaster.server.store.migrate import current, known_revisions

    settings = Settings.from_environment()
    found = current(settings.database_url)
    where = hide_password(settings.database_url)
    if found is None:
        raise QuartermasterError(f"no games are kept in {where}; does DATABASE_URL name it?")
    if found != max(known_revisions()):
        raise QuartermasterError(
            f"{where} has the form of another version; `quartermaster migrate` brings it to this"
        )
    return settings


def _who() -> str:
    """The name of whoever calls this command; behind sudo, of whoever called that."""
    try:
        return os.environ.get("SUDO_USER") or getpass.getuser()
    except (KeyError, OSError):
        return f"user {os.getuid()}" if hasattr(os, "getuid") else "unknown"


def _at(seconds: float | None) -> str:
    if seconds is None:
        return ""
    return "for ever" if seconds > 9e10 else time.strftime("%Y-%m-%d %H:%M", time.gmtime(seconds))


def _show(rows: list[dict[str, Any]], as_json: bool) -> None:
    """Rows as a table, or as JSON with all there is."""
    if as_json:
        print_json(rows)
        return
    if not rows:
        console.print("Nothing.")
        return
    table = Table(box=None, pad_edge=False)
    for column in rows[0]:
        is_key = column in ("id", "game", "person")
        table.add_column(column.replace("_", " "), no_wrap=is_key, overflow="fold")
    for row in rows:
        values = [_at(v) if k.endswith(("at", "until")) else v for k, v in row.items()]
        table.add_row(*(escape("" if v is None else str(v)) for v in values))
    console.print(table)


# -- tables ----------------------------------------------------------------------------


def _table_row(row: Any) -> dict[str, Any]:
    import msgspec

    summary = msgspec.json.decode(row.summary)
    return {
        "id": row.id,
        "status": row.status,
        "public": row.is_public,
        "title": summary["settings"]["title"],
        "host": summary["host"],
        "people": ", ".join(s["name"] or "?" for s in summary["seats"] if s["who"] == "person"),
        "rules": row.rules,
        "updated_at": row.updated_at,
    }


@tables.command("list")
@friendly
def list_tables(
    status: Annotated[str | None, typer.Option(help="lobby, playing or over.")] = None,
    person: Annotated[str | None, typer.Option(help="Only tables of a person.")] = None,
    limit: Limit = 50,
    as_json: JsonOption = False,
) -> None:
    """Tables, the one changed last first."""
    if status not in (None, "lobby", "playing", "over"):
        raise QuartermasterError(f"--status {status}: expected lobby, playing or over")

    async def work(keeper: "Keeper") -> list[Any]:
        user_id = (await keeper.person(person)).id if person else None
        return await keeper.tables(status, user_id, limit)

    _show([_table_row(row) for row in run(work)], as_json)


@tables.command("show")
@friendly
def show_table(game: Game, as_json: JsonOption = False) -> None:
    """One table: who sits where, and how it stands. Neither cards nor the deal are shown."""
    import msgspec

    row = run(lambda keeper: keeper.table(game))
    summary = msgspec.json.decode(row.summary)
    found = _table_row(row) | {
        "created_at": row.created_at,
        "winner": row.winner,
        "result": row.result,
        "seats": [
            f"{', '.join(seat['countries'])}: {seat['who']} {seat['name']}".strip()
            for seat in summary["seats"]
        ],
    }
    if as_json:
        print_json(found)
        return
    for key, value in found.items():
        shown = _at(value) if key.endswith("_at") else value
        shown = "; ".join(shown) if isinstance(shown, list) else shown
        console.print(f"{key.replace('_', ' ')}: {escape(str(shown))}", highlight=False)


@tables.command("close")
@friendly
def close_table(game: Game, reason: Annotated[str, typer.Option(help="For the log.")] = "") -> None:
    """End a table: its game counts as broken off, and stays to be looked at."""
    is_done = run(lambda keeper: keeper.close_table(game, reason))
    console.print("It is closed." if is_done else "It was over already.")


@tables.command("untitle")
@friendly
def untitle_table(game: Game) -> None:
    """Take a table's title away."""
    run(lambda keeper: keeper.untitle(game))
    console.print("It has no title any more.")


# -- people ----------------------------------------------------------------------------


@people.command("list")
@friendly
def list_people(
    words: Annotated[str, typer.Argument(help="In their names.")] = "",
    banned: Annotated[bool, typer.Option("--banned", help="Only who is banned.")] = False,
    limit: Limit = 50,
    as_json: JsonOption = False,
) -> None:
    """People, who was here last first."""
    _show(run(lambda keeper: keeper.list_people(words, banned, limit)), as_json)


@people.command("ban")
@friendly
def ban(
    person: Person,
    days: Annotated[
        float | None, typer.Option(min=0.01, max=36500, help="For so long; else for ever.")
    ] = None,
    reason: Reason = "",
) -> None:
    """Ban someone: they are out within seconds, and bots play on in their seats."""

    async def work(keeper: "Keeper") -> tuple[str, list[str]]:
        user = await keeper.person(person)
        return user.name, await keeper.ban(user, days, reason)

    name, left = run(work)
    seats = f" Bots play on at {', '.join(left)}." if left else ""
    console.print(f"{escape(name)} is banned.{seats}", highlight=False)


@people.command("unban")
@friendly
def unban(person: Person) -> None:
    """Let someone in again."""

    async def work(keeper: "Keeper") -> bool:
        return await keeper.unban(await keeper.person(person))

    console.print("They may come in again." if run(work) else "They were not banned.")


@people.command("rename")
@friendly
def rename(person: Person, name: Annotated[str, typer.Argument(help="The new name.")]) -> None:
    """Give someone another name, also in all games and messages."""

    async def work(keeper: "Keeper") -> None:
        await keeper.rename(await keeper.person(person), name)

    run(work)
    console.print("They are renamed.")


@people.command("delete")
@friendly
def delete(
    person: Person,
    yes: Annotated[bool, typer.Option("--yes", help="Do it; it cannot be undone.")] = False,
) -> None:
    """Delete an account with all that is kept of it, as its owner could."""

    async def work(keeper: "Keeper") -> str:
        user = await keeper.person(person)
        if yes:
            await keeper.delete(user)
        return user.name

    name = escape(run(work))
    console.print(f"{name} is deleted." if yes else f"{name} would be deleted; add --yes to do it.")


@people.command("password-link")
@friendly
def password_link(person: Person) -> None:
    """A link to give to someone who has lost their password; it works once, within an hour."""
    from quartermaster.server.edge.mail import Mail
    from quartermaster.server.edge.notify import Notifier

    settings = _settings()

    async def work(keeper: "Keeper") -> str:
        user = await keeper.person(person)
        if user.password is None:
            raise QuartermasterError(f"{user.name} is a guest and has no password")
        await keeper.note("password link", user.id, user.name)
        return Mail(settings, keeper.people, Notifier(settings)).reset_link(user)

    typer.echo(run(work))


@people.command("allow-mail")
@friendly
def allow_mail(address: Annotated[str, typer.Argument(help="The address.")]) -> None:
    """Let mail go again to an address whose reader had asked for none."""
    from quartermaster.server.edge.mail import Mail
    from quartermaster.server.edge.notify import Notifier

    settings = _settings()

    async def work(keeper: "Keeper") -> bool:
        mail = Mail(settings, keeper.people, Notifier(settings))
        return await keeper.allow_mail(mail.hashed(address))

    console.print("Mail may go there again." if run(work) else "It was not silenced.")


# -- messages and reports --------------------------------------------------------------


@messages.command("list")
@friendly
def list_messages(game: Game, limit: Limit = 50, as_json: JsonOption = False) -> None:
    """What was said at a table, in all its rooms."""
    found = run(lambda keeper: keeper.said(game, limit))
    rows = [
        {
            "id": m.id,
            "at": m.at,
            "room": m.room,
            "person": m.user_id,
            "name": m.name,
            "text": m.text,
        }
        for m in found
    ]
    _show(rows, as_json)


@messages.command("remove")
@friendly
def remove_message(
    number: Annotated[int, typer.Argument(min=1, max=_LARGEST, help="The message's id.")],
) -> None:
    """Remove a message: it vanishes from open pages, too."""
    run(lambda keeper: keeper.remove_message(number))
    console.print("It is removed.")


@reports.command("list")
@friendly
def list_reports(
    closed: Annotated[bool, typer.Option("--closed", help="Those that are closed, too.")] = False,
    limit: Limit = 50,
    as_json: JsonOption = False,
) -> None:
    """Reports, the newest first."""
    found = run(lambda keeper: keeper.reports(closed, limit))
    rows = [
        {
            "id": r.id, "at": r.at, "what": r.what, "person": r.user_id, "name": r.name,
            "game": r.game_id, "message": r.message_id, "quote": r.quote, "says": r.text,
            "by": r.reporter, "closed_at": r.closed_at, "note": r.note,
        }
        for r in found
    ]  # fmt: skip
    if not as_json:
        rows = [
            {k: v for k, v in row.items() if closed or k not in ("closed_at", "note")}
            for row in rows
        ]
    _show(rows, as_json)


@reports.command("close")
@friendly
def close_report(
    number: Annotated[int, typer.Argument(min=1, max=_LARGEST, help="The report's id.")],
    note: Annotated[str, typer.Option(help="What was done about it.")] = "",
) -> None:
    """Say that a report has been dealt with."""
    run(lambda keeper: keeper.close_report(number, note))
    console.print("It is closed.")


# -- the place -------------------------------------------------------------------------


@admin.command()
@friendly
def prune(
    guests: Annotated[float, typer.Option(min=1, help="Days that a guest was not here.")] = 180,
    lobbies: Annotated[
        float, typer.Option(min=1, help="Days that nothing happened at a table without a game.")
    ] = 30,
    yes: Annotated[bool, typer.Option("--yes", help="Do it; else it is only counted.")] = False,
) -> None:
    """Let go of guests who do not come back and of tables at which no game began.

    Games in play are never touched, nor who plays in them; games that others played in keep
    a seat without a name.
    """

    async def work(keeper: "Keeper") -> Any:
        found = await keeper.prunable(guests, lobbies)
        if yes:
            await keeper.prune(found, lobbies)
        return found

    found = run(work)
    did = "Deleted" if yes else "Would be deleted (add --yes to do it)"
    console.print(
        f"{did}: {len(found.guests)} guests, {len(found.tables)} tables without a game,"
        f" {found.sessions} expired sessions, {found.notices} old notices,"
        f" {found.reports} old reports.",
        highlight=False,
    )


@admin.command("log")
@friendly
def show_log(limit: Limit = 50, as_json: JsonOption = False) -> None:
    """What was done by this command: who, what, when."""
    found = run(lambda keeper: keeper.log(limit))
    _show(
        [
            {"id": e.id, "at": e.at, "who": e.who, "action": e.action, "target": e.target,
             "detail": e.detail}
            for e in found
        ],
        as_json,
    )  # fmt: skip
