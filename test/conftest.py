"""Shared by all tests: the tools of this environment on the path, and allo-opt run in this process with its output captured."""

import gc
import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest

from allo_air.core.registry import Registry
from allo_air.mlir import new_context
from allo_air.tools import allo_opt

os.environ["PATH"] = os.pathsep.join([os.path.dirname(sys.executable), os.environ["PATH"]])


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What takes longest begins first, so that no process is left alone with it at the end."""
    items.sort(key=lambda item: item.path.name not in ("test_docs.py", "test_lit.py"))


def pytest_collection_finish() -> None:
    """What is there now stays: the collector need not look at it again and again, nor as often at the rest."""
    gc.freeze()
    gc.set_threshold(5000, 20, 20)


@pytest.fixture(scope="session", autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Compiled programs and kernels are kept apart from the user's; the processes of pytest share them."""
    base = tmp_path_factory.getbasetemp()
    cache = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "cache"
    cache.mkdir(exist_ok=True)
    os.environ["XDG_CACHE_HOME"] = str(cache)


@dataclass(frozen=True)
class Result:
    status: int
    out: str
    err: str


@pytest.fixture
def opt(capfd: pytest.CaptureFixture[str]) -> Callable[..., Result]:
    """`opt("file.mlir", "--cse")` runs allo-opt and returns status, standard output and standard error."""

    def run(*arguments: object) -> Result:
        status = allo_opt.main([str(a) for a in arguments])
        return Result(status, *capfd.readouterr())

    return run


@pytest.fixture
def context() -> Iterator[object]:
    """A fresh MLIR context, active during the test."""
    with new_context() as made:
        yield made


@pytest.fixture
def registry() -> Registry:
    return Registry()
