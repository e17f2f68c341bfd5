"""Scratchpad parameters: their indices, and the code of cores and runtime sequences that reads them."""

from __future__ import annotations

from itertools import count
from typing import Any

from allo_air.arch import arch_of
from allo_air.core.constants import index_constant
from allo_air.core.diagnostics import error_at
from allo_air.core.names import sym_name_of
from allo_air.core.walking import enclosing, walk_named
from allo_air.dialects import aie, aiex
from allo_air.dialects.declarations import device_of, place_of
from allo_air.mlir import AnyOp, arith, ir, memref
from allo_air.target.npu_parameters import TIMES

_SYNC = "aiex.sync_scratchpad_parameters_from_host"
_READ = "aiex.read_scratchpad_parameter"
_MOST = 32
_SHIFT = 2
_CORE, _ADDRESS = 0, 1
KINDS = {_CORE: "core", _ADDRESS: "addr"}


class Parameters:
    """The parameters of a module."""

    def __init__(self, module: ir.Operation) -> None:
        self.module = module
        self.ops = {op.opview.sym_name: op.opview for op in walk_named(module, "aiex.scratchpad_parameter")}

    def lower(self) -> None:
        """Numbers the parameters, and lowers their uses."""
        self._number()
        for device in walk_named(self.module, "aie.device"):
            self._offsets(device)
            self._reads(device)

    def described(self) -> dict[str, Any]:
        """Index, kind and type by name."""
        return {
            name: {"state_table_idx": op.state_table_idx, "kind": KINDS[op.kind], "type": str(op.type)}
            for name, op in self.ops.items()
        }

    def _number(self) -> None:
        offsets = {
            o.opview.offset_parameter
            for o in walk_named(self.module, "aie.dma_bd", "aiex.npu.dma_memcpy_nd")
            if o.opview.offset_parameter is not None
        }
        names_by_index: dict[int, str] = {}
        for name, op in self.ops.items():
            if op.state_table_idx is not None and names_by_index.setdefault(op.state_table_idx, name) != name:
                raise error_at(
                    op, f"has index {op.state_table_idx}, as @{names_by_index[op.state_table_idx]} has; leave one out"
                )
        free = (i for i in count() if i not in names_by_index)
        for name, op in self.ops.items():
            if op.state_table_idx is None:
                op.state_table_idx = next(free)
            if op.state_table_idx >= _MOST:
                raise error_at(op, f"has index {op.state_table_idx}; the scratchpad has room for {_MOST} parameters")
            if op.kind is None:
                op.kind = _ADDRESS if name in offsets else _CORE

    def _used(self, op: AnyOp, name: str) -> Any:
        """The parameter that `op` refers to; an error if the device has no scratchpads."""
        device = device_of(enclosing(op, "aie.device"))
        if not arch_of(device).scratchpad:
            raise error_at(op, f"uses @{name} on {device.name}, whose controller has no scratchpad; npu2 has one")
        if name not in self.ops:
            allowed = ", ".join(f"@{n}" for n in self.ops) or "none"
            raise error_at(op, f"uses @{name}, which is not an aiex.scratchpad_parameter; there are {allowed}")
        return self.ops[name]

    def _offsets(self, device: AnyOp) -> None:
        """Sets the parameter indices of BDs, and makes their sequence update the values."""
        for op in walk_named(device, "aie.dma_bd", "aiex.npu.dma_memcpy_nd"):
            view = op.opview
            if view.offset_parameter is None or view.offset_state_table_idx is not None:
                continue
            parameter = self._used(op, view.offset_parameter)
            sequence = enclosing(op, "aie.runtime_sequence")
            if sequence is None:
                raise error_at(
                    op, f"has offset @{view.offset_parameter} outside of a runtime sequence; only BDs in one have such"
                )
            if walk_named(sequence, _SYNC, op.name)[0].name != _SYNC:
                raise error_at(op, f"has offset @{view.offset_parameter}; put {_SYNC} into the runtime sequence before it")
            view.offset_state_table_idx = parameter.state_table_idx

    def _reads(self, device: AnyOp) -> None:
        """Creates buffers and locks of the cores that read parameters, and the updates in the sequences."""
        cores: dict[Any, list[Any]] = {}
        for op in walk_named(device, _READ):
            self._used(op, op.opview.parameter)
            core = enclosing(op, "aie.core", "aie.device") or device
            if core.name != "aie.core":
                raise error_at(op, "reads a parameter in a function; read it in the core, and pass it on as an argument")
            cores.setdefault(core, []).append(op)
        syncs = walk_named(device, _SYNC)
        if cores and not syncs:
            first = next(iter(cores.values()))[0]
            raise error_at(first, f"reads a parameter that no runtime sequence brings; put {_SYNC} into one")
        filled, locks = [], []
        for core, reads in cores.items():
            lock, buffers = _core(core, reads)
            locks.append(lock)
            filled += [(name, self.ops[parameter]) for parameter, name in buffers.items()]
        for op in syncs:
            self._sync(op, filled, locks)

    def _sync(self, op: ir.Operation, filled: list[Any], locks: list[ir.Value]) -> None:
        sequence = op.parent.operation
        if sequence.name != "aie.runtime_sequence":
            raise error_at(
                op, f"is inside of {sequence.name}; expected it in the runtime sequence itself, which has one scratchpad"
            )
        loc_and_ip = {"loc": op.location, "ip": ir.InsertionPoint(op)}
        if self.ops:
            self._used(op, next(iter(self.ops)))
            aiex.NpuCreateScratchpadOp(size=4 * (1 + max(p.state_table_idx for p in self.ops.values())), **loc_and_ip)
        for name, parameter in filled:
            for word in range(2):  # an update reads 48 bits
                aiex.NpuWrite32Op(address=word, value=0, buffer=name, **loc_and_ip)
            fields = {"func": TIMES, "func_arg": 1 << _SHIFT, "state_table_idx": parameter.state_table_idx}
            aiex.NpuUpdateFromScratchpadOp(**fields, address=0, buffer=name, **loc_and_ip)
        for lock in locks:
            aiex.SetLockOp(lock=lock, value=1, **loc_and_ip)
        op.erase()


def _core(core: AnyOp, reads: list[AnyOp]) -> tuple[Any, dict[str, str]]:
    """Makes a core wait for its parameters and read them from buffers. Returns its lock, and the buffers' names by
    parameter.
    """
    tile = core.opview.tile
    column, row = place_of(core, tile)
    device = core.parent.operation
    loc_and_ip = {"loc": core.location, "ip": ir.InsertionPoint(core)}
    i32 = ir.IntegerType.get_signless(32)
    pair = ir.MemRefType.get([2], i32)
    used_names = {sym_name_of(o) for o in device.regions[0].blocks[0].operations if "sym_name" in o.attributes}
    buffers: dict[str, Any] = {}
    names: dict[str, str] = {}
    for parameter in dict.fromkeys(op.opview.parameter for op in reads):
        name = f"{parameter}_{column}_{row}"
        names[parameter] = next(n for i in count() if (n := f"{name}_{i}" if i else name) not in used_names)
        used_names.add(names[parameter])
        buffers[parameter] = aie.BufferOp(buffer=pair, tile=tile, sym_name=names[parameter], **loc_and_ip).buffer
    lock = aie.LockOp(tile=tile, init=0, **loc_and_ip).lock
    for op in reads:
        _read(op, buffers[op.opview.parameter], i32)
    begin = ir.InsertionPoint.at_block_begin(core.regions[0].blocks[0])
    aie.UseLockOp(lock=lock, action="AcquireGreaterEqual", value=1, loc=core.location, ip=begin)
    return lock, names


def _read(op: AnyOp, buffer: ir.Value, i32: ir.Type) -> None:
    """Replaces `op` by a load of the parameter's value from its buffer."""
    kind, ip = op.results[0].type, ir.InsertionPoint(op)
    zero = index_constant(0, op.location, ip)
    bits = ir.IntegerType.get_signless(16) if isinstance(kind, ir.BF16Type) else kind
    with ip, op.location:
        value = arith.shrsi(memref.load(buffer, [zero]), arith.constant(i32, _SHIFT))
        value = value if bits == i32 else arith.trunci(bits, value)
        value = value if bits == kind else arith.bitcast(kind, value)
    op.results[0].replace_all_uses_with(value)
    op.erase()
