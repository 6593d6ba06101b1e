"""The tables of jobs."""

import sqlalchemy as sa
from alembic import op

revision = "v3_jobs"
down_revision = "v2_used"

_Number = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "jobs",
        sa.Column("number", _Number, primary_key=True),
        sa.Column("id", sa.String(32), nullable=False, unique=True),
        sa.Column("account", sa.String(64), nullable=False),
        sa.Column("role", sa.String(16), nullable=False),
        sa.Column("token", sa.String(64)),
        sa.Column("request", sa.String(255)),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("engine", sa.Text, nullable=False),
        sa.Column("settings", sa.Text, nullable=False),
        sa.Column("priority", sa.Integer, nullable=False),
        sa.Column("stage", sa.String(16), nullable=False),
        sa.Column("reason", sa.Text),
        sa.Column("loader", sa.BigInteger),
        sa.Column("total", sa.BigInteger, nullable=False),
        sa.Column("size", sa.BigInteger, nullable=False),
        sa.Column("claimed", sa.BigInteger, nullable=False),
        sa.Column("done", sa.BigInteger, nullable=False),
        sa.Column("failed", sa.BigInteger, nullable=False),
        sa.Column("positions", sa.BigInteger, nullable=False),
        sa.Column("nodes", sa.BigInteger, nullable=False),
        sa.Column("spent", sa.BigInteger, nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("finished", sa.BigInteger),
        sa.Column("expires", sa.BigInteger),
        sa.UniqueConstraint("account", "request", name="jobs_request"),
    )
    op.create_index("jobs_stage", "jobs", ["stage"])
    for table, content in (("job_items", "input"), ("job_results", "result")):
        op.create_table(
            table,
            sa.Column("job", sa.BigInteger, primary_key=True, autoincrement=False),
            sa.Column("number", sa.BigInteger, primary_key=True, autoincrement=False),
            sa.Column(content, sa.Text, nullable=False),
        )
    op.add_column("job_results", sa.Column("annotated", sa.Text))
    op.create_table(
        "job_claims",
        sa.Column("number", _Number, primary_key=True),
        sa.Column("job", sa.BigInteger, nullable=False),
        sa.Column("first", sa.BigInteger, nullable=False),
        sa.Column("count", sa.Integer, nullable=False),
        sa.Column("server", sa.BigInteger),
    )
    op.create_index("job_claims_job", "job_claims", ["job"])
    op.create_table(
        "job_servers",
        sa.Column("number", _Number, primary_key=True),
        sa.Column("machine", sa.String(64), nullable=False),
        sa.Column("process", sa.String(64), nullable=False),
        sa.Column("seen", sa.BigInteger, nullable=False),
    )
