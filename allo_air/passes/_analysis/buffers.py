"""L2 buffers that only channel transfers use, and the loops around these transfers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from allo_air.access.box import Walk
from allo_air.core.loops import Dim
from allo_air.core.walking import parents, walk_named
from allo_air.dialects.air import L2
from allo_air.dialects.air_values import is_join
from allo_air.dialects.operands import lists_of, memref_of
from allo_air.mlir import AnyOp, ir
from allo_air.passes._analysis.box import walk_of
from allo_air.passes._analysis.effects import is_pure
from allo_air.passes._analysis.indices import IndexValues
from allo_air.passes._analysis.loops import loops_between
from allo_air.passes._analysis.memory import is_in

CHANNEL_OPS = ("air.channel.put", "air.channel.get")


@dataclass(frozen=True)
class Buffer:
    """A buffer in L2.

    `home` allocates it and `frees` free it; each is the operation itself or an `air.execute` around it. `alloc` is the
    memref.alloc. `value` is the memref that `transfers`, in program order, use.
    """

    home: Any
    alloc: Any
    value: Any
    transfers: tuple[Any, ...]
    frees: tuple[Any, ...]

    @property
    def block(self) -> Any:
        return self.home.block

    @property
    def token(self) -> Any:
        """The token of the allocation; None in synchronous IR."""
        return self.home.results[0] if self.home.name == "air.execute" else None


@dataclass(frozen=True)
class Nest:
    """A channel transfer, the `scf.for` loops around it in the block of its buffer, outermost first, and the box that it
    visits.
    """

    transfer: Any
    loops: tuple[Dim, ...]
    walk: Walk

    @property
    def root(self) -> Any:
        """The operation in the buffer's block."""
        return self.loops[0].op if self.loops else self.transfer

    @property
    def is_get(self) -> bool:
        return bool(self.transfer.name == "air.channel.get")


def buffers_in(root: AnyOp) -> list[Buffer]:
    """The L2 buffers of static size that are allocated in `root` outside of herds, and that only channel transfers outside of
    herds and deallocations use.
    """
    users: dict[ir.Value, list[ir.Operation]] = {}
    for op in walk_named(root, *CHANNEL_OPS):
        users.setdefault(memref_of(op), []).append(op)
    allocs = [alloc for alloc in walk_named(root, "memref.alloc") if is_in(alloc.results[0].type, L2)]
    buffers = (_buffer(alloc, users) for alloc in allocs if not _in_herd(alloc))
    return [buffer for buffer in buffers if buffer is not None]


def nest_of(transfer: ir.Operation, block: ir.Block, indices: IndexValues) -> Nest | None:
    """The loops around `transfer` in `block`, and the box that it visits; None if these are unknown or a loop never runs."""
    loops = loops_between(transfer, block)
    if loops is None or any(loop.trips < 1 for loop in loops):
        return None
    walk = walk_of_transfer(transfer, indices)
    return None if walk is None else Nest(transfer, tuple(loops), walk)


def walk_of_transfer(transfer: ir.Operation, indices: IndexValues) -> Walk | None:
    """The box that a channel transfer visits of its buffer; None if that is unknown."""
    return walk_of(memref_of(transfer), *lists_of(transfer), indices)


def is_perfect(nest: Nest) -> bool:
    """Whether each loop of `nest` contains only pure operations and the next loop or the transfer, and carries one token."""
    inner = [loop.op for loop in nest.loops[1:]] + [nest.transfer]
    for loop, inner_loop in zip((dim.loop for dim in nest.loops), inner, strict=True):
        rest = [op for op in loop.body if op != inner_loop]
        if len(loop.inits) != 1 or not all(is_pure(op) or is_join(op) for op in rest):
            return False
    return True


def _buffer(alloc: ir.Operation, users: dict[ir.Value, list[ir.Operation]]) -> Buffer | None:
    home, value = alloc.operation, alloc.results[0]
    outer = alloc.parent.operation
    if outer.name == "air.execute":
        ops = [o.operation for o in outer.regions[0].blocks[0].operations]
        if len(ops) != 2 or list(ops[1].operands) != [value]:
            return None
        home, value = outer, outer.results[1]
    transfers = users.get(value, [])
    rest = [use.owner.operation for use in value.uses if use.owner.operation not in transfers]
    if len(alloc.operands) or any(_in_herd(op) for op in transfers) or any(op.name != "memref.dealloc" for op in rest):
        return None
    frees = [op.parent.operation if op.parent.operation.name == "air.execute" else op for op in rest]
    return Buffer(home, alloc.operation, value, tuple(transfers), tuple(frees))


def _in_herd(op: ir.Operation) -> bool:
    return any(p.name == "air.herd" for p in parents(op))
