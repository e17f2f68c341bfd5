"""Turns loops around transfers into access lists that buffer descriptors support: folds them into dimensions, or unrolls
them.
"""

WORKS_ON = ("air.*",)
