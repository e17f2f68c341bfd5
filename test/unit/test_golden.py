"""The golden corpus: a tree equals itself, and what differs is named."""

import importlib.util
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
ONLY = ["torch/relu", "gemm-i8/32x48x40", "aie/passthrough_kernel", "region/gemm 64 i16"]


@pytest.fixture(scope="module")
def golden() -> Any:
    spec = importlib.util.spec_from_file_location("golden", ROOT / "bench/golden.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    path = list(sys.path)
    sys.modules["golden"] = module
    spec.loader.exec_module(module)
    yield module
    sys.path[:] = path
    del sys.modules["golden"]


def rows(golden: Any) -> dict[str, dict[str, Any]]:
    keys = [(n, d) for n, d, _ in golden.programs() if n in ONLY and (d == "npu1" or n == "torch/relu")]
    return {f"{n} {d}": golden.asdict(golden.measured(n, d)) for n, d in keys}


def test_a_tree_equals_itself(golden: Any) -> None:
    first, second = rows(golden), rows(golden)
    assert len(first) == len(ONLY)
    assert all(r["text"] and r["words"] and r["cycles"] for r in first.values())
    assert golden.differences(first, second, None) == []
    assert golden.differences(first, second, 0.0) == []


def test_what_differs_is_named(golden: Any) -> None:
    row = {"text": "a", "words": "b", "refused": "", "passes": 3, "cycles": 1000, "seconds": 1.0}
    before = {"p npu1": row, "q npu1": row, "gone npu1": row}
    after = {"p npu1": row, "q npu1": row | {"text": "c", "cycles": 1009}, "new npu1": row}
    assert golden.differences(before, after, None) == ["q npu1: text a -> c, cycles 1000 -> 1009"]
    assert golden.differences(before, after, 1.0) == []
    assert golden.differences(before, {"q npu1": row | {"cycles": 1011}}, 1.0) == ["q npu1: cycles 1000 -> 1011"]
    assert golden.differences(before, {"q npu1": row | {"refused": "x"}}, 1.0) == ["q npu1: refused"]


def test_the_corpus_is_as_large_as_it_says(golden: Any) -> None:
    keys = [(n, d) for n, d, _ in golden.programs()]
    assert len(set(keys)) == len(keys) > 350
    quick = keys[:: golden.QUICK]
    assert {d for _, d in quick} == {"npu1", "npu2"}
    assert {"torch", "operator", "air", "aie"} <= {n.split("/")[0] for n, _ in quick}
