"""Divides a runtime sequence into phases: the instructions between two loads of devices.

`aiex.configure` and `aiex.npu.load_pdi` load a device. `allo_air.sim.array` describes the state that they preserve.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from allo_air.core.diagnostics import error_at
from allo_air.errors import counted
from allo_air.mlir import AnyOp, ir
from allo_air.sim.control import LaidOutSequence
from allo_air.sim.layout import Layout, lay_out
from allo_air.target.npu_tasks import Task
from allo_air.target.npu_values import buffers_of
from allo_air.target.npu_views import argument_of
from allo_air.target.npu_words import LoadPdi
from allo_air.target.sequences import devices, sequences

if TYPE_CHECKING:
    from allo_air.dialects._aie_tiles import DeviceOp
    from allo_air.dialects._aiex_npu import NpuLoadPdiOp
    from allo_air.dialects._aiex_tasks import ConfigureOp, RunOp

Bound = Mapping[Any, tuple[int, int] | None]
"""The parameters of a sequence: host argument and byte offset; None for other values."""


@dataclass(frozen=True)
class Phase:
    """A device, and the instructions that run while it is loaded, each with its operation. `layout` is the device's layout,
    if an instruction needed it.
    """

    device: Any
    steps: list[tuple[Any, Any]] = field(default_factory=list)
    layout: Layout | None = None


@dataclass(frozen=True)
class _Frame:
    """A call of a sequence: `device` is the device of the sequence, `around` are its callers."""

    device: Any
    sequence: Any
    bound: Bound
    around: tuple[str, ...]


def phases_of(module: AnyOp, device: AnyOp, sequence: AnyOp) -> list[Phase]:
    """The phases of a runtime sequence; DiagnosticError at an operation that cannot run."""
    walk = _Walk(module, device)
    walk.run(_Frame(device, sequence, buffers_of(sequence), ()), None)
    return [replace(phase, layout=walk.layouts.get(phase.device)) for phase in walk.phases]


class _Walk:
    def __init__(self, module: AnyOp, device: AnyOp) -> None:
        self.devices = {d.sym_name: d for d in devices(module)}
        self.layouts: dict[Any, Layout] = {}
        self.phases = [Phase(device)]
        self.tasks: dict[Any, Task] = {}
        self.taken: dict[tuple[int, int], set[int]] = {}

    def run(self, frame: _Frame, op: AnyOp | None) -> None:
        """Runs a sequence; `op` is the operation that does."""
        name = f"@{frame.device.sym_name}::@{frame.sequence.sym_name}"
        if name in frame.around:
            raise error_at(op, f"runs {name} inside of itself ({' > '.join((*frame.around, name))})")
        inside = _Frame(frame.device, frame.sequence, frame.bound, (*frame.around, name))
        self.block(inside, frame.sequence.body.blocks[0], frame.device)

    def block(self, frame: _Frame, block: Any, device: DeviceOp) -> None:
        """Runs operations whose symbols refer to `device`, or otherwise to the device of the sequence or the loaded device."""
        context, loaded = self.context(frame, device), self.phases[-1]
        for op in block.operations:
            if loaded is not self.phases[-1]:
                context, loaded = self.context(frame, device), self.phases[-1]
            match op.operation.name:
                case "aiex.configure":
                    target = self.load(op, op.symbol)
                    for inner in op.body.blocks:
                        self.block(frame, inner, target)
                case "aiex.run":
                    self.call(frame, op, context, device)
                case "aiex.npu.load_pdi":
                    if op.device_ref is not None:
                        self.load(op, op.device_ref)
                    elif loaded.steps:
                        raise error_at(op, "loads a configuration by its number inside a sequence; name it by device_ref")
                    self.phases[-1].steps.append((op, LoadPdi(op.id or 0, op.size or 0, op.address or 0)))
                case _:
                    loaded.steps.extend((op, instruction) for instruction in context.lower(op))

    def call(self, frame: _Frame, op: RunOp, context: LaidOutSequence, device: DeviceOp) -> None:
        name = op.runtime_sequence_symbol
        callee = next((s for s in sequences(device) if s.sym_name == name), None)
        if callee is None:
            raise error_at(op, f"runs @{name}, which is not a sequence of @{device.sym_name}")
        parameters = list(callee.body.blocks[0].arguments)
        if len(parameters) != len(op.args):
            raise error_at(op, f"gives {counted(len(op.args), 'buffer')} to @{name}, which takes {len(parameters)}")
        bound = {p: argument_of(context, a) for p, a in zip(parameters, op.args, strict=True)}
        self.run(_Frame(device, callee, bound, frame.around), op)

    def load(self, op: NpuLoadPdiOp | ConfigureOp, name: str) -> Any:
        """Loads the device called `name`, unless it is loaded and no instruction has run since."""
        target = self.devices.get(name)
        if target is None:
            raise error_at(op, f"loads @{name}, which is not an aie.device of the module")
        if self.phases[-1].device != target or self.phases[-1].steps:
            self.phases.append(Phase(target))
            self.taken.clear()
        return target

    def context(self, frame: _Frame, device: ir.OpView) -> LaidOutSequence:
        """The lowering context for operations of `device`."""
        seen = list(dict.fromkeys((device, frame.device, self.phases[-1].device)))
        for each in seen:
            if each not in self.layouts:
                self.layouts[each] = lay_out(each)
        out_sequence = LaidOutSequence(device, frame.sequence, *(self.layouts[each] for each in seen))
        out_sequence.bound, out_sequence.tasks, out_sequence.taken = frame.bound, self.tasks, self.taken
        return out_sequence
