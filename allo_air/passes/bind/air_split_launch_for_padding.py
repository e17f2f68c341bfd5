"""air-split-launch-for-padding."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from allo_air.core.affine import compiled
from allo_air.core.constants import constant_of
from allo_air.core.diagnostics import error_at
from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk_named
from allo_air.dialects.air import LaunchOp
from allo_air.dialects.air_values import forwarded_value
from allo_air.dialects.operands import lists_of
from allo_air.errors import counted
from allo_air.mlir import AnyOp, ir
from allo_air.passes.bind._edges import Edge
from allo_air.passes.bind._split_launch import split

ACTUAL_SIZES = "air.actual_sizes"
_SIDES = {"air.channel.put": ("src",), "air.channel.get": ("dst",), "air.dma_memcpy_nd": ("dst", "src")}


@dataclass(frozen=True)
class AirSplitLaunchForPadding(Pass):
    """Splits a launch whose last blocks extend over the end of its arrays: interior, edges and corner become separate launches.

    Attribute `air.actual_sizes` of a launch has the actual sizes of the problem. The block size of a dimension is the smallest
    constant factor of the launch id, in the launch or the segment; with flat offsets, without the row stride. If blocks divide
    the first two sizes, nothing changes. Otherwise up to four launches replace the launch. They have separate segments and
    channels, whose names end in `_interior`, `_m_boundary`, `_n_boundary` and `_corner`; the launch id of an edge is a
    constant.

    At an edge, reads of argument 0 (for dimension 0) and of argument 1 (for dimension 1) are cut to the part inside the array.
    Zeros are added when the data leaves the memtile (`pad_after`), or by the transfer that reads it. A transfer without an
    element inside reads one element from the start of the array, since a descriptor must move something. Results are written in
    whole blocks, so the host's result array must be as large as these.

    Before:

        air.launch (%i, %j) in (%m=%c2, %n=%c2) args(%a=%x, %b=%y) ... attributes {air.actual_sizes = array<i64: 40, 64>} {
          %r = arith.muli %i, %c32 : index
          air.channel.put @c[] (%a[%r, %c0] [%c32, %c64] [%c64, %c1]) : (memref<40x64xi32>)
          air.segment @s {
            air.channel.get @c[] (%l2[] [] []) : (memref<32x64xi32, 1>)
            air.channel.put @d[] (%l2[] [] []) : (memref<32x64xi32, 1>)

    After:

        air.launch (%i, %j) in (%m=%c1, %n=%c2) ... {
          ... @c_interior ... air.segment @s_interior
        }
        air.launch (%i, %j) in (%m=%c1, %n=%c2) ... {
          %r = arith.muli %c1, %c32 : index
          air.channel.put @c_m_boundary[] (%a[%r, %c0] [%c8, %c64] [%c64, %c1]) : (memref<40x64xi32>)
          air.segment @s_m_boundary {
            air.channel.get @c_m_boundary[] (%l2[%c0, %c0] [%c8, %c64] [%c64, %c1]) : (memref<32x64xi32, 1>)
            air.channel.put @d_m_boundary[] (%l2[%c0, %c0] [%c8, %c64] [%c64, %c1])
                {pad_after = array<i32: 24, 0>, pad_before = array<i32: 0, 0>} : (memref<32x64xi32, 1>)
    """

    name = "air-split-launch-for-padding"
    split_mode: Literal["multi-launch", "single-launch"] = "multi-launch"
    """How edges are handled: by separate launches. A single launch with conditions is for GPUs, and rejected."""
    pad_location: Literal["memtile", "source"] = "memtile"
    """The transfer that adds the zeros: the one out of the memtile, or the one that reads the array."""
    use_dma_memcpy: bool = False
    """An option of older versions of mlir-air, without effect here."""

    def run(self, op: AnyOp, /) -> None:
        for launch in walk_named(op, "air.launch"):
            if ACTUAL_SIZES in launch.attributes and len(LaunchOp(launch).sizes) > 1:
                self._launch(op, LaunchOp(launch))

    def _launch(self, module: AnyOp, launch: AnyOp) -> None:
        edges = _edges(launch)
        if all(edge.real == 0 for edge in edges):
            del launch.attributes[ACTUAL_SIZES]
            return
        if self.split_mode == "single-launch":
            raise error_at(
                launch, "has blocks that overhang, and split-mode=single-launch is for GPUs: use split-mode=multi-launch"
            )
        split(module, launch, edges, self.pad_location)


def _edges(launch: Any) -> list[Edge]:
    """The first two dimensions of `launch`, with the number of valid elements in their last blocks; 0 if these blocks are
    whole.
    """
    edges = []
    for dim, (id_, actual) in enumerate(zip(launch.ids[:2], list(launch.attributes[ACTUAL_SIZES]), strict=False)):
        blocks = _factors(id_)
        if not blocks:
            raise error_at(launch, f"has {ACTUAL_SIZES}, but its id {dim} is not multiplied by a constant, the size of a block")
        count = constant_of(launch.sizes[dim])
        block = _block(launch, blocks, actual, count)
        if actual % block and count != -(-actual // block):
            raise error_at(
                launch,
                f"covers {counted(actual, 'element')} of dimension {dim} in blocks of {block}, which takes "
                f"{-(-actual // block)} of them,"
                f" and has {'a size that is not constant' if count is None else count}; give it the size that covers them",
            )
        edges.append(Edge(dim, block, actual % block))
    return edges


def _block(launch: AnyOp, factors: list[int], actual: int, count: int | None) -> int:
    """The size of a block: the smallest factor, or one without its stride if that factor does not cover `actual` by `count`
    blocks.

    In an array with flat offsets, the offset of a row of blocks is the block size times the row stride.
    """
    least = min(factors)
    if count is None or -(-actual // least) == count:
        return least
    lists = [lists_of(op, side) for op in walk_named(launch, *_SIDES) for side in _SIDES[op.name]]
    sizes = {constant_of(v) for _, item, _ in lists for v in item}
    strides = {n for *_, item in lists for v in item if (n := constant_of(v))}
    whole = [f // s for f in sorted(factors) for s in sorted(strides, reverse=True) if f % s == 0]
    fitting = [b for b in whole if -(-actual // b) == count]
    return next((b for b in fitting if b in sizes), fitting[0] if fitting else least)


def _factors(value: ir.Value) -> list[int]:
    """The constants by which `value` is multiplied, also through casts, affine.apply and arguments of segments."""
    factors: list[int] = []
    todo = [value]
    while todo:
        for use in todo.pop().uses:
            user = use.owner.operation
            if user.name in ("arith.index_cast", "arith.extsi", "arith.trunci"):
                todo.append(user.results[0])
            elif user.name == "arith.muli":
                factors += [n for v in user.operands if (n := constant_of(v)) is not None and n > 0]
            elif user.name == "affine.apply":
                factors += _scale(user, use.operand_number)
            elif (forwarded := forwarded_value(use)) is not None:
                todo.append(forwarded)
    return factors


def _scale(apply: AnyOp, number: int) -> list[int]:
    """The factor of operand `number` in the only result of `apply`."""
    map_ = apply.attributes["map"].value
    points = [[int(n == number and step) for n in range(len(apply.operands))] for step in (0, 1)]
    (zero, *_), (one, *_) = map(compiled(map_), points)
    return [one - zero] if one > zero else []
