"""Dependences and scheduling: tokens, broadcasts, hoisted accumulators, ping-pong buffers."""

WORKS_ON = ("air.*",)
