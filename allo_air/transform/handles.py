"""Handles of transform scripts: the payload of a value, and how it is found again after a rewrite."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from allo_air.core.walking import is_inside, walk_pre_order
from allo_air.mlir import ir

_MARK = "allo.handle"
"""Attribute that marks the payload operations of handles during a rewrite in Python."""


@dataclass(eq=False)
class Handle:
    """The payload of a value: operations, values or attributes (`kind`: ops, values, params). `lost` is the reason why it must
    not be used any more.
    """

    kind: str
    items: list[Any] = field(default_factory=list)
    lost: Any = None  # the operation of the script that consumed it

    def owners(self) -> list[ir.Operation]:
        """The payload operations of the handle, or those that define its payload values."""
        if self.kind == "ops":
            return self.items
        return [_owner(value) for value in self.items] if self.kind == "values" else []

    def is_within(self, outer: list[ir.Operation]) -> bool:
        """Whether one of the owners is, or is inside of, one of `outer`."""
        return any(_is_within(owner, o) for owner in self.owners() for o in outer)


def _owner(value: ir.Value) -> Any:
    owner = value.owner
    return owner.owner.operation if isinstance(owner, ir.Block) else owner.operation


def _is_within(op: ir.Operation, outer: ir.Operation) -> bool:
    """Whether `op` is `outer` or inside of it. A top-level module is inside of nothing."""
    return op == outer or (op.name != "builtin.module" and is_inside(op, outer))


class Tracked:
    """Updates handles after a rewrite: erased operations are removed, and operations replaced by a copy with their attributes
    are replaced by the copy.

        with Tracked(root, handles):
            ...rewrite...
    """

    def __init__(self, root: ir.Operation, handles: list[Handle]) -> None:
        self.root = root
        self.handles = [h for h in handles if h.lost is None and h.kind != "params"]

    def __enter__(self) -> None:
        self.entries: list[tuple[Handle, list[tuple[int, Any]]]] = []
        marked: list[ir.Operation] = []
        for handle in self.handles:
            places = []
            for item, owner in zip(handle.items, handle.owners(), strict=True):
                number = -1 if owner == self.root else next((n for n, op in enumerate(marked) if op == owner), len(marked))
                if number == len(marked):
                    marked.append(owner)
                places.append((number, _position(item) if handle.kind == "values" else None))
            self.entries.append((handle, places))
        i32 = ir.IntegerType.get_signless(32)
        for number, op in enumerate(marked):
            op.attributes[_MARK] = ir.IntegerAttr.get(i32, number)
        self.marked = bool(marked)

    def __exit__(self, *_: object) -> None:
        ops: dict[int, ir.Operation] = {-1: self.root}
        for op in walk_pre_order(self.root) if self.marked else ():
            if _MARK in op.attributes:
                ops.setdefault(op.attributes[_MARK].value, op)
                del op.attributes[_MARK]
        for handle, places in self.entries:
            live = [(ops[number], place) for number, place in places if number in ops]
            items = [op if place is None else _value_at(op, place) for op, place in live]
            handle.items = [item for item in items if item is not None]


def _position(value: ir.Value) -> tuple[int, ...]:
    """The position of `value`: its result number, or its region, block and argument number."""
    if not isinstance(value, ir.BlockArgument):
        return (ir.OpResult(value).result_number,)
    block = value.owner
    for r, region in enumerate(block.owner.operation.regions):
        for b, candidate in enumerate(region.blocks):
            if candidate == block:
                return (r, b, ir.BlockArgument(value).arg_number)
    raise AssertionError("a block argument whose operation does not have it")


def _value_at(op: ir.Operation, place: tuple[int, ...]) -> Any:
    try:
        if len(place) == 1:
            return op.results[place[0]]
        r, b, n = place
        return op.regions[r].blocks[b].arguments[n]
    except IndexError:
        return None
