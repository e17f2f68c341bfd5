"""Passes that programs run on their modules."""
