"""More operations for drawn functions: functions of math, comparisons, bits, casts, norms, contractions, windows, gathers."""

from __future__ import annotations

from collections.abc import Callable
from math import prod

from hypothesis import strategies as st

from .drawing import BITS, EXACT, FUNCTION_ERROR, UNIT, Drawing, Value, dims_of, lines


def same(d: Drawing, x: Value, *text: str, bound: float, error: float = 0.0, element: str = "") -> Value:
    """Each element of `x` by the lines `text`, which make %r of %x0."""
    t = element or x.element
    out = Value(d.name(), x.shape, t, bound, error)
    return d.elementwise([(x, dims_of(len(x.shape)))], out, lines(*text, last="%r", element=t))


def function(d: Drawing, x: Value) -> Value:
    """A function of math whose slope is small: of |x|, or of |x| + 1."""
    if not x.is_float or x.bound + x.error > 64:
        return bits(d, x)
    t, most = x.element, x.bound + x.error
    away = (f"%a = math.absf %x0 : {t}", f"%k = arith.constant 1.0 : {t}", f"%y = arith.addf %a, %k : {t}")
    made = UNIT[t] * (most + 1) + x.error
    name = d.pick(["sqrt", "rsqrt", "log", "sigmoid", "sin", "cos", "erf", "exp2", "pow", "divide", "log1p", "atan"])
    if name in ("sqrt", "rsqrt", "log"):
        return same(d, x, *away, f"%r = math.{name} %y : {t}", bound=most + 1, error=made + (most + 1) * FUNCTION_ERROR)
    if name == "log1p":
        text = (*away[:1], f"%r = math.log1p %a : {t}")
        return same(d, x, *text, bound=most + 1, error=made + (most + 1) * FUNCTION_ERROR)
    if name == "sigmoid":
        text = (f"%n = arith.negf %x0 : {t}", f"%s = math.exp %n : {t}", away[1], f"%e = arith.addf %k, %s : {t}",
                f"%r = arith.divf %k, %e : {t}")  # fmt: skip
        return same(d, x, *text, bound=1.0, error=x.error + 2 * FUNCTION_ERROR)
    if name == "exp2":
        text = (f"%a = math.absf %x0 : {t}", f"%n = arith.negf %a : {t}", f"%r = math.exp2 %n : {t}")
        return same(d, x, *text, bound=1.0, error=x.error + FUNCTION_ERROR)
    if name == "pow":
        if most > 8:
            return x
        text = (f"%c = arith.constant {d.pick([2, 3])} : i32", f"%r = math.fpowi %x0, %c : {t}, i32")
        return same(d, x, *text, bound=most**3, error=3 * most**2 * x.error + (4 * UNIT[t] * most**3 if x.error else 0))
    if name == "divide":
        text = (*away, f"%r = arith.divf %x0, %y : {t}")
        return same(d, x, *text, bound=1.0, error=2 * x.error + FUNCTION_ERROR)
    if name == "atan" and not (x.element == "f32" and most < 16):
        name = "erf"
    if name in ("sin", "cos") and most > 16:
        name = "erf"
    return same(d, x, f"%r = math.{name} %x0 : {t}", bound=2.0, error=2 * x.error + 2 * FUNCTION_ERROR)


def rounding(d: Drawing, x: Value) -> Value:
    """Floor, ceil, roundeven of halves of whole numbers."""
    if not x.is_float or x.error or x.bound > EXACT[x.element] / 4:
        return bits(d, x)
    t = x.element
    text = (f"%k = arith.constant 0.5 : {t}", f"%h = arith.mulf %x0, %k : {t}")
    return same(d, x, *text, f"%r = math.{d.pick(['floor', 'ceil', 'roundeven', 'trunc'])} %h : {t}", bound=x.bound / 2 + 1)


def bits(d: Drawing, x: Value) -> Value:
    """Shifts, remainders, divisions and minima of integers."""
    if x.is_float:
        return compare(d, x)
    t = x.element
    three, two = f"%k = arith.constant 3 : {t}", f"%k = arith.constant 2 : {t}"
    text = d.pick(
        [
            (two, f"%r = arith.shli %x0, %k : {t}"),
            (two, f"%r = arith.shrui %x0, %k : {t}"),
            (two, f"%s = arith.shrsi %x0, %k : {t}", f"%r = arith.xori %s, %x0 : {t}"),
            (three, f"%r = arith.divsi %x0, %k : {t}"),
            (three, f"%r = arith.remsi %x0, %k : {t}"),
            (three, f"%r = arith.minsi %x0, %k : {t}"),
            (three, f"%r = arith.maxui %x0, %k : {t}"),
            (three, f"%r = arith.ori %x0, %k : {t}"),
            (f"%k = arith.constant 0 : {t}", f"%r = arith.subi %k, %x0 : {t}"),
            (f"%r = math.absi %x0 : {t}",),
        ]
    )
    return same(d, x, *text, bound=2.0 ** (BITS[t] - 1))


def compare(d: Drawing, x: Value) -> Value:
    """A tensor of bits of two numbers that are exact, and what it selects of them."""
    others = [v for v in d.values if v.element == x.element and v.shape == x.shape and not v.error]
    if x.error or not others:
        return x
    y, rank, t = d.pick(others), len(x.shape), x.element
    identity = dims_of(rank)
    mask = Value(d.name(), x.shape, "i1", 1)
    kind = d.pick(["olt", "oge", "une", "oeq"] if x.is_float else ["slt", "sge", "ne", "ult", "eq"])
    op = "cmpf" if x.is_float else "cmpi"
    mask = d.elementwise(
        [(x, identity), (y, identity)], mask, lines(f"%r = arith.{op} {kind}, %x0, %x1 : {t}", last="%r", element="i1")
    )
    d.values.remove(mask)
    if d.draw(st.booleans()):
        out = Value(d.name(), x.shape, "i32", 1)
        return d.elementwise([(mask, identity)], out, lines("%r = arith.extui %x0 : i1 to i32", last="%r", element="i32"))
    out = Value(d.name(), x.shape, t, max(x.bound, y.bound))
    body = lines(f"%r = arith.select %x0, %x1, %x2 : {t}", last="%r", element=t)
    return d.elementwise([(mask, identity), (x, identity), (y, identity)], out, body)


def convert(d: Drawing, x: Value) -> Value:
    """Between integers of all widths, and from whole floats."""
    to = d.pick(["i8", "i16", "i32", "f32"])
    if x.is_float:
        if x.error or x.bound > 100 or to == "f32" or x.bound != int(x.bound):
            return rounding(d, x)
        wide = x.element if x.element == "f32" else "f32"
        first = [] if x.element == "f32" else ["%w = arith.extf %x0 : bf16 to f32"]
        name = "%x0" if x.element == "f32" else "%w"
        return same(d, x, *first, f"%r = arith.fptosi {name} : {wide} to {to}", bound=x.bound + 1, element=to)
    if to == "f32":
        name = d.pick(["sitofp", "uitofp"])
        bound = x.bound if name == "sitofp" else 2.0 ** BITS[x.element]
        return same(d, x, f"%r = arith.{name} %x0 : {x.element} to f32", bound=bound, element="f32")
    if BITS[to] == BITS[x.element]:
        return bits(d, x)
    name = d.pick(["extsi", "extui"]) if BITS[to] > BITS[x.element] else "trunci"
    return same(d, x, f"%r = arith.{name} %x0 : {x.element} to {to}", bound=2.0 ** (BITS[to] - 1), element=to)


def fold(d: Drawing, x: Value) -> Value:
    """A product, or bits of all, over some dimensions; where the largest is, of exact numbers."""
    rank, t = len(x.shape), x.element
    if not rank:
        return x
    over = {i for i in range(rank) if d.draw(st.booleans())} or {rank - 1}
    kept = [i for i in range(rank) if i not in over]
    kinds = ["reduction" if i in over else "parallel" for i in range(rank)]
    count = prod(x.shape[i] for i in over)
    out = Value(d.name(), tuple(x.shape[i] for i in kept), t, x.bound)
    if not x.is_float:
        op, init = d.pick([("muli", "1"), ("andi", "-1"), ("ori", "0"), ("xori", "0")])
        out = Value(out.name, out.shape, t, 2.0 ** (BITS[t] - 1))
    elif not x.error and max(x.bound, 1.0) ** count < EXACT[t]:
        op, init = "mulf", "1.0"
        out = Value(out.name, out.shape, t, max(x.bound, 1.0) ** count)
    else:
        return largest(d, x)
    body = lines(f"%r = arith.{op} %o, %x0 : {t}", last="%r", element=t)
    return d.generic([(x, dims_of(rank))], out, dims_of(rank, kept), kinds, body, init)


def largest(d: Drawing, x: Value) -> Value:
    """Where the largest, or the least, along a dimension is: the first of equals."""
    if x.error or not x.shape:
        return x
    rank, t, at = len(x.shape), x.element, d.draw(st.integers(0, len(x.shape) - 1))
    kept = [i for i in range(rank) if i != at]
    shape = tuple(x.shape[i] for i in kept)
    top, out = Value(d.name(), shape, t, x.bound), Value(d.name(), shape, "i32", x.shape[at])
    low = {"f32": "0xFF800000", "bf16": "0xFF80"}.get(t) or str(-(1 << BITS[t] - 1))
    starts = []
    for v, number in ((top, low), (out, "0")):
        d.graph.lines += [
            f"{v.name}e = tensor.empty() : {v.type}",
            f"{v.name}c = arith.constant {number} : {v.element}",
            f"{v.name}f = linalg.fill ins({v.name}c : {v.element}) outs({v.name}e : {v.type}) -> {v.type}",
        ]
        starts.append(f"{v.name}f")
    loops = ", ".join(f"d{i}" for i in range(rank))
    maps = f"affine_map<({loops}) -> ({loops})>" + f", affine_map<({loops}) -> ({dims_of(rank, kept)})>" * 2
    kinds = ", ".join('"reduction"' if i == at else '"parallel"' for i in range(rank))
    more = "cmpf ogt" if x.is_float else "cmpi sgt"
    best = "maximumf" if x.is_float else "maxsi"
    pair = f"{out.name}p"
    d.graph.lines.append(
        f"{pair}:2 = linalg.generic {{indexing_maps = [{maps}], iterator_types = [{kinds}]}} ins({x.name} : {x.type}) "
        f"outs({', '.join(starts)} : {top.type}, {out.type}) {{\n  ^bb0(%x0: {t}, %m: {t}, %n: i32):\n"
        f"    %i = linalg.index {at} : index\n    %c = arith.index_cast %i : index to i32\n"
        f"    %g = arith.{more}, %x0, %m : {t}\n    %b = arith.{best} %x0, %m : {t}\n"
        f"    %w = arith.select %g, %c, %n : i32\n    linalg.yield %b, %w : {t}, i32\n  }} -> ({top.type}, {out.type})"
    )
    made = Value(f"{pair}#1", shape, "i32", x.shape[at])
    d.values += [Value(f"{pair}#0", shape, t, x.bound), made]
    return made


def norm(d: Drawing, x: Value) -> Value:
    """x / sqrt(mean of squares + 1), of the last dimension."""
    if x.element != "f32" or not x.shape or x.bound > 100 or x.error > 0.1:
        return function(d, x)
    rank, n = len(x.shape), x.shape[-1]
    rows = dims_of(rank, range(rank - 1))
    kinds = ["parallel"] * (rank - 1) + ["reduction"]
    most = x.bound + x.error
    squares = Value(d.name(), x.shape[:-1], "f32", most**2 * n, n * (2 * most * x.error + most**2 * n * UNIT["f32"]))
    body = lines("%q = arith.mulf %x0, %x0 : f32", "%r = arith.addf %o, %q : f32", last="%r", element="f32")
    squares = d.generic([(x, dims_of(rank))], squares, rows, kinds, body, "0.0")
    body = lines(
        f"%n = arith.constant {float(n)} : f32", "%one = arith.constant 1.0 : f32", "%m = arith.divf %x1, %n : f32",
        "%s = arith.addf %m, %one : f32", "%q = math.rsqrt %s : f32", "%r = arith.mulf %x0, %q : f32",
        last="%r", element="f32",
    )  # fmt: skip
    error = (most + 1) * (squares.error / n + FUNCTION_ERROR) + x.error
    out = Value(d.name(), x.shape, "f32", most, error)
    return d.elementwise([(x, dims_of(rank)), (squares, rows)], out, body)


def contraction(d: Drawing, x: Value) -> Value:
    """A product with a new argument, the operands and the result in any order of dimensions; of narrow integers in i32."""
    if len(x.shape) not in (2, 3) or x.bound * 5 > 2**20:
        return function(d, x)
    batch = len(x.shape) - 2
    n = d.pick([1, 3, 8, 20, 32])
    loops = {**{f"d{i}": size for i, size in enumerate(x.shape[:batch])}}
    names = [f"d{i}" for i in range(batch + 3)]
    m, column, k = names[batch:]
    left = [*names[:batch], *d.draw(st.permutations([m, k]))]
    loops |= dict(zip(left[batch:], x.shape[batch:], strict=True)) | {column: n}
    right = [*names[:batch], *d.draw(st.permutations([k, column]))]
    result = [*names[:batch], *d.draw(st.permutations([m, column]))]
    y = d.argument(tuple(loops[i] for i in right), x.element)
    t = "f32" if x.is_float else "i32"
    bound, error = x.bound * y.bound * loops[k], y.bound * x.error * loops[k]
    if t == "f32" and (error or bound > EXACT["f32"]):
        error += loops[k] * (bound + error) * UNIT["f32"]
    out = Value(d.name(), tuple(loops[i] for i in result), t, bound if x.is_float else 2.0**31, error)
    wider = "extf" if x.is_float else "extsi"
    text = [] if x.element == t else [f"%w{i} = arith.{wider} %x{i} : {x.element} to {t}" for i in (0, 1)]
    a, b = ("%x0", "%x1") if x.element == t else ("%w0", "%w1")
    mul, add = ("mulf", "addf") if x.is_float else ("muli", "addi")
    body = lines(*text, f"%p = arith.{mul} {a}, {b} : {t}", f"%r = arith.{add} %o, %p : {t}", last="%r", element=t)
    kinds = ["parallel"] * (batch + 2) + ["reduction"]
    zero = "0.0" if x.is_float else "0"
    return d.generic([(x, ", ".join(left)), (y, ", ".join(right))], out, ", ".join(result), kinds, body, zero)


def pool(d: Drawing, x: Value) -> Value:
    """Sums or largest of windows of an image, of channels first or last."""
    if len(x.shape) != 4 or not x.is_float or x.element != "f32":
        return contraction(d, x)
    last = d.draw(st.booleans())
    at = 1 if last else 2
    height, width = x.shape[at : at + 2]
    size, stride = (min(d.pick([1, 2, 3]), n) for n in (height, width)), d.pick([1, 2])
    h, w = size
    shape = list(x.shape)
    shape[at : at + 2] = (height - h) // stride + 1, (width - w) // stride + 1
    kind = d.pick(["max", "sum"])
    bound, error = (x.bound, x.error) if kind == "max" else (x.bound * h * w, x.error * h * w)
    if kind == "sum" and (error or bound > EXACT["f32"]):
        error += h * w * (bound + error) * UNIT["f32"]
    out = Value(d.name(), tuple(shape), "f32", bound, error)
    window = f"tensor<{h}x{w}xf32>"
    d.graph.lines += [
        f"{out.name}e = tensor.empty() : {out.type}",
        f"{out.name}c = arith.constant {'0xFF800000' if kind == 'max' else '0.0'} : f32",
        f"{out.name}f = linalg.fill ins({out.name}c : f32) outs({out.name}e : {out.type}) -> {out.type}",
        f"{out.name}w = tensor.empty() : {window}",
    ]
    order = "nhwc" if last else "nchw"
    return d.emit(
        f"{out.name} = linalg.pooling_{order}_{kind} {{strides = dense<{stride}> : tensor<2xi64>, dilations = dense<1> : "
        f"tensor<2xi64>}} ins({x.name}, {out.name}w : {x.type}, {window}) outs({out.name}f : {out.type}) -> {out.type}",
        out,
    )


def gather(d: Drawing, x: Value) -> Value:
    """Rows by an argument of indices."""
    if not x.shape or 32 * prod(x.shape) > 4 * d.largest:
        return compare(d, x)
    count, rank = d.pick([1, 3, 8]), len(x.shape)
    i = d.argument((count,), "i32")
    out = Value(d.name(), (count, *x.shape[1:]), x.element, x.bound, x.error)
    n = x.shape[0]
    places = ["%p", *(f"%j{k}" for k in range(1, rank))]
    text = [f"%n = arith.constant {n} : i32", "%q = arith.remsi %x0, %n : i32", "%a = math.absi %q : i32",
            "%p = arith.index_cast %a : i32 to index"]  # fmt: skip
    text += [f"%j{k} = linalg.index {k} : index" for k in range(1, rank)]
    text += [f"%r = tensor.extract {x.name}[{', '.join(places)}] : {x.type}"]
    return d.generic([(i, "d0")], out, dims_of(rank), ["parallel"] * rank, lines(*text, last="%r", element=x.element))


def insert(d: Drawing, x: Value) -> Value:
    """Puts a tensor into the middle of one value."""
    if not x.shape:
        return x
    low = [d.pick([0, 1, 2]) for _ in x.shape]
    shape = tuple(n + a + d.pick([0, 1]) for n, a in zip(x.shape, low, strict=True))
    if prod(shape) > d.largest:
        return compare(d, x)
    out = Value(d.name(), shape, x.element, max(1, x.bound), x.error)
    d.graph.lines += [
        f"{out.name}e = tensor.empty() : {out.type}",
        f"{out.name}c = arith.constant {'1.0' if x.is_float else '1'} : {x.element}",
        f"{out.name}f = linalg.fill ins({out.name}c : {x.element}) outs({out.name}e : {out.type}) -> {out.type}",
    ]
    where = f"{low} {list(x.shape)} {[1] * len(low)}"
    return d.emit(f"{out.name} = tensor.insert_slice {x.name} into {out.name}f{where} : {x.type} into {out.type}", out)


OPERATORS: list[Callable[[Drawing, Value], Value]] = [
    *(function, function, rounding, bits, compare, compare, convert, fold, largest, norm),
    *(contraction, contraction, pool, gather, insert),
]
