"""What the store asks of the database.

Statements are made once, so that running one costs little. Those that change rows take the
columns to set from the parameters they are run with.
"""

from sqlalchemy import bindparam, func, select, text
from sqlalchemy.dialects.postgresql import insert as postgres_insert
from sqlalchemy.dialects.sqlite import insert as sqlite_insert

from quartermaster.server.store.prepared import Prepared
from quartermaster.server.store.schema import (
    events,
    games,
    messages,
    notices,
    players,
    running,
    users,
)

THIS_USER = select(users).where(users.c.id == bindparam("of_user"))
USER_NAMED = select(users).where(users.c.claimed == bindparam("claimed"))
CHANGE_USER = users.update().where(users.c.id == bindparam("of_user"))

THIS_GAME = select(games).where(games.c.id == bindparam("of_game"))
EVENTS_AFTER = (
    select(events.c.seq, events.c.kind, events.c.user_id, events.c.data, events.c.at)
    .where(events.c.game_id == bindparam("of_game"), events.c.seq > bindparam("after"))
    .order_by(events.c.seq)
)
CHANGE_GAME = Prepared(
    games.update().where(games.c.id == bindparam("of_game"), games.c.seq == bindparam("expected"))
)
ADD_EVENT = Prepared(events.insert())
CLAIM = games.update().where(
    games.c.id == bindparam("of_game"), games.c.wake_at == bindparam("expected")
)
DUE = (
    select(games.c.id, games.c.wake_at)
    .where(games.c.wake_at <= bindparam("now"))
    .order_by(games.c.wake_at, games.c.id)
    .limit(bindparam("most"))
)
COUNTS = select(games.c.status, func.count()).group_by(games.c.status)

PLAYERS = Prepared(
    select(players.c.user_id, players.c.is_turn).where(players.c.game_id == bindparam("of_game"))
)
DROP_PLAYERS = players.delete().where(players.c.game_id == bindparam("of_game"))
CHANGE_TURN = Prepared(
    players.update()
    .where(players.c.game_id == bindparam("of_game"), players.c.user_id == bindparam("of_user"))
    .values(is_turn=bindparam("now"))
)
TURNS = select(players.c.game_id, players.c.is_turn).where(
    players.c.user_id == bindparam("of_user"),
    players.c.game_id.in_(bindparam("game_ids", expanding=True)),
)

ADD_MESSAGE = messages.insert().returning(messages.c.id)
LATEST_MESSAGES = (
    select(
        messages.c.id,
        messages.c.room,
        messages.c.user_id,
        messages.c.name,
        messages.c.text,
        messages.c.at,
    )
    .where(
        messages.c.game_id == bindparam("of_game"),
        messages.c.id > bindparam("after"),
        messages.c.room.in_(bindparam("rooms", expanding=True)),
    )
    .order_by(messages.c.id.desc())
    .limit(bindparam("most"))
)
CLAIM_NOTICE_POSTGRES = postgres_insert(notices).on_conflict_do_nothing()
CLAIM_NOTICE_SQLITE = sqlite_insert(notices).on_conflict_do_nothing()
FINISH_NOTICE = notices.update().where(notices.c.key == bindparam("of_key"))

RUNNING = select(running.c.seen, running.c.off)
NOTE_RUNNING_POSTGRES = postgres_insert(running).on_conflict_do_update(
    index_elements=["id"], set_={"seen": bindparam("new_seen"), "off": bindparam("new_off")}
)
NOTE_RUNNING_SQLITE = sqlite_insert(running).on_conflict_do_update(
    index_elements=["id"], set_={"seen": bindparam("new_seen"), "off": bindparam("new_off")}
)

NOTIFY = text("SELECT pg_notify(:channel, :payload)")
TOUCH = text("UPDATE alembic_version SET version_num = version_num")
LOCK_CHAT = text("SELECT pg_advisory_xact_lock(:lock, hashtext(:game))")
