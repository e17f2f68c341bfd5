"""air-collapse-herd."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import Any

from allo_air.core.constants import constant_of, index_constant
from allo_air.core.pass_ import Pass
from allo_air.core.walking import is_unused, walk_named
from allo_air.dialects.air import HerdOp
from allo_air.mlir import AnyOp, arith, ir
from allo_air.passes._analysis.columns import is_alone
from allo_air.passes._ir.device_option import device_option
from allo_air.passes.place._cascades import uses_cascade
from allo_air.plan.schema import plan_or_unplanned

_BROADCASTS = ("broadcast_pattern", "broadcast_set")


@dataclass(frozen=True)
class AirCollapseHerd(Pass):
    """Makes herds of several columns one column wide, so that they occupy whole columns of the array.

    A herd of X columns and Y rows becomes one of 1 column and X * Y rows, if that is at most `max-col-size` rows (-1: any
    number), or, with `device`, at most the rows of its cores; inside, column and row are computed from the new row. Herds of
    the same name, phases of the same cores, collapse together or not at all. These herds stay unchanged: those with a place,
    with a cascade to neighbours, with a size that is not constant or not two-dimensional, or with transfers whose broadcast
    marks refer to ids; and those of a single kernel that `plan-tiles` planned, if all its columns' shims carry data and
    `device` has as many usable columns.

    Before (`air-collapse-herd{max-col-size=4}`):

        air.herd @h tile (%x, %y) in (%sx=%c2, %sy=%c2) {
          "use"(%x, %y) : (index, index) -> ()
        }

    After:

        %0 = arith.muli %c1, %c2 : index
        %rows = arith.muli %0, %c2 : index
        air.herd @h tile (%a, %b) in (%sa=%c1, %sb=%rows) {
          %y = arith.remsi %b, %c2 : index
          %x = arith.divsi %b, %c2 : index
          "use"(%x, %y) : (index, index) -> ()
        }
    """

    name = "air-collapse-herd"
    anchor = "func.func"
    max_col_size: int = -1
    """Largest number of rows of a collapsed herd; -1 for any."""
    device: str = ""
    """The device whose number of rows limits herds; it overrides max-col-size."""
    cols: int = 0
    """Columns of the device that may be used, 0 for all."""

    def run(self, op: AnyOp, /) -> None:
        device = device_option(self.name, self.device) if self.device else None
        stay = (self.cols or (device.columns if device else inf)) if plan_or_unplanned(op).is_tiled and is_alone(op) else 1
        most = len(device.core_rows) if device else self.max_col_size
        herds = [HerdOp(herd) for herd in walk_named(op, HerdOp.OPERATION_NAME)]
        for phases in _phases(herds):
            shapes = {_shape(herd) for herd in phases}
            shape = next(iter(shapes))
            if (
                len(shapes) > 1
                or shape is None
                or shape[0] <= stay
                or not _can_collapse(*shape, most)
                or any(map(_is_bound, phases))
            ):
                continue
            for herd in phases:
                _collapse(herd, *shape)


def _can_collapse(columns: int, rows: int, most: int) -> bool:
    return most < 0 or columns * rows <= most


def _phases(herds: list[HerdOp]) -> list[list[AnyOp]]:
    """The herds, grouped by name."""
    named: dict[int | str, list[AnyOp]] = {}
    for n, herd in enumerate(herds):
        named.setdefault(n if herd.sym_name is None else herd.sym_name, []).append(herd)
    return list(named.values())


def _shape(herd: Any) -> tuple[int, int] | None:
    sizes = [constant_of(v) for v in herd.sizes]
    constants = [n for n in sizes if n is not None]
    return (constants[0], constants[1]) if len(constants) == len(sizes) == 2 else None


def _is_bound(herd: AnyOp) -> bool:
    """Whether the herd's shape is fixed: by a place, a cascade, or a mark that refers to its ids."""
    if {"x_loc", "y_loc"} & set(herd.attributes.keys()) or uses_cascade(herd):
        return True
    dmas = walk_named(herd, "air.dma_memcpy_nd")
    return any(name in dma.attributes for dma in dmas for name in _BROADCASTS)


def _collapse(herd: Any, columns: int, rows: int) -> None:
    location = herd.location
    old = list(herd.sizes)
    with ir.InsertionPoint(herd), location:
        index_constant(0, location)
        one, product = index_constant(1, location), index_constant(1, location)
        for size in old:
            product = arith.muli(product, size)
    first = len(herd.deps)
    for n, size in enumerate((one, product)):
        herd.operation.operands[first + n] = size
    uses = [[(use.owner, use.operand_number) for use in i.uses] for i in herd.ids]
    with ir.InsertionPoint.at_block_begin(herd.block), location:
        height = index_constant(rows, location)
        y, x = arith.remsi(herd.ids[1], height), arith.divsi(herd.ids[1], height)
        for arg, value in zip(herd.size_args, (columns, rows), strict=True):
            if not is_unused(arg):
                arg.replace_all_uses_with(index_constant(value, location))
        for users, coordinate in zip(uses, (x, y), strict=True):
            for user, number in users:
                user.operands[number] = coordinate
