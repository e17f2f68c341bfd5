"""From placed AIR in channel form to AIE devices: one phase a module, over the model in `_design`."""

WORKS_ON = ("air.*",)
