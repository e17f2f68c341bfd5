"""Plans: how a kernel is divided among cores and memories. One dataclass for all families, as an attribute and as JSON."""
