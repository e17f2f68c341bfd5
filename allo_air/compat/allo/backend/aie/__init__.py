"""The backend for NPUs, under the names that Allo's programs import."""

from allo_air.compat.allo.backend.aie.external_kernel import ExternalModule

__all__ = ["ExternalModule", "is_available"]


def is_available() -> bool:
    """True: without an NPU, programs run on the simulator."""
    return True
