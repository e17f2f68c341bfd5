"""Two cores, one of which sends vectors or words to the other."""

from __future__ import annotations

from functools import cache

import numpy as np

from allo_air import simulate

from .events import cycles_of

COUNT = 256


@cache
def cycles_each(what: str) -> float:
    """Cycles from one `what` ('cascade': 512 bits, 'stream': a word) to the next, of COUNT from core (0, 3) to (0, 2)."""
    if what == "cascade":
        route, kind = "aie.cascade_flow(%a, %b)", "vector<16xi32>"
        put, get = f"aie.put_cascade(%v : {kind})", f"%v = aie.get_cascade() : {kind}"
        make, add = f"%v = arith.constant dense<1> : {kind}", f"%s = arith.addi %x, %v : {kind}"
        end = f"vector.store %r, %m[%c0] : memref<16xi32>, {kind}"
    else:
        route, kind = "aie.flow(%a, Core : 0, %b, Core : 0)", "i32"
        put, get = "aie.put_stream(%ch : i32, %v : i32)", "%v = aie.get_stream(%ch : i32) : i32"
        make, add = "%v = arith.constant 1 : i32", "%s = arith.addi %x, %v : i32"
        end = "memref.store %r, %m[%c0] : memref<16xi32>"
    head = f"""%c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %n = arith.constant {COUNT} : index
      %ch = arith.constant 0 : i32"""
    zero = "dense<0> : " + kind if what == "cascade" else "0 : i32"
    report = simulate(
        f"""module {{ aie.device(npu1_1col) {{
    %a = aie.tile(0, 3)
    %b = aie.tile(0, 2)
    %m = aie.buffer(%b) : memref<16xi32>
    {route}
    aie.core(%a) {{
      {head}
      {make}
      scf.for %i = %c0 to %n step %c1 {{
        {put}
      }}
      aie.end
    }}
    aie.core(%b) {{
      {head}
      %zero = arith.constant {zero}
      aie.event(0)
      %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %zero) -> ({kind}) {{
        {get}
        {add}
        scf.yield %s : {kind}
      }}
      {end}
      aie.event(1)
      aie.end
    }}
    aie.runtime_sequence(%h : memref<1xi32>) {{}}
    }} }}""",
        np.zeros(1, np.int32),
        trace=True,
        code="scheduled",
    )
    [begin], [end_] = (cycles_of(report, f"INSTR_EVENT_{i}", (0, 2)) for i in (0, 1))
    return (end_ - begin) / COUNT
