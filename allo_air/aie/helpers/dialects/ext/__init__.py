"""Dialects by the names that programs of March import."""
