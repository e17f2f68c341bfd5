"""Kernels written in C++, under the name that Allo's programs import."""

from allo_air.frontend.external import ExternalModule

__all__ = ["ExternalModule"]
