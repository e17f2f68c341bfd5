"""The small interpreter of the binding passes' tests, for these passes too; and the order that tokens give."""

import importlib.util
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture
def check() -> Callable[..., list[Any]]:
    """`check(text, passes, *arguments)` runs `text` in numpy before and after each pass; the outcomes must agree."""
    spec = importlib.util.spec_from_file_location("air_bind_conftest", Path(__file__).parents[2] / "bind/conftest.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    run: Callable[..., list[Any]] = module.run_and_compare
    return run
