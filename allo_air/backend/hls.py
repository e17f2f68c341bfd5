"""High-level synthesis, under the names that Allo's programs import."""

import shutil
from typing import Any

from allo_air.errors import AlloAirError
from allo_air.program.hls import HlsModule

HLSModule = HlsModule

_TOOLS = {
    "vhls": "vivado_hls", "vivado_hls": "vivado_hls", "vitis_hls": "vitis_hls", "pynq": "vitis_hls", "tapa": "tapac",
    "catapult": "catapult", "xls": "xlscc", "ihls": "dpcpp",
}  # fmt: skip


def is_available(target: str = "vivado_hls") -> bool:
    """Whether the tool of a target is installed; C++ and C simulation need none."""
    return shutil.which(_TOOLS.get(target, target)) is not None


class IPModule:
    """A circuit written in C++ for HLS: refused, as there is no target for it."""

    def __init__(self, top: str, *args: Any, **options: Any) -> None:
        del args, options
        raise AlloAirError(
            f"IP '{top}': circuits of HLS have no target here; C++ for the array's cores is allo_air.backend.aie.ExternalModule"
        )
