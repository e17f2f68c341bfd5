"""Operations that move elements, for drawn functions: any rank, strides, turned around, by indices, with constants."""

from __future__ import annotations

from collections.abc import Callable
from math import prod

from hypothesis import strategies as st

from .drawing import Drawing, Value, dims_of
from .operators import compare, function


def permuted(d: Drawing, x: Value) -> Value:
    """Dimensions in another order, by name, of a tensor whose dimensions are cut first so that it has up to five."""
    shape = list(x.shape)
    while len(shape) < d.pick([3, 4, 5]):
        cuts = [(i, f) for i, n in enumerate(shape) for f in (2, 3, 5) if n % f == 0 and n > f]
        if not cuts:
            break
        i, f = d.pick(cuts)
        shape[i : i + 1] = [shape[i] // f, f]
    if len(shape) < 2:
        return function(d, x)
    if len(shape) != len(x.shape):
        x = _expanded(d, x, tuple(shape))
    order = d.draw(st.permutations(range(len(shape))))
    out = Value(d.name(), tuple(shape[i] for i in order), x.element, x.bound, x.error)
    d.graph.lines.append(f"{out.name}e = tensor.empty() : {out.type}")
    return d.emit(
        f"{out.name} = linalg.transpose ins({x.name} : {x.type}) outs({out.name}e : {out.type}) permutation = {list(order)}",
        out,
    )


def _expanded(d: Drawing, x: Value, shape: tuple[int, ...]) -> Value:
    groups, at = list[list[int]](), 0
    for n in x.shape:
        group, size = [at], shape[at]
        while size < n or (len(x.shape) == len(groups) + 1 and at + 1 < len(shape)):
            at += 1
            group.append(at)
            size *= shape[at]
        groups.append(group)
        at += 1
    out = Value(d.name(), shape, x.element, x.bound, x.error)
    line = f"{out.name} = tensor.expand_shape {x.name} {groups} output_shape {list(shape)} : {x.type} into {out.type}"
    return d.emit(line, out)


def turned(d: Drawing, x: Value) -> Value:
    """Some dimensions from their ends, by indices that are computed; others moved around by some elements."""
    if not x.shape:
        return function(d, x)
    rank, text, places = len(x.shape), list[str](), list[str]()
    for i, n in enumerate(x.shape):
        text.append(f"%j{i} = linalg.index {i} : index")
        how = d.pick(["as it is", "from the end", "moved"])
        if how == "from the end":
            text += [f"%l{i} = arith.constant {n - 1} : index", f"%p{i} = arith.subi %l{i}, %j{i} : index"]
        elif how == "moved":
            by = d.draw(st.integers(0, n - 1))
            text += [
                f"%l{i} = arith.constant {by} : index", f"%n{i} = arith.constant {n} : index",
                f"%s{i} = arith.addi %j{i}, %l{i} : index", f"%p{i} = arith.remui %s{i}, %n{i} : index",
            ]  # fmt: skip
        places.append(f"%j{i}" if how == "as it is" else f"%p{i}")
    out = Value(d.name(), x.shape, x.element, x.bound, x.error)
    text.append(f"%r = tensor.extract {x.name}[{', '.join(places)}] : {x.type}")
    return d.generic([], out, dims_of(rank), ["parallel"] * rank, d.body(*text, element=x.element))


def along(d: Drawing, x: Value) -> Value:
    """Elements at places along one dimension that an argument tells for each of them, as torch.gather takes them."""
    if not x.shape or prod(x.shape) > 4096:
        return compare(d, x)
    rank, at = len(x.shape), d.draw(st.integers(0, len(x.shape) - 1))
    shape = (*x.shape[:at], d.pick([1, 2, 5]), *x.shape[at + 1 :])
    if prod(shape) > d.largest:
        return compare(d, x)
    i = d.argument(shape, "i32")
    text = [f"%n = arith.constant {x.shape[at]} : i32", "%q = arith.remsi %x0, %n : i32", "%a = math.absi %q : i32",
            "%p = arith.index_cast %a : i32 to index"]  # fmt: skip
    text += [f"%j{k} = linalg.index {k} : index" for k in range(rank) if k != at]
    places = ", ".join("%p" if k == at else f"%j{k}" for k in range(rank))
    text.append(f"%r = tensor.extract {x.name}[{places}] : {x.type}")
    out = Value(d.name(), shape, x.element, x.bound, x.error)
    return d.elementwise([(i, dims_of(rank))], out, d.body(*text, element=x.element))


def apart(d: Drawing, x: Value) -> Value:
    """A tensor put at every second place of one that holds a number."""
    if not x.shape:
        return function(d, x)
    steps = [d.pick([1, 1, 2, 3]) for _ in x.shape]
    low = [d.pick([0, 1]) for _ in x.shape]
    shape = tuple((n - 1) * s + 1 + a + d.pick([0, 1]) for n, s, a in zip(x.shape, steps, low, strict=True))
    if prod(shape) > d.largest:
        return function(d, x)
    out = Value(d.name(), shape, x.element, max(x.bound, 1), x.error)
    d.filled(out, d.pick([d.zero(x), "1.0" if x.is_float else "1"]))
    where = f"{low} {list(x.shape)} {steps}"
    return d.emit(f"{out.name} = tensor.insert_slice {x.name} into {out.name}f{where} : {x.type} into {out.type}", out)


def one_of(d: Drawing, x: Value) -> Value:
    """One index of a dimension, which goes: a slice of lower rank."""
    if not x.shape:
        return function(d, x)
    at = d.draw(st.integers(0, len(x.shape) - 1))
    offsets, sizes = [0] * len(x.shape), list(x.shape)
    offsets[at], sizes[at] = d.draw(st.integers(0, x.shape[at] - 1)), 1
    out = Value(d.name(), x.shape[:at] + x.shape[at + 1 :], x.element, x.bound, x.error)
    return d.emit(
        f"{out.name} = tensor.extract_slice {x.name}{offsets} {sizes} {[1] * len(sizes)} : {x.type} to {out.type}", out
    )


def wide_pad(d: Drawing, x: Value) -> Value:
    """Many elements of a number around one dimension."""
    if not x.shape:
        return function(d, x)
    at = d.draw(st.integers(0, len(x.shape) - 1))
    low, high = ([d.pick([0, 3, 17, 40]) if i == at else 0 for i in range(len(x.shape))] for _ in range(2))
    shape = tuple(n + a + b for n, a, b in zip(x.shape, low, high, strict=True))
    if prod(shape) > d.largest or shape == x.shape:
        return function(d, x)
    out = Value(d.name(), shape, x.element, x.bound, x.error)
    d.graph.lines.append(f"{out.name}c = arith.constant {d.zero(x)} : {x.element}")
    indices = ", ".join(f"%i{n}: index" for n in range(len(shape)))
    return d.emit(
        f"{out.name} = tensor.pad {x.name} low{low} high{high} {{\n  ^bb0({indices}):\n"
        f"    tensor.yield {out.name}c : {x.element}\n  }} : {x.type} to {out.type}",
        out,
    )


def below(d: Drawing, x: Value) -> Value:
    """Elements on one side of a diagonal, and a number on the other."""
    if len(x.shape) < 2:
        return function(d, x)
    rank, t = len(x.shape), x.element
    i, j = d.draw(st.permutations(range(rank)))[:2]
    text = [f"%i = linalg.index {i} : index", f"%j = linalg.index {j} : index",
            f"%b = arith.constant {d.pick([0, 1, 3])} : index", "%s = arith.addi %i, %b : index",
            f"%c = arith.cmpi {d.pick(['ule', 'ugt', 'eq'])}, %j, %s : index", f"%k = arith.constant {d.zero(x)} : {t}",
            f"%r = arith.select %c, %x0, %k : {t}"]  # fmt: skip
    out = Value(d.name(), x.shape, t, x.bound, x.error)
    return d.elementwise([(x, dims_of(rank))], out, d.body(*text, element=t))


def with_constant(d: Drawing, x: Value) -> Value:
    """A sum with a constant tensor along some dimensions, or with where elements are."""
    rank, t = len(x.shape), x.element
    add = "addf" if x.is_float else "addi"
    out = Value(d.name(), x.shape, t, x.bound + 2, x.error)
    if d.flip():
        dims = [i for i in range(rank) if d.flip()]
        w = d.weight(tuple(x.shape[i] for i in dims), t)
        body = d.body(f"%r = arith.{add} %x0, %x1 : {t}", element=t)
        return d.elementwise([(x, dims_of(rank)), (w, dims_of(rank, dims))], out, body)
    if not rank or x.element not in ("f32", "i32"):
        return function(d, x)
    at = d.draw(st.integers(0, rank - 1))
    out = Value(out.name, x.shape, t, x.bound + x.shape[at], x.error)
    text = [f"%i = linalg.index {at} : index", "%n = arith.index_cast %i : index to i32"]
    text += (
        ["%f = arith.sitofp %n : i32 to f32", "%r = arith.addf %x0, %f : f32"]
        if x.is_float
        else ["%r = arith.addi %x0, %n : i32"]
    )
    return d.elementwise([(x, dims_of(rank))], out, d.body(*text, element=t))


def diagonal(d: Drawing, x: Value) -> Value:
    """The elements whose indices in two dimensions are equal: a map that is not a permutation."""
    pairs = [(i, j) for i in range(len(x.shape)) for j in range(i) if x.shape[i] == x.shape[j] > 1]
    if not pairs:
        return permuted(d, x)
    i, j = d.pick(pairs)
    rank = len(x.shape) - 1
    loops = iter(range(rank))
    at = [next(loops) if k != i else -1 for k in range(len(x.shape))]
    at[i] = at[j]
    out = Value(d.name(), tuple(n for k, n in enumerate(x.shape) if k != i), x.element, x.bound, x.error)
    return d.elementwise([(x, dims_of(rank, at))], out, d.body(element=x.element, last="%x0"))


MOVEMENT: list[Callable[[Drawing, Value], Value]] = [
    *(permuted, permuted, turned, along, apart, one_of, wide_pad, below, with_constant, with_constant, diagonal),
]
