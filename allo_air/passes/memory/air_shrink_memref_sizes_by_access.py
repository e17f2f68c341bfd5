"""air-shrink-memref-sizes-by-access."""

from dataclasses import dataclass

from allo_air import dialects
from allo_air.core.pass_ import Pass
from allo_air.dialects.states import AUGUST, printed_state
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.buffers import Buffer
from allo_air.passes._analysis.indices import IndexValues
from allo_air.passes.memory._shrink import box_of, shrink_to
from allo_air.passes.memory._shrink_herds import buffers_on_device, is_herds_own, shrinking_in_herds

SHRINKAGE, MARCH_SHRINKAGE = "air.shrinkage", "shrinkage"


@dataclass(frozen=True)
class AirShrinkMemrefSizesByAccess(Pass):
    """Shrinks each buffer on the device to the part of it that its users visit, and adapts their accesses.

    Supported users are puts and gets, subviews of step 1 and vector transfers, in loops of constant bounds. The part may
    differ by core: its offset may depend on the herd's ids. A buffer in L1 that herds take as an operand is private to each
    core: it shrinks to what a core uses, if that is the same part in all herds. A shrunk allocation, and the `air.execute`
    around it, get `air.shrinkage = true`. An allocation with an unsupported user, or of which a single element is visited,
    stays and gets `air.shrinkage = false`. In March's assembly only the allocation has the attribute, called `shrinkage`.

    Before:

        %b = memref.alloc() : memref<64x64xi32, 2>
        %v = memref.subview %b[%row, 0] [16, 16] [1, 1] : memref<64x64xi32, 2> to memref<16x16xi32, ...>
        linalg.fill ins(%c0 : i32) outs(%v : memref<16x16xi32, ...>)
        air.channel.put @c[] (%b[%row, %c0] [%c16, %c16] [%c64, %c1]) : (memref<64x64xi32, 2>)

    After:

        %b = memref.alloc() {air.shrinkage = true} : memref<16x16xi32, 2>
        %v = memref.subview %b[0, 0] [16, 16] [1, 1] : memref<16x16xi32, 2> to memref<16x16xi32, ...>
        linalg.fill ins(%c0 : i32) outs(%v : memref<16x16xi32, ...>)
        air.channel.put @c[] (%b[%c0, %c0] [%c16, %c16] [%c16, %c1]) : (memref<16x16xi32, 2>)
    """

    name = "air-shrink-memref-sizes-by-access"
    anchor = "func.func"

    def run(self, op: AnyOp, /) -> None:
        dialects.load(op.context, ("air",))
        with op.context, op.location:
            for buffer in buffers_on_device(op):
                if not is_herds_own(buffer):
                    _shrink(buffer)
                    continue
                shrink = shrinking_in_herds(buffer)
                _mark(buffer, shrunk=shrink is not None)
                if shrink is not None:
                    shrink()


def _shrink(buffer: Buffer) -> None:
    box = box_of(buffer, IndexValues())
    if box is None or all(size == 1 for size in box.size):
        _mark(buffer, shrunk=False)
    elif box.size != tuple(buffer.value.type.shape):
        _mark(buffer, shrunk=True)
        shrink_to(buffer, box)


def _mark(buffer: Buffer, *, shrunk: bool) -> None:
    if printed_state() != AUGUST:
        buffer.alloc.attributes[MARCH_SHRINKAGE] = ir.BoolAttr.get(shrunk)
        return
    for op in (buffer.home, buffer.alloc):
        op.attributes[SHRINKAGE] = ir.BoolAttr.get(shrunk)
