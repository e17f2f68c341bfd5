"""Inlines `aiex.run` of runtime sequences, also of other devices."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from allo_air.core.diagnostics import error_at
from allo_air.core.walking import walk_named
from allo_air.dialects import aiex
from allo_air.errors import counted
from allo_air.mlir import AnyOp, ir
from allo_air.passes.npu._borrow import CopiedDeclarations, by_name
from allo_air.target.npu_unroll import unroll

if TYPE_CHECKING:
    from allo_air.dialects._aie_tiles import DeviceOp, RuntimeSequenceOp
    from allo_air.dialects._aiex_tasks import ConfigureOp, RunOp

_LOADS = ("aiex.configure", "aiex.run", "aiex.npu.load_pdi")


class Inliner:
    """Replaces runs in the sequences of one module by the operations of the called sequences."""

    def __init__(self, module: AnyOp):
        self.devices = {d.opview.sym_name: d.opview for d in walk_named(module, "aie.device")}
        self.named = {d: by_name(d) for d in self.devices.values()}
        self.names = {d: set(named) for d, named in self.named.items()}
        self.borrowers: dict[tuple[Any, Any], CopiedDeclarations] = {}

    def run(self) -> None:
        """Inlines until no sequence configures or runs anything."""
        for device in self.devices.values():
            for sequence in [o for o in device.block.operations if o.operation.name == "aie.runtime_sequence"]:
                self._sequence(device, sequence, (f"@{device.sym_name}::@{sequence.sym_name}",))

    def _sequence(self, device: AnyOp, sequence: RuntimeSequenceOp, callers: tuple[str, ...]) -> None:
        if not walk_named(sequence, *_LOADS):
            return
        unroll(sequence, partial=True)
        loaded = device
        for op in [o.operation.opview for o in sequence.body.blocks[0].operations]:
            match op.operation.name:
                case "aiex.configure":
                    self._configure(device, op, ir.InsertionPoint(op), {}, callers)
                    loaded = self.devices[op.symbol]
                    op.operation.erase()
                case "aiex.npu.load_pdi" if op.device_ref in self.devices:
                    loaded = self.devices[op.device_ref]
                case _ if loaded != device:
                    self._borrower(device, loaded).complete(op.operation, self.names[device])
        if unresolved := walk_named(sequence, "aiex.configure"):
            raise error_at(unresolved[0], "is in a loop or branch that is not known; give its bounds or condition as constants")

    def _configure(
        self, device: AnyOp, op: ConfigureOp, ip: ir.InsertionPoint, env: dict[ir.Value, ir.Value], callers: tuple[str, ...]
    ) -> None:
        target = self.devices.get(op.symbol)
        if target is None:
            raise error_at(op, f"configures @{op.symbol}, which is not an aie.device of the module")
        aiex.NpuLoadPdiOp(device_ref=op.symbol, expand_mode=op.expand_mode, loc=op.location, ip=ip)
        borrower = self._borrower(device, target)
        for inner in [o.operation.opview for block in op.body.blocks for o in block.operations]:
            match inner.operation.name:
                case "aiex.run":
                    self._run(device, target, inner, ip, env, callers)
                case "aiex.configure":
                    self._configure(device, inner, ip, env, callers)
                case _:
                    borrower.copy(inner.operation, env, ip)

    def _run(
        self,
        device: AnyOp,
        target: DeviceOp,
        op: RunOp,
        ip: ir.InsertionPoint,
        env: dict[ir.Value, ir.Value],
        callers: tuple[str, ...],
    ) -> None:
        name = op.runtime_sequence_symbol
        operations = [o for o in target.block.operations if o.operation.name == "aie.runtime_sequence" and o.sym_name == name]
        if not operations:
            raise error_at(op, f"runs @{name}, which is not a runtime sequence of @{target.sym_name}")
        called = f"@{target.sym_name}::@{name}"
        if called in callers:
            raise error_at(op, f"runs {called} inside of itself ({' > '.join((*callers, called))})")
        self._sequence(target, operations[0], (*callers, called))
        arguments = list(operations[0].body.blocks[0].arguments)
        if len(arguments) != len(op.args):
            raise error_at(op, f"gives {counted(len(op.args), 'buffer')} to @{name}, which takes {len(arguments)}")
        values = {p: env.get(a, a) for p, a in zip(arguments, op.args, strict=True)}
        borrower = self._borrower(device, target)
        for inner in [o.operation for o in operations[0].body.blocks[0].operations]:
            borrower.copy(inner, values, ip)

    def _borrower(self, device: AnyOp, target: AnyOp) -> CopiedDeclarations:
        if (device, target) not in self.borrowers:
            self.borrowers[device, target] = CopiedDeclarations(device, target, self.named)
        return self.borrowers[device, target]
