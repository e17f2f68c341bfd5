"""Types of block floating point in texts."""

import pytest

from allo_air import asm
from allo_air.asm.blocks import as_blocks, as_vectors
from allo_air.mlir import ir

BLOCK, HELD = '!aiex.bfp<"v8bfp16ebs8">', "vector<1x9xui8>"


@pytest.mark.parametrize("around", ['"a {} b"', r'"a \" {} \\\\"'])
def test_strings_stay_as_they_are(around: str) -> None:
    text = around.format(HELD) + f" : memref<4x{HELD}>"
    assert as_blocks(text) == around.format(HELD) + f" : memref<4x{BLOCK}>"
    name = "!aiex.bfp<v8bfp16ebs8>"
    text = around.format(name) + f" : memref<4x{BLOCK}>"
    assert as_vectors(text).replace(" ", "") == (around.format(name) + f" : memref<4x{HELD}>").replace(" ", "")


def test_a_quote_in_a_comment_begins_no_string() -> None:
    assert HELD in as_vectors(f'// 4" of \n%a: {BLOCK}')


def test_an_attribute_may_name_the_held_type(context: ir.Context) -> None:
    text = f'func.func private @f(memref<4x{BLOCK}>) attributes {{note = "a {HELD} b", other = "a \\22 {HELD}"}}'
    printed = str(asm.write(asm.read(text)))
    assert f'note = "a {HELD} b"' in printed and f"memref<4x{BLOCK}>" in printed
    assert asm.write(asm.read(printed)) == printed
