"""The files of accounts' libraries."""

import sqlalchemy as sa
from alembic import op

revision = "v6_library"
down_revision = "v5_games"


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "library_files",
        sa.Column("account", sa.String(64), primary_key=True),
        sa.Column("id", sa.String(100), primary_key=True),
        sa.Column("path", sa.Text, nullable=False),
        sa.Column("content", sa.LargeBinary, nullable=False),
        sa.Column("size", sa.BigInteger, nullable=False),
        sa.Column("stored", sa.BigInteger, nullable=False),
        sa.Column("version", sa.BigInteger, nullable=False),
        sa.Column("updated", sa.BigInteger, nullable=False),
        sa.Column("removed", sa.BigInteger),
    )
    op.create_index("library_files_removed", "library_files", ["removed"])
