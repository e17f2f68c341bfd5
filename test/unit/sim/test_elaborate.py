"""The order in which a device is elaborated: cores first, since LLVM works on them beside the rest, and their errors last."""

from collections.abc import Callable
from typing import Any

import pytest

from allo_air.errors import DiagnosticError
from allo_air.sim import array

CORE = """
  func.func private @nothing()
  %t = aie.tile(0, 2)
  %b = aie.buffer(%t) : memref<8xi32>
  %c = aie.core(%t) {
    %i = arith.constant 0 : index
    %v = arith.constant 1 : i32
    memref.store %v, %b[%i] : memref<8xi32>
    OP
    aie.end
  }
  %m = aie.mem(%t) {
    %0 = aie.dma_start(MM2S, 0, ^bd, ^end)
  ^bd:
    aie.dma_bd(%b : memref<8xi32>, 0, LENGTH)
    aie.next_bd ^end
  ^end:
    aie.end
  }
"""


def text(op: str = "", length: int = 8) -> str:
    return CORE.replace("OP", op).replace("LENGTH", str(length))


def test_code_is_made_while_dma_programs_are_read(device: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    from allo_air.sim.cores import jit

    made: list[int] = []
    started, read = jit.Jitted.__init__, array.programs_of
    monkeypatch.setattr(jit.Jitted, "__init__", lambda self, *given: (made.append(len(made)), started(self, *given))[1])
    seen: list[int] = []
    monkeypatch.setattr(array, "programs_of", lambda layout: (seen.append(len(made)), read(layout))[1])
    design = array.elaborate(device(text()), {})
    assert seen == [1] and design.cores is not None and list(design.core_ops) == [(0, 2)]


def test_what_is_wrong_with_a_dma_program_is_said_before_what_is_wrong_with_a_core(device: Callable[..., Any]) -> None:
    with pytest.raises(DiagnosticError) as of_core:
        array.elaborate(device(text("func.call @nothing() : () -> ()")), {})
    assert "nothing" in str(of_core.value)
    with pytest.raises(DiagnosticError) as of_dma:
        array.elaborate(device(text("func.call @nothing() : () -> ()", 100000)), {})
    assert "dma_bd" in str(of_dma.value)
