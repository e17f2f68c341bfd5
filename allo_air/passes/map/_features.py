"""Determines which kinds of operations a function contains, by their loops, maps and bodies."""

from __future__ import annotations

from dataclasses import dataclass

from allo_air.core.walking import walk_pre_order
from allo_air.errors import counted
from allo_air.mlir import ir
from allo_air.passes._analysis.structured import indexing_maps, is_structured, loop_extents, reductions

_SUMS = {"arith.addf": "sum", "arith.addi": "sum", "arith.mulf": "product", "arith.muli": "product"}
_FUNCTIONS = {"math.exp": "exponential", "math.exp2": "exponential", "math.sqrt": "root", "math.rsqrt": "root"}
_SILENT = ("linalg.yield", "linalg.index", "arith.constant", "affine.apply", "tensor.extract", "arith.index_cast")


@dataclass(frozen=True)
class Features:
    """The structured operations of a function: its contractions and those with a vector operand, sliding windows, the kinds of
    reductions and of math functions, and whether anything is computed.
    """

    ops: tuple[ir.Operation, ...]
    contractions: int
    vectors: int
    windows: bool
    reductions: frozenset[str]
    functions: frozenset[str]
    computes: bool

    def __str__(self) -> str:
        words = [counted(self.contractions, "contraction")] * bool(self.contractions)
        words += ["windows"] * self.windows
        words += [f"reductions by {', '.join(sorted(self.reductions))}"] * bool(self.reductions)
        words += [f"math functions ({', '.join(sorted(self.functions))})"] * bool(self.functions)
        return "; ".join(words) or ("elementwise operations" if self.computes else "movement of data")


def features(function: ir.Operation) -> Features:
    """The Features of a function on tensors."""
    ops = tuple(o for o in walk_pre_order(function) if is_structured(o) and o.name != "linalg.fill")
    products = [op for op in ops if _sums_products(op)]
    vectors = sum(any(_is_vector(op, number) for number in (0, 1)) for op in products)
    kinds, functions, computes = set[str](), set[str](), False
    for op in ops:
        names = [o.name for o in walk_pre_order(op) if o != op]
        if any(reductions(op)) and op not in products:
            combiners = [v.owner.name for v in _yielded(op) if not isinstance(v, ir.BlockArgument)]
            kinds |= {_SUMS.get(n, "maximum") for n in combiners}
        functions |= {_FUNCTIONS[n] for n in names if n in _FUNCTIONS}
        computes |= any(n not in _SILENT for n in names)
    windows = any(_has_window(op) for op in ops)
    return Features(ops, len(products), vectors, windows, frozenset(kinds), frozenset(functions), computes)


def _sums_products(op: ir.Operation) -> bool:
    if not any(reductions(op)) or len(op.operands) != 3:
        return False
    names = [o.name for o in walk_pre_order(op)]
    return any(n in names for n in ("arith.mulf", "arith.muli")) and any(n in names for n in ("arith.addf", "arith.addi"))


def _is_vector(op: ir.Operation, number: int) -> bool:
    """Whether an operand of a contraction has no parallel dimension larger than 1."""
    summed, extents = reductions(op), loop_extents(op)
    indexing = indexing_maps(op)[number]
    own = [ir.AffineDimExpr(e).position for e in indexing.results if isinstance(e, ir.AffineDimExpr)]
    return all(summed[d] or extents[d] == 1 for d in own)


def _has_window(op: ir.Operation) -> bool:
    plain_kinds = (ir.AffineDimExpr, ir.AffineConstantExpr)
    return any(not isinstance(e, plain_kinds) for m in indexing_maps(op) for e in m.results)


def _yielded(op: ir.Operation) -> list[ir.Value]:
    block = op.regions[0].blocks[0]
    return list(block.operations[-1].operands)
