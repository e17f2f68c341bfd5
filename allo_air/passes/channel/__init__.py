"""Turns DMA copies into channels: both ends of a copy, with the loops around the outer end where its memory belongs."""

WORKS_ON = ("air.*",)
