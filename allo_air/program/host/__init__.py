"""What a program takes and gives: types, directions, arrays."""
