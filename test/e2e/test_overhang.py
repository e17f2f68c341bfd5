"""Launches whose last blocks overhang, split and padded in memtiles: the simulator against numpy."""

from string import Template

import numpy as np
import pytest

import allo_air
from allo_air.tools import allo_opt as tool
from helpers import TEST


@pytest.mark.parametrize(("m", "n"), [(100, 90), (33, 64), (64, 45), (20, 20)])
def test_edges(m: int, n: int, capsys: pytest.CaptureFixture[str]) -> None:
    rows, columns = -(-m // 32), -(-n // 32)
    text = Template((TEST / "data/overhang.mlir").read_text()).substitute(
        M=m, N=n, GRID_ROWS=rows, GRID_COLUMNS=columns, ROWS=rows * 32, COLUMNS=columns * 32
    )
    assert tool.main(["--pipeline=air-npu", "--print-pipeline"]) == 0
    passes = capsys.readouterr().out.strip().replace("pad-overhanging-blocks,", "")
    rng = np.random.default_rng(0)
    a = rng.integers(-50, 50, (m, 16), dtype=np.int32)
    b = rng.integers(-50, 50, (16, n), dtype=np.int32)
    program = allo_air.compile(text, passes, cache=False)
    c = np.zeros((rows * 32, columns * 32), np.int32)
    program(a, b, c)
    assert (c[:m, :n] == a @ b).all()
