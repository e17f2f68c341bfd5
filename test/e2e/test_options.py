"""Designs that wait for the host, trace, or are run by a main device compute what plain ones do."""

from pathlib import Path

import numpy as np
import pytest

import allo_air
from allo_air.tools import allo_opt
from helpers import LIT

SOURCE = LIT / "passes/to_aie/air-to-aie/core.mlir"
"""Two cores: each transposes 8x8 numbers and adds its row."""
PLACE = "device=npu1 row-offset=2 col-offset=0 emit-while-loop=true"


@pytest.mark.parametrize(
    ("device", "sequence", "more", "names"),
    [
        ("", "", (), {}),
        (" emit-herd-lock=true", "", (), {}),
        (" emit-herd-lock=true", "form=dma-memcpy", (), {}),
        (" insert-trace-packet-flow=true", "trace-size=4096", (1024,), {}),
        ("", "output-elf=true", (), {"device": "seg", "sequence": "seg_sequence"}),
    ],
)
def test_options_keep_the_numbers(
    tmp_path: Path, device: str, sequence: str, more: tuple[int, ...], names: dict[str, str]
) -> None:
    out = tmp_path / "out.mlir"
    passes = [f"--air-to-aie=logical-tiles=false {PLACE}{device}", "--air-to-std", "--symbol-dce", f"--airrt-to-npu={sequence}"]
    assert allo_opt.main([str(SOURCE), *passes, "-o", str(out)]) == 0
    a, b = np.arange(128, dtype=np.int32), np.zeros(128, np.int32)
    assert allo_air.simulate(out.read_text(), a, b, *(np.zeros(n, np.int32) for n in more), **names).ok
    expected = a.reshape(2, 8, 8).transpose(0, 2, 1) + np.arange(2).reshape(2, 1, 1)
    np.testing.assert_array_equal(b, expected.reshape(-1))
