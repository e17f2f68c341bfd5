"""The hand-written directives of the notation by name."""

from __future__ import annotations

from typing import Any

from allo_air.asm._directives_aie import AIE_DIRECTIVES
from allo_air.asm._directives_air import AffineIf, AffineYield, Hierarchy
from allo_air.asm._directives_airrt import AirrtDma, Results
from allo_air.asm._directives_lists import Access, Async, Deps, ListOf
from allo_air.asm._directives_transform import Functional, TileSizes

DIRECTIVES: dict[str, Any] = {
    "async": Async,
    "deps": Deps,
    "list": ListOf,
    "access": Access,
    "hierarchy": Hierarchy,
    "results": Results,
    "affine_if": AffineIf,
    "affine_yield": AffineYield,
    "airrt_dma": AirrtDma,
    "functional": Functional,
    "tile_sizes": TileSizes,
    **AIE_DIRECTIVES,
}
