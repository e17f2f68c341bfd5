"""Raises errors at operations that no kernel supports."""

from __future__ import annotations

from allo_air.core.diagnostics import error_at
from allo_air.core.names import callee_of, function_type_of, sym_name_of
from allo_air.core.walking import walk_named, walk_pre_order
from allo_air.errors import DiagnosticError
from allo_air.mlir import ir
from allo_air.passes._analysis.kernels import KERNEL

_DIALECTS = ("linalg", "tensor", "arith", "math")
_ADVICE = {
    "func": "inline it",
    "tm_tensor": "write it with linalg operations, or compute it on the host",
    "scf": "unroll it, or write it with linalg operations",
    "bufferization": "keep to tensors: this pipeline bufferizes itself",
    "memref": "keep to tensors: this pipeline bufferizes itself",
}


def check(function: ir.Operation) -> None:
    """Raises an error at the first operation that `partition-kernels` has no kernel for."""
    if len(function.regions[0].blocks) != 1:
        raise error_at(function, "has several blocks; use one block: compute both sides of a branch and use arith.select")
    kind = function_type_of(function)
    for n, value in enumerate(kind.inputs):
        _check_tensor(function, value, f"argument {n}")
    for n, value in enumerate(kind.results):
        _check_tensor(function, value, f"result {n}")
    [block] = function.regions[0].blocks
    for op in block.operations:
        _check_op(op.operation)


def _check_tensor(function: ir.Operation, kind: ir.Type, role: str) -> None:
    if not isinstance(kind, ir.RankedTensorType):
        hint = f"tensor<{kind}>" if not isinstance(kind, ir.ShapedType) else "a tensor with a rank"
        raise error_at(function, f"has {kind} as {role}; only tensors can be passed to the array: make it {hint}")
    problem = _shape(kind)
    if problem:
        raise error_at(function, f"has {kind} as {role}, {problem}")


def _shape(kind: ir.RankedTensorType) -> str:
    if not kind.has_static_shape:
        return "whose shape is dynamic; programs are made for one shape: export the function with static sizes"
    return "which has no elements; drop it" if 0 in kind.shape else ""


def _check_op(op: ir.Operation) -> None:
    dialect = op.name.split(".")[0]
    if op.name in ("func.return", "cf.assert") or (op.name == "func.call" and _calls_kernel(op)):
        return
    if dialect not in _DIALECTS:
        raise _unknown(op, _ADVICE.get(dialect, "write it with linalg operations"))
    for inner in walk_pre_order(op):
        within = inner.name.split(".")[0]
        if within not in _DIALECTS and inner.name not in ("cf.assert", "scf.if", "scf.yield"):
            raise _unknown(inner, f"write the body of the '{op.name}' with arith and math")
    for value in (*op.operands, *op.results):
        kind = value.type
        if isinstance(kind, ir.ShapedType) and not isinstance(kind, ir.RankedTensorType):
            raise error_at(op, f"has a value of type {kind}; expected a ranked tensor or a scalar")
        problem = _shape(kind) if isinstance(kind, ir.RankedTensorType) else ""
        if problem:
            raise error_at(op, f"has a value of type {kind}, {problem}")


def _calls_kernel(call: ir.Operation) -> bool:
    functions = walk_named(call.parent.operation.parent, "func.func")
    name = callee_of(call)
    return any(sym_name_of(f) == name and KERNEL in f.attributes for f in functions)


def _unknown(op: ir.Operation, advice: str) -> DiagnosticError:
    return error_at(op, f"cannot become part of a kernel, which are linalg, tensor, arith and math operations; {advice}")
