"""The cores' code: what computes in L1, in the forms that mlir-aie's tool chain takes on the device."""

from allo_air.core.named import Stage
from allo_air.passes.kernel.approximate_math import ApproximateMath
from allo_air.passes.kernel.scalar_forms import ScalarForms
from allo_air.pipelines.air_bind import CLEANUP

CORE_CODE = Stage(
    "kernel",
    "channel",
    ("func.func(convert-linalg-to-loops)", ApproximateMath(), ScalarForms(), *CLEANUP),
)
"""Any linalg operation on memrefs in L1."""
