"""What thin, tall and small matrix multiplications reach of what bounds them, by the estimate.

    python bench/thin.py [--cases bf16:4096x1x4096 i8:64x4096x4096:npu2 bf16-t+bias:16x4096x4096 ...]

A case is `type[-t][+bias]:MxNxK[:device]`, of both devices where none is named; with `-t` B is N x K, as weights of layers
often are, with `+bias` an element for each column is added, with `+residual` one for each of the result, of the result's type.
Memory is the time of each operand and the result once, contiguous, as part of the cycles; peak that of the instructions that
multiply this type. `of bound` is the larger of the two: no plan is faster than either.
"""

from __future__ import annotations

import argparse

import allo_air
from allo_air.arch import arch_of
from allo_air.device import DEVICES
from allo_air.dtypes import numpy_dtype
from allo_air.passes.linalg._rates import kernels

SHAPES = (
    "1x4096x4096", "8x8192x2048", "16x4096x4096", "64x4096x4096", "128x4096x4096", "24x1000x3000", "32x512x8192",
    "4096x1x4096", "4096x16x4096", "4096x64x4096", "4096x128x1024", "1000x24x3000",
)  # fmt: skip
TYPES = ("bf16", "i8", "bf16-t", "i8-t", "bf16+bias", "i8+bias", "bf16-t+bias", "i8-t+bias")


def source(element: str, turned: bool, added: str, m: int, n: int, k: int) -> str:
    """The product on tensors, summed in 32 bits, and what is `added` to it."""
    wide = "f32" if "f" in element else "i32"
    rows, columns = (n, k) if turned else (k, n)
    a, b, c = f"tensor<{m}x{k}x{element}>", f"tensor<{rows}x{columns}x{element}>", f"tensor<{m}x{n}x{wide}>"
    maps = ", ".join(f"affine_map<(m, n, k) -> {r}>" for r in ("(m, k)", "(n, k)" if turned else "(k, n)", "(m, n)"))
    side, follows = {"bias": (f"tensor<{n}x{wide}>", "n"), "residual": (c, "m, n"), "": ("", "")}[added]
    after = ", ".join(f"affine_map<(m, n) -> ({r})>" for r in ("m, n", follows, "m, n"))
    sum_ = f"""%s = linalg.generic {{indexing_maps = [{after}], iterator_types = ["parallel", "parallel"]}}
      ins(%r, %v : {c}, {side}) outs(%empty : {c}) {{
  ^bb0(%x: {wide}, %y: {wide}, %o: {wide}):
    %t = arith.add{"f" if "f" in wide else "i"} %x, %y : {wide}
    linalg.yield %t : {wide}
  }} -> {c}
  return %s : {c}"""
    return f"""func.func @thin(%a: {a}, %b: {b}{f", %v: {side}" if added else ""}) -> {c} {{
  %zero = arith.constant {"0.0" if "f" in wide else "0"} : {wide}
  %empty = tensor.empty() : {c}
  %init = linalg.fill ins(%zero : {wide}) outs(%empty : {c}) -> {c}
  %r = linalg.matmul indexing_maps = [{maps}] ins(%a, %b : {a}, {b}) outs(%init : {c}) -> {c}
  {sum_ if added else f"return %r : {c}"}
}}
"""


def row(case: str) -> str:
    """A line of the table."""
    types, sizes, name = case.split(":")
    plain, _, added = types.partition("+")
    element, _, turned = plain.partition("-")
    m, n, k = map(int, sizes.split("x"))
    device, size = DEVICES[name], numpy_dtype(element).itemsize
    program = allo_air.compile(source(element, bool(turned), added, m, n, k), f"gemm-{element}", device=name)
    report = program.estimate()
    more = {"": 0, "bias": 4 * n, "residual": 4 * m * n}[added]
    memory = (size * (m * k + k * n) + 4 * m * n + more) / arch_of(device).memory_bytes / report.cycles
    peak = m * n * k / (kernels(device.arch, element)[0].macs * device.columns * len(device.core_rows)) / report.cycles
    shares = f"{100 * memory:6.1f}% {100 * peak:6.1f}% {100 * max(memory, peak):8.1f}%"
    return f"{types:11} {sizes:16} {name:6} {report.cycles:11,} {shares}  {report.bound}"


def main() -> None:
    """Prints the table, a line for each case."""
    every = [f"{t}:{s}:{d}" for d in ("npu1", "npu2") for t in TYPES for s in SHAPES]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", nargs="+", default=every, help="type[-t][+bias|+residual]:MxNxK[:device]")
    given = parser.parse_args()
    print(f"{'type':11} {'M x N x K':16} {'device':6} {'cycles':>11} {'memory':>7} {'peak':>7} {'of bound':>9}  bound by")
    for case in given.cases:
        for full in [case] if case.count(":") == 2 else [f"{case}:npu1", f"{case}:npu2"]:
            print(row(full), flush=True)


if __name__ == "__main__":
    main()
