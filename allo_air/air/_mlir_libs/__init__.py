"""The compiled modules of the bindings, under the names that programs import."""

import sys

from allo_air import mlir
from allo_air.air._mlir_libs import _air

sys.modules[f"{__name__}._mlir"] = _mlir = mlir.cext
sys.modules[f"{__name__}._mlir.ir"] = mlir.ir
sys.modules[f"{__name__}._airMlir"] = sys.modules[f"{__name__}._air"] = _air
