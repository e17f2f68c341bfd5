"""Lowers placed AIR in channel form to AIE devices: one phase for each module, on the model in `_design`."""

WORKS_ON = ("air.*",)
