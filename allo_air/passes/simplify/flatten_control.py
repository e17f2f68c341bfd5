"""flatten-control."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from allo_air.core.cloning import clone_body, replace, unroll
from allo_air.core.constants import GLOBAL_LOADS, global_value, index_constant, loaded_global
from allo_air.core.diagnostics import error_at
from allo_air.core.loops import Dim, Loop
from allo_air.core.names import callee_of, is_private, sym_name_of
from allo_air.core.pass_ import Pass
from allo_air.core.upstream import run_upstream
from allo_air.core.walking import body_of, walk_named, walk_pre_order
from allo_air.mlir import AnyOp, arith, ir, tensor
from allo_air.passes._analysis.kernels import KERNEL
from allo_air.passes.simplify._scalars import constant

_MOST = 2000
"""Largest number of operations into which a loop is unrolled."""


@dataclass(frozen=True)
class FlattenControl(Pass):
    """Inlines calls, unrolls loops and computes all branches of conditionals, so that functions on tensors are one block.

    A load of a global that is not mutable becomes a constant. Private functions and globals that are no longer used are
    erased. The pass does not change functions on memrefs, kernels, and the bodies of linalg operations. Errors: a function
    that calls itself; a loop with an unknown trip count, or one that becomes too many operations.

    Before:

        %r = scf.for %i = %c0 to %c2 step %c1 iter_args(%a = %x) -> (tensor<4x8xf32>) {
          %t = math.tanh %a : tensor<4x8xf32>
          scf.yield %t : tensor<4x8xf32>
        }
        %y = scf.if %c -> (tensor<4x8xf32>) { scf.yield %r } else { scf.yield %x }

    After:

        %t = math.tanh %x : tensor<4x8xf32>
        %r = math.tanh %t : tensor<4x8xf32>
        %s = tensor.splat %c : tensor<4x8xi1>
        %y = arith.select %s, %r, %x : tensor<4x8xi1>, tensor<4x8xf32>
    """

    name = "flatten-control"
    anchor = "builtin.module"

    def run(self, op: AnyOp, /) -> None:
        functions: dict[str, AnyOp] = {sym_name_of(f): f for f in walk_named(op, "func.func") if _is_on_tensors(f)}
        for function in functions.values():
            while result := _next_control(function, functions):
                with ir.InsertionPoint(result), result.location:
                    _RULES[result.name](result, functions)
                if _next_control(function, functions) is None:
                    run_upstream(function, "canonicalize,cse")
        loaded = {loaded_global(o) for o in walk_named(op, *GLOBAL_LOADS)}
        for global_ in walk_named(op, "ml_program.global"):
            if sym_name_of(global_) not in loaded and is_private(global_):
                global_.erase()
        called = {callee_of(c) for c in walk_named(op, "func.call")}
        for name, function in functions.items():
            if is_private(function) and name not in called:
                function.erase()


def _is_on_tensors(function: AnyOp) -> bool:
    """Whether a function that is no kernel has one block, and values in it are tensors, not memrefs."""
    blocks = list(function.regions[0].blocks)
    if len(blocks) != 1 or KERNEL in function.attributes:
        return False
    values = [v for op in walk_pre_order(function)[1:] for v in (*op.operands, *op.results)]
    return any(isinstance(v.type, ir.RankedTensorType) for v in values) and not any(
        isinstance(v.type, ir.MemRefType) for v in values
    )


def _next_control(function: AnyOp, functions: Mapping[str, AnyOp]) -> Any:
    """The next operation to flatten."""
    for op in body_of(function):
        if op.name == "func.call" and callee_of(op) in functions:
            return op
        if op.name in ("scf.for", "scf.if", "scf.index_switch") and len(op.results):
            return op
        if op.name in GLOBAL_LOADS:
            return op
    return None


def _call(op: AnyOp, functions: dict[str, AnyOp]) -> None:
    name = callee_of(op)
    if name in _reachable(functions[name], functions):
        raise error_at(
            op, f"calls @{name}, which calls itself; recursion is not supported, since a program is one sequence of kernels"
        )
    [block] = functions[name].regions[0].blocks
    replace(op, clone_body(block, dict(zip(block.arguments, op.operands, strict=True)))[1])


def _reachable(function: AnyOp, functions: dict[str, AnyOp]) -> set[str]:
    """The functions that the call graph reaches."""
    seen, waiting = set[str](), [function]
    while waiting:
        for call in walk_named(waiting.pop(), "func.call"):
            name = callee_of(call)
            if name in functions and name not in seen:
                seen.add(name)
                waiting.append(functions[name])
    return seen


def _for(op: AnyOp, _: dict[str, AnyOp]) -> None:
    dims: tuple[Dim, ...] | None = Loop(op).dims()
    if dims is None:
        raise error_at(
            op,
            "has an unknown number of iterations; use constant bounds and a step above 0, or run "
            "the loop on the host around a function of its body",
        )
    [dim] = dims
    count = dim.trips * (len(walk_pre_order(op)) - 1)
    if count > _MOST:
        raise error_at(
            op,
            f"would become {count:,} operations, at most {_MOST:,} are unrolled; run the loop on the host around a function "
            "of its body, or write it as one operation with one more dimension",
        )
    unroll(dim, lambda n: constant(n, dim.iv.type))


def _if(op: AnyOp, _: dict[str, AnyOp]) -> None:
    then, otherwise = [clone_body(region.blocks[0], {})[1] for region in op.regions]
    replace(op, _chosen(op.operands[0], then, otherwise))


def _switch(op: AnyOp, _: dict[str, AnyOp]) -> None:
    result, *sides = [clone_body(region.blocks[0], {})[1] for region in op.regions]
    for number, side in zip(op.attributes["cases"], sides, strict=True):
        condition = arith.cmpi(arith.CmpIPredicate.eq, op.operands[0], index_constant(number))
        result = _chosen(condition, side, result)
    replace(op, result)


def _chosen(condition: ir.Value, first: Sequence[ir.Value], second: Sequence[ir.Value]) -> list[Any]:
    """The values of `first` where `condition` holds, otherwise those of `second`."""
    result = []
    for then, otherwise in zip(first, second, strict=True):
        choice = condition
        if isinstance(then.type, ir.RankedTensorType):
            kind = ir.RankedTensorType.get(then.type.shape, condition.type)
            choice = tensor.SplatOp(kind, condition, []).result
        result.append(arith.select(choice, then, otherwise))
    return result


def _load(op: AnyOp, _: dict[str, AnyOp]) -> None:
    replace(op, [arith.constant(op.results[0].type, global_value(op))])


_RULES = {"func.call": _call, "scf.for": _for, "scf.if": _if, "scf.index_switch": _switch, **dict.fromkeys(GLOBAL_LOADS, _load)}
