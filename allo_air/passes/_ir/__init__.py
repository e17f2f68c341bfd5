"""Helpers that build and rewrite operations for several rooms. Nothing here decides."""
