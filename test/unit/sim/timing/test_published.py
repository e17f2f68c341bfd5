"""The model beside published measurements: predictions hold, and what constants were taken from comes out again."""

import inspect
import re
from statistics import median
from types import ModuleType

import pytest

from allo_air.arch import timing

_SOURCE = re.compile(r"# .*(T:|S:|S \d+\b|sources\.md|JEDEC|of this model|0: one by one)")


GROUPS = [
    "golden",
    "rates",
    "streams",
    "shim",
    "control",
    "core GEMM",
    "bandwidth",
    "scalar code",
    "vector loops",
]


@pytest.mark.parametrize("group", GROUPS)
def test_rows_are_met(published: ModuleType, group: str) -> None:
    rows = [row for row in published.ROWS if row.group == group and not row.slow]
    assert rows
    for row, predicted, ratio in published.table(rows):
        if row.kind != "context":
            assert 1 / 1.12 < ratio < 1.12, (row.name, row.published, predicted)


REGISTRY = {"add": 0.12, "gelu": 0.06, "RMS norm": 0.2, "GEMV": 0.3}
"""Medians that the model keeps to, by family; `make published` has the products, which take longer."""


@pytest.mark.parametrize("family", REGISTRY)
def test_families_of_the_registry(published: ModuleType, family: str) -> None:
    rows = [row for row in published.ROWS if row.group == f"registry: {family}"][:4]
    assert median(abs(ratio - 1) for *_, ratio in published.table(rows)) < REGISTRY[family]


def test_orders_of_sweeps_and_methods_are_told(published: ModuleType) -> None:
    def found(sweep: str, problem: str, pairs: list[tuple[float, float]]) -> list[tuple[object, float, float]]:
        make = published.registry.Row
        rows = [make("", "", a, "us", "prediction", "", float, sweeps=(sweep,), problem=problem) for a, _ in pairs]
        return [(row, model, 1.0) for row, (_, model) in zip(rows, pairs, strict=True)]

    rows = found("width", "right", [(1, 2), (2, 3), (4, 9)]) + found("tile", "wrong", [(1, 9), (2, 3), (4, 2)])
    text = published.rankings(rows)
    assert "| width | 3 | +300% | 1.00 |" in text and "| tile | 3 | +300% | -1.00 |" in text
    assert text.endswith("Of 2 products with several methods the model names the fastest of 1, not of wrong.")
    assert published.rank_correlation([1, 1, 2], [5, 5, 7]) == pytest.approx(1)
    assert published.rank_correlation([1, 2, 3, 4], [1, 2, 4, 3]) == pytest.approx(0.8)


def test_workloads_keep_to_the_bounds_of_the_hardware(published: ModuleType) -> None:
    """Near what the architecture allows where nothing else is in the way, and never above it."""
    rows = [row for row in published.ROWS if row.kind == "limit"]
    assert len(rows) >= 20
    for row, predicted, ratio in published.table(rows):
        assert 0.84 < ratio < 1.0001, (row.name, row.published, predicted)


def test_sum_of_latencies_from_memtile_to_core(published: ModuleType) -> None:
    [row] = [row for row in published.ROWS if "13 + 21" in row.name]
    assert row.measure() == pytest.approx(row.published, rel=0.15)


def test_every_constant_names_its_source() -> None:
    fields = [line for line in inspect.getsource(timing.Timing).splitlines() if re.match(r"    \w+: float = ", line)]
    assert len(fields) == len(timing.Timing().as_dict())
    assert [line for line in fields if not _SOURCE.search(line)] == []


def test_rows_say_what_they_are(published: ModuleType) -> None:
    names = [(row.group, row.name) for row in published.ROWS]
    assert len(set(names)) == len(names)
    assert {row.kind for row in published.ROWS} == {"calibration", "informed", "prediction", "limit", "context"}
