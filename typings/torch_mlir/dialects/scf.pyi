from collections.abc import Sequence
from typing import Any

from torch_mlir.dialects import _scf_ops_gen as gen
from torch_mlir.ir import Block, BlockArgument, InsertionPoint, Location, Operation, OpView, Region, Type, Value

AnyOp = Operation | OpView

class ForOp(gen.ForOp):
    def __init__(
        self,
        *bounds: Any,  # and the values carried
        iter_args: AnyOp | Sequence[Value] | None = None,
        loc: Location | None = None,
        ip: InsertionPoint | None = None,
    ) -> None: ...
    @property
    def body(self) -> Block: ...
    @property
    def induction_variable(self) -> BlockArgument: ...
    @property
    def inner_iter_args(self) -> Sequence[BlockArgument]: ...

class ForallOp(gen.ForallOp):
    def __init__(
        self,
        lower_bounds: Sequence[AnyOp | Value | int],
        upper_bounds: Sequence[AnyOp | Value | int],
        steps: Sequence[Value | int],
        shared_outs: AnyOp | Sequence[Value] | None = None,
        *,
        mapping: Any = None,
        loc: Location | None = None,
        ip: InsertionPoint | None = None,
    ) -> None: ...
    @property
    def body(self) -> Block: ...
    @property
    def rank(self) -> int: ...
    @property
    def induction_variables(self) -> Sequence[BlockArgument]: ...
    @property
    def inner_iter_args(self) -> Sequence[BlockArgument]: ...
    def terminator(self) -> InParallelOp: ...

class InParallelOp(gen.InParallelOp):
    def __init__(self, loc: Location | None = None, ip: InsertionPoint | None = None) -> None: ...
    @property
    def block(self) -> Block: ...

class IfOp(gen.IfOp):
    def __init__(
        self,
        cond: Value,
        results_: Sequence[Type] | None = None,
        *,
        has_else: bool = False,
        loc: Location | None = None,
        ip: InsertionPoint | None = None,
    ) -> None: ...
    @property
    def then_block(self) -> Block: ...
    @property
    def else_block(self) -> Block | Any: ...

class ParallelOp(gen.ParallelOp):
    def __init__(
        self, results_: Sequence[Type], *bounds: Any, loc: Location | None = None, ip: InsertionPoint | None = None
    ) -> None: ...

class IndexSwitchOp(gen.IndexSwitchOp):
    @property
    def default_region(self) -> Region: ...
    @property
    def default_block(self) -> Block: ...
    @property
    def case_regions(self) -> Sequence[Region]: ...
    @property
    def case_blocks(self) -> Sequence[Block]: ...

from torch_mlir.dialects._scf_ops_gen import *  # after what stands here instead
