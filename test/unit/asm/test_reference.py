"""Every reference file reads, prints, and reads back the same from each form."""

from pathlib import Path

import pytest

from allo_air import asm
from allo_air.core.contexts import reused_context
from helpers import REFERENCE, TEST

FILES = sorted([*REFERENCE.glob("*/*.mlir"), *TEST.glob("data/known-answers/*.mlir")])


def test_there_are_files() -> None:
    assert len(FILES) > 30


@pytest.mark.parametrize(
    "file",
    [
        pytest.param(f, marks=[pytest.mark.slow] if number % 6 else [], id=f"{f.parent.name}/{f.stem}")
        for number, f in enumerate(FILES)
    ],
)
def test_round_trip(file: Path) -> None:
    with reused_context():
        module = asm.read(file.read_text(), str(file))
        custom = asm.write(module)
        forms = [custom, asm.write(module, generic=True), asm.write(module, debug_info=True)]
    for form in forms:
        with reused_context():
            assert asm.write(asm.read(form, "printed")) == custom
