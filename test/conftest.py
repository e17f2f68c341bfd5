"""Shared by all tests: the tools of this environment on the path, and allo-opt run in this process with its output captured."""

import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest

from allo_air.core.registry import Registry
from allo_air.mlir import new_context
from allo_air.tools import allo_opt

os.environ["PATH"] = os.pathsep.join([os.path.dirname(sys.executable), os.environ["PATH"]])


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
