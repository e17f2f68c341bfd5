from collections.abc import Sequence
from typing import Any

from torch_mlir.dialects import _affine_ops_gen as gen
from torch_mlir.ir import AffineMap, Block, BlockArgument, InsertionPoint, Location, Operation, OpView, Value

AnyOp = Operation | OpView

class AffineForOp(gen.AffineForOp):
    def __init__(
        self,
        lower_bound: int | AffineMap | Value | AnyOp,
        upper_bound: int | AffineMap | Value | AnyOp | None,
        step: Any = None,
        iter_args: AnyOp | Sequence[Value] | None = None,
        *,
        lower_bound_operands: Sequence[Value] | None = None,
        upper_bound_operands: Sequence[Value] | None = None,
        loc: Location | None = None,
        ip: InsertionPoint | None = None,
    ) -> None: ...
    @property
    def body(self) -> Block: ...
    @property
    def induction_variable(self) -> BlockArgument: ...
    @property
    def inner_iter_args(self) -> Sequence[BlockArgument]: ...

class AffineIfOp(gen.AffineIfOp):
    @property
    def then_block(self) -> Block: ...
    @property
    def else_block(self) -> Block | Any: ...

from torch_mlir.dialects._affine_ops_gen import *  # after what stands here instead
