"""Parallel loops and copies become launches, segments, herds and DMA copies."""
