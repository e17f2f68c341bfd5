"""Trace events of C++ kernels. The host, which runs the kernels, raises no events, so the core raises them around each call."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from allo_air.core.names import callee_of
from allo_air.errors import AlloAirError


def with_events(text: str, kernels: Mapping[str, object]) -> str:
    """The design of `text`, if it is traced, with events 0 and 1 around calls of functions that raise them."""
    marked = {name: _raised(name, kernel) for name, kernel in kernels.items()} if "aie.trace" in text else {}
    if not any(marked.values()):
        return text
    from allo_air import asm
    from allo_air.air import ir as air_ir
    from allo_air.core.walking import walk_named
    from allo_air.dialects.aie import EventOp
    from allo_air.mlir import ir

    module = air_ir.Module.parse(text, air_ir.Context())
    with module.context, ir.Location.unknown():
        for core in walk_named(module.operation, "aie.core"):
            for call in walk_named(core, "func.call"):
                raised = marked.get(callee_of(call), set())
                if "event0" in raised:
                    EventOp(val=0, loc=call.location, ip=ir.InsertionPoint(call))
                if "event1" in raised:
                    EventOp(val=1, loc=call.location, ip=ir.InsertionPoint.after(call))
        return asm.write(module.operation, debug_info=True)


def _raised(name: str, kernel: object) -> set[str]:
    """Which of event0 and event1 the C++ function `name` raises; they are assumed to be at its begin and end."""
    from allo_air.aie_api.build import calls
    from allo_air.aie_api.kernel import is_cpp, kernel_of

    if not is_cpp(kernel):
        return set()
    result = kernel_of(kernel)
    path = Path(result.path)
    if not path.is_file() or "event" not in path.read_text(encoding="utf-8", errors="replace"):
        return set()
    try:
        return calls(path, name, result.defines, [path.parent, *map(Path, result.includes)]) & {"event0", "event1"}
    except AlloAirError:
        return set()  # the run reports why the file does not compile
