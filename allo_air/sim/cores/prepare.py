"""Brings a core's program to loops, loads, stores and vector operations on plain buffers, before it is instrumented."""

from __future__ import annotations

from typing import Any

from allo_air.core.diagnostics import error_at
from allo_air.core.rewrite import walk_named
from allo_air.mlir import PassManager, arith, ir, linalg
from allo_air.sim.cores.build import constant_of
from allo_air.sim.cores.program import BASES, ENTRY

_PIPELINE = (
    "inline,symbol-dce,func.func(lower-vector-mask),convert-linalg-to-loops,lower-affine,scf-forall-to-for,scf-parallel-for-to-nested-fors,"
    "fold-memref-alias-ops,affine-expand-index-ops,lower-affine,canonicalize,cse"
)


def prepare(module: Any) -> None:
    """Inlines functions, turns linalg and affine operations and copies into scf loops, and folds views into their accesses."""
    for copy in walk_named(module, "memref.copy"):
        with ir.InsertionPoint(copy), copy.location:
            linalg.copy(copy.operands[0], outs=[copy.operands[1]])
        copy.erase()
    for op in walk_named(module, "cf.assert"):
        raise error_at(op, "cannot be simulated: a core has no way to stop; remove it")
    _pass_bases(module)
    _make_divisions_safe(module)
    PassManager.parse(f"builtin.module({_PIPELINE})").run(module)


def bases_of(function: Any) -> list[Any]:
    """The arguments of `function` that hold the core's first site, region and kernel."""
    arguments = list(function.regions[0].blocks[0].arguments)
    return arguments[:BASES] if function.attributes["sym_name"].value == ENTRY else arguments[-BASES:]


def _pass_bases(module: Any) -> None:
    """Gives every function with a body the core's bases as its last arguments: not every call can be inlined."""
    functions = {f.attributes["sym_name"].value: f for f in walk_named(module, "func.func") if f.regions[0].blocks}
    i32 = ir.IntegerType.get_signless(32)
    for name, function in functions.items():
        if name == ENTRY:
            continue
        kind = function.attributes["function_type"].value
        function.attributes["function_type"] = ir.TypeAttr.get(
            ir.FunctionType.get([*kind.inputs, *[i32] * BASES], kind.results)
        )
        for _ in range(BASES):
            function.regions[0].blocks[0].add_argument(i32, function.location)
    for function in functions.values():
        for call in walk_named(function, "func.call"):
            callee = call.attributes["callee"]
            if callee.value not in functions:
                continue
            operands = [*call.operands, *bases_of(function)]
            types = [r.type for r in call.results]
            made = ir.Operation.create(
                "func.call", types, operands, {"callee": callee}, loc=call.location, ip=ir.InsertionPoint(call)
            )
            for old, new in zip(call.results, made.results, strict=True):
                old.replace_all_uses_with(new)
            call.erase()


_DIVISIONS = (
    "arith.divsi",
    "arith.divui",
    "arith.remsi",
    "arith.remui",
    "arith.floordivsi",
    "arith.ceildivsi",
    "arith.ceildivui",
)


def _make_divisions_safe(module: Any) -> None:
    """Division by zero and the one quotient that overflows would stop the host: both divide by 1, so the latter wraps."""
    for op in walk_named(module, *_DIVISIONS):
        value, divisor = op.operands
        kind = divisor.type
        if constant_of(divisor) or not isinstance(kind, ir.IntegerType | ir.IndexType):
            continue
        with ir.InsertionPoint(op), op.location:
            width = 64 if isinstance(kind, ir.IndexType) else kind.width
            zero, one = arith.constant(kind, 0), arith.constant(kind, 1)
            bad = arith.cmpi(arith.CmpIPredicate.eq, divisor, zero)
            if width > 1:
                least = arith.cmpi(arith.CmpIPredicate.eq, value, arith.constant(kind, -(1 << (width - 1))))
                minus = arith.cmpi(arith.CmpIPredicate.eq, divisor, arith.constant(kind, -1))
                bad = arith.ori(bad, arith.andi(least, minus))
            op.operands[1] = arith.select(bad, one, divisor)
