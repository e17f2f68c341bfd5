"""Broken designs: each is caught, with the kind, the tile, the channel, the lock and the line that its file says.

The second line of a file is `// EXPECT key=value ...`; alternatives are separated by `|`. `says` takes the rest of the line:
text that the message or a note must hold. A comment `// HERE` marks the line that the finding must point at.
"""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from allo_air.sim.report_types import SimulationError
from allo_air.sim.simulate import load, simulate
from allo_air.target.sequences import choose_sequence

BROKEN = Path(__file__).parent / "broken"
FILES = sorted(BROKEN.glob("*.mlir"))
MAX_CYCLES = 2_000_000


def arrays_of(path: Path) -> list[np.ndarray]:
    """Random host arrays for the sequence of a file."""
    module = load(path)
    _, sequence = choose_sequence(module, None, None)
    rng = np.random.default_rng(3)
    with module.context:
        types = [a.type for a in sequence.body.blocks[0].arguments]
    widths = {"i8": np.int8, "i16": np.int16, "i32": np.int32}
    return [rng.integers(-9, 9, t.shape).astype(widths[str(t.element_type)]) for t in types]


def expectation(path: Path) -> dict[str, str]:
    [head] = re.findall(r"^// EXPECT (.*)$", path.read_text(), re.MULTILINE)
    head, _, says = head.partition(" says=")
    return dict(item.split("=") for item in head.split()) | {"says": says}


def one_of(found: Any, wanted: str) -> bool:
    return str(found).replace(" ", "") in wanted.split("|")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
@pytest.mark.parametrize("strict", [True, False])
def test_broken(path: Path, strict: bool) -> None:
    wanted = expectation(path)
    if strict:
        with pytest.raises(SimulationError) as error:
            simulate(path, *arrays_of(path), max_cycles=MAX_CYCLES)
        report = error.value.report
        assert str(error.value).startswith(f"{report.verdict}\ncure: ")
        assert all(str(finding) in str(error.value) for finding in report.findings)
    else:
        report = simulate(path, *arrays_of(path), max_cycles=MAX_CYCLES, strict=False)
    assert not report.ok
    first = report.findings[0]
    assert one_of(first.kind, wanted["kind"]), str(first)
    assert one_of(first.tile, wanted.get("tile", str(first.tile).replace(" ", ""))), str(first)
    assert one_of(first.unit, wanted.get("unit", first.unit)), str(first)
    assert one_of(first.lock, wanted.get("lock", first.lock)), str(first)
    assert one_of(first.channel.replace(" ", ":"), wanted.get("channel", first.channel.replace(" ", ":"))), str(first)
    assert any(text in first.message for text in wanted["says"].split("|")), str(first)
    assert first.diagnostic.file == str(path) and first.line, str(first)
    marked = [i for i, line in enumerate(path.read_text().split("\n"), 1) if "// HERE" in line]
    assert first.line in (marked or [first.line]), str(first)


def test_there_are_enough() -> None:
    assert len(FILES) >= 20
