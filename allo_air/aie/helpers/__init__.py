"""Helpers of IRON programs, by the names that they import."""
