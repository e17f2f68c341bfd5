"""What our pipelines emit does the same in every order of its transfers: the search over orders finds nothing in it."""

import sys
from pathlib import Path
from typing import Any

import pytest

import allo_air
from allo_air.program.host import arrays
from torch_modules import load, names

sys.path.append(str(Path(__file__).parents[3] / "bench"))
from operators import CASES

TORCH = sorted(names())
PRODUCTS = [
    ("bf16", (64, 64, 64), "npu1"),
    ("i8", (100, 30, 50), "npu1"),
    ("i16", (33, 65, 17), "npu2"),
    ("bf16", (256, 512, 256), "npu1"),
    ("i8", (333, 417, 190), "npu1"),
    ("f32", (50, 70, 90), "npu2"),
    ("i8", (512, 512, 512), "npu2"),
]


def nothing_found(program: Any) -> None:
    program(*arrays.random_inputs(program.arguments, 0), orders=5.0)
    codes = {f.code for f in program.report().run.findings}
    assert not {c for c in codes if c.startswith(("hang.", "race.", "queue."))}, codes


@pytest.mark.parametrize(
    ("element", "shape", "device"), [pytest.param(*p, marks=pytest.mark.slow) if n > 2 else p for n, p in enumerate(PRODUCTS)]
)
def test_products(element: str, shape: tuple[int, int, int], device: str) -> None:
    nothing_found(allo_air.compile(None, f"gemm-{element}", device=device, shape=shape, dtype=element, cache=False))


QUICK = ("softmax f32", "transpose bf16")
SHARED = pytest.mark.xfail(strict=True, reason="many readers share a lock where a memtile lacks BDs (_parts.MANY)")


def _marks(name: str, device: str) -> list[pytest.MarkDecorator]:
    slow = [] if name in QUICK and device == "npu1" else [pytest.mark.slow]
    return [*slow, SHARED] if (name, device) == ("gemv bf16", "npu1") else slow


@pytest.mark.parametrize(
    ("name", "device"), [pytest.param(n, d, marks=_marks(n, d)) for n in sorted(CASES) for d in ("npu1", "npu2")]
)
def test_operators(name: str, device: str) -> None:
    make, _, small = CASES[name]
    nothing_found(allo_air.compile(make(*small).text, "npu", device=device, cache=False))


@pytest.mark.slow
@pytest.mark.parametrize("number", range(0, len(TORCH), 6))
def test_modules_of_torch(number: int) -> None:
    nothing_found(allo_air.compile(load(TORCH[number]).text, "npu", device=("npu1", "npu2")[number // 6 % 2], cache=False))
