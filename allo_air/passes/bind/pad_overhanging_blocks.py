"""pad-overhanging-blocks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import prod
from typing import Any

from allo_air.access.dims import row_major
from allo_air.core.constants import constant_of
from allo_air.core.names import set_function_type
from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk_named
from allo_air.dialects.air_values import forwarded_value, regroup_operands
from allo_air.dialects.host_shapes import HOST_SHAPES
from allo_air.mlir import AnyOp, arith, ir
from allo_air.passes.bind._index_maximum import depends_on_ids, greatest, least, start_of_last_block

ACTUAL_SIZES = "air.actual_sizes"


@dataclass(frozen=True)
class PadOverhangingBlocks(Pass):
    """Pads host arrays to whole blocks of a launch, if the last blocks extend over the arrays' end.

    The caller keeps arrays of the shapes in `allo_air.host_shapes`. Their padding is zeros for inputs, and is dropped for
    results. An array is padded if its transfers access each dimension by one constant stride. Those that extend over its end
    must begin at its start, or at an offset that depends on a launch or loop. All outer blocks, which are those of the launch
    or loop with the largest step, must begin inside. A core's block may be all padding. Other arrays stay, and are rejected
    later.

    Before:

        func.func @f(%x: memref<100xf32>, ...) {
          air.launch (%i) in (%n=%c4) args(%a=%x, ...) : memref<100xf32>, ... {
            %o = affine.apply affine_map<()[s0] -> (s0 * 32)>()[%i]
            air.dma_memcpy_nd (%b[] [] [], %a[%o] [32] [1]) : (memref<32xf32, 1>, memref<100xf32>)

    After:

        func.func @f(%x: memref<128xf32>, ...) attributes {allo_air.host_shapes = [array<i64: 100>, ...]} {
          ...
            air.dma_memcpy_nd (%b[] [] [], %a[%o] [32] [1]) : (memref<32xf32, 1>, memref<128xf32>)
    """

    name = "pad-overhanging-blocks"
    anchor = "builtin.module"

    def run(self, op: AnyOp, /) -> None:
        for function in walk_named(op, "func.func"):
            if function.regions[0].blocks and HOST_SHAPES not in function.attributes:
                _pad(function)


def _pad(function: ir.Operation) -> None:
    arguments = list(function.regions[0].blocks[0].arguments)
    if not arguments or not all(_is_plain(a.type) for a in arguments):
        return
    uses = {number: list(_accesses(argument)) for number, argument in enumerate(arguments)}
    accesses = {n: [access for access in item if access] for n, item in uses.items() if None not in item}
    padded_shapes = {n: _shape(arguments[n].type, item) for n, item in accesses.items()}
    larger = {n: shape for n, shape in padded_shapes.items() if shape is not None and shape != list(arguments[n].type.shape)}
    if not any(_overhangs(arguments[n].type, accesses[n]) for n in larger):
        return
    shapes = [ir.DenseI64ArrayAttr.get(list(a.type.shape)) for a in arguments]
    for number, shape in larger.items():
        for access in accesses[number]:
            access.restride(shape)
        _retype(arguments[number], shape)
    set_function_type(function)
    function.attributes[HOST_SHAPES] = ir.ArrayAttr.get(shapes)
    for launch in walk_named(function, "air.launch"):
        if ACTUAL_SIZES in launch.attributes:
            del launch.attributes[ACTUAL_SIZES]


def _is_plain(kind: ir.Type) -> bool:
    """Whether an argument is a host array of static shape, dense in row-major order."""
    if not isinstance(kind, ir.MemRefType) or not kind.has_static_shape or not kind.rank:
        return False
    space = kind.memory_space
    return str(kind.layout).count("strided") == 0 and (space is None or not getattr(space, "value", 1))


@dataclass(frozen=True)
class _Access:
    """The access list of a transfer on an array."""

    op: ir.Operation
    first: int
    lists: tuple[tuple[Any, ...], ...]

    def restride(self, shape: list[int]) -> None:
        """Changes the strides to those of an array of `shape`."""
        memref = self.op.operands[self.first].type
        before, after = row_major(tuple(memref.shape)), row_major(tuple(shape))
        begin = self.first + 1 + len(self.lists[0]) + len(self.lists[1])
        with ir.InsertionPoint(self.op), self.op.location:
            for number, value in enumerate(self.lists[2]):
                rest, result = constant_of(value) or 0, 0
                for old, new in zip(before, after, strict=True):
                    result, rest = result + rest // old * new, rest % old
                self.op.operands[begin + number] = arith.ConstantOp(ir.IndexType.get(), result).result


def _accesses(value: ir.Value) -> Iterator[_Access | None]:
    """The transfers of an array, through hierarchies; None if there are other uses."""
    for use in value.uses:
        user = use.owner.operation
        if (inner := forwarded_value(use)) is not None:
            yield from _accesses(inner)
        elif user.name in ("air.dma_memcpy_nd", "air.channel.put", "air.channel.get"):
            side = "dst" if user.name == "air.channel.get" or (user.name[4] == "d" and user.opview.dst == value) else "src"
            lists = tuple(tuple(getattr(user.opview, f"{side}_{part}")) for part in ("offsets", "sizes", "strides"))
            yield _Access(user, use.operand_number, lists)
        else:
            yield None


def _reach(kind: ir.ShapedType, access: _Access) -> list[int] | None:
    """The end of `access` in each dimension, exclusive; None if unknown."""
    offsets, sizes, strides = access.lists
    steps, extents = row_major(tuple(kind.shape)), [1] * kind.rank
    if not sizes:
        return list(kind.shape)
    offsets = (None,) * (len(sizes) - len(offsets)) + tuple(offsets)
    visited: set[int] = set()
    for offset, size, stride in zip(offsets, sizes, strides, strict=True):
        count, step = constant_of(size), constant_of(stride)
        begin = 0 if offset is None else greatest(offset)
        if count is None or step is None or begin is None:
            return None
        if not step or (count == 1 and not begin):
            continue
        dim = next(d for d, s in enumerate(steps) if s <= step)
        if step % steps[dim] or (kind.shape[dim] == 1 and step != steps[dim]):
            return None
        visited.add(dim)
        extents[dim] += (begin + count - 1) * (step // steps[dim])
    return extents


def _shape(kind: ir.ShapedType, accesses: list[_Access]) -> list[int] | None:
    """The smallest shape that contains all accesses; None if unknown."""
    shape = list(kind.shape)
    for access in accesses:
        reach = _reach(kind, access)
        if (
            reach is None
            or not access.lists[1]
            or (_is_fixed(access) and _is_beyond(kind, reach))
            or _begins_beyond(kind, access)
        ):
            return None
        shape = [max(a, b) for a, b in zip(shape, reach, strict=True)]
    begins = [_first_element(access) for access in accesses]
    return None if begins and min(begins) >= prod(kind.shape) else shape


def _first_element(access: _Access) -> int:
    """The element at which the first block of `access` begins; 0 if unknown."""
    offsets, _, strides = access.lists
    steps = strides[len(strides) - len(offsets) :]
    return sum((least(o) or 0) * (constant_of(s) or 0) for o, s in zip(offsets, steps, strict=True))


def _begins_beyond(kind: ir.ShapedType, access: _Access) -> bool:
    """Whether the last of the outer blocks begins after the array's end in a dimension."""
    offsets, _, strides = access.lists
    extents = dict(zip(row_major(tuple(kind.shape)), kind.shape, strict=True))
    for offset, stride in zip(offsets, strides[len(strides) - len(offsets) :], strict=True):
        begin, step = start_of_last_block(offset), constant_of(stride)
        inner = max((n for n in extents if n <= (step or 0)), default=0)
        if begin and inner and begin * (step or 0) // inner >= extents[inner]:
            return True
    return False


def _is_fixed(access: _Access) -> bool:
    """Whether `access` begins at one position, independent of ids and loops, that is not the array's start."""
    return not any(depends_on_ids(offset) for offset in access.lists[0]) and any(greatest(o) != 0 for o in access.lists[0])


def _overhangs(kind: ir.ShapedType, accesses: list[_Access]) -> bool:
    """Whether an access extends over the end of the array."""
    reaches = [_reach(kind, access) for access in accesses]
    return any(reach is not None and _is_beyond(kind, reach) for reach in reaches)


def _is_beyond(kind: ir.ShapedType, reach: list[int]) -> bool:
    return sum((n - 1) * s for n, s in zip(reach, row_major(tuple(kind.shape)), strict=True)) >= prod(kind.shape)


def _retype(value: ir.Value, shape: list[int]) -> None:
    kind = value.type
    inner = [(use.owner.operation, i) for use in value.uses if (i := forwarded_value(use)) is not None]
    value.set_type(ir.MemRefType.get(shape, kind.element_type, memory_space=kind.memory_space))
    for hierarchy, child in inner:
        regroup_operands(hierarchy)
        _retype(child, shape)
