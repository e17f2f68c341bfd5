"""Tuning: the planners' best plans simulated, and the best of them kept."""
