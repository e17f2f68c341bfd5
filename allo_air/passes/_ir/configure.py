"""A runtime sequence that configures the device by register writes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import count
from pathlib import Path
from typing import Any

from allo_air.core.names import sym_name_of
from allo_air.core.walking import walk_named
from allo_air.dialects import aie, aiex, load
from allo_air.mlir import AnyOp, ir, memref
from allo_air.target.configuration.parts import Operation, configuration
from allo_air.target.formats.cdo import transaction
from allo_air.target.npu_words import BlockWrite, MaskWrite

_NAME = "configure"


def configuring(device_op: AnyOp, directory: str) -> list[Operation]:
    """The writes that load the device, as a transaction; ELFs of cores are looked up in `directory`."""
    result = configuration(device_op, Path(directory or "."))
    return transaction(result.device, result.operations)


class ConfigureSequence:
    """The position of a device's configuration: the first `aiex.configure`, which it replaces, or else a new sequence
    @configure.

    Use it as a context: `ip` is the position, and the replaced operation is erased at the end.
    """

    def __init__(self, device_op: AnyOp):
        self._device = device_op
        ops = walk_named(device_op, "aiex.configure")
        self._replaced = ops[0] if ops else None
        self.constants = ir.InsertionPoint.at_block_begin(device_op.opview.block)
        """Where constants go: before the device's first operation so far."""

    def __enter__(self) -> ConfigureSequence:
        load(self._device.operation.context, ("aie", "aiex"))
        if self._replaced is not None:
            self.ip = ir.InsertionPoint(self._replaced)
            return self
        sequence = aie.RuntimeSequenceOp(sym_name=_NAME, loc=self._device.location, ip=self.constants)
        self.constants = ir.InsertionPoint(sequence)
        self.ip = ir.InsertionPoint(sequence.body.blocks.append())
        return self

    def __exit__(self, *_: object) -> None:
        if self._replaced is None:
            return
        for op in [o for block in self._replaced.regions[0].blocks for o in block.operations]:
            op.operation.move_before(self._replaced)
        self._replaced.erase()


def put_writes(device_op: AnyOp, operations: Iterable[Operation]) -> None:
    """Emits `operations` as `aiex.npu` operations; the words of blocks become constants of the device."""
    with ConfigureSequence(device_op) as place:
        write_at(device_op, operations, place.ip, place.constants)


def write_at(device_op: AnyOp, operations: Iterable[Operation], ip: ir.InsertionPoint, constants: ir.InsertionPoint) -> None:
    """Writes `operations` at `ip`, in a sequence of the device; the words of blocks go into new constants at `constants`."""
    loc_and_ip: dict[str, Any] = {"loc": device_op.location, "ip": ip}
    used_names = {sym_name_of(o) for o in walk_named(device_op, "memref.global")}
    names = (name for number in count() if (name := f"config_blockwrite_data_{number}") not in used_names)
    for operation in operations:
        match operation:
            case BlockWrite(address, data):
                name = next(names)
                with device_op.location:
                    global_words(name, data, constants)
                    words = get_words(name, len(data), ip)
                aiex.NpuBlockWriteOp(data=words, address=address, **loc_and_ip)
            case MaskWrite(address, value, mask):
                aiex.NpuMaskWrite32Op(address=address, value=value & 0xFFFFFFFF, mask=mask, **loc_and_ip)
            case _:
                aiex.NpuWrite32Op(address=operation.address, value=operation.value & 0xFFFFFFFF, **loc_and_ip)


def global_words(name: str, words: Sequence[int], ip: ir.InsertionPoint) -> None:
    """A constant memref.global of 32-bit words, at the current location."""
    signed = ", ".join(str((w & 0xFFFFFFFF) - (1 << 32 if w & 0x80000000 else 0)) for w in words)
    value = ir.Attribute.parse(f"dense<[{signed}]> : tensor<{len(words)}xi32>")
    memref.GlobalOp(name, _words(len(words)), sym_visibility="private", initial_value=value, constant=True, ip=ip)


def get_words(name: str, count: int, ip: ir.InsertionPoint) -> ir.Value:
    """The value of global `name`, of `count` 32-bit words, at the current location."""
    return memref.get_global(_words(count), name, ip=ip)


def _words(count: int) -> ir.MemRefType:
    return ir.MemRefType.get([count], ir.IntegerType.get_signless(32))
