"""Events of trace units, by the names that programs import."""

from allo_air.aie.building.events import (
    CoreEvent,
    GenericEvent,
    MemEvent,
    MemTileEvent,
    MemTilePortEvent,
    PortEvent,
    ShimTileEvent,
)

PLEvent, ShimTilePortEvent = ShimTileEvent, PortEvent
CoreEventAIE2 = CoreEventAIE2P = CoreEvent
MemEventAIE2 = MemEventAIE2P = MemEvent
MemTileEventAIE2 = MemTileEventAIE2P = MemTileEvent
ShimTileEventAIE2 = ShimTileEventAIE2P = ShimTileEvent

__all__ = [
    "CoreEvent", "CoreEventAIE2", "CoreEventAIE2P", "GenericEvent", "MemEvent", "MemEventAIE2", "MemEventAIE2P", "MemTileEvent",
    "MemTileEventAIE2", "MemTileEventAIE2P", "MemTilePortEvent", "PLEvent", "PortEvent",
    "ShimTilePortEvent", "ShimTileEvent", "ShimTileEventAIE2",
    "ShimTileEventAIE2P",
]  # fmt: skip
