"""Where herds go on the array."""
