"""The host's side of a program: types and directions of its arguments, and arrays."""
