"""The programs that compute a token of a bf16 model in several dispatches: one design, with a runtime sequence for each piece.

Attention and products use different columns of the array, so that no configuration is loaded between pieces.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from allo_air import asm
from allo_air.arch import arch_of
from allo_air.device import DEVICES
from allo_air.importers.torch_arrays import array_of, tensor_of
from allo_air.llm import attention, int4
from allo_air.llm.examples import Example
from allo_air.llm.form import Form
from allo_air.llm.steps import products_of
from allo_air.llm.streaming import Arrangement
from allo_air.llm.whole import Bytes, Floats
from allo_air.mlir import ir
from allo_air.passes.partition.link_kernels import LinkKernels
from allo_air.program.compile import compile as compile_program
from allo_air.program.program import Program

_SEQUENCE = re.compile(r"^ *aie\.runtime_sequence @(\w+)\((.*?)\) \{\n.*?^    \}\n", re.DOTALL | re.MULTILINE)
_ALIAS = re.compile(r"^#(\w+) = (.+)$", re.MULTILINE)
_FUNCTION = re.compile(r"^  func\.func .*?(?:^  \}\n|\n(?=  func|\}))", re.DOTALL | re.MULTILINE)


@dataclass(frozen=True, eq=False)
class CompiledPiece:
    """A piece and its program."""

    example: Example
    program: Program

    @property
    def configuration(self) -> str:
        """The device configuration of the program; programs with equal configurations need no load in between."""
        return _SEQUENCE.sub("", self.program.lowered.text)


@dataclass(frozen=True, eq=False)
class StreamedProgram(CompiledPiece):
    """A StreamedProduct. Weights are reordered once, when they are first used."""

    order: Arrangement
    _held: dict[int, tuple[Any, Any]] = field(default_factory=dict, repr=False)
    """The reordered weights, by the identity of the original ones."""

    def __call__(self, y: Any, weight: Any, bias: Any = ()) -> Any:
        """The piece's result for a row `y` and packed weights."""
        if id(weight[0]) not in self._held:
            self._held[id(weight[0])] = weight[0], array_of(self.order.weights(weight))
        program = self.program(self._held[id(weight[0])][1], array_of(self.order.row(y)))
        row = self.order.sums(tensor_of(program), y, weight).to(y.dtype)[None]
        return self.example.module.finish(row, bias)


@dataclass(frozen=True, eq=False)
class AttentionProgram(CompiledPiece):
    """Attention of a token to a layer's cache, which the program reads in place."""

    order: attention.Attention

    def __call__(self, cache: Any, q: Any, begin: int, end: int) -> Any:
        """The outputs of the heads for queries [heads, 1, head] and the keys from `begin` to before `end`."""
        self.order.ask(cache, q, begin, end)
        return self.order.joined(tensor_of(self.program(array_of(cache)))).to(q.dtype)


def is_one_design(form: Form, kind: str, group: int, device: str) -> bool:
    """Whether all pieces of a token use the same design."""
    return (kind != "int4" or int4.is_supported(group)) and attention.is_supported(form) and DEVICES[device].columns > 1


_ORDERS: dict[str, type[Arrangement]] = {"dense": Floats, "int8": Bytes, "int4": int4.Nibbles}
_MOST_COLUMNS = 2048


def arrangement(
    device: str, kind: str, group: int, products: Iterable[tuple[int, int]], wide: int | None = None
) -> Arrangement:
    """The arrangement for which products of these sizes, in one design, transfer the fewest bytes.

    It has `wide` columns of cores, by default all.
    """
    sizes = list(products)
    results = arrangements(device, kind, group, sizes, wide or DEVICES[device].columns)
    fitting = [a for a in results if a.fits] or results[:1]
    return min(fitting, key=lambda a: (sum(a.read(*s) for s in sizes), -a.columns))


def arrangements(device: str, kind: str, group: int, products: Iterable[tuple[int, int]], wide: int) -> list[Arrangement]:
    """The arrangements for products of these sizes, by the number of columns of weights at a time."""
    step = group if kind == "int4" else 32
    most = min(_MOST_COLUMNS, max(-(-columns // step) * step for _, columns in products))
    return [_ORDERS[kind](device, group, n, wide) for n in range(step, most + 1, step)]


@dataclass(frozen=True, eq=False)
class TokenDesign:
    """The design for a token whose pieces are dispatches of their own. `text` has a sequence for each piece."""

    order: Arrangement
    attend: attention.Attention
    text: str
    device: str
    cache: bool

    @property
    def kernels(self) -> dict[str, Any]:
        """The functions of the cores."""
        return {self.order.name: self.order.kernel(), attention.NAME: self.attend.kernel()}

    def piece(self, example: Example) -> StreamedProgram | AttentionProgram:
        """The program of a piece."""
        text = _SEQUENCE.sub(lambda item: item[0] if item[1] == example.name else "", self.text)
        result = compile_program(text, device=self.device, cache=self.cache, kernels=self.kernels)
        if example.name == "attend":
            return AttentionProgram(example, result, self.attend)
        return StreamedProgram(example, result, self.order)


def token_design(form: Form, kind: str, group: int, context: int, device: str, cache: bool) -> TokenDesign:
    """The design for a token of several dispatches."""
    order, attend = _side_by_side(form, kind, group, context, device)

    def lowered(text: str, columns: int) -> str:
        part = f"{device.partition('_')[0]}_{columns}col"
        result = compile_program(text, "air-npu", device=part, cache=cache).lowered.text
        return result.replace(f"aie.device({part})", f"aie.device({device})", 1)

    products = {name: lowered(order.text(*size), order.wide) for name, size in products_of(form).items()}
    whole = _merged(products, {"attend": lowered(attend.text(), attend.columns)})
    assert whole.count("aie.device(") == 1
    return TokenDesign(order, attend, whole, device, cache)


def _side_by_side(form: Form, kind: str, group: int, context: int, device: str) -> tuple[Arrangement, attention.Attention]:
    """The numbers of columns for products and for attention with which a layer takes the shortest time."""
    columns, arch = DEVICES[device].columns, arch_of(DEVICES[device])
    results = []
    for own in range(1, columns):
        order = arrangement(device, kind, group, products_of(form).values(), columns - own)
        attend = attention.attention(device, own, form, context)
        weights = sum(order.read(*size) for size in form.linears.values())
        time = weights / min(arch.read_bytes, order.wide * arch.channel_bytes)
        time += attend.read / min(arch.read_bytes, own * arch.column_bytes)
        results.append((time, own, order, attend))
    return min(results, key=lambda f: f[:2])[2:]


def _merged(products: dict[str, str], designs: dict[str, str]) -> str:
    """Merges designs that differ only in their sequences into one module, next to other designs. The sequences get the names of
    `products` and `designs`.
    """
    texts = list(products.values())
    assert len({_SEQUENCE.sub("", t) for t in texts}) == 1
    sequences = {n: _sequence(t).replace("@product(", f"@{n}(", 1) for n, t in products.items()}
    own = _SEQUENCE.sub(lambda _: "".join(sequences.values()), texts[0])
    runs = {n: _arguments(s) for n, s in sequences.items()} | {n: _arguments(_sequence(t)) for n, t in designs.items()}
    declared = "\n".join(f"func.func private @{n}({', '.join(kinds)})" for n, kinds in runs.items())
    values = {n: [f"%{n}{i}" for i in range(len(kinds))] for n, kinds in runs.items()}
    arguments = ", ".join(f"{v}: {k}" for n, kinds in runs.items() for v, k in zip(values[n], kinds, strict=True))
    calls = "\n".join(f"func.call @{n}({', '.join(values[n])}) : ({', '.join(k)}) -> ()" for n, k in runs.items())
    inside = "".join(map(_operations_text, (own, *designs.values())))
    text = f"module {{\n{inside}{declared}\nfunc.func @token({arguments}) {{\n{calls}\nreturn\n}}\n}}\n"
    with ir.Context(), ir.Location.unknown():
        module = asm.read(text, "token")
        LinkKernels(merge_only=True).run(module.operation)
        return _FUNCTION.sub("", asm.write(module.operation))


def _sequence(text: str) -> str:
    result = _SEQUENCE.search(text)
    assert result
    return result[0]


def _arguments(sequence: str) -> list[str]:
    match = _SEQUENCE.match(sequence)
    assert match
    return [argument.partition(": ")[2] for argument in match[2].split(", %")]


def _operations_text(module: str) -> str:
    """The text of a module's operations, with the attributes that it names in front spelled out."""
    text = module
    for name, attribute in reversed(_ALIAS.findall(module)):
        text = re.sub(rf"#{name}\b", lambda _, attribute=attribute: attribute, text)  # type: ignore[misc]
    text = text[text.index("module") :]
    return text[text.index("{") + 1 : text.rindex("}")].lstrip("\n")
