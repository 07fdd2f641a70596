"""The language that a person reads."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    op.add_column("users", sa.Column("language", sa.String))


def downgrade() -> None:
    op.drop_column("users", "language")
