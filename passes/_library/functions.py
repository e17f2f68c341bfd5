"""The declarations of library functions in a module."""

from typing import Any

from allo_air.errors import PassError
from allo_air.mlir import ir
from allo_air.passes._analysis.parallel import parents
from allo_air.passes._library.meaning import mangled, meaning


class Functions:
    """Finds or declares the function that a linalg operation becomes a call of; new ones link with `link_with`."""

    def __init__(self, link_with: str) -> None:
        self._link_with = link_with
        self._symbols: dict[Any, dict[str, Any]] = {}
        self._meanings: dict[Any, Any] = {}

    def declared(self, op: Any, name: str) -> Any:
        """The function called `name` for the operands of `op`; raises PassError if that name means something else."""
        found = self._symbols_of(_module(op)).get(name)
        if found is None:
            return self._declare(op, name)
        if found.name != "func.func":
            raise PassError(
                f"wants to call @{name}, which is the symbol of '{found.name}'; choose another library_call", op.location, op.name
            )
        if _type(found) != _wanted(op):
            raise PassError(
                f"wants to call @{name} as {_wanted(op)}, and it is {_type(found)}: a function has one type;"
                " choose another library_call for one of them",
                op.location,
                op.name,
            )
        return found

    def derived(self, op: Any) -> Any:
        """The function for `op` under a derived name; a number tells apart those that compute something else on equal types."""
        base, wanted = mangled(op), (_wanted(op), meaning(op))
        symbols = self._symbols_of(_module(op))
        name, number = base, 0
        while (found := symbols.get(name)) is not None and not self._fits(found, wanted):
            number += 1
            name = f"{base}_{number}"
        function = found if found is not None else self._declare(op, name)
        self._meanings[function] = wanted[1]
        return function

    def _fits(self, function: Any, wanted: tuple[Any, Any]) -> bool:
        if function.name != "func.func" or _type(function) != wanted[0]:
            return False
        return bool(self._meanings.get(function, wanted[1]) == wanted[1])

    def _symbols_of(self, module: Any) -> dict[str, Any]:
        if module not in self._symbols:
            inside = [o.operation for o in module.regions[0].blocks[0].operations]
            self._symbols[module] = {o.attributes["sym_name"].value: o for o in inside if "sym_name" in o.attributes}
        return self._symbols[module]

    def _declare(self, op: Any, name: str) -> Any:
        module = _module(op)
        symbols = self._symbols_of(module)
        attributes = {
            "sym_name": ir.StringAttr.get(name),
            "function_type": ir.TypeAttr.get(_wanted(op)),
            "sym_visibility": ir.StringAttr.get("private"),
            "llvm.emit_c_interface": ir.UnitAttr.get(),
        }
        if self._link_with:
            attributes["link_with"] = ir.StringAttr.get(self._link_with)
        before = next(o for o in module.regions[0].blocks[0].operations if o.operation.name != "air.channel")
        symbols[name] = ir.Operation.create(
            "func.func", [], [], attributes, regions=1, loc=op.location, ip=ir.InsertionPoint(before)
        )
        return symbols[name]


def _module(op: Any) -> Any:
    return next(p for p in parents(op) if p.name == "builtin.module")


def _type(function: Any) -> Any:
    return function.attributes["function_type"].value


def _wanted(op: Any) -> Any:
    return ir.FunctionType.get([v.type for v in op.operands], [])
