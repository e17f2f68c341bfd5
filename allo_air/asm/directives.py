"""The hand-written directives of the notation by name."""

from __future__ import annotations

from typing import Any

from allo_air.asm._directives_aie import AIE_DIRECTIVES
from allo_air.asm._directives_air import AffineIf, AffineYield, Hierarchy
from allo_air.asm._directives_airrt import AirrtDma, AirrtDmaLiterals, Results
from allo_air.asm._directives_lists import Access, Async, ChannelDict, Deps, ListOf, LiteralAccess
from allo_air.asm._directives_transform import Functional, TileSizes
from allo_air.asm._directives_types import Alike, SameTypes
from allo_air.asm._directives_values import BdLen, BdLists, BdOffset, I32s, Ssa

DIRECTIVES: dict[str, Any] = {
    "async": Async,
    "deps": Deps,
    "list": ListOf,
    "access": Access,
    "literal_access": LiteralAccess,
    "channel_dict": ChannelDict,
    "ssa": Ssa,
    "i32s": I32s,
    "bd_len": BdLen,
    "bd_offset": BdOffset,
    "bd_lists": BdLists,
    "hierarchy": Hierarchy,
    "results": Results,
    "affine_if": AffineIf,
    "affine_yield": AffineYield,
    "airrt_dma": AirrtDma,
    "airrt_dma_literals": AirrtDmaLiterals,
    "functional": Functional,
    "tile_sizes": TileSizes,
    "same_types": SameTypes,
    "alike": Alike,
    **AIE_DIRECTIVES,
}
