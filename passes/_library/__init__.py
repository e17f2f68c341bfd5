"""Calls of library functions in place of linalg operations."""
