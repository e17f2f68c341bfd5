"""drop-unused-scalars."""

from dataclasses import dataclass

from allo_air.core.pass_ import Pass
from allo_air.core.walking import is_unused, walk_named
from allo_air.mlir import AnyOp, ir


@dataclass(frozen=True)
class DropUnusedScalars(Pass):
    """Drops the arguments of functions that are no buffers and that nothing uses, as kernels of a grid leave them.

    A kernel of Triton's kind takes the grid's size and the program's id behind its buffers; where the grid has become a loop
    or a launch, nothing reads them, and the host has nothing to bind to them. Functions that something calls keep theirs.

    Before:

        func.func @k(%a: memref<64xf32>, %n: i32, %id: i32) { ... }

    After:

        func.func @k(%a: memref<64xf32>) { ... }
    """

    name = "drop-unused-scalars"
    anchor = "builtin.module"

    def run(self, op: AnyOp, /) -> None:
        called = {c.attributes["callee"].value for c in walk_named(op, "func.call")}
        for function in walk_named(op, "func.func"):
            if function.regions[0].blocks and function.attributes["sym_name"].value not in called:
                _drop(function)


def _drop(function: ir.Operation) -> None:
    block = function.regions[0].blocks[0]
    arguments = list(block.arguments)
    kept = [n for n, a in enumerate(arguments) if isinstance(a.type, ir.ShapedType) or not is_unused(a)]
    if len(kept) == len(arguments):
        return
    for n in reversed(range(len(arguments))):
        if n not in kept:
            block.erase_argument(n)
    kind = function.attributes["function_type"].value
    changed = ir.FunctionType.get([kind.inputs[n] for n in kept], list(kind.results))
    function.attributes["function_type"] = ir.TypeAttr.get(changed)
    if "arg_attrs" in function.attributes:
        given = list(function.attributes["arg_attrs"])
        function.attributes["arg_attrs"] = ir.ArrayAttr.get([given[n] for n in kept])
