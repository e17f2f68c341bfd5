"""Draws functions of linalg operations on tensors, with a bound for how far each result may be from exact arithmetic."""

from __future__ import annotations

from collections.abc import Callable
from math import exp, prod
from typing import Any

from hypothesis import strategies as st

from .bodies import BODIES
from .drawing import BITS, EXACT, FUNCTION_ERROR, LARGEST, UNIT, Drawing, Graph, Value, dims_of, lines
from .movement import MOVEMENT
from .operators import OPERATORS
from .windows import WINDOWS
from .written import WRITTEN


def unary(d: Drawing, x: Value) -> Value:
    """Something of each element."""
    t, identity = x.element, dims_of(len(x.shape))
    two = f"%k = arith.constant {'2.0' if x.is_float else '2'} : {t}"
    add, mul, top, low = ("addf", "mulf", "maximumf", "minimumf") if x.is_float else ("addi", "muli", "maxsi", "minsi")
    choices: dict[str, tuple[list[str], float, float]] = {
        "add": ([two, f"%r = arith.{add} %x0, %k : {t}"], x.bound + 2, x.error),
        "double": ([two, f"%r = arith.{mul} %x0, %k : {t}"], x.bound * 2, x.error * 2),
        "relu": (
            [f"%k = arith.constant {'0.0' if x.is_float else '0'} : {t}", f"%r = arith.{top} %x0, %k : {t}"],
            x.bound,
            x.error,
        ),
        "clip": ([two, f"%r = arith.{low} %x0, %k : {t}"], max(x.bound, 2), x.error),
        "square": ([f"%r = arith.{mul} %x0, %x0 : {t}"], x.bound**2, 2 * x.bound * x.error + x.error**2),
        "select": (
            [
                two,
                f"%c = arith.cmp{'f olt' if x.is_float else 'i slt'}, %x0, %x0 : {t}",
                f"%r = arith.select %c, %k, %x0 : {t}",
            ],
            max(x.bound, 2),
            x.error,
        ),
    }
    if x.is_float:
        choices["neg"] = ([f"%r = arith.negf %x0 : {t}"], x.bound, x.error)
        choices["abs"] = ([f"%r = math.absf %x0 : {t}"], x.bound, x.error)
        if x.bound <= 4 and x.error < 1:
            size = exp(x.bound)
            choices["exp"] = ([f"%r = math.exp %x0 : {t}"], size, size * (1.1 * exp(x.error) * x.error + FUNCTION_ERROR))
        choices["tanh"] = ([f"%r = math.tanh %x0 : {t}"], 1.0, x.error + FUNCTION_ERROR)
        choices["inverse"] = (
            [
                f"%s = arith.mulf %x0, %x0 : {t}",
                f"%k = arith.constant 1.0 : {t}",
                f"%n = arith.addf %s, %k : {t}",
                f"%r = arith.divf %k, %n : {t}",
            ],
            1.0,
            x.error + FUNCTION_ERROR,
        )
    else:
        choices["and"] = ([two, f"%r = arith.andi %x0, %k : {t}"], 2, 0)
        choices["shift"] = (
            [f"%k = arith.constant 1 : {t}", f"%r = arith.shrsi %x0, %k : {t}"],
            x.bound,
            0,
        )
    text, bound, error = choices[d.pick(sorted(choices))]
    return d.elementwise([(x, identity)], Value(d.name(), x.shape, t, bound, error), lines(*text, last="%r", element=t))


def binary(d: Drawing, x: Value) -> Value:
    """Two tensors, of which the second may be broadcast along some dimensions, or have them in another order."""
    rank, t = len(x.shape), x.element
    same = [v for v in d.values if v.element == t and v.shape == x.shape]
    dims = d.draw(st.permutations([i for i in range(rank) if d.draw(st.booleans())]))
    shape = tuple(x.shape[i] for i in dims)
    known = [v for v in d.values if v.element == t and v.shape == shape]
    if d.draw(st.booleans()):
        y, how = d.pick(same), dims_of(rank)
    else:
        y, how = (d.pick(known) if known and d.draw(st.booleans()) else d.argument(shape, t)), dims_of(rank, dims)
    kind = d.pick(["add", "sub", "mul", "max"])
    names = {"add": "addf", "sub": "subf", "mul": "mulf", "max": "maximumf"}
    integers = {"add": "addi", "sub": "subi", "mul": "muli", "max": "maxsi"}
    bound, error = {
        "add": (x.bound + y.bound, x.error + y.error),
        "sub": (x.bound + y.bound, x.error + y.error),
        "mul": (x.bound * y.bound, x.bound * y.error + y.bound * x.error + x.error * y.error),
        "max": (max(x.bound, y.bound), max(x.error, y.error)),
    }[kind]
    op = (names if x.is_float else integers)[kind]
    out = Value(d.name(), x.shape, t, bound, error)
    body = lines(f"%r = arith.{op} %x0, %x1 : {t}", last="%r", element=t)
    return d.elementwise([(x, dims_of(rank)), (y, how)], out, body)


def reduce(d: Drawing, x: Value) -> Value:
    """A sum, a maximum or a minimum over some dimensions, or all."""
    rank, t = len(x.shape), x.element
    if not rank:
        return unary(d, x)
    over = {i for i in range(rank) if d.draw(st.booleans())} or {rank - 1}
    kept = [i for i in range(rank) if i not in over]
    count = prod(x.shape[i] for i in over)
    kind = d.pick(["add", "max", "min"])
    if x.is_float:
        op, init = {"add": ("addf", "0.0"), "max": ("maximumf", "0xFF800000"), "min": ("minimumf", "0x7F800000")}[kind]
        init = init if kind == "add" or t == "f32" else {"max": "0xFF80", "min": "0x7F80"}[kind]
    else:
        width = BITS[t]
        op, init = {
            "add": ("addi", "0"),
            "max": ("maxsi", str(-(1 << width - 1))),
            "min": ("minsi", str((1 << width - 1) - 1)),
        }[kind]
    shape = tuple(x.shape[i] for i in kept)
    before = d.argument(shape, t) if d.pick([False, False, True]) else None
    first = 0.0 if before is None else before.bound
    bound, error = (x.bound * count + first, x.error * count) if kind == "add" else (max(x.bound, first), x.error)
    if kind == "add" and x.is_float and (error or bound > EXACT[t]):
        error += count * (bound + error) * UNIT[t]
    out = Value(d.name(), shape, t, bound, error)
    kinds = ["reduction" if i in over else "parallel" for i in range(rank)]
    body = lines(f"%r = arith.{op} %o, %x0 : {t}", last="%r", element=t)
    return d.generic([(x, dims_of(rank))], out, dims_of(rank, kept), kinds, body, None if before is not None else init, before)


def transpose(d: Drawing, x: Value) -> Value:
    order = d.draw(st.permutations(range(len(x.shape))))
    out = Value(d.name(), tuple(x.shape[i] for i in order), x.element, x.bound, x.error)
    source = ", ".join(f"d{order.index(i)}" for i in range(len(order)))
    return d.elementwise([(x, source)], out, lines(last="%x0", element=x.element))


def broadcast(d: Drawing, x: Value) -> Value:
    size = d.pick([2, 3, 4])
    if len(x.shape) > 4 or prod(x.shape) * size > d.largest:
        return unary(d, x)
    at = d.draw(st.integers(0, len(x.shape)))
    out = Value(d.name(), (*x.shape[:at], size, *x.shape[at:]), x.element, x.bound, x.error)
    source = dims_of(0, [i for i in range(len(out.shape)) if i != at])
    return d.elementwise([(x, source)], out, lines(last="%x0", element=x.element))


def slice_(d: Drawing, x: Value) -> Value:
    if not x.shape:
        return unary(d, x)
    offsets, sizes, strides = [], [], []
    for n in x.shape:
        stride = d.pick([1, 1, 1, 2]) if n > 2 else 1
        size = d.draw(st.integers(1, (n + stride - 1) // stride)) if d.draw(st.booleans()) else (n + stride - 1) // stride
        offsets.append(d.draw(st.integers(0, n - (size - 1) * stride - 1)))
        sizes.append(size)
        strides.append(stride)
    out = Value(d.name(), tuple(sizes), x.element, x.bound, x.error)
    return d.emit(f"{out.name} = tensor.extract_slice {x.name}{offsets} {sizes} {strides} : {x.type} to {out.type}", out)


def pad(d: Drawing, x: Value) -> Value:
    low, high = ([d.pick([0, 0, 1, 2]) for _ in x.shape] for _ in range(2))
    shape = tuple(n + a + b for n, a, b in zip(x.shape, low, high, strict=True))
    if not x.shape or shape == x.shape or prod(shape) > d.largest:
        return unary(d, x)
    out = Value(d.name(), shape, x.element, max(1, x.bound), x.error)
    d.graph.lines.append(f"{out.name}c = arith.constant {'1.0' if x.is_float else '1'} : {x.element}")
    indices = ", ".join(f"%i{n}: index" for n in range(len(shape)))
    return d.emit(
        f"{out.name} = tensor.pad {x.name} low{low} high{high} {{\n  ^bb0({indices}):\n"
        f"    tensor.yield {out.name}c : {x.element}\n  }} : {x.type} to {out.type}",
        out,
    )


def concat(d: Drawing, x: Value) -> Value:
    if not x.shape or 2 * prod(x.shape) > d.largest:
        return unary(d, x)
    at = d.draw(st.integers(0, len(x.shape) - 1))
    fits = [v for v in d.values if v.element == x.element and len(v.shape) == len(x.shape)]
    fits = [v for v in fits if v.shape[:at] + v.shape[at + 1 :] == x.shape[:at] + x.shape[at + 1 :]]
    parts = [x, *d.draw(st.lists(st.sampled_from(fits), min_size=1, max_size=2))]
    size = sum(v.shape[at] for v in parts)
    shape = (*x.shape[:at], size, *x.shape[at + 1 :])
    out = Value(d.name(), shape, x.element, max(v.bound for v in parts), max(v.error for v in parts))
    names, types = ", ".join(v.name for v in parts), ", ".join(v.type for v in parts)
    return d.emit(f"{out.name} = tensor.concat dim({at}) {names} : ({types}) -> {out.type}", out)


def reshape(d: Drawing, x: Value) -> Value:
    if len(x.shape) < 2 or d.draw(st.booleans()):
        found = [(i, n, f) for i, n in enumerate(x.shape) for f in (2, 3, 4) if n % f == 0 and n > f and len(x.shape) < 5]
        if not found:
            return unary(d, x)
        i, n, f = d.pick(found)
        shape = (*x.shape[:i], n // f, f, *x.shape[i + 1 :])
        groups = [[k] for k in range(i)] + [[i, i + 1]] + [[k + 1] for k in range(i + 1, len(x.shape))]
        out = Value(d.name(), shape, x.element, x.bound, x.error)
        line = f"{out.name} = tensor.expand_shape {x.name} {groups} output_shape {list(shape)} : {x.type} into {out.type}"
        return d.emit(line, out)
    i = d.draw(st.integers(0, len(x.shape) - 2))
    shape = (*x.shape[:i], x.shape[i] * x.shape[i + 1], *x.shape[i + 2 :])
    groups = [[k] for k in range(i)] + [[i, i + 1]] + [[k] for k in range(i + 2, len(x.shape))]
    out = Value(d.name(), shape, x.element, x.bound, x.error)
    return d.emit(f"{out.name} = tensor.collapse_shape {x.name} {groups} : {x.type} into {out.type}", out)


def matmul(d: Drawing, x: Value) -> Value:
    """A product with a new argument, in f32 or i32."""
    if len(x.shape) not in (2, 3) or x.element == "i8":
        return unary(d, x)
    batch, m, k = x.shape[:-2], x.shape[-2], x.shape[-1]
    n = d.pick([1, 4, 7, 16])
    y = d.argument((*batch, k, n), x.element)
    t = "f32" if x.is_float else "i32"
    bound, error = x.bound * y.bound * k, y.bound * x.error * k
    if t == "f32" and (error or bound > EXACT["f32"]):
        error += k * (bound + error) * UNIT["f32"]
    out = Value(d.name(), (*batch, m, n), t, bound, error)
    zero = "0.0" if x.is_float else "0"
    d.graph.lines += [
        f"{out.name}e = tensor.empty() : {out.type}",
        f"{out.name}c = arith.constant {zero} : {t}",
        f"{out.name}f = linalg.fill ins({out.name}c : {t}) outs({out.name}e : {out.type}) -> {out.type}",
    ]
    op = "linalg.batch_matmul" if batch else "linalg.matmul"
    return d.emit(
        f"{out.name} = {op} ins({x.name}, {y.name} : {x.type}, {y.type}) outs({out.name}f : {out.type}) -> {out.type}", out
    )


CASTS = {
    ("f32", "bf16"): "truncf",
    ("bf16", "f32"): "extf",
    ("i8", "i32"): "extsi",
    ("i16", "i32"): "extsi",
    ("i32", "f32"): "sitofp",
    ("i8", "f32"): "sitofp",
}


def cast(d: Drawing, x: Value) -> Value:
    to = [b for a, b in CASTS if a == x.element]
    if not to:
        return unary(d, x)
    element = d.pick(to)
    out = Value(d.name(), x.shape, element, x.bound, x.error)
    body = lines(f"%r = arith.{CASTS[x.element, element]} %x0 : {x.element} to {element}", last="%r", element=element)
    return d.elementwise([(x, dims_of(len(x.shape)))], out, body)


def softmax(d: Drawing, x: Value) -> Value:
    """Of the last dimension."""
    if not x.is_float or not x.shape or x.error > 0.5:
        return unary(d, x)
    rank, t = len(x.shape), x.element
    rows = dims_of(rank, range(rank - 1))
    kinds = ["parallel"] * (rank - 1) + ["reduction"]
    low = "0xFF800000" if t == "f32" else "0xFF80"
    top = Value(d.name(), x.shape[:-1], t, x.bound, x.error)
    top = d.generic(
        [(x, dims_of(rank))], top, rows, kinds, lines(f"%r = arith.maximumf %o, %x0 : {t}", last="%r", element=t), low
    )
    body = lines(f"%s = arith.subf %x0, %x1 : {t}", f"%r = math.exp %s : {t}", last="%r", element=t)
    unit = UNIT[t] * (2 * x.bound + 1)
    power = d.elementwise(
        [(x, dims_of(rank)), (top, rows)], Value(d.name(), x.shape, t, 1.0, 4 * x.error + unit + FUNCTION_ERROR), body
    )
    count = x.shape[-1]
    total = Value(d.name(), x.shape[:-1], t, count, count * (power.error + 4 * count * UNIT[t]))
    total = d.generic(
        [(power, dims_of(rank))], total, rows, kinds, lines(f"%r = arith.addf %o, %x0 : {t}", last="%r", element=t), "0.0"
    )
    body = lines(f"%r = arith.divf %x0, %x1 : {t}", last="%r", element=t)
    out = Value(d.name(), x.shape, t, 1.0, power.error + total.error + FUNCTION_ERROR)
    return d.elementwise([(power, dims_of(rank)), (total, rows)], out, body)


STEPS: list[Callable[[Drawing, Value], Value]] = [
    *(unary, unary, binary, binary, binary, reduce, reduce, transpose, broadcast),
    *(slice_, pad, concat, reshape, matmul, cast, softmax),
    *OPERATORS,
    *(*WINDOWS, *BODIES, *MOVEMENT, *WRITTEN),
]


def limited(d: Drawing, x: Value) -> Value:
    """`x` where its numbers are not large, else its hyperbolic tangent: integers wrap, but floats would lose all meaning."""
    if not x.is_float or x.bound + x.error < 1e4:
        return x
    body = lines(f"%r = math.tanh %x0 : {x.element}", last="%r", element=x.element)
    out = Value(d.name(), x.shape, x.element, 1.0, x.error + FUNCTION_ERROR)
    return d.elementwise([(x, dims_of(len(x.shape)))], out, body)


@st.composite
def graphs(draw: Any, least: int = 1, steps: int = 6, largest: tuple[int, ...] = (LARGEST,)) -> Graph:
    """A function of `least` to `steps` operations on tensors of rank 0 to 5, of as many elements as one of `largest`."""
    element = draw(st.sampled_from(["f32", "f32", "f32", "bf16", "bf16", "i32", "i16", "i8"]))
    most = draw(st.sampled_from(largest))
    d = Drawing(draw, element, most)
    few = [1, 2, 3, 4, 5, 7, 8, 13, 16, 17, 31, 32, 64, 100]
    sizes = st.sampled_from(few if most == LARGEST else [*few, 127, 200, 511, 1000])
    for _ in range(draw(st.integers(1, 2))):
        shape = tuple(draw(st.lists(sizes, min_size=0 if most == LARGEST else 2, max_size=5)))
        while prod(shape) > most:
            shape = shape[1:]
        d.argument(shape, element)
    for _ in range(draw(st.integers(least, steps))):
        recent = d.values[-3:] if draw(st.booleans()) else d.values
        limited(d, draw(st.sampled_from(STEPS))(d, draw(st.sampled_from(recent))))
    others = draw(st.lists(st.sampled_from(d.values), max_size=2)) if draw(st.integers(0, 3)) == 0 else []
    d.graph.results = [d.values[-1], *others]
    return d.graph
