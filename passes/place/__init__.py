"""Where herds and tiles go on the array."""
