"""What depends on what, and when: tokens, broadcasts, accumulators that stay, ping-pong buffers."""

WORKS_ON = ("air.*",)
