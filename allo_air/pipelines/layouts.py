"""The stages for programs of several kernels: layouts between kernels."""

from allo_air.core.named import Stage, late
from allo_air.core.options import option

LAYOUTS = Stage("layouts", "linalg", (late("assign-layouts", device=option("device"), cols=option("cols")),))
"""After kernels are padded: decides whether the caller or a kernel pads arguments and crops results, and the layouts of
intermediates.
"""
