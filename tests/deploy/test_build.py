"""A build holds this version only, whatever was built here before."""

import subprocess
import sys
from pathlib import Path
from sysconfig import get_config_var

ROOT = Path(__file__).parents[2]


def test_what_a_former_build_has_left_is_not_packed(tmp_path: Path) -> None:
    package = tmp_path / "rookery_engine"
    stale = [package / name for name in ("net/former.network", "gone.py", "core/gone.so")]
    compiled = package / f"search/search{get_config_var('EXT_SUFFIX')}"
    for path in (*stale, compiled):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    subprocess.run(
        [sys.executable, "setup.py", "--quiet", "build_py", "--build-lib", str(tmp_path)],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    assert not any(path.exists() for path in stale)
    assert compiled.exists()  # Else all would be compiled anew each time.
    assert len(list(package.glob("net/*.network"))) == 1
    assert (package / "shell/engine.py").exists()
