"""Drives lit from pytest: every `.mlir` test is an item, and lit runs once, two at a time, for all that were selected."""

import fcntl
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent / "lit"
FILES = sorted(p.relative_to(ROOT).as_posix() for p in ROOT.rglob("*.mlir") if not {"Inputs", "Output"} & set(p.parts))


@pytest.fixture(scope="session")
def results(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, str]]:
    """Outcome and output of each selected lit file."""
    selected = [i.callspec.params["file"] for i in request.session.items if i.name.startswith("test_lit[")]
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "lit"  # the processes of pytest share one run
    folder.mkdir(exist_ok=True)
    report = folder / "report.json"
    with open(folder / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not report.exists():
            _run_lit(selected, folder, report)
    tests = json.loads(report.read_text())["tests"]
    return {t["name"].removeprefix("allo_air :: "): t for t in tests}


def _run_lit(selected: list[str], folder: Path, report: Path) -> None:
    lit = [sys.executable, "-c", "from lit.main import main; main()"]
    command = [*lit, "-j2", "-q", f"--output={report}", f"-Dexec_root={folder}"]
    run = subprocess.run([*command, *(str(ROOT / f) for f in selected)], capture_output=True, text=True, check=False)
    if not report.exists():
        pytest.fail(f"lit did not run:\n{run.stdout}{run.stderr}")


@pytest.mark.parametrize("file", FILES)
def test_lit(file: str, results: dict[str, dict[str, str]]) -> None:
    found = results.get(file)
    assert found is not None, "lit did not run this file: has it a RUN line?"
    if found["code"] == "UNSUPPORTED":
        pytest.skip(found["output"])
    if found["code"] not in ("PASS", "XFAIL"):
        pytest.fail(f"{found['code']}\n{found['output']}", pytrace=False)
