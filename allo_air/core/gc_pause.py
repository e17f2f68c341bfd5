"""Fewer garbage collections: a full one visits every object of the process, including torch's modules."""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator
from contextlib import contextmanager

SELDOM = (1_000_000, 50, 50)
"""Thresholds of the three generations, as for `gc.set_threshold`."""

_lock = threading.Lock()
_inside = 0
_usual = gc.get_threshold()


@contextmanager
def collect_less_often() -> Iterator[None]:
    """Raises the thresholds of the garbage collector, since compilation creates millions of objects with few cycles.

    With torch loaded, one full collection takes 0.1 s; compiling a block of GPT-2 had triggered eight.
    """
    global _inside, _usual
    with _lock:
        if not _inside:
            _usual = gc.get_threshold()
            if 0 < _usual[0] < SELDOM[0]:
                gc.set_threshold(*SELDOM)
        _inside += 1
    try:
        yield
    finally:
        with _lock:
            _inside -= 1
            if not _inside:
                gc.set_threshold(*_usual)
