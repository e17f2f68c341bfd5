"""tensor.pad in a kernel: each tile pads the part that it reads; padded dimensions are not cut."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from allo_air.core.constants import constant_of
from allo_air.core.walking import defining_op, walk_named
from allo_air.mlir import ir
from allo_air.passes.map._argument_slices import slice_sizes
from allo_air.passes.map._promote import CUT

LANES = 16
"""Elements of a core's vector."""
COPIED = 8
"""Cycles to copy one element in a loop over single elements: a load, for which the store waits. Measured in simulation on
AIE2P, rows of 33 to 112 elements.
"""


def padding(op: ir.Operation) -> list[tuple[int, int]] | None:
    """The low and high padding of each dimension by a tensor.pad; None if it is not constant, or for another operation.

    A slice of an argument has no padding: its tiles are tiles of the argument.
    """
    if is_slice(op):
        return [(0, 0)] * len(op.results[0].type.shape)
    if op.name != "tensor.pad":
        return None
    dynamic = iter(list(op.operands)[1:])
    sides = []
    for name in ("static_low", "static_high"):
        results = []
        for size in op.attributes[name]:
            amount = constant_of(next(dynamic)) if size == ir.ShapedType.get_dynamic_size() else size
            if amount is None or amount < 0:
                return None
            results.append(amount)
        sides.append(results)
    return list(zip(*sides, strict=True))


def is_slice(op: ir.Operation) -> bool:
    """Whether `op` is a static, contiguous slice of an argument with the argument's rank."""
    if op.name != "tensor.extract_slice" or len(op.operands) != 1 or not isinstance(op.operands[0], ir.BlockArgument):
        return False
    return (
        CUT not in op.attributes
        and set(op.attributes["static_strides"]) <= {1}
        and len(op.results[0].type.shape) == len(op.operands[0].type.shape)
    )


def source_sizes(op: ir.Operation, sizes: Sequence[int]) -> list[int]:
    """The sizes of the part of the source that a tile of `sizes` of the result needs, for tensor.extract_slice or tensor.pad.

    A padded dimension is needed as a whole.
    """
    if op.name == "tensor.extract_slice":
        return slice_sizes(op, sizes)
    pads = padding(op) or []
    return [size if pad == (0, 0) else extent for pad, size, extent in zip(pads, sizes, op.operands[0].type.shape, strict=True)]


def cuts(op: ir.Operation, sizes: Sequence[int], whole: Sequence[int]) -> bool:
    """Whether a tile of `sizes` of a tensor.pad's result cuts a padded dimension. `whole` is the union of all tiles."""
    pads = padding(op)
    if pads is None:
        return False
    return any(pad != (0, 0) and size < extent for pad, size, extent in zip(pads, sizes, whole, strict=True))


def pad_cycles(op: ir.Operation, sizes: Sequence[int]) -> float:
    """Cycles in which a core pads a tile: it fills the tile of `sizes` of the result, and copies that of the source into it.

    Rows are copied in vectors if they are whole vectors and aligned in both tiles, otherwise element by element.
    """
    if op.name != "tensor.pad":
        return 0.0
    source, low = source_sizes(op, sizes), [before for before, _ in padding(op) or []]
    run, aligned = 1, True
    for before, size, whole in reversed(list(zip(low, source, sizes, strict=True))):
        aligned = not (before * run % LANES or whole * run % LANES)
        run *= size
        if size < whole:
            break
    each = 1 / LANES if aligned and run % LANES == 0 else COPIED
    return prod(sizes) / LANES + prod(source) * each


def fold_constant_branches(function: ir.Operation) -> None:
    """Replaces each scf.if with a constant condition by its branch. Tiling a tensor.pad creates them for tiles that are all
    padding.
    """
    for choice in walk_named(function, "scf.if"):
        result = defining_op(choice.operands[0], "arith.constant")
        if result is None:
            continue
        [block] = choice.regions[0 if result.attributes["value"].value else 1].blocks
        *body, end = [o.operation for o in block.operations]
        for op in body:
            op.move_before(choice)
        for old, new in zip(choice.results, end.operands, strict=True):
            old.replace_all_uses_with(new)
        choice.erase()
