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
)

metadata = MetaData()

users = Table(
    "users",
    metadata,
    Column("id", String, primary_key=True),
    Column("name", String, nullable=False),
    Column("claimed", String),  # the casefolded name, once a password guards it
    Column("password", String),
    Column("webhook", String),
    Column("email", String),  # confirmed by who reads it
    Column("created_at", Float, nullable=False),
    Column("reserved", String),  # the claimed name as names.fold makes it: nobody else's
    Column("pending_email", String),  # not confirmed yet
    Column("banned_until", Float),
    Column("ban_reason", String),
    Column("language", String),  # what they read, and are told in when a game waits
    UniqueConstraint("claimed", name="users_claimed"),
    Index("users_reserved", "reserved", unique=True),
)

sessions = Table(
    "sessions",
    metadata,
    Column("id", String, primary_key=True),
    Column("user_id", String, nullable=False),
    Column("device", String, nullable=False),  # such as "Firefox, Linux"
    Column("created_at", Float, nullable=False),
    Column("seen_at", Float, nullable=False),
    Column("expires_at", Float, nullable=False),
    Index("sessions_user_id", "user_id"),
)

games = Table(
    "games",
    metadata,
    Column("id", String, primary_key=True),
    Column("seq", Integer, nullable=False),  # number of the last event
    Column("status", String, nullable=False),  # lobby, playing or over
    Column("is_public", Boolean, nullable=False),
    Column("rules", String, nullable=False),
    Column("summary", Text, nullable=False),
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

# What was changed beside the events of a game, for servers to take notice (signals.py).
signals = Table(
    "signals",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("what", String, nullable=False),
    Column("at", Float, nullable=False),
    sqlite_autoincrement=True,  # a number is never given twice
)

mails = Table(
    "mails",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("address", String, nullable=False),  # only a hash of it
    Column("user_id", String, nullable=False),
    Column("client", String, nullable=False),  # a hash of who asked for it
    Column("kind", String, nullable=False),
    Column("at", Float, nullable=False),
    Index("mails_at", "at"),
)

# Addresses whose readers want no mail from here.
silenced = Table(
    "silenced",
    metadata,
    Column("address", String, primary_key=True),  # only a hash of it
    Column("at", Float, nullable=False),
)

reports = Table(
    "reports",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("game_id", String, nullable=False),
    Column("reporter", String, nullable=False),
    Column("what", String, nullable=False),  # person, name or message
    Column("user_id", String, nullable=False),  # of whom
    Column("name", String, nullable=False),  # as it was
    Column("message_id", Integer),
    Column("quote", Text, nullable=False),  # the message as it was
    Column("text", Text, nullable=False),  # what the reporter says
    Column("at", Float, nullable=False),
    Column("closed_at", Float),
    Column("note", Text),  # what was done about it
    Index("reports_reporter", "reporter", "at"),
)

# What the admin command did.
audit = Table(
    "audit",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("at", Float, nullable=False),
    Column("who", String, nullable=False),
    Column("action", String, nullable=False),
    Column("target", String, nullable=False),
    Column("detail", Text, nullable=False),
)

running = Table(
    "running",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),  # there is one row
    Column("seen", Float, nullable=False),  # when a worker last noted that it is there
    Column("off", Float, nullable=False),  # seconds for which none was, in all
)
