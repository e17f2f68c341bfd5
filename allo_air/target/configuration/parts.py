"""The configuration of a device in its three parts (elfs, init, enable), from the routed and placed `aie.device`.

The order of the writes is that of mlir-aie's CDO writer (docs/sources.md#packaging).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from allo_air.core.diagnostics import error_at
from allo_air.device import Coordinate, Device
from allo_air.dialects.declarations import declarations, device_of, place_of
from allo_air.target.configuration.dma import dma_program
from allo_air.target.configuration.elf_image import load_elf
from allo_air.target.configuration.memory import buffer_writes, check_memory, lock_writes
from allo_air.target.configuration.switches import cascade, shim_mux, switchbox
from allo_air.target.npu_bd import LOCK_BASE, LOCK_STRIDE, QUEUE_BASE
from allo_air.target.npu_words import BlockWrite, MaskWrite, Write
from allo_air.target.registers import CHANNEL_RESET, CORE_CONTROL, ENABLE, RESET

if TYPE_CHECKING:
    from allo_air.mlir import AnyOp, ir

Operation = Write | MaskWrite | BlockWrite

_UNLOWERED = {
    "aie.flow": "aie-create-pathfinder-flows",
    "aie.packet_flow": "aie-create-pathfinder-flows",
    "aie.objectfifo": "aie-objectFifo-stateful-transform",
    "aie.cascade_flow": "aie-lower-cascade-flows",
    "aiex.multicast": "aie-lower-multicast",
    "aiex.broadcast_packet": "aie-lower-broadcast-packet",
    "aie.logical_tile": "aie-place-tiles",
}
"""Operations that must be lowered first, with the pass that does it. Flows may remain in a device whose switches are
configured.
"""


@dataclass(frozen=True)
class Configuration:
    """The register writes that load a design: core programs, everything else, and the cores' start.

    `missing` are the cores without an ELF: they are reset and enabled, but nothing fills their program memory.
    """

    device: Device
    name: str
    elfs: tuple[Operation, ...]
    init: tuple[Operation, ...]
    enable: tuple[Operation, ...]
    missing: tuple[Coordinate, ...] = ()

    @property
    def parts(self) -> dict[str, tuple[Operation, ...]]:
        """The parts by name, in the order in which they are loaded."""
        return {"elfs": self.elfs, "init": self.init, "enable": self.enable}

    @property
    def operations(self) -> tuple[Operation, ...]:
        """All writes, in the order in which they are loaded."""
        return (*self.elfs, *self.init, *self.enable)


def configuration(device_op: AnyOp, directory: Path | None = None, *, enable_cores: bool = True) -> Configuration:
    """The configuration of a placed and routed `aie.device`. `elf_file` of cores is looked up in `directory`.

    Raises DiagnosticError, at the operation, for missing addresses or numbers, fields that do not fit their registers, and
    memory that is assigned twice.
    """
    device = device_of(device_op)
    _refuse_unlowered(device_op)
    check_memory(device_op, device)
    cores = {place_of(op, op.tile): op for op in declarations(device_op, "aie.core")}
    tiles = [(op.col, op.row) for op in declarations(device_op, "aie.tile")]
    run = [tile for tile in tiles if tile in cores and device.kind(*tile) == "core"]
    elfs = tuple(w for tile in run if cores[tile].elf_file for w in _program(device_op, device, tile, cores[tile], directory))
    init = tuple(_init(device_op, device, run))
    enable = tuple(MaskWrite(device.address(*t, CORE_CONTROL), ENABLE, ENABLE) for t in run) if enable_cores else ()
    missing = tuple(tile for tile in run if not cores[tile].elf_file)
    return Configuration(device, device_op.opview.sym_name, elfs, init, enable, missing)


def _refuse_unlowered(device_op: AnyOp) -> None:
    routed = bool(declarations(device_op, "aie.switchbox"))
    for op in device_op.opview.block.operations:
        name = op.operation.name
        if name not in _UNLOWERED or (routed and name in ("aie.flow", "aie.packet_flow")):
            continue
        raise error_at(op, f"configures no register yet; run {_UNLOWERED[name]} first")


def _program(
    device_op: AnyOp, device: Device, tile: Coordinate, core: ir.OpView, directory: Path | None
) -> Iterator[Operation]:
    """The loading of a core's ELF, with the core off and its DMA channels in reset."""
    yield MaskWrite(device.address(*tile, CORE_CONTROL), 0, ENABLE)
    channels = [base - 4 + 8 * n for base in reversed(QUEUE_BASE["core"]) for n in range(2)]
    for value in (CHANNEL_RESET, 0):
        yield from (MaskWrite(device.address(*tile, register), value, CHANNEL_RESET) for register in channels)
        if value:
            yield from load_elf(device_op, tile, core, (directory or Path()) / core.elf_file)


_Writer = Callable[[Device, Any], Iterator[Operation]]
_STEPS: tuple[tuple[str, _Writer], ...] = (
    ("aie.lock", lock_writes),
    ("aie.buffer", buffer_writes),
    ("aie.mem", dma_program),
    ("aie.memtile_dma", dma_program),
    ("aie.shim_dma", dma_program),
    ("aie.switchbox", switchbox),
    ("aie.shim_mux", shim_mux),
    ("aie.configure_cascade", cascade),
)
"""The writers of registers for each kind of operation, in the order in which they write."""


def _init(device_op: AnyOp, device: Device, cores: list[Coordinate]) -> Iterator[Operation]:
    for tile in cores:
        control = device.address(*tile, CORE_CONTROL)
        yield from (MaskWrite(control, RESET, RESET), MaskWrite(control, 0, RESET))
        for number in range(device.tile(*tile).locks):
            yield Write(device.address(*tile, LOCK_BASE["core"] + LOCK_STRIDE * number), 0)
    for name, writer in _STEPS:
        for op in declarations(device_op, name):
            yield from writer(device, op)
