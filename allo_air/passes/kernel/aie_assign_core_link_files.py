"""aie-assign-core-link-files."""

from __future__ import annotations

from dataclasses import dataclass

from allo_air.core.diagnostics import warn_at
from allo_air.core.names import callee_of, sym_name_of
from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk_named
from allo_air.dialects.declarations import declarations
from allo_air.mlir import AnyOp, ir


@dataclass(frozen=True)
class AieAssignCoreLinkFiles(Pass):
    """Lists, on each core, the object files of the functions that it calls and the LLVM modules to merge into its own.

    Calls of functions with a body are followed into it. Each file is listed once: first the files that the core lists already,
    then that of its own `link_with`, which is deprecated, then those of the calls, in order. There is a warning for a core's
    `link_with`, for a call through a value, and for a function with a file that no core calls.

    Before:

        func.func private @scale(memref<8xi32>) attributes {link_with = "scale.o"}
        aie.core(%tile) { func.call @scale(%b) : (memref<8xi32>) -> () }

    After:

        func.func private @scale(memref<8xi32>) attributes {link_with = "scale.o"}
        aie.core(%tile) { func.call @scale(%b) : (memref<8xi32>) -> () } {link_files = ["scale.o"]}
    """

    name = "aie-assign-core-link-files"
    anchor = "aie.device"

    def run(self, op: AnyOp, /) -> None:
        functions = {sym_name_of(f.operation): f.operation for f in declarations(op, "func.func")}
        called: set[str] = set()
        for core in declarations(op, "aie.core"):
            linked = _strings(core.link_files)
            merged = _strings(core.link_merge_files)
            if core.link_with:
                warn_at(core, "has link_with, which is deprecated: put it at the func.func of the functions in that file")
                linked.append(core.link_with)
                core.link_with = None
            for name, function in _reach(core, functions, {}).items():
                called.add(name)
                if "link_with" not in function.attributes:
                    continue
                merges = "link_with_mode" in function.attributes
                (merged if merges else linked).append(function.attributes["link_with"].value)
            core.link_files = _array(linked)
            core.link_merge_files = _array(merged)
        for caller in [*declarations(op, "aie.core"), *(functions[name] for name in functions if name in called)]:
            for call in walk_named(caller, "func.call_indirect"):
                warn_at(call, "calls a function by a value, whose file is not found; call the functions with link_with by name")
        for name, function in functions.items():
            if "link_with" in function.attributes and name not in called:
                file = function.attributes["link_with"].value
                warn_at(function, f"has link_with = \"{file}\", but no core calls @{name}; '{file}' will not be linked")


def _reach(op: AnyOp, functions: dict[str, ir.Operation], ops: dict[str, ir.Operation]) -> dict[str, ir.Operation]:
    """Adds the `functions` that `op` calls to `ops`, each followed by those that it calls itself."""
    for call in walk_named(op, "func.call"):
        name = callee_of(call)
        if name in functions and name not in ops:
            ops[name] = functions[name]
            _reach(functions[name], functions, ops)
    return ops


def _strings(files: ir.ArrayAttr | None) -> list[str]:
    return [file.value for file in files or ()]


def _array(files: list[str]) -> ir.ArrayAttr | None:
    """The distinct files in order; None without any."""
    return ir.ArrayAttr.get([ir.StringAttr.get(file) for file in dict.fromkeys(files)]) if files else None
