from typing import Any

from torch_mlir.dialects import _arith_ops_gen as gen
from torch_mlir.ir import Attribute, InsertionPoint, Location, OpResult, Type

class ConstantOp(gen.ConstantOp):
    def __init__(
        self,
        result: Type,
        value: int | float | Attribute,
        *,
        loc: Location | None = None,
        ip: InsertionPoint | None = None,
    ) -> None: ...
    @property
    def type(self) -> Any: ...
    @property
    def value(self) -> Any: ...
    @property
    def literal_value(self) -> int | float: ...

def constant(
    result: Type, value: int | float | Attribute, *, loc: Location | None = None, ip: InsertionPoint | None = None
) -> OpResult: ...

from torch_mlir.dialects._arith_enum_gen import *  # after what stands here instead
from torch_mlir.dialects._arith_ops_gen import *
