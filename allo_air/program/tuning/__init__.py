"""Tuning: simulates the planners' best plans and stores the best of them."""
