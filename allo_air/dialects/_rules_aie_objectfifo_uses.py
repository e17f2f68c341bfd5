"""Rules of the uses of objectFifos: in cores, in processes, and by external buffers."""

from __future__ import annotations

from allo_air.core.constants import constant_of
from allo_air.dialects._aie_objectfifo import (
    ObjectFifoAcquireOp,
    ObjectFifoRegisterExternalBuffersOp,
    ObjectFifoRegisterProcessOp,
    ObjectFifoReleaseOp,
    ObjectFifoSubviewAccessOp,
)
from allo_air.dialects._places import kind_of
from allo_air.dialects._rules import Report, enclosing, rule
from allo_air.dialects._rules_aie_objectfifo import element_of, named_fifo
from allo_air.mlir import ir

_PRODUCE, _CONSUME = 0, 1


@rule("aie.objectfifo.register_external_buffers")
def external_buffers(op: ObjectFifoRegisterExternalBuffersOp, report: Report) -> None:
    """External buffers belong to a shim tile."""
    if kind_of(op.tile, report) in ("core", "mem"):
        report.error(op, "tile is not a shim tile")


@rule("aie.objectfifo.acquire", "aie.objectfifo.release")
def acquire_and_release(op: ObjectFifoAcquireOp | ObjectFifoReleaseOp, report: Report) -> None:
    """Only the core at this end of the FIFO may acquire or release its objects, at least one, with the FIFO's type."""
    verb = op.OPERATION_NAME.rsplit(".", 1)[1]
    if op.size < 1:
        report.error(op, f"must {verb} at least one element, found {op.size}")
        return
    core = enclosing(op, "aie.core")
    if core is None:
        report.error(op, "must be called from inside a CoreOp")
        return
    fifo = named_fifo(op, report)
    if fifo is None:
        return
    tile = core.operands[0]
    if op.port == _PRODUCE and tile != fifo.producerTile:
        report.error(core, "producer port of objectFifo accessed by core running on non-producer tile", (op, "here"))
    elif op.port == _CONSUME and tile not in list(fifo.consumerTiles):
        report.error(core, "consumer port of objectFifo accessed by core running on non-consumer tile", (op, "here"))
    elif isinstance(op, ObjectFifoAcquireOp):
        type_ = fifo.elemType if op.port == _PRODUCE or fifo.consumerElemType is None else fifo.consumerElemType
        expected, result = element_of(type_), element_of(op.subview.type)
        if expected != result:
            report.error(op, f"ObjectFifo element and ObjectFifoSubview element must match: {expected} and {result}")


@rule("aie.objectfifo.subview.access")
def subview_access(op: ObjectFifoSubviewAccessOp, report: Report) -> None:
    """The subview is the result of an acquire, the index is below the number of acquired objects, and the type is that of the
    objects."""
    if enclosing(op, "aie.core") is None:
        report.error(op, "must be called from inside a CoreOp")
        return
    subview = op.subview
    if isinstance(subview, ir.BlockArgument) or subview.owner.operation.name != "aie.objectfifo.acquire":
        by = "a block argument" if isinstance(subview, ir.BlockArgument) else f"a result of {subview.owner.operation.name}"
        report.error(
            op, f"expects the result of aie.objectfifo.acquire itself, found {by}; access the object before it is passed on"
        )
        return
    size = subview.owner.operation.attributes["size"].value
    if op.index >= size:
        report.error(
            op,
            f"accessed farther than number of acquired elements (index out of bounds). Found {op.index} of {size}",
        )
    elif element_of(subview.type) != str(op.output.type):
        report.error(op, f"expects the subview's element {element_of(subview.type)}, found {op.output.type}")


@rule("aie.objectfifo.register_process")
def process(op: ObjectFifoRegisterProcessOp, report: Report) -> None:
    """Patterns have equal lengths, or one is as long as the process."""
    length = constant_of(op.length)
    if length is None:
        return
    if length < 1:
        report.error(op, f"process length must be >= 1, found {length}")
        return
    sizes = [_length(value.type) for value in (op.acquirePattern, op.releasePattern)]
    if None not in sizes and sizes[0] != sizes[1] and length not in sizes:
        report.error(
            op,
            "Acquire and Release patterns must be of equal length, or longest length of one must be equal to process length "
            f"of the other: {sizes[0]}, {sizes[1]}, process length {length}",
        )


def _length(tensor: ir.RankedTensorType) -> int | None:
    return tensor.shape[0] if isinstance(tensor, ir.RankedTensorType) and tensor.rank == 1 else None
