"""Two prices of the same code: scheduled by hand, and compiled by Peano from MLIR."""

from __future__ import annotations

import numpy as np
import pytest

from allo_air import asm, simulate
from allo_air.core.walking import walk_named
from allo_air.core_model.machine import machine_of
from allo_air.core_model.schedule import nest_cycles
from allo_air.errors import AlloAirError
from allo_air.mlir import new_context
from allo_air.sim.cores.prepare import prepare

SCALED = """func.func @core(%a: memref<{n}xi32>, %o: memref<{n}xi32>, %f: i32) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant {n} : index
  scf.for %i = %c0 to %n step %c1 {{
    %x = memref.load %a[%i] : memref<{n}xi32>
    %y = arith.muli %x, %f : i32
    memref.store %y, %o[%i] : memref<{n}xi32>
  }}
  return
}}"""


def cycles(text: str, arch: str = "AIE2", *, compiled: bool) -> int:
    with new_context():
        module = asm.read(text)
        prepare(module)
        found = nest_cycles(walk_named(module, "scf.for")[0], machine_of(arch, compiled=compiled))
        assert found is not None
        return found.cycles


def test_a_scalar_loop_waits_for_load_product_and_store() -> None:
    """12 cycles an element of vector_scalar_mul on Phoenix (docs/sources.md#timing)."""
    assert cycles(SCALED.format(n=1024), compiled=True) == pytest.approx(12297, rel=0.02)


def test_a_short_loop_is_unrolled_whole() -> None:
    assert cycles(SCALED.format(n=8), compiled=True) < 3 * 8


def test_an_addition_takes_its_chain_on_npu2() -> None:
    """18.6 cycles for 16 lanes of bf16: mlir-air's add of 4 M elements by one core in 2759 us at 1.8 GHz."""
    kind, host = "vector<16xbf16>", "memref<1024xbf16>"
    text = f"""func.func @core(%a: {host}, %b: {host}, %o: {host}) {{
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %n = arith.constant 1024 : index
  %z = ub.poison : bf16
  scf.for %i = %c0 to %n step %c16 {{
    %x = vector.transfer_read %a[%i], %z {{in_bounds = [true]}} : {host}, {kind}
    %y = vector.transfer_read %b[%i], %z {{in_bounds = [true]}} : {host}, {kind}
    %s = arith.addf %x, %y : {kind}
    vector.transfer_write %s, %o[%i] {{in_bounds = [true]}} : {kind}, {host}
  }}
  return
}}"""
    assert cycles(text, "AIE2p", compiled=True) / 64 == pytest.approx(18.6, rel=0.15)
    assert cycles(text, "AIE2p", compiled=False) / 64 < 3


def test_the_clock_and_the_price_are_chosen_by_name() -> None:
    """A report tells both prices, and the clock; memory alone does not follow it."""
    text = """module { aie.device(npu1_1col) {
    %t = aie.tile(0, 2)
    %a = aie.buffer(%t) : memref<64xi32> = dense<1>
    aie.core(%t) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %n = arith.constant 64 : index
      scf.for %i = %c0 to %n step %c1 {
        %x = memref.load %a[%i] : memref<64xi32>
        %y = arith.muli %x, %x : i32
        memref.store %y, %a[%i] : memref<64xi32>
      }
      aie.end
    }
    aie.runtime_sequence(%h : memref<1xi32>) {}
    } }"""
    runs = {code: simulate(text, np.zeros(1, np.int32), code=code, mhz=1600) for code in ("scheduled", "compiled")}
    [fast], [slow] = (run.cores for run in runs.values())
    assert slow.busy > 4 * fast.busy
    assert [run.clock_mhz for run in runs.values()] == [1600, 1600]
    [(number, (times, took))] = fast.regions.items()
    assert times * runs["scheduled"].regions[number].other == sum(c for _, c in slow.regions.values()) > took
    with pytest.raises(AlloAirError, match="'scheduled' or 'compiled'"):
        simulate(text, np.zeros(1, np.int32), code="quick")
