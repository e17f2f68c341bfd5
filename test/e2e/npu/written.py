"""What people write that importers do not, for drawn functions: attention, requantization, divided maps, loops, places."""

from __future__ import annotations

from collections.abc import Callable
from math import prod

from .drawing import BITS, EXACT, FUNCTION_ERROR, UNIT, Drawing, Value, dims_of
from .operators import function
from .windows import summed


def attention(d: Drawing, x: Value) -> Value:
    """softmax(mask(x K^T / 64)) V: no mask, a causal one by indices, or one of bits for each pair."""
    if len(x.shape) not in (2, 3) or x.element not in ("f32", "bf16") or x.error > 0.1 or x.bound > 16 or x.shape[-1] > 128:
        return function(d, x)
    batch, m, k = x.shape[:-2], x.shape[-2], x.shape[-1]
    n, size, t = d.pick([1, 4, 16, 33, 64]), d.pick([1, 8, 32]), x.element
    if prod(batch) * m * n > d.largest or prod(batch) * n * max(k, size) > d.largest:
        return function(d, x)
    keys, values = d.argument((*batch, n, k), t), d.argument((*batch, n, size), t)
    b, (i, j, c) = [f"d{s}" for s in range(len(batch))], [f"d{len(batch) + s}" for s in range(3)]
    scores = summed(d, x, keys, (*batch, m, n), k)
    maps = [", ".join([*b, *at]) for at in ((i, c), (j, c), (i, j))]
    kinds = ["parallel"] * (len(batch) + 2) + ["reduction"]
    wide = [] if t == "f32" else [f"%w{s} = arith.extf %x{s} : bf16 to f32" for s in (0, 1)]
    p, q = ("%x0", "%x1") if t == "f32" else ("%w0", "%w1")
    text = [*wide, f"%p = arith.mulf {p}, {q} : f32", "%r = arith.addf %o, %p : f32"]
    zero = Value(f"{scores.name}f", scores.shape, "f32", 0)
    scores = d.generic([(x, maps[0]), (keys, maps[1])], scores, maps[2], kinds, d.body(*text, element="f32"), before=zero)
    kind, rank = d.pick(["all", "causal", "bits"]), len(batch) + 2
    lines = ["%s = arith.constant 0.015625 : f32", "%v = arith.mulf %x0, %s : f32", "%l = arith.constant -10000.0 : f32"]
    inputs = [(scores, dims_of(rank))]
    if kind == "causal":
        lines += [f"%i = linalg.index {rank - 2} : index", f"%j = linalg.index {rank - 1} : index",
                  "%b = arith.cmpi ule, %j, %i : index", "%r = arith.select %b, %v, %l : f32"]  # fmt: skip
    elif kind == "bits":
        mask = d.argument((m, n), "i1")
        d.values.remove(mask)
        inputs.append((mask, f"d{rank - 2}, d{rank - 1}"))
        lines += ["%r = arith.select %x1, %v, %l : f32"]
    last = "%v" if kind == "all" else "%r"
    error = scores.error / 64
    made = Value(d.name(), scores.shape, "f32", scores.bound / 64, error)
    made = d.elementwise(inputs, made, d.body(*lines, element="f32", last=last))
    d.values.remove(made)
    share = Value(d.name(), made.shape, "f32", 1.0)
    d.graph.lines.append(f"{share.name}e = tensor.empty() : {share.type}")
    d.graph.lines.append(
        f"{share.name} = linalg.softmax dimension({rank - 1}) ins({made.name} : {made.type}) "
        f"outs({share.name}e : {share.type}) -> {share.type}"
    )
    if t == "bf16":
        narrow = Value(d.name(), share.shape, "bf16", 1.0)
        share = d.elementwise([(share, dims_of(rank))], narrow, d.body("%r = arith.truncf %x0 : f32 to bf16", element="bf16"))
        d.values.remove(share)
    off = min(2.0, 4 * error + 4 * FUNCTION_ERROR + 2 * UNIT[t])
    out = Value(d.name(), (*batch, m, size), "f32", values.bound, values.bound * off)
    d.filled(out, "0.0")
    op = "linalg.batch_matmul" if batch else "linalg.matmul"
    return d.emit(
        f"{out.name} = {op} ins({share.name}, {values.name} : {share.type}, {values.type}) outs({out.name}f : {out.type}) "
        f"-> {out.type}",
        out,
    )


def requantized(d: Drawing, x: Value) -> Value:
    """Integers times a scale of 31 bits, rounded, shifted, and held within 8 bits."""
    if x.is_float:
        return function(d, x)
    shift, wide = d.pick([8, 20, 31, 38]), f"arith.extsi %x0 : {x.element} to i64"
    text = [f"%a = {wide}", f"%m = arith.constant {d.pick([1, 3, 1 << 20, (1 << 31) - 5])} : i64",
            "%p = arith.muli %a, %m : i64", f"%h = arith.constant {1 << shift - 1} : i64", "%q = arith.addi %p, %h : i64",
            f"%s = arith.constant {shift} : i64", "%t = arith.shrsi %q, %s : i64", "%n = arith.trunci %t : i64 to i32",
            "%low = arith.constant -128 : i32", "%high = arith.constant 127 : i32", "%u = arith.maxsi %n, %low : i32",
            "%v = arith.minsi %u, %high : i32", "%r = arith.trunci %v : i32 to i8"]  # fmt: skip
    out = Value(d.name(), x.shape, "i8", 128)
    return d.elementwise([(x, dims_of(len(x.shape)))], out, d.body(*text, element="i8"))


def divided(d: Drawing, x: Value) -> Value:
    """Each element so many times along a dimension, one after another or all again; or every so manyth one of them."""
    if not x.shape:
        return function(d, x)
    at = d.pick(range(len(x.shape)))
    by, kind = d.pick([2, 3, 4]), d.pick(["floordiv", "mod", "*"])
    shape = list(x.shape)
    if kind == "*":
        shape[at] = (shape[at] - 1) // by + 1
        places = [f"d{i} * {by}" if i == at else f"d{i}" for i in range(len(shape))]
    else:
        places = [f"d{i} {kind} {by if kind == 'floordiv' else shape[at]}" if i == at else f"d{i}" for i in range(len(shape))]
        shape[at] *= by
    if prod(shape) > d.largest or (kind == "mod" and x.shape[at] == 1):
        return function(d, x)
    out = Value(d.name(), tuple(shape), x.element, x.bound, x.error)
    return d.elementwise([(x, ", ".join(places))], out, d.body(last="%x0", element=x.element))


def place(d: Drawing, most: int) -> str:
    """The name of an index from 0 to `most` that an argument tells."""
    name, given = d.name(), d.argument((), "i32")
    d.values.remove(given)
    d.graph.lines += [
        f"{name}e = tensor.extract {given.name}[] : {given.type}", f"{name}a = math.absi {name}e : i32",
        f"{name}m = arith.constant {most + 1} : i32", f"{name}r = arith.remsi {name}a, {name}m : i32",
        f"{name} = arith.index_cast {name}r : i32 to index",
    ]  # fmt: skip
    return name


def anywhere(d: Drawing, x: Value) -> Value:
    """A slice at a place that an argument tells, or the same put back there."""
    if not x.shape:
        return function(d, x)
    at = d.pick(range(len(x.shape)))
    size = d.pick(range(1, x.shape[at] + 1))
    sizes = [size if i == at else n for i, n in enumerate(x.shape)]
    offset = place(d, x.shape[at] - size)
    where = f"[{', '.join(offset if i == at else '0' for i in range(len(sizes)))}] {sizes} {[1] * len(sizes)}"
    part = Value(d.name(), tuple(sizes), x.element, x.bound, x.error)
    if d.flip():
        return d.emit(f"{part.name} = tensor.extract_slice {x.name}{where} : {x.type} to {part.type}", part)
    new = d.argument(tuple(sizes), x.element)
    out = Value(d.name(), x.shape, x.element, max(x.bound, new.bound), x.error)
    return d.emit(f"{out.name} = tensor.insert_slice {new.name} into {x.name}{where} : {new.type} into {out.type}", out)


def by_indices(d: Drawing, x: Value) -> Value:
    """tensor.gather of rows by an argument, or tensor.scatter of some to known places."""
    if not x.shape or 8 * prod(x.shape) > 4 * d.largest:
        return function(d, x)
    n, at, count = x.shape, d.pick(range(len(x.shape))), d.pick([1, 2, 5])
    rest = (*n[:at], *n[at + 1 :])
    name = d.name()
    if d.flip() and n[at] >= count:
        places = [[(3 * i + 1) % n[at]] for i in range(count)]
        if len({p for [p] in places}) == count:
            new = d.argument((count, *n[:at], 1, *n[at + 1 :]), x.element)
            out = Value(name, n, x.element, max(x.bound, new.bound), x.error)
            d.graph.lines.append(f"{name}i = arith.constant dense<{places}> : tensor<{count}x1xindex>")
            return d.emit(
                f"{name} = tensor.scatter {new.name} into {x.name}[{name}i] scatter_dims([{at}]) unique : "
                f"({new.type}, {x.type}, tensor<{count}x1xindex>) -> {x.type}",
                out,
            )
    indices = d.argument((count, 1), "i32")
    kind = f"tensor<{count}x1xi32>"
    d.graph.lines += [
        f"{name}a = math.absi {indices.name} : {kind}", f"{name}m = arith.constant dense<{n[at]}> : {kind}",
        f"{name}r = arith.remsi {name}a, {name}m : {kind}",
        f"{name}i = arith.index_cast {name}r : {kind} to tensor<{count}x1xindex>",
    ]  # fmt: skip
    out = Value(name, (count, *rest), x.element, x.bound, x.error)
    return d.emit(
        f"{name} = tensor.gather {x.name}[{name}i] gather_dims([{at}]) : ({x.type}, tensor<{count}x1xindex>) -> {out.type}", out
    )


def in_loop(d: Drawing, x: Value) -> Value:
    """The absolute values of the negative, some times, in an scf.for; or one of two in an scf.if by a bit that is given."""
    name, t = d.name(), x.element
    out = Value(name, x.shape, t, x.bound if x.is_float else 2.0 ** (BITS[t] - 1), x.error)
    kind = "f" if x.is_float else "i"
    zero = f"%z = arith.constant dense<{d.zero(x)}> : {x.type}"
    if d.flip():
        flag = d.argument((), "i1")
        d.values.remove(flag)
        d.graph.lines.append(f"{name}c = tensor.extract {flag.name}[] : {flag.type}")
        return d.emit(
            f"{name} = scf.if {name}c -> ({x.type}) {{\n    {zero}\n    %n = arith.sub{kind} %z, {x.name} : {x.type}\n"
            f"    scf.yield %n : {x.type}\n  }} else {{\n    scf.yield {x.name} : {x.type}\n  }}",
            out,
        )
    d.graph.lines += [f"{name}{n} = arith.constant {v} : index" for n, v in (("l", 0), ("u", d.pick([1, 2, 3])), ("s", 1))]
    top = "maximumf" if x.is_float else "maxsi"
    return d.emit(
        f"{name} = scf.for %i = {name}l to {name}u step {name}s iter_args(%y = {x.name}) -> ({x.type}) {{\n    {zero}\n"
        f"    %n = arith.sub{kind} %z, %y : {x.type}\n    %m = arith.{top} %n, %y : {x.type}\n"
        f"    scf.yield %m : {x.type}\n  }}",
        out,
    )


def packed(d: Drawing, x: Value) -> Value:
    """Tiles of two dimensions, padded, and packed; some are unpacked again."""
    if len(x.shape) != 2:
        return function(d, x)
    tiles = [d.pick([2, 4, 8]) for _ in range(2)]
    outer = [-(-n // t) for n, t in zip(x.shape, tiles, strict=True)]
    turned = d.flip()
    shape = (*(reversed(outer) if turned else outer), *tiles)
    if prod(shape) > d.largest:
        return function(d, x)
    how = ("outer_dims_perm = [1, 0] " if turned else "") + f"inner_dims_pos = [0, 1] inner_tiles = {tiles}"
    out = Value(d.name(), shape, x.element, x.bound, x.error)
    d.graph.lines += [
        f"{out.name}e = tensor.empty() : {out.type}", f"{out.name}c = arith.constant {d.zero(x)} : {x.element}",
    ]  # fmt: skip
    out = d.emit(
        f"{out.name} = linalg.pack {x.name} padding_value({out.name}c : {x.element}) {how} into {out.name}e : {x.type} "
        f"-> {out.type}",
        out,
    )
    if d.flip():
        return out
    back = Value(d.name(), x.shape, x.element, x.bound, x.error)
    d.graph.lines.append(f"{back.name}e = tensor.empty() : {back.type}")
    return d.emit(f"{back.name} = linalg.unpack {out.name} {how} into {back.name}e : {out.type} -> {back.type}", back)


def briefly(d: Drawing, x: Value) -> Value:
    """linalg.reduce, broadcast, map and elementwise, as their short forms are written."""
    t, rank = x.element, len(x.shape)
    kind = d.pick(["reduce", "broadcast", "map", "elementwise"])
    op = d.pick([("addf" if x.is_float else "addi"), ("maximumf" if x.is_float else "maxsi")])
    if kind == "reduce" and rank:
        at = d.pick(range(rank))
        into = d.argument(x.shape[:at] + x.shape[at + 1 :], t)
        bound, error = x.bound * x.shape[at] + into.bound, x.error * x.shape[at]
        if x.is_float and (error or bound > EXACT[t]):
            error += x.shape[at] * (bound + error) * UNIT[t]
        out = Value(d.name(), into.shape, t, bound, error)
        return d.emit(
            f"{out.name} = linalg.reduce {{ arith.{op} }} ins({x.name} : {x.type}) outs({into.name} : {into.type}) "
            f"dimensions = [{at}]",
            out,
        )
    if kind == "broadcast" and rank < 5 and 3 * prod(x.shape) <= d.largest:
        at = d.pick(range(rank + 1))
        out = Value(d.name(), (*x.shape[:at], d.pick([1, 2, 3]), *x.shape[at:]), t, x.bound, x.error)
        d.graph.lines.append(f"{out.name}e = tensor.empty() : {out.type}")
        line = f"{out.name} = linalg.broadcast ins({x.name} : {x.type}) outs({out.name}e : {out.type}) dimensions = [{at}]"
        return d.emit(line, out)
    into = d.argument(x.shape, t)
    y = d.pick([v for v in d.values if v.element == t and v.shape == x.shape])
    out = Value(d.name(), x.shape, t, x.bound + y.bound, x.error + y.error)
    if kind == "map":
        return d.emit(
            f"{out.name} = linalg.map {{ arith.{op} }} ins({x.name}, {y.name} : {x.type}, {y.type}) "
            f"outs({into.name} : {x.type})",
            out,
        )
    return d.emit(
        f"{out.name} = linalg.elementwise kind=#linalg.elementwise_kind<add> ins({x.name}, {y.name} : {x.type}, {y.type}) "
        f"outs({into.name} : {x.type}) -> {x.type}",
        out,
    )


def with_zero_points(d: Drawing, x: Value) -> Value:
    """A product, or a convolution, of 8-bit integers less their zero points."""
    if x.element != "i8" or len(x.shape) not in (2, 4):
        return requantized(d, x)
    d.graph.lines += [f"{(zero := d.name())}a = arith.constant {d.pick([0, 3, -7])} : i32",
                      f"{zero}b = arith.constant {d.pick([0, 5, -2])} : i32"]  # fmt: skip
    if len(x.shape) == 2:
        y = d.argument((x.shape[1], d.pick([1, 8, 20])), "i8")
        name, more, shape = "quantized_matmul", "", (x.shape[0], y.shape[1])
    else:
        size = [d.pick([k for k in (1, 2, 3) if k <= n]) for n in x.shape[1:3]]
        y = d.argument((*size, x.shape[3], d.pick([1, 8])), "i8")
        name, more = "conv_2d_nhwc_hwcf_q", ""
        shape = (x.shape[0], *(n - k + 1 for n, k in zip(x.shape[1:3], size, strict=True)), y.shape[3])
        if prod(shape) * prod(y.shape[:3]) > 2_000_000 or prod(shape) > d.largest:
            return requantized(d, x)
    out = Value(d.name(), tuple(shape), "i32", 2.0**31)
    d.filled(out, "0")
    return d.emit(
        f"{out.name} = linalg.{name} {more}ins({x.name}, {y.name}, {zero}a, {zero}b : {x.type}, {y.type}, i32, i32) "
        f"outs({out.name}f : {out.type}) -> {out.type}",
        out,
    )


WRITTEN: list[Callable[[Drawing, Value], Value]] = [
    *(attention, attention, requantized, divided, divided, anywhere, by_indices, in_loop, packed, briefly, briefly),
    *(with_zero_points,),
]
