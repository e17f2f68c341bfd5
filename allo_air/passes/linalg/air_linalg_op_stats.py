"""air-linalg-op-stats."""

import json
import sys
from collections import Counter
from dataclasses import dataclass
from itertools import count
from math import prod
from pathlib import Path

from allo_air.core.diagnostics import error_at
from allo_air.core.names import sym_name_of
from allo_air.core.pass_ import Pass
from allo_air.core.walking import body_of, is_unused, walk_named, walk_pre_order
from allo_air.errors import OptionError
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.structured import first_output, is_structured, loop_extents


@dataclass(frozen=True)
class AirLinalgOpStats(Pass):
    """Writes the number of operations in the linalg operations of each function as JSON; changes nothing.

    An entry is named by the kind of the linalg operation and a running number. It counts each operation of the body once per
    iteration, the elements that all iterations read (`reads`) and write (`writes`), and the elements of the operands
    (`footprint`).

    Before and After:

        func.func @f(...) { linalg.matmul ins(%a, %b : memref<4x8xf32>, memref<8x4xf32>) outs(%c : memref<4x4xf32>) }

    The output:

        {"f": {"linalg.matmul0": {"arith.addf": 128, "arith.mulf": 128, "footprint": 80, "reads": 384, "writes": 128}}}
    """

    name = "air-linalg-op-stats"
    anchor = "builtin.module"
    outputfile: str = "-"
    """The file of the counts; - for standard output."""

    def run(self, op: AnyOp, /) -> None:
        results = {}
        for function in walk_named(op, "func.func"):
            number = count()
            ops = [o for o in walk_pre_order(function) if is_structured(o)]
            if ops:
                results[sym_name_of(function)] = {f"{o.name}{next(number)}": _counts(o) for o in ops}
        text = json.dumps(results, indent=2, sort_keys=True) + "\n"
        if self.outputfile == "-":
            sys.stdout.write(text)
            return
        try:
            Path(self.outputfile).write_text(text, encoding="utf-8")
        except OSError as error:
            raise OptionError(f"pass '{self.name}': cannot write outputfile '{self.outputfile}': {error.strerror}") from None


def _counts(op: ir.Operation) -> Counter[str]:
    extents = loop_extents(op)
    if any(e < 0 for e in extents):
        raise error_at(op, "has a loop of unknown extent, so its operations cannot be counted; use static shapes")
    iterations = prod(extents)
    counts = Counter(o.name for o in body_of(op)[:-1])
    counts.update(reads=sum(not is_unused(a) for a in op.regions[0].blocks[0].arguments))
    counts.update(writes=len(op.operands) - first_output(op))
    counts = Counter({name: n * iterations for name, n in counts.items()})
    counts["footprint"] = sum(prod(v.type.shape) for v in op.operands if hasattr(v.type, "shape"))
    return counts
