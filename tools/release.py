"""Say whether everything agrees on a version: `python tools/release.py [TAG]`.

The version is `VERSION` of rookery_engine/shell/loop.py.  The chart and the changelog have it,
too; and with a TAG, such as v0.1.0, that is of this version, and the changelog says of which day
it is.
"""

import re
import sys
from pathlib import Path

LOOP = Path("engine/rookery_engine/shell/loop.py")
CHANGELOG = Path("CHANGELOG.md")
CHART = Path("docker/chart/rookery/Chart.yaml")
DAY = r"\d{4}-\d{2}-\d{2}"


def main():
    complaints = list(complaints_of(sys.argv[1] if len(sys.argv) > 1 else None))
    for each in complaints:
        print(each, file=sys.stderr)
    return 1 if complaints else 0


def complaints_of(tag, root=Path()):
    """Yield what does not agree."""
    ours = only(r'^VERSION = "(.+?)"', root / LOOP)
    for key in ("version", "appVersion"):
        there = only(rf'^{key}: "?([^"\n]+)"?$', root / CHART)
        if there != ours:
            yield "%s: %s is %s, and the version %s" % (CHART, key, there, ours)
    heading = re.search(r"^## (.+)$", (root / CHANGELOG).read_text(encoding="utf-8"), re.M)[1]
    form = re.fullmatch(rf"(\S+), (unreleased|{DAY})", heading)
    if form is None or form[1] != ours:
        yield "%s: the first heading is %r, and not '%s, unreleased' or '%s, YEAR-MONTH-DAY'" % (
            CHANGELOG, heading, ours, ours,
        )  # fmt: skip
    if tag is not None and tag != "v" + ours:
        yield "the tag is %s, and the version %s" % (tag, ours)
    if tag is not None and form and form[2] == "unreleased":
        yield "%s: %s is still 'unreleased': say of which day it is" % (CHANGELOG, ours)


def only(pattern, path):
    [found] = re.findall(pattern, path.read_text(encoding="utf-8"), re.M)
    return found


if __name__ == "__main__":
    sys.exit(main())
