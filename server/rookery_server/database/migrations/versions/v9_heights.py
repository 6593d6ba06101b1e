"""The heights of subtrees, when they have grown, and the last changes at the root."""

import sqlalchemy as sa
from alembic import op

revision = "v9_heights"
down_revision = "v8_revision"


def upgrade() -> None:
    """Add the columns."""
    op.add_column("projects", sa.Column("history", sa.Text, nullable=False, server_default="[]"))
    op.add_column(
        "project_nodes", sa.Column("height", sa.Integer, nullable=False, server_default="0")
    )
    op.add_column(
        "project_nodes", sa.Column("grown", sa.BigInteger, nullable=False, server_default="0")
    )
