from collections.abc import Callable, Sequence
from typing import Any

from torch_mlir.dialects import _func_ops_gen as gen
from torch_mlir.ir import Block, FlatSymbolRefAttr, FunctionType, InsertionPoint, Location, Type, Value

class FuncOp(gen.FuncOp):
    def __init__(
        self,
        name: str,
        type: FunctionType | tuple[Sequence[Type], Sequence[Type]],
        *,
        visibility: str | None = None,
        body_builder: Callable[[FuncOp], object] | None = None,
        loc: Location | None = None,
        ip: InsertionPoint | None = None,
    ) -> None: ...
    @property
    def is_external(self) -> bool: ...
    @property
    def type(self) -> FunctionType: ...
    @property
    def visibility(self) -> Any: ...
    @property
    def name(self) -> Any: ...  # a StringAttr, where other operations have their own name
    @property
    def entry_block(self) -> Block: ...
    def add_entry_block(self, arg_locs: Sequence[Location] | None = None) -> Block: ...
    @property
    def arguments(self) -> Sequence[Value]: ...
    arg_attrs: Any
    result_attrs: Any

class CallOp(gen.CallOp):
    def __init__(
        self,
        calleeOrResults: FuncOp | Sequence[Type],
        argumentsOrCallee: Sequence[Value] | FlatSymbolRefAttr | str,
        arguments: Sequence[Value] | None = None,
        *,
        loc: Location | None = None,
        ip: InsertionPoint | None = None,
    ) -> None: ...

from torch_mlir.dialects._func_ops_gen import *  # after what stands here instead
