"""Resources end a text, and are not a part of what is read word by word."""

import pytest

from allo_air import asm
from allo_air.asm.text import resources_at, without_numbers
from allo_air.errors import DiagnosticError
from allo_air.mlir import new_context

OPS = """module {
  func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
    %w = arith.constant dense_resource<w> : tensor<4xf32>
    %0 = air.wait_all async
    return %w : tensor<4xf32>
  }
}
"""
RESOURCES = """
{-#
  dialect_resources: { builtin: { w: "0x040000000000803F000000400000404000008040" } }
#-}
"""


@pytest.mark.parametrize("behind", ["", "// the end\n", "module {}\n"])
def test_where_they_begin(behind: str) -> None:
    text = OPS + RESOURCES + behind
    assert resources_at(text) == (len(text) if behind else text.index("\n{-#"))
    assert without_numbers(text) == (text.replace('"0x040000000000803F000000400000404000008040"', '""') if behind else OPS)
    assert resources_at(OPS) == len(OPS)


def test_text_with_resources_is_read_and_wrong_places_are_told() -> None:
    with new_context():
        assert "air.wait_all async" in asm.write(asm.read(OPS + RESOURCES))
        with pytest.raises(DiagnosticError, match=r"f\.mlir:4:5"):
            asm.read(OPS.replace("wait_all async", "wait_all asynk") + RESOURCES, "f.mlir")
