"""Faults planted into designs that are right: each is named by kind, at a line that leads to it, with the hint that fits."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import allo_air

DESIGNS = Path(__file__).parent / "designs"
RNG = np.random.default_rng(9)


def ints(*shape: int) -> Any:
    return RNG.integers(-999, 999, shape).astype(np.int32)


def cases() -> dict[str, Any]:
    """By design: the host's arrays, and what the design writes by argument."""
    a, b, square, wide, matrix = ints(1024), ints(64), ints(64, 32), ints(16, 24), ints(32, 32)
    rows = np.array([2, 3, 4, 5], np.int32)[:, None]
    return {
        "passthrough_dmas": ([a, 0 * a], {1: a}),
        "split_join": ([a[:256], 0 * a[:256]], {1: (a[:256].reshape(4, 4, 16) * rows).reshape(-1)}),
        "cascade": ([a[:64], b, 0 * b], {2: a[:64] * a[:64] + b}),
        "packet_merge": ([b, 0 * b], {1: -b}),
        "transpose": ([wide, 0 * wide.T.copy(), 0 * wide.T.copy()], {1: wide.T, 2: wide.T}),
        "tasks": ([a[:512], 0 * a[:512]], {1: np.roll(a[:512], 256)}),
        "rtp": ([a[:16], 0 * a[:16]], {1: a[:16] * 50 + 7}),
        "matmul_i32": ([square, matrix, 0 * square], {2: square @ matrix}),
        "add_one": ([b, 0 * b[:32], 0 * b], {2: b + 1}),
    }


CASES = cases()


@dataclass(frozen=True)
class Fault:
    """In `design`, `old` becomes `new`; then the first finding is of `kind`, at a line with `at`, and says all of `says`."""

    design: str
    old: str
    new: str
    kind: str
    at: str
    says: tuple[str, ...]


def read(text: str) -> Fault:
    """The fault of a block of planted.txt."""
    lines = text.strip("\n").split("\n")[1:]
    entries = [line.partition(" ")[::2] for line in lines if line[0] not in "-+"]
    old, new = ("\n".join(line[1:] for line in lines if line[0] == sign) for sign in "-+")
    one = dict(entries)
    says = tuple(value for key, value in entries if key == "says")
    return Fault(one["design"], old if new else old + "\n", new, one["kind"], one["at"], says)


BLOCKS = re.split(r"^# ", (DESIGNS.parent / "planted.txt").read_text(), flags=re.MULTILINE)[1:]
FAULTS = {block.split("\n", 1)[0]: read(block) for block in BLOCKS}


@pytest.mark.parametrize("name", FAULTS)
def test_planted(name: str) -> None:
    fault = FAULTS[name]
    text = (DESIGNS / f"{fault.design}.mlir").read_text()
    assert fault.old in text
    broken = text.replace(fault.old, fault.new, 1)
    arrays, expect = CASES[fault.design]
    report = allo_air.simulate(broken, *[a.copy() for a in arrays], expect=expect, strict=False, max_cycles=2_000_000)
    assert report.findings
    first = report.findings[0]
    assert first.kind == fault.kind, str(first)
    line = broken.split("\n")[first.line - 1] if first.line else ""
    assert any(part in line for part in fault.at.split("|")), str(first)
    number = str(text[: text.index(fault.old)].count("\n") + 1)
    for part in fault.says:
        assert part.replace("{old}", number) in first.message, str(first)
    assert not re.search(r"\b1 (times|tasks|words|BDs)\b", first.message), str(first)


def test_there_are_enough() -> None:
    assert len(FAULTS) >= 40
