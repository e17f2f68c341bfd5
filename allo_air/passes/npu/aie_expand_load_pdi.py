"""aie-expand-load-pdi."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from allo_air.core.diagnostics import error_at
from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk_named
from allo_air.dialects import aie, aiex
from allo_air.mlir import ir
from allo_air.passes._ir.configure import configuring, write_at
from allo_air.passes._ir.names import Names
from allo_air.target.control_packets import MAX_WORDS, WRITE
from allo_air.target.npu_words import BlockWrite

_MODES = ("none", "write32", "ctrlpkt")
"""The values of `expand_mode`, by number."""
_LOAD, _CALLS = "aiex.npu.load_pdi", ("aiex.run", "func.call")


@dataclass(frozen=True)
class AieExpandLoadPdi(Pass):
    """Replaces each load of a device by a load of an empty device, which resets the array, and the writes that configure it.

    The control processor skips the load of a device that is loaded already, so two empty devices alternate. Each run of
    consecutive loads begins with the first and ends with the second, also in a loop: in a run of odd length the last one loads
    both. Iterations of a loop, and consecutive sequences, therefore never load the same empty device twice in a row. With
    `expand_mode` `none` the load stays; `write32` and `ctrlpkt` say at the operation how it is written.

    Before:

        aiex.npu.load_pdi {device_ref = @dev}

    After:

        aiex.npu.load_pdi {device_ref = @empty_0}
        aiex.npu.load_pdi {device_ref = @empty_1}
        aiex.npu.write32(%c2224144_i32, %c3_i32) : i32, i32
        ... the rest of the configuration of @dev
    """

    name = "aie-expand-load-pdi"
    anchor = "builtin.module"
    elf_dir: str = ""
    """The folder of the cores' ELF files; by default the current directory."""
    ctrl_pkt: bool = False
    """Write blocks of registers by control packets."""

    def run(self, op: ir.Operation, /) -> None:
        devices = {d.opview.sym_name: d.opview for d in walk_named(op, "aie.device")}
        names, result = Names(op), dict[str, _Empty]()
        for device in list(devices.values()):
            constants = ir.InsertionPoint.at_block_begin(device.block)
            for run in _runs(device.block):
                loads = [(load, mode) for load in run if (mode := self._mode(load)) != "none" and load.device_ref is not None]
                for number, (load, mode) in enumerate(loads):
                    if load.device_ref not in devices:
                        raise error_at(load, f"loads @{load.device_ref}, which is not an aie.device of the module")
                    empty = result.setdefault(str(device.device), _Empty(op, device, names))
                    slots = (0, 1) if number == len(loads) - 1 and number % 2 == 0 else (number % 2,)
                    for slot in slots:
                        aiex.NpuLoadPdiOp(device_ref=empty.name(slot), loc=load.location, ip=ir.InsertionPoint(load))
                    self._write(load, device, devices[load.device_ref], constants, packets=mode == "ctrlpkt")

    def _mode(self, load: Any) -> str:
        argument = load.expand_mode
        if argument is None:
            return "ctrlpkt" if self.ctrl_pkt else "write32"
        value = argument.value if isinstance(argument, ir.StringAttr | ir.IntegerAttr) else argument
        mode = _MODES[value] if isinstance(value, int) and 0 <= value < len(_MODES) else value
        if mode not in _MODES:
            raise error_at(load, f"has expand_mode {value}; it is {', '.join(_MODES[:-1])} or {_MODES[-1]}")
        return str(mode)

    def _write(self, load: Any, device: ir.OpView, target: ir.OpView, constants: ir.InsertionPoint, *, packets: bool) -> None:
        here = ir.InsertionPoint(load)
        run: list[Any] = []
        for operation in configuring(target, self.elf_dir):
            if packets and isinstance(operation, BlockWrite):
                write_at(device, run, here, constants)
                run = []
                for first in range(0, len(operation.data), MAX_WORDS):
                    words = [(w & 0xFFFFFFFF) - ((w & 0x80000000) << 1) for w in operation.data[first : first + MAX_WORDS]]
                    loc_and_ip: dict[str, Any] = {"loc": load.location, "ip": here}
                    aiex.ControlPacketOp(
                        address=operation.address + 4 * first, opcode=WRITE, stream_id=0, data=words, **loc_and_ip
                    )
            else:
                run.append(operation)
        write_at(device, run, here, constants)
        load.operation.erase()


def _runs(block: ir.Block) -> list[list[Any]]:
    """The loads in `block` and its nested blocks, grouped into runs without a loop, branch or sequence with loads in
    between."""
    runs: list[list[Any]] = []
    run: list[Any] = []
    for op in (o.operation for o in block.operations):
        if op.name == _LOAD:
            run.append(op.opview)
            continue
        inner = [r for region in op.regions for b in region.blocks for r in _runs(b)]
        if inner or op.name in _CALLS:
            runs += [run, *inner]
            run = []
    return [r for r in (*runs, run) if r]


class _Empty:
    """The two empty devices of one type that reset the array alternately, created at first use."""

    def __init__(self, module: ir.Operation, device: Any, names: Names):
        self._module, self._device, self._names = module, device, names
        self._made: dict[int, str] = {}

    def name(self, number: int) -> str:
        """The name of the first (0) or second one (1)."""
        if number not in self._made:
            self._made[number] = self._names.fresh("empty")
            block = self._module.regions[0].blocks[0]
            loc_and_ip: dict[str, Any] = {"loc": self._device.location, "ip": ir.InsertionPoint.at_block_begin(block)}
            aie.DeviceOp(device=self._device.device, sym_name=self._made[number], **loc_and_ip).add_block()
        return self._made[number]
