"""The planner's price of elementwise operations, reductions and moves against the simulator's cycles for what it then emits.

    python bench/prices.py [--device npu1 npu2] [--only gelu softmax ...]

Each row is one operator of one type: cycles that `plan-tiles` gives its kernels, cycles of an estimate without data, and their
quotient. The last lines have the quotients' range and the rank correlation of both numbers over all rows. Estimates count what
a run does (bench/estimates.py).
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from more_operators import argmax, log_softmax, pooling
from operator_bodies import RELU
from operator_text import Operator
from operators import elementwise, layer_norm, rms_norm, softmax, sum_of, transpose
from published import rank_correlation

import allo_air

COUNT = 1 << 18
"""Elements of elementwise operators: enough for the cores' code to matter beside the start of a run."""
SIDE = 512

_MATH = {name: f"    %v = math.{name} %w : f32" for name in ("exp", "log", "tanh", "erf", "sqrt", "rsqrt", "absf")}
_ONE = "    %one = arith.constant 1.0 : f32\n"
_ZERO = "    %zero = arith.constant 0.0 : f32\n"
_SIGMOID = _ONE + "    %n = arith.negf %w : f32\n    %e = math.exp %n : f32\n    %d = arith.addf %e, %one : f32\n"
_ELU = _ONE + _ZERO + "    %e = math.exp {} : f32\n    %m = arith.subf %e, %one : f32\n"
_POSITIVE = "    %p = arith.cmpf ogt, %w, %zero : f32\n    %v = arith.select %p, %w, %m : f32"
UNARY = {
    **{name.removesuffix("sf") + "s" * name.endswith("sf"): lines for name, lines in _MATH.items()},
    "sigmoid": _SIGMOID + "    %v = arith.divf %one, %d : f32",
    "silu": _SIGMOID + "    %v = arith.divf %w, %d : f32",
    "elu": _ELU.format("%w") + _POSITIVE,
    "celu": "    %two = arith.constant 2.0 : f32\n    %q = arith.divf %w, %two : f32\n" + _ELU.format("%q") + _POSITIVE,
    "gelu erf": _ONE + """    %half = arith.constant 0.5 : f32
    %c = arith.constant 0.707106769 : f32
    %u = arith.mulf %w, %c : f32
    %e = math.erf %u : f32
    %d = arith.addf %e, %one : f32
    %h = arith.mulf %w, %half : f32
    %v = arith.mulf %h, %d : f32""",
    "gelu tanh": _ONE + """    %half = arith.constant 0.5 : f32
    %c = arith.constant 0.044715 : f32
    %g = arith.constant 0.797884583 : f32
    %s = arith.mulf %w, %w : f32
    %t = arith.mulf %s, %w : f32
    %a3 = arith.mulf %t, %c : f32
    %u = arith.addf %w, %a3 : f32
    %i = arith.mulf %u, %g : f32
    %e = math.tanh %i : f32
    %d = arith.addf %e, %one : f32
    %h = arith.mulf %w, %half : f32
    %v = arith.mulf %h, %d : f32""",
}  # fmt: skip
"""%v from %w, both f32; those of bf16 are widened before and rounded after."""

BINARY = {
    "add": ("addf", "addi"),
    "sub": ("subf", "subi"),
    "mul": ("mulf", "muli"),
    "div": ("divf", ""),
    "max": ("maximumf", "maxsi"),
}
"""Operations of floats and of integers."""

CHAINS = {
    "i8 to f32": ("i8", "f32", "    %y = arith.sitofp %x0 : i8 to f32"),
    "bf16 to f32": ("bf16", "f32", "    %y = arith.extf %x0 : bf16 to f32"),
    "f32 to bf16": ("f32", "bf16", "    %y = arith.truncf %x0 : f32 to bf16"),
    "i8 to i32": ("i8", "i32", "    %y = arith.extsi %x0 : i8 to i32"),
    "i32 to f32": ("i32", "f32", "    %y = arith.sitofp %x0 : i32 to f32"),
    "dequantize": ("i8", "f32", """    %s = arith.constant 0.0235 : f32
    %f = arith.sitofp %x0 : i8 to f32
    %y = arith.mulf %f, %s : f32"""),
    "quantize": ("f32", "i8", """    %s = arith.constant 42.5 : f32
    %low = arith.constant -128.0 : f32
    %high = arith.constant 127.0 : f32
    %q = arith.mulf %x0, %s : f32
    %r = math.roundeven %q : f32
    %l = arith.maximumf %r, %low : f32
    %h = arith.minimumf %l, %high : f32
    %y = arith.fptosi %h : f32 to i8"""),
}  # fmt: skip


def converted(source: str, result: str, lines: str) -> Operator:
    """An elementwise operator from one type to another."""
    from operator_text import function, into, loop, tensor

    kinds = [tensor((COUNT,), source)], tensor((COUNT,), result)
    body = into("r", (COUNT,), result) + loop("r", ["%a"], kinds[0], ["(i) -> (i)"] * 2, "p", kinds[1], lines)
    return function([((COUNT,), source)], ((COUNT,), result), body + f"\n  return %r : {kinds[1]}")


def unary(name: str, element: str) -> Operator:
    """An elementwise function in f32 of f32 or bf16."""
    if element == "f32":
        return elementwise(COUNT, "f32", 1, UNARY[name].replace("%w", "%x0").replace("%v", "%y"))
    wide = "    %w = arith.extf %x0 : bf16 to f32\n"
    return elementwise(COUNT, "bf16", 1, f"{wide}{UNARY[name]}\n    %y = arith.truncf %v : f32 to bf16")


def largest(element: str, dimension: int) -> Operator:
    """The greatest element along a dimension."""
    least = {"f32": "0xFF800000", "bf16": "0xFF80", "i32": "-2147483648"}[element]
    text = sum_of(SIDE, SIDE, element, dimension)
    name = "maximumf" if element[0] != "i" else "maxsi"
    zero = "0.0" if element != "i32" else "0"
    body = text.text.replace("arith.addf", f"arith.{name}").replace(f"constant {zero} :", f"constant {least} :")
    return Operator(body, text.arguments, text.moved)


def cases() -> Iterator[tuple[str, Callable[[], Operator]]]:
    """The operators, each with its name and type."""
    floats = ("f32", "bf16")
    for name in UNARY:
        for element in floats:
            yield f"{name} {element}", partial(unary, name, element)
    for name, (of_floats, of_integers) in BINARY.items():
        for element in (*floats, "i8", "i16", "i32"):
            op = of_floats if element in floats else of_integers
            if op:
                lines = f"    %y = arith.{op} %x0, %x1 : {element}"
                yield f"{name} {element}", partial(elementwise, COUNT, element, 2, lines)
    for element in floats:
        yield f"relu {element}", partial(elementwise, COUNT, element, 1, RELU.format(element))
        lines = f"    %p = arith.cmpf olt, %x0, %x1 : {element}\n    %y = arith.select %p, %x0, %x1 : {element}"
        yield f"select {element}", partial(elementwise, COUNT, element, 2, lines)
    for name, (source, result, lines) in CHAINS.items():
        yield name, partial(converted, source, result, lines)
    for element in floats:
        for rows in (softmax, layer_norm, rms_norm):
            yield f"{rows.__name__} {element}", partial(rows, SIDE, SIDE, element)
        for dimension in (0, 1):
            yield f"sum along {dimension} {element}", partial(sum_of, SIDE, SIDE, element, dimension)
            yield f"max along {dimension} {element}", partial(largest, element, dimension)
        yield f"transpose {element}", partial(transpose, SIDE, SIDE, element)
    yield "transpose i8", partial(transpose, SIDE, SIDE, "i8")
    yield "log softmax f32", partial(log_softmax, SIDE, SIDE)
    yield "argmax f32", partial(argmax, SIDE, SIDE)
    yield "max pool f32", partial(pooling, 64, 64, "pooling_nhwc_max", "0xFF800000")
    yield "sum pool f32", partial(pooling, 64, 64, "pooling_nhwc_sum", "0.0")


def prices(text: str, device: str) -> tuple[float, int]:
    """The planner's cycles and the simulator's of a program."""
    program = allo_air.compile(text, pipeline="npu", device=device, cache=False)
    return planned(program), program.estimate().cycles


def planned(program: Any) -> float:
    """The planner's cycles of the kernels, as `explain` tells them."""
    return sum(map(float, re.findall(r"; about ([\d.e+]+) cycles", program.explain())))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", nargs="*", default=["npu1", "npu2"])
    parser.add_argument("--only", nargs="*", default=[], help="operators whose names begin with one of these")
    given = parser.parse_args()
    for device in given.device:
        rows: list[tuple[float, float]] = []
        for name, make in cases():
            if given.only and not any(name.startswith(o) for o in given.only):
                continue
            try:
                row = prices(make().text, device)
            except allo_air.AlloAirError as error:
                print(f"{device} {name:20} refused: {str(error).splitlines()[0][:90]}", flush=True)
                continue
            if not row[0]:
                print(f"{device} {name:20} {'not priced':>10} {row[1]:10,}", flush=True)
                continue
            rows.append(row)
            mark = "" if 0.8 <= row[0] / row[1] <= 1.25 else "  *"
            print(f"{device} {name:20} {row[0]:10,.0f} {row[1]:10,} {row[0] / row[1]:6.2f}{mark}", flush=True)
        quotients = sorted(a / b for a, b in rows)
        inside = sum(0.8 <= q <= 1.25 for q in quotients)
        print(f"{device}: {inside} of {len(rows)} within 0.8 to 1.25, from {quotients[0]:.2f} to {quotients[-1]:.2f}, ", end="")
        print(f"rank correlation {rank_correlation(*zip(*rows, strict=True)):.3f}", flush=True)


if __name__ == "__main__":
    main()
