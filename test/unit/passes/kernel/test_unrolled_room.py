"""unroll-vector-loops unrolls less where the code of a core would not fit into its program memory."""

from __future__ import annotations

import pytest

from allo_air import asm
from allo_air.core.walking import body_of, walk_named
from allo_air.mlir import new_context
from allo_air.passes.kernel.unroll_vector_loops import UnrollVectorLoops

DESIGN = """module {{ aie.device(npu1) {{
  %tile = aie.tile(0, 2)
  %a = aie.buffer(%tile) : memref<1024xi32>
  %core = aie.core(%tile) {{
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %n = arith.constant 1024 : index
    {loops}
    aie.end
  }}
}} }}"""
LOOP = """scf.for %i = %c0 to %n step %c16 {
  %x = vector.load %a[%i] : memref<1024xi32>, vector<16xi32>
  %y = arith.addi %x, %x : vector<16xi32>
  %z = arith.muli %y, %x : vector<16xi32>
  vector.store %z, %a[%i] : memref<1024xi32>, vector<16xi32>
}"""


@pytest.mark.parametrize(("loops", "copies"), [(20, 8), (100, 4), (200, 2), (400, 1)])
def test_loops_share_the_program_memory_of_a_core(loops: int, copies: int) -> None:
    with new_context():
        module = asm.read(DESIGN.format(loops="\n".join([LOOP] * loops)))
        UnrollVectorLoops().run(module.operation)
        bodies = [body_of(loop) for loop in walk_named(module, "scf.for")]
    assert len(bodies) == loops
    assert {sum(op.name == "vector.store" for op in body) for body in bodies} == {copies}
