"""Access lists as buffer descriptors can walk them: loops taken apart, folded in as dimensions, the others unrolled."""

WORKS_ON = ("air.*",)
