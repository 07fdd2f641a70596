"""Users, games with their events, players, and messages."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "users",
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("claimed", sa.String),
        sa.Column("password", sa.String),
        sa.Column("epoch", sa.Integer, nullable=False, server_default=sa.text("0")),
        sa.Column("webhook", sa.String),
        sa.Column("email", sa.String),
        sa.Column("created_at", sa.Float, nullable=False),
        sa.UniqueConstraint("claimed", name="users_claimed"),
    )
    op.create_table(
        "games",
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("status", sa.String, nullable=False),
        sa.Column("is_public", sa.Boolean, nullable=False),
        sa.Column("rules", sa.String, nullable=False),
        sa.Column("settings", sa.Text, nullable=False),
        sa.Column("created_at", sa.Float, nullable=False),
        sa.Column("updated_at", sa.Float, nullable=False),
        sa.Column("wake_at", sa.Float),
        sa.Column("result", sa.Text),
        sa.Column("winner", sa.String),
    )
    op.create_index("games_wake_at", "games", ["wake_at"])
    op.create_index("games_updated_at", "games", ["updated_at"])
    op.create_table(
        "events",
        sa.Column("game_id", sa.String, nullable=False),
        sa.Column("seq", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("user_id", sa.String),
        sa.Column("data", sa.Text, nullable=False),
        sa.Column("at", sa.Float, nullable=False),
        sa.PrimaryKeyConstraint("game_id", "seq"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="events_game"),
    )
    op.create_table(
        "players",
        sa.Column("game_id", sa.String, nullable=False),
        sa.Column("user_id", sa.String, nullable=False),
        sa.Column("is_turn", sa.Boolean, nullable=False),
        sa.PrimaryKeyConstraint("game_id", "user_id"),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="players_game"),
    )
    op.create_index("players_user_id", "players", ["user_id"])
    op.create_table(
        "messages",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("game_id", sa.String, nullable=False),
        sa.Column("room", sa.String, nullable=False),
        sa.Column("user_id", sa.String, nullable=False),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("at", sa.Float, nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name="messages_game"),
        sqlite_autoincrement=True,
    )
    op.create_index("messages_game_id", "messages", ["game_id", "id"])


def downgrade() -> None:
    for table in ("messages", "players", "events", "games", "users"):
        op.drop_table(table)
