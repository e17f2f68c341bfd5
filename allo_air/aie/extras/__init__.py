"""Shorthands that IRON programs import."""
