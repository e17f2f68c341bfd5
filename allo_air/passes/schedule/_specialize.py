"""Splits a transfer that fetches different data for several groups of cores into one transfer for each group."""

from __future__ import annotations

from functools import partial
from itertools import product
from typing import Any

from allo_air.core.affine import IntegerSet
from allo_air.core.constants import constant_of, index_constant
from allo_air.core.folding import fold
from allo_air.core.walking import walk_named
from allo_air.dialects.air import DmaMemcpyNdOp, HerdOp
from allo_air.dialects.operands import operands_of
from allo_air.errors import PassError, counted
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.effects import is_pure
from allo_air.passes._ir.operands import with_operands
from allo_air.passes.schedule._broadcasts import PATTERN, SET
from allo_air.passes.schedule._chain import Choice, replace_by_chain

Group = tuple[int, list[tuple[int, ...]]]
"""The number of a source, and the cores that receive its data."""


def specialize_broadcasts(root: ir.Operation, *, computed: bool) -> bool:
    """Splits the transfers in `root` that have a `broadcast_pattern`; returns whether there were any.

    Ids that are constant for a group are replaced in operands. With `computed`, they are also replaced in the operations that
    compute operands.
    """
    marked = [op for op in walk_named(root, DmaMemcpyNdOp.OPERATION_NAME) if PATTERN in op.attributes]
    for op in marked:
        _specialize(DmaMemcpyNdOp(op), _herd(op), computed)
    return bool(marked)


def _specialize(dma: DmaMemcpyNdOp, herd: HerdOp, computed: bool) -> None:
    pattern = _pattern(dma, herd)
    choices: list[Choice] = []
    for source, cores in _groups(dma, pattern, [int(constant_of(v) or 0) for v in herd.sizes]):
        set_ = pattern.at(source).attribute()
        choices.append((set_, partial(_clone, dma, set_, herd, cores, computed)))
    replace_by_chain(dma.operation, herd.ids, choices)


def _herd(dma: ir.Operation) -> HerdOp:
    op = dma.parent
    while op is not None and op.operation.name != HerdOp.OPERATION_NAME:
        op = op.operation.parent
    if op is None:
        raise PassError(
            f"has a {PATTERN} outside of a herd, where there are no cores to tell apart; remove the attribute",
            dma.location,
            dma.name,
        )
    return HerdOp(op.operation)


def _pattern(dma: Any, herd: HerdOp) -> IntegerSet:
    attribute = dma.attributes[PATTERN]
    if not isinstance(attribute, ir.IntegerSetAttr):
        raise PassError(f"has {PATTERN} {attribute}, expected an integer set (d0, d1)[s0]", dma.location, dma.operation.name)
    pattern = IntegerSet.of(attribute)
    if (pattern.dims, pattern.symbols) != (len(herd.sizes), 1):
        raise PassError(
            f"has {PATTERN} {attribute}, expected a set in "
            f"{counted(len(herd.sizes), 'dimension')}, as the herd has, and one symbol, the"
            " source",
            dma.location,
            dma.operation.name,
        )
    if any(constant_of(v) is None for v in herd.sizes):
        raise PassError(
            f"has a {PATTERN}, and its herd's size is not constant, so that its cores cannot be grouped;"
            " run canonicalize first, or give the herd a constant size",
            dma.location,
            dma.operation.name,
        )
    return pattern


def _groups(dma: DmaMemcpyNdOp, pattern: IntegerSet, sizes: list[int]) -> list[Group]:
    """The sources that serve a core, in order; raises PassError unless each core has exactly one."""
    grid = list(product(*map(range, sizes)))
    groups = [(source, [core for core in grid if pattern.contains(core, [source])]) for source in range(len(grid))]
    for core in grid:
        serving = [source for source, cores in groups if core in cores]
        if len(serving) != 1:
            raise PassError(
                f"has a {PATTERN} in which core {core} of the herd is served by "
                + (f"sources {', '.join(map(str, serving))}" if serving else "no source")
                + ", expected one; each core must satisfy the set for exactly one s0",
                dma.location,
                dma.operation.name,
            )
    return [(source, cores) for source, cores in groups if cores]


def _clone(
    dma: AnyOp, set_: ir.Attribute, herd: HerdOp, cores: list[tuple[int, ...]], computed: bool, ip: ir.InsertionPoint
) -> Any:
    """A copy of `dma` for `cores`, in which ids that are equal for all of them are constants."""
    new = dma.operation.clone(ip=ip)
    del new.attributes[PATTERN]
    new.attributes[SET] = set_
    fixed = {
        i: coordinates[0]
        for i, coordinates in zip(herd.ids, zip(*cores, strict=True), strict=True)
        if len(set(coordinates)) == 1
    }
    with ir.InsertionPoint(new), new.location:
        value = operands_of(new).items()
        return with_operands(
            new, {name: [_fixed(v, fixed, computed) for v in values] for name, values in value if name != "deps"}
        )


def _fixed(value: ir.Value, fixed: dict[ir.Value, int], computed: bool) -> ir.Value:
    """`value` with the ids in `fixed` replaced by constants. With `computed`, it is recomputed here if it depends on one."""
    if value in fixed:
        return index_constant(fixed[value], ir.Location.current)
    if not computed or not isinstance(value, ir.OpResult) or not is_pure(value.owner):
        return value
    op = value.owner.operation
    values = list(op.operands)
    if op.name == "affine.apply" and (result := fold(op, lambda v: fixed.get(v, constant_of(v)))) is not None:
        return index_constant(result[0], op.location)
    operands = [_fixed(v, fixed, computed) for v in values]
    if operands == values:
        return value
    clone = op.clone()
    for n, operand in enumerate(operands):
        clone.operands[n] = operand
    return clone.results[value.result_number]
