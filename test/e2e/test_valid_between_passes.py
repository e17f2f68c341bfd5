"""Every pass leaves valid IR. Named pipelines verify at the ends of levels only, so a later pass can hide what an earlier one
broke. These programs are verified after each pass.
"""

import importlib.util
import sys
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import allo_air

QUICK = {
    "torch/softmax", "torch/conv2d_pad", "torch/bmm", "torch/argmax_rows", "gemm-bf16/100x30x50", "gemm-i8/32x48x40",
    "operator/rms norm bf16", "air/odd_tiles", "air/two_launches", "objectfifo/repeat_pad",
}  # fmt: skip
"""Programs of all rooms of passes; the others are slow."""
EVERY = 5
"""One of so many of the others."""


def load_corpus() -> tuple[Any, list[tuple[str, str, Any]]]:
    """The module of the golden corpus, and its programs, which it imports from beside it."""
    spec = importlib.util.spec_from_file_location("golden", Path(__file__).parents[2] / "bench/golden.py")
    assert spec is not None and spec.loader is not None
    module, path = importlib.util.module_from_spec(spec), list(sys.path)
    sys.modules["golden"] = module
    spec.loader.exec_module(module)
    programs = list(module.programs())
    sys.path[:] = path
    del sys.modules["golden"]
    return module, programs


CORPUS, PROGRAMS = load_corpus()
OTHERS = [p for p in PROGRAMS if p[0] not in QUICK and not p[0].startswith(("region/", "model/"))][::EVERY]
CASES = [
    pytest.param(device, make, id=f"{name} {device}", marks=() if name in QUICK else (pytest.mark.slow,))
    for name, device, make in PROGRAMS
    if name in QUICK or (name, device, make) in OTHERS
]


@pytest.mark.parametrize(("device", "make"), CASES)
def test_every_pass_leaves_valid_ir(device: str, make: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = partial(allo_air.compile, cache=False, verify_each=True)
    monkeypatch.setattr(CORPUS, "compiled", lambda source, device, _, **given: compiled(source, device=device, **given))
    try:
        assert make(device, None).text()
    except allo_air.AlloAirError as error:
        assert "does not verify" not in str(error) and "has a bug" not in str(error)
