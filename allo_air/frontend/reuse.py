"""Shares memory between buffers of a core's program with disjoint lifetimes: removes unnecessary copies and pools the rest.

Before:

    %a = memref.alloc() : memref<64xi32>
    air.channel.get @in[] (%a[] [] [])
    %b = memref.alloc() : memref<64xi32>
    memref.copy %a, %b
    use of %b
    %c = memref.alloc() : memref<64xi32>
    linalg.generic ins(%x) outs(%c)

After:

    %a = memref.alloc() : memref<64xi32>
    air.channel.get @in[] (%a[] [] [])
    use of %a
    linalg.generic ins(%x) outs(%a)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from allo_air.mlir import AnyOp, ir

if TYPE_CHECKING:
    from allo_air.mlir import func

_FREE = "memref.dealloc"


def reuse_buffers(function: func.FuncOp, *, keep_sent: bool = False, separate_channels: bool = False) -> None:
    """Rewrites the buffers that the function's own block allocates.

    With `keep_sent`, nothing is received into a buffer that was sent before: cores in a cycle would wait for each other. With
    `separate_channels`, no buffer belongs to several channels, each of which needs a pair of locks.
    """
    block = function.entry_block
    times = _Times(block, separate_channels)
    moves = [(n, times.ends(op)) for n, op in enumerate(times.ops) if op.name == "memref.copy"]
    copies = [(n, a, b) for n, (a, b) in moves if a is not None and b is not None]
    loops = [(n, op) for n, op in enumerate(times.ops) if op.name == "linalg.generic" and _elementwise(op)]
    fresh = [(n, op, times.root(list(op.operands)[-1])) for n, op in loops]
    while _forward(times, copies) or _compute_in_place(times, fresh):
        pass
    _pool(block, keep_sent, separate_channels)


def channels_of(value: ir.Value) -> frozenset[str]:
    """The channels that fill or drain a buffer, also through views of it."""
    channels: set[str] = set()
    for use in value.uses:
        op = use.owner
        if op.name in ("air.channel.put", "air.channel.get"):
            channels.add(f"{op.attributes['chan_name']}{op.name}")
        elif op.results and isinstance(op.results[0].type, ir.MemRefType):
            channels |= channels_of(op.results[0])
    return frozenset(channels)


class _Times:
    """The lifetime of each buffer of a block: the positions of the block's operations that use it or contain a use."""

    def __init__(self, block: ir.Block, separate_channels: bool = False):
        self.separate_channels = separate_channels
        self.ops = [op.operation for op in block.operations]
        plain_allocs = {n: op for n, op in enumerate(self.ops) if op.name == "memref.alloc" and not list(op.operands)}
        self.allocs = {n: op.results[0] for n, op in plain_allocs.items()}
        self.roots: dict[Any, int] = {value: n for n, value in self.allocs.items()}
        """For each buffer and view, the allocation of its memory."""
        self.uses: dict[int, list[int]] = {n: [] for n in plain_allocs}
        self._into: dict[int, int] = {}
        for number, op in enumerate(self.ops):
            self._visit(op, number)

    def _visit(self, op: AnyOp, number: int) -> None:
        for operand in op.operands:
            if operand not in self.roots:
                continue
            if op.name != _FREE:
                self.uses[self.roots[operand]].append(number)
            for result in op.results:
                if isinstance(result.type, ir.MemRefType):
                    self.roots[result] = self.roots[operand]
        for region in op.regions:
            for inner in region.blocks:
                for nested in inner.operations:
                    self._visit(nested.operation, number)

    def number_of(self, value: ir.Value) -> int | None:
        """The position of the allocation of `value`; None for a view."""
        result = self.root(value)
        return result if result is not None and self.allocs[result] == value else None

    def ends(self, copy: AnyOp) -> tuple[int | None, int | None]:
        """The positions of the allocations that a copy reads and writes."""
        return self.number_of(copy.operands[0]), self.number_of(copy.operands[1])

    def root(self, value: ir.Value) -> int | None:
        """The position of the allocation after `value`; None if it is not in the block."""
        root = self.roots.get(value)
        return None if root is None else self.current(root)

    def current(self, number: int) -> int:
        """The position of the allocation that replaced allocation `number`."""
        while number in self._into:
            number = self._into[number]
        return number

    def can_merge(self, first: ir.Value, second: ir.Value) -> bool:
        """Whether two buffers may become one: with `separate_channels`, at most one channel may use it."""
        return not self.separate_channels or len(channels_of(first) | channels_of(second)) < 2

    def merge(self, old: int, stays: int) -> None:
        """Replaces an allocation by another and erases it."""
        self._into[old] = stays
        self.uses[stays] += self.uses.pop(old)
        self.roots.pop(self.allocs.pop(old))


def _forward(times: _Times, copies: list[tuple[int, int, int]]) -> bool:
    """Removes a copy of a whole buffer into an unused one, if the source has no later use."""
    for index, (number, *ends) in enumerate(copies):
        source, target = map(times.current, ends)
        if source == target:
            continue
        a, b = times.allocs[source], times.allocs[target]
        if a.type != b.type or min(times.uses[target]) != number or max(times.uses[source]) != number:
            continue
        if not times.can_merge(a, b):
            continue
        _erase_deallocations(a, b)
        for end in (source, target):
            times.uses[end].remove(number)
        times.merge(target, source)
        times.ops[number].erase()
        _replace(b, a)
        del copies[index]
        return True
    return False


def _compute_in_place(times: _Times, loops: list[tuple[int, Any, int | None]]) -> bool:
    """Makes an elementwise operation into a fresh buffer write to an operand of that type without later uses."""
    for number, op, root in loops:
        if root is None or min(times.uses[times.current(root)]) != number:
            continue
        *inputs, output = op.operands
        target = times.number_of(output)
        if target is None or _reads(op, len(inputs)):
            continue
        maps = [m.value for m in op.attributes["indexing_maps"]]
        for place, value in enumerate(inputs):
            source = times.number_of(value)
            fits = source is not None and source != target and value.type == output.type and maps[place] == maps[-1]
            is_only_use = sum(times.root(v) == source for v in op.operands) == 1
            if fits and is_only_use and max(times.uses[source or 0]) == number and times.can_merge(value, output):
                _erase_deallocations(value, output)
                times.merge(target, source or 0)
                _replace(output, value)
                return True
    return False


def _elementwise(op: AnyOp) -> bool:
    kinds = [str(k) for k in op.attributes["iterator_types"]]
    last = list(op.attributes["indexing_maps"])[-1].value
    return all("parallel" in k for k in kinds) and last == ir.AffineMap.get_identity(len(kinds))


def _reads(op: AnyOp, number: int) -> bool:
    return any(True for _ in op.regions[0].blocks[0].arguments[number].uses)


def _erase_deallocations(*values: ir.Value) -> None:
    for value in values:
        for use in list(value.uses):
            if use.owner.name == _FREE:
                use.owner.erase()


def _replace(old: ir.Value, new: ir.Value) -> None:
    owner = old.owner
    old.replace_all_uses_with(new)
    owner.erase()


def _pool(block: ir.Block, keep_sent: bool, separate_channels: bool) -> None:
    """Merges buffers of one type with disjoint lifetimes.

    A channel writes to a buffer that it wrote before, if that is free: each buffer of a channel costs a descriptor.
    """
    times = _Times(block, separate_channels)
    idle: list[tuple[int, Any, str]] = []
    for number, value in sorted(times.allocs.items(), key=lambda item: min(times.uses[item[0]], default=item[0])):
        if not times.uses[number]:
            continue
        first, last = min(times.uses[number]), max(times.uses[number])
        source = _source(times.ops[first])
        fits = [buffer for buffer in idle if buffer[0] < first and buffer[1].type == value.type]
        if keep_sent and source:
            fits = [buffer for buffer in fits if times.ops[buffer[0]].name != "air.channel.put"]
        if separate_channels:
            fits = [buffer for buffer in fits if times.can_merge(buffer[1], value)]
        result = next((buffer for buffer in fits if buffer[2] == source), fits[0] if fits else None)
        _erase_deallocations(value)
        if result is None:
            idle.append((last, value, source))
            continue
        idle.remove(result)
        idle.append((last, *result[1:]))
        value.replace_all_uses_with(result[1])
        value.owner.erase()


def _source(op: AnyOp) -> str:
    """The channel from which an operation gets; empty for other operations."""
    return str(op.attributes["chan_name"]) if op.name == "air.channel.get" else ""
