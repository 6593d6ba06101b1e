"""The table of evaluations."""

import sqlalchemy as sa
from alembic import op

revision = "v1_evaluations"
down_revision = None


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "evaluations",
        sa.Column("key", sa.String(32), primary_key=True),
        sa.Column("variations", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("account", sa.String(64), nullable=False),
        sa.Column("engine", sa.Text, nullable=False),
        sa.Column("position", sa.Text, nullable=False),
        sa.Column("depth", sa.Integer, nullable=False),
        sa.Column("nodes", sa.BigInteger, nullable=False),
        sa.Column("spent", sa.BigInteger, nullable=False),
        sa.Column("lines", sa.Text, nullable=False),
        sa.Column("stored", sa.BigInteger, nullable=False),
    )
