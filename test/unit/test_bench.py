"""Each script of bench/ starts: it finds what it imports, whatever names the files beside it have."""

import runpy
import sys
from pathlib import Path

import pytest

BENCH = Path(__file__).parents[2] / "bench"
SCRIPTS = sorted(BENCH.glob("*.py"))


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.name)
def test_a_script_starts(script: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if "import torch" in script.read_text():
        pytest.importorskip("torch")
    monkeypatch.syspath_prepend(BENCH)  # where Python looks first for what a script imports
    for name in [s.stem for s in SCRIPTS]:
        monkeypatch.setitem(sys.modules, name, None)  # as it was, afterwards
        del sys.modules[name]
    runpy.run_path(str(script), run_name="started")
