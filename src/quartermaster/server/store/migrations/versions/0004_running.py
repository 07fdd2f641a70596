"""How long the server has been off, so that this counts against nobody."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.create_table(
        "running",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("seen", sa.Float, nullable=False),
        sa.Column("off", sa.Float, nullable=False),
    )


def downgrade() -> None:
    op.drop_table("running")
