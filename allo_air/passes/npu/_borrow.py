"""Copies operations of one device's sequence into another device's, with the tiles and symbols that they use."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from allo_air.core.diagnostics import emit, position
from allo_air.core.names import sym_name_of
from allo_air.core.walking import parents, walk_post_order
from allo_air.dialects.declarations import declarations
from allo_air.errors import Diagnostic
from allo_air.mlir import AnyOp, ir

_ELEMENTS = ("aie.tile", "aie.lock", "aie.buffer")
_NAMING = ("metadata", "symbol", "alloc", "buffer")
"""Attributes that refer to declarations of the device; `name` of memref.get_global does, too."""


def by_name(device: AnyOp) -> dict[str, AnyOp]:
    """The declarations of a device that have a name."""
    ops: dict[str, AnyOp] = {}
    for op in (view.operation for view in declarations(device)):
        if "sym_name" in op.attributes:
            ops.setdefault(sym_name_of(op), op)
    return ops


class CopiedDeclarations:
    """Copies declarations of `target` into `device`, each once, with a new name if its name is used. `named` has the
    declarations of both devices by name, and gets the copies.
    """

    def __init__(self, device: AnyOp, target: AnyOp, named: Mapping[AnyOp, dict[str, AnyOp]]):
        self.device, self.target = device, target
        self.own, self.theirs = named[device], named[target]
        self.borrowed: dict[Any, Any] = {}

    def copy(self, op: ir.Operation, env: dict[ir.Value, ir.Value], ip: ir.InsertionPoint) -> None:
        """Copies `op` with its regions; `env` maps operands, and gets the results. Constants are copied, too."""
        new = op.clone(ip).operation
        env.update(zip(op.results, new.results, strict=True))
        for inner in walk_post_order(new):
            for i, value in enumerate(inner.operands):
                if value not in env and self._is_theirs(value, *_ELEMENTS):
                    env[value] = self._element(op, value.owner.operation).results[0]
                elif value not in env and self._is_theirs(value, "arith.constant"):
                    env[value] = value.owner.operation.clone(ir.InsertionPoint(new)).operation.results[0]
                if value in env:
                    inner.operands[i] = env[value]
            if self.device != self.target:
                for key in _names_in(inner):
                    self._rename(op, inner, key)

    def complete(self, op: ir.Operation, own: set[str]) -> None:
        """Makes `op` of this device refer to declarations of the other device, if `own`, the names of this one, lack them."""
        for key in _names_in(op):
            if op.attributes[key].value not in own:
                self._rename(op, op, key)

    def _is_theirs(self, value: ir.Value, *names: str) -> bool:
        """Whether an operation of one of `names` in the other device makes `value`."""
        if self.device == self.target or isinstance(value, ir.BlockArgument) or value.owner.operation.name not in names:
            return False
        return any(outer == self.target.operation for outer in parents(value.owner.operation))

    def _element(self, user: AnyOp, op: ir.Operation) -> Any:
        """The tile, lock or buffer of this device for that of the other device."""
        if op not in self.borrowed:
            same = [
                declaration for declaration in declarations(self.device, op.name) if self._is_same(declaration.operation, op)
            ]
            self.borrowed[op] = same[0].operation if same else self._clone(user, op)
        return self.borrowed[op]

    def _rename(self, user: ir.Operation, new: AnyOp, key: str) -> None:
        """Makes `new` refer to the copies of the symbols in the other device."""
        name = new.attributes[key].value
        original = self.theirs.get(name)
        if original is None:
            return
        copy = self.borrowed.get(original) or self.own.get(name)
        if copy is None or (original not in self.borrowed and not self._is_same(copy, original)):
            copy = self._clone(user, original)
        self.borrowed[original] = copy
        new.attributes[key] = ir.FlatSymbolRefAttr.get(sym_name_of(copy))

    def _clone(self, user: AnyOp, op: AnyOp) -> Any:
        missing = {"aie.buffer": "address", "aie.lock": "lockID"}.get(op.name)
        if missing is not None and missing not in op.attributes:
            before = "aie-assign-buffer-addresses" if missing == "address" else "aie-assign-lock-ids"
            text = (
                f"'{user.name}' op uses an {op.name} of @{sym_name_of(self.target)} without {missing}, which this device may "
            )
            emit(Diagnostic("warning", *position(user.location), f"{text}place elsewhere; run {before} first"))
        name = self._free(sym_name_of(op)) if "sym_name" in op.attributes else ""
        operands = [self._element(user, v.owner.operation) for v in op.operands]
        new = op.clone(ir.InsertionPoint(self.device.block)).operation
        for i, element in enumerate(operands):
            new.operands[i] = element.results[0]
        if op.name in _ELEMENTS:  # whose results are used
            new.move_before(self.device.block.operations[0])
            for element in operands:
                new.move_after(element)
        if name:
            new.attributes["sym_name"] = ir.StringAttr.get(name)
            self.own[name] = new
        return new

    def _free(self, name: str) -> str:
        """`name`, or if it is used, `name` with the other device's name and a number appended."""
        names = (name, *(f"{name}_{sym_name_of(self.target)}{n or ''}" for n in range(1000)))
        return next(n for n in names if n not in self.own)

    def _is_same(self, copy: AnyOp, original: AnyOp) -> bool:
        """Whether two operations declare the same: equal attributes, on tiles of the same place, with equal regions."""
        if copy.name != original.name or {k: copy.attributes[k] for k in copy.attributes} != {
            k: original.attributes[k] for k in original.attributes
        }:
            return False
        if len(copy.regions) and str(copy) != str(original):
            return False
        pairs = zip(copy.operands, original.operands, strict=True)
        return all(a.type == b.type and self._is_same(a.owner.operation, b.owner.operation) for a, b in pairs)


def _names_in(op: ir.Operation) -> list[str]:
    """The attributes of `op` that name something."""
    keys = (*_NAMING, "name") if op.name == "memref.get_global" else _NAMING
    return [key for key in keys if key in op.attributes and isinstance(op.attributes[key], ir.FlatSymbolRefAttr)]
