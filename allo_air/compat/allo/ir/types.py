"""The element types of kernels, under the names that Allo's programs import."""

from allo_air.frontend.types import (
    ConstExpr,
    Fixed,
    Float,
    Index,
    Int,
    ScalarType,
    Stateful,
    Stream,
    Struct,
    UFixed,
    UInt,
    bfloat16,
    float16,
    float32,
    float64,
    index,
)

AlloType = ScalarType
stateful = Stateful

int1, int2, int3, int4, int5, int6, int7, int8 = (Int(bits) for bits in range(1, 9))
int9, int10, int11, int12, int13, int14, int15, int16 = (Int(bits) for bits in range(9, 17))
int32, int64, int128, int256, int512 = Int(32), Int(64), Int(128), Int(256), Int(512)
uint1, uint2, uint3, uint4, uint5, uint6, uint7, uint8 = (UInt(bits) for bits in range(1, 9))
uint9, uint10, uint11, uint12, uint13, uint14, uint15, uint16 = (UInt(bits) for bits in range(9, 17))
uint32, uint64, uint128, uint256, uint512 = UInt(32), UInt(64), UInt(128), UInt(256), UInt(512)
bool = uint1

__all__ = [
    "AlloType",
    "ConstExpr",
    "Fixed",
    "Float",
    "Index",
    "Int",
    "Stateful",
    "Stream",
    "Struct",
    "UFixed",
    "UInt",
    "bfloat16",
    "bool",
    "float16",
    "float32",
    "float64",
    "index",
    "stateful",
    *(f"{kind}{bits}" for kind in ("int", "uint") for bits in (*range(1, 17), 32, 64, 128, 256, 512)),
]
