"""The trees of projects that are built of others."""

import sqlalchemy as sa
from alembic import op

revision = "v10_builds"
down_revision = "v9_heights"


def upgrade() -> None:
    """Add the columns."""
    for name in ("tree", "draft"):
        op.add_column("projects", sa.Column(name, sa.BigInteger))
    op.add_column("projects", sa.Column("build", sa.Text))
