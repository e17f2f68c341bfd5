"""Turns parallel loops and copies into launches, segments, herds and DMA copies."""
