"""Sessions, reserved names, confirmed addresses, bans, reports, and what the admin command did."""

import time

import sqlalchemy as sa
from alembic import op

from quartermaster.server.names import fold

revision = "0003"
down_revision = "0002"

OLD_TOKENS = 180 * 86400  # seconds for which tokens from before go on to hold


def upgrade() -> None:
    op.create_table(
        "sessions",
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("user_id", sa.String, nullable=False),
        sa.Column("device", sa.String, nullable=False),
        sa.Column("created_at", sa.Float, nullable=False),
        sa.Column("seen_at", sa.Float, nullable=False),
        sa.Column("expires_at", sa.Float, nullable=False),
    )
    op.create_index("sessions_user_id", "sessions", ["user_id"])
    for column in (
        sa.Column("reserved", sa.String),
        sa.Column("pending_email", sa.String),
        sa.Column("banned_until", sa.Float),
        sa.Column("ban_reason", sa.String),
    ):
        op.add_column("users", column)
    op.create_index("users_reserved", "users", ["reserved"], unique=True)
    _keep_tokens()
    _reserve_names()
    op.drop_column("users", "epoch")
    # An address that nobody has confirmed counts no longer: it must be confirmed first.
    op.execute("UPDATE users SET pending_email = email, email = NULL")
    op.create_table(
        "signals",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("what", sa.String, nullable=False),
        sa.Column("at", sa.Float, nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "mails",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("address", sa.String, nullable=False),
        sa.Column("user_id", sa.String, nullable=False),
        sa.Column("client", sa.String, nullable=False),
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("at", sa.Float, nullable=False),
    )
    op.create_index("mails_at", "mails", ["at"])
    op.create_table(
        "silenced",
        sa.Column("address", sa.String, primary_key=True),
        sa.Column("at", sa.Float, nullable=False),
    )
    op.create_table(
        "reports",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("game_id", sa.String, nullable=False),
        sa.Column("reporter", sa.String, nullable=False),
        sa.Column("what", sa.String, nullable=False),
        sa.Column("user_id", sa.String, nullable=False),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("message_id", sa.Integer),
        sa.Column("quote", sa.Text, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("at", sa.Float, nullable=False),
        sa.Column("closed_at", sa.Float),
        sa.Column("note", sa.Text),
    )
    op.create_index("reports_reporter", "reports", ["reporter", "at"])
    op.create_table(
        "audit",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("at", sa.Float, nullable=False),
        sa.Column("who", sa.String, nullable=False),
        sa.Column("action", sa.String, nullable=False),
        sa.Column("target", sa.String, nullable=False),
        sa.Column("detail", sa.Text, nullable=False),
    )


def _keep_tokens() -> None:
    """A token from before names a user and a number: that is the id of a session now."""
    now = time.time()
    op.get_bind().execute(
        sa.text(
            "INSERT INTO sessions (id, user_id, device, created_at, seen_at, expires_at)"
            " SELECT id || '.' || epoch, id, '', created_at, :now, :until FROM users"
        ),
        {"now": now, "until": now + OLD_TOKENS},
    )


def _reserve_names() -> None:
    """Of people with a password; where two look alike, the one who came first has it."""
    connection = op.get_bind()
    rows = connection.execute(
        sa.text("SELECT id, name FROM users WHERE claimed IS NOT NULL ORDER BY created_at, id")
    ).all()
    taken: set[str] = set()
    for id, name in rows:
        if (folded := fold(name)) not in taken:
            taken.add(folded)
            connection.execute(
                sa.text("UPDATE users SET reserved = :folded WHERE id = :id"),
                {"folded": folded, "id": id},
            )


def downgrade() -> None:
    for table in ("audit", "reports", "silenced", "mails", "signals", "sessions"):
        op.drop_table(table)
    op.drop_index("users_reserved", "users")
    op.add_column(
        "users", sa.Column("epoch", sa.Integer, nullable=False, server_default=sa.text("0"))
    )
    for column in ("reserved", "pending_email", "banned_until", "ban_reason"):
        op.drop_column("users", column)
