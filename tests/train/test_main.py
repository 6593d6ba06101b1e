"""The command line, from games to a network."""

import os
import subprocess
import sys
from pathlib import Path

import train

LIBRARY = Path(train.__file__).parent.parent


def run(*words: object, status: int = 0) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "train", *map(str, words)],
        env={**os.environ, "PYTHONPATH": str(LIBRARY)},
        capture_output=True,
        text=True,
        timeout=100,
    )
    assert done.returncode == status, done.stderr
    return done.stdout + done.stderr


def test_from_games_to_a_network(tmp_path: Path) -> None:
    own = f"{sys.executable} -m rookery_engine"
    games, samples, new = (tmp_path / name for name in ("games", "samples", "new"))
    run("generate", games, "--engine", own, "--nodes", 100, "--positions", 3000)
    said = run("pack", samples, f"{games}.0")
    assert "fits the results best" in said
    said = run("fit", samples, new, "--epochs", 6, "--batch", 128, "--lr", 0.003)
    losses = [float(line.split()[5].rstrip(",")) for line in said.splitlines() if " of 6: " in line]
    assert len(losses) == 6
    assert losses[-1] < 0.6 * losses[0]
    run("export", f"{new}.checkpoint", tmp_path / "again.network")
    run("widen", tmp_path / "same.network", tmp_path / "again.network")
    assert (tmp_path / "same.network").read_bytes() == (tmp_path / "again.network").read_bytes()
    said = run("show", tmp_path / "again.network", "4k3/8/8/8/8/8/8/QQQQK3 w - - 0 1")
    assert "4 king buckets, 512 and 8 neurons, 8 outputs" in said


def test_from_self_play_to_a_network(tmp_path: Path) -> None:
    openings, samples, new = (tmp_path / name for name in ("openings", "samples", "new"))
    openings.write_text("4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - -\n")
    words = ("--nodes", 50, "--every", 5, "--positions", 30_000, "--workers", 2)
    said = run("collect", samples, "--openings", openings, openings, *words)
    assert "repeated" in said
    said = run("label", samples, "--engine", "/usr/games/stockfish", "--workers", 2)
    assert "samples.validation" in said
    run("fit", samples, new, "--epochs", 1, "--batch", 128, "--wdl", 0)
    assert (tmp_path / "new.network").exists()


def test_trouble_is_reported_in_a_line(games: Path, samples: Path, tmp_path: Path) -> None:
    for words in (
        ("generate", tmp_path / "out", "--engine", "no-such-engine"),
        ("pack", tmp_path / "out", tmp_path / "none"),
        ("pack", tmp_path / "none" / "out", games),
        ("collect", tmp_path / "out", "--openings", tmp_path / "none"),
        ("collect", tmp_path / "out", "--openings", games),
        ("collect", tmp_path / "none" / "out", "--openings", games),
        ("label", games, "--engine", "true"),
        ("label", tmp_path / "none", "--engine", "true"),
        ("label", samples, "--engine", "no-such-engine"),
        ("fit", games, tmp_path / "out"),
        ("export", games, tmp_path / "out"),
        ("show", games),
        ("probe",),
        ("probe", games),
        ("probe", "--engine", "no-such-engine"),
        ("probe", "--engine", "'"),
        ("probe", "--engine", sys.executable, "--truth", games),
        ("truth", tmp_path / "out", games, "--engine", "no-such-engine"),
        ("truth", tmp_path / "out", tmp_path / "none", "--engine", "true"),
    ):
        said = run(*words, status=1)
        assert said.strip().splitlines()[-1].startswith("train: ")
        assert "Traceback" not in said
