"""Tuning with real simulations: what is kept is used, never slower, and computes the same."""

import json
from pathlib import Path

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


def test_plans_are_ranked_by_the_price_that_is_asked_for(tmp_path: Path) -> None:
    program = allo_air.compile(ADD, cache=False)
    for code in ("scheduled", "compiled"):
        found = allo_air.tune(ADD, code=code, candidates=1, budget=600, cache_dir=tmp_path)
        assert found.untuned == program.estimate(code=code).cycles
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
