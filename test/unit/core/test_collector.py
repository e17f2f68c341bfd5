"""Garbage is collected seldom while something is compiled, and then as before."""

import gc

import allo_air
from allo_air.core.collector import SELDOM, seldom


def test_thresholds_come_back() -> None:
    usual = gc.get_threshold()
    with seldom():
        assert gc.get_threshold() == SELDOM
        with seldom():
            pass
        assert gc.get_threshold() == SELDOM
    assert gc.get_threshold() == usual


def test_a_compilation_collects_seldom() -> None:
    seen = set()
    usual = gc.get_threshold()
    allo_air.compile(shape=(8, 8, 8), cache=False, progress=lambda *_: seen.add(gc.get_threshold()))
    assert seen == {SELDOM} and gc.get_threshold() == usual
