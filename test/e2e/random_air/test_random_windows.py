"""Windows over two FIFOs in nested loops, drawn: cores that choose their objects, and unrolled ones, read what they should."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import allo_air
from allo_air import asm
from allo_air.core import driver, pipeline
from allo_air.core.contexts import reused_context
from allo_air.core.registry import Registry
from bounds import bounded

STATES = {
    "March": "aie-objectFifo-stateful-transform{state=2026-03}",
    "August": "aie-objectFifo-stateful-transform",
    "unrolled": "aie-objectFifo-stateful-transform,aie-objectFifo-unroll",
    "peeled": "aie-objectFifo-stateful-transform,aie-objectFifo-unroll{peel-first-iteration=true}",
    "whole": "aie-objectFifo-stateful-transform,aie-objectFifo-unroll{peel-first-iteration=false}",
}


@dataclass
class Window:
    """So many objects at once of a FIFO so deep, of which so many are given back."""

    name: str
    depth: int
    takes: int
    gives: int
    position: int = 0
    held: int = 0
    seen: int = 0

    def acquire(self) -> int:
        """The number of the last object in the window."""
        self.held = max(self.held, self.takes)
        self.seen = max(self.seen, self.position + self.held)
        return self.position + self.takes - 1

    def release(self) -> None:
        self.held, self.position = self.held - self.gives, self.position + self.gives

    def declared(self) -> str:
        return f"aie.objectfifo @{self.name}(%s, {{%t}}, [1, {self.depth}]) : !aie.objectfifo<memref<1xi32>>\n"

    def read(self) -> str:
        return f"""
          %s{self.name} = aie.objectfifo.acquire @{self.name}(Consume, {self.takes}) : !aie.objectfifosubview<memref<1xi32>>
          %{self.name} = aie.objectfifo.subview.access %s{self.name}[{self.takes - 1}]
            : !aie.objectfifosubview<memref<1xi32>> -> memref<1xi32>"""

    def given(self) -> str:
        return f"\n          aie.objectfifo.release @{self.name}(Consume, {self.gives})"

    def sent(self, number: int) -> str:
        return f"""
          aiex.npu.dma_memcpy_nd(%{self.name}[0, 0, 0, 0][1, 1, 1, {self.seen}][0, 0, 0, 1])
            {{id = {number} : i64, metadata = @{self.name}}} : memref<{self.seen}xi32>"""


@st.composite
def windows(draw: Any, name: str) -> Window:
    depth = draw(st.integers(1, 4))
    takes = draw(st.integers(1, depth))
    return Window(name, depth, takes, draw(st.integers(1, takes)))


def expected(w: Window, x: Window, trips: tuple[int, int, int]) -> Any:
    """A thousand times the weight and the object, in every round of the innermost loop."""
    found = []
    for _ in range(trips[0]):
        weight = w.acquire()
        for _ in range(trips[1] * trips[2]):
            found.append(1000 * weight + x.acquire())
            x.release()
        w.release()
    return np.array(found, np.int32)


def design(w: Window, x: Window, trips: tuple[int, int, int], results: int) -> str:
    return f"""
      aie.device(npu2) {{
        %s = aie.tile(0, 0)
        %t = aie.tile(0, 2)
        {w.declared()}{x.declared()}
        aie.objectfifo @out(%t, {{%s}}, 2 : i32) : !aie.objectfifo<memref<1xi32>>
        aie.core(%t) {{
          %z = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %k = arith.constant 1000 : i32
          %n0 = arith.constant {trips[0]} : index
          %n1 = arith.constant {trips[1]} : index
          %n2 = arith.constant {trips[2]} : index
          scf.for %i = %z to %n0 step %c1 {{{w.read()}
          scf.for %j = %z to %n1 step %c1 {{
          scf.for %l = %z to %n2 step %c1 {{{x.read()}
          %sout = aie.objectfifo.acquire @out(Produce, 1) : !aie.objectfifosubview<memref<1xi32>>
          %out = aie.objectfifo.subview.access %sout[0] : !aie.objectfifosubview<memref<1xi32>> -> memref<1xi32>
          %a = memref.load %w[%z] : memref<1xi32>
          %b = memref.load %x[%z] : memref<1xi32>
          %c = arith.muli %a, %k : i32
          %d = arith.addi %c, %b : i32
          memref.store %d, %out[%z] : memref<1xi32>
          aie.objectfifo.release @out(Produce, 1){x.given()}
          }} }}{w.given()}
          }}
          aie.end
        }}
        aie.runtime_sequence(%w: memref<{w.seen}xi32>, %x: memref<{x.seen}xi32>, %r: memref<{results}xi32>) {{
          aiex.npu.dma_memcpy_nd(%r[0, 0, 0, 0][1, 1, 1, {results}][0, 0, 0, 1])
            {{id = 0 : i64, metadata = @out, issue_token = true}} : memref<{results}xi32>{w.sent(1)}{x.sent(2)}
          aiex.npu.dma_wait {{symbol = @out}}
        }}
      }}"""


@bounded(6)
@given(windows("w"), windows("x"), st.tuples(*[st.integers(1, n) for n in (6, 3, 6)]), st.sampled_from(sorted(STATES)))
def test_windows(w: Window, x: Window, trips: tuple[int, int, int], state: str) -> None:
    wanted = expected(w, x, trips)
    text = design(w, x, trips, len(wanted))
    passes = f"builtin.module(aie.device({STATES[state]},aie-assign-lock-ids,aie-assign-bd-ids,aie-assign-buffer-addresses))"
    with reused_context():
        module = asm.read(text, "windows.mlir")
        driver.run(pipeline.parse(passes, Registry()), module, driver.Settings(verify=asm.verify))
        lowered = asm.write(module)
    sent, found = [np.arange(window.seen, dtype=np.int32) for window in (w, x)], np.zeros_like(wanted)
    report = allo_air.simulate(lowered, *sent, found, strict=False)
    assert {finding.code or finding.kind for finding in report.findings} <= {"stream.left-over"}
    np.testing.assert_array_equal(found, wanted)
