"""Garbage is collected seldom while something is compiled or run, and then as before."""

import gc

import ml_dtypes
import numpy as np
import pytest

import allo_air
from allo_air.core.gc_pause import SELDOM, collect_less_often


def test_thresholds_come_back() -> None:
    usual = gc.get_threshold()
    with collect_less_often():
        assert gc.get_threshold() == SELDOM
        with collect_less_often():
            pass
        assert gc.get_threshold() == SELDOM
    assert gc.get_threshold() == usual


def test_a_compilation_and_a_run_collect_seldom(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = set()
    usual = gc.get_threshold()
    program = allo_air.compile(shape=(8, 8, 8), cache=False, progress=lambda *_: seen.add(gc.get_threshold()))
    assert seen == {SELDOM} and gc.get_threshold() == usual
    seen.clear()
    given = np.ones((8, 8), ml_dtypes.bfloat16)
    monkeypatch.setattr(type(program), "_execute", lambda *_: seen.add(gc.get_threshold()))
    program(given, given)
    assert seen == {SELDOM} and gc.get_threshold() == usual
