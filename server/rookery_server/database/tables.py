"""The tables of the database.

The steps from each form to the next are Alembic's, in `migrations`; what they come to must be
what stands here, and a test says so.  Times are seconds of the epoch, and `spent` is in ms.
"""

import sqlalchemy as sa

HEAD = "v12_asked"  # the newest form of the tables

metadata = sa.MetaData()

# SQLite numbers rows by itself only where the key is an INTEGER.
_Number = sa.BigInteger().with_variant(sa.Integer, "sqlite")

# An evaluation: of a key, the deepest with so many variations.  `position`, `engine` and
# `account` are for people; `account` is empty where all have them in common.  `lines` is UCI.
evaluations = sa.Table(
    "evaluations",
    metadata,
    sa.Column("key", sa.String(32), primary_key=True),
    sa.Column("variations", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("account", sa.String(64), nullable=False),
    sa.Column("engine", sa.Text, nullable=False),
    sa.Column("position", sa.Text, nullable=False),
    sa.Column("depth", sa.Integer, nullable=False),
    sa.Column("nodes", sa.BigInteger, nullable=False),
    sa.Column("spent", sa.BigInteger, nullable=False),
    sa.Column("lines", sa.Text, nullable=False),
    sa.Column("stored", sa.BigInteger, nullable=False),
    sa.Column("used", sa.BigInteger, nullable=False),
    sa.Index("evaluations_used", "used"),
)

# A job: `id` is for its account, which none can guess; `number` for the other tables.  `request`
# is of the client, by which a job is posted only once.  `settings` are JSON.  Items from 0 up
# to `claimed` were claimed once, of `total`; `done` have a result, of which `failed` are errors.
# `loader` is the server that still reads its input, `digest` the SHA-256 of all of it.
jobs = sa.Table(
    "jobs",
    metadata,
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
    sa.Column("size", sa.BigInteger, nullable=False),  # bytes of the input
    sa.Column("claimed", sa.BigInteger, nullable=False),
    sa.Column("done", sa.BigInteger, nullable=False),
    sa.Column("failed", sa.BigInteger, nullable=False),
    sa.Column("positions", sa.BigInteger, nullable=False),  # that were searched
    sa.Column("nodes", sa.BigInteger, nullable=False),
    sa.Column("spent", sa.BigInteger, nullable=False),
    sa.Column("created", sa.BigInteger, nullable=False),
    sa.Column("finished", sa.BigInteger),
    sa.Column("expires", sa.BigInteger),
    sa.Column("digest", sa.String(64)),
    sa.UniqueConstraint("account", "request", name="jobs_request"),
    sa.Index("jobs_stage", "stage"),
)

# A position or a game of a job, and its one result; both JSON.  `annotated` is a game in PGN.
job_items = sa.Table(
    "job_items",
    metadata,
    sa.Column("job", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("number", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("input", sa.Text, nullable=False),
)
job_results = sa.Table(
    "job_results",
    metadata,
    sa.Column("job", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("number", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("result", sa.Text, nullable=False),
    sa.Column("annotated", sa.Text),
)

# Items that a server has begun; without a server they are free for any.
job_claims = sa.Table(
    "job_claims",
    metadata,
    sa.Column("number", _Number, primary_key=True),
    sa.Column("job", sa.BigInteger, nullable=False),
    sa.Column("first", sa.BigInteger, nullable=False),
    sa.Column("count", sa.Integer, nullable=False),
    sa.Column("server", sa.BigInteger),
    sa.Index("job_claims_job", "job"),
)

# The runs of servers, one for each kind of work.  `machine` and `process` tell others on the same
# machine whether one is still there.
job_servers = sa.Table(
    "job_servers",
    metadata,
    sa.Column("number", _Number, primary_key=True),
    sa.Column("machine", sa.String(64), nullable=False),
    sa.Column("process", sa.String(64), nullable=False),
    sa.Column("work", sa.String(16), nullable=False, server_default="jobs"),
    sa.Column("seen", sa.BigInteger, nullable=False),
)

# A project: `id` is for its account, which none can guess; `number` for the other tables.  `root`,
# `settings` and `budget` are JSON.  `positions` counts its nodes, `leaves` the searches that were
# stored, and `claimed` those that were begun.  After a change of settings, `refreshed` is the
# place up to which nodes have new priorities.  Each change of a project raises its `revision`.
# `history` is JSON: the last changes at the root.  `tree` is the number by which nodes and links
# have the project; without one it is the project's own.  While a tree is built of others, `build`
# is JSON, and `draft` the row that keeps its number.
projects = sa.Table(
    "projects",
    metadata,
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
    sa.Column("cause", sa.String(16)),
    sa.Column("positions", sa.BigInteger, nullable=False),
    sa.Column("leaves", sa.BigInteger, nullable=False),
    sa.Column("claimed", sa.BigInteger, nullable=False),
    sa.Column("nodes", sa.BigInteger, nullable=False),  # that were searched
    sa.Column("spent", sa.BigInteger, nullable=False),
    sa.Column("refreshed", sa.Text),
    sa.Column("created", sa.BigInteger, nullable=False),
    sa.Column("updated", sa.BigInteger, nullable=False),
    sa.Column("revision", sa.BigInteger, nullable=False, server_default="0"),
    sa.Column("history", sa.Text, nullable=False, server_default="[]"),
    sa.Column("tree", sa.BigInteger),
    sa.Column("draft", sa.BigInteger),
    sa.Column("build", sa.Text),
    sa.Index("projects_account", "account"),
    sa.Index("projects_stage", "stage"),
)

# A position of a project's tree; the root has the number 1.  `hash` is of its key: an index of
# whole keys would take as much as the rest.  `candidates` and `trend` are JSON.  `turned` and
# `grown` are what the size of the root was when its best move changed last, and its own size.
project_nodes = sa.Table(
    "project_nodes",
    metadata,
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
    sa.Column("height", sa.Integer, nullable=False, server_default="0"),
    sa.Column("grown", sa.BigInteger, nullable=False, server_default="0"),
    sa.Column("asked", sa.BigInteger, nullable=False, server_default="0"),
    sa.Index("project_nodes_hash", "project", "hash"),
    sa.Index("project_nodes_turned", "project", "turned"),
    sa.Index("project_nodes_order", "project", "phase", "rank", "number"),
)

# The nodes that have a move to another one.
project_links = sa.Table(
    "project_links",
    metadata,
    sa.Column("project", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("child", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("parent", sa.BigInteger, primary_key=True, autoincrement=False),
    sqlite_with_rowid=False,
)

# Searches of nodes that servers have begun, in their order; without a server they are free for any.
# `search` is JSON.
project_claims = sa.Table(
    "project_claims",
    metadata,
    sa.Column("number", _Number, primary_key=True),
    sa.Column("project", sa.BigInteger, nullable=False),
    sa.Column("place", sa.BigInteger, nullable=False),
    sa.Column("node", sa.BigInteger, nullable=False),
    sa.Column("server", sa.BigInteger),
    sa.Column("search", sa.Text, nullable=False),
    sa.UniqueConstraint("project", "place", name="project_claims_place"),
)

# A game that its account shares: `id` is the secret in its link.  `size` is in bytes; without
# `expires` it stays until it is removed.
shared_games = sa.Table(
    "shared_games",
    metadata,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("account", sa.String(64), nullable=False),
    sa.Column("title", sa.Text, nullable=False),
    sa.Column("pgn", sa.Text, nullable=False),
    sa.Column("size", sa.Integer, nullable=False),
    sa.Column("created", sa.BigInteger, nullable=False),
    sa.Column("updated", sa.BigInteger, nullable=False),
    sa.Column("expires", sa.BigInteger),
    sa.Index("shared_games_account", "account"),
    sa.Index("shared_games_expires", "expires"),
)

# A file of an account's library: `id` is its client's.  `content` is compressed, and takes `stored`
# bytes of `size`; `version` counts its changes.  `removed` is when it was removed.
library_files = sa.Table(
    "library_files",
    metadata,
    sa.Column("account", sa.String(64), primary_key=True),
    sa.Column("id", sa.String(100), primary_key=True),
    sa.Column("path", sa.Text, nullable=False),
    sa.Column("content", sa.LargeBinary, nullable=False),
    sa.Column("size", sa.BigInteger, nullable=False),
    sa.Column("stored", sa.BigInteger, nullable=False),
    sa.Column("version", sa.BigInteger, nullable=False),
    sa.Column("updated", sa.BigInteger, nullable=False),
    sa.Column("removed", sa.BigInteger),
    sa.Index("library_files_removed", "removed"),
)
