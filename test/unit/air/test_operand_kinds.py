"""Operands of the wrong kind are told by the name of the argument; what is not made says what to use."""

from typing import Any

import pytest

from allo_air.air.backend.txn_builder import TxnBuilder
from allo_air.air.dialects import air
from allo_air.errors import AlloAirError
from allo_air.mlir import arith, ir


@pytest.mark.parametrize(
    ("build", "said"),
    [
        (lambda m, c: air.dma_memcpy_nd(c, m), r"^dst is a value of type i32, expected a memref$"),
        (lambda m, c: air.dma_memcpy_nd(m, 3), r"^src is a value of type index, expected a memref$"),
        (lambda m, c: air.ChannelPut("c", c), r"^memref is a value of type i32, expected a memref$"),
        (
            lambda m, c: air.dma_memcpy_nd(m, m, src_offsets=[0, c]),
            r"^src_offsets\[1\] is a value of type i32, .* makes an index$",
        ),
        (lambda m, c: air.ChannelGet("c", m, indices=[m]), r"^indices\[0\] is a value of type memref<4xi32>, .* an integer$"),
        (lambda m, c: air.herd(sizes=[1, c])(print), r"^sizes\[1\] is a value of type i32, expected an index"),
    ],
)
def test_operands_of_the_wrong_kind(build: Any, said: str) -> None:
    @air.module_builder
    def module() -> None:
        i32 = ir.IntegerType.get_signless(32)
        build(air.AllocOp(ir.MemRefType.get([4], i32), [], []), arith.ConstantOp(i32, 3))

    with pytest.raises(AlloAirError, match=said):
        module()


def test_the_builder_of_words_says_what_to_use() -> None:
    with pytest.raises(AlloAirError, match=r"compiles 'kv.h'.*pass the scalars as arguments"):
        TxnBuilder("kv.h")
