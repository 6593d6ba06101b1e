"""The games that accounts share by a link."""

import sqlalchemy as sa
from alembic import op

revision = "v5_games"
down_revision = "v4_digest"


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "shared_games",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("account", sa.String(64), nullable=False),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("pgn", sa.Text, nullable=False),
        sa.Column("size", sa.Integer, nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("updated", sa.BigInteger, nullable=False),
        sa.Column("expires", sa.BigInteger),
    )
    op.create_index("shared_games_account", "shared_games", ["account"])
    op.create_index("shared_games_expires", "shared_games", ["expires"])
