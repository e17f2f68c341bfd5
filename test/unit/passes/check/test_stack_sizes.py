"""Frames of functions, read from objects that llc has written (-stack-size-section), and held against a core's stack."""

from pathlib import Path

import pytest

from allo_air import asm
from allo_air.mlir import ir, new_context
from allo_air.passes._analysis.findings import Findings
from allo_air.passes.check._frames import check_frames
from allo_air.passes.check._stack_sizes import stack_sizes
from allo_air.passes.check._tiles import devices

OBJECTS = Path(__file__).parents[3] / "data" / "objects"

CALLS = """
aie.device(npu1) {
  func.func private @big(%n : i32) -> i32 attributes {link_with = "OBJECT"}
  %t = aie.tile(0, 2)
  %c = aie.core(%t) {
    %x = arith.constant 1 : i32
    %y = func.call @big(%x) : (i32) -> i32
    aie.end
  } {stack_size = SIZE : i32}
}
"""


@pytest.mark.parametrize(("name", "big"), [("frames32.o", 812), ("frames64.o", 808)])
def test_frames_are_read_from_objects(name: str, big: int) -> None:
    assert stack_sizes(OBJECTS / name) == {"big": big, "small": 0}


def test_other_files_tell_nothing(tmp_path: Path) -> None:
    cut = tmp_path / "cut.o"
    cut.write_bytes((OBJECTS / "frames32.o").read_bytes()[:200])
    text = tmp_path / "text.o"
    text.write_text("allo_air object file 1\n[]\n")
    assert stack_sizes(cut) == stack_sizes(text) == {}


@pytest.mark.parametrize(("size", "found"), [(800, True), (812, False)])
def test_a_linked_function_counts_against_the_stack(size: int, found: bool) -> None:
    text = CALLS.replace("OBJECT", str(OBJECTS / "frames32.o")).replace("SIZE", str(size))
    with new_context(), ir.Location.unknown():
        findings = Findings()
        module = asm.read(text, "t.mlir")
        for use in devices(module.operation):
            check_frames(use, findings)
    told = [d.message for d in findings.every]
    assert bool(told) is found
    assert all("frames of 812 bytes exceed its stack of 800" in m for m in told)
