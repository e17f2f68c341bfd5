"""Rewrites of named loops and buffers, as operations of the transform dialect: what schedules are made of."""
