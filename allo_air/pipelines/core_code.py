"""The stages for the cores' code: operations on L1 are rewritten in forms that mlir-aie's tool chain supports on the device."""

from allo_air.core.named import Stage
from allo_air.core.options import option
from allo_air.passes.kernel.approximate_math import ApproximateMath
from allo_air.passes.kernel.block_contractions import BlockContractions
from allo_air.passes.kernel.emulate_contractions import EmulateContractions
from allo_air.passes.kernel.legalize_arithmetic import LegalizeArithmetic
from allo_air.passes.kernel.legalize_contractions import LegalizeContractions
from allo_air.passes.kernel.pack_contractions import PackContractions
from allo_air.passes.kernel.signed_contractions import SignedContractions
from allo_air.passes.kernel.unroll_transfers import UnrollTransfers
from allo_air.passes.kernel.vectorize_contractions import VectorizeContractions
from allo_air.passes.kernel.vectorize_generics import VectorizeGenerics
from allo_air.pipelines.air_bind import CLEANUP

CONTRACTIONS = (
    PackContractions(device=option("device")),
    VectorizeContractions(device=option("device")),
    EmulateContractions(device=option("device")),
)
"""Matrix multiplications and convolutions become loops over micro-tiles, with one MAC instruction for each pair of
micro-tiles.
"""

ACCUMULATORS = (
    LegalizeContractions(device=option("device")),
    BlockContractions(device=option("device")),
    SignedContractions(device=option("device")),
)
"""Uses as many accumulators at once as there are registers, and preserves the signs of integers where mlir-aie would lose
them.
"""

CORE_CODE = Stage(
    "kernel",
    "channel",
    (
        *CONTRACTIONS,
        "func.func(linalg-generalize-named-ops)",
        "lower-gather-to-copies",
        VectorizeGenerics(device=option("device")),
        *CLEANUP,
        *ACCUMULATORS,
        "func.func(convert-linalg-to-loops)",
        ApproximateMath(),
        UnrollTransfers(),
        *CLEANUP,
        LegalizeArithmetic(device=option("device")),
        "loop-invariant-code-motion",
    ),
)
"""Any linalg operation on memrefs in L1 becomes vector code if the device has such vectors, and scalar code otherwise."""
