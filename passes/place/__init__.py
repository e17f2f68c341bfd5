"""Where herds and tiles go on the array."""

WORKS_ON = ("air.*",)
