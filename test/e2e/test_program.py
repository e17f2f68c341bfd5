"""Programs from Python and from the command line on the simulator, against numpy."""

import json
import re
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import allo_air
from allo_air.program.checks.matmul import check_matmul
from allo_air.program.matmul import RESULTS, Matmul

BF16 = np.dtype(ml_dtypes.bfloat16)


def operands(described: Matmul, seed: int = 0) -> tuple[Any, Any]:
    from allo_air.dtypes import numpy_dtype
    from allo_air.program.host.arrays import random_array

    rng, dtype = np.random.default_rng(seed), numpy_dtype(described.dtype)
    return random_array(rng, (described.m, described.k), dtype), random_array(rng, (described.k, described.n), dtype)


@pytest.mark.parametrize(
    ("shape", "dtype", "device"),
    [
        *(((33, 45, 70), dtype, "npu1") for dtype in ("bf16", "i8", "i32")),
        *(pytest.param((33, 45, 70), dtype, "npu1", marks=pytest.mark.slow) for dtype in ("f32", "i16")),
        ((1, 1, 1), "i8", "npu1"),
        ((33, 45, 70), "bf16", "npu2"),
        *(pytest.param((33, 45, 70), d, "npu2", marks=pytest.mark.slow) for d in RESULTS if d != "bf16"),
        *(pytest.param((1, 1, 1), d, "npu1", marks=pytest.mark.slow) for d in RESULTS if d != "i8"),
        *(pytest.param((1, 1, 1), d, "npu2", marks=pytest.mark.slow) for d in RESULTS),
    ],
)
def test_matmuls(shape: tuple[int, int, int], dtype: str, device: str, tmp_path: Path) -> None:
    described = Matmul(*shape, dtype)
    a, b = operands(described)
    program = allo_air.compile(described, device=device, cache_dir=tmp_path)
    found = check_matmul(described, a, b, program(a, b))
    assert found.ok, found.message
    report = program.report()
    assert report.run.status == "done"
    assert report.run.findings == []
    assert report.cycles > 0
    assert sum(c.words for c in report.run.channels) > 0
    assert report.macs_per_cycle > 0
    assert report.peak_per_cycle is None or report.macs_per_cycle < report.peak_per_cycle


def test_counters_agree_with_the_problem(tmp_path: Path) -> None:
    program = allo_air.compile(shape=(64, 64, 64), cache_dir=tmp_path)
    report = program.report()
    assert sum(c.macs for c in report.run.cores) == 64**3
    host = [c for c in report.run.channels if c.tile[1] == 0]
    assert 4 * sum(c.words for c in host if c.direction == "S2MM") == 64 * 64 * 4
    assert 4 * sum(c.words for c in host if c.direction == "MM2S") >= 2 * 64 * 64 * 2
    assert report.run.ddr_bytes == 4 * sum(c.words for c in host)


def test_the_same_seed_gives_the_same_trace(tmp_path: Path) -> None:
    described = Matmul(32, 32, 32)
    a, b = operands(described)
    texts = []
    for number in range(2):
        program = allo_air.compile(described, cache_dir=tmp_path)
        program(a, b, seed=3, trace=True)
        program.trace(tmp_path / f"{number}.json")
        texts.append((tmp_path / f"{number}.json").read_text())
    assert texts[0] == texts[1]
    entries = json.loads(texts[0])
    counts = Counter((e["pid"], e["tid"], e["ph"]) for e in entries if e["ph"] in "BE")
    assert all(counts[pid, tid, "B"] == counts[pid, tid, "E"] for pid, tid, _ in counts)
    names = {e["name"] for e in entries if e["ph"] == "B"}
    assert {"INSTR_VECTOR", "LOCK_STALL"} <= names
    assert any(name.startswith("PORT_RUNNING") for name in names)
    assert any(name.endswith("START_TASK") for name in names)


def test_saved_programs_run(tmp_path: Path) -> None:
    described = Matmul(33, 20, 17, "i16")
    allo_air.compile(described, cache=False).save(tmp_path / "saved")
    a, b = operands(described)
    loaded = allo_air.load(tmp_path / "saved")
    assert check_matmul(described, a, b, loaded(a, b)).ok


def test_matmul_in_one_line() -> None:
    a, b = operands(Matmul(20, 12, 16, "i8"))
    np.testing.assert_array_equal(allo_air.matmul(a, b), a.astype(np.int32) @ b.astype(np.int32))


def test_simulate_runs_what_a_pipeline_left(tmp_path: Path) -> None:
    described = Matmul(32, 32, 32, "i32")
    program = allo_air.compile(described, cache_dir=tmp_path)
    assert all(argument.padded == argument.shape for argument in program.arguments)
    a, b = operands(described)
    c = np.zeros((32, 32), np.int32)
    report = allo_air.simulate(program.text(), a, b, c)
    assert report.ok
    assert check_matmul(described, a, b, c).ok


def test_allo_run_from_a_shell(tmp_path: Path, tools: Path) -> None:
    allo_run = str(tools / "allo-run")
    command = [allo_run, "gemm-bf16", "--shape", "20x12x16", "--cache-dir", str(tmp_path)]
    more = ["--trace", str(tmp_path / "t.json"), "--save", str(tmp_path / "saved"), "--json"]
    done = subprocess.run([*command, *more], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    body = json.loads(done.stdout)
    assert body["check"]["ok"] is True
    assert body["report"]["status"] == "done"
    assert json.loads((tmp_path / "t.json").read_text())
    stage = tmp_path / "saved" / json.loads((tmp_path / "saved/manifest.json").read_text())["levels"]["npu"]
    again = [allo_run, str(stage), "--output", str(tmp_path / "c.npy")]
    done = subprocess.run(again, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "ran at level 'npu', seed 0" in done.stdout


def test_a_design_that_computes_something_else_is_found(tmp_path: Path) -> None:
    described = Matmul(32, 32, 32, "i32")
    program = allo_air.compile(described, cache_dir=tmp_path)
    text, changed = re.subn(r"arith.addi (%\w+, %\w+ : vector)", r"arith.subi \1", program.text())
    assert changed
    broken = allo_air.compile(text, cache_dir=tmp_path)
    a, b = operands(described)
    assert check_matmul(described, a, b, program(a, b)).ok
    assert not check_matmul(described, a, b, broken(a, b)).ok
