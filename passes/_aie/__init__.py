"""What the resource passes of the AIE dialect share."""
