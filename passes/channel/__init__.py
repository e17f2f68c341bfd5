"""DMA copies become channels: the two ends of a copy, and the loops in which the outer one goes where it belongs."""

WORKS_ON = ("air.*",)
