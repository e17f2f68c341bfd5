"""Buffers in L2 and L1: split over memtiles, fused under common loops, shrunk to what is used, moved to where they are used."""

WORKS_ON = ("air.*",)
