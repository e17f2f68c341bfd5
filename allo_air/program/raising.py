"""Raises the MLIR module of a Python function to linalg on tensors."""

from __future__ import annotations

from dataclasses import dataclass

from allo_air.errors import AlloAirError
from allo_air.frontend.narrow import narrow
from allo_air.frontend.printing import remove_prints
from allo_air.mlir import PassManager, func, ir
from allo_air.passes.simplify._not_raised import NotRaised
from allo_air.passes.simplify._raise_nests import raise_nests
from allo_air.passes.simplify._tensorize import tensorize

_CLEAN = "canonicalize,cse"


@dataclass(frozen=True)
class RaisedFunction:
    """A function on tensors as text; `changed` are the parameters whose new values are further results."""

    text: str
    changed: tuple[int, ...]


def raise_to_tensors(text: str, name: str) -> RaisedFunction:
    """Function `name` of module `text`, with calls inlined, on tensors; raises NotRaised if it has no such form."""
    module = ir.Module.parse(text)
    remove_prints(module)
    for op in module.body.operations:
        if isinstance(op, func.FuncOp) and op.name.value != name:
            op.attributes["sym_visibility"] = ir.StringAttr.get("private")
    PassManager.parse(f"builtin.module(inline,symbol-dce,func.func({_CLEAN}))").run(module.operation)
    function, *called = sorted(
        (op for op in module.body.operations if isinstance(op, func.FuncOp)), key=lambda f: f.name.value != name
    )
    if called:
        raise NotRaised(f"a call of '{called[0].name.value}' in a loop, where it cannot be inlined")
    try:
        with ir.Location.unknown():
            narrow(function.operation)
            PassManager.parse(f"builtin.module(func.func({_CLEAN}))").run(module.operation)
            raise_nests(function.operation)
            result, changed = tensorize(function.operation)
            function.operation.erase()
            result.attributes["sym_name"] = ir.StringAttr.get(name)
            module.operation.verify()
    except ir.MLIRError as error:
        raise NotRaised(str(error)) from None
    except NotRaised:
        raise
    except AlloAirError as error:
        raise NotRaised(str(error)) from None
    PassManager.parse(f"builtin.module(func.func({_CLEAN}),symbol-dce)").run(module.operation)
    return RaisedFunction(str(module), tuple(changed))
