"""What operators reach on the array: cycles as simulated, what bounds them, and how much of that bound they use.

    python bench/operators.py [--device npu2] [--only add softmax ...] [--small] [--bfp16]

Each is a function on tensors, compiled by `npu` and run on the simulator. Memory is the time that external memory takes for
each operand and each result once, as part of the cycles; peak is that of all cores' MAC instructions for the type. Loading
devices is not counted; how many kernels an operator became is shown. `--small` takes shapes that run in seconds.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from time import perf_counter

import numpy as np
from more_operators import MORE
from operator_bodies import ADD, GELU, RELU, SIGMOID, SILU, TANH
from operator_text import Operator, function, into, loop, tensor

import allo_air
from allo_air.arch import arch_of
from allo_air.device import DEVICES
from allo_air.dtypes import numpy_dtype
from allo_air.passes.linalg._rates import peak_macs


def elementwise(count: int, element: str, inputs: int, lines: str) -> Operator:
    kind = tensor((count,), element)
    ins = [f"%{chr(97 + i)}" for i in range(inputs)]
    body = into("r", (count,), element) + loop("r", ins, [kind] * inputs, ["(i) -> (i)"] * (inputs + 1), "p", kind, lines)
    return function([((count,), element)] * inputs, ((count,), element), body + f"\n  return %r : {kind}")


def by_rows(rows: int, columns: int, element: str, steps: list[tuple[str, ...]]) -> Operator:
    """Steps over rows in f32: ("reduce", name, input, zero, lines) or ("map", name, inputs..., lines), at last the result."""
    narrow = tensor((rows,), "f32")
    here, row = "(i, j) -> (i, j)", "(i, j) -> (i)"
    known = {"a": tensor((rows, columns), element)}
    body = ""
    for number, (what, name, *rest) in enumerate(steps):
        last = number == len(steps) - 1
        if what == "reduce":
            source, zero, lines = rest
            body += "\n" + into(name, (rows,), "f32", zero)
            body += loop(name, [f"%{source}"], [known[source]], [here, row], "pr", narrow, lines)
            known[name] = narrow
            continue
        *sources, lines = rest
        kind = tensor((rows, columns), element if last else "f32") if any(known[s] != narrow for s in sources) else narrow
        maps = [here if known[s] != narrow or kind == narrow else row for s in sources]
        shape = (rows,) if kind == narrow else (rows, columns)
        body += "\n" + into(name, shape, element if last else "f32")
        if kind == narrow:
            maps, iterators = ["(i) -> (i)"] * (len(sources) + 1), "p"
        else:
            maps, iterators = [*maps, here], "pp"
        body += loop(name, [f"%{s}" for s in sources], [known[s] for s in sources], maps, iterators, kind, lines)
        known[name] = kind
    result = steps[-1][1]
    return function([((rows, columns), element)], ((rows, columns), element), body + f"\n  return %{result} : {known[result]}")


def widened(element: str, number: int = 0) -> str:
    """%w as %x in f32."""
    if element == "f32":
        return f"    %w = arith.bitcast %x{number} : f32 to f32"
    return f"    %w = arith.extf %x{number} : {element} to f32"


def narrowed(element: str) -> str:
    """%y from %v in f32."""
    return "    %y = arith.bitcast %v : f32 to f32" if element == "f32" else f"    %y = arith.truncf %v : f32 to {element}"


def softmax(rows: int, columns: int, element: str) -> Operator:
    return by_rows(rows, columns, element, [
        ("map", "w", "a", f"{widened(element)}\n    %y = arith.bitcast %w : f32 to f32"),
        ("reduce", "m", "w", "0xFF800000", "    %y = arith.maximumf %x0, %o : f32"),
        ("map", "e", "w", "m", "    %d = arith.subf %x0, %x1 : f32\n    %y = math.exp %d : f32"),
        ("reduce", "s", "e", "0.0", "    %y = arith.addf %x0, %o : f32"),
        ("map", "r", "e", "s", f"    %v = arith.divf %x0, %x1 : f32\n{narrowed(element)}"),
    ])  # fmt: skip


def rms_norm(rows: int, columns: int, element: str) -> Operator:
    mean = (
        f"    %n = arith.constant {columns}.0 : f32\n    %q = arith.divf %x0, %n : f32\n    %c = arith.constant 1.0e-5 : f32\n"
    )
    return by_rows(rows, columns, element, [
        ("map", "w", "a", f"{widened(element)}\n    %y = arith.bitcast %w : f32 to f32"),
        ("reduce", "s", "w", "0.0", "    %q = arith.mulf %x0, %x0 : f32\n    %y = arith.addf %q, %o : f32"),
        ("map", "f", "s", mean + "    %t = arith.addf %q, %c : f32\n    %y = math.rsqrt %t : f32"),
        ("map", "r", "w", "f", f"    %v = arith.mulf %x0, %x1 : f32\n{narrowed(element)}"),
    ])  # fmt: skip


def layer_norm(rows: int, columns: int, element: str) -> Operator:
    mean = f"    %n = arith.constant {columns}.0 : f32\n    %q = arith.divf %x0, %n : f32\n"
    root = "    %c = arith.constant 1.0e-5 : f32\n    %t = arith.addf %q, %c : f32\n    %y = math.rsqrt %t : f32"
    return by_rows(rows, columns, element, [
        ("map", "w", "a", f"{widened(element)}\n    %y = arith.bitcast %w : f32 to f32"),
        ("reduce", "s", "w", "0.0", "    %y = arith.addf %x0, %o : f32"),
        ("map", "m", "s", mean + "    %y = arith.bitcast %q : f32 to f32"),
        ("map", "d", "w", "m", "    %y = arith.subf %x0, %x1 : f32"),
        ("reduce", "z", "d", "0.0", "    %q = arith.mulf %x0, %x0 : f32\n    %y = arith.addf %q, %o : f32"),
        ("map", "f", "z", mean + root),
        ("map", "r", "d", "f", f"    %v = arith.mulf %x0, %x1 : f32\n{narrowed(element)}"),
    ])  # fmt: skip


def sum_of(rows: int, columns: int, element: str, dimension: int) -> Operator:
    kind, shape = tensor((rows, columns), element), (rows,) if dimension else (columns,)
    maps = ["(i, j) -> (i, j)", "(i, j) -> (i)" if dimension else "(i, j) -> (j)"]
    zero = "0.0" if element != "i32" else "0"
    body = into("r", shape, element, zero)
    body += loop(
        "r",
        ["%a"],
        [kind],
        maps,
        "pr" if dimension else "rp",
        tensor(shape, element),
        f"    %y = arith.addf %x0, %o : {element}",
    )
    return function([((rows, columns), element)], (shape, element), body + f"\n  return %r : {tensor(shape, element)}")


def transpose(rows: int, columns: int, element: str) -> Operator:
    kind, turned = tensor((rows, columns), element), tensor((columns, rows), element)
    body = f"""{into("r", (columns, rows), element)}
  %r = linalg.transpose ins(%a : {kind}) outs(%r_o : {turned}) permutation = [1, 0]
  return %r : {turned}"""
    return function([((rows, columns), element)], ((columns, rows), element), body)


def matmul(m: int, n: int, k: int, element: str, result: str) -> Operator:
    a, b, c = tensor((m, k), element), tensor((k, n), element), tensor((m, n), result)
    body = f"""{into("r", (m, n), result, "0.0" if "f" in result else "0")}
  %r = linalg.matmul ins(%a, %b : {a}, {b}) outs(%r_o : {c}) -> {c}
  return %r : {c}"""
    return function([((m, k), element), ((k, n), element)], ((m, n), result), body, m * n * k)


def convolution(channels: int, filters: int, size: int, element: str, result: str) -> Operator:
    x, w = (1, size + 2, size + 2, channels), (3, 3, channels, filters)
    y = (1, size, size, filters)
    kind, into_r = tensor(y, result), into("r", y, result, "0.0" if "f" in result else "0")
    body = f"""{into_r}
  %r = linalg.conv_2d_nhwc_hwcf ins(%a, %b : {tensor(x, element)}, {tensor(w, element)}) outs(%r_o : {kind}) -> {kind}
  return %r : {kind}"""
    return function([(x, element), (w, element)], (y, result), body, 9 * channels * filters * size * size)


def requantized(channels: int, filters: int, size: int, shift: int) -> Operator:
    """A convolution of i8 whose sums are divided by 2^shift, rounded, and clamped to i8."""
    found = convolution(channels, filters, size, "i8", "i32")
    wide, narrow = (tensor((1, size, size, filters), e) for e in ("i32", "i8"))
    lines = f"""    %half = arith.constant {1 << (shift - 1)} : i32
    %by = arith.constant {shift} : i32
    %low = arith.constant -128 : i32
    %high = arith.constant 127 : i32
    %s = arith.addi %x0, %half : i32
    %d = arith.shrsi %s, %by : i32
    %m = arith.maxsi %d, %low : i32
    %n = arith.minsi %m, %high : i32
    %y = arith.trunci %n : i32 to i8"""
    maps = ["(n, h, w, f) -> (n, h, w, f)"] * 2
    head, _, _ = found.text.rpartition("  return")
    body = into("q", (1, size, size, filters), "i8") + loop("q", ["%r"], [wide], maps, "pppp", narrow, lines)
    text = head.replace(f") -> {wide} {{", f") -> {narrow} {{", 1) + f"{body}\n  return %q : {narrow}\n}}\n"
    return Operator(text, found.arguments, found.moved - 3 * size * size * filters, found.macs)


def rounded_convolution(channels: int, filters: int, size: int) -> Operator:
    """A convolution of bf16 whose sums are rounded to bf16."""
    found = convolution(channels, filters, size, "bf16", "f32")
    wide, narrow = (tensor((1, size, size, filters), e) for e in ("f32", "bf16"))
    head, _, _ = found.text.rpartition("  return")
    text = head.replace(f") -> {wide} {{", f") -> {narrow} {{", 1)
    text += f"  %t = arith.truncf %r : {wide} to {narrow}\n  return %t : {narrow}\n}}\n"
    return Operator(text, found.arguments, found.moved - 2 * size * size * filters, found.macs)


def attention(heads: int, length: int, channels: int, element: str) -> Operator:
    """softmax(Q K^T / sqrt(channels)) V in f32, of operands of type `element`."""
    shape, kind = (heads, length, channels), tensor((heads, length, channels), element)
    scores, turned = tensor((heads, length, length), "f32"), tensor((heads, channels, length), element)
    result = tensor(shape, "f32")
    scale = f"    %n = arith.constant {channels**-0.5!r} : f32\n    %y = arith.mulf %x0, %n : f32"
    body = f"""{into("t", (heads, channels, length), element)}
  %t = linalg.transpose ins(%b : {kind}) outs(%t_o : {turned}) permutation = [0, 2, 1]
{into("s", (heads, length, length), "f32", "0.0")}
  %s = linalg.batch_matmul ins(%a, %t : {kind}, {turned}) outs(%s_o : {scores}) -> {scores}
{into("l", (heads, length, length), "f32")}
{loop("l", ["%s"], [scores], ["(b, i, j) -> (b, i, j)"] * 2, "ppp", scores, scale)}
  %w = linalg.softmax dimension(2) ins(%l : {scores}) outs(%l_o : {scores}) -> {scores}
{into("r", shape, "f32", "0.0")}
  %r = linalg.batch_matmul ins(%w, %c : {scores}, {kind}) outs(%r_o : {result}) -> {result}
  return %r : {result}"""
    return function([(shape, element)] * 3, (shape, "f32"), body, 2 * heads * length * length * channels)


CASES: dict[str, tuple[Callable[..., Operator], tuple[object, ...], tuple[object, ...]]] = {
    "add f32": (elementwise, (1 << 20, "f32", 2, ADD.format("f32")), (1 << 14, "f32", 2, ADD.format("f32"))),
    "add bf16": (elementwise, (1 << 20, "bf16", 2, ADD.format("bf16")), (1 << 14, "bf16", 2, ADD.format("bf16"))),
    "relu bf16": (elementwise, (1 << 20, "bf16", 1, RELU.format("bf16")), (1 << 14, "bf16", 1, RELU.format("bf16"))),
    "silu bf16": (elementwise, (1 << 20, "bf16", 1, SILU), (1 << 14, "bf16", 1, SILU)),
    "sigmoid bf16": (elementwise, (1 << 20, "bf16", 1, SIGMOID), (1 << 14, "bf16", 1, SIGMOID)),
    "tanh bf16": (elementwise, (1 << 20, "bf16", 1, TANH), (1 << 14, "bf16", 1, TANH)),
    "gelu bf16": (elementwise, (1 << 20, "bf16", 1, GELU), (1 << 14, "bf16", 1, GELU)),
    "softmax f32": (softmax, (1024, 1024, "f32"), (64, 256, "f32")),
    "softmax bf16": (softmax, (1024, 1024, "bf16"), (64, 256, "bf16")),
    "layer norm bf16": (layer_norm, (1024, 1024, "bf16"), (64, 256, "bf16")),
    "layer norm f32": (layer_norm, (1024, 1024, "f32"), (64, 256, "f32")),
    "rms norm bf16": (rms_norm, (1024, 1024, "bf16"), (64, 256, "bf16")),
    "sum of rows f32": (sum_of, (1024, 1024, "f32", 1), (64, 256, "f32", 1)),
    "sum of columns f32": (sum_of, (1024, 1024, "f32", 0), (64, 256, "f32", 0)),
    "transpose f32": (transpose, (1024, 1024, "f32"), (64, 256, "f32")),
    "transpose bf16": (transpose, (1024, 1024, "bf16"), (64, 256, "bf16")),
    "gemv bf16": (matmul, (1, 4096, 4096, "bf16", "f32"), (1, 256, 256, "bf16", "f32")),
    "thin matmul bf16": (matmul, (16, 4096, 1024, "bf16", "f32"), (16, 256, 64, "bf16", "f32")),
    "tall matmul bf16": (matmul, (4096, 16, 1024, "bf16", "f32"), (256, 16, 64, "bf16", "f32")),
    "matmul bf16": (matmul, (512, 512, 512, "bf16", "f32"), (64, 64, 64, "bf16", "f32")),
    "matmul f32": (matmul, (256, 256, 256, "f32", "f32"), (32, 32, 32, "f32", "f32")),
    "attention f32": (attention, (1, 1024, 64, "f32"), (2, 64, 32, "f32")),
    "attention bf16": (attention, (1, 2048, 64, "bf16"), (2, 64, 32, "bf16")),
    "conv 3x3 bf16": (convolution, (64, 64, 56, "bf16", "f32"), (16, 16, 8, "bf16", "f32")),
    "conv 3x3 bf16 to bf16": (rounded_convolution, (64, 64, 56), (16, 16, 8)),
    "conv 3x3 i8 to i8": (requantized, (64, 64, 56, 9), (16, 16, 8, 9)),
    "conv 3x3 f32": (convolution, (64, 64, 28, "f32", "f32"), (16, 16, 8, "f32", "f32")),
    "conv 3x3 i8": (convolution, (64, 64, 56, "i8", "i32"), (16, 16, 8, "i8", "i32")),
    **MORE,
}
"""Operators, with the arguments of the full and of the small one."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", default="npu1")
    parser.add_argument("--only", nargs="*", default=[], help="operators whose names begin with one of these")
    parser.add_argument("--small", action="store_true")
    parser.add_argument("--bfp16", action="store_true", help="bf16 is multiplied in block floating point, which npu2 has")
    given = parser.parse_args()
    print(f"{'operator':20} {'kernels':>7} {'compile s':>9} {'run s':>6} {'cycles':>10} {'memory':>7} {'peak':>6}  bound")
    for name, (make, full, small) in CASES.items():
        if given.only and not any(name.startswith(o) for o in given.only):
            continue
        print(f"{name:20} {measured(make(*(small if given.small else full)), given.device, given.bfp16)}", flush=True)


def measured(operator: Operator, name: str, bfp16: bool = False) -> str:
    """The row of an operator on a device."""
    device = DEVICES[name]
    rng, start = np.random.default_rng(0), perf_counter()
    try:
        program = allo_air.compile(operator.text, pipeline="npu", device=name, cache=False, bfp16=bfp16)
    except allo_air.AlloAirError as error:
        return f"refused: {str(error).splitlines()[0][:100]}"
    compiled = perf_counter() - start
    arrays = [
        rng.integers(0, 9, shape).astype(numpy_dtype(e)) if e[0] == "i" else rng.standard_normal(shape).astype(numpy_dtype(e))
        for shape, e in operator.arguments
    ]
    start = perf_counter()
    program(*arrays)
    ran = perf_counter() - start
    report = program.report()
    memory = operator.moved / arch_of(device).memory_bytes / report.cycles
    element = operator.arguments[0][1]
    cores = device.columns * len(device.core_rows)
    peak = operator.macs / (peak_macs(device.arch, element, bfp16) * cores) / report.cycles if operator.macs else 0
    text = program.text()
    kernels = text.count("aie.device(") - ("aiex.configure" in text)
    share = f"{100 * peak:5.1f}%" if operator.macs else f"{'':6}"
    return f"{kernels:7} {compiled:9.1f} {ran:6.1f} {report.cycles:10,} {100 * memory:6.1f}% {share}  {report.bound}"


if __name__ == "__main__":
    main()
