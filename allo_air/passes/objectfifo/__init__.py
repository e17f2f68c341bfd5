"""Lowers objectFifos to buffers, locks, DMA programs and flows."""

WORKS_ON = ("aie.*",)
