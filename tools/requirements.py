"""Print the requirements of one extra of pyproject.toml, for `pip install -r`."""

import sys
import tomllib
from pathlib import Path

project = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))["project"]
print(*project["optional-dependencies"][sys.argv[1]], sep="\n")
