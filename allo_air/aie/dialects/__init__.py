"""Dialects by the names that IRON programs import: what can stand in their cores and sequences, and enumerations."""
