"""Splits loops of operations that view the same tensor in different shapes, so that they can share tiles."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from math import prod
from typing import Any

from allo_air.core.cloning import clone_body
from allo_air.core.walking import body_of, defining_op, walk_named
from allo_air.mlir import AnyOp, ir, linalg
from allo_air.passes._ir.generic import Generic, extents, generic
from allo_air.passes._ir.tensors import empty
from allo_air.passes.partition._kinds import is_cast, is_convolution, is_product
from allo_air.passes.partition._roles import base, is_elementwise
from allo_air.passes.partition._views import reshape


@dataclass(frozen=True, eq=False)
class Work:
    """A linalg.generic whose loops may be split: their extents, and for each operand its root: the tensor that it is a view
    of. The root of a destination is the result.
    """

    generic: Generic
    extents: tuple[int, ...]
    roots: tuple[Any, ...]

    @property
    def dimensions(self) -> Iterator[tuple[Any, list[int], list[tuple[int, int]]]]:
        """For each operand: its root and shape, and for each dimension the stride in elements and the loop."""
        for value, map_, root in zip((*self.generic.inputs, *self.generic.outs), self.generic.maps, self.roots, strict=True):
            if isinstance(value.type, ir.RankedTensorType):
                shape = list(value.type.shape)
                inside = [prod(shape[n + 1 :]) for n in range(len(shape))]
                yield (
                    root,
                    shape,
                    [
                        (step, ir.AffineDimExpr(e).position)
                        for step, extent, e in zip(inside, shape, map_.results, strict=True)
                        if extent > 1
                    ],
                )


def splittable_ops(function: AnyOp) -> list[Work]:
    """The operations of a function whose loops may be split, in order."""
    fused_values: set[Any] = set()
    works: list[Work] = []
    for op in body_of(function):
        if _is_contraction_or_convolution(op) or _is_fused_cast(op) or _is_epilogue(op, fused_values):
            fused_values.update(op.results)
        elif op.name == "linalg.generic" and len(op.results) and _can_split_loops(own := Generic.of(op)):
            roots = (*map(base, own.inputs), *op.results)
            works.append(Work(own, tuple(extents(own)), roots))
    return works


def _is_contraction_or_convolution(op: ir.Operation) -> bool:
    return is_product(op) or is_convolution(op)


def _is_fused_cast(op: AnyOp) -> bool:
    """Whether `op` casts an operand that only a contraction or a convolution reads."""
    users = [use.owner.operation for r in op.results for use in r.uses]
    return is_cast(op) and len(users) == 1 and _is_contraction_or_convolution(users[0])


def _is_epilogue(op: ir.Operation, results: set[ir.OpResult]) -> bool:
    """Whether `op` is elementwise on the result of a contraction that no other operation reads."""
    return is_elementwise(op) and any(v in results and len(list(v.uses)) == 1 for v in op.operands)


def _can_split_loops(generic_op: Generic) -> bool:
    """Whether the loops of `generic_op` may be split: the maps are projected permutations, destinations are fills or unread,
    the body uses no index, and the caller pads no operand.
    """
    values = (*generic_op.inputs, *generic_op.outs)
    tensors = [(v, m) for v, m in zip(values, generic_op.maps, strict=True) if isinstance(v.type, ir.RankedTensorType)]
    is_plain = all(
        isinstance(e, ir.AffineDimExpr) or extent == 1
        for v, m in tensors
        for e, extent in zip(m.results, v.type.shape, strict=True)
    )
    loops = [[e for e in m.results if isinstance(e, ir.AffineDimExpr)] for _, m in tensors]
    has_distinct_loops = all(len(set(map(str, subscripts))) == len(subscripts) for subscripts in loops)
    fresh = not generic_op.reads_outs or all(_fill(v) is not None for v in generic_op.outs)
    places = walk_named(generic_op.op, "linalg.index", "tensor.extract")
    padded = any(prod(v.type.shape) != prod(base(v).type.shape) for v, _ in tensors)  # the caller pads this operand
    return (
        is_plain
        and has_distinct_loops
        and fresh
        and not (places or padded)
        and set(generic_op.iterators) <= {"parallel", "reduction"}
    )


def _fill(value: ir.Value) -> Any:
    """The number with which `value` is filled; None if it is not a fill."""
    result = defining_op(value, "linalg.fill")
    return result.operands[0] if result is not None else None


def seeds(works: Iterable[Work]) -> list[Any]:
    """The tensors that one operation writes and another reads in a different shape."""
    works = list(works)
    results = {r for work in works for r in work.generic.op.results}
    read = [(root, shape) for work in works for root, shape, _ in work.dimensions]
    return list(dict.fromkeys(r for r, shape in read if r in results and _dims_over_one(r.type.shape) != _dims_over_one(shape)))


def _dims_over_one(shape: Iterable[int]) -> list[int]:
    return [n for n in shape if n > 1]


@dataclass
class Cuts:
    """The strides at which dimensions of tensors, and loops, are split."""

    steps: dict[Any, set[int]] = field(default_factory=dict)
    loops: dict[Work, list[set[int]]] = field(default_factory=dict)

    @classmethod
    def around(cls, works: list[Work], root: ir.Value) -> Cuts | None:
        """Adds the splits that give `root` the dimensions of all its shapes. None if the shapes do not nest, or if no operation
        reduces.
        """
        cuts, waiting = cls(), [root]
        while waiting:
            item = waiting.pop()
            users = [w for w in works if item in w.roots]
            for work in users:
                cuts._record_strides(work, item)
            if not _nested_factors(cuts.steps[item], prod(item.type.shape)):
                return None
            for work in users:
                waiting += [r for r in cuts._split_loops(work) if r not in waiting]
        return cuts if any("reduction" in w.generic.iterators for w in cuts.loops) else None

    def _record_strides(self, work: Work, root: ir.Value) -> None:
        """Records the strides of `root` in `work`."""
        loops = self.loops.get(work, [set()] * len(work.extents))
        for _, _, dimensions in (d for d in work.dimensions if d[0] == root):
            self.steps.setdefault(root, set()).update(step * cut for step, loop in dimensions for cut in (1, *loops[loop]))

    def _split_loops(self, work: Work) -> list[Any]:
        """Splits the loops of `work` like its tensors. Returns the tensors that do not have all resulting splits."""
        loops = self.loops.setdefault(work, [set() for _ in work.extents])
        for root, _, dimensions in work.dimensions:
            for step, loop in dimensions:
                whole = step * work.extents[loop]
                loops[loop] |= {s // step for s in self.steps.get(root, ()) if step < s < whole}
        return [
            root
            for root, _, dimensions in work.dimensions
            if not {step * cut for step, loop in dimensions for cut in (1, *loops[loop])} <= self.steps.get(root, set())
        ]

    def shape(self, root: ir.Value) -> list[int]:
        """The shape of a tensor with all splits, without dimensions of extent 1."""
        return _shape(self.steps.get(root, ()), prod(root.type.shape))


def _nested_factors(steps: Iterable[int], size: int) -> bool:
    results = [*sorted(steps), size]
    return all(b % a == 0 for a, b in pairwise(results))


def _shape(steps: Iterable[int], size: int) -> list[int]:
    results = [*sorted(steps), size]
    return [b // a for a, b in pairwise(results)][::-1]


def rewrite(works: list[Work], cuts: Cuts) -> None:
    """Replaces operations by operations with split loops."""
    replacements: dict[Any, Any] = {}
    for work in works:
        if work in cuts.loops:
            _rewrite(work, cuts, replacements)


def _rewrite(work: Work, cuts: Cuts, replacements: dict[ir.Value, object]) -> None:
    """Replaces an operation by one with split loops, and records its results by the old ones in `replacements`."""
    result, count = work.generic, len(work.generic.inputs)
    parts = [_shape({1, *cut}, n) if n > 1 else [] for n, cut in zip(work.extents, cuts.loops[work], strict=True)]
    first = [sum(map(len, parts[:loop])) for loop in range(len(parts) + 1)]

    def input_of(value: ir.Value, root: ir.Value) -> Any:
        if not isinstance(value.type, ir.RankedTensorType):
            return value
        return replacements[root] if root in replacements else reshape(root, cuts.shape(root))

    def out_of(value: ir.Value, root: ir.Value) -> Any:
        number, new = _fill(value), empty(ir.RankedTensorType.get(cuts.shape(root), value.type.element_type))
        return new if number is None else linalg.fill(number, outs=[new])

    def body(values: list[ir.Value]) -> list[Any]:
        return list(clone_body(result.block, dict(zip(result.arguments, values, strict=True)))[1])

    with ir.InsertionPoint(result.op), result.op.location:
        inputs = [input_of(v, r) for v, r in zip(result.inputs, work.roots, strict=False)]
        outs = [out_of(v, r) for v, r in zip(result.outs, work.roots[count:], strict=True)]
        maps = [_map(m, parts, first) for m in result.maps]
        new_generic = generic(
            inputs, outs, maps, [i for i, own in zip(result.iterators, parts, strict=True) for _ in own], body
        )
        for old, new in zip(result.op.results, new_generic.results, strict=True):
            replacements[old] = new
            old.replace_all_uses_with(reshape(new, list(old.type.shape)))


def _map(map_: ir.AffineMap, parts: list[list[int]], first: list[int]) -> Any:
    loops = [ir.AffineDimExpr(e).position for e in map_.results if isinstance(e, ir.AffineDimExpr)]
    return ir.AffineMap.get(first[-1], 0, [ir.AffineDimExpr.get(first[d] + n) for d in loops for n in range(len(parts[d]))])
