"""Declares library functions that replace linalg operations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from allo_air.core.functions import declare_function
from allo_air.core.names import function_type_of, sym_name_of
from allo_air.core.walking import enclosing
from allo_air.errors import PassError
from allo_air.mlir import AnyOp, ir
from allo_air.passes.kernel._library_meaning import mangled, semantic_key


@dataclass(frozen=True)
class _Scope:
    """A module's symbols, the computations of its functions (if known), and the position for new declarations."""

    module: Any
    symbols: dict[str, ir.Operation]
    meanings: dict[str, Any]
    anchor: ir.Operation

    def fits(self, name: str, signature: tuple[ir.FunctionType, Any]) -> bool:
        """Whether function @`name` has type `signature[0]`, and may compute `signature[1]`."""
        symbol = self.symbols[name]
        if symbol.name != "func.func" or function_type_of(symbol) != signature[0]:
            return False
        return bool(self.meanings.get(name, signature[1]) == signature[1])


class Functions:
    """Finds or declares the function that replaces a linalg operation; new ones link with `link_with`."""

    def __init__(self, link_with: str) -> None:
        self._link_with = link_with
        self._scopes: list[_Scope] = []

    def declared(self, op: AnyOp, name: str) -> ir.Operation:
        """The function called `name` for the operands of `op`; raises PassError if the name is taken by something else."""
        scope = self._scope(op)
        symbol = scope.symbols.get(name)
        if symbol is None:
            return self._declare(scope, op, name)
        if symbol.name != "func.func":
            raise PassError(
                f"would call @{name}, which is the symbol of '{symbol.name}'; choose another library_call",
                op.location,
                op.name,
            )
        if function_type_of(symbol) != _function_type(op):
            raise PassError(
                f"would call @{name} as {_function_type(op)}, and it is {function_type_of(symbol)}: a function has one type;"
                " choose another library_call for one of them",
                op.location,
                op.name,
            )
        return symbol

    def derived(self, op: AnyOp, base: str = "") -> Any:
        """The function for `op` with a derived name, or called `base`.

        A number distinguishes functions that compute different things on equal types.
        """
        scope, base, signature = self._scope(op), base or mangled(op), (_function_type(op), semantic_key(op))
        name, number = base, 0
        while name in scope.symbols and not scope.fits(name, signature):
            number += 1
            name = f"{base}_{number}"
        scope.meanings[name] = signature[1]
        return scope.symbols.get(name) or self._declare(scope, op, name)

    def _scope(self, op: AnyOp) -> _Scope:
        """The scope of the innermost module around `op`."""
        module = enclosing(op, "builtin.module")
        for scope in self._scopes:
            if scope.module == module:
                return scope
        inner_ops = [o.operation for o in module.regions[0].blocks[0].operations]
        symbols = {sym_name_of(o): o for o in inner_ops if "sym_name" in o.attributes}
        self._scopes.append(_Scope(module, symbols, {}, next(o for o in inner_ops if o.name != "air.channel")))
        return self._scopes[-1]

    def _declare(self, scope: _Scope, op: AnyOp, name: str) -> ir.Operation:
        attributes: dict[str, ir.Attribute] = {"llvm.emit_c_interface": ir.UnitAttr.get()}
        if self._link_with:
            attributes["link_with"] = ir.StringAttr.get(self._link_with)
        with op.location:
            result = declare_function(name, _function_type(op), attributes, ip=ir.InsertionPoint(scope.anchor))
        scope.symbols[name] = result
        return result


def _function_type(op: AnyOp) -> ir.FunctionType:
    return ir.FunctionType.get([v.type for v in op.operands], [])
