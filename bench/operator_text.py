"""Functions on tensors as MLIR, for the operators of bench/operators.py."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

BITS = {"f32": 32, "bf16": 16, "i8": 8, "i16": 16, "i32": 32}


@dataclass(frozen=True)
class Operator:
    """A function `@main` as MLIR, the shapes and types of its arguments, bytes that it has to move, and its MACs."""

    text: str
    arguments: tuple[tuple[tuple[int, ...], str], ...]
    moved: float
    macs: int = 0


def tensor(shape: tuple[int, ...], element: str) -> str:
    return "tensor<" + "".join(f"{n}x" for n in shape) + element + ">"


def function(
    arguments: list[tuple[tuple[int, ...], str]], result: tuple[tuple[int, ...], str], body: str, macs: int = 0
) -> Operator:
    named = ", ".join(f"%{chr(97 + i)}: {tensor(*a)}" for i, a in enumerate(arguments))
    moved = sum(prod(shape) * BITS[element] / 8 for shape, element in (*arguments, result))
    return Operator(f"func.func @main({named}) -> {tensor(*result)} {{\n{body}\n}}\n", tuple(arguments), moved, macs)


def loop(result: str, ins: list[str], kinds: list[str], maps: list[str], iterators: str, out: str, lines: str) -> str:
    """A linalg.generic named `result`; `lines` computes %y from %x0, %x1, ... and the old value %o."""
    types = [k.removesuffix(">").split("x")[-1].removeprefix("tensor<") for k in (*kinds, out)]
    given = ", ".join(f"%x{i}: {t}" for i, t in enumerate(types[:-1]))
    listed = ", ".join(f"affine_map<{m}>" for m in maps)
    names = ", ".join(f'"{"reduction" if i == "r" else "parallel"}"' for i in iterators)
    return f"""
  %{result} = linalg.generic {{indexing_maps = [{listed}], iterator_types = [{names}]}}
      ins({", ".join(ins)} : {", ".join(kinds)}) outs(%{result}_o : {out}) {{
  ^bb0({given}, %o: {types[-1]}):
{lines}
    linalg.yield %y : {types[-1]}
  }} -> {out}"""


def into(result: str, shape: tuple[int, ...], element: str, zero: str | None = None) -> str:
    """What an operation named `result` writes to: anything, or all of one number."""
    kind = tensor(shape, element)
    if zero is None:
        return f"  %{result}_o = tensor.empty() : {kind}"
    return f"""  %{result}_z = arith.constant {zero} : {element}
  %{result}_e = tensor.empty() : {kind}
  %{result}_o = linalg.fill ins(%{result}_z : {element}) outs(%{result}_e : {kind}) -> {kind}"""
