"""Feed every grammar and the session with what means nothing: `python -m bench.fuzz --seconds 600`.

Each target gets its part of the time, one half of it from atheris, which follows the
branches that an input takes, the other from hypothesis, which finds the smallest one that
fails.  What fails is kept under `bench/out/fuzz/`.
"""

import argparse
import subprocess
import sys
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from hypothesis.database import DirectoryBasedExampleDatabase

from bench.child import OUT
from bench.fuzz.target import SEEDS, TARGETS

PLACE = OUT / "fuzz"
MOST = 400  # bytes of an input
ROUND = 100  # inputs by hypothesis between two looks at the clock


def main() -> int:
    """Feed the targets; 1 if one of them has broken a rule."""
    arguments = _arguments()
    names = arguments.only or list(TARGETS)
    each = arguments.seconds / len(names)
    follows = find_spec("atheris") is not None
    if not follows:
        print("without atheris (`pip install --group fuzz`): hypothesis gets all the time")
    findings = 0
    for name in names:
        began = time.monotonic()
        bad = follows and not _follow(name, each / 2)
        count, error = _try(name, TARGETS[name], began + each)
        findings += bool(bad or error)
        word = "FINDING" if bad or error else "nothing found"
        print(
            f"{name}: {time.monotonic() - began:.0f} s, {count} of hypothesis: {word}", flush=True
        )
        if error:
            print(f"{type(error).__name__}: {error}", *getattr(error, "__notes__", ()), sep="\n")
    print(f"{len(names)} targets, {arguments.seconds:.0f} s: {findings} with findings")
    return int(findings > 0)


def _follow(name: str, seconds: float) -> bool:
    """Let atheris feed a target; return whether it has found nothing."""
    corpus = PLACE / name
    corpus.mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate(SEEDS.get(name, ())):
        (corpus / f"seed-{number}").write_bytes(seed)
    command = [
        sys.executable, "-m", "bench.fuzz.harness", name, str(corpus), f"-max_len={MOST}",
        f"-max_total_time={max(1, int(seconds))}", f"-artifact_prefix={PLACE}/{name}-",
        "-rss_limit_mb=2048",
    ]  # fmt: skip
    with (PLACE / f"{name}.log").open("wb") as log:
        done = subprocess.run(command, stdout=log, stderr=log, check=False)
    if done.returncode:
        print(f"{name}: atheris ended with {done.returncode}, see {log.name}")
    return done.returncode == 0


def _try(name: str, target: Callable[[bytes], None], until: float) -> tuple[int, Exception | None]:
    """Let hypothesis feed a target; return how often, and what was found."""
    count = 0
    known = st.sampled_from(SEEDS.get(name, (b"",)))
    inputs = st.one_of(
        st.binary(max_size=MOST),
        st.builds(
            _changed, known, st.lists(st.tuples(st.integers(0, MOST), st.binary(max_size=4)))
        ),
    )

    @settings(
        max_examples=ROUND,
        deadline=None,
        database=DirectoryBasedExampleDatabase(PLACE / "hypothesis" / name),
        suppress_health_check=list(HealthCheck),
        phases=[Phase.reuse, Phase.generate, Phase.shrink],
    )
    @given(inputs)
    def feed(data: bytes) -> None:
        nonlocal count
        count += 1
        target(data)

    try:
        while time.monotonic() < until:
            feed()
    except Exception as error:  # whatever it is, it is what we look for
        return count, error
    return count, None


def _changed(seed: bytes, changes: list[tuple[int, bytes]]) -> bytes:
    """Return a seed with bytes put over others here and there."""
    data = bytearray(seed)
    for place, piece in changes:
        start = place % (len(data) + 1)
        data[start : start + len(piece) // 2] = piece
    return bytes(data)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.fuzz", description=__doc__)
    parser.add_argument("--seconds", type=float, default=600.0, help="for all targets (600)")
    parser.add_argument("--only", action="append", choices=tuple(TARGETS), help="may be repeated")
    return parser.parse_args()


if __name__ == "__main__":
    Path(PLACE).mkdir(parents=True, exist_ok=True)
    sys.exit(main())
