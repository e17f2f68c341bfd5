"""High-level synthesis, which this library has not: programs that ask whether it is there go on without it."""


def is_available(target: str = "vivado_hls") -> bool:
    """False: there is no target for FPGAs."""
    del target
    return False
