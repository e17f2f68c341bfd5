"""Compiled programs: from a source through a named pipeline to a device that runs on numpy arrays."""
