"""Finds which dimensions of a kernel's tensors and which loops are tied: if one of them changes its extent, all must."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

from allo_air.core.walking import is_result_of, walk_named
from allo_air.mlir import ir
from allo_air.passes._analysis.structured import indexing_maps, loop_extents, loops_in, reductions
from allo_air.passes.map._argument_slices import is_argument_slice, whole_dims
from allo_air.passes.map._kernel import Kernel
from allo_air.passes.map._pads import padding

GROUPABLE = ("linalg.generic", "linalg.fill", "linalg.copy")


@dataclass(frozen=True)
class Dimension:
    """A dimension of a kernel: its extent, whether an operation reduces it, and whether its extent must not change."""

    extent: int
    reduced: bool
    rigid: bool


class Dimensions:
    """The dimensions of a kernel, numbered: those of each tensor, outermost first, and those of each operation's loops."""

    def __init__(self, kernel: Kernel):
        self.kernel = kernel
        self._parent: dict[Hashable, Hashable] = {}
        self._values: dict[ir.Value, int] = {}
        rigid: list[Hashable] = []
        reduced: list[Hashable] = []
        extents: dict[Hashable, int] = {}
        for value in _tensors(kernel):
            self._values[value] = len(value.type.shape)
            for axis, extent in enumerate(value.type.shape):
                extents[self._find((value, axis))] = extent
            if is_result_of(value, "arith.constant") and not _is_splat(value):
                rigid += [(value, axis) for axis in range(len(value.type.shape))]
        for number, op in enumerate(kernel.ops):
            result = loop_extents(op)
            for loop, (extent, reduces) in enumerate(zip(result, reductions(op), strict=True)):
                key = self._find((number, loop))
                extents[key] = extent
                reduced += [key] * reduces
                rigid += [key] * (op.name not in GROUPABLE)
            for value, indexing in zip((*op.operands, *op.results), _maps(op), strict=True):
                if not isinstance(value.type, ir.RankedTensorType):
                    continue
                for axis, expression in enumerate(indexing.results):
                    if isinstance(expression, ir.AffineDimExpr):
                        self._union((value, axis), (number, ir.AffineDimExpr(expression).position))
                    elif not isinstance(expression, ir.AffineConstantExpr) or value.type.shape[axis] != 1:
                        rigid.append((value, axis))
                        rigid += [(number, d) for d in loops_in(expression)]
            for value, into in zip(op.results, list(op.operands)[len(op.operands) - len(op.results) :], strict=True):
                for axis in range(len(_shape(value))):  # including axes with a constant index
                    self._union((value, axis), (into, axis))
            for value in (*op.operands, *op.results):
                extents |= {self._find((value, a)): e for a, e in enumerate(_shape(value))}
            rigid += [(number, loop) for loop in indexed(op)]
        for inner in [o for op in kernel.ops for o in walk_named(op, "tensor.extract")]:
            rigid += [(inner.operands[0], axis) for axis in range(len(_shape(inner.operands[0])))]
        for slice_op in filter(is_argument_slice, kernel.movements):
            for dim, d in whole_dims(slice_op).items():
                self._union((slice_op.results[0], dim), (slice_op.operands[0], d))
        for movement in kernel.movements:
            for axis, pad in enumerate(padding(movement) or () if movement.name == "tensor.pad" else ()):
                if pad == (0, 0):
                    self._union((movement.results[0], axis), (movement.operands[0], axis))
            rigid += [(v, axis) for v in (*movement.operands, *movement.results) for axis in range(len(_shape(v)))]
        roots = list(dict.fromkeys(self._find(key) for key in list(self._parent)))
        self._number = {root: number for number, root in enumerate(roots)}
        stiff, summed = ({self._find(k) for k in keys} for keys in (rigid, reduced))
        extent_of = {self._find(key): extent for key, extent in extents.items()}
        self.all = [Dimension(extent_of.get(root, -1), root in summed, root in stiff) for root in roots]

    def of(self, value: ir.Value) -> list[int]:
        """The dimensions of a tensor."""
        return [self._number[self._find((value, axis))] for axis in range(len(_shape(value)))]

    def loops(self, op: ir.Operation) -> list[int]:
        """The dimensions of the loops of a structured operation."""
        number = self.kernel.ops.index(op)  # an operation's hash changes with its attributes
        return [self._number[self._find((number, loop))] for loop in range(indexing_maps(op)[0].n_dims)]

    @property
    def repeated(self) -> set[int]:
        """Dimensions that index a tensor twice, or that two loops of one operation share."""
        dims_lists = [*map(self.of, self.values), *map(self.loops, self.kernel.ops)]
        return {d for item in dims_lists for d in item if item.count(d) > 1}

    @property
    def values(self) -> list[ir.Value]:
        """All tensors of the kernel."""
        return list(self._values)

    def _find(self, key: Hashable) -> Hashable:
        while (above := self._parent.setdefault(key, key)) != key:
            key = above
        return key

    def _union(self, first: Hashable, second: Hashable) -> None:
        self._parent[self._find(first)] = self._find(second)


def indexed(op: ir.Operation) -> set[int]:
    """The loops of an operation whose indices its body uses."""
    return {int(inner.attributes["dim"].value) for inner in walk_named(op, "linalg.index")}


def _tensors(kernel: Kernel) -> Iterable[ir.Value]:
    values = [*kernel.block.arguments, *(r for view in kernel.block.operations for r in view.operation.results)]
    return [v for v in values if isinstance(v.type, ir.RankedTensorType)]


def _maps(op: ir.Operation) -> Sequence[ir.AffineMap]:
    """The maps of the operands, followed by those of the results."""
    result = indexing_maps(op)
    return [*result, *result[len(result) - len(op.results) :]]


def _shape(value: ir.Value) -> list[int]:
    return list(value.type.shape) if isinstance(value.type, ir.RankedTensorType) else []


def _is_splat(value: ir.Value) -> bool:
    attribute = value.owner.attributes["value"]
    return isinstance(attribute, ir.DenseElementsAttr) and bool(attribute.is_splat)
