"""The column of a game that holds its summary for lists is called so."""

from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    op.execute("ALTER TABLE games RENAME COLUMN settings TO summary")


def downgrade() -> None:
    op.execute("ALTER TABLE games RENAME COLUMN summary TO settings")
