"""Placed AIR through air-to-aie's options, by hand: the simulator against numpy."""

from pathlib import Path

import numpy as np
import pytest

from allo_air.testing import simulate_design
from helpers import TEST, allo_opt

A = np.arange(64, dtype=np.int32)
B = np.arange(128, dtype=np.int32)
C = np.arange(256, dtype=np.int32)
D = np.arange(1024, dtype=np.int32)
CASES = {
    "copied_by_herds": (D, 2 * D),
    "held": (C, 2 * C + 1),
    "held_filled": (C, C + 1),
    "held_sent": (C, 2 * C),
    "packets_bundle": (B, B),
    "packets_dealt": (B, B),
    "packets_sent": (A, A, 2 * A, 3 * A),
    "refeed": (A, np.tile(A + 1, 8)),
    "two_readers": (B, B),
    "two_writers": (B, B),
}


@pytest.mark.parametrize("options", ["", "use-lock-race-condition-fix-v2=true logical-tiles=true"])
@pytest.mark.parametrize("name", CASES)
def test_a_program(name: str, options: str, tmp_path: Path) -> None:
    given, *wanted = CASES[name]
    device = "npu2" if options else "npu1"
    stages = [f"--air-to-aie=device={device} row-offset=2 col-offset=0 emit-while-loop=true {options}", "--aie-place-tiles"]
    source = (TEST / f"data/air_streams/{name}.mlir").read_text()
    design = tmp_path / "design.mlir"
    design.write_text(allo_opt(source, *stages, "--air-to-std", "--airrt-to-npu"))
    simulate_design(design, [given], wanted)
