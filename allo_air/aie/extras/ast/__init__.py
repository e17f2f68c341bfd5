"""Rewriting of Python functions."""
