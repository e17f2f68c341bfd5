"""One function as C++: its parameters, its statements, its pragmas."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from allo_air.errors import AlloAirError
from allo_air.mlir import AnyOp, ir
from allo_air.target.hls.flavors import Flavor
from allo_air.target.hls.operations import expression_of
from allo_air.target.hls.signatures import Parameter, Signature
from allo_air.target.hls.types import INDEX, TAKEN, Kind, kind_of
from allo_air.target.hls.values import Array, Number

Emitter = Callable[["Function", AnyOp], None]
STATEMENTS: dict[str, Emitter] = {}
"""Emitters of operations that are statements of their own, by name."""


def writes(*names: str) -> Callable[[Emitter], Emitter]:
    """Registers how operations are written."""

    def register(emitter: Emitter) -> Emitter:
        STATEMENTS.update(dict.fromkeys(names, emitter))
        return emitter

    return register


@dataclass
class Function:
    """A function under construction: its lines, the names of its values, and the used names by scope."""

    signature: Signature
    signatures: dict[str, Signature]
    arrays: dict[str, Array]
    """The arrays of the file, by their symbols."""
    flavor: Flavor
    threads: bool = False
    """Whether the calls of a dataflow function run at the same time, on the host."""
    declared: dict[str, Any] = field(default_factory=dict)
    """The functions without a body: operations of streams, prints, external C++ functions."""
    together: list[str] | None = None
    """The calls that run at the same time, in a function of that kind."""
    late: list[tuple[Array, Array]] = field(default_factory=list)
    """Copies back to arrays, after such calls."""
    lines: list[str] = field(default_factory=list)
    values: dict[Any, Number | Array] = field(default_factory=dict)
    scopes: list[set[str]] = field(default_factory=lambda: [set()])
    labels: set[str] = field(default_factory=set)
    non_negative: set[str] = field(default_factory=set)
    """Variables that are never below 0."""
    _count: int = 0

    def line(self, text: str) -> None:
        """One line, indented by the scopes around it."""
        self.lines.append("  " * len(self.scopes) + text)

    def pragma(self, name: str, /, **fields: int | str) -> None:
        """A pragma, if the tool has it."""
        if (form := self.flavor.pragmas.get(name)) is not None:
            self.line(form.format(**fields))

    def fresh(self) -> str:
        """v0, v1, ..."""
        while True:
            name, self._count = f"v{self._count}", self._count + 1
            if not self._used(name):
                self.scopes[-1].add(name)
                return name

    def named(self, stem: str) -> str:
        """`stem` as a C++ name, with a number if it is taken."""
        base = re.sub(r"\W", "_", stem) or "v"
        base = f"_{base}" if base[0].isdigit() else base
        name, count = base, 0
        while self._used(name):
            count += 1
            name = f"{base}_{count}"
        self.scopes[-1].add(name)
        return name

    def _used(self, name: str) -> bool:
        return name in TAKEN or name in self.signatures or any(name in scope for scope in self.scopes)

    @contextmanager
    def scope(self) -> Iterator[None]:
        """A block in braces, the scope of the names created inside."""
        self.scopes.append(set())
        yield
        self.scopes.pop()

    def number(self, value: object) -> Number:
        """The text of a scalar value."""
        number = self.values[value]
        assert isinstance(number, Number)
        return number

    def array(self, value: ir.Value) -> Array:
        """The array that represents a memref."""
        array = self.values[value]
        assert isinstance(array, Array)
        return array

    def texts(self, values: Sequence[ir.Value]) -> list[str]:
        """Scalar values as texts."""
        return [self.number(v).text for v in values]

    def define(self, value: ir.Value, text: str, kind: Kind) -> None:
        """A variable for a value."""
        name = self.fresh()
        self.line(f"{kind.text(self.flavor)} {name} = {text};")
        self.values[value] = Number(name, kind)

    def declare(self, name: str, kind: Kind, shape: tuple[int, ...]) -> Array:
        """A local array."""
        self.line(f"{declaration(name, kind, shape, self.flavor)};")
        return Array.of(name, kind, shape)

    def block(self, block: ir.Block) -> None:
        """The statements of a block."""
        for op in block.operations:
            self.statement(op.operation)

    def statement(self, op: AnyOp) -> None:
        """Emits one operation; raises AlloAirError if there is no rule for it."""
        if (emitter := STATEMENTS.get(op.name)) is not None:
            emitter(self, op)
            return
        if len(op.results) == 1 and not isinstance(op.results[0].type, ir.ShapedType):
            result = expression_of(op, [self.number(v) for v in op.operands], kind_of(op.results[0].type), self.flavor)
            if result is not None:
                self.define(op.results[0], *result)
                return
        raise AlloAirError(f"target '{self.flavor.name}' has no C++ for {op.name}, in function '{self.signature.name}'")


def declaration(name: str, kind: Kind, shape: tuple[int, ...], flavor: Flavor) -> str:
    """The declaration of a variable or array, without an initializer."""
    return f"{kind.text(flavor)} {name}{''.join(f'[{size}]' if size >= 0 else '[]' for size in shape)}"


def function(op: AnyOp, item: Function) -> list[str]:
    """The lines of a function."""
    signature = item.signature
    [block] = op.regions[0].blocks
    item.scopes[0].update(p.name for p in signature.parameters)
    parameters = [parameter_text(p, item.flavor, signature.name) for p in signature.parameters]
    for argument, parameter in zip(block.arguments, signature.arguments, strict=True):
        item.values[argument] = _value(parameter)
    for value, parameter in signature.outs.items():
        if isinstance(value.type, ir.MemRefType) and not signature.copied[value]:
            item.values[value] = _value(parameter)
    for pragma in signature.pragmas:
        item.pragma(pragma[0], **pragma[1])
    for stream, depth in signature.own:
        item.line(f'{item.flavor.stream.format(of=stream.kind.text(item.flavor))} {stream.name}("{stream.name}");')
        item.pragma("stream", name=stream.name, depth=depth)
        item.scopes[0].add(stream.name)
    item.together = [] if item.threads and signature.own else None
    item.block(block)
    head = [
        f"void {signature.name}(",
        *(f"  {p}{',' if n < len(parameters) - 1 else ''}" for n, p in enumerate(parameters)),
        ") {",
    ]
    top = item.flavor.pragmas.get("top")
    return [*([top] if top and signature.is_top else []), *head, *item.lines, "}", ""]


def parameter_text(parameter: Parameter, flavor: Flavor, function: str) -> str:
    """The declaration of a parameter of `function`."""
    kind = parameter.kind.text(flavor)
    if parameter.shape is None:
        return f"{kind} {'*' if parameter.is_out else ''}{parameter.name}"
    if parameter.stream:
        return f"{flavor.stream.format(of=kind)} &{parameter.name}"
    if not parameter.shape:
        return f"{kind} &{parameter.name}"
    if any(size < 0 for size in parameter.shape[1:]):
        raise AlloAirError(f"target '{flavor.name}': only the first size of an array of '{function}' may be of the call")
    return declaration(parameter.name, parameter.kind, parameter.shape, flavor)


def _value(parameter: Parameter) -> Number | Array:
    if parameter.shape is None:
        return Number(parameter.name, parameter.kind)
    return Array.of(parameter.name, parameter.kind, parameter.shape)


@writes("arith.constant")
def _constant(item: Function, op: AnyOp) -> None:
    from allo_air.target.hls.values import literal

    value, kind = op.attributes["value"], kind_of(op.results[0].type)
    result = float(value.value) if isinstance(value, ir.FloatAttr) else _integer(value)
    item.values[op.results[0]] = Number(literal(result, kind, item.flavor), kind, result)


def _integer(value: ir.Attribute) -> int:
    if isinstance(value, ir.BoolAttr):
        return int(bool(value.value))
    text = str(value).partition(" : ")[0]
    return {"true": 1, "false": 0}[text] if text in ("true", "false") else int(text)


@writes("arith.bitcast")
def _bitcast(item: Function, op: AnyOp) -> None:
    source, to = item.number(op.operands[0]), kind_of(op.results[0].type)
    name = f"_converter_{item.fresh()}"
    item.line(f"union {{ {source.kind.text(item.flavor)} from; {to.text(item.flavor)} to; }} {name};")
    item.line(f"{name}.from = {source.text};")
    item.define(op.results[0], f"{name}.to", to)


@writes("affine.apply", "affine.min", "affine.max")
def _apply(item: Function, op: AnyOp) -> None:
    from allo_air.target.hls.affine import bound

    text = bound(op.attributes["map"].value, item.texts(op.operands), op.name == "affine.min", frozenset(item.non_negative))
    item.define(op.results[0], text, INDEX)


@writes("memref.dealloc", "affine.yield", "scf.yield", "scf.reduce")
def _no_statement(item: Function, op: AnyOp) -> None:
    del item, op
