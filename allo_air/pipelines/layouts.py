"""The stages of a program of several kernels that the stages of one kernel do not have."""

from allo_air.core.named import Stage

LAYOUTS = Stage("layouts", "linalg", ("assign-layouts",))
"""Behind the padding of the kernels: who pads arguments and cuts results, and where intermediates lie."""
