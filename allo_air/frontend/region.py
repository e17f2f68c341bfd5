"""Reads regions: the kernels and streams that a region's function declares, and the program of each core."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, NoReturn

from allo_air.errors import AlloAirError, counted
from allo_air.frontend.annotations import Declared, declared
from allo_air.frontend.calls import Nested
from allo_air.frontend.functions import compile_function
from allo_air.frontend.memory import DTensor, layout_of
from allo_air.frontend.padding import pad, uneven, why_not_words
from allo_air.frontend.ports import KernelSpec, Port
from allo_air.frontend.rules import RuleSet
from allo_air.frontend.source import Source, callers
from allo_air.frontend.state import Module, State
from allo_air.frontend.static import UNKNOWN, evaluate
from allo_air.frontend.streams import fifos
from allo_air.frontend.types import ScalarType, StreamType, carried, carried_by
from allo_air.frontend.values import DYNAMIC


def _only_inside(name: str) -> NoReturn:
    raise AlloAirError(f"'{name}' can only be called in kernels of a region, which df.build compiles")


def get_pid() -> Any:
    """The position of the running core in the kernel's mapping."""
    _only_inside("get_pid")


def gather(pipes: object) -> Any:
    """Gets one block from each of several streams, in order."""
    _only_inside("gather")


def scatter(buffer: object, pipes: object) -> Any:
    """Puts one part of `buffer` to each of several streams, in order."""
    _only_inside("scatter")


for _named in (get_pid, gather, scatter):
    setattr(_named, "kernel_hook", _named.__name__)  # noqa: B010


def region() -> Callable[[Callable[..., Any]], Region]:
    """Marks a function whose body declares streams and kernels."""

    def mark(function: Callable[..., object]) -> Region:
        return Region(Source(function, callers(1)))

    return mark


def kernel(mapping: Sequence[int], args: Sequence[object] = ()) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Marks a function of a region that runs on a grid of cores of size `mapping`, of one to three dimensions."""
    return lambda function: function


def pipe(dtype: Any, shape: Sequence[int] = (), depth: int = 2) -> Any:
    """Declares a stream in the syntax of Allo's programs of 2025."""
    return StreamType(dtype[tuple(shape)] if shape else dtype, depth)


def array(stream: Any, shape: Sequence[int]) -> Any:
    """Declares a grid of streams in the syntax of Allo's programs of 2025."""
    return stream[tuple(shape)]


@dataclass(frozen=True, eq=False)
class Region:
    """A region's function; `df.build` compiles it."""

    source: Source
    kernel_hook: ClassVar[str] = "region"

    @property
    def __name__(self) -> str:
        return self.source.name

    def __call__(self, *args: object) -> NoReturn:
        raise AlloAirError(f"region '{self.source.name}' cannot be called; compile it by df.build(...) and call the result")


@dataclass
class RegionSpec:
    """A region as read: its external tensors, its streams by name, and its kernels in order."""

    source: Source
    state: State
    tensors: dict[str, Declared] = field(default_factory=dict)
    streams: dict[str, StreamType] = field(default_factory=dict)
    kernels: list[KernelSpec] = field(default_factory=list)
    rules: RuleSet = "cpp-style"
    """Names the typing rules of its arithmetic: see `rules`."""
    host: bool = False
    """Whether it is compiled for the host, where DMAs do not limit the types."""
    rebinds: bool = False
    """Like `Module.rebinds`, for the functions that its kernels call."""
    padded: dict[str, Declared] = field(default_factory=dict)
    """The tensors with the padding that mappings require."""


def read_region(item: Region, host: bool = False, template: tuple[object, ...] = ()) -> RegionSpec:
    """Reads the declarations and emits nothing. For the host, DMAs do not limit the types. `template` is the `[...]` after the
    region's name.
    """
    source = item.source
    names = dict(zip(source.template_names, template, strict=False))
    state = State(Module(None, compile_function, "cpp-style"), source, source.name, [names])
    spec = RegionSpec(source, state, host=host)
    for argument in source.tree.args.args:
        if argument.annotation is None:
            raise source.error(argument, f"parameter '{argument.arg}' of region '{source.name}' has no type")
        kind = declared(state, argument.annotation)
        if not isinstance(kind, Declared):
            raise source.error(argument, "a region takes tensors")
        if DYNAMIC in (kind.shape or ()):
            raise source.error(argument, f"'{argument.arg}' is {kind}; sizes of the tensors of a region must be constants")
        _check_moves(spec, argument, argument.arg, kind.element)
        spec.tensors[argument.arg] = kind
    for node in source.tree.body:
        _declaration(spec, node)
    if not spec.kernels:
        raise source.error(source.tree, f"region '{source.name}' has no kernel; write one below @df.kernel(mapping=[...])")
    even = host and not any(p.uneven for k in spec.kernels for p in k.ports)
    spec.padded = dict(spec.tensors) if even else pad(source, spec.kernels, spec.tensors)
    return spec


def _check_moves(spec: RegionSpec, node: ast.AST, name: str, element: ScalarType) -> None:
    if not spec.host and carried(element) is None:
        raise spec.source.error(node, f"'{name}' has elements of {element}, and DMAs move up to 32 bits; use a smaller type")


def _declaration(spec: RegionSpec, node: ast.stmt) -> None:
    match node:
        case ast.Expr(value=ast.Constant()) | ast.Pass():
            return
        case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation):
            kind = declared(spec.state, annotation)
            if not isinstance(kind, StreamType):
                raise spec.source.error(node, "a region declares streams and kernels; tensors are its parameters")
            for element in carried_by(kind):
                _check_moves(spec, node, name, element)
            _declare(spec, node, name, kind)
        case ast.Assign(targets=[ast.Name(id=name)], value=value):
            _declare(spec, node, name, _old_stream(spec, value))
        case ast.FunctionDef():
            _function(spec, node)
        case _:
            raise spec.source.error(node, "a region declares streams and kernels only")


def _declare(spec: RegionSpec, node: ast.stmt, name: str, kind: StreamType) -> None:
    """Adds a stream; its FIFOs must not have names of other streams."""
    if name in spec.streams:
        raise spec.source.error(node, f"two streams named '{name}'")
    for stream, other_type in spec.streams.items():
        if both := fifos(name, kind).keys() & fifos(stream, other_type):
            raise spec.source.error(
                node,
                f"streams '{stream}' and '{name}' both have a FIFO '{min(both)}': streams of an array are named by number, "
                "fields of structs by field; rename one",
            )
    spec.streams[name] = kind


def _old_stream(spec: RegionSpec, node: ast.expr) -> StreamType:
    """`df.pipe(dtype=, shape=, depth=)` and `df.array(df.pipe(...), shape=)`."""
    if isinstance(node, ast.Call):
        function = evaluate(spec.state, node.func)
        if function in (pipe, array):
            inner = [_old_stream(spec, a) if isinstance(a, ast.Call) else evaluate(spec.state, a) for a in node.args]
            keywords = {k.arg: evaluate(spec.state, k.value) for k in node.keywords if k.arg}
            if UNKNOWN not in (*inner, *keywords.values()):
                result: Any = function
                return result(*inner, **keywords)
    raise spec.source.error(node, "a stream is declared as name: Stream[type, depth]")


def _function(spec: RegionSpec, node: ast.FunctionDef) -> None:
    for decorator in node.decorator_list:
        if isinstance(decorator, ast.Call) and evaluate(spec.state, decorator.func) is kernel:
            spec.kernels.append(_kernel(spec, node, decorator))
            return
    spec.state.names[0][node.name] = Nested(Source(spec.source.function, spec.source.frame_names, node))


def _kernel(spec: RegionSpec, node: ast.FunctionDef, decorator: ast.Call) -> KernelSpec:
    keywords = {k.arg: k.value for k in decorator.keywords}
    mapping_node = decorator.args[0] if decorator.args else keywords.get("mapping")
    mapping: Any = UNKNOWN if mapping_node is None else evaluate(spec.state, mapping_node)
    if isinstance(mapping, int):
        mapping = (mapping,)
    if mapping is UNKNOWN or not all(isinstance(p, int) and p > 0 for p in mapping) or not 1 <= len(mapping) <= 3:
        raise spec.source.error(
            decorator, f"kernel '{node.name}' needs a mapping of one to three whole numbers, as mapping=[4, 4]"
        )
    if any(k.name == node.name for k in spec.kernels):
        raise spec.source.error(node, f"two kernels named '{node.name}'")
    for earlier in spec.kernels:
        if both := _instances(node.name, tuple(mapping)) & _instances(earlier.name, earlier.mapping):
            raise spec.source.error(
                node,
                f"kernels '{earlier.name}' and '{node.name}' both have an instance '{min(both)}'; rename one",
            )
    ports = _ports(spec, node, keywords.get("args"), tuple(mapping))
    return KernelSpec(node.name, node, tuple(mapping), ports)


def _instances(name: str, mapping: tuple[int, ...]) -> set[str]:
    """The names of a kernel's instances."""
    return {"_".join([name, *map(str, place)]) for place in itertools.product(*map(range, mapping))}


def _ports(spec: RegionSpec, node: ast.FunctionDef, value: ast.expr | None, mapping: tuple[int, ...]) -> tuple[Port, ...]:
    names = None
    if value is not None:
        if not isinstance(value, (ast.List, ast.Tuple)) or not all(isinstance(e, ast.Name) for e in value.elts):
            raise spec.source.error(value, "args names tensors of the region, as args=[A, B]")
        names = [e.id for e in value.elts if isinstance(e, ast.Name)]
        if len(names) != len(node.args.args):
            raise spec.source.error(
                value, f"kernel '{node.name}' has {counted(len(node.args.args), 'parameter')}, args has {len(names)}"
            )
    ports = []
    for number, argument in enumerate(node.args.args):
        if argument.annotation is None:
            raise spec.source.error(argument, f"parameter '{argument.arg}' of kernel '{node.name}' has no type")
        kind = declared(spec.state, argument.annotation)
        if not isinstance(kind, Declared):
            raise spec.source.error(argument, "parameters of kernels are tensors; streams are used by their names")
        ports.append(_port(spec, node, argument, kind, None if names is None else names[number], mapping))
    return tuple(ports)


def _port(
    spec: RegionSpec, node: ast.FunctionDef, argument: ast.arg, kind: Declared, name: str | None, mapping: tuple[int, ...]
) -> Port:
    outer = argument.arg if name is None else name
    if name is not None and name not in spec.tensors:
        tensors = ", ".join(spec.tensors) or "none"
        raise spec.source.error(argument, f"'{name}' is not a tensor of region '{spec.source.name}' (it has {tensors})")
    if name is None:
        if outer in spec.tensors and any(p.name == outer for k in spec.kernels for p in k.ports):
            outer = _unused_name(spec, outer)
        _check_moves(spec, argument, argument.arg, kind.element)
        spec.tensors.setdefault(outer, kind)
    tensor = spec.tensors[outer]
    shape = kind.shape or ()
    if (tensor.element, tensor.shape or ()) != (kind.element, shape):
        raise spec.source.error(
            argument, f"parameter '{argument.arg}' of kernel '{node.name}' is {kind}, tensor '{outer}' is {tensor}"
        )
    try:
        distributed = DTensor(shape, mapping, layout_of(kind.mark))
    except AlloAirError as error:
        raise spec.source.error(argument, f"parameter '{argument.arg}' of kernel '{node.name}': {error}") from None
    if not spec.host and not uneven(distributed) and (why := why_not_words(distributed, kind.element)):
        raise spec.source.error(argument, f"parameter '{argument.arg}' of kernel '{node.name}': {why}")
    return Port(argument.arg, list(spec.tensors).index(outer), kind.element, distributed, shape, outer)


def _unused_name(spec: RegionSpec, name: str) -> str:
    """A name for another tensor called `name`. The parameters of kernels are arguments in order of appearance."""
    return next(f"{name}_{i}" for i in itertools.count(1) if f"{name}_{i}" not in spec.tensors)
