"""collapse-dimensions."""

from __future__ import annotations

from dataclasses import dataclass

from allo_air.core.names import function_type_of
from allo_air.core.pass_ import Pass
from allo_air.mlir import AnyOp
from allo_air.passes._ir.kernel_calls import reshape
from allo_air.passes.map._dimensions import Dimensions
from allo_air.passes.map._init_operands import read_init_operands
from allo_air.passes.map._kernel import Kernel, check_static, kernels
from allo_air.passes.map._reshape_iteration_space import Group, reshape_iteration_space


@dataclass(frozen=True)
class CollapseDimensions(Pass):
    """Merges dimensions that are adjacent in all tensors of a kernel, and drops those of extent 1.

    Arguments and results lose dimensions, too; calls reshape them, which costs nothing. If an operation no longer reduces a
    dimension and its result is used by another operation, it takes its initial value as an operand, so that the two can be
    fused.

    Before:

        func.func private @k(%a: tensor<4x6x8xf32>, %b: tensor<8xf32>) -> tensor<4x6x8xf32> attributes {allo.kernel} {
          linalg.generic ... ins(%a, %b) // (i, j, k), (k)

    After:

        func.func private @k(%a: tensor<24x8xf32>, %b: tensor<8xf32>) -> tensor<24x8xf32> attributes {allo.kernel} {
          linalg.generic ... ins(%a, %b) // (i, k), (k)
    """

    name = "collapse-dimensions"

    def run(self, op: AnyOp, /) -> None:
        for kernel in kernels(op):
            check_static(kernel)
            dimensions = Dimensions(kernel)
            if groups := _groups(kernel, dimensions):
                before = function_type_of(kernel.function)
                reshape_iteration_space(kernel, dimensions, groups)
                reshape(kernel.function, before)
            read_init_operands(kernel.function)


def _groups(kernel: Kernel, dimensions: Dimensions) -> list[Group]:
    """The longest runs of dimensions that are always adjacent, in order, and the dimensions of extent 1 to drop."""
    unit_dims = {n for n, d in enumerate(dimensions.all) if d.extent == 1 and not d.rigid}
    tensors = [[d for d in dimensions.of(v) if d not in unit_dims] for v in dimensions.values]
    follows: dict[int, int | None] = {}
    precedes: dict[int, int | None] = {}
    for tensor in tensors:
        for dim, after in zip(tensor, [*tensor[1:], None], strict=False):
            if follows.setdefault(dim, after) != after:
                follows[dim] = None
        for dim, before in zip(tensor, [None, *tensor[:-1]], strict=False):
            if precedes.setdefault(dim, before) != before:
                precedes[dim] = None
    kinds = {d: _kinds(kernel, dimensions, d) for d in follows}
    repeated = dimensions.repeated

    def can_merge(first: int, second: int | None) -> bool:
        return (
            second is not None
            and precedes[second] == first
            and not {first, second} & repeated
            and not (dimensions.all[first].rigid or dimensions.all[second].rigid)
            and kinds[first] == kinds[second]
        )

    groups = [Group((unit,), ()) for unit in sorted(unit_dims)]
    for first in follows:
        if precedes[first] is not None and can_merge(precedes[first], first):  # type: ignore[arg-type]
            continue
        run = [first]
        while can_merge(run[-1], follows[run[-1]]):
            run.append(follows[run[-1]])  # type: ignore[arg-type]
        if len(run) > 1:
            extent = 1
            for d in run:
                extent *= dimensions.all[d].extent
            groups.append(Group(tuple(run), (extent,)))
    return groups


def _kinds(kernel: Kernel, dimensions: Dimensions, dimension: int) -> list[tuple[int, str]]:
    """The operations that loop over a dimension, and whether they reduce it."""
    kinds = []
    for number, op in enumerate(kernel.ops):
        for loop, looped in enumerate(dimensions.loops(op)):
            if looped == dimension:
                kind = str(op.attributes["iterator_types"][loop]) if "iterator_types" in op.attributes else ""
                kinds.append((number, kind))
    return kinds
