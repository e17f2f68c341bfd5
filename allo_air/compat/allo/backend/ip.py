"""Functions in C++ for high-level synthesis, under the name that Allo's programs import."""

from allo_air.frontend.ip import IPModule

__all__ = ["IPModule"]
