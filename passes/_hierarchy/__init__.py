"""Turning parallel loops into launches, segments and herds: what `air-par-to-herd` and `air-par-to-launch` share."""
