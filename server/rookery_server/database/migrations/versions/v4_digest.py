"""The digest of the items of a job, by which a repeated request is known."""

import sqlalchemy as sa
from alembic import op

revision = "v4_digest"
down_revision = "v3_jobs"


def upgrade() -> None:
    """Add the column."""
    op.add_column("jobs", sa.Column("digest", sa.String(64)))
