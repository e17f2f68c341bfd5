"""Where programs written for Allo look for its types."""
