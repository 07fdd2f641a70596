"""The tables, the same on SQLite and PostgreSQL.

Only types that both have: times are unix seconds, JSON is text that the store never reads.
The migrations build what is declared here; a test compares the two.
"""

from sqlalchemy import (
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    text,
)

metadata = MetaData()

users = Table(
    "users",
    metadata,
    Column("id", String, primary_key=True),
    Column("name", String, nullable=False),
    Column("claimed", String),  # the casefolded name, once a password guards it
    Column("password", String),
    Column("epoch", Integer, nullable=False, server_default=text("0")),  # sign-outs everywhere
    Column("webhook", String),
    Column("email", String),
    Column("created_at", Float, nullable=False),
    UniqueConstraint("claimed", name="users_claimed"),
)

games = Table(
    "games",
    metadata,
    Column("id", String, primary_key=True),
    Column("seq", Integer, nullable=False),  # number of the last event
    Column("status", String, nullable=False),  # lobby, playing or over
    Column("is_public", Boolean, nullable=False),
    Column("rules", String, nullable=False),
    Column("settings", Text, nullable=False),
    Column("created_at", Float, nullable=False),
    Column("updated_at", Float, nullable=False),
    Column("wake_at", Float),  # when a worker must look at the game by itself
    Column("result", Text),
    Column("winner", String),
    Column("rematch", String),  # the game played after this one
    Index("games_wake_at", "wake_at"),
    Index("games_updated_at", "updated_at"),  # lists are sorted by it
)

events = Table(
    "events",
    metadata,
    Column("game_id", ForeignKey("games.id", name="events_game"), primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("kind", String, nullable=False),
    Column("user_id", String),  # none: the server itself
    Column("data", Text, nullable=False),
    Column("at", Float, nullable=False),
)

players = Table(
    "players",
    metadata,
    Column("game_id", ForeignKey("games.id", name="players_game"), primary_key=True),
    Column("user_id", String, primary_key=True),
    Column("is_turn", Boolean, nullable=False),
    Index("players_user_id", "user_id"),
)

messages = Table(
    "messages",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("game_id", ForeignKey("games.id", name="messages_game"), nullable=False),
    Column("room", String, nullable=False),
    Column("user_id", String, nullable=False),
    Column("name", String, nullable=False),  # as it was when the message was written
    Column("text", Text, nullable=False),
    Column("at", Float, nullable=False),
    Index("messages_game_id", "game_id", "id"),
    sqlite_autoincrement=True,  # a number is never given twice: clients ask for those after one
)

notices = Table(
    "notices",
    metadata,
    Column("key", String, primary_key=True),
    Column("game_id", String, nullable=False),
    Column("user_id", String, nullable=False),
    Column("kind", String, nullable=False),
    Column("state", String, nullable=False),  # claimed, sent or failed
    Column("at", Float, nullable=False),
)
