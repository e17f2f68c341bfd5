"""`alloc` and `dealloc`: buffers in L1 and L2, within the memory of the tiles."""

from __future__ import annotations

from collections.abc import Sequence

from allo_air.air.api.buffer import Buffer
from allo_air.air.api.errors import NotImplementedError, RuntimeError, TypeError, ValueError
from allo_air.air.api.naming import assigned_name
from allo_air.air.api.packed import PackedShape
from allo_air.air.api.scope import L1_BYTES, L2_BYTES_OF_COLUMN, Scope
from allo_air.air.api.symbol import plain
from allo_air.air.api.tensor import shape_of
from allo_air.air.api.trace import Frame, Trace, current
from allo_air.air.api.types import DType, wanted_dtype
from allo_air.device import DEVICES
from allo_air.mlir import ir, memref

__all__ = ["alloc", "dealloc"]


def alloc(shape: Sequence[object], dtype: DType, scope: Scope | None = None, vector: int | None = None) -> Buffer:
    """A buffer of `scope`: `herd.private()`, `segment.private()` or `segment.shared()`.

    `vector` is the number of lanes of elementwise loops that write it: None is the type's own, 0 is scalar.
    """
    if scope is None:
        raise ValueError("alloc needs a scope: scope=herd.private() for L1, segment.private() for L2")
    if not isinstance(scope, Scope):
        raise TypeError(f"alloc: scope is {scope!r}, expected herd.private(), segment.private() or segment.shared()")
    sizes = shape if isinstance(shape, PackedShape) else shape_of(shape, "alloc")
    buffer = Buffer(sizes, wanted_dtype(dtype, "alloc"), scope, _lanes(vector), assigned_name("alloc"))
    trace, frame = _place(scope)
    if scope.kind == "shared" and buffer.packed is None:
        raise ValueError(
            "alloc: a buffer of segment.shared() has a packed shape, one slab a core: micro_tile(...).c(M, N, lead=...)"
        )
    _check_budget(trace, frame, buffer)
    with trace.emit():
        space = ir.IntegerAttr.get(ir.IntegerType.get_signless(32), scope.memory_space)
        kind = ir.MemRefType.get(list(buffer.shape), buffer.dtype.mlir(), memory_space=space)
        buffer.op = memref.AllocOp(kind, [], [])
    frame.values[buffer] = buffer.op.result
    frame.buffers.append((buffer, frame.blocks[-1]))
    return buffer


def dealloc(buffer: Buffer) -> None:
    """Frees `buffer` here, in the body that allocated it. Without `dealloc`, a buffer is freed after its last use."""
    if not isinstance(buffer, Buffer):
        raise TypeError(f"dealloc takes a buffer of air.alloc, got {type(buffer).__name__}")
    if buffer.freed is not None:
        raise RuntimeError(f"dealloc: {buffer.label} is deallocated already")
    trace = current()
    frame = trace.frames[-1] if trace is not None and trace.frames else None
    if trace is None or frame is None or not any(b is buffer and block is frame.blocks[-1] for b, block in frame.buffers):
        raise RuntimeError(
            f"dealloc: {buffer.label} was allocated in another body or loop; deallocate it where it was allocated"
        )
    with trace.emit():
        buffer.freed = memref.DeallocOp(buffer.op.result)


def _lanes(vector: object) -> int | None:
    if vector is None:
        return None
    lanes = plain(vector)
    if not isinstance(lanes, int) or isinstance(lanes, bool):
        raise TypeError(f"alloc: vector is {vector!r}, expected a number of lanes")
    if lanes < 0:
        raise ValueError(f"alloc: vector is {lanes}, expected a number of lanes, or 0 for scalar loops")
    return lanes


def _place(scope: Scope) -> tuple[Trace, Frame]:
    """The body of the scope, which must be the innermost one."""
    trace, (kind, what) = current(), ("herd", "L1") if scope.kind == "herd" else ("segment", scope.level)
    frame = trace.frames[-1] if trace is not None and trace.frames else None
    if trace is None or frame is None or frame.kind != kind:
        raise RuntimeError(f"alloc: {what} buffers of {scope!r} are allocated in the body of a {kind}")
    if frame.context is not scope.owner:
        raise RuntimeError(f"alloc: {scope!r} is the scope of another {kind}'s body; use the scope of the {kind} that is open")
    if kind == "herd" and frame.open_loops:
        raise NotImplementedError("alloc: L1 buffers are not allocated inside air.sequential; allocate before the loop")
    return trace, frame


def _check_budget(trace: Trace, frame: Frame, buffer: Buffer) -> None:
    level, most = buffer.scope.level, L1_BYTES
    if level == "L2":
        most = L2_BYTES_OF_COLUMN * DEVICES[trace.target].columns
    room = f"{level} has {_kilobytes(most)} {'on ' + trace.target if level == 'L2' else 'a core'}"
    if buffer.bytes > most:
        raise ValueError(
            f"alloc: {list(buffer.shape)} of {buffer.dtype.name} takes {_kilobytes(buffer.bytes)}, and {room}; "
            "use smaller tiles"
        )
    live = [b for b, _ in frame.buffers if b.freed is None and b.scope.level == level]
    if level == "L1" and frame.kind == "herd":
        live += [b for b in _shared(trace) if b.freed is None]
    total = sum(b.bytes for b in live) + buffer.bytes
    if frame.kind == "herd":
        frame.context.l1_bytes = max(frame.context.l1_bytes, total)
    if total > most:
        raise ValueError(
            f"alloc: with {list(buffer.shape)} of {buffer.dtype.name} the live buffers need {_kilobytes(total)}, and {room};"
            f" use smaller tiles, or deallocate unused buffers"
        )


def _shared(trace: Trace) -> list[Buffer]:
    segment = trace.nearest("segment")
    return [b for b, _ in segment.buffers if b.scope.kind == "shared"] if segment is not None else []


def _kilobytes(count: int) -> str:
    return f"{count / 1024:g} KB"
