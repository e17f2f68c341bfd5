"""Types by short names: `T.i32()`, `T.memref(64, 64, T.bf16())`, `T.vector(16, T.f32())`."""

from allo_air.air.extras.types import *  # noqa: F403
from allo_air.air.extras.types import function, memref, tensor, vector  # noqa: F401
