"""One run of a launch's body: where operations go, and what stands for tensors, buffers and coordinates there."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

from allo_air.air.api.errors import RuntimeError, ValueError, user_place
from allo_air.air.api.index import Leaf
from allo_air.core.names import sym_name_of
from allo_air.mlir import ir

if TYPE_CHECKING:
    from collections.abc import Hashable

_CURRENT: ContextVar[Trace | None] = ContextVar("allo_air_api_trace", default=None)


class Frame:
    """A body that is isolated from above: values come in as operands of its operation, more of them when they are asked for."""

    def __init__(self, kind: str, context: Any, op: Any, block: ir.Block, parent: Frame | None):
        self.kind, self.context, self.op, self.parent = kind, context, op, parent
        self.blocks = [block]  # the body, and the loops that are open in it
        self.values: dict[Any, Any] = {}
        self.captured: list[Any] = []
        self.buffers: list[Any] = []  # in order of allocation; what `allocated` of an inner frame may see
        self.open_loops: list[Any] = []
        self.link_with: str | None = None

    def value(self, key: Hashable, what: str) -> Any:
        """The value of `key` in this body. A value of an outer body is captured."""
        if key not in self.values:
            if self.parent is None:
                raise RuntimeError(f"{what} belongs to another body, or to another launch")
            outer = self.parent.value(key, what)
            self.values[key] = self.blocks[0].add_argument(outer.type, self.op.location)
            self.captured.append(outer)
        return self.values[key]

    def has(self, key: object) -> bool:
        """Whether something stands for `key` here or outside."""
        return key in self.values or (self.parent is not None and self.parent.has(key))


class Trace:
    """The module that is being built, and the bodies that are open, innermost last."""

    def __init__(self, module: Any, target: str):
        self.module, self.target = module, target
        self.frames: list[Frame] = []
        self.channels: dict[str, Any] = {}  # name to what was declared
        self.last_channel: Any = None
        self.functions: dict[str, Any] = {}  # of extern kernels, by name
        self.outputs: dict[Any, None] = {}  # tensors that something writes to
        self.herds: list[Any] = []

    @property
    def frame(self) -> Frame:
        """The innermost body."""
        return self.frames[-1]

    @contextmanager
    def emit(self, block: ir.Block | None = None) -> Iterator[None]:
        """Operations go to the end of the innermost body or loop, or of `block`, with the user's line as their location."""
        context = self.module.context
        with context, _location(context), ir.InsertionPoint.at_block_terminator(block or self.frame.blocks[-1]):
            yield

    def check_free(self, name: str, who: str) -> None:
        """ValueError if the launch, a channel or a function has the name already."""
        if any("sym_name" in op.attributes and sym_name_of(op.operation) == name for op in self.module.body.operations):
            raise ValueError(f"{who} has the name of the launch or of another declaration; give it a name of its own")

    @contextmanager
    def at_top(self) -> Iterator[None]:
        """Operations go to the top of the module."""
        context = self.module.context
        with context, _location(context), ir.InsertionPoint.at_block_begin(self.module.body):
            yield

    @contextmanager
    def inside(self, frame: Frame) -> Iterator[Frame]:
        """While it is open, `frame` is the innermost body."""
        self.frames.append(frame)
        try:
            yield frame
        finally:
            self.frames.remove(frame)

    def nearest(self, kind: str) -> Frame | None:
        """The innermost body of that kind around here."""
        return next((f for f in reversed(self.frames) if f.kind == kind), None)

    def leaf(self, leaf: Leaf) -> Any:
        """The value of a coordinate or loop variable."""
        return self.frame.value(leaf, f"coordinate '{leaf.name}'")


def _location(context: object) -> Any:
    file, line = user_place()
    return ir.Location.file(file, line, 0) if file else ir.Location.unknown()


def current() -> Trace | None:
    """The trace that runs."""
    return _CURRENT.get()


def tracing(who: str, where: str = "a launch body") -> Trace:
    """The trace that runs; RuntimeError where none does."""
    if (trace := _CURRENT.get()) is None:
        raise RuntimeError(f"{who} outside of {where}; call it in the function that @launch.body registers")
    return trace


@contextmanager
def running(trace: Trace) -> Iterator[Trace]:
    """While it is open, `trace` is the one that runs."""
    with ExitStack() as stack:
        token = _CURRENT.set(trace)
        stack.callback(_CURRENT.reset, token)
        yield trace
