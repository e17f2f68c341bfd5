"""The stages for programs of several kernels: layouts between kernels."""

from allo_air.core.named import Stage

LAYOUTS = Stage("layouts", "linalg", ("assign-layouts",))
"""After kernels are padded: decides who pads arguments and crops results, and the layouts of intermediates."""
