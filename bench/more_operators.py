"""Rows of bench/operators.py: reductions with an index, batched and dequantized products, poolings, and moves of data."""

from __future__ import annotations

from collections.abc import Callable

from operator_text import Operator, function, into, loop, tensor

HERE, ROW = "(i, j) -> (i, j)", "(i, j) -> (i)"


def log_softmax(rows: int, columns: int) -> Operator:
    """x - max - log(sum of exp(x - max)) of each row, in f32."""
    kind, narrow = tensor((rows, columns), "f32"), tensor((rows,), "f32")
    lines = {
        "m": "    %y = arith.maximumf %x0, %o : f32",
        "d": "    %y = arith.subf %x0, %x1 : f32",
        "s": "    %e = math.exp %x0 : f32\n    %y = arith.addf %e, %o : f32",
        "l": "    %y = math.log %x0 : f32",
    }
    body = f"""{into("m", (rows,), "f32", "0xFF800000")}
{loop("m", ["%a"], [kind], [HERE, ROW], "pr", narrow, lines["m"])}
{into("d", (rows, columns), "f32")}
{loop("d", ["%a", "%m"], [kind, narrow], [HERE, ROW, HERE], "pp", kind, lines["d"])}
{into("s", (rows,), "f32", "0.0")}
{loop("s", ["%d"], [kind], [HERE, ROW], "pr", narrow, lines["s"])}
{into("l", (rows,), "f32")}
{loop("l", ["%s"], [narrow], ["(i) -> (i)"] * 2, "p", narrow, lines["l"])}
{into("r", (rows, columns), "f32")}
{loop("r", ["%d", "%l"], [kind, narrow], [HERE, ROW, HERE], "pp", kind, lines["d"])}
  return %r : {kind}"""
    return function([((rows, columns), "f32")], ((rows, columns), "f32"), body)


def argmax(rows: int, columns: int) -> Operator:
    """The position of the greatest element of each row, the first one of equal ones."""
    kind = tensor((rows, columns), "f32")
    body = f"""{into("m", (rows,), "f32", "0xFF800000")}
{into("r", (rows,), "i32", "0")}
  %m, %r = linalg.generic {{indexing_maps = [affine_map<{HERE}>, affine_map<{ROW}>, affine_map<{ROW}>],
      iterator_types = ["parallel", "reduction"]}}
      ins(%a : {kind}) outs(%m_o, %r_o : {tensor((rows,), "f32")}, {tensor((rows,), "i32")}) {{
  ^bb0(%x: f32, %o: f32, %n: i32):
    %j = linalg.index 1 : index
    %k = arith.index_cast %j : index to i32
    %c = arith.cmpf ogt, %x, %o : f32
    %y = arith.select %c, %x, %o : f32
    %z = arith.select %c, %k, %n : i32
    linalg.yield %y, %z : f32, i32
  }} -> ({tensor((rows,), "f32")}, {tensor((rows,), "i32")})
  return %r : {tensor((rows,), "i32")}"""
    return function([((rows, columns), "f32")], ((rows,), "i32"), body)


def mean(rows: int, columns: int) -> Operator:
    """The mean of each row."""
    kind, narrow = tensor((rows, columns), "f32"), tensor((rows,), "f32")
    scale = f"    %n = arith.constant {columns}.0 : f32\n    %y = arith.divf %x0, %n : f32"
    body = f"""{into("s", (rows,), "f32", "0.0")}
{loop("s", ["%a"], [kind], [HERE, ROW], "pr", narrow, "    %y = arith.addf %x0, %o : f32")}
{into("r", (rows,), "f32")}
{loop("r", ["%s"], [narrow], ["(i) -> (i)"] * 2, "p", narrow, scale)}
  return %r : {narrow}"""
    return function([((rows, columns), "f32")], ((rows,), "f32"), body)


def batch_matmul(count: int, size: int) -> Operator:
    """`count` products of `size` x `size` in bf16, as f32."""
    shape = (count, size, size)
    kind, result = tensor(shape, "bf16"), tensor(shape, "f32")
    body = f"""{into("r", shape, "f32", "0.0")}
  %r = linalg.batch_matmul ins(%a, %b : {kind}, {kind}) outs(%r_o : {result}) -> {result}
  return %r : {result}"""
    return function([(shape, "bf16")] * 2, (shape, "f32"), body, count * size**3)


def dequantized_gemv(rows: int, depth: int, group: int) -> Operator:
    """W x for i8 weights with a scale for each `group` of a row, in f32 from a bf16 vector."""
    groups = depth // group
    kinds = [tensor((rows, groups, group), "i8"), tensor((rows, groups), "f32"), tensor((groups, group), "bf16")]
    lines = """    %w = arith.sitofp %x0 : i8 to f32
    %v = arith.extf %x2 : bf16 to f32
    %t = arith.mulf %w, %x1 : f32
    %p = arith.mulf %t, %v : f32
    %y = arith.addf %p, %o : f32"""
    maps = ["(i, g, k) -> (i, g, k)", "(i, g, k) -> (i, g)", "(i, g, k) -> (g, k)", "(i, g, k) -> (i)"]
    body = f"""{into("r", (rows,), "f32", "0.0")}
{loop("r", ["%a", "%b", "%c"], kinds, maps, "prr", tensor((rows,), "f32"), lines)}
  return %r : {tensor((rows,), "f32")}"""
    shapes = [((rows, groups, group), "i8"), ((rows, groups), "f32"), ((groups, group), "bf16")]
    return function(shapes, ((rows,), "f32"), body)


def pooling(channels: int, size: int, name: str, zero: str) -> Operator:
    """Windows of 2 x 2, two apart, of an image in NHWC."""
    x, y = (1, size, size, channels), (1, size // 2, size // 2, channels)
    body = f"""{into("r", y, "f32", zero)}
  %window = tensor.empty() : tensor<2x2xf32>
  %r = linalg.{name} {{strides = dense<2> : tensor<2xi64>}} ins(%a, %window : {tensor(x, "f32")}, tensor<2x2xf32>)
      outs(%r_o : {tensor(y, "f32")}) -> {tensor(y, "f32")}
  return %r : {tensor(y, "f32")}"""
    return function([(x, "f32")], (y, "f32"), body)


def concat(rows: int, columns: int) -> Operator:
    """Two tensors beside each other."""
    kind, wide = tensor((rows, columns), "f32"), (rows, 2 * columns)
    body = f"""  %r = tensor.concat dim(1) %a, %b : ({kind}, {kind}) -> {tensor(wide, "f32")}
  return %r : {tensor(wide, "f32")}"""
    return function([((rows, columns), "f32")] * 2, (wide, "f32"), body)


def pad(rows: int, columns: int) -> Operator:
    """A border of zeros, one row above and below and 8 columns at either side."""
    wide = (rows + 2, columns + 16)
    body = f"""  %z = arith.constant 0.0 : f32
  %r = tensor.pad %a low[1, 8] high[1, 8] {{
  ^bb0(%i: index, %j: index):
    tensor.yield %z : f32
  }} : {tensor((rows, columns), "f32")} to {tensor(wide, "f32")}
  return %r : {tensor(wide, "f32")}"""
    return function([((rows, columns), "f32")], (wide, "f32"), body)


def slice_of(rows: int, columns: int) -> Operator:
    """The middle half of the columns."""
    kind, narrow = tensor((rows, columns), "f32"), (rows, columns // 2)
    place = f"[0, {columns // 4}] [{rows}, {columns // 2}] [1, 1]"
    body = f"""  %r = tensor.extract_slice %a{place} : {kind} to {tensor(narrow, "f32")}
  return %r : {tensor(narrow, "f32")}"""
    found = function([((rows, columns), "f32")], (narrow, "f32"), body)
    return Operator(found.text, found.arguments, 2 * rows * columns // 2 * 4)


def gather(rows: int, columns: int) -> Operator:
    """The rows of a table of 9 that as many indices name."""
    table, kind = tensor((9, columns), "f32"), tensor((rows, columns), "f32")
    body = f"""{into("r", (rows, columns), "f32")}
  %r = linalg.generic {{indexing_maps = [affine_map<{ROW}>, affine_map<{HERE}>], iterator_types = ["parallel", "parallel"]}}
      ins(%b : {tensor((rows,), "i32")}) outs(%r_o : {kind}) {{
  ^bb0(%n: i32, %o: f32):
    %i = arith.index_cast %n : i32 to index
    %j = linalg.index 1 : index
    %y = tensor.extract %a[%i, %j] : {table}
    linalg.yield %y : f32
  }} -> {kind}
  return %r : {kind}"""
    return function([((9, columns), "f32"), ((rows,), "i32")], ((rows, columns), "f32"), body)


MORE: dict[str, tuple[Callable[..., Operator], tuple[object, ...], tuple[object, ...]]] = {
    "log softmax f32": (log_softmax, (1024, 1024), (64, 256)),
    "argmax f32": (argmax, (1024, 1024), (64, 256)),
    "mean f32": (mean, (1024, 1024), (64, 256)),
    "batched matmul bf16": (batch_matmul, (16, 256), (2, 64)),
    "gemv i8 with scales": (dequantized_gemv, (1024, 1024, 64), (64, 256, 64)),
    "max pool f32": (pooling, (64, 128, "pooling_nhwc_max", "0xFF800000"), (16, 16, "pooling_nhwc_max", "0xFF800000")),
    "sum pool f32": (pooling, (64, 128, "pooling_nhwc_sum", "0.0"), (16, 16, "pooling_nhwc_sum", "0.0")),
    "concat f32": (concat, (1024, 512), (64, 128)),
    "pad f32": (pad, (1024, 1024), (64, 256)),
    "slice f32": (slice_of, (1024, 1024), (64, 256)),
    "gather of rows f32": (gather, (1024, 1024), (64, 256)),
}
"""Operators, with the arguments of the full and of the small one."""
