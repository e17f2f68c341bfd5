"""Emits the NPU controller's instructions as `aiex.npu` operations."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from allo_air.core.names import sym_name_of
from allo_air.core.walking import walk_named
from allo_air.dialects import aiex
from allo_air.mlir import AnyOp, ir
from allo_air.passes._ir.configure import get_words, global_words
from allo_air.target.npu_words import BlockWrite, Instruction, MaskWrite, Patch, Sync, UpdateRegister, Write


class Emitter:
    """Inserts operations into the sequences of one device; block data become constants of the device."""

    def __init__(self, device_op: AnyOp):
        self.block = device_op.opview.block
        used_names = {sym_name_of(o) for o in walk_named(device_op, "memref.global")}
        self.names: Iterator[str] = (name for i in count() if (name := f"blockwrite_data_{i}") not in used_names)
        self.data: dict[tuple[int, ...], str] = {}

    def put(self, instruction: Instruction, op: AnyOp) -> None:
        """The operation of `instruction`, before `op`."""
        loc_and_ip = {"loc": op.location, "ip": ir.InsertionPoint(op)}
        match instruction:
            case Write(address, value):
                aiex.NpuWrite32Op(address=address, value=value & 0xFFFFFFFF, **loc_and_ip)
            case MaskWrite(address, value, mask):
                aiex.NpuMaskWrite32Op(address=address, value=value & 0xFFFFFFFF, mask=mask & 0xFFFFFFFF, **loc_and_ip)
            case Patch(address, argument, offset):
                aiex.NpuAddressPatchOp(addr=address, arg_idx=argument, arg_plus=offset, **loc_and_ip)
            case Sync(column, row, direction, channel, columns, rows):
                fields = {"column": column, "row": row, "direction": direction, "channel": channel}
                aiex.NpuSyncOp(**fields, column_num=columns, row_num=rows, **loc_and_ip)
            case UpdateRegister(index, function, argument, address):
                fields = {"state_table_idx": index, "func": function, "func_arg": argument, "address": address}
                aiex.NpuUpdateFromScratchpadOp(**fields, **loc_and_ip)
            case BlockWrite(address, data):
                aiex.NpuBlockWriteOp(data=self._data(data, op), address=address, **loc_and_ip)
            case _:
                raise AssertionError(f"{instruction} is written by an operation of its own")

    def _data(self, words: tuple[int, ...], op: AnyOp) -> ir.Value:
        """A value with constant words; equal ones share one constant."""
        with op.location:
            if words not in self.data:
                self.data[words] = next(self.names)
                global_words(self.data[words], words, ir.InsertionPoint(self.block.operations[0]))
            return get_words(self.data[words], len(words), ir.InsertionPoint(op))
