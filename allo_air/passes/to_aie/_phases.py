"""Finds when a core holds each of its buffers: the operations between which it uses them, and the transfers among these."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Any

from allo_air.core import loops
from allo_air.core.diagnostics import error_at
from allo_air.core.names import sym_name_of
from allo_air.core.walking import memrefs_in, walk_named
from allo_air.mlir import ir
from allo_air.passes._analysis.alias import VIEWS, root_of
from allo_air.passes.to_aie._cores import MARK
from allo_air.passes.to_aie._design import RTP, Buffer, Transfer
from allo_air.passes.to_aie._periods import Loop
from allo_air.passes.to_aie._sequences import Run, Step

_CONSTANT = ("memref.get_global",)


@dataclass
class Item:
    """An operation of a core: the transfer that it marks, the buffers that it uses, and the items of its body."""

    op: Any
    transfer: Transfer | None = None
    uses: frozenset[int] = frozenset()
    count: int | None = None
    body: list[Item] = field(default_factory=list)  # for loops with transfers; `uses` includes the body

    @property
    def moves(self) -> set[int]:
        """Buffers that the operation or its body transfers."""
        return {self.transfer.buffer} if self.transfer else {b for item in self.body for b in item.moves}


def read(block: ir.Block, buffers: dict[ir.Value, Buffer], transfers: list[Transfer]) -> list[Item]:
    """The items of a core's block in order, without operations that use no buffer."""
    items = []
    for view in block.operations:
        op = view.operation
        if MARK in op.attributes:
            items.append(Item(op, transfers[op.attributes[MARK].value]))
            continue
        uses, moves = _used(op, buffers)
        body = read(op.regions[0].blocks[0], buffers, transfers) if moves and op.name == "scf.for" else []
        if any(item.transfer or item.body for item in body):
            items.append(Item(op, None, uses, loops.Loop(op).trips(), body))
        elif uses:
            items.append(Item(op, None, uses))
    return items


def transfers_in(block: ir.Block, transfers: list[Transfer]) -> tuple[Loop | Transfer, ...]:
    """The `tree` of a core's block, computed without its items."""
    results: list[Loop | Transfer] = []
    for view in block.operations:
        op = view.operation
        name = op.name
        if name == "air.wait_all" and MARK in op.attributes:
            results.append(transfers[op.attributes[MARK].value])
        elif name == "scf.for" and _has_transfers(op) and (inner := transfers_in(op.regions[0].blocks[0], transfers)):
            results.append(Loop(loops.Loop(op).trips(), inner))
    return tuple(results)


def _is_read_only(root: ir.Value) -> bool:
    """Whether `root` is a constant, or contains runtime parameters."""
    if not isinstance(root, ir.OpResult):
        return False
    owner = root.owner.operation
    return owner.name in _CONSTANT or ("sym_name" in owner.attributes and sym_name_of(owner).startswith(RTP))


def _used(op: ir.Operation, buffers: dict[ir.Value, Buffer]) -> tuple[frozenset[int], bool]:
    """The buffers that `op` and its regions use, and whether they contain a transfer."""
    numbers = [_buffer_of(inner.operands[place], inner, buffers) for inner, place in memrefs_in(op, *VIEWS)]
    return frozenset(number for number in numbers if number is not None), len(op.regions) > 0 and _has_transfers(op)


def _has_transfers(op: ir.Operation) -> bool:
    return any(MARK in wait.attributes for wait in walk_named(op, "air.wait_all"))


def _buffer_of(value: ir.Value, op: ir.Operation, buffers: dict[ir.Value, Buffer]) -> int | None:
    """The number of the buffer that operand `value` of `op` is a view of; None for read-only memory. DiagnosticError if the
    buffer is unknown."""
    root = root_of(value)
    if root in buffers:
        return buffers[root].number
    if not _is_read_only(root):
        raise error_at(
            op,
            "works on a memref that air-to-aie cannot trace to one buffer (it is chosen or carried round a loop at run time), "
            "so it does not know which locks to take; name the buffer",
        )
    return None


def tree(items: list[Item]) -> tuple[Loop | Transfer, ...]:
    """The transfers of a core as a tree of loops and transfers."""
    return tuple(
        item.transfer if item.transfer else Loop(item.count, tree(item.body)) for item in items if item.transfer or item.body
    )


def sequences(items: list[Item], in_turns: Collection[int] = ()) -> tuple[dict[int, tuple[Step, ...]], frozenset[int]]:
    """The sequence of transfers that repeats, for each buffer with transfers; and the buffers whose transfers are in loops of
    different depths.

    For buffers of the first kind, a core holds the buffer from its first to its last use, so that the DMA can work ahead. For
    the others, the core requests each transfer when it needs it. Buffers that are filled equally at all depths, such as those
    `in_turns` and those of a loop over an odd number of steps, are of the first kind.
    """
    results: dict[int, tuple[Step, ...]] = {}
    handshakes = set()
    for buffer in sorted({b for item in items for b in item.moves}):
        steps = None if buffer in in_turns else _sequence(items, buffer, (0,))
        steps = steps or _rounds_of(items, buffer, (0,))
        if steps is None:
            handshakes.add(buffer)
        else:
            results[buffer] = steps
    return results, frozenset(handshakes)


def _sequence(items: list[Item], buffer: int, home: tuple[int, ...], *, idle: bool = False) -> tuple[Step, ...] | None:
    """The steps of a buffer; None if its transfers are at different loop depths. With `idle`, the core also has a
    (meaningless) use for data that it receives but does not read."""
    own_items = _of(items, buffer)
    if len(own_items) == 1 and own_items[0][1].body:
        return _sequence(own_items[0][1].body, buffer, (*home, own_items[0][0]), idle=idle)
    return _straight(own_items, buffer, home, idle=idle)


def section(items: list[Item], buffer: int) -> tuple[tuple[Step, ...] | None, int | None]:
    """The steps of a core with a buffer in one iteration, None if its transfers are at different depths of loops; and the
    trip count of the loops around them."""
    rounds: int | None = 1
    inner = items
    while len(own_items := _of(inner, buffer)) == 1 and own_items[0][1].body:
        count = own_items[0][1].count
        rounds = None if rounds is None or count is None else rounds * count
        inner = own_items[0][1].body
    return _sequence(items, buffer, (0,)), rounds


def _of(items: list[Item], buffer: int) -> list[tuple[int, Item]]:
    """The items that use or move a buffer, and their positions."""
    return [(position, i) for position, i in enumerate(items) if buffer in i.uses or buffer in i.moves]


def _rounds_of(items: list[Item], buffer: int, home: tuple[int, ...]) -> tuple[Step, ...] | None:
    """The steps of one iteration of a buffer that is filled at different loop depths in the same way; None otherwise."""
    own_items = _of(items, buffer)
    if len(own_items) == 1 and own_items[0][1].body:
        return _rounds_of(own_items[0][1].body, buffer, (*home, own_items[0][0]))
    rounds: list[tuple[Step, ...]] = []
    for is_loop, group in groupby(own_items, lambda pair: bool(pair[1].body)):
        results = list(group)
        if is_loop:
            parts = [_sequence(item.body, buffer, (*home, position), idle=True) for position, item in results]
        else:
            parts = [_straight(results, buffer, home, idle=True)]
        for steps in parts:
            if steps is None:
                return None
            rounds += _rounds(steps)
    return _common_round(rounds)


def _straight(
    own_items: list[tuple[int, Item]], buffer: int, home: tuple[int, ...], *, idle: bool = False
) -> tuple[Step, ...] | None:
    """The steps of a buffer in the items of one block, given with their positions; None if a transfer is nested deeper."""
    if any(not item.transfer and buffer in item.moves for _, item in own_items):
        return None
    steps: list[Step] = []
    for n, (position, item) in enumerate(own_items):
        last = steps[-1] if steps else None
        if item.transfer:
            steps.append(item.transfer)
            if idle and not item.transfer.put and (n + 1 == len(own_items) or own_items[n + 1][1].transfer):
                steps.append(Run(item.op, item.op, home, position, position))
        elif isinstance(last, Run):
            steps[-1] = Run(last.first, item.op, home, last.begin, position)
        else:
            steps.append(Run(item.op, item.op, home, position, position))
    return tuple(steps)


def _rounds(steps: tuple[Step, ...]) -> list[tuple[Step, ...]]:
    """The steps, split before each transfer."""
    rounds: list[tuple[Step, ...]] = []
    for step in steps:
        if isinstance(step, Transfer) or not rounds:
            rounds.append((step,))
        else:
            rounds[-1] = (*rounds[-1], step)
    return rounds


def _common_round(rounds: list[tuple[Step, ...]]) -> tuple[Step, ...] | None:
    """The common round of `rounds`, if each begins with one transfer and all move the buffer in the same way; otherwise
    None."""
    first, *rest = rounds
    if not isinstance(first[0], Transfer) or any([_kind(s) for s in steps] != [_kind(s) for s in first] for steps in rest):
        return None
    results: list[Step] = []
    for step, *later in zip(first, *rest, strict=True):
        if isinstance(step, Run):
            step = replace(step, repeats=(*step.repeats, *(r for s in later if isinstance(s, Run) for r in s.all)))
        results.append(step)
    return tuple(results)


def _kind(step: Step) -> Any:
    return step.bd_key if isinstance(step, Transfer) else Run
