"""The nodes that the searches of positions were given."""

import sqlalchemy as sa
from alembic import op

revision = "v12_asked"
down_revision = "v11_causes"


def upgrade() -> None:
    """Add the column; of older searches, the nodes that they had count."""
    op.add_column(
        "project_nodes", sa.Column("asked", sa.BigInteger, nullable=False, server_default="0")
    )
