"""Names the loops of lowered tensor operations, so that schedules can find them.

`allo.matmul(A, B, name="gemm")` is lowered to the nests `gemm_init_zero` and `gemm`; without a name, the second nest is
`matmul_0`. The loops of a function are L_0, L_1, ... in program order.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import contextmanager

from allo_air.frontend.state import State
from allo_air.frontend.static import evaluate
from allo_air.mlir import AnyOp, PassManager, func, ir

_LABEL = "op_name"


@contextmanager
def naming(state: State, node: ast.Call) -> Iterator[None]:
    """If loops of the module are named: labels the linalg operations that are emitted for a call."""
    if state.shared.labels is None:
        yield
        return
    block = ir.InsertionPoint.current.block
    before = list(block.operations)
    yield
    operations = [op for op in list(block.operations) if op not in before and op.operation.name.startswith("linalg.")]
    base = _label_of(state, node)
    for number, op in enumerate(operations):
        last = number == len(operations) - 1
        suffix = "" if last else "_init_zero" if op.operation.name == "linalg.fill" else f"_step_{number}"
        _label(op, base + suffix)


def _label(op: AnyOp, name: str) -> None:
    if _LABEL not in op.operation.attributes:
        op.operation.attributes[_LABEL] = ir.StringAttr.get(name)


def _label_of(state: State, node: ast.Call) -> str:
    """The name in the call, or else the operation's name with a number."""
    assert state.shared.labels is not None
    for keyword in node.keywords:
        if keyword.arg == "name" and isinstance(result := evaluate(state, keyword.value), str):
            return result
    base = ast.unparse(node.func).rpartition(".")[2]
    count = state.shared.labels.get((state.symbol, base), 0)
    state.shared.labels[state.symbol, base] = count + 1
    return f"{base}_{count}"


def lower_to_loops(module: ir.Module) -> None:
    """Lowers a module's linalg operations to loops, which keep the operations' names.

    Before:

        linalg.matmul {op_name = "gemm"} ins(%a, %b : ...) outs(%c : ...)

    After:

        affine.for %i = 0 to 8 {
          affine.for %j = 0 to 8 { ... } {loop_name = "L_1"}
        } {loop_name = "L_0", op_name = "gemm"}
    """
    functions = [op for op in module.body.operations if isinstance(op, func.FuncOp) and not op.is_external]
    names = {op.name.value: [_name(linalg_op) for linalg_op in _linalg(op)] for op in functions}
    PassManager.parse("builtin.module(func.func(convert-linalg-to-affine-loops))").run(module.operation)
    for op in module.body.operations:
        if isinstance(op, func.FuncOp) and not op.is_external:
            _name_loops(op, names[op.name.value])


def _linalg(function: func.FuncOp) -> list[AnyOp]:
    """The linalg operations to lower, in program order."""
    from allo_air.core.walking import walk_pre_order

    ops = [op for op in walk_pre_order(function.operation) if op.name.startswith("linalg.") and op.regions and op.operands]
    return [op for op in ops if ir.ShapedType(op.operands[len(op.operands) - 1].type).rank]


def _name(op: AnyOp) -> str:
    return str(op.attributes[_LABEL].value) if _LABEL in op.attributes else op.name.rpartition(".")[2]


def _name_loops(function: func.FuncOp, names: list[str]) -> None:
    """Names the loops that have no name; the nests get the names of their operations, in order."""
    from allo_air.core.walking import walk_pre_order

    nest_names, used, count = iter(names), dict[str, int](), 0
    for op in walk_pre_order(function.operation):
        if op.name != "affine.for" or "loop_name" in op.attributes:
            continue
        outer = op.parent.operation
        if outer.name != "affine.for" or not str(outer.attributes["loop_name"]).startswith('"L_'):
            name = next(nest_names)
            used[name] = used.get(name, -1) + 1
            op.attributes["op_name"] = ir.StringAttr.get(name if not used[name] else f"{name}_{used[name]}")
        op.attributes["loop_name"] = ir.StringAttr.get(f"L_{count}")
        count += 1
