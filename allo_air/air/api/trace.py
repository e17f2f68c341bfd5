"""One run of a launch's body: the insertion points, and the IR values of tensors, buffers and coordinates."""

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
    """A body that is isolated from above: it gets outer values as operands of its operation, which are added on first use."""

    def __init__(self, kind: str, context: Any, op: Any, block: ir.Block, parent: Frame | None):
        self.kind, self.context, self.op, self.parent = kind, context, op, parent
        self.blocks = [block]  # the body, and the loops that are open in it
        self.values: dict[Any, Any] = {}
        self.captured: list[Any] = []
        self.buffers: list[Any] = []  # in order of allocation; inner frames see them in `allocated`
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
        """Whether this body, or one around it, has a value for `key`."""
        return key in self.values or (self.parent is not None and self.parent.has(key))


class Trace:
    """The module under construction, and the open bodies, innermost last."""

    def __init__(self, module: Any, target: str):
        self.module, self.target = module, target
        self.frames: list[Frame] = []
        self.channels: dict[str, Any] = {}  # declarations by name
        self.last_channel: Any = None
        self.functions: dict[str, Any] = {}  # extern kernels by name
        self.outputs: dict[Any, None] = {}  # tensors that are written
        self.herds: list[Any] = []

    @property
    def frame(self) -> Frame:
        """The innermost body."""
        return self.frames[-1]

    @contextmanager
    def emit(self, block: ir.Block | None = None) -> Iterator[None]:
        """Inserts operations at the end of the innermost body or loop, or of `block`, located at the user's line."""
        context = self.module.context
        with context, _location(context), ir.InsertionPoint.at_block_terminator(block or self.frame.blocks[-1]):
            yield

    def check_free(self, name: str, who: str) -> None:
        """ValueError if the launch, a channel or a function has the name already."""
        if any("sym_name" in op.attributes and sym_name_of(op.operation) == name for op in self.module.body.operations):
            raise ValueError(f"{who} has the name of the launch or of another declaration; give it a name of its own")

    @contextmanager
    def at_top(self) -> Iterator[None]:
        """Inserts operations at the top of the module."""
        context = self.module.context
        with context, _location(context), ir.InsertionPoint.at_block_begin(self.module.body):
            yield

    @contextmanager
    def inside(self, frame: Frame) -> Iterator[Frame]:
        """Makes `frame` the innermost body inside the `with` block."""
        self.frames.append(frame)
        try:
            yield frame
        finally:
            self.frames.remove(frame)

    def nearest(self, kind: str) -> Frame | None:
        """The innermost open body of that kind, or None."""
        return next((f for f in reversed(self.frames) if f.kind == kind), None)

    def leaf(self, leaf: Leaf) -> Any:
        """The value of a coordinate or loop variable."""
        return self.frame.value(leaf, f"coordinate '{leaf.name}'")


def _location(context: object) -> Any:
    file, line = user_place()
    return ir.Location.file(file, line, 0) if file else ir.Location.unknown()


def current() -> Trace | None:
    """The current trace, or None."""
    return _CURRENT.get()


def tracing(who: str, where: str = "a launch body") -> Trace:
    """The current trace; RuntimeError naming `who`, the caller, if there is none."""
    if (trace := _CURRENT.get()) is None:
        raise RuntimeError(f"{who} is outside of {where}; call it in the function that @launch.body registers")
    return trace


@contextmanager
def running(trace: Trace) -> Iterator[Trace]:
    """Makes `trace` the current trace inside the `with` block."""
    with ExitStack() as stack:
        token = _CURRENT.set(trace)
        stack.callback(_CURRENT.reset, token)
        yield trace
