"""Schedules: rewrites of named loops and buffers, as operations of the transform dialect."""
