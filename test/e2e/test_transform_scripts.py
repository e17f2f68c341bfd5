"""Kernels as Triton's front end leaves them, by the scripts in examples/transform, on the simulator against numpy."""

from functools import partial
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import allo_air
from allo_air import asm
from allo_air.air.backend.xrt import XRTBackend
from allo_air.core import driver, pipeline
from allo_air.core.contexts import reused_context
from allo_air.core.registry import Registry
from allo_air.mlir import ir
from helpers import in_turns

ROOT = Path(__file__).parents[2]
SCRIPTS = ROOT / "examples" / "transform"
BF16 = np.dtype(ml_dtypes.bfloat16)
NAMES = {BF16: "bf16", np.dtype(np.float32): "f32", np.dtype(np.int8): "i8", np.dtype(np.int32): "i32"}
IDS = "%gx: i32, %gy: i32, %gz: i32, %ix: i32, %iy: i32, %iz: i32"


def steps(script: Path, grid: tuple[int, ...]) -> str:
    bounds = ",".join(map(str, (*grid, 1, 1)[:3]))
    return (
        "builtin.module(air-resolve-tensor-opoperand-conflicts,air-override-memref-memory-space{scope=func memory-space=1},"
        f"air-transform{{filename={script}}},func.func(air-wrap-func-with-parallel{{loop-bounds={bounds}}}),"
        "air-par-to-launch{depth=0 has-air-segment=true},canonicalize,cse,air-copy-to-dma)"
    )


def compiled(text: str, script: Path, grid: tuple[int, ...], device: str) -> Any:
    with reused_context(), ir.Location.unknown():
        module = asm.read(text, "kernel.mlir")
        driver.run(pipeline.parse(steps(script, grid), Registry()), module)
        return allo_air.compile(asm.write(module), pipeline="air-npu", device=device)


def view(name: str, pointer: str, offset: str, shape: list[int], strides: list[int], kind: str) -> str:
    sizes, dims = ", ".join(map(str, shape)), "x".join(map(str, shape))
    steps = ", ".join(map(str, strides))
    return (
        f"%{name} = memref.reinterpret_cast %{pointer} to offset: [{offset}], sizes: [{sizes}], strides: [{steps}]"
        f" : memref<*x{kind}> to memref<{dims}x{kind}, strided<[{steps}], offset: ?>>\n"
    )


def loaded(name: str, pointer: str, offset: str, shape: list[int], strides: list[int], kind: str) -> str:
    dims = "x".join(map(str, shape))
    steps = ", ".join(map(str, strides))
    made = f"memref<{dims}x{kind}>"
    return view(f"v{name}", pointer, offset, shape, strides, kind) + (
        f"%b{name} = memref.alloc() : {made}\n"
        f"memref.copy %v{name}, %b{name} : memref<{dims}x{kind}, strided<[{steps}], offset: ?>> to {made}\n"
        f"%{name} = bufferization.to_tensor %b{name} restrict writable : {made} to tensor<{dims}x{kind}>\n"
    )


def stored(value: str, pointer: str, offset: str, shape: list[int], strides: list[int], kind: str) -> str:
    dims = "x".join(map(str, shape))
    steps = ", ".join(map(str, strides))
    return view("vout", pointer, offset, shape, strides, kind) + (
        f"bufferization.materialize_in_destination %{value} in writable %vout"
        f" : (tensor<{dims}x{kind}>, memref<{dims}x{kind}, strided<[{steps}], offset: ?>>) -> ()\n"
    )


def generic(name: str, inputs: list[tuple[str, str, str]], out: tuple[str, str], body: str, dims: str) -> str:
    """linalg.generic, all parallel, of `inputs` (value, type, map results) into tensor `out` (value, type)."""
    maps = ", ".join(f"affine_map<({dims}) -> ({m})>" for m in [*(m for _, _, m in inputs), dims])
    loops = ", ".join('"parallel"' for _ in dims.split(","))
    values, kinds = ", ".join(f"%{v}" for v, _, _ in inputs), ", ".join(k for _, k, _ in inputs)
    arguments = [f"%x{n}: {k.rsplit('x', 1)[1][:-1]}" for n, (_, k, _) in enumerate(inputs)]
    arguments.append(f"%o: {out[1].rsplit('x', 1)[1][:-1]}")
    return (
        f"%{name} = linalg.generic {{indexing_maps = [{maps}], iterator_types = [{loops}]}}"
        f" ins({values} : {kinds}) outs(%{out[0]} : {out[1]}) {{\n^bb0({', '.join(arguments)}):\n{body}}} -> {out[1]}\n"
    )


def kernel(pointers: list[tuple[str, str]], body: str) -> str:
    given = ", ".join(f"%{name}: memref<*x{kind}> {{tt.divisibility = 16 : i32}}" for name, kind in pointers)
    return f"func.func @k({given}, {IDS}) {{\n{body}return\n}}\n"


def elementwise(block: int, kind: str, operands: list[str], lines: list[tuple[str, str, list[str]]]) -> str:
    """One linalg.generic for each of `lines`: (result, operation, operands)."""
    text = (
        f"%size = arith.constant {block} : i32\n%o32 = arith.muli %ix, %size : i32\n"
        "%off = arith.index_cast %o32 : i32 to index\n%one = arith.constant 1.0 : " + kind + "\n"
    )
    shape, tensor = [block], f"tensor<{block}x{kind}>"
    for name in operands:
        text += loaded(name, f"p{name}", "%off", shape, [1], kind)
    for result, operation, given in lines:
        values = ", ".join("%one" if g == "1" else f"%x{[v for v in given if v != '1'].index(g)}" for g in given)
        used = [g for g in given if g != "1"]
        body = f"%r = {operation} {values} : {kind}\nlinalg.yield %r : {kind}\n"
        text += generic(result, [(g, tensor, "d0") for g in used], (used[0], tensor), body, "d0")
    text += stored(lines[-1][0], "pout", "%off", shape, [1], kind)
    return kernel([*((f"p{n}", kind) for n in operands), ("pout", kind)], text)


SILU = [
    ("n", "arith.negf", ["a"]),
    ("e", "math.exp", ["n"]),
    ("d", "arith.addf", ["e", "1"]),
    ("s", "arith.divf", ["a", "d"]),
]
KERNELS = {
    "add": (["a", "b"], [("s", "arith.addf", ["a", "b"])], lambda a, b: a + b),
    "relu": (["a"], [("z", "arith.subf", ["a", "a"]), ("s", "arith.maximumf", ["a", "z"])], lambda a: np.maximum(a, 0)),
    "silu": (["a"], SILU, lambda a: a / (1 + np.exp(-a))),
    "swiglu": (["a", "b"], [*SILU, ("t", "arith.mulf", ["s", "b"])], lambda a, b: a / (1 + np.exp(-a)) * b),
}


@pytest.mark.parametrize(("name", "device"), in_turns(KERNELS))
def test_elementwise(name: str, device: str) -> None:
    operands, lines, wanted = KERNELS[name]
    block, count = (192, 5) if device == "npu1" else (1024, 1)
    kind = np.dtype(np.float32) if name in ("silu", "relu") else BF16
    program = compiled(elementwise(block, NAMES[kind], operands, lines), SCRIPTS / "elementwise.mlir", (count,), device)
    rng = np.random.default_rng(0)
    arrays = [rng.standard_normal(block * count).astype(kind) for _ in operands]
    out = np.zeros(block * count, kind)
    program(*arrays, out)
    expected = wanted(*(a.astype(np.float32) for a in arrays))
    np.testing.assert_allclose(out.astype(np.float32), expected, rtol=2**-5, atol=2**-5)


def rows(count: int, length: int, kind: str, body: str) -> str:
    """A block of `count` rows: `%x` as f32, `%turned` of it, and `%r` of the rows' type are for `body` to use and make."""
    shape, strides = [count, length], [length, 1]
    wide = f"tensor<{count}x{length}xf32>"
    text = (
        f"%size = arith.constant {count * length} : i32\n%o32 = arith.muli %ix, %size : i32\n"
        f"%off = arith.index_cast %o32 : i32 to index\n%scale = arith.constant {1 / length:e} : f32\n"
        "%zero = arith.constant 0.0 : f32\n%low = arith.constant 0xFF800000 : f32\n%eps = arith.constant 1.0e-5 : f32\n"
        f"%wide = tensor.empty() : {wide}\n%row = tensor.empty() : tensor<{count}xf32>\n"
    ) + loaded("a", "pa", "%off", shape, strides, kind)
    if kind == "f32":
        text = text.replace("%a =", "%x =")
    else:
        cast = f"%w = arith.extf %x0 : {kind} to f32\nlinalg.yield %w : f32\n"
        text += generic("x", [("a", f"tensor<{count}x{length}x{kind}>", "d0, d1")], ("wide", wide), cast, "d0, d1")
    text += body.replace("ROWS", str(count)).replace("LENGTH", str(length)).replace("KIND", kind)
    return kernel([("pa", kind), ("pout", kind)], text + stored("r", "pout", "%off", shape, strides, kind))


def reduced(name: str, value: str, operation: str, start: str) -> str:
    """The reduction of each row, as the front end writes it: of a transposed tensor along its first dimension."""
    wide, turned, row = "tensor<ROWSxLENGTHxf32>", "tensor<LENGTHxROWSxf32>", "tensor<ROWSxf32>"
    return (
        f"%e{name} = tensor.empty() : {turned}\n"
        f"%t{name} = linalg.transpose ins(%{value} : {wide}) outs(%e{name} : {turned}) permutation = [1, 0]\n"
        f"%f{name} = linalg.fill ins(%{start} : f32) outs(%row : {row}) -> {row}\n"
        f"%{name} = linalg.reduce ins(%t{name} : {turned}) outs(%f{name} : {row}) dimensions = [0]\n"
        f"(%u: f32, %v: f32) {{\n%w = {operation} %u, %v : f32\nlinalg.yield %w : f32\n}}\n"
    )


def each(name: str, inputs: list[tuple[str, bool]], lines: str, out: str = "f32") -> str:
    """An elementwise operation on the block; an input is whole, or a row's value (True)."""
    given = [
        (v, "tensor<ROWSxf32>" if is_row else "tensor<ROWSxLENGTHxf32>", "d0" if is_row else "d0, d1") for v, is_row in inputs
    ]
    made = f"tensor<ROWSxLENGTHx{out}>"
    empty = f"%empty{name} = tensor.empty() : {made}\n"
    return empty + generic(name, given, (f"empty{name}", made), lines, "d0, d1")


MEAN = reduced("sum", "x", "arith.addf", "zero")
CENTRED = each(
    "c",
    [("x", False), ("sum", True)],
    "%m = arith.mulf %x1, %scale : f32\n%d = arith.subf %x0, %m : f32\nlinalg.yield %d : f32\n",
)
SQUARED = "%q = arith.mulf %x0, %x0 : f32\nlinalg.yield %q : f32\n"
NARROW = "%y = arith.truncf %z : f32 to bf16\nlinalg.yield %y : bf16\n"
PLAIN = "linalg.yield %z : f32\n"
_INVERSE = "%m = arith.mulf %x1, %scale : f32\n%p = arith.addf %m, %eps : f32\n%i = math.rsqrt %p : f32\n"
SCALED = _INVERSE + "%z = arith.mulf %x0, %i : f32\n"
ROWS: dict[str, Any] = {
    "softmax": (
        BF16,
        reduced("top", "x", "arith.maxnumf", "low")
        + each(
            "e",
            [("x", False), ("top", True)],
            "%d = arith.subf %x0, %x1 : f32\n%e = math.exp %d : f32\nlinalg.yield %e : f32\n",
        )
        + reduced("sum", "e", "arith.addf", "zero")
        + each("r", [("e", False), ("sum", True)], "%z = arith.divf %x0, %x1 : f32\n" + NARROW, "bf16"),
        lambda x: np.exp(x - x.max(1, keepdims=True)) / np.exp(x - x.max(1, keepdims=True)).sum(1, keepdims=True),
    ),
    "layer_norm": (
        np.dtype(np.float32),
        MEAN
        + CENTRED
        + each("q", [("c", False)], SQUARED)
        + reduced("var", "q", "arith.addf", "zero")
        + each("r", [("c", False), ("var", True)], SCALED + PLAIN),
        lambda x: (x - x.mean(1, keepdims=True)) / np.sqrt(x.var(1, keepdims=True) + 1e-5),
    ),
    "rms_norm": (
        BF16,
        each("q", [("x", False)], SQUARED)
        + reduced("square", "q", "arith.addf", "zero")
        + each("r", [("x", False), ("square", True)], SCALED + NARROW, "bf16"),
        lambda x: x / np.sqrt((x * x).mean(1, keepdims=True) + 1e-5),
    ),
    "average_pool": (
        BF16,
        MEAN
        + each(
            "r",
            [("x", False), ("sum", True)],
            "%m = arith.mulf %x1, %scale : f32\n%z = arith.subf %x0, %m : f32\n" + NARROW,
            "bf16",
        ),
        lambda x: x - x.mean(1, keepdims=True),
    ),
}


@pytest.mark.parametrize(("name", "device"), in_turns(ROWS))
def test_rows(name: str, device: str) -> None:
    kind, body, wanted = ROWS[name]
    count, length, blocks = (2, 96, 3) if device == "npu1" else (4, 128, 1)
    program = compiled(rows(count, length, NAMES[kind], body), SCRIPTS / "rows.mlir", (blocks,), device)
    array = np.random.default_rng(1).standard_normal((count * blocks, length)).astype(kind)
    out = np.zeros(array.size, kind)
    program(array.reshape(-1), out)
    expected = wanted(array.astype(np.float32))
    np.testing.assert_allclose(out.astype(np.float32).reshape(array.shape), expected, rtol=2**-5, atol=2**-6)


def matmul(m: int, n: int, k: int, columns: int, given: str, made: str) -> str:
    a, b, c = f"tensor<{m}x{k}x{given}>", f"tensor<{k}x{n}x{given}>", f"tensor<{m}x{n}x{made}>"
    zero = "0.0" if made.startswith("f") else "0"
    text = (
        f"%zero = arith.constant {zero} : {made}\n%bm = arith.constant {m} : i32\n%bn = arith.constant {n} : i32\n"
        f"%ck = arith.constant {k} : index\n%cn = arith.constant {columns} : index\n"
        "%row32 = arith.muli %ix, %bm : i32\n%row = arith.index_cast %row32 : i32 to index\n"
        "%col32 = arith.muli %iy, %bn : i32\n%col = arith.index_cast %col32 : i32 to index\n"
        "%oa = arith.muli %row, %ck : index\n"
        + loaded("a", "pa", "%oa", [m, k], [k, 1], given)
        + loaded("b", "pb", "%col", [k, n], [columns, 1], given)
        + f"%e = tensor.empty() : {c}\n%f = linalg.fill ins(%zero : {made}) outs(%e : {c}) -> {c}\n"
        f"%p = linalg.matmul ins(%a, %b : {a}, {b}) outs(%f : {c}) -> {c}\n"
        "%or = arith.muli %row, %cn : index\n%oc = arith.addi %or, %col : index\n"
        + stored("p", "pc", "%oc", [m, n], [columns, 1], made)
    )
    return kernel([("pa", given), ("pb", given), ("pc", made)], text)


@pytest.mark.parametrize(
    ("kinds", "device"), in_turns([(BF16, np.float32), (np.int8, np.int32), (np.float32, np.float32)]), ids=str
)
def test_matmul(kinds: tuple[Any, Any], device: str) -> None:
    given, made = map(np.dtype, kinds)
    m, n, k, grid = (64, 32, 64, (1, 3)) if device == "npu1" else (64, 64, 32, (2, 1))
    text = matmul(m, n, k, n * grid[1], NAMES[given], NAMES[made])
    program = compiled(text, SCRIPTS / "matmul.mlir", grid, device)
    rng = np.random.default_rng(2)
    draw = partial(rng.integers, -8, 8) if given.kind == "i" else rng.standard_normal
    a, b = (draw(size=shape).astype(given) for shape in ((m * grid[0], k), (k, n * grid[1])))
    out = np.zeros(m * grid[0] * n * grid[1], made)
    program(a.reshape(-1), b.reshape(-1), out)
    expected = a.astype(made) @ b.astype(made)
    np.testing.assert_allclose(out.reshape(expected.shape), expected, rtol=2**-6, atol=2**-6)


@pytest.mark.parametrize(
    ("name", "device", "tile", "lanes", "promote"),
    [
        ("swiglu", "npu1", "flatten_tile_forall", 16, "pad_and_promote_binary_bf16"),
        ("silu", "npu2", "flatten_tile_forall_aie2p", 32, "pad_and_promote_unary_bf16"),
    ],
)
def test_sequences_of_the_library(name: str, device: str, tile: str, lanes: int, promote: str, tmp_path: Path) -> None:
    module = (
        "fuse_elementwise_and_canonicalize", tile, "canonicalize_with_cse", promote, "canonicalize_with_cse",
        "one_shot_bufferize", "post_bufferize_cleanup", f"vectorize_generics_at_{lanes}",
    )  # fmt: skip
    handle, script = "!transform.any_op", tmp_path / "script.mlir"
    lines = [f"transform.include @{s} failures(propagate) (%module) : ({handle}) -> ()" for s in module]
    lines.append(
        f"%herd = transform.include @air_herd_mapping_and_vectorize failures(propagate) (%module) : ({handle}) -> {handle}"
    )
    lines.append(f"transform.include @cast_bf16_only_ops failures(propagate) (%herd) : ({handle}) -> ()")
    main = f"transform.named_sequence @__transform_main(%module: {handle} {{transform.readonly}})"
    body = "\n".join((*lines, "transform.yield"))
    script.write_text(f"module attributes {{transform.with_named_sequence}} {{\n{main} {{\n{body}\n}}\n}}\n")
    operands, steps_, wanted = KERNELS[name]
    program = compiled(elementwise(1024, "bf16", operands, steps_), script, (2,), device)
    given, out = [np.random.default_rng(4).standard_normal(2048).astype(BF16) for _ in operands], np.zeros(2048, BF16)
    program(*given, out)
    expected = wanted(*(g.astype(np.float32) for g in given))
    np.testing.assert_allclose(out.astype(np.float32), expected, rtol=2**-5, atol=2**-5)


def flow(name: str, grid: tuple[int, ...]) -> Any:
    folder = ROOT / "test" / "data" / "transform_air" / f"flow_{name}"
    return compiled((folder / "input.mlir").read_text(), folder / "script.mlir", grid, "npu1")


def test_flows_of_one_shape() -> None:
    """Scripts for one workload and shape, with lengths of vectors and micro tiles of their own."""
    a, b, c = (*np.random.default_rng(2).standard_normal((2, 3840)).astype(BF16), np.zeros(3840, BF16))
    flow("add", (5,))(a, b, c)
    assert np.allclose(c.astype(np.float32), a.astype(np.float32) + b.astype(np.float32), rtol=2**-7)
    x, y = np.random.default_rng(3).standard_normal((40, 192)).astype(BF16), np.zeros(40 * 192, BF16)
    flow("softmax", (20,))(x.reshape(-1), y)
    wanted = np.exp(x.astype(np.float32))
    assert np.abs(y.reshape(40, 192).astype(np.float32) - wanted / wanted.sum(1, keepdims=True)).max() < 2e-3


@pytest.mark.parametrize("name", [pytest.param("matmul", marks=pytest.mark.slow), "matmul_packed"])
def test_tiles_of_unpacked_buffers_become_rows(name: str) -> None:
    assert "vector.contract" in flow(name, (1, 1)).text("channel")


def test_arrays_without_a_rank_that_the_last_block_overhangs() -> None:
    """Rows of 104 elements in blocks of 32: the block at the end of the last row reaches beyond the array."""
    m, n, k, grid, columns = 64, 32, 64, (1, 4), 104
    text = matmul(m, n, k, columns, "bf16", "f32").replace(
        "strides: [104, 1] : memref<*xf32>", "strides: [128, 1] : memref<*xf32>"
    )
    text = text.replace("strided<[104, 1], offset: ?>>) -> ()", "strided<[128, 1], offset: ?>>) -> ()")
    text = text.replace("memref<64x32xf32, strided<[104, 1]", "memref<64x32xf32, strided<[128, 1]")
    text = text.replace(
        "%or = arith.muli %row, %cn : index", "%cc = arith.constant 128 : index\n%or = arith.muli %row, %cc : index"
    )
    with reused_context(), ir.Location.unknown():
        module = asm.read(text, "kernel.mlir")
        driver.run(pipeline.parse(steps(SCRIPTS / "matmul.mlir", grid), Registry()), module)
        program = XRTBackend(target_device="npu2").compile_and_load(asm.write(module))
    rng = np.random.default_rng(2)
    a, b = (rng.standard_normal(shape).astype(BF16) for shape in ((m, k), (k, columns)))
    *_, out = program(a.reshape(-1), b.reshape(-1), np.zeros(m * 128, np.float32))
    found = out.reshape(m, 128)[:, :columns]
    np.testing.assert_allclose(found, a.astype(np.float32) @ b.astype(np.float32), rtol=2**-6, atol=2**-6)
