"""Command lines of IRON programs."""
