"""Places herds and tiles on the array."""

WORKS_ON = ("air.*",)
