"""What planners decide: one dataclass for all families of kernels, its attribute and its JSON."""
