"""Compares results with expected arrays, and finds where wrong elements come from."""
