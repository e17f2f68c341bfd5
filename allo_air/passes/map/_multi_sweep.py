"""Kernels whose rows do not fit into a core's L1: the core reads the row in parts, once for each reduction and once for the
results.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from allo_air.core.cloning import clone_body
from allo_air.core.walking import defining_op, walk_named
from allo_air.mlir import ir
from allo_air.passes._analysis.row_parts import LANES, part_sizes
from allo_air.passes._analysis.structured import reductions
from allo_air.passes._ir.generic import Generic, composed_map, drop_unused, generic
from allo_air.passes.map._dimensions import Dimensions
from allo_air.passes.map._kernel import Kernel, kernel_of
from allo_air.passes.map._plan import Part
from allo_air.passes.map._space import bits_of

EVERY = -1
"""Stands for all operations that have the dimension, instead of one operation's number."""
SWEEPS = "allo.multi_sweep"
"""Attribute of a kernel in which each operation sweeps over the row by itself."""


def in_sweeps(kernel: Kernel) -> Kernel:
    """Rewrites the kernel so that every operation along the longest of its `rows` reads only arguments and results of
    reductions.

    Elementwise operations on the row are recomputed by each user, so that the core does not have to store the row.

    Before:

        %e = linalg.generic {(i, j) -> (i, j)} ins(%x, %m) { exp(x - m) }
        %s = linalg.generic {(i, j) -> (i)} ins(%e) { addf }
        %y = linalg.generic {(i, j) -> (i, j)} ins(%e, %s) { divf }

    After:

        %s = linalg.generic {(i, j) -> (i)} ins(%x, %m) { addf (exp(x - m)) }
        %y = linalg.generic {(i, j) -> (i, j)} ins(%x, %m, %s) { divf (exp(x - m)) }
    """
    result, dimensions, function = rows(kernel), Dimensions(kernel), kernel.function
    longest = max(range(len(result)), key=lambda n: dimensions.all[result[n]].extent)
    while _inline_one(kernel, longest):
        kernel = kernel_of(function)
    drop_unused(function)
    function.attributes[SWEEPS] = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), longest)
    return kernel_of(function)


def parts_of_rows(kernel: Kernel, room: int) -> Iterator[Part]:
    """The sizes of the parts in which cores can sweep over a row, from the largest for which `room` bytes suffice."""
    number = int(kernel.function.attributes[SWEEPS].value)
    dimensions, row = Dimensions(kernel), _reduced(kernel)[number]
    each = 0
    for value in (*kernel.block.arguments, *kernel.returned):
        if value in dimensions.values and row in (own := dimensions.of(value)):
            users = 1 if value in kernel.returned else len({use.owner.operation for use in value.uses})
            each += 2 * users * (1 if own[-1] == row else LANES) * bits_of(value) // 8
    sizes = part_sizes(dimensions.all[row].extent)
    yield from (Part(EVERY, number, size) for size in sizes if size * each <= room)


def loops_in_parts(kernel: Kernel, part: Part) -> Iterator[tuple[Any, list[int]]]:
    """The operations that sweep over a row in parts, each with its loop sizes, 0 for loops that are not cut."""
    dimensions, row = Dimensions(kernel), _reduced(kernel)[part.loop]
    for op in kernel.ops:
        loops = dimensions.loops(op)
        if op.name == "linalg.generic" and row in loops:
            yield op, [part.size if d == row else 0 for d in loops]


def _reduced(kernel: Kernel) -> list[int]:
    """The dimensions of the last operation's loops that earlier operations reduce."""
    assert kernel.root is not None
    dimensions = Dimensions(kernel)
    return [d for d in dimensions.loops(kernel.root) if dimensions.all[d].reduced]


def rows(kernel: Kernel) -> list[int]:
    """The dimensions of the results along which all operations can sweep in parts."""
    if kernel.root is None or kernel.movements or any(op.name not in ("linalg.generic", "linalg.fill") for op in kernel.ops):
        return []
    dimensions, result = Dimensions(kernel), _reduced(kernel)
    results = [dimensions.of(r) for r in kernel.root.results]
    fit = all(
        d not in dimensions.repeated and all(d in m for m in results) and _can_sweep(kernel, dimensions, d) for d in result
    )
    return result if fit else []


def _inline_one(kernel: Kernel, number: int) -> bool:
    dimensions, row = Dimensions(kernel), _reduced(kernel)[number]
    along = [op for op in reversed(kernel.ops) if op.name == "linalg.generic" and row in dimensions.loops(op)]
    return any(_inline(Generic.of(op), row, dimensions) for op in along)


def _can_sweep(kernel: Kernel, dimensions: Dimensions, row: int) -> bool:
    """Whether each operation along a dimension reduces it, or is elementwise and can be recomputed by its users."""
    for op in kernel.ops:
        loops = dimensions.loops(op)
        if row not in loops or op.name == "linalg.fill":
            continue
        if walk_named(op, "tensor.extract"):
            return False
        reduces = reductions(op)
        if reduces[loops.index(row)]:
            if any(row in dimensions.of(r) for r in op.results):
                return False
        elif any(reduces) or (op != kernel.root and not _can_inline(Generic.of(op))):
            return False
    return True


def _can_inline(generic_op: Generic) -> bool:
    return len(generic_op.outs) == 1 and generic_op.is_elementwise and not walk_named(generic_op.op, "linalg.index")


def _inline(generic_op: Generic, row: int, dimensions: Dimensions) -> bool:
    """Moves the elementwise producer of one row operand into the body of `generic_op`; returns whether there was one."""
    for number, value in enumerate(generic_op.inputs):
        maker = defining_op(value, "linalg.generic")
        if maker is None or row not in dimensions.of(value):
            continue
        result = Generic.of(maker)
        if result.is_parallel:
            _replace(generic_op, number, result)
            return True
    return False


def _replace(generic_op: Generic, number: int, item: Generic) -> None:
    count = len(item.inputs)
    inside = [composed_map(m, generic_op.maps[number]) for m in item.maps[:count]]
    inputs: list[Any] = [*generic_op.inputs[:number], *generic_op.inputs[number + 1 :]]
    maps: list[Any] = [*generic_op.maps[:number], *generic_op.maps[number + 1 : len(generic_op.inputs)]]
    places = []
    for value, map_ in zip(item.inputs, inside, strict=True):
        place = next((n for n, (v, m) in enumerate(zip(inputs, maps, strict=True)) if v == value and m == map_), None)
        if place is None:
            place = len(inputs)
            inputs.append(value)
            maps.append(map_)
        places.append(place)

    def body(values: list[ir.Value]) -> list[Any]:
        [value] = clone_body(item.block, dict(zip(item.arguments, [values[n] for n in places], strict=False)))[1]
        outs = values[len(inputs) :]
        rest = [*values[:number], value, *values[number : len(generic_op.inputs) - 1], *outs]
        return clone_body(generic_op.block, dict(zip(generic_op.arguments, rest, strict=True)))[1]

    with ir.InsertionPoint(generic_op.op), generic_op.op.location:
        fresh = generic(
            inputs, generic_op.outs, [*maps, *generic_op.maps[len(generic_op.inputs) :]], generic_op.iterators, body
        )
    for old, new in zip(generic_op.op.results, fresh.results, strict=True):
        old.replace_all_uses_with(new)
    generic_op.op.erase()
