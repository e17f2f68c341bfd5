"""Ping-pong buffering: which loops can have it, and how a loop gets two buffers and the tokens that go with them."""
