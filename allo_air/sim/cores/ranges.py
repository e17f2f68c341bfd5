"""Shadow checks of sets of elements: a base address, and a count and a stride for each dimension."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from typing import Any

from allo_air.mlir import arith, ir, memref, scf
from allo_air.sim.cores.build import Calls, Number, add, index, mul


@dataclass(frozen=True)
class Dimension:
    """`count` steps of `stride` bytes; either may be a value of type index."""

    count: Number
    stride: Number


def address(view: ir.Value, offset: Number) -> Number:
    """The address of the element `offset` elements into memref `view`, as index."""
    base = memref.extract_aligned_pointer_as_index(view)
    _, start = view.type.get_strides_and_offset()
    if view.type.is_dynamic_stride_or_offset(start):
        start = memref.extract_strided_metadata(view)[1]
    from allo_air.core_model.access import element_bytes

    return add(base, mul(add(start, offset), element_bytes(view.type.element_type)))


def check(calls: Calls, kind: str, base: Number, dimensions: list[Dimension], element: int, site: ir.Value) -> None:
    """Calls the shadow check `kind` (`read` or `write`) for exactly the bytes of a set of elements of `element` bytes each."""
    run, rest, base = _merge(base, dimensions, element)
    _walk(calls, kind, base, rest, run, site)


def _merge(base: Number, dimensions: list[Dimension], element: int) -> tuple[Number, list[Dimension], Number]:
    """Joins dimensions whose steps leave no gap into one run of bytes; the others remain, in descending order of their
    strides.
    """
    fixed: list[tuple[int, int]] = []
    rest: list[Dimension] = []
    for d in dimensions:
        if isinstance(d.count, int) and isinstance(d.stride, int):
            if d.count > 1 and d.stride:
                base = add(base, d.stride * (d.count - 1)) if d.stride < 0 else base
                fixed.append((abs(d.stride), d.count))
        else:
            rest.append(d)
    run = element
    gaps: list[Dimension] = []
    for stride, count in sorted(fixed):
        if not gaps and stride <= run:
            run += stride * (count - 1)
        else:
            gaps.append(Dimension(count, stride))
    dense = next((d for d in rest if isinstance(d.stride, int) and d.stride == run), None) if not gaps else None
    if dense is None:
        return run, [*rest, *reversed(gaps)], base
    rest.remove(dense)
    return mul(dense.count, run), rest, base


def _walk(calls: Calls, kind: str, base: Number, rest: list[Dimension], run: Number, site: ir.Value) -> None:
    if not rest:
        calls(f"allo_sim_{kind}", index(base), index(run), site)
    elif len(rest) == 1:
        [d] = rest
        calls(f"allo_sim_{kind}_strided", index(base), index(run), index(d.count), index(d.stride), site)
    else:
        d, *inner = rest
        loop = scf.ForOp(index(0), index(d.count), index(1))
        with ir.InsertionPoint(loop.body):
            _walk(calls, kind, add(base, mul(loop.induction_variable, d.stride)), inner, run, site)
            scf.yield_([])


def when_positive(counts: list[ir.Value]) -> Any:
    """An insertion point inside `scf.if` of all `counts` (values of type index) being above 0."""
    branch = scf.IfOp(reduce(arith.andi, [arith.cmpi(arith.CmpIPredicate.sgt, count, index(0)) for count in counts]))
    block = branch.then_block
    with ir.InsertionPoint(block):
        scf.yield_([])
    return ir.InsertionPoint(block.operations[0])


def lattices(offsets: list[int]) -> list[tuple[int, list[tuple[int, int]]]]:
    """Sorted distinct `offsets` as lattices (start, [(count, step), ...]): one lattice if possible, otherwise one for each
    offset.
    """
    steps: list[tuple[int, int]] = []
    rest = offsets
    while len(rest) > 1:
        step = rest[1] - rest[0]
        count = 1
        while count < len(rest) and rest[count] == rest[0] + count * step:
            count += 1
        starts = rest[::count]
        whole = len(rest) % count == 0
        if not whole or sorted(s + i * step for s in starts for i in range(count)) != rest:
            return [(o, []) for o in offsets]
        steps.append((count, step))
        rest = starts
    return [(rest[0], steps)]
