"""The PyTorch modules of test/data/torch: their text, inputs, float64 answers, and how far a result may be from these."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np

FOLDER = Path(__file__).parent / "data" / "torch"
DTYPES = {"float32": np.float32, "bfloat16": ml_dtypes.bfloat16, "int8": np.int8, "int32": np.int32, "int64": np.int64}
UNIT = {"float32": 2.0**-24, "bfloat16": 2.0**-8}
APPROXIMATION = 2.0**-17
"""What functions such as exp may be off by on the cores, relative to their result (docs of approximate-math)."""
SAFETY = 4
"""Reactions are the worst of six draws of signs for each rounding; the worst of all signs is within a small factor of it."""


def draw(spec: dict[str, Any]) -> Any:
    """The numbers of an input or weight: odd multiples of a power of two, so that they are exact in bf16, too."""
    state, shape = np.random.RandomState(spec["seed"]), tuple(spec["shape"])
    dtype = DTYPES[spec["dtype"]]
    if "int" in spec["dtype"]:
        low, high = (-128, 128) if spec["low"] is None else (spec["low"], spec["high"])
        return np.asarray(state.randint(low, high, shape)).astype(dtype)
    if "kind" in spec:
        unit = (state.randint(-64, 64, shape) + 0.5) / 64
        values = {"weight": unit * spec["scale"], "near_one": 1 + unit / 2, "variance": 1 + unit / 2}[spec["kind"]]
        return np.asarray(values).astype(dtype)
    steps = 128 if spec["dtype"] == "bfloat16" else 2**16
    low, high = (-2, 2) if spec["low"] is None else (spec["low"], spec["high"])
    return np.asarray((state.randint(0, 2 * steps, shape) + 0.5) / (2 * steps) * (high - low) + low).astype(dtype)


@dataclass(frozen=True)
class TorchModule:
    """A module that torch-mlir's importer made; `main` is its function."""

    name: str

    def __str__(self) -> str:
        return self.name

    @cached_property
    def _parts(self) -> tuple[dict[str, Any], str]:
        head, _, body = (FOLDER / f"{self.name}.mlir").read_text().partition("\n")
        return json.loads(head.removeprefix("// ")), body

    @property
    def text(self) -> str:
        """The module with the data of its weights."""
        head, body = self._parts
        data = {k: _blob(draw(w)) for k, w in head["weights"].items()} | head["data"]
        if not data:
            return body
        resources = ",\n".join(f'      {k}: "0x{v}"' for k, v in data.items())
        return f"{body}\n{{-#\n  dialect_resources: {{\n    builtin: {{\n{resources}\n    }}\n  }}\n#-}}\n"

    @property
    def inputs(self) -> list[Any]:
        """Arrays for the arguments of `main`."""
        return [draw(s) for s in self._parts[0]["inputs"]]

    @property
    def expected(self) -> list[Any]:
        """The answers of torch: in float64, kept as float32; integers and bits as they are."""
        count = len(self._parts[0]["reactions"])
        return [_ANSWERS[f"{self.name}.{n}"] for n in range(count)]

    def tolerance(self, approximation: float = 0.0) -> list[float]:
        """For each result how far an element may be from the answer.

        Every operation may round once to the type (bf16 if the module has any), sums in any order, in f32 but where the module
        says bf16; functions such as exp may be off by `approximation`, relative to their result, in addition.
        """
        head, _ = self._parts
        low = any(s["dtype"] == "bfloat16" for s in [*head["inputs"], *head["weights"].values()])
        unit = UNIT["bfloat16" if low else "float32"]
        return [
            SAFETY * (r["round"] * unit + r["sum"] * UNIT[head["sums"]] + r["approximate"] * approximation)
            + float(np.abs(e.astype(np.float64)).max(initial=0)) * UNIT["float32"]
            if e.dtype == np.float32
            else 0.0
            for r, e in zip(head["reactions"], self.expected, strict=True)
        ]

    def check(self, results: Iterable[Any], approximation: float = 0.0) -> None:
        """Holds what a run gave against the answers; an AssertionError tells the first element that is off."""
        found = [np.asarray(r) for r in results]
        assert len(found) == len(self.expected), f"{self.name}: {len(found)} results, expected {len(self.expected)}"
        for n, (got, want, most) in enumerate(zip(found, self.expected, self.tolerance(approximation), strict=True)):
            assert got.shape == want.shape, f"{self.name}: result {n} has shape {got.shape}, expected {want.shape}"
            got, want = got.astype(np.float64), want.astype(np.float64)
            off = ~((np.abs(got - want) <= most) | (got == want) | (np.isnan(got) & np.isnan(want)))
            if off.any():
                at = tuple(int(i) for i in np.argwhere(off)[0])
                raise AssertionError(
                    f"{self.name}: result {n} has {off.sum()} of {off.size} elements off by more than {most:.3g}, "
                    f"at {list(at)} {got[at]!r}, expected {want[at]!r}"
                )


def _blob(array: Any) -> str:
    """An array as the text of a resource: its alignment, then its bytes."""
    return (bytes([array.itemsize, 0, 0, 0]) + array.tobytes()).hex().upper()


class _Answers:
    @cached_property
    def store(self) -> Any:
        return np.load(FOLDER / "expected.npz")

    def __getitem__(self, key: str) -> Any:
        return self.store[key]


_ANSWERS = _Answers()


def names() -> list[str]:
    """All modules, in alphabetical order."""
    return sorted(p.stem for p in FOLDER.glob("*.mlir"))


def load(name: str) -> TorchModule:
    """The module called `name`."""
    return TorchModule(name)
