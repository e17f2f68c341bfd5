"""The compiler of designs."""
