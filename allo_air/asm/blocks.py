"""Block floating point: `!aiex.bfp<"v8bfp16ebs8">` in the text, a vector of the block's bytes in memory.

MLIR only allows its own types as elements of memrefs and vectors. A block is therefore stored as `vector<1x9xui8>`, its 9
bytes, and a vector of 8 blocks as `vector<8x1x9xui8>`; no other values have such types.
"""

from __future__ import annotations

import re

from allo_air.asm.text import STRING, Failure

BYTES = {"v8bfp16ebs8": 9, "v16bfp16ebs16": 17}
"""Bytes of a block by the type's name: the mantissas and their exponent."""

_NAMES = {size: name for name, size in BYTES.items()}
_SKIPPED = rf"{STRING}|//[^\n]*"
"""Strings and comments, which are not changed. A block's type begins before its string, so the type is matched first."""
_BLOCK = re.compile(rf'{_SKIPPED}|(vector<\s*(?:\d+x)+)?(!aiex\.bfp<"({"|".join(BYTES)})">)')
_NAMED = re.compile(rf'{_SKIPPED}|!aiex\.bfp<"([^"\n]*)">')
_HELD = re.compile(rf"{_SKIPPED}|vector<((?:\d+x)*)1x(9|17)xui8>")


def as_vectors(text: str) -> str:
    """Returns `text` with blocks in their stored form; all later characters keep their offsets."""
    return _BLOCK.sub(_vector, text) if "!aiex.bfp" in text else text


def check_names(text: str) -> None:
    """Raises Failure for a block type that as_vectors does not know."""
    for match in _NAMED.finditer(text) if "!aiex.bfp" in text else ():
        if match[1] is not None and match[1] not in BYTES:
            raise Failure(match.start(), f'there is no !aiex.bfp<"{match[1]}">; blocks of floats are {" and ".join(BYTES)}')


def as_blocks(text: str) -> str:
    """`text` with block types instead of vectors."""
    return _HELD.sub(_block, text) if "xui8>" in text else text


def in_bytes(shape: tuple[int, ...], element: str) -> tuple[tuple[int, ...], str]:
    """The shape and element type of an array in memory: those of its bytes if the elements are blocks, otherwise its own."""
    from allo_air.arch.limits import BLOCK_BITS  # here, since tools that only read text import this file

    if element not in BLOCK_BITS:
        return shape, element
    size = BLOCK_BITS[element] // 8
    return ((*shape[:-1], shape[-1] * size) if shape else (size,)), "ui8"


def _vector(match: re.Match[str]) -> str:
    around, block, name = match.groups()
    if block is None:
        return match[0]
    storage = f"1x{BYTES[name]}xui8"
    return f"{around}{storage.ljust(len(block))}" if around else f"vector<{storage}>".ljust(len(block))


def _block(match: re.Match[str]) -> str:
    around, size = match.groups()
    if size is None:
        return match[0]
    block = f'!aiex.bfp<"{_NAMES[int(size)]}">'
    return f"vector<{around}{block}>" if around else block
