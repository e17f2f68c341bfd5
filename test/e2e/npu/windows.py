"""Convolutions, pools and products by their names for drawn functions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod

from hypothesis import strategies as st

from .drawing import EXACT, UNIT, Drawing, Value
from .operators import contraction, function

MACS = 2_000_000
"""Products in one operation: more only makes drawn programs slow to simulate."""


def summed(d: Drawing, x: Value, y: Value, shape: tuple[int, ...], count: int) -> Value:
    """A value of sums of `count` products of `x` and `y`, in f32 or i32, that begins with zeros `NAMEf`."""
    t = "f32" if x.is_float else "i32"
    bound, error = x.bound * y.bound * count, (x.error * y.bound + y.error * (x.bound + x.error)) * count
    if t == "f32" and (error or bound > EXACT["f32"]):
        error += count * (bound + error) * UNIT["f32"]
    out = Value(d.name(), shape, t, bound if x.is_float else 2.0**31, error)
    d.filled(out, "0.0" if x.is_float else "0")
    return out


def slid(d: Drawing, sizes: Sequence[int], windows: list[int], strides: list[int]) -> tuple[list[int], list[int], str]:
    """A window that slides over an image of `sizes`, how often it fits, and its dilations and strides as linalg writes them."""
    dilation = [d.pick([1, 1, 2]) for _ in sizes]
    window = [d.pick([k for k in windows if (k - 1) * e < s]) for s, e in zip(sizes, dilation, strict=True)]
    stride = [d.pick(strides) for _ in sizes]
    made = [(s - (k - 1) * e - 1) // t + 1 for s, k, e, t in zip(sizes, window, dilation, stride, strict=True)]
    kind = f"tensor<{len(sizes)}xi64>"
    return window, made, f"dilations = dense<{dilation}> : {kind}, strides = dense<{stride}> : {kind}"


def convolution(d: Drawing, x: Value) -> Value:
    """A convolution of one or two dimensions with an argument: any stride and dilation, channels first or last."""
    n = len(x.shape) - 2
    if n not in (1, 2) or x.element not in ("f32", "bf16", "i8", "i16") or x.bound > 2**12:
        return contraction(d, x)
    last, each = d.flip(), d.flip() and n == 2
    sizes, channels = (x.shape[1:-1], x.shape[-1]) if last else (x.shape[2:], x.shape[1])
    window, made, numbers = slid(d, sizes, [1, 2, 3, 5], [1, 1, 2, 3])
    filters = channels if each else d.pick([1, 3, 8, 16])
    sums = prod(window) * (1 if each else channels)
    if sums * filters * prod(made) * x.shape[0] > MACS:
        return contraction(d, x)
    shape = (x.shape[0], *made, filters) if last else (x.shape[0], filters, *made)
    if each:
        name, of = (
            ("depthwise_conv_2d_nhwc_hwc", (*window, channels)) if last else ("depthwise_conv_2d_nchw_chw", (channels, *window))
        )
    elif last:
        name, of = ("conv_2d_nhwc_hwcf", "conv_1d_nwc_wcf")[2 - n], (*window, channels, filters)
    else:
        name, of = ("conv_2d_nchw_fchw", "conv_1d_ncw_fcw")[2 - n], (filters, channels, *window)
    w = d.argument(of, x.element)
    out = summed(d, x, w, shape, sums)
    return d.emit(
        f"{out.name} = linalg.{name} {{{numbers}}} ins({x.name}, {w.name} : {x.type}, {w.type}) "
        f"outs({out.name}f : {out.type}) -> {out.type}",
        out,
    )


def groups(d: Drawing, x: Value) -> Value:
    """A convolution in groups of channels, as PyTorch's importer writes it: channels are cut into groups, and joined."""
    if len(x.shape) != 4 or x.element not in ("f32", "bf16"):
        return convolution(d, x)
    fits = [g for g in (2, 3, 4) if x.shape[1] % g == 0]
    if not fits or min(x.shape[2:]) < 2:
        return convolution(d, x)
    g, f = d.pick(fits), d.pick([1, 2, 4])
    n, c, h, w = x.shape
    size, stride = d.pick([k for k in (1, 2, 3) if k <= min(h, w)]), d.pick([1, 2])
    made = [(s - size) // stride + 1 for s in (h, w)]
    cut = Value(d.name(), (n, g, c // g, h, w), x.element, x.bound, x.error)
    d.graph.lines.append(
        f"{cut.name} = tensor.expand_shape {x.name} [[0], [1, 2], [3], [4]] output_shape {list(cut.shape)} : "
        f"{x.type} into {cut.type}"
    )
    filters = d.argument((g, f, c // g, size, size), x.element)
    out = summed(d, x, filters, (n, g, f, *made), c // g * size * size)
    return d.emit(
        f"{out.name} = linalg.conv_2d_ngchw_gfchw {{dilations = dense<1> : tensor<2xi64>, strides = dense<{stride}> : "
        f"tensor<2xi64>}} ins({cut.name}, {filters.name} : {cut.type}, {filters.type}) outs({out.name}f : {out.type}) "
        f"-> {out.type}",
        out,
    )


def windows(d: Drawing, x: Value) -> Value:
    """Sums, largest or least of windows of one or two dimensions, of all types, dilated, channels first or last."""
    n = len(x.shape) - 2
    if n not in (1, 2):
        return function(d, x)
    last = d.flip()
    at = 1 if last else 2
    kind = d.pick(["max", "sum", "min"] if last else ["max", "sum"])
    window, made, numbers = slid(d, x.shape[at : at + n], [1, 2, 3], [1, 2, 3])
    shape = list(x.shape)
    shape[at : at + n] = made
    bound, error, count = x.bound, x.error, prod(window)
    if kind == "sum":
        bound, error = bound * count, error * count
        if x.is_float and (error or bound > EXACT[x.element]):
            error += count * (bound + error) * UNIT[x.element]
    out = Value(d.name(), tuple(shape), x.element, bound, error)
    d.filled(out, {"sum": d.zero(x), "max": d.least(x), "min": d.most(x)}[kind])
    shape_of = f"tensor<{'x'.join(map(str, window))}x{x.element}>"
    d.graph.lines.append(f"{out.name}w = tensor.empty() : {shape_of}")
    order = ("nhwc", "nwc")[2 - n] if last else ("nchw", "ncw")[2 - n]
    return d.emit(
        f"{out.name} = linalg.pooling_{order}_{kind} {{{numbers}}} ins({x.name}, {out.name}w : {x.type}, {shape_of}) "
        f"outs({out.name}f : {out.type}) -> {out.type}",
        out,
    )


def named_product(d: Drawing, x: Value) -> Value:
    """Matrices and vectors by the names of linalg, transposed by maps; a matrix may be a constant."""
    rank = len(x.shape)
    if not 1 <= rank <= 3 or x.bound * 5 > 2**20:
        return function(d, x)
    n, t = d.pick([1, 3, 16, 33]), x.element
    if rank == 1:
        kind = d.pick(["dot", "vecmat"])
        y = d.argument(x.shape, t) if kind == "dot" else d.weight((x.shape[0], n), t)
        shape: tuple[int, ...] = () if kind == "dot" else (n,)
    elif rank == 2:
        kind = d.pick(["matvec", "matmul", "matmul"])
        y = d.argument(x.shape[1:], t) if kind == "matvec" else d.weight((x.shape[1], n), t)
        shape = x.shape[:1] if kind == "matvec" else (x.shape[0], n)
    else:
        kind = d.pick(["batch_matvec", "batch_reduce_matmul", "batch_matmul"])
        b, m, k = x.shape
        y = d.argument((b, k) if kind == "batch_matvec" else (b, k, n), t)
        shape = {"batch_matvec": (b, m), "batch_reduce_matmul": (m, n), "batch_matmul": (b, m, n)}[kind]
    count = x.shape[-1] * (x.shape[0] if kind == "batch_reduce_matmul" else 1)
    maps = ""
    if kind == "matmul" and d.flip():
        y = d.weight((n, x.shape[1]), t)
        loops = [f"affine_map<(d0, d1, d2) -> ({m})>" for m in ("d0, d2", "d1, d2", "d0, d1")]
        maps = f" indexing_maps = [{', '.join(loops)}]"
    out = summed(d, x, y, shape, count)
    return d.emit(
        f"{out.name} = linalg.{kind}{maps} ins({x.name}, {y.name} : {x.type}, {y.type}) outs({out.name}f : {out.type}) "
        f"-> {out.type}",
        out,
    )


def dequantized(d: Drawing, x: Value) -> Value:
    """A product with weights of 8 bits that have a scale and a zero point for each group of inputs."""
    if len(x.shape) != 2 or x.element != "f32" or x.bound > 2**12:
        return named_product(d, x)
    k, n = x.shape[1], d.pick([1, 4, 24])
    size = d.pick([g for g in range(1, k + 1) if k % g == 0])
    w, scale = d.argument((n, k // size, size), "i8"), d.argument((n, k // size), "f32")
    made = Value(d.name(), w.shape, "f32", (w.bound + 3) * scale.bound)
    body = d.body(
        "%z = arith.constant 3 : i32", "%w = arith.extsi %x0 : i8 to i32", "%s = arith.subi %w, %z : i32",
        "%f = arith.sitofp %s : i32 to f32", "%r = arith.mulf %f, %x1 : f32", element="f32",
    )  # fmt: skip
    made = d.elementwise([(w, "d0, d1, d2"), (scale, "d0, d1")], made, body)
    flat = Value(d.name(), (n, k), "f32", made.bound)
    flat = d.emit(f"{flat.name} = tensor.collapse_shape {made.name} [[0], [1, 2]] : {made.type} into {flat.type}", flat)
    out = summed(d, x, flat, (x.shape[0], n), k)
    maps = ", ".join(f"affine_map<(d0, d1, d2) -> ({m})>" for m in ("d0, d2", "d1, d2", "d0, d1"))
    return d.emit(
        f"{out.name} = linalg.matmul indexing_maps = [{maps}] ins({x.name}, {flat.name} : {x.type}, {flat.type}) "
        f"outs({out.name}f : {out.type}) -> {out.type}",
        out,
    )


def outer(d: Drawing, x: Value) -> Value:
    """A product over any dimensions of `x` with an argument that has these and others, in any order, as einsum writes it."""
    rank = len(x.shape)
    if not 1 <= rank <= 4 or x.bound * 5 > 2**20:
        return function(d, x)
    roles = [d.pick(["kept", "summed", "shared"]) for _ in range(rank)]
    n = d.pick([1, 3, 8])
    other = d.draw(st.permutations([i for i, r in enumerate(roles) if r != "kept"] + [rank]))
    sizes = (*x.shape, n)
    result = d.draw(st.permutations([i for i in range(rank + 1) if i == rank or roles[i] != "summed"]))
    if prod(sizes) > MACS or prod(sizes[i] for i in result) > d.largest or prod(sizes[i] for i in other) > d.largest:
        return function(d, x)
    y = d.argument(tuple(sizes[i] for i in other), x.element)
    count = prod([sizes[i] for i, r in enumerate(roles) if r == "summed"])
    out = summed(d, x, y, tuple(sizes[i] for i in result), count)
    t, wider = out.element, "extf" if x.is_float else "extsi"
    text = [] if x.element == t else [f"%w{i} = arith.{wider} %x{i} : {x.element} to {t}" for i in (0, 1)]
    a, b = ("%x0", "%x1") if x.element == t else ("%w0", "%w1")
    mul, add = ("mulf", "addf") if x.is_float else ("muli", "addi")
    body = d.body(*text, f"%p = arith.{mul} {a}, {b} : {t}", f"%r = arith.{add} %o, %p : {t}", element=t)
    kinds = ["reduction" if r == "summed" else "parallel" for r in roles] + ["parallel"]
    maps = [", ".join(f"d{i}" for i in dims) for dims in (range(rank), other, result)]
    zero = Value(f"{out.name}f", out.shape, t, 0)
    return d.generic([(x, maps[0]), (y, maps[1])], out, maps[2], kinds, body, before=zero)


WINDOWS: list[Callable[[Drawing, Value], Value]] = [
    *(convolution, convolution, groups, windows, windows, named_product, named_product, dequantized, outer),
]
