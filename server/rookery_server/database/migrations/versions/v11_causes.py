"""The reasons why projects do not grow, for programs."""

import sqlalchemy as sa
from alembic import op

revision = "v11_causes"
down_revision = "v10_builds"


def upgrade() -> None:
    """Add the column; what has ended before has a sentence only."""
    op.add_column("projects", sa.Column("cause", sa.String(16)))
