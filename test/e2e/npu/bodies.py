"""Bodies that networks have, for drawn functions: norms, softmax of any dimension, scans, several results, two integers."""

from __future__ import annotations

from collections.abc import Callable
from math import prod

from hypothesis import strategies as st

from .drawing import BITS, EXACT, FUNCTION_ERROR, UNIT, Drawing, Value, dims_of
from .operators import function

QUOTIENTS = ["divsi", "remsi", "divui", "remui", "floordivsi", "ceildivsi"]
SHIFTS = ["shli", "shrsi", "shrui"]
OTHERS = ["xori", "andi", "ori", "minui", "maxui", "minsi"]


def any_softmax(d: Drawing, x: Value) -> Value:
    """Softmax of any dimension, by its name."""
    if not x.is_float or not x.shape or x.error > 0.5 or x.bound > 64:
        return function(d, x)
    at = d.draw(st.integers(0, len(x.shape) - 1))
    n, unit = x.shape[at], UNIT[x.element]
    error = 4 * x.error + unit * (2 * x.bound + 1) + 2 * FUNCTION_ERROR + 4 * n * unit
    out = Value(d.name(), x.shape, x.element, 1.0, min(1.0, error))
    d.graph.lines.append(f"{out.name}e = tensor.empty() : {out.type}")
    return d.emit(
        f"{out.name} = linalg.softmax dimension({at}) ins({x.name} : {x.type}) outs({out.name}e : {out.type}) -> {out.type}",
        out,
    )


def normalized(d: Drawing, x: Value) -> Value:
    """Less its mean, over the root of its variance, of some last dimensions (layer norm) or all but some first (group norm)."""
    if x.element != "f32" or not x.shape or x.bound > 100 or x.error > 1e-3:
        return function(d, x)
    rank = len(x.shape)
    over = d.draw(st.sets(st.integers(0, rank - 1), min_size=1))
    kept = [i for i in range(rank) if i not in over]
    n, kinds = prod(x.shape[i] for i in over), ["reduction" if i in over else "parallel" for i in range(rank)]
    most, rows, all_ = x.bound + x.error, dims_of(rank, kept), dims_of(rank)
    shape = tuple(x.shape[i] for i in kept)
    sums = Value(d.name(), shape, "f32", most * n, n * x.error + n * n * most * UNIT["f32"])
    sums = d.generic([(x, all_)], sums, rows, kinds, d.body("%r = arith.addf %o, %x0 : f32", element="f32"), "0.0")
    body = d.body(
        f"%n = arith.constant {float(n)} : f32", "%m = arith.divf %x1, %n : f32", "%r = arith.subf %x0, %m : f32", element="f32"
    )
    middle = Value(d.name(), x.shape, "f32", 2 * most, x.error + sums.error / n + 4 * most * UNIT["f32"])
    middle = d.elementwise([(x, all_), (sums, rows)], middle, body)
    most = middle.bound + middle.error
    square = Value(d.name(), shape, "f32", most**2 * n, n * (2 * most * middle.error + most**2 * n * UNIT["f32"]))
    body = d.body("%q = arith.mulf %x0, %x0 : f32", "%r = arith.addf %o, %q : f32", element="f32")
    square = d.generic([(middle, all_)], square, rows, kinds, body, "0.0")
    body = d.body(
        f"%n = arith.constant {float(n)} : f32", "%one = arith.constant 1.0 : f32", "%m = arith.divf %x1, %n : f32",
        "%s = arith.addf %m, %one : f32", "%q = math.rsqrt %s : f32", "%r = arith.mulf %x0, %q : f32", element="f32",
    )  # fmt: skip
    out = Value(d.name(), x.shape, "f32", most, (most + 1) * (square.error / n + FUNCTION_ERROR) + middle.error)
    return d.elementwise([(middle, all_), (square, rows)], out, body)


def scan(d: Drawing, x: Value) -> Value:
    """Sums of all up to each along a dimension, as torch-mlir writes them."""
    if not x.shape or x.element not in ("f32", "i32"):
        return function(d, x)
    at = d.draw(st.integers(0, len(x.shape) - 1))
    n, t = x.shape[at], x.element
    if n > 512:
        return function(d, x)
    bound, error = x.bound * n, x.error * n
    if x.is_float and (error or bound > EXACT[t]):
        error += n * (bound + error) * UNIT[t]
    out = Value(d.name(), x.shape, t, bound, error)
    last = Value(d.name(), x.shape[:at] + x.shape[at + 1 :], t, bound, error)
    kind = "f" if x.is_float else "i"
    for v in (out, last):
        d.filled(v, d.zero(x))
    d.graph.lines.append(
        f"{out.name}:2 = tm_tensor.scan dimension({at}) inclusive(true) ins({x.name} : {x.type}) "
        f"outs({out.name}f, {last.name}f : {out.type}, {last.type}) {{\n"
        f"  ^bb0(%p: {t}, %q: {t}):\n    %s = arith.add{kind} %p, %q : {t}\n"
        f"    tm_tensor.yield %s : {t}\n  }} -> {out.type}, {last.type}"
    )
    d.values.append(Value(f"{out.name}#0", x.shape, t, bound, error))
    return d.values[-1]


def two_results(d: Drawing, x: Value) -> Value:
    """A sum and a largest number over the same dimensions, or two elementwise results, of one operation."""
    rank, t = len(x.shape), x.element
    over = {i for i in range(rank) if d.flip()}
    kept = [i for i in range(rank) if i not in over]
    count = prod(x.shape[i] for i in over)
    add, top = ("addf", "maximumf") if x.is_float else ("addi", "maxsi")
    bound, error = x.bound * (count + 1), x.error * (count + 1)
    if x.is_float and (error or bound > EXACT[t]):
        error += (count + 1) * (bound + error) * UNIT[t]
    shape = tuple(x.shape[i] for i in kept)
    sums, most = Value(d.name(), shape, t, bound, error), Value(d.name(), shape, t, max(x.bound, 2), x.error)
    d.filled(sums, d.zero(x))
    d.filled(most, d.least(x) if over else d.zero(x))
    maps = (
        f"affine_map<({dims_of(rank)}) -> ({dims_of(rank)})>"
        + f", affine_map<({dims_of(rank)}) -> ({dims_of(rank, kept)})>" * 2
    )
    kinds = ", ".join('"reduction"' if i in over else '"parallel"' for i in range(rank))
    first = "%o" if over else "%x0"
    d.graph.lines.append(
        f"{sums.name}:2 = linalg.generic {{indexing_maps = [{maps}], iterator_types = [{kinds}]}} ins({x.name} : {x.type}) "
        f"outs({sums.name}f, {most.name}f : {sums.type}, {most.type}) {{\n  ^bb0(%x0: {t}, %o: {t}, %m: {t}):\n"
        f"    %r = arith.{add} {first}, %x0 : {t}\n    %b = arith.{top} %m, %x0 : {t}\n    linalg.yield %r, %b : {t}, {t}\n"
        f"  }} -> ({sums.type}, {most.type})"
    )
    d.values += [
        Value(f"{sums.name}#0", shape, t, bound, error), Value(f"{sums.name}#1", shape, t, most.bound, most.error),
    ]  # fmt: skip
    return d.values[-1 - d.flip()]


def with_scalars(d: Drawing, x: Value) -> Value:
    """x * s + c, where s is one element of a tensor, and c a number from outside of the body."""
    t, rank = x.element, len(x.shape)
    s = d.argument((3,), t)
    out = Value(d.name(), x.shape, t, x.bound * s.bound + 3, x.error * s.bound)
    add, mul = ("addf", "mulf") if x.is_float else ("addi", "muli")
    d.graph.lines += [
        f"{out.name}i = arith.constant {d.pick([0, 1, 2])} : index",
        f"{out.name}s = tensor.extract {s.name}[{out.name}i] : {s.type}",
        f"{out.name}c = arith.constant {'3.0' if x.is_float else '3'} : {t}",
    ]
    if d.flip():
        body = d.body(f"%p = arith.{mul} %x0, {out.name}s : {t}", f"%r = arith.{add} %p, {out.name}c : {t}", element=t)
        return d.elementwise([(x, dims_of(rank))], out, body)
    one = Value(f"{out.name}s", (), t, s.bound)
    body = d.body(f"%p = arith.{mul} %x0, %x1 : {t}", f"%r = arith.{add} %p, {out.name}c : {t}", element=t)
    return d.elementwise([(x, dims_of(rank)), (one, "")], out, body, scalars=1)


def two_integers(d: Drawing, x: Value) -> Value:
    """Quotients, remainders, shifts and bits of two tensors of integers."""
    if x.is_float:
        return function(d, x)
    t, rank = x.element, len(x.shape)
    same = [v for v in d.values if v.element == t and v.shape == x.shape]
    y = d.pick(same) if d.flip() else d.argument(x.shape, t)
    above = ("%k = arith.constant 15 : " + t, "%one = arith.constant 1 : " + t, f"%a = arith.andi %x1, %k : {t}",
             f"%y = arith.addi %a, %one : {t}")  # fmt: skip
    low = (f"%k = arith.constant 7 : {t}", f"%y = arith.andi %x1, %k : {t}")
    kind = d.pick(QUOTIENTS + SHIFTS + OTHERS)
    first = above if kind in QUOTIENTS else low if kind in SHIFTS else ()
    body = d.body(*first, f"%r = arith.{kind} %x0, {'%y' if first else '%x1'} : {t}", element=t)
    out = Value(d.name(), x.shape, t, 2.0 ** (BITS[t] - 1))
    return d.elementwise([(x, dims_of(rank)), (y, dims_of(rank))], out, body)


def on_tensors(d: Drawing, x: Value) -> Value:
    """An operation of arith or math whose operands are tensors."""
    t = x.element
    if x.is_float:
        name, bound, error = d.pick(
            [("math.tanh", 1.0, x.error + FUNCTION_ERROR), ("math.absf", x.bound, x.error), ("arith.negf", x.bound, x.error)]
        )
        out = Value(d.name(), x.shape, t, bound, error)
        return d.emit(f"{out.name} = {name} {x.name} : {x.type}", out)
    out = Value(d.name(), x.shape, t, 2.0 ** (BITS[t] - 1))
    return d.emit(f"{out.name} = arith.{d.pick(['addi', 'muli', 'xori', 'minsi', 'maxui'])} {x.name}, {x.name} : {x.type}", out)


def by_name(d: Drawing, x: Value) -> Value:
    """Elementwise operations of linalg that have a name."""
    same = [v for v in d.values if v.element == x.element and v.shape == x.shape]
    y = d.pick(same)
    kind = d.pick(
        ["add", "sub", "mul", "max", "min", "negf", "abs", "square"] if x.is_float else ["add", "sub", "mul", "max", "min"]
    )
    bound, error = {
        "mul": (x.bound * y.bound, x.bound * y.error + y.bound * x.error + x.error * y.error),
        "square": (x.bound**2, 2 * x.bound * x.error + x.error**2),
        "add": (x.bound + y.bound, x.error + y.error),
        "sub": (x.bound + y.bound, x.error + y.error),
    }.get(kind, (max(x.bound, y.bound), max(x.error, y.error)))
    out = Value(d.name(), x.shape, x.element, bound, error)
    d.graph.lines.append(f"{out.name}e = tensor.empty() : {out.type}")
    ins = f"{x.name} : {x.type}" if kind in ("negf", "abs", "square") else f"{x.name}, {y.name} : {x.type}, {y.type}"
    return d.emit(f"{out.name} = linalg.{kind} ins({ins}) outs({out.name}e : {out.type}) -> {out.type}", out)


def between_all(d: Drawing, x: Value) -> Value:
    """A cast between any two types; of floats to integers where these are whole and fit."""
    to = d.pick([t for t in ("f32", "bf16", "i8", "i16", "i32") if t != x.element])
    wide = BITS.get(to, 0) - BITS[x.element]
    if x.is_float and to in UNIT:
        name, bound, error = ("extf" if to == "f32" else "truncf"), x.bound, x.error
    elif x.is_float:
        if x.error or x.bound > 100:
            return function(d, x)
        name, bound, error = d.pick(["fptosi"]), x.bound, 0.0
    elif to in UNIT:
        unsigned = d.flip()
        name, bound, error = ("uitofp", 2.0 ** BITS[x.element], 0.0) if unsigned else ("sitofp", x.bound, 0.0)
        bound = bound if unsigned else min(bound, 2.0 ** (BITS[x.element] - 1))
    else:
        name, bound, error = (d.pick(["extsi", "extui"]) if wide > 0 else "trunci"), 2.0 ** (BITS[to] - 1), 0.0
    out = Value(d.name(), x.shape, to, bound, error)
    body = d.body(f"%r = arith.{name} %x0 : {x.element} to {to}", element=to)
    return d.elementwise([(x, dims_of(len(x.shape)))], out, body)


BODIES: list[Callable[[Drawing, Value], Value]] = [
    *(any_softmax, normalized, scan, two_results, two_results, with_scalars, two_integers, two_integers),
    *(on_tensors, by_name, between_all, between_all),
]
