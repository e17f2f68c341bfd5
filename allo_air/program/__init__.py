"""Compiled programs. A source goes through a named pipeline and becomes a program that runs on numpy arrays."""
