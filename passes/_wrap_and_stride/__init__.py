"""Access lists as buffer descriptors can walk them: loops folded in as dimensions, dimensions merged, other loops unrolled."""
