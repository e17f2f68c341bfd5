"""`launch`: a program whose body is traced when the module is built."""

from __future__ import annotations

from collections.abc import Callable
from types import TracebackType
from typing import Any

from allo_air.air import ir as air_ir
from allo_air.air.api.body import check_arity, trace_body
from allo_air.air.api.compiled import CompiledKernel, compiled
from allo_air.air.api.errors import RuntimeError, TypeError
from allo_air.air.api.grid import Grid, grid_of
from allo_air.air.api.index import Index, Leaf
from allo_air.air.api.symbol import PENDING_SYMBOLS, Symbol
from allo_air.air.api.target import target_of
from allo_air.air.api.tensor import PENDING_TENSORS, Tensor
from allo_air.air.api.trace import Frame, Trace, running
from allo_air.air.api.values import constant
from allo_air.dialects import air as _air
from allo_air.dialects import check
from allo_air.errors import AlloAirError
from allo_air.mlir import func, ir

__all__ = ["LaunchContext", "launch"]


class LaunchContext:
    """A program of the tensors and symbols declared before it; `grid` counts points, `tile_sizes` are the steps."""

    def __init__(self, grid: object, name: str, target: str | None):
        self.tensors: tuple[Tensor, ...] = tuple(PENDING_TENSORS)
        self.symbols: tuple[Symbol, ...] = tuple(PENDING_SYMBOLS)
        PENDING_TENSORS.clear()
        PENDING_SYMBOLS.clear()
        if not isinstance(name, str) or not name:
            raise TypeError(f"launch: name is {name!r}, expected the function's name")
        space = Grid((), ()) if grid is None else grid_of(grid, "launch")
        self.grid, self.tile_sizes, self.dims, self.name = space.counts, space.steps, len(space.counts), name
        self.target = target
        self.leaves = [Leaf(f"{name}[{axis}]", count) for axis, count in enumerate(self.grid)]
        self._body: Callable[..., Any] | None = None
        self._built: tuple[str, Any] | None = None
        self._opened: Frame | None = None
        self.herds: tuple[Any, ...] = ()  # tensors of the last build

    def __enter__(self) -> LaunchContext:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        return None

    def body(self, function: Callable[..., object]) -> Callable[..., Any]:
        """Registers `function`, which takes a coordinate for each axis of the grid; it runs when the launch is built."""
        if self._body is not None:
            raise RuntimeError(f"launch '{self.name}' has a body already; make another launch for another body")
        check_arity(function, self.dims, "launch")
        self._body = function
        return function

    @property
    def search_space(self) -> dict[str, int]:
        """The value of each symbol by its name."""
        return {s.name or f"symbol_{i}": s.value for i, s in enumerate(self.symbols)}

    @property
    def inputs(self) -> tuple[Tensor, ...]:
        """The tensors that are not written."""
        self.build(self._built[0] if self._built else None)
        return tuple(t for t in self.tensors if not t.is_output)

    @property
    def outputs(self) -> tuple[Tensor, ...]:
        """The tensors that are written."""
        self.build(self._built[0] if self._built else None)
        return tuple(t for t in self.tensors if t.is_output)

    def build(self, target: str | None = None) -> Any:
        """The module, verified; the body runs once for each target."""
        device = target_of(self.target if target is None else target, "launch")
        if self._built is None or self._built[0] != device:
            self._built = device, self._traced(device)
            self.target = device
        return self._built[1]

    def mlir(self) -> str:
        """The module's text."""
        return str(self.build(self._built[0] if self._built else None))

    def compile(
        self, target: str | None = None, verbose: bool = False, output_format: str = "xclbin", **options: object
    ) -> CompiledKernel:
        """The program, which takes the inputs as arrays and returns the outputs; options are those of `XRTBackend`."""
        module = self.build(target)
        return compiled(self, module, verbose=verbose, output_format=output_format, **options)

    def open_launch(self, trace: Trace) -> None:
        """Opens the `air.launch` around a segment, unless it is open already; without a grid it is 1 x 1."""
        if self._opened is not None:
            return
        outer = trace.frame
        with trace.emit():
            sizes = [constant(n) for n in (*self.grid, 1, 1)[:2]]
            op = _air.LaunchOp.build(sizes, [outer.value(t, t.label) for t in self.tensors])
        frame = Frame("launch", self, op, op.block, outer)
        frame.values.update(zip(self.tensors, op.body_args, strict=True))
        frame.values.update(zip(self.leaves, op.ids, strict=False))
        self._opened = frame
        trace.frames.append(frame)

    def _traced(self, target: str) -> Any:
        if self._body is None:
            raise RuntimeError(f"launch '{self.name}' has no body; register one with @launch.body")
        if not self.tensors:
            raise RuntimeError(f"launch '{self.name}' has no tensors; declare them with air.tensor before the launch")
        with air_ir.Context(), ir.Location.unknown():
            trace = Trace(air_ir.Module.create(), target)
            self._opened = None
            with running(trace):
                self._trace_into(trace, self._body)
            self._set_outputs(trace)
            self.herds = tuple(trace.herds)
            _verify(trace.module)
        return trace.module

    def _trace_into(self, trace: Trace, body: Callable[..., object]) -> None:
        with ir.InsertionPoint(trace.module.body):
            kinds = [ir.MemRefType.get(list(t.shape), t.dtype.mlir()) for t in self.tensors]
            function = func.FuncOp(self.name, (kinds, []))
            block = function.add_entry_block()
            with ir.InsertionPoint(block):
                func.ReturnOp([])
        frame = Frame("function", self, function, block, None)
        frame.values.update(zip(self.tensors, block.arguments, strict=True))

        def traced() -> None:
            if self.grid:
                self.open_launch(trace)
            body(*(Index({leaf: 1}) for leaf in self.leaves))
            if self._opened is not None:
                trace.frames.remove(self._opened)

        trace_body(trace, frame, traced, ())

    def _set_outputs(self, trace: Trace) -> None:
        for each in self.tensors:
            each.is_output = each in trace.outputs
        if not trace.outputs:
            raise RuntimeError(f"launch '{self.name}' has no outputs; write to a tensor with air.ops.store or a channel's get")
        first = next(i for i, t in enumerate(self.tensors) if t.is_output)
        for late in self.tensors[first:]:
            if not late.is_output:
                raise RuntimeError(
                    f"launch '{self.name}': {self.tensors[first].label} is an output and is declared before {late.label}, an "
                    "input; declare outputs after inputs"
                )


def launch(grid: object = None, name: str = "kernel", target: str | None = None) -> LaunchContext:
    """A program named `name`, once or for each point of `grid`; it takes all tensors declared since the last launch."""
    return LaunchContext(grid, name, target)


def _verify(module: ir.OpView) -> None:
    try:
        module.operation.verify()
        check(module.operation)
    except (ir.MLIRError, AlloAirError) as error:
        raise RuntimeError(
            f"air.api built a module that does not verify, which is a bug of air.api; please report it: {error}"
        ) from error
