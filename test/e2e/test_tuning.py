"""Tuning with real simulations: what is kept is used, never slower, and computes the same."""

import json
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

import allo_air
from allo_air.tools.allo_tune import main

ADD = """func.func @f(%a: tensor<96xi32>, %b: tensor<96xi32>) -> tensor<96xi32> {
  %e = tensor.empty() : tensor<96xi32>
  %c = linalg.add ins(%a, %b : tensor<96xi32>, tensor<96xi32>) outs(%e : tensor<96xi32>) -> tensor<96xi32>
  return %c : tensor<96xi32>
}
"""

SOFTMAX = """func.func @f(%a: tensor<32x48xbf16>) -> tensor<32x48xbf16> {
  %e = tensor.empty() : tensor<32x48xbf16>
  %c = linalg.softmax dimension(1) ins(%a : tensor<32x48xbf16>) outs(%e : tensor<32x48xbf16>) -> tensor<32x48xbf16>
  return %c : tensor<32x48xbf16>
}
"""


def test_the_tool_keeps_what_compile_then_uses(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "add.mlir").write_text(ADD)
    before = allo_air.compile(ADD, cache_dir=tmp_path)
    arguments = [str(tmp_path / "add.mlir"), "--cache-dir", str(tmp_path), "--budget", "10m", "--candidates", "2", "--json"]
    assert main(arguments) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["left"] == 0 and told["tuned"] <= told["untuned"] == before.report().cycles
    assert any(row["best"] and row["cycles"] == told["tuned"] for row in told["rows"])
    after = allo_air.compile(ADD, cache_dir=tmp_path)
    assert not after.cached and allo_air.compile(ADD, cache_dir=tmp_path).cached
    assert after.notes["plan"].startswith("tuned: ") and after.report().cycles == told["tuned"]
    a, b = np.arange(96, dtype=np.int32), np.arange(96, dtype=np.int32)[::-1].copy()
    assert (after(a, b) == a + b).all() and (before(a, b) == a + b).all()
    assert not allo_air.compile(ADD, cache=False).notes["plan"].startswith("tuned")


def test_the_best_plans_are_written_as_registry_and_as_source(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    softmax = tmp_path / "softmax.mlir"
    softmax.write_text(SOFTMAX)
    registry, source = tmp_path / "registry.json", tmp_path / "tiled.mlir"
    arguments = [str(softmax), "--cache-dir", str(tmp_path), "--candidates", "2", "--device", "npu2"]
    for _ in range(2):
        assert main([*arguments, "--write", str(registry), "--write", str(source)]) == 0
    [entry] = json.loads(registry.read_text())
    assert entry["device"] == "npu2" and entry["arguments"] == ["in: 32x48xbf16", "out: 32x48xbf16"]
    assert 0 < entry["error"] < 0.02 and entry["microseconds"] > entry["cycles"] / entry["clock_mhz"]
    assert all(plan["cores"] and plan["core"] for plan in entry["plans"].values())
    x = np.random.default_rng(1).standard_normal((32, 48)).astype(ml_dtypes.bfloat16)
    tiled = allo_air.compile(source, device="npu2", cache=False)
    result = tiled(x).astype(np.float64)
    exponents = np.exp(x.astype(np.float64) - x.astype(np.float64).max(1, keepdims=True))
    assert np.abs(result - exponents / exponents.sum(1, keepdims=True)).max() < 0.02
    assert tiled.report().cycles == entry["cycles"]
    capsys.readouterr()
    for name, message in (
        ("plans.txt", "ends in '.txt'; a registry is a .json file"),
        ("softmax.mlir.json", "is not a registry"),
    ):
        (tmp_path / name).write_text("{}")
        assert main([*arguments, "--write", str(tmp_path / name)]) == 2
        assert message in capsys.readouterr().err


def test_plans_are_ranked_by_the_price_that_is_asked_for(tmp_path: Path) -> None:
    program = allo_air.compile(ADD, cache=False)
    for code in ("scheduled", "compiled"):
        found = allo_air.tune(ADD, code=code, candidates=1, budget=600, cache_dir=tmp_path)
        assert found.untuned == pytest.approx(program.estimate(code=code).cycles, rel=2e-3)  # a tuning runs on data
    with pytest.raises(allo_air.AlloAirError, match="'scheduled' or 'compiled'"):
        allo_air.tune(ADD, code="both", cache_dir=tmp_path)


@pytest.mark.slow
def test_workers_of_a_dask_cluster_simulate(tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed", reason="Dask is not installed (extra 'cluster')")
    settings = {"n_workers": 1, "threads_per_worker": 2, "processes": False, "dashboard_address": None}
    with distributed.LocalCluster(**settings, protocol="tcp") as cluster:
        found = allo_air.tune(ADD, cluster=cluster.scheduler_address, budget=600, candidates=2, cache_dir=tmp_path)
    assert len(found.rows) == 2 and found.cycles <= found.untuned
    assert allo_air.compile(ADD, cache_dir=tmp_path).report().cycles == found.cycles
    with pytest.raises(allo_air.AlloAirError, match="no Dask scheduler at"):
        allo_air.tune(ADD, cluster="tcp://127.0.0.1:1", cache_dir=tmp_path)
