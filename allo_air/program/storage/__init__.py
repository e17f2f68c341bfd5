"""Stores compiled programs on disk."""
