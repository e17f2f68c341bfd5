"""Names that MLIR-AIR's air.api announces but does not implement yet."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from allo_air.air.api.errors import NotImplementedError


def announced(name: str, advice: str = "") -> Callable[..., Any]:
    """A function that raises NotImplementedError when it is called."""

    def missing(*_: object, **__: object) -> Any:
        raise NotImplementedError(f"air.{name} is announced and not implemented yet" + (f"; {advice}" if advice else ""))

    missing.__name__ = missing.__qualname__ = name.rsplit(".", 1)[-1]
    missing.__doc__ = "Announced; raises NotImplementedError."
    return missing


parallel = announced("parallel", "use air.sequential in a herd, and the herd's grid for what runs at once")
BlockType = announced("BlockType")
Field = announced("Field")
Scratchpad = announced("Scratchpad")
Cascade = announced("Cascade", "use air.channel")
Adjacency = announced("Adjacency")
Broadcast = announced("Broadcast", "use air.channel with broadcast_shape")
CacheDomain = announced("CacheDomain")
Disjoint = announced("Disjoint")
Fabric = announced("Fabric")
requires = announced("requires")
jit = announced("jit", "use launch.compile()")
