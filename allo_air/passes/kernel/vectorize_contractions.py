"""vectorize-contractions."""

from __future__ import annotations

from dataclasses import dataclass

from allo_air.arch import Core, core_of
from allo_air.core.pass_ import Pass
from allo_air.core.schedule import schedule
from allo_air.core.walking import body_of, defining_block, defining_op, walk_named
from allo_air.mlir import AnyOp, ir, scf
from allo_air.passes._analysis.structured import loop_of
from allo_air.passes._ir.device_option import device_option
from allo_air.passes.kernel._accumulator_init import fold_accumulator_init
from allo_air.passes.kernel._product_sums import (
    PartsRoom,
    ProductSum,
    accumulate_wide,
    keeps_signs,
    product_sum,
    round_accesses,
)
from allo_air.passes.kernel._window_nest import vectorize_windows

MARK = "allo.mac"
"""Marks an operation for the script vectorize-gemm."""

_LOOPS = ["parallel", "parallel", "reduction"]


@dataclass(frozen=True)
class VectorizeContractions(Pass):
    """Turns packed matmuls and convolutions in L1 into loops over micro-tiles around one vector.contract of extended operands.

    A packed matmul is a linalg.generic of sums of products with six loops, three over micro-tiles and three inside them. The
    inner ones m, n, k are the last two dimensions of each operand, in either order, and of a size that the device has an
    instruction for; f32 is multiplied as bf16, and i32 as i16, if a core has room for that (emulate-contractions). The loop
    over k carries the accumulator (docs/sources.md#core-kernels). A sum in a type shorter than registers, such as bf16, is
    carried as f32 or i32, and rounded, or wrapped, once after the loop. Packed convolutions become such loops, too: the
    innermost one is over the window. A copy or constant that fills the accumulator's buffer becomes the initial value of the
    sums. Other operations stay.

    Before:

        linalg.generic {indexing_maps = [(i, j, l, m, n, k) -> (l, i, m, k), (i, j, l, m, n, k) -> (j, l, k, n),
              (i, j, l, m, n, k) -> (j, i, m, n)], ...}
            ins(%a, %b : memref<8x16x4x8xbf16, 2>, memref<16x8x8x4xbf16, 2>) outs(%c : memref<16x16x4x4xf32, 2>)

    After:

        scf.for %i ... { scf.for %j ... {
          %r = scf.for %l = %c0 to %c8 step %c1 iter_args(%acc = %c) -> (vector<4x4xf32>) {
            %n = vector.contract %a, %b, %acc
            scf.yield %n : vector<4x4xf32>
          }
        } }
    """

    name = "vectorize-contractions"
    works_on = ("linalg.generic", "vector.contract")

    device: str = "npu1"
    """The device to compile for: npu1, npu2, or some of their columns, as npu1_2col."""

    def run(self, op: AnyOp, /) -> None:
        device = device_option(self.name, self.device)
        core = core_of(device.arch)
        sums = [
            (generic, result) for generic in walk_named(op, "linalg.generic") if (result := _packed(generic, core)) is not None
        ]
        room = PartsRoom(device)
        sums = [(generic, item) for generic, item in sums if not item.is_by_parts or room.takes(generic)]
        widened_buffers = [accumulate_wide(generic, s) for generic, s in sums if s.short]
        for generic, _ in sums:
            generic.attributes[MARK] = ir.UnitAttr.get()
        if sums:
            schedule("vectorize-gemm").run(op)
            for item in walk_named(op, "vector.contract", "vector.transfer_write"):
                _locate(item)
            for loop in walk_named(op, "scf.for"):
                _carry(loop)
        for buffer in widened_buffers:
            round_accesses(buffer)
        vectorize_windows(op, core)
        fold_accumulator_init(op)


def _locate(op: ir.Operation) -> None:
    """Gives an operation without a location the location of the closest operation around it."""
    nowhere, outer = ir.Location.unknown(), op
    while outer is not None and outer.location == nowhere:
        outer = outer.parent
    if outer is not None and outer is not op:
        op.location = outer.location


def _carry(loop: ir.Operation) -> None:
    """Makes a reduction loop carry an accumulator that each iteration reads from a slice of a buffer and writes back; MLIR
    hoists no slices.
    """
    *ops, _ = body_of(loop)
    contracts = [o for o in ops if o.name == "vector.contract"]
    writes = [o for o in ops if o.name == "vector.transfer_write"]
    if len(contracts) != 1 or len(writes) != 1 or len(loop.results) or writes[0].operands[0] != contracts[0].results[0]:
        return
    [write] = writes
    place = list(write.operands)[1:]
    reads = [o for o in ops if o.name == "vector.transfer_read" and o.operands[0] == place[0]]
    if len(reads) != 1 or not all(map(_are_equal, place, list(reads[0].operands)[: len(place)])):
        return
    inside = [v for v in (*place, *reads[0].operands) if _is_inside(v, loop)]
    if any(isinstance(v, ir.BlockArgument) for v in inside):
        return
    results = [v.owner.operation for v in inside]
    if any(o.name != "affine.apply" or any(_is_inside(v, loop) for v in o.operands) for o in results):
        return
    for n, op in enumerate(results):
        if op not in results[:n]:
            op.move_before(loop)
    ops = [o for o in ops if o not in results]
    [read] = reads
    old = loop.regions[0].blocks[0]
    read.move_before(loop)
    with ir.InsertionPoint(loop), loop.location:
        carried = scf.ForOp(*list(loop.operands)[:3], iter_args=[read.results[0]])
        with ir.InsertionPoint(carried.body):
            end = scf.YieldOp([write.operands[0]])
    for op in ops:
        if op not in (read, write):
            op.move_before(end.operation)
    old.arguments[0].replace_all_uses_with(carried.induction_variable)
    contracts[0].operands[2] = carried.inner_iter_args[0]
    write.operands[0] = carried.results[0]
    for n, index in enumerate(list(read.operands)[1 : len(place)], 2):
        old_index = write.operands[n]
        write.operands[n] = index
        if old_index != index and not list(old_index.uses):
            old_index.owner.erase()
    write.move_after(carried.operation)
    loop.erase()


def _are_equal(first: ir.Value, second: ir.Value) -> bool:
    """Whether two indices are equal: one value, or the same map of the same values."""
    if first == second:
        return True
    a, b = (defining_op(value, "affine.apply") for value in (first, second))
    if a is None or b is None:
        return False
    return bool(a.attributes["map"] == b.attributes["map"] and list(a.operands) == list(b.operands))


def _is_inside(value: ir.Value, loop: ir.Operation) -> bool:
    """Whether `value` is defined in the body of `loop`."""
    return defining_block(value) == loop.regions[0].blocks[0]


def _packed(generic: ir.Operation, core: Core) -> ProductSum | None:
    """The product sum of `generic`, if it is a packed matmul with an instruction on the core."""
    kinds = [str(kind).partition("<")[2].rstrip(">") for kind in generic.attributes["iterator_types"]]
    operands = list(generic.operands)
    if kinds != [*_LOOPS, *_LOOPS] or len(operands) != 3 or generic.results:
        return None
    if not all(isinstance(v.type, ir.MemRefType) for v in operands):
        return None
    maps = [a.value for a in generic.attributes["indexing_maps"]]
    last = [_last_two(m) for m in maps]
    if [set(item) for item in last] != [{3, 5}, {4, 5}, {3, 4}] or last[2] != [3, 4]:
        return None
    result = product_sum(generic)
    sizes = {d: n for v, two in zip(operands, last, strict=True) for d, n in zip(two, list(v.type.shape)[-2:], strict=True)}
    contraction = core.contraction(result.factor, (sizes[3], sizes[5], sizes[4]), result.total) if result is not None else None
    return result if result is not None and contraction is not None and keeps_signs(result, contraction) else None


def _last_two(indexing: ir.AffineMap) -> list[int]:
    return [loop_of(e) for e in list(indexing.results)[-2:]]
