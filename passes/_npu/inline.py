"""Inlines runs of runtime sequences, other devices' included."""

from __future__ import annotations

from typing import Any

from allo_air.core.diagnostics import error_at
from allo_air.core.rewrite import walk_named
from allo_air.dialects import aiex
from allo_air.mlir import ir

_MOVED = ("aie.tile", "aie.lock", "aie.buffer")
_NAMED = ("metadata", "symbol", "alloc", "buffer")


class Inliner:
    """Runs of one module's sequences, replaced by the operations of what they run."""

    def __init__(self, module: Any):
        self.devices = {d.opview.sym_name: d.opview for d in walk_named(module, "aie.device")}

    def run(self) -> None:
        """Inlines until no sequence configures or runs anything."""
        for device in self.devices.values():
            for sequence in [o for o in device.block.operations if o.operation.name == "aie.runtime_sequence"]:
                self._sequence(device, sequence, (f"@{device.sym_name}::@{sequence.sym_name}",))

    def _sequence(self, device: Any, sequence: Any, around: tuple[str, ...]) -> None:
        for op in [o.operation.opview for o in sequence.body.blocks[0].operations]:
            if op.operation.name == "aiex.configure":
                self._configure(device, op, around)

    def _configure(self, device: Any, op: Any, around: tuple[str, ...]) -> None:
        target = self.devices.get(op.symbol)
        if target is None:
            raise error_at(op, f"configures @{op.symbol}, which is no aie.device of the module")
        ip = ir.InsertionPoint(op)
        aiex.NpuLoadPdiOp(device_ref=op.symbol, loc=op.location, ip=ip)
        for inner in [o.operation.opview for block in op.body.blocks for o in block.operations]:
            if inner.operation.name != "aiex.run":
                raise error_at(inner, "is in an aiex.configure; wanted aiex.run only")
            self._run(device, target, inner, ip, around)
        op.operation.erase()

    def _run(self, device: Any, target: Any, op: Any, ip: Any, around: tuple[str, ...]) -> None:
        name = op.runtime_sequence_symbol
        found = [o for o in target.block.operations if o.operation.name == "aie.runtime_sequence" and o.sym_name == name]
        if not found:
            raise error_at(op, f"runs @{name}, which is no runtime sequence of @{target.sym_name}")
        called = f"@{target.sym_name}::@{name}"
        if called in around:
            raise error_at(op, f"runs {called} inside of itself ({' > '.join((*around, called))})")
        self._sequence(target, found[0], (*around, called))
        arguments = list(found[0].body.blocks[0].arguments)
        if len(arguments) != len(op.args):
            raise error_at(op, f"gives {len(op.args)} buffers to @{name}, which takes {len(arguments)}")
        env = dict(zip(arguments, op.args, strict=True))
        copier = _Copier(device, target)
        for inner in [o.operation for o in found[0].body.blocks[0].operations]:
            copier.copy(inner, env, ip)


class _Copier:
    """Copies operations of one device's sequence into another device's, with the tiles and symbols that they name."""

    def __init__(self, device: Any, target: Any):
        self.device, self.target = device, target

    def copy(self, op: Any, env: dict[Any, Any], ip: Any) -> None:
        new = op.clone(ip)
        env.update(zip(op.results, new.results, strict=True))
        for inner in [new, *walk_named(new, "aie.dma_bd", "aie.use_lock")]:
            for i, value in enumerate(inner.operands):
                if value not in env and self.device != self.target and _at_device(value):
                    env[value] = self._element(value.owner)
                if value in env:
                    inner.operands[i] = env[value]
        if self.device != self.target:
            for key in _NAMED:
                if key in new.attributes and isinstance(new.attributes[key], ir.FlatSymbolRefAttr):
                    self._symbol(op, new.attributes[key].value)

    def _element(self, op: Any) -> Any:
        """The tile, lock or buffer that stands in this device for that of the other."""
        if op.name == "aie.tile":
            same = [
                t
                for t in self.device.block.operations
                if t.operation.name == "aie.tile" and (t.col, t.row) == (op.opview.col, op.opview.row)
            ]
            if same:
                return same[0].tile
        else:
            twin = self._named(op.attributes["sym_name"].value) if "sym_name" in op.attributes else None
            if twin is not None:
                return twin.results[0]
        new = op.clone(ir.InsertionPoint(self.device.block.operations[0]))
        for i, value in enumerate(list(op.operands)):
            new.operands[i] = self._element(value.owner)
            new.move_after(new.operands[i].owner)
        return new.results[0]

    def _named(self, name: str) -> Any:
        return _lookup(self.device, name)

    def _symbol(self, op: Any, name: str) -> None:
        """Copies what `name` is in the other device, if this one has nothing of that name."""
        theirs, ours = _lookup(self.target, name), self._named(name)
        if theirs is None or ours is not None:
            if theirs is not None and ours.name != theirs.name:
                raise error_at(op, f"names @{name}, which is an {ours.name} in the device that runs it; rename one of the two")
            return
        if theirs.name in _MOVED:
            self._element(theirs)
            return
        new = theirs.clone(ir.InsertionPoint(self.device.block))
        for i, value in enumerate(list(theirs.operands)):
            new.operands[i] = self._element(value.owner)


def _lookup(device: Any, name: str) -> Any:
    for op in [o.operation for o in device.block.operations]:
        if "sym_name" in op.attributes and op.attributes["sym_name"].value == name:
            return op
    return None


def _at_device(value: Any) -> bool:
    return not isinstance(value, ir.BlockArgument) and value.owner.name in _MOVED
