"""`allo_air.testing.simulate_design`, also as the fixture that pytest finds by the package's entry point."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from allo_air.errors import AlloAirError
from allo_air.testing import simulate_design

AIR = """
func.func @add(%a: memref<64xi32>, %b: memref<64xi32>) {
  %one = arith.constant 1 : index
  air.herd @h tile (%x, %y) in (%sx = %one, %sy = %one) args(%from = %a, %to = %b) : memref<64xi32>, memref<64xi32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %here = memref.alloc() : memref<64xi32, 2>
    %out = memref.alloc() : memref<64xi32, 2>
    air.dma_memcpy_nd (%here[] [] [], %from[] [] []) : (memref<64xi32, 2>, memref<64xi32>)
    scf.for %i = %c0 to %c64 step %c1 {
      %v = memref.load %here[%i] : memref<64xi32, 2>
      %w = arith.addi %v, %v : i32
      memref.store %w, %out[%i] : memref<64xi32, 2>
    }
    air.dma_memcpy_nd (%to[] [] [], %out[] [] []) : (memref<64xi32>, memref<64xi32, 2>)
    memref.dealloc %here : memref<64xi32, 2>
    memref.dealloc %out : memref<64xi32, 2>
  }
  return
}
"""
A = np.arange(64, dtype=np.int32)


@pytest.fixture(scope="module")
def device() -> str:
    """The design as mlir-aie's users have it: an aie.device with its runtime sequence."""
    import allo_air

    return allo_air.compile(AIR, device="npu2").text()


@pytest.mark.parametrize("target", ["npu1", "npu2"])
def test_air(target: str) -> None:
    (found,) = simulate_design(AIR, [A], [2 * A], device=target)
    np.testing.assert_array_equal(found, 2 * A)


def test_a_device_as_text_and_as_a_file(device: str, tmp_path: Path) -> None:
    simulate_design(device, [A], [2 * A])
    (tmp_path / "design.mlir").write_text(device)
    simulate_design(tmp_path / "design.mlir", [A], [2 * A])


def test_what_differs_is_an_assertion(device: str) -> None:
    for design in (AIR, device):
        with pytest.raises(AssertionError, match="wrong-result"):
            simulate_design(design, [A], [2 * A + 1])


def test_what_does_not_compile_is_no_assertion() -> None:
    with pytest.raises(AlloAirError):
        simulate_design(AIR.replace("air.herd", "air.hurd"), [A], [A])


def test_the_fixture(tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text(
        f"import numpy as np\nAIR = {AIR!r}\n"
        "def test_doubled(simulate_design):\n    a = np.arange(64, dtype=np.int32)\n    simulate_design(AIR, [a], [2 * a])\n"
    )
    done = subprocess.run([sys.executable, "-m", "pytest", "-q", str(tmp_path)], capture_output=True, text=True, check=False)
    assert "1 passed" in done.stdout, done.stdout + done.stderr
