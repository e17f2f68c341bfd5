"""Each operation that is declared has a round-trip test, in both forms."""

import re

import pytest

from allo_air import dialects
from allo_air.dialects._op import OPS
from helpers import LIT

NOT_SHOWN = {"aie.dma_region", "air.affine_if", "air.affine_yield"}  # what the text shows otherwise
NOT_SHOWN |= {"transform.air.hand_in", "transform.air.hand_out"}  # what only the interpreter makes
GENERIC_ONLY = {"airrt.memcpy_nd"}
for _name in dialects.NAMES:
    dialects.declared(f"{_name}.x")
TEXT = "\n".join(file.read_text() for file in LIT.glob("dialects/*/*.mlir"))
IMPLICIT = {"aie.end", "air.execute_terminator"}


@pytest.mark.parametrize("name", sorted(set(OPS) - NOT_SHOWN))
def test_has_a_round_trip(name: str) -> None:
    op = OPS[name].DECL
    word = re.escape(name)
    assert re.search(rf'// GENERIC: .*"{word}"', TEXT), f"{name} is missing in the generic form"
    if name not in GENERIC_ONLY and not ("terminator" in op.traits and name.endswith("_terminator")):
        assert re.search(rf"// CHECK: .*\b{word}(?![\w.])", TEXT), f"{name} is missing in the custom form"
