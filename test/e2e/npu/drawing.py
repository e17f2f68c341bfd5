"""Functions of linalg operations that grow, with a bound for how far each result may be from exact arithmetic."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import prod
from typing import Any

import numpy as np
from hypothesis import strategies as st

from allo_air.dtypes import numpy_dtype

UNIT = {"f32": 2.0**-24, "bf16": 2.0**-8}
"""Half of the distance between 1 and the next number."""
EXACT = {"f32": 2**24, "bf16": 2**8}
"""Up to this all integers are numbers of the type."""
FUNCTION_ERROR = 2.0**-7
"""Relative error that is granted to functions such as exp, whatever the type; what is looked for here are wrong numbers."""
BITS = {"f32": 32, "bf16": 16, "i32": 32, "i16": 16, "i8": 8, "i1": 1}
LARGEST = 4096
"""Elements of a tensor in few draws; in long runs some have more (`Drawing.largest`)."""


@dataclass(frozen=True)
class Value:
    """A tensor: its name, shape and type of elements; a bound of its numbers, and of their error (0: whole numbers, exact)."""

    name: str
    shape: tuple[int, ...]
    element: str
    bound: float
    error: float = 0.0

    @property
    def type(self) -> str:
        return f"tensor<{''.join(f'{n}x' for n in self.shape)}{self.element}>"

    @property
    def is_float(self) -> bool:
        return self.element in UNIT


@dataclass
class Graph:
    """The text of a function `@main`, its inputs, and for each result the error that is granted."""

    lines: list[str] = field(default_factory=list)
    arguments: list[Value] = field(default_factory=list)
    results: list[Value] = field(default_factory=list)

    @property
    def text(self) -> str:
        given = ", ".join(f"{v.name}: {v.type}" for v in self.arguments)
        kinds = ", ".join(v.type for v in self.results)
        names = ", ".join(v.name for v in self.results)
        body = "\n".join(f"  {line}" for line in self.lines)
        return f"func.func @main({given}) -> ({kinds}) {{\n{body}\n  return {names} : {kinds}\n}}\n"

    def inputs(self, seed: int = 0) -> list[Any]:
        """Whole numbers within the bounds of the arguments."""
        rng = np.random.default_rng(seed)
        return [rng.integers(-int(v.bound), int(v.bound) + 1, v.shape).astype(numpy_dtype(v.element)) for v in self.arguments]

    def check(self, results: list[Any], expected: list[Any]) -> None:
        """Holds results against those of another execution: both may be off by the error that is granted."""
        for value, found, wanted in zip(self.results, results, expected, strict=True):
            off = np.abs(found.astype(np.float64) - wanted.astype(np.float64))
            assert found.shape == value.shape, f"{value.name} has shape {found.shape}\n{self.text}"
            assert (off <= 2 * value.error).all(), f"{value.name} is off by {off.max()}, allowed {2 * value.error}\n{self.text}"


class Drawing:
    """A graph that grows."""

    def __init__(self, draw: Any, element: str, largest: int = LARGEST) -> None:
        self.draw, self.graph, self.count, self.element = draw, Graph(), 0, element
        self.largest = largest
        self.values: list[Value] = []

    def name(self) -> str:
        self.count += 1
        return f"%v{self.count}"

    def pick(self, of: Any) -> Any:
        return self.draw(st.sampled_from(list(of)))

    def flip(self) -> bool:
        return bool(self.draw(st.booleans()))

    def zero(self, x: Value) -> str:
        return "0.0" if x.is_float else "0"

    def least(self, x: Value) -> str:
        """What no element is less than."""
        return {"f32": "0xFF800000", "bf16": "0xFF80"}.get(x.element) or str(-(1 << BITS[x.element] - 1))

    def most(self, x: Value) -> str:
        """What no element is more than."""
        return {"f32": "0x7F800000", "bf16": "0x7F80"}.get(x.element) or str((1 << BITS[x.element] - 1) - 1)

    def filled(self, v: Value, number: str) -> None:
        """Lines that make NAMEf, a tensor of one number, for a value NAME."""
        self.graph.lines += [
            f"{v.name}e = tensor.empty() : {v.type}",
            f"{v.name}c = arith.constant {number} : {v.element}",
            f"{v.name}f = linalg.fill ins({v.name}c : {v.element}) outs({v.name}e : {v.type}) -> {v.type}",
        ]

    def body(self, *text: str, element: str, last: str = "%r") -> str:
        return lines(*text, last=last, element=element)

    def weight(self, shape: tuple[int, ...], element: str) -> Value:
        """A constant of whole numbers up to 2, or an argument where it has many elements."""
        if prod(shape) > 512 or self.flip():
            return self.argument(shape, element)
        seed = self.draw(st.integers(0, 99))
        value = Value(self.name(), shape, element, 2)
        numbers = np.random.default_rng(seed).integers(-2, 3, shape).astype(np.float64 if value.is_float else np.int64)
        self.graph.lines.append(f"{value.name} = arith.constant dense<{numbers.tolist()}> : {value.type}")
        return value

    def argument(self, shape: tuple[int, ...], element: str) -> Value:
        value = Value(f"%a{len(self.graph.arguments)}", shape, element, 2 if element in UNIT else 5)
        self.graph.arguments.append(value)
        self.values.append(value)
        return value

    def emit(self, line: str, value: Value) -> Value:
        self.graph.lines.append(line)
        error = value.error
        if value.is_float and (error or value.bound > EXACT[value.element]):
            error += (value.bound + error) * UNIT[value.element]
        made = Value(value.name, value.shape, value.element, value.bound, error)
        self.values.append(made)
        return made

    def generic(
        self,
        ins: list[tuple[Value, str]],
        out: Value,
        outmap: str,
        kinds: list[str],
        body: str,
        init: str | None = None,
        before: Value | None = None,
        scalars: int = 0,
    ) -> Value:
        """A linalg.generic; maps are the results of affine maps, as text; it begins with number `init`, or tensor `before`.

        The last `scalars` of `ins` are numbers, not tensors.
        """
        empty = f"{out.name}e"
        if before is None:
            self.graph.lines.append(f"{empty} = tensor.empty() : {out.type}")
        if init is not None:
            self.graph.lines.append(f"{out.name}c = arith.constant {init} : {out.element}")
            self.graph.lines.append(
                f"{out.name}f = linalg.fill ins({out.name}c : {out.element}) outs({empty} : {out.type}) -> {out.type}"
            )
            empty = f"{out.name}f"
        if before is not None:
            empty = before.name
        dims = ", ".join(f"d{i}" for i in range(len(kinds)))
        maps = ", ".join(f"affine_map<({dims}) -> ({m})>" for m in [*(m for _, m in ins), outmap])
        tensors = len(ins) - scalars
        types = ", ".join(v.type if n < tensors else v.element for n, (v, _) in enumerate(ins))
        names = ", ".join(v.name for v, _ in ins)
        arguments = ", ".join([*(f"%x{n}: {v.element}" for n, (v, _) in enumerate(ins)), f"%o: {out.element}"])
        iterators = ", ".join(f'"{k}"' for k in kinds)
        given = f"ins({names} : {types}) " if ins else ""
        return self.emit(
            f"{out.name} = linalg.generic {{indexing_maps = [{maps}], iterator_types = [{iterators}]}} {given}"
            f"outs({empty} : {out.type}) {{\n  ^bb0({arguments}):\n{body}\n  }} -> {out.type}",
            out,
        )

    def elementwise(self, ins: list[tuple[Value, str]], out: Value, body: str, scalars: int = 0) -> Value:
        rank = len(out.shape)
        return self.generic(ins, out, dims_of(rank), ["parallel"] * rank, body, scalars=scalars)


def dims_of(rank: int, only: Any = None) -> str:
    return ", ".join(f"d{i}" for i in (range(rank) if only is None else only))


def lines(*text: str, last: str, element: str) -> str:
    return "\n".join(f"    {t}" for t in (*text, f"linalg.yield {last} : {element}"))
