"""aie-expand-load-pdi."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import cycle
from typing import Any

from allo_air.core.diagnostics import error_at
from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk_named
from allo_air.dialects import aie, aiex
from allo_air.mlir import ir
from allo_air.passes._ir.configure import configuring, write_at
from allo_air.target.control_packets import MAX_WORDS, WRITE
from allo_air.target.npu_words import BlockWrite

_MODES = ("none", "write32", "ctrlpkt")
"""What `expand_mode` says, by its number."""


@dataclass(frozen=True)
class AieExpandLoadPdi(Pass):
    """Turns each load of a device into a load of an empty one, which resets the array, and the writes that configure it.

    The control processor leaves out the load of what is loaded, so two empty devices take turns. Where `expand_mode` is `none`,
    the load stays; `write32` and `ctrlpkt` say at the operation how it is written.

    Before:

        aiex.npu.load_pdi {device_ref = @dev}

    After:

        aiex.npu.load_pdi {device_ref = @empty_0}
        aiex.npu.write32(%c2224144_i32, %c3_i32) : i32, i32
        ... the rest of the configuration of @dev
    """

    name = "aie-expand-load-pdi"
    anchor = "builtin.module"
    elf_dir: str = ""
    """Where the ELFs of cores are; if not given, the current directory."""
    ctrl_pkt: bool = False
    """Blocks of registers are written by control packets."""

    def run(self, op: ir.Operation, /) -> None:
        devices = {d.opview.sym_name: d.opview for d in walk_named(op, "aie.device")}
        for device in list(devices.values()):
            empty = _Empty(op, device, devices)
            for load in walk_named(device, "aiex.npu.load_pdi"):
                mode = self._mode(load.opview)
                if mode != "none" and load.opview.device_ref is not None:
                    self._expand(load.opview, device, devices, empty, packets=mode == "ctrlpkt")

    def _mode(self, load: Any) -> str:
        given = load.expand_mode
        if given is None:
            return "ctrlpkt" if self.ctrl_pkt else "write32"
        found = given.value if isinstance(given, ir.StringAttr | ir.IntegerAttr) else given
        mode = _MODES[found] if isinstance(found, int) and 0 <= found < len(_MODES) else found
        if mode not in _MODES:
            raise error_at(load, f"has expand_mode {found}; it is {', '.join(_MODES[:-1])} or {_MODES[-1]}")
        return str(mode)

    def _expand(self, load: Any, device: Any, devices: dict[str, Any], empty: "_Empty", *, packets: bool) -> None:
        target = devices.get(load.device_ref)
        if target is None:
            raise error_at(load, f"loads @{load.device_ref}, which is no aie.device of the module")
        here = ir.InsertionPoint(load)
        aiex.NpuLoadPdiOp(device_ref=empty.name(), loc=load.location, ip=here)
        run: list[Any] = []
        for operation in configuring(target, self.elf_dir):
            if packets and isinstance(operation, BlockWrite):
                write_at(device, run, here, empty.constants)
                run = []
                for first in range(0, len(operation.data), MAX_WORDS):
                    words = [(w & 0xFFFFFFFF) - ((w & 0x80000000) << 1) for w in operation.data[first : first + MAX_WORDS]]
                    at: dict[str, Any] = {"loc": load.location, "ip": here}
                    aiex.ControlPacketOp(address=operation.address + 4 * first, opcode=WRITE, stream_id=0, data=words, **at)
            else:
                run.append(operation)
        write_at(device, run, here, empty.constants)
        load.operation.erase()


class _Empty:
    """The two empty devices that reset the array in turns, made when they are first needed."""

    def __init__(self, module: ir.Operation, device: Any, devices: dict[str, Any]):
        self._module, self._device, self._devices = module, device, devices
        self._names: Iterator[str] = cycle(("empty_0", "empty_1"))
        self.constants = ir.InsertionPoint(device.block.operations[0])
        """Where the device's constants go."""

    def name(self) -> str:
        """The name of the next one."""
        name = next(self._names)
        if name not in self._devices:
            at: dict[str, Any] = {"loc": self._device.location, "ip": ir.InsertionPoint.at_block_begin(self._block)}
            made = aie.DeviceOp(device=self._device.device, sym_name=name, **at)
            holder = ir.InsertionPoint(made.regions[0].blocks.append())
            ir.Operation.create("builtin.module", regions=1, loc=made.location, ip=holder).regions[0].blocks.append()
            self._devices[name] = made
        return name

    @property
    def _block(self) -> ir.Block:
        return self._module.regions[0].blocks[0]
