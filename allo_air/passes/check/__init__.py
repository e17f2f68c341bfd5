"""Checks of designs before they run: channels, deadlocks, locality, memory, BDs, routes and tasks."""
