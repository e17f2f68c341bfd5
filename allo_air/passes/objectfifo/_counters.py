"""Selects objects at run time: each core keeps, in a buffer, its position in each FIFO, and the number of objects that it
holds."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from allo_air.core.walking import walk_named
from allo_air.dialects import aie
from allo_air.mlir import AnyOp, ir, scf
from allo_air.passes.objectfifo._bounds import Bounds
from allo_air.passes.objectfifo._trace import RELEASE, State, key_of
from allo_air.passes.objectfifo._unroll import Objects

if TYPE_CHECKING:
    from collections.abc import Mapping


class Counters(Objects):
    """The counters of one core: the position in each FIFO and port with more than one object that the core releases, and the
    number of held objects if `trace` does not know it."""

    def __init__(self, trace: Bounds, before: AnyOp):
        super().__init__(trace)
        core = trace.core
        released = [o.opview for o in walk_named(core, RELEASE)]
        keys = dict.fromkeys(key_of(o) for o in released if trace.end(o).objects > 1)
        self.slot = {key: i for i, key in enumerate(keys)}
        self.held = {key: len(keys) + i for i, key in enumerate(sorted(trace.uncertain))}
        counters = len(keys) + len(self.held)
        self.where = core.location
        self.buffer: Any = None
        if counters:
            place = core.operands[0].owner.attributes
            name = f"objectfifo_counters_{place['col'].value}_{place['row'].value}"
            kind = ir.MemRefType.get([counters], ir.IntegerType.get_signless(32))
            self.buffer = aie.BufferOp(
                tile=core.operands[0], sym_name=name, buffer=kind, loc=self.where, ip=ir.InsertionPoint(before)
            ).buffer

    def start(self, core: ir.Operation, ip: ir.InsertionPoint) -> None:
        for slot in (*self.slot.values(), *self.held.values()):
            self._store(self._i32(0, ip), slot, ip)

    def wait(self, op: Any, missing: list[int], ip: ir.InsertionPoint, lock: Callable[[int, Any], None]) -> None:
        slot = self.held.get(key_of(op))
        if slot is None:
            super().wait(op, missing, ip, lock)
            return
        lacks = self._op("arith.subi", [self._type], [self._i32(op.size, ip), self._load(slot, ip)], ip)
        lacks = self._op("arith.index_cast", [ir.IndexType.get()], [lacks], ip)
        amounts = [n for n in missing if n]
        cases = {"cases": ir.DenseI64ArrayAttr.get(amounts)}
        switch = ir.Operation.create("scf.index_switch", [], [lacks], cases, regions=1 + len(amounts), loc=op.location, ip=ip)
        # the default region comes first: enough objects are held
        for region, amount in zip(switch.regions, [0, *amounts], strict=True):
            inside = ir.InsertionPoint(region.blocks.append())
            if amount:
                lock(amount, inside)
                self._store(self._i32(op.size, inside), slot, inside)
            self._op("scf.yield", [], [], inside)

    def wait_alone(
        self, op: Any, missing: list[int], ip: ir.InsertionPoint, flag: Callable[[int, ir.InsertionPoint], None]
    ) -> None:
        if (slot := self.held.get(key_of(op))) is None:
            return
        held_count = self._load(slot, ip)
        lacks = {"predicate": ir.IntegerAttr.get(ir.IntegerType.get_signless(64), 3)}  # sle
        for offset in range(op.size - max(missing), op.size - min(missing)):
            free = self._op("arith.cmpi", [ir.IntegerType.get_signless(1)], [held_count, self._i32(offset, ip)], ip, lacks)
            branch = scf.IfOp(free, loc=op.location, ip=ip)
            inside = ir.InsertionPoint(branch.then_block)
            flag(offset, inside)
            self._op("scf.yield", [], [], inside)
        self._store(self._op("arith.maxsi", [self._type], [held_count, self._i32(op.size, ip)], ip), slot, ip)

    def acquired(self, op: AnyOp, state: State, ip: ir.InsertionPoint) -> Any:
        end, slot = self.trace.end(op), self.slot.get(key_of(op))
        if slot is None:
            return end, None
        return end, self._op("arith.index_cast", [ir.IndexType.get()], [self._load(slot, ip)], ip)

    def access(self, op: ir.OpView, subview: Any, ip: ir.InsertionPoint) -> Any:
        end, position = subview
        if position is None:
            return end.storage.buffers[op.index % end.objects]
        return self._switch(end.storage.buffers, op.index, position, op, ip)

    def flag(self, op: AnyOp, offset: int, state: State, ip: ir.InsertionPoint) -> Any:
        end, slot = self.trace.end(op), self.slot.get(key_of(op))
        assert end.storage is not None
        if slot is None:
            return end.storage.flags[offset % end.objects]
        position = self._op("arith.index_cast", [ir.IndexType.get()], [self._load(slot, ip)], ip)
        return self._switch(end.storage.flags, offset, position, op, ip)

    def _switch(self, values: list[ir.Value], offset: int, position: ir.OpResult, op: AnyOp, ip: ir.InsertionPoint) -> Any:
        """The value of `values` at `position` plus `offset`, modulo their number."""
        order = [*values[offset % len(values) :], *values[: offset % len(values)]]
        cases = ir.DenseI64ArrayAttr.get(list(range(len(order))))
        switch = ir.Operation.create(
            "scf.index_switch", [order[0].type], [position], {"cases": cases}, regions=1 + len(order), loc=op.location, ip=ip
        )
        for region, value in zip(switch.regions, [order[0], *order], strict=True):  # the default region comes first
            self._op("scf.yield", [], [value], ir.InsertionPoint(region.blocks.append()))
        return switch.results[0]

    def released(self, op: Any, ip: ir.InsertionPoint) -> None:
        if (slot := self.held.get(key_of(op))) is not None:
            remaining = self._op("arith.subi", [self._type], [self._load(slot, ip), self._i32(op.size, ip)], ip)
            self._store(remaining, slot, ip)
        slot = self.slot.get(key_of(op))
        if slot is None:
            return
        objects = self._i32(self.trace.end(op).objects, ip)
        total = self._op("arith.addi", [self._type], [self._load(slot, ip), self._i32(op.size, ip)], ip)
        less = self._op("arith.subi", [self._type], [total, objects], ip)
        i64 = ir.IntegerType.get_signless(64)
        sge = {"predicate": ir.IntegerAttr.get(i64, 5)}
        wraps = self._op("arith.cmpi", [ir.IntegerType.get_signless(1)], [total, objects], ip, sge)
        self._store(self._op("arith.select", [self._type], [wraps, less, total], ip), slot, ip)

    def _load(self, slot: int, ip: ir.InsertionPoint) -> ir.Value:
        return self._op("memref.load", [self._type], [self.buffer, self._index(slot, ip)], ip)

    def _store(self, value: ir.Value, slot: int, ip: ir.InsertionPoint) -> None:
        self._op("memref.store", [], [value, self.buffer, self._index(slot, ip)], ip)

    @property
    def _type(self) -> Any:
        return ir.IntegerType.get_signless(32)

    def _i32(self, number: int, ip: ir.InsertionPoint) -> ir.Value:
        return self._op("arith.constant", [self._type], [], ip, {"value": ir.IntegerAttr.get(self._type, number)})

    def _index(self, number: int, ip: ir.InsertionPoint) -> ir.Value:
        kind = ir.IndexType.get()
        return self._op("arith.constant", [kind], [], ip, {"value": ir.IntegerAttr.get(kind, number)})

    def _op(
        self,
        name: str,
        results: list[ir.Type],
        operands: list[ir.Value],
        ip: ir.InsertionPoint,
        attributes: Mapping[str, ir.Attribute] | None = None,
    ) -> Any:
        op = ir.Operation.create(name, results, operands, attributes or {}, loc=self.where, ip=ip)
        return op.results[0] if results else None
