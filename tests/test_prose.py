"""The counter of prose finds what it is for, and nothing else."""

from pathlib import Path

import pytest
from helpers.tool import tool

prose = tool("prose")


@pytest.mark.parametrize(
    ("source", "kinds"),
    [
        ('"""Where a server is."""', ["docstrings"]),
        ('def end() -> None:\n    """Take note that it ends."""', ["docstrings"]),
        ('class Room:\n    """Who watches whom."""\n    async def tell(self): ...',
         ["docstrings", "verbs"]),
        ('def tell_client() -> None:\n    """Return what is new."""', []),
        ('"""Whatever a client sends."""', []),
        ("# Who reads this?\nholding = 1", []),
    ],
)  # fmt: skip
def test_clauses_and_bare_verbs_are_found(
    source: str, kinds: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(prose, "ROOT", tmp_path)
    path = tmp_path / "module.py"
    path.write_text(source)
    found = sorted(each.kind for each in prose.findings(path))
    assert found == [f"{kind} of tests, bench and tools" for kind in kinds]


def test_parts_of_the_repository_have_ceilings_of_their_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(prose, "ROOT", tmp_path)
    path = tmp_path / "server" / "rookery_server" / "module.py"
    path.parent.mkdir(parents=True)
    path.write_text("def give(): ...\n")
    (found,) = prose.findings(path)
    assert found.kind in prose.CEILINGS
    assert found == ("verbs of the packages", "server/rookery_server/module.py:1", "def give")
