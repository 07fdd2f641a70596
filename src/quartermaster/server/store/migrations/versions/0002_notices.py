"""Notices that were sent, and the rematch of a game."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.create_table(
        "notices",
        sa.Column("key", sa.String, primary_key=True),
        sa.Column("game_id", sa.String, nullable=False),
        sa.Column("user_id", sa.String, nullable=False),
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("state", sa.String, nullable=False),
        sa.Column("at", sa.Float, nullable=False),
    )
    op.add_column("games", sa.Column("rematch", sa.String))


def downgrade() -> None:
    op.drop_column("games", "rematch")
    op.drop_table("notices")
