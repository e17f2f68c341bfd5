"""Events of traces that kernels in C++ raise: the host, which runs them, raises none, so the core does around their calls."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path


def with_events(text: str, kernels: Mapping[str, object]) -> str:
    """The design of `text`, where it is traced, with events 0 and 1 around calls of kernels whose code raises them."""
    marked = {name for name, kernel in kernels.items() if _marks(kernel)} if "aie.trace" in text else set()
    if not marked:
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
                if call.attributes["callee"].value not in marked:
                    continue
                EventOp(val=0, loc=call.location, ip=ir.InsertionPoint(call))
                EventOp(val=1, loc=call.location, ip=ir.InsertionPoint.after(call))
        return asm.write(module.operation, debug_info=True)


def _marks(kernel: object) -> bool:
    """Whether a kernel in C++ raises events 0 and 1, at its begin and end as is usual."""
    from allo_air.aie_api.kernel import is_cpp, kernel_of

    if not is_cpp(kernel):
        return False
    path = Path(kernel_of(kernel).path)
    return path.is_file() and "event0()" in path.read_text(encoding="utf-8", errors="replace")
