"""Programs of several kernels on numpy arrays: constants, layouts, shared kernels and buffers, results of all kinds."""

from itertools import pairwise
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

import allo_air
from allo_air.errors import AlloAirError
from allo_air.program.program import Program
from allo_air.program.run import xrt

BF16 = ml_dtypes.bfloat16

GEMM = """
func.func private @{name}(%a: tensor<{m}x{k}xbf16>, %b: tensor<{k}x{n}xbf16>) -> tensor<{m}x{n}x{out}>
    attributes {{allo.kernel}} {{
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<{m}x{n}xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<{m}x{n}xf32>) -> tensor<{m}x{n}xf32>
  %c = linalg.matmul ins(%a, %b : tensor<{m}x{k}xbf16>, tensor<{k}x{n}xbf16>)
      outs(%f : tensor<{m}x{n}xf32>) -> tensor<{m}x{n}xf32>
  {tail}
}}
"""
NARROW = """%h = tensor.empty() : tensor<{m}x{n}xbf16>
  %r = linalg.generic {{indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}} ins(%c : tensor<{m}x{n}xf32>) outs(%h : tensor<{m}x{n}xbf16>) {{
  ^bb0(%x: f32, %y: bf16):
    %t = arith.truncf %x : f32 to bf16
    linalg.yield %t : bf16
  }} -> tensor<{m}x{n}xbf16>
  return %r : tensor<{m}x{n}xbf16>"""


def gemm(name: str, m: int, n: int, k: int, out: str = "bf16") -> str:
    """A kernel that multiplies bf16 matrices."""
    sizes = {"m": m, "n": n, "k": k}
    tail = NARROW.format(**sizes) if out == "bf16" else f"return %c : tensor<{m}x{n}xf32>"
    return GEMM.format(name=name, out=out, tail=tail, **sizes)


def numbers(*shape: int, seed: int = 0, scale: float = 1.0) -> np.ndarray:
    """Small numbers that bf16 holds."""
    return (np.random.default_rng(seed).integers(-2, 3, shape) * scale).astype(BF16)


def product(a: np.ndarray, b: np.ndarray, out: type = BF16) -> np.ndarray:
    """As a kernel multiplies."""
    return (a.astype(np.float32) @ b.astype(np.float32)).astype(out)


def compiled(text: str, pipeline: str = "gemm-bf16", **options: object) -> Program:
    """Without the cache."""
    return allo_air.compile(text, pipeline=pipeline, cache=False, verify_each=False, **options)


CHAIN = (
    gemm("k", 32, 32, 32)
    + gemm("last", 16, 16, 32, "f32")
    + """
func.func @forward(%x: tensor<32x32xbf16>, %unused: tensor<3xf32>, %w: tensor<32x32xbf16>)
    -> (tensor<32x32xbf16>, tensor<16x16xf32>, tensor<32x32xbf16>) {
  %v = arith.constant dense<1.0> : tensor<32x16xbf16>
  %r = call @k(%x, %w) : (tensor<32x32xbf16>, tensor<32x32xbf16>) -> tensor<32x32xbf16>
  %l = tensor.extract_slice %r[16, 0] [16, 32] [1, 1] : tensor<32x32xbf16> to tensor<16x32xbf16>
  %s = call @last(%l, %v) : (tensor<16x32xbf16>, tensor<32x16xbf16>) -> tensor<16x16xf32>
  %t = call @k(%r, %w) : (tensor<32x32xbf16>, tensor<32x32xbf16>) -> tensor<32x32xbf16>
  %u = call @k(%t, %r) : (tensor<32x32xbf16>, tensor<32x32xbf16>) -> tensor<32x32xbf16>
  return %u, %s, %r : tensor<32x32xbf16>, tensor<16x16xf32>, tensor<32x32xbf16>
}
"""
)


@pytest.fixture(scope="module")
def chain() -> Program:
    """Two kernels, one of which runs three times; an intermediate is read again, in parts, too, and is a result."""
    return compiled(CHAIN)


def test_a_chain_with_a_shared_kernel_and_an_intermediate_that_stays(chain: Program, tmp_path: Path) -> None:
    x, w = numbers(32, 32), numbers(32, 32, seed=1, scale=1 / 16)
    r = product(x, w)
    t = product(r, w)
    wanted = product(t, r), product(r[16:], np.ones((32, 16)), np.float32), r
    given = x, np.zeros(3, np.float32), w
    for found in (chain(*given), chain(*given)):
        assert all((a == b).all() for a, b in zip(found, wanted, strict=True))
    chain.save(tmp_path / "program")
    again = allo_air.load(tmp_path / "program")
    assert all((a == b).all() for a, b in zip(again(*given), wanted, strict=True))
    assert again.explain() == chain.explain()


def test_small_kernels_stand_side_by_side_on_one_configuration(chain: Program) -> None:
    text = chain.text()
    assert text.count("aiex.configure") == 1
    assert text.count("aiex.run @k(") == 3
    assert chain.report().reconfigurations == 0
    told = chain.explain()
    assert "2 kernels, run 4 times on 1 configuration" in told
    assert "@shared_0 holds @last in column 0, @k in column 1" in told
    assert "@k\n  columns: 1 of 4: about " in told
    assert "2 loads saved" in told


@pytest.mark.parametrize("device", ["npu1", "npu2"])
@pytest.mark.parametrize(("m", "n", "k"), [(129, 67, 130), (40, 24, 32)])
def test_a_product_and_a_reader_share_a_configuration_with_the_movement_between_them(
    m: int, n: int, k: int, device: str
) -> None:
    """Its plan is known last: the other kernels leave columns for it."""
    mn, mk, kn = f"tensor<{m}x{n}xi32>", f"tensor<{m}x{k}xi8>", f"tensor<{k}x{n}xi8>"
    text = f"""
func.func @f(%x: {mk}, %w: {kn}, %y: tensor<{n}xi32>) -> ({mn}, {mn}) {{
  %z = arith.constant 0 : i32
  %e = tensor.empty() : {mn}
  %i = linalg.fill ins(%z : i32) outs(%e : {mn}) -> {mn}
  %p = linalg.matmul ins(%x, %w : {mk}, {kn}) outs(%i : {mn}) -> {mn}
  %b = linalg.broadcast ins(%y : tensor<{n}xi32>) outs(%e : {mn}) dimensions = [0]
  %s = linalg.add ins(%p, %b : {mn}, {mn}) outs(%e : {mn}) -> {mn}
  return %p, %s : {mn}, {mn}
}}"""
    program = compiled(text, "npu", device=device)
    assert program.report().reconfigurations == 0
    random = np.random.default_rng(0)
    x, w = random.integers(-128, 128, (m, k), np.int8), random.integers(-128, 128, (k, n), np.int8)
    y = random.integers(-(2**20), 2**20, n, np.int32)
    p, s = program(x, w, y)
    expected = x.astype(np.int32) @ w.astype(np.int32)
    assert (p == expected).all() and (s == expected + y).all()


def test_runs_of_one_device_stand_together_and_a_load_has_its_price() -> None:
    program = compiled(CHAIN, cores_m=4, cores_n=4)
    text = program.text()
    assert text.count("aiex.configure") == 2
    assert text.count("aiex.run @k(") == 3
    report = program.report()
    assert [k.name for k in report.kernels] == ["k_0", "last_0"]
    assert sum(k.cycles for k in report.kernels) == report.cycles
    assert report.reconfigurations == 1
    assert "and 654 us to load configurations" in " ".join(report.text().split())
    told = program.explain()
    assert "2 kernels, run 4 times on 2 configurations" in told
    assert "@k\n  plan: herd " in told


def test_shapes_that_do_not_divide_constants_and_results_that_nothing_computes() -> None:
    weights = numbers(50, 40, seed=2)
    raw = "0x02000000" + weights.tobytes().hex()
    program = compiled(
        gemm("k", 30, 40, 50, "f32")
        + """
func.func @f(%x: tensor<5x6x50xbf16>, %n: tensor<3xf32>, %y: tensor<30x50xbf16>)
    -> (tensor<5x6x40xf32>, tensor<30x40xf32>, tensor<3xf32>, tensor<2x25x40xbf16>, tensor<30x40xf32>) {
  %v = arith.constant dense_resource<weights> : tensor<50x40xbf16>
  %u = arith.constant dense<2.0> : tensor<2000xbf16>
  %c = tensor.collapse_shape %x [[0, 1], [2]] : tensor<5x6x50xbf16> into tensor<30x50xbf16>
  %w = tensor.expand_shape %u [[0, 1]] output_shape [50, 40] : tensor<2000xbf16> into tensor<50x40xbf16>
  %3 = tensor.expand_shape %u [[0, 1, 2]] output_shape [2, 25, 40] : tensor<2000xbf16> into tensor<2x25x40xbf16>
  %r = call @k(%c, %v) : (tensor<30x50xbf16>, tensor<50x40xbf16>) -> tensor<30x40xf32>
  %s = call @k(%y, %w) : (tensor<30x50xbf16>, tensor<50x40xbf16>) -> tensor<30x40xf32>
  %o = tensor.expand_shape %r [[0, 1], [2]] output_shape [5, 6, 40] : tensor<30x40xf32> into tensor<5x6x40xf32>
  return %o, %s, %n, %3, %s
      : tensor<5x6x40xf32>, tensor<30x40xf32>, tensor<3xf32>, tensor<2x25x40xbf16>, tensor<30x40xf32>
}
{-# dialect_resources: { builtin: { weights: \""""
        + raw
        + '" } } #-}'
    )
    x, n, y = numbers(5, 6, 50), np.arange(3, dtype=np.float32), numbers(30, 50, seed=1)
    o, s, same, constant, again = program(x, n, y)
    assert (o == product(x, weights, np.float32)).all()
    assert (s == product(y, np.full((50, 40), 2), np.float32)).all()
    assert (same == n).all()
    assert (constant == 2).all()
    assert (again == s).all()


@pytest.mark.parametrize("device", ["npu1", "npu2"])
def test_npu_partitions_pads_and_links(device: str) -> None:
    text = """
#map = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d1)>
func.func @main(%x: tensor<20x22xf32>, %w1: tensor<22x26xf32>, %b: tensor<26xf32>) -> (tensor<20x10xf32>, tensor<20x26xf32>) {
  %c0 = arith.constant 0.0 : f32
  %w2 = arith.constant dense<0.5> : tensor<26x10xf32>
  %e = tensor.empty() : tensor<20x26xf32>
  %f = linalg.fill ins(%c0 : f32) outs(%e : tensor<20x26xf32>) -> tensor<20x26xf32>
  %h = linalg.matmul ins(%x, %w1 : tensor<20x22xf32>, tensor<22x26xf32>) outs(%f : tensor<20x26xf32>) -> tensor<20x26xf32>
  %r = linalg.generic {indexing_maps = [#map, #row, #map], iterator_types = ["parallel", "parallel"]}
      ins(%h, %b : tensor<20x26xf32>, tensor<26xf32>) outs(%e : tensor<20x26xf32>) {
  ^bb0(%a: f32, %bb: f32, %o: f32):
    %s = arith.addf %a, %bb : f32
    %m = arith.maximumf %s, %c0 : f32
    linalg.yield %m : f32
  } -> tensor<20x26xf32>
  %e2 = tensor.empty() : tensor<20x10xf32>
  %f2 = linalg.fill ins(%c0 : f32) outs(%e2 : tensor<20x10xf32>) -> tensor<20x10xf32>
  %y = linalg.matmul ins(%r, %w2 : tensor<20x26xf32>, tensor<26x10xf32>) outs(%f2 : tensor<20x10xf32>) -> tensor<20x10xf32>
  return %y, %r : tensor<20x10xf32>, tensor<20x26xf32>
}
"""
    program = compiled(text, "npu", device=device)
    rng = np.random.default_rng(0)
    x, w, b = (rng.standard_normal(s, np.float32) for s in ((20, 22), (22, 26), (26,)))
    y, r = program(x, w, b)
    wanted = np.maximum(x.astype(np.float64) @ w + b, 0)
    eps = 2.0**-24  # each of the sums' terms is rounded once, as is each sum
    assert np.abs(r - wanted).max() <= 24 * eps * (np.abs(x) @ np.abs(w) + np.abs(b)).max()
    assert np.abs(y - wanted @ np.full((26, 10), 0.5)).max() <= 52 * eps * (np.abs(wanted).sum(1).max() + 26 * 24)


def test_one_kernel_is_its_devices_own_sequence() -> None:
    program = compiled(
        gemm("k", 32, 32, 32)
        + """
func.func @f(%x: tensor<32x32xbf16>) -> tensor<32x32xbf16> {
  %w = arith.constant dense<0.5> : tensor<32x32xbf16>
  %r = call @k(%w, %x) : (tensor<32x32xbf16>, tensor<32x32xbf16>) -> tensor<32x32xbf16>
  return %r : tensor<32x32xbf16>
}
"""
    )
    x = numbers(32, 32)
    assert "aiex.configure" not in program.text()
    assert (program(x) == product(np.full((32, 32), 0.5), x)).all()
    assert "one kernel" in program.explain()


def test_an_npu_takes_an_elf_where_configurations_are_loaded(chain: Program) -> None:
    told = xrt.dry_run(chain.lowered)
    assert "--get-full-elf --full-elf-name=build/final.elf" in told
    assert "# pyxrt: kernel main:forward of final.elf(bo0=32x32xbf16, " in told
    with pytest.raises(AlloAirError, match="compile for device='npu2'"):
        xrt.run(chain.lowered, [])


def mlp(rows: int, sizes: list[int], element: str) -> str:
    """Linear layers with bias and ReLU, one after another."""
    layers, taken = "", [f"%x: tensor<{rows}x{sizes[0]}x{element}>"]
    value, narrow = "%x", "%t = arith.truncf %q : f32 to bf16\n    linalg.yield %t : bf16"
    for i, (k, n) in enumerate(pairwise(sizes)):
        out = element if i < len(sizes) - 2 else "f32"
        taken += [f"%w{i}: tensor<{k}x{n}x{element}>", f"%b{i}: tensor<{n}xf32>"]
        layers += f"""
  %e{i} = tensor.empty() : tensor<{rows}x{n}xf32>
  %f{i} = linalg.fill ins(%z : f32) outs(%e{i} : tensor<{rows}x{n}xf32>) -> tensor<{rows}x{n}xf32>
  %c{i} = linalg.matmul ins({value}, %w{i} : tensor<{rows}x{k}x{element}>, tensor<{k}x{n}x{element}>)
      outs(%f{i} : tensor<{rows}x{n}xf32>) -> tensor<{rows}x{n}xf32>
  %o{i} = tensor.empty() : tensor<{rows}x{n}x{out}>
  %r{i} = linalg.generic {{indexing_maps = [#m, #v, #m], iterator_types = ["parallel", "parallel"]}}
      ins(%c{i}, %b{i} : tensor<{rows}x{n}xf32>, tensor<{n}xf32>) outs(%o{i} : tensor<{rows}x{n}x{out}>) {{
  ^bb0(%a: f32, %b: f32, %d: {out}):
    %s = arith.addf %a, %b : f32
    %q = arith.maximumf %s, %z : f32
    {narrow if out == "bf16" else "linalg.yield %q : f32"}
  }} -> tensor<{rows}x{n}x{out}>"""
        value = f"%r{i}"
    result = f"tensor<{rows}x{sizes[-1]}xf32>"
    return f"""
#m = affine_map<(i, j) -> (i, j)>
#v = affine_map<(i, j) -> (j)>
func.func @main({", ".join(taken)}) -> {result} {{
  %z = arith.constant 0.0 : f32{layers}
  return {value} : {result}
}}"""


@pytest.mark.parametrize(
    ("device", "element", "sizes", "relayouts"),
    [
        ("npu1", "bf16", [37, 27, 10], 0),
        # the first layer's columns are padded to 80, the second takes 96
        pytest.param("npu2", "f32", [101, 75, 53, 10], 1, marks=pytest.mark.slow),
    ],
)
def test_layers_of_odd_sizes_pass_padded_results_on_as_they_are(
    device: str, element: str, sizes: list[int], relayouts: int
) -> None:
    random = np.random.default_rng(0)
    program = compiled(mlp(33, sizes, element), "npu", device=device)
    assert f"{len(sizes) - 1 + relayouts} kernels" in program.explain()
    kind = {"f32": np.float32, "bf16": BF16}[element]
    x = random.standard_normal((33, sizes[0])).astype(kind)
    given, wanted = [x], x.astype(np.float64)
    for k, n in pairwise(sizes):
        w, b = (random.standard_normal((k, n)) / 8).astype(kind), random.standard_normal(n).astype(np.float32)
        given += [w, b]
        wanted = np.maximum(wanted @ w.astype(np.float64) + b, 0)
    assert np.allclose(program(*given), wanted, atol=1e-5 if element == "f32" else 0.05)


def test_kernels_reach_memory_by_shims_below_others() -> None:
    """Three results leave a core by two shims; another kernel has the second one's column, and both share a configuration."""
    kinds = ["tensor<5x6xf32>", "tensor<7x8xf32>", "tensor<3x20xf32>"]

    def twice(result: str, argument: str, kind: str) -> str:
        return f"""%e{result} = tensor.empty() : {kind}
          %{result} = linalg.generic {{indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
              iterator_types = ["parallel", "parallel"]}} ins(%{argument} : {kind}) outs(%e{result} : {kind}) {{
          ^bb0(%p: f32, %o: f32):
            %s = arith.addf %p, %p : f32
            linalg.yield %s : f32
          }} -> {kind}
          """

    a, b, c = kinds
    every = ", ".join(kinds)
    text = f"""
        func.func private @several(%x: {a}, %y: {b}, %z: {c}) -> ({every}) attributes {{allo.kernel}} {{
          {"".join(map(twice, "uvw", "xyz", kinds))}
          return %u, %v, %w : {every}
        }}
        func.func private @single(%x: {a}) -> {a} attributes {{allo.kernel}} {{
          {twice("u", "x", a)}
          return %u : {a}
        }}
        func.func @f(%x: {a}, %y: {b}, %z: {c}) -> ({every}) {{
          %0:3 = call @several(%x, %y, %z) : ({every}) -> ({every})
          %1 = call @single(%0#0) : ({a}) -> {a}
          return %1, %0#1, %0#2 : {every}
        }}"""
    program = compiled(text, "npu", device="npu1_2col")
    values = [numbers(*shape).astype(np.float32) for shape in ((5, 6), (7, 8), (3, 20))]
    for result, value, factor in zip(program(*values), values, (4, 2, 2), strict=True):
        np.testing.assert_array_equal(result, factor * value)
    assert program.report().reconfigurations == 0
