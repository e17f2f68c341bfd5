"""The collector of garbage, which looks at all that a process has, torch's modules too, each time that much was made."""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator
from contextlib import contextmanager

SELDOM = (1_000_000, 50, 50)
"""Objects made until it looks at these, how often until at older ones, and then at all."""

_lock = threading.Lock()
_inside = 0
_usual = gc.get_threshold()


@contextmanager
def seldom() -> Iterator[None]:
    """Has garbage collected seldom meanwhile: compiling makes millions of objects, few of which refer to each other.

    With torch loaded one look at everything takes 0.1 s, and it looked eight times while a block of GPT-2 was compiled.
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
