"""Selects the device and the runtime sequence of a module that has several."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from allo_air.core.calls import NAME, checked
from allo_air.core.diagnostics import error_at
from allo_air.core.walking import walk_named
from allo_air.errors import AlloAirError, UnknownNameError, counted

if TYPE_CHECKING:
    from allo_air.dialects._aie_tiles import DeviceOp
    from allo_air.mlir import AnyOp, ir

_NO_DEVICE = (
    "there is no aie.device; lower the module first (a pipeline such as gemm-bf16 does). A module of AIR without herds has none"
)


class SeveralSequencesError(AlloAirError):
    """Raised if the choice of a runtime sequence is ambiguous; `names` are the candidates."""

    def __init__(self, names: str, remedy: str = "name one by device and sequence"):
        self.names = names
        super().__init__(f"{names}; {remedy}")


def devices(module: AnyOp) -> list[Any]:
    """The `aie.device` operations of a module, in order; the module may be one itself."""
    if module.operation.name == "aie.device":
        return [module.operation.opview]
    return [op.operation.opview for op in module.regions[0].blocks[0].operations if op.operation.name == "aie.device"]


def configuring(module: AnyOp) -> list[Any]:
    """The non-empty devices of a module, in order: instructions load them by their number, from 1."""
    names = ("aie.core", "aie.memtile_dma", "aie.mem", "aie.shim_dma")
    result = devices(module)
    return [d for d in result if len(result) == 1 or any(op.operation.name in names for op in d.block.operations)]


def sequences(device: AnyOp) -> list[Any]:
    """The runtime sequences of a device."""
    return [op for op in device.block.operations if op.operation.name == "aie.runtime_sequence"]


def main_sequences(module: AnyOp, device: str | None, sequence: str | None) -> list[tuple[Any, Any]]:
    """The sequences with these names, each with its device; if there are several, without sequences that others run."""
    result = devices(module)
    candidates = [
        (d, s)
        for d in result
        if device is None or d.sym_name == device.lstrip("@")
        for s in sequences(d)
        if sequence is None or s.sym_name == sequence.lstrip("@")
    ]
    run_by_others = _run_by_others(result) if len(candidates) > 1 else set()
    return [(d, s) for d, s in candidates if (d.sym_name, s.sym_name) not in run_by_others]


@checked(device=NAME | None, sequence=NAME | None)
def choose_sequence(module: AnyOp, device: str | None, sequence: str | None) -> tuple[Any, Any]:
    """The device and runtime sequence of these names, or the one that no other sequence runs; if that is ambiguous,
    AlloAirError with a list."""
    result = devices(module)
    if not result:
        raise AlloAirError(_NO_DEVICE)
    if device is not None and device.lstrip("@") not in [d.sym_name for d in result]:
        raise UnknownNameError("device", device.lstrip("@"), [d.sym_name for d in result], "the module has " + _names(result))
    main = main_sequences(module, device, sequence)
    if len(main) == 1:
        return main[0]
    everything = [f"@{d.sym_name}::@{s.sym_name}" for d in result for s in sequences(d)]
    if not everything:
        old = [f for f in walk_named(module.operation, "func.func") if any(o.name.startswith("aiex.npu.") for o in _ops_in(f))]
        if old:
            raise error_at(old[0], "holds a runtime sequence in the spelling of old files; write aie.runtime_sequence instead")
        raise error_at(result[0], "has no aie.runtime_sequence; without one nothing programs the shim DMAs or ends the run")
    if not main:
        where = f"@{sequence.lstrip('@')}" if sequence else "of that device"
        raise AlloAirError(f"there is no runtime sequence {where}; there are {', '.join(everything)}")
    raise SeveralSequencesError(f"there are {len(main)} runtime sequences ({', '.join(everything)})")


def _run_by_others(device_ops: list[DeviceOp]) -> set[tuple[str, str]]:
    """The sequences that other sequences run, by the names of device and sequence."""
    runs = set()
    for device in device_ops:
        for op in walk_named(device.operation, "aiex.run"):
            around = op.parent
            while around.name not in ("aiex.configure", "aie.device"):
                around = around.parent
            configured = around.attributes["symbol"].value if around.name == "aiex.configure" else device.sym_name
            runs.add((configured, op.attributes["runtime_sequence_symbol"].value))
    return runs


def _ops_in(function: AnyOp) -> list[Any]:
    return [o.operation for block in function.regions[0].blocks for o in block.operations]


def _names(ops: list[ir.OpView]) -> str:
    return ", ".join(f"@{op.sym_name}" for op in ops)


@checked(device=NAME | None)
def chosen_device(module: AnyOp, device: str | None) -> Any:
    """The device with this name, or the only device; otherwise AlloAirError with a list."""
    result = devices(module)
    if not result:
        raise AlloAirError(_NO_DEVICE)
    named = [d for d in result if device is None or d.sym_name == device.lstrip("@")]
    if not named:
        name = (device or "").lstrip("@")
        raise UnknownNameError("device", name, [d.sym_name for d in result], "the module has " + _names(result))
    if len(named) > 1:
        raise AlloAirError(f"there are {counted(len(named), 'device')} ({_names(named)}); name one with --aie-device-name")
    return named[0]
