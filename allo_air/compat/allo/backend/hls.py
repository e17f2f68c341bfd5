"""High-level synthesis, under the names that Allo's programs import."""

import shutil

from allo_air.frontend.ip import IPModule
from allo_air.program.hls import HlsModule

__all__ = ["HLSModule", "IPModule", "is_available"]

HLSModule = HlsModule

_TOOLS = {
    "vhls": "vivado_hls", "vivado_hls": "vivado_hls", "vitis_hls": "vitis_hls", "pynq": "vitis_hls", "tapa": "tapac",
    "catapult": "catapult", "xls": "xlscc", "ihls": "dpcpp",
}  # fmt: skip


def is_available(target: str = "vivado_hls") -> bool:
    """Whether the tool of a target is installed; C++ and C simulation need none."""
    return shutil.which(_TOOLS.get(target, target)) is not None
