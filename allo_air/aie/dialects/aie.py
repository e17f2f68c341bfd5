"""Names of the aie dialect that IRON programs use: enumerations, and locks by use_lock. Designs are made by `aie.iron`."""

from allo_air.aie.dialects._aie_enum_gen import (
    AIEDevice,
    AIETileType,
    DMAChannelDir,
    LockAction,
    ObjectFifoPort,
    WireBundle,
)

__all__ = ["AIEDevice", "AIETileType", "DMAChannelDir", "LockAction", "ObjectFifoPort", "WireBundle"]
