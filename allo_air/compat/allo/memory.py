"""Layouts of tensors over cores, and memories of an FPGA, under the module name that Allo's programs import."""

from allo_air.frontend.memory import DTensor, Layout, Memory, Replicate, Shard

__all__ = ["DTensor", "Layout", "Memory", "Replicate", "Shard"]
