"""Shared by all tests: the tools of this environment on the path, and allo-opt run in this process with its output captured."""

import gc
import os
import re
import subprocess
import sys
import tempfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis.internal.conjecture import providers

from allo_air.core.contexts import reused_context
from allo_air.core.registry import Registry
from allo_air.tools import allo_opt

settings.register_profile(
    "fuzz", max_examples=400, deadline=None, print_blob=True
)  # `make fuzz`: many more, new ones each time
if hasattr(providers, "_local_constants"):  # hypothesis parses all files of the library for them, in 7 s
    providers._get_local_constants = lambda: providers._local_constants
os.environ["PATH"] = os.pathsep.join([os.path.dirname(sys.executable), os.environ["PATH"]])
for _set_by_make in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS"):  # `make test` runs these; a make that a test starts is nobody's child
    os.environ.pop(_set_by_make, None)


SLOW = [line for line in Path(__file__).with_name("slow.txt").read_text().splitlines() if not line.startswith("#")]
"""Beginnings of the ids of tests that are slow beside those marked in their files."""

DEVICE = re.compile(r"(npu\d(_\dcol)?|aie2p?)", re.IGNORECASE)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """What takes longest begins first, so that no process is left alone with it at the end; what `slow.txt` lists is slow.

    So are combinations of parameters whose values others have: `make test` runs each value of a test once.
    """
    items.sort(key=lambda item: item.path.name not in ("test_docs.py", "test_lit.py"))
    folder = Path(__file__).parents[1]
    ids = [f"{item.path.relative_to(folder).as_posix()}::{item.nodeid.partition('::')[2]}" for item in items]
    tests: dict[str, list[pytest.Item]] = {}
    for item, name in zip(items, ids, strict=True):
        if name.startswith(tuple(SLOW)):
            item.add_marker(pytest.mark.slow)
        elif hasattr(item, "callspec") and not item.get_closest_marker("slow"):
            tests.setdefault(name.partition("[")[0], []).append(item)
    for name, combinations in tests.items():
        for item in repeated_combinations(name, combinations):
            item.add_marker(pytest.mark.slow)
    if not any("::" in argument for argument in config.args):
        files = {name.partition("::")[0] for name in ids}
        gone = [line for line in SLOW if line.partition("::")[0] in files and not any(i.startswith(line) for i in ids)]
        if gone:
            raise pytest.UsageError(f"slow.txt lists tests that are not there: {', '.join(gone)}")


def repeated_combinations(name: str, combinations: list[pytest.Item]) -> list[pytest.Item]:
    """Those of a test's `combinations` of parameters without which the others still have each value.

    A device is no such value: which of them a test runs on follows from its name.
    """
    start = zlib.crc32(name.encode()) % len(combinations)
    rest = [(item, _values(item)) for item in combinations[start:] + combinations[:start]]
    missing = set().union(*(values for _, values in rest))
    while True:
        best = max(range(len(rest)), key=lambda i: len(missing & rest[i][1]))
        missing -= rest.pop(best)[1]
        if not missing:
            return [item for item, _ in rest]


def _values(item: pytest.Item) -> set[tuple[str, int]]:
    """The parameters of a test with the identities of their values, except for devices."""
    parameters = item.callspec.params.items()  # type: ignore[attr-defined]
    return {(name, id(value)) for name, value in parameters if not DEVICE.fullmatch(_name(value))}


def _name(value: object) -> str:
    """What may name a device: a text, or the name of an object."""
    return value if isinstance(value, str) else str(getattr(value, "__name__", getattr(value, "name", "")))


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


@pytest.fixture(scope="session")
def tools() -> Iterator[Path]:
    """Where the tools of this environment, and its Python, are forks of a server that has imported what they need."""
    folder = Path(tempfile.mkdtemp(prefix="docs"))  # short, as the name of a socket has to be
    command = [sys.executable, str(Path(__file__).with_name("warm_docs.py")), str(folder)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None and server.stdout.readline(), "the server of tools did not start"
        yield folder / "bin"
        server.communicate("")


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
    """An MLIR context, active during the test."""
    with reused_context() as made:
        yield made


@pytest.fixture
def registry() -> Registry:
    return Registry()
