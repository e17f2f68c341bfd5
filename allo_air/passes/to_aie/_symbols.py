"""Symbols that the cores' code refers to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from allo_air.core.diagnostics import error_at
from allo_air.core.walking import walk_named
from allo_air.mlir import ir
from allo_air.passes.to_aie._emit import DeviceBuilder


def copy_symbols(symbols: Mapping[str, ir.Operation], module: ir.Operation, builder: DeviceBuilder) -> None:
    """Copies what a core's code refers to into the device: declarations, functions, globals; `symbols` are names and users."""
    present = [o.operation.attributes for o in builder.block.operations]
    have = {a["sym_name"].value for a in present if "sym_name" in a}
    pending_symbols = dict(symbols)
    while pending_symbols:
        name = next(iter(pending_symbols))
        user = pending_symbols.pop(name)
        if name in have:
            continue
        have.add(name)
        symbol = _symbol(module, name)
        if symbol is None:
            raise error_at(user, f"refers to '@{name}', which the module does not define")
        copy = symbol.clone(ip=builder.ip("symbols"))
        for attribute in ("link_with", "llvm.emit_c_interface"):
            if attribute in copy.attributes:
                del copy.attributes[attribute]
        for call in walk_named(copy, "func.call", "memref.get_global"):
            attribute = "callee" if call.name == "func.call" else "name"
            pending_symbols[call.attributes[attribute].value] = call


def object_files(symbols: Iterable[str], module: ir.Operation) -> set[str]:
    """Object files of the functions that a core calls."""
    results = [s for name in symbols if (s := _symbol(module, name)) is not None]
    return {s.attributes["link_with"].value for s in results if "link_with" in s.attributes}


def _symbol(module: ir.Operation, name: str) -> Any:
    for view in module.regions[0].blocks[0].operations:
        attributes = view.operation.attributes
        if "sym_name" in attributes and attributes["sym_name"].value == name and view.operation.name != "aie.device":
            return view.operation
    return None
