"""Rewrites tensor.extract at computed indices, in bodies of linalg.generic, as separate gathers."""

from __future__ import annotations

from typing import Any

from allo_air.core.cloning import clone
from allo_air.core.walking import defining_op, walk_named
from allo_air.mlir import AnyOp, arith, ir, linalg
from allo_air.passes._analysis.kernels import MOVED_BY_HOST
from allo_air.passes._analysis.structured import indexing_maps, loop_extents
from allo_air.passes._ir.generic import Generic, open_generic
from allo_air.passes._ir.packing import pad_by
from allo_air.passes._ir.tensors import empty
from allo_air.passes.partition._constants import is_constant
from allo_air.passes.partition._generic import finish, index_of
from allo_air.passes.partition._roles import base

MANY = 64
"""Largest number of rows of a table that a core reads as a whole; also the rows of a part of a longer table."""


def gather(op: ir.Operation) -> None:
    """Moves each tensor.extract in the body of the linalg.generic `op` to a generic of its own, whose result becomes an
    operand.
    """
    result: Any = None
    for extract in walk_named(op, "tensor.extract"):
        extents = loop_extents(op)
        if -1 in extents or not isinstance(extract.operands[0].type, ir.RankedTensorType):
            continue
        with ir.InsertionPoint(op):
            result = _gathered(op, extract, extents)
        op = _with_operand(op, extract, result)
    if result is not None:
        _forward_operand(op)


def _forward_operand(op: Any) -> None:
    """If the result of `op` is one of its operands unchanged, replaces the result by the operand."""
    [block] = op.regions[0].blocks
    yielded = list(block.operations[-1].operands)
    if len(yielded) != 1 or yielded[0] not in list(block.arguments)[:-1]:
        return
    number, maps = list(block.arguments).index(yielded[0]), indexing_maps(op)
    identity = ir.AffineMap.get_identity(maps[0].n_dims)
    if maps[number] == identity == maps[-1] and op.operands[number].type == op.results[0].type:
        op.results[0].replace_all_uses_with(op.operands[number])
        op.erase()


def _gathered(op: AnyOp, extract: AnyOp, extents: list[int]) -> Any:
    """A tensor with one element for each iteration of `op`: the result of `extract` there."""
    table, *places = extract.operands
    loops = len(extents)
    dims, computed = [], dict[int, Any]()
    for d, place in enumerate(places):
        number = _loop(place)
        if number is not None and extents[number] == table.type.shape[d]:
            dims.append(ir.AffineDimExpr.get(number))
        else:
            dims.append(ir.AffineDimExpr.get(loops + len(computed)))
            computed[len(computed)] = place
    table = _padded_table(table, [ir.AffineDimExpr(e).position >= loops for e in dims])
    total = loops + len(computed)
    kind = ir.RankedTensorType.get(extents, table.type.element_type)
    body, used = _needed(op, list(computed.values()))
    operands, maps = list(op.operands), indexing_maps(op)
    ins = [*(operands[n] for n in used), table]
    in_maps = [ir.AffineMap.get(total, 0, list(maps[n].results)) for n in used]
    in_maps += [ir.AffineMap.get(total, 0, dims), ir.AffineMap.get(total, 0, [ir.AffineDimExpr.get(d) for d in range(loops)])]
    out = empty(kind)
    if computed:
        out = linalg.fill(arith.constant(kind.element_type, _zero(kind.element_type)), outs=[out])
    result, block = open_generic(ins, [out], in_maps, ["parallel"] * loops + ["reduction"] * len(computed))
    arguments = list(block.arguments)
    old = list(op.regions[0].blocks[0].arguments)
    mapping: dict[Any, Any] = {old[n]: a for n, a in zip(used, arguments, strict=False)}
    with ir.InsertionPoint(block):
        for inner in body:
            clone(inner, mapping)
        value: Any = arguments[len(used)]
        for number, place in computed.items():
            is_equal = arith.cmpi(arith.CmpIPredicate.eq, mapping.get(place, place), index_of(loops + number))
            value = arith.select(is_equal, value, arguments[-1])
    finish(block, [value])
    return result.results[0]


def _padded_table(table: ir.Value, walked: list[bool]) -> Any:
    """The tensor `table`, padded along dimensions that are read in parts if their extent has few divisors.

    No index refers to the added elements. A tensor of a kernel can be padded for free only at its end, so its first dimension
    grows.
    """
    shape = list(table.type.shape)
    is_known = isinstance(base(table).owner, ir.Block) or is_constant(base(table))
    even_shape = [
        _rounded(n) if walk and (is_known or not d) else n for d, (n, walk) in enumerate(zip(shape, walked, strict=True))
    ]
    if even_shape == shape:
        return table
    padded = pad_by(table, [0] * len(shape), [w - n for w, n in zip(even_shape, shape, strict=True)], 0)
    padded.owner.attributes[MOVED_BY_HOST] = ir.UnitAttr.get()
    return padded


def _rounded(extent: int) -> int:
    """A length with many divisors: `extent`, or the next multiple of a power of two that is at most an eighth longer."""
    if extent < MANY or any(extent % n == 0 for n in range(MANY // 4, MANY + 1)):
        return extent
    unit = MANY
    while -(-extent // (2 * unit)) * 2 * unit * 8 <= extent * 9:
        unit *= 2
    return -(-extent // unit) * unit


def _zero(kind: ir.Type) -> int | float:
    return 0.0 if isinstance(kind, ir.FloatType) else 0


def _loop(place: ir.Value) -> int | None:
    """The loop that an index equals; None for other indices."""
    owner = defining_op(place, "linalg.index")
    return int(owner.attributes["dim"].value) if owner is not None else None


def _needed(op: AnyOp, values: list[ir.Value]) -> tuple[list[Any], list[int]]:
    """The operations of the body of `op` that compute `values`, and the operands that they use."""
    block = op.regions[0].blocks[0]
    arguments = {a: n for n, a in enumerate(block.arguments)}
    needed_values, used, result = set(values), set[int](), []
    for inner in reversed([o.operation for o in block.operations]):
        if any(r in needed_values for r in inner.results):
            result.append(inner)
            needed_values.update(inner.operands)
    used.update(n for a, n in arguments.items() if a in needed_values)
    return result[::-1], sorted(used)


def _with_operand(op: AnyOp, extract: AnyOp, value: ir.Value) -> Any:
    """`op` rebuilt with `value` as an operand instead of the result of `extract`."""
    operands, outs = list(op.operands), int(list(op.attributes["operandSegmentSizes"])[1])
    maps, first = indexing_maps(op), len(op.operands) - outs
    identity = ir.AffineMap.get_identity(maps[0].n_dims)
    with ir.InsertionPoint(op):
        generic_op, block = open_generic(
            [*operands[:first], value],
            operands[first:],
            [*maps[:first], identity, *maps[first:]],
            Generic.of(op).iterators,
        )
    old = op.regions[0].blocks[0]
    arguments = list(block.arguments)
    for before, after in zip(old.arguments, [*arguments[:first], *arguments[first + 1 :]], strict=True):
        before.replace_all_uses_with(after)
    extract.results[0].replace_all_uses_with(arguments[first])
    extract.erase()
    for inner in list(old.operations):
        block.append(inner)
    for result, new in zip(op.results, generic_op.results, strict=True):
        result.replace_all_uses_with(new)
    op.erase()
    return generic_op
