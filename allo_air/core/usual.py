"""What the code of cores tells of conditions on data to those who estimate its time."""

USUALLY = "allo.usually"
"""Attribute of a condition in the first block of a branch on data. True: it is one on numbers, and the branch usually goes to
that block where it holds, and elsewhere where not. False: the branch usually goes elsewhere."""
