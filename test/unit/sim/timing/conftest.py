"""The rows of bench/published.py, and traced runs of its small designs."""

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

BENCH = str(Path(__file__).parents[4] / "bench")


@pytest.fixture(scope="session")
def published() -> Iterator[ModuleType]:
    """The script as a module."""
    sys.path.insert(0, BENCH)
    yield importlib.import_module("published")
    sys.path.remove(BENCH)
