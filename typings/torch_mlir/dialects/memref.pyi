from collections.abc import Sequence
from typing import Any

from torch_mlir.ir import InsertionPoint, Location, OpResultList, Value

def extract_strided_metadata(
    source: Value, *, loc: Location | None = None, ip: InsertionPoint | None = None
) -> OpResultList: ...
def subview(
    source: Value,
    offsets: Sequence[Any],
    sizes: Sequence[Any],
    strides: Sequence[Any],
    *,
    result_type: Any = None,
    loc: Location | None = None,
    ip: InsertionPoint | None = None,
) -> Any: ...

from torch_mlir.dialects._memref_ops_gen import *  # after what stands here instead
