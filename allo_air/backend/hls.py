"""High-level synthesis, which this library has not: programs that ask whether it is there go on without it."""

from typing import Any

from allo_air.errors import AlloAirError


def is_available(target: str = "vivado_hls") -> bool:
    """False: there is no target for FPGAs."""
    del target
    return False


class IPModule:
    """A circuit written in C++ for HLS: refused, as there is no target for it."""

    def __init__(self, top: str, *args: Any, **options: Any) -> None:
        del args, options
        raise AlloAirError(
            f"IP '{top}': circuits of HLS have no target here; C++ for the array's cores is allo_air.backend.aie.ExternalModule"
        )
