"""The effects of operations on buffers and channels, in execution order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from allo_air.dialects.air_values import HIERARCHIES
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.alias import VIEWS, root_of

Kind = Literal["read", "write", "update", "free"]
"""`update` may read and may write; `free` ends the buffer's life."""

_PURE_DIALECTS = ("arith", "math", "index", "complex", "ub")
_PURE = VIEWS | {"memref.dim"} | {f"affine.{n}" for n in ("apply", "delinearize_index", "linearize_index", "max", "min")}
_READS = {"memref.load", "affine.load", "vector.load", "vector.transfer_read"}
_WRITES = {"memref.store": 1, "affine.store": 1, "vector.store": 1, "vector.transfer_write": 1}
_ONE_DESTINATION = ("linalg.broadcast", "linalg.map", "linalg.softmax", "linalg.transpose")
_OVERWRITES = {
    "linalg.fill",
    "linalg.copy",
    "linalg.transpose",
    "linalg.broadcast",
    "linalg.softmax",
    "linalg.pack",
    "linalg.unpack",
}
_YIELDS = ("terminator", "yield", "return")


@dataclass(frozen=True)
class Access:
    """One access of `op`, of kind `kind`, through `memref` to the buffer `root`. For a put or get, `end` is the channel's name
    with "put" or "get".
    """

    op: Any
    kind: Kind
    root: ir.Value
    memref: Any
    end: tuple[str, str] | None = None

    @property
    def is_opaque(self) -> bool:
        """Whether the effects of `op` are unknown."""
        return self.kind == "update" and self.end is None and not self.op.name.startswith("linalg.")


def is_pure(op: AnyOp) -> bool:
    """Whether `op` only computes values, or a view of a buffer."""
    name = op.operation.name
    dialect = name.split(".", 1)[0]
    if dialect == "vector" and name != "vector.print":
        return not len(op.operation.regions) and not any(_is_memref(v) for v in op.operation.operands)
    return name in _PURE or dialect in _PURE_DIALECTS


def accesses(op: AnyOp) -> Iterator[Access]:
    """The accesses to buffers by `op` and the operations in it, in program order; a hierarchy updates its operands."""
    operation = op.operation
    yield from _own_effects(operation)
    if operation.name in HIERARCHIES:
        return
    for region in operation.regions:
        for block in region.blocks:
            for inner in block.operations:
                yield from accesses(inner)


def _own_effects(op: ir.Operation) -> Iterator[Access]:
    if is_pure(op) or op.name == "memref.alloc" or op.name.endswith(_YIELDS):
        return
    if op.name in ("air.channel.put", "air.channel.get"):
        is_put = op.name == "air.channel.put"
        view = op.opview
        yield _access(op, "read" if is_put else "write", view.src if is_put else view.dst, (view.chan_name, op.name[-3:]))
    elif op.name == "air.dma_memcpy_nd":
        yield _access(op, "read", op.opview.src)
        yield _access(op, "write", op.opview.dst)
    elif op.name == "memref.copy":
        yield _access(op, "read", op.operands[0])
        yield _access(op, "write", op.operands[1])
    elif op.name.startswith("linalg.") and (outs := _destinations(op)):
        yield from (_access(op, "read", v) for v in list(op.operands)[:-outs] if _is_memref(v))
        done: Kind = "write" if op.name in _OVERWRITES else "update"
        yield from (_access(op, done, v) for v in list(op.operands)[-outs:] if _is_memref(v))
    else:
        stored = _WRITES.get(op.name)
        for i, value in enumerate(op.operands):
            if _is_memref(value):
                yield _access(op, _kind(op.name, i == stored), value)


def _destinations(op: AnyOp) -> int:
    """The number of trailing operands that a linalg operation writes; 0 if unknown."""
    if hasattr(op.opview, "outputs"):
        return len(op.opview.outputs)
    return len(op.operands) // 2 if op.name == "linalg.reduce" else int(op.name in _ONE_DESTINATION)


def _kind(name: str, is_stored: bool) -> Kind:
    if name == "memref.dealloc":
        return "free"
    if name in _READS:
        return "read"
    return "write" if is_stored else "update"


def _access(op: ir.Operation, kind: Kind, memref: ir.Value, end: tuple[str, str] | None = None) -> Access:
    return Access(op, kind, root_of(memref), memref, end)


def _is_memref(value: ir.Value) -> bool:
    return isinstance(value.type, (ir.MemRefType, ir.UnrankedMemRefType))
