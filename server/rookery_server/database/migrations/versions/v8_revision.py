"""The count of the changes of a project."""

import sqlalchemy as sa
from alembic import op

revision = "v8_revision"
down_revision = "v7_projects"


def upgrade() -> None:
    """Add the column."""
    op.add_column(
        "projects", sa.Column("revision", sa.BigInteger, nullable=False, server_default="0")
    )
