"""The tables of projects, and the kinds of work in the register of servers."""

import sqlalchemy as sa
from alembic import op

revision = "v7_projects"
down_revision = "v6_library"

_Number = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    """Make the tables, and add the column."""
    work = sa.Column("work", sa.String(16), nullable=False, server_default="jobs")
    op.add_column("job_servers", work)
    op.create_table(
        "projects",
        sa.Column("number", _Number, primary_key=True),
        sa.Column("id", sa.String(32), nullable=False, unique=True),
        sa.Column("account", sa.String(64), nullable=False),
        sa.Column("role", sa.String(16), nullable=False),
        sa.Column("token", sa.String(64)),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("root", sa.Text, nullable=False),
        sa.Column("settings", sa.Text, nullable=False),
        sa.Column("budget", sa.Text, nullable=False),
        sa.Column("stage", sa.String(16), nullable=False),
        sa.Column("reason", sa.Text),
        sa.Column("positions", sa.BigInteger, nullable=False),
        sa.Column("leaves", sa.BigInteger, nullable=False),
        sa.Column("claimed", sa.BigInteger, nullable=False),
        sa.Column("nodes", sa.BigInteger, nullable=False),
        sa.Column("spent", sa.BigInteger, nullable=False),
        sa.Column("refreshed", sa.Text),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("updated", sa.BigInteger, nullable=False),
    )
    op.create_index("projects_account", "projects", ["account"])
    op.create_index("projects_stage", "projects", ["stage"])
    op.create_table(
        "project_nodes",
        sa.Column("project", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("number", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("hash", sa.BigInteger, nullable=False),
        sa.Column("key", sa.Text, nullable=False),
        sa.Column("phase", sa.Integer, nullable=False),
        sa.Column("rank", sa.Integer, nullable=False),
        sa.Column("found_by", sa.BigInteger),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("own", sa.Integer),
        sa.Column("depth", sa.Integer, nullable=False),
        sa.Column("nodes", sa.BigInteger, nullable=False),
        sa.Column("engine", sa.Integer),
        sa.Column("value", sa.Integer),
        sa.Column("priority", sa.BigInteger),
        sa.Column("is_proven", sa.Boolean, nullable=False),
        sa.Column("is_claimed", sa.Boolean, nullable=False),
        sa.Column("size", sa.BigInteger, nullable=False),
        sa.Column("turned", sa.BigInteger, nullable=False),
        sa.Column("candidates", sa.Text, nullable=False),
        sa.Column("trend", sa.Text, nullable=False),
    )
    op.create_index("project_nodes_hash", "project_nodes", ["project", "hash"])
    op.create_index("project_nodes_turned", "project_nodes", ["project", "turned"])
    order = ["project", "phase", "rank", "number"]
    op.create_index("project_nodes_order", "project_nodes", order)
    op.create_table(
        "project_links",
        sa.Column("project", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("child", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("parent", sa.BigInteger, primary_key=True, autoincrement=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "project_claims",
        sa.Column("number", _Number, primary_key=True),
        sa.Column("project", sa.BigInteger, nullable=False),
        sa.Column("place", sa.BigInteger, nullable=False),
        sa.Column("node", sa.BigInteger, nullable=False),
        sa.Column("server", sa.BigInteger),
        sa.Column("search", sa.Text, nullable=False),
        sa.UniqueConstraint("project", "place", name="project_claims_place"),
    )
