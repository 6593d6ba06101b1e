"""The time of the last use of an evaluation: the least used are removed first."""

import sqlalchemy as sa
from alembic import op

revision = "v2_used"
down_revision = "v1_evaluations"


def upgrade() -> None:
    """Add the time; what is there already was used when it was stored."""
    with op.batch_alter_table("evaluations") as table:
        table.add_column(sa.Column("used", sa.BigInteger, nullable=False, server_default="0"))
    op.execute("UPDATE evaluations SET used = stored")
    with op.batch_alter_table("evaluations") as table:
        table.alter_column("used", server_default=None)
    op.create_index("evaluations_used", "evaluations", ["used"])
