"""One program for each family of operations, against numpy."""

from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np
import pytest

Run = Callable[..., list[Any]]
RNG = np.random.default_rng(0)
F = RNG.integers(-4, 5, (8, 16)).astype(np.float32)
G = RNG.integers(-4, 5, (16, 8)).astype(np.float32)
IDENTITY = "affine_map<(d0, d1) -> (d0, d1)>"


def unary(body: str, type_: str = "8x16xf32", returned: str = "8x16xf32") -> str:
    return f"func.func @f(%a: tensor<{type_}>) -> tensor<{returned}> {{\n{body}\n  return %r : tensor<{returned}>\n}}"


@pytest.mark.parametrize(
    ("body", "returned", "expected"),
    [
        ("%r = tensor.extract_slice %a[2, 4] [3, 5] [1, 2] : tensor<8x16xf32> to tensor<3x5xf32>", "3x5xf32", F[2:5, 4:14:2]),
        ("%r = tensor.extract_slice %a[2, 0] [1, 16] [1, 1] : tensor<8x16xf32> to tensor<16xf32>", "16xf32", F[2]),
        ("%r = tensor.collapse_shape %a [[0, 1]] : tensor<8x16xf32> into tensor<128xf32>", "128xf32", F.reshape(-1)),
        (
            "%r = tensor.expand_shape %a [[0, 1], [2]] output_shape [2, 4, 16] : tensor<8x16xf32> into tensor<2x4x16xf32>",
            "2x4x16xf32",
            F.reshape(2, 4, 16),
        ),
        (
            "%z = arith.constant 9.0 : f32\n%r = tensor.pad %a low[1, 0] high[0, 2] {\n^bb0(%i: index, %j: index):\n"
            " tensor.yield %z : f32\n} : tensor<8x16xf32> to tensor<9x18xf32>",
            "9x18xf32",
            np.pad(F, [(1, 0), (0, 2)], constant_values=9),
        ),
        (
            "%e = tensor.empty() : tensor<4x2x2x8xf32>\n%r = linalg.pack %a inner_dims_pos = [0, 1] inner_tiles = [2, 8]"
            " into %e : tensor<8x16xf32> -> tensor<4x2x2x8xf32>",
            "4x2x2x8xf32",
            F.reshape(4, 2, 2, 8).transpose(0, 2, 1, 3),
        ),
        (
            "%e = tensor.empty() : tensor<16x8xf32>\n%r = linalg.transpose ins(%a : tensor<8x16xf32>)"
            " outs(%e : tensor<16x8xf32>) permutation = [1, 0]",
            "16x8xf32",
            F.T,
        ),
        (
            f"%e = tensor.empty() : tensor<8x16xf32>\n%r = linalg.generic {{indexing_maps = [{IDENTITY}, {IDENTITY}],"
            ' iterator_types = ["parallel", "parallel"]} ins(%a : tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) {\n'
            "^bb0(%x: f32, %y: f32):\n %s = arith.mulf %x, %x : f32\n linalg.yield %s : f32\n} -> tensor<8x16xf32>",
            "8x16xf32",
            F * F,
        ),
    ],
    ids=["strided slice", "row", "collapse", "expand", "pad", "pack", "transpose", "generic"],
)
def test_tensors(run: Run, body: str, returned: str, expected: Any) -> None:
    [found] = run(unary(body, returned=returned), F)
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("%r = math.asin %a : tensor<5xf32>", np.arcsin),
        ("%r = math.acos %a : tensor<5xf32>", np.arccos),
        ("%r = math.sinh %a : tensor<5xf32>", np.sinh),
        ("%r = math.cosh %a : tensor<5xf32>", np.cosh),
        ("%r = math.asinh %a : tensor<5xf32>", np.arcsinh),
        ("%r = math.atanh %a : tensor<5xf32>", np.arctanh),
        ("%r = math.cbrt %a : tensor<5xf32>", np.cbrt),
        ("%r, %c = math.sincos %a : tensor<5xf32>", np.sin),
        ("%o = arith.constant dense<0.5> : tensor<5xf32>\n%r = math.clampf %a to [%a, %o] : tensor<5xf32>",
         lambda a: np.minimum(a, 0.5)),
        ("%e = arith.constant dense<3> : tensor<5xi32>\n%r = math.fpowi %a, %e : tensor<5xf32>, tensor<5xi32>", lambda a: a**3),
    ],
)  # fmt: skip
def test_functions_of_tensors(run: Run, line: str, expected: Callable[[Any], Any]) -> None:
    a = np.array([-0.75, -0.25, 0, 0.5, 0.625], np.float32)
    [found] = run(unary(line, "5xf32", "5xf32"), a)
    np.testing.assert_array_equal(found, expected(a.astype(np.float64)).astype(np.float32))


@pytest.mark.parametrize(
    ("name", "expected"),
    [("ctlz", [8, 0, 7, 1]), ("cttz", [8, 0, 0, 2]), ("ctpop", [0, 8, 1, 4]), ("ipowi", [0, -1, 1, 64])],
)
def test_bits_of_integers(run: Run, name: str, expected: list[int]) -> None:
    three = "%e = arith.constant dense<3> : tensor<4xi8>\n" if name == "ipowi" else ""
    [found] = run(unary(f"{three}%r = math.{name} %a{', %e' if three else ''} : tensor<4xi8>", "4xi8", "4xi8"),
                  np.array([0, -1, 1, 0b01110100], np.int8))  # fmt: skip
    np.testing.assert_array_equal(found, expected)


def test_kinds_of_numbers(run: Run) -> None:
    names = ("isfinite", "isinf", "isnan", "isnormal")
    lines = [f"%{n} = math.{n} %a : tensor<4xf32>" for n in names]
    kinds, values = ", ".join(["tensor<4xi1>"] * 4), ", ".join(f"%{n}" for n in names)
    text = "func.func @f(%a: tensor<4xf32>) -> ({}) {{\n{}\nreturn {} : {}\n}}".format(kinds, "\n".join(lines), values, kinds)
    found = run(text, np.array([1, np.inf, np.nan, 1e-40], np.float32))
    assert [list(map(int, f)) for f in found] == [[1, 0, 0, 1], [0, 1, 0, 0], [0, 0, 1, 0], [1, 0, 0, 0]]


def test_elements_at_places_that_a_tensor_holds(run: Run) -> None:
    text = """func.func @f(%a: tensor<8x16xf32>) -> (tensor<2x8xf32>, tensor<8x16xf32>) {
  %i = arith.constant dense<[[3], [5]]> : tensor<2x1xindex>
  %g = tensor.gather %a[%i] gather_dims([1]) : (tensor<8x16xf32>, tensor<2x1xindex>) -> tensor<2x8xf32>
  %s = tensor.expand_shape %g [[0], [1, 2]] output_shape [2, 8, 1] : tensor<2x8xf32> into tensor<2x8x1xf32>
  %j = arith.constant dense<[[0], [1]]> : tensor<2x1xindex>
  %p = tensor.scatter %s into %a[%j] scatter_dims([1]) unique
      : (tensor<2x8x1xf32>, tensor<8x16xf32>, tensor<2x1xindex>) -> tensor<8x16xf32>
  return %g, %p : tensor<2x8xf32>, tensor<8x16xf32>
}"""
    gathered, put = run(text, F)
    np.testing.assert_array_equal(gathered, F[:, [3, 5]].T)
    np.testing.assert_array_equal(put, np.concatenate([F[:, [3, 5]], F[:, 2:]], 1))


def test_a_copy_converts(run: Run) -> None:
    text = """func.func @f(%a: tensor<2xi8>, %b: tensor<2xf32>) -> tensor<2xf32> {
  %r = linalg.copy {cast = #linalg.type_fn<cast_unsigned>} ins(%a : tensor<2xi8>) outs(%b : tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}"""
    [found] = run(text, np.array([3, -1], np.int8), np.zeros(2, np.float32))
    np.testing.assert_array_equal(found, [3, 255])


def test_one_tensor_as_two_destinations(run: Run) -> None:
    program = f"""
    func.func @f(%a: tensor<8x16xf32>) -> (tensor<8x16xf32>, tensor<8x16xf32>) {{
      %e = tensor.empty() : tensor<8x16xf32>
      %r:2 = linalg.generic {{indexing_maps = [{IDENTITY}, {IDENTITY}, {IDENTITY}], iterator_types = ["parallel", "parallel"]}}
          ins(%a : tensor<8x16xf32>) outs(%e, %e : tensor<8x16xf32>, tensor<8x16xf32>) {{
      ^bb0(%x: f32, %y: f32, %z: f32):
        %s = arith.mulf %x, %x : f32
        %n = arith.negf %x : f32
        linalg.yield %s, %n : f32, f32
      }} -> (tensor<8x16xf32>, tensor<8x16xf32>)
      return %r#0, %r#1 : tensor<8x16xf32>, tensor<8x16xf32>
    }}"""
    squares, negative = run(program, F)
    np.testing.assert_array_equal(squares, F * F)
    np.testing.assert_array_equal(negative, -F)


@pytest.mark.parametrize(("element", "result"), [("f32", "f32"), ("bf16", "f32"), ("bf16", "bf16"), ("i8", "i32")])
def test_matmul(run: Run, element: str, result: str) -> None:
    types = {"f32": np.float32, "bf16": ml_dtypes.bfloat16, "i8": np.int8, "i32": np.int32}
    zero = "0" if result == "i32" else "0.0"
    text = f"""func.func @f(%a: tensor<8x16x{element}>, %b: tensor<16x8x{element}>) -> tensor<8x8x{result}> {{
  %z = arith.constant {zero} : {result}
  %e = tensor.empty() : tensor<8x8x{result}>
  %i = linalg.fill ins(%z : {result}) outs(%e : tensor<8x8x{result}>) -> tensor<8x8x{result}>
  %r = linalg.matmul ins(%a, %b : tensor<8x16x{element}>, tensor<16x8x{element}>)
    outs(%i : tensor<8x8x{result}>) -> tensor<8x8x{result}>
  return %r : tensor<8x8x{result}>
}}"""
    [found] = run(text, F.astype(types[element]), G.astype(types[element]))
    assert found.dtype == types[result]
    np.testing.assert_array_equal(found.astype(np.float64), F.astype(np.float64) @ G)


def test_buffers_and_their_views(run: Run) -> None:
    text = """func.func @f(%a: memref<8x16xf32>, %b: memref<2x4x16xf32>) {
  %t = memref.transpose %a (d0, d1) -> (d1, d0) : memref<8x16xf32> to memref<16x8xf32, strided<[1, 16]>>
  %s = memref.subview %t[0, 0] [16, 4] [1, 2] : memref<16x8xf32, strided<[1, 16]>> to memref<16x4xf32, strided<[1, 32]>>
  %e = memref.expand_shape %a [[0, 1], [2]] output_shape [2, 4, 16] : memref<8x16xf32> into memref<2x4x16xf32>
  memref.copy %e, %b : memref<2x4x16xf32> to memref<2x4x16xf32>
  %z = arith.constant 3.0 : f32
  linalg.fill ins(%z : f32) outs(%s : memref<16x4xf32, strided<[1, 32]>>)
  return
}"""
    a, b = run(text, F, np.zeros((2, 4, 16), np.float32))
    expected = F.copy()
    expected[::2] = 3
    np.testing.assert_array_equal(a, expected)
    np.testing.assert_array_equal(b, F.reshape(2, 4, 16))


def test_globals(run: Run) -> None:
    text = """memref.global "private" constant @g : memref<4xi32> = dense<[1, 2, 3, 4]>
func.func @f(%a: memref<4xi32>) {
  %g = memref.get_global @g : memref<4xi32>
  memref.copy %g, %a : memref<4xi32> to memref<4xi32>
  return
}"""
    [found] = run(text, np.zeros(4, np.int32))
    np.testing.assert_array_equal(found, [1, 2, 3, 4])


@pytest.mark.parametrize(
    "loop",
    [
        "scf.for %i = %c0 to %c8 step %c1 { scf.for %j = %c0 to %c16 step %c1 { BODY } }",
        "affine.for %i = 0 to 8 { affine.for %j = 0 to 16 { BODY } }",
        "scf.parallel (%i, %j) = (%c0, %c0) to (%c8, %c16) step (%c1, %c1) { BODY scf.reduce }",
        "scf.forall (%i, %j) in (8, 16) { BODY }",
        "affine.parallel (%i, %j) = (0, 0) to (8, 16) { BODY }",
    ],
    ids=["scf.for", "affine.for", "scf.parallel", "scf.forall", "affine.parallel"],
)
def test_loops(run: Run, loop: str) -> None:
    body = "%v = memref.load %a[%i, %j] : memref<8x16xf32>\n"
    body += "%w = arith.addf %v, %v : f32 memref.store %w, %a[%i, %j] : memref<8x16xf32>"
    text = f"""func.func @f(%a: memref<8x16xf32>) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  {loop.replace("BODY", body)}
  return
}}"""
    [found] = run(text, F)
    np.testing.assert_array_equal(found, F * 2)


def test_while_if_and_calls(run: Run) -> None:
    """The steps that 6 takes to 1: halve what is even, else 3 n + 1."""
    text = """func.func private @next(%n: i32) -> i32 {
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %three = arith.constant 3 : i32
  %odd = arith.remsi %n, %two : i32
  %is = arith.cmpi eq, %odd, %one : i32
  %r = scf.if %is -> i32 {
    %t = arith.muli %n, %three : i32
    %u = arith.addi %t, %one : i32
    scf.yield %u : i32
  } else {
    %h = arith.divsi %n, %two : i32
    scf.yield %h : i32
  }
  return %r : i32
}
func.func @f(%n: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %r:2 = scf.while (%x = %n, %k = %zero) : (i32, i32) -> (i32, i32) {
    %more = arith.cmpi ne, %x, %one : i32
    scf.condition(%more) %x, %k : i32, i32
  } do {
  ^bb0(%x: i32, %k: i32):
    %y = func.call @next(%x) : (i32) -> i32
    %l = arith.addi %k, %one : i32
    scf.yield %y, %l : i32, i32
  }
  return %r#1 : i32
}"""
    [steps] = run(text, 6)
    assert steps == 8


def test_branches(run: Run) -> None:
    text = """func.func @f(%c: i1, %a: i32, %b: i32) -> i32 {
  cf.cond_br %c, ^one(%a : i32), ^two
^one(%x: i32):
  return %x : i32
^two:
  cf.br ^one(%b : i32)
}"""
    assert run(text, True, 4, 5) == [4]
    assert run(text, False, 4, 5) == [5]


def test_switches(run: Run) -> None:
    text = """func.func @f(%n: i32, %a: i32, %b: i32) -> (i32, i32) {
  cf.switch %n : i32, [
    default: ^pair(%a, %a : i32, i32),
    -1: ^single(%b : i32),
    3: ^pair(%a, %b : i32, i32)
  ]
^single(%x: i32):
  return %x, %x : i32, i32
^pair(%y: i32, %z: i32):
  return %y, %z : i32, i32
}"""
    assert run(text, -1, 4, 5) == [5, 5]
    assert run(text, 3, 4, 5) == [4, 5]
    assert run(text, 2, 4, 5) == [4, 4]


def test_masked_vectors(run: Run) -> None:
    """Lanes that are off are not touched, also outside of the buffer; a load takes them from its last operand."""
    text = """func.func @f(%a: memref<6xi32>, %b: memref<8xi32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0 : i32
  %off = arith.constant dense<7> : vector<4xi32>
  %mask = vector.create_mask %n : vector<4xi1>
  %x = vector.maskedload %a[%c4], %mask, %off : memref<6xi32>, vector<4xi1>, vector<4xi32> into vector<4xi32>
  vector.transfer_write %x, %b[%c0] {in_bounds = [true]} : vector<4xi32>, memref<8xi32>
  vector.maskedstore %b[%c4], %mask, %x : memref<8xi32>, vector<4xi1>, vector<4xi32>
  return
}"""
    a, b = np.arange(6, dtype=np.int32), np.full(8, 9, np.int32)
    assert run(text, a, b, 2)[1].tolist() == [4, 5, 7, 7, 4, 5, 9, 9]


def test_vectors(run: Run) -> None:
    text = """func.func @f(%a: memref<4x8xbf16>, %b: memref<8x4xbf16>, %c: memref<4x4xf32>) {
  %c0 = arith.constant 0 : index
  %p = ub.poison : bf16
  %q = ub.poison : f32
  %x = vector.transfer_read %a[%c0, %c0], %p {in_bounds = [true, true]} : memref<4x8xbf16>, vector<4x8xbf16>
  %y = vector.transfer_read %b[%c0, %c0], %p {in_bounds = [true, true]} : memref<8x4xbf16>, vector<8x4xbf16>
  %z = vector.transfer_read %c[%c0, %c0], %q {in_bounds = [true, true]} : memref<4x4xf32>, vector<4x4xf32>
  %r = vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>,
    affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>}
    %x, %y, %z : vector<4x8xbf16>, vector<8x4xbf16> into vector<4x4xf32>
  vector.transfer_write %r, %c[%c0, %c0] {in_bounds = [true, true]} : vector<4x4xf32>, memref<4x4xf32>
  return
}"""
    a, b, c = F[:4, :8], G[:8, :4], np.ones((4, 4), np.float32)
    *_, found = run(text, a.astype(ml_dtypes.bfloat16), b.astype(ml_dtypes.bfloat16), c)
    np.testing.assert_array_equal(found, a @ b + 1)


def test_a_mac_instruction(run: Run) -> None:
    text = """func.func @f(%a: memref<64xi8>, %b: memref<16xi32>, %c: memref<16xi64>) {
  %c0 = arith.constant 0 : index
  %conf = arith.constant 776 : i32
  %x = vector.load %a[%c0] : memref<64xi8>, vector<64xi8>
  %y = vector.load %b[%c0] : memref<16xi32>, vector<16xi32>
  %z = vector.load %c[%c0] : memref<16xi64>, vector<16xi64>
  %r = "xllvm.intr.aie2.I512.I512.ACC1024.acc32.mac.conf"(%x, %y, %z, %conf)
    : (vector<64xi8>, vector<16xi32>, vector<16xi64>, i32) -> vector<16xi64>
  vector.store %r, %c[%c0] : memref<16xi64>, vector<16xi64>
  return
}"""
    a, b = (RNG.integers(-128, 128, 64).astype(np.int8) for _ in range(2))
    *_, found = run(text, a, b.view(np.int32), np.zeros(16, np.int64))
    wanted = a[:32].reshape(4, 8).astype(np.int32) @ b.reshape(8, 8).astype(np.int32)
    np.testing.assert_array_equal(found.view(np.int32).reshape(4, 8), wanted)


def test_integers_wrap(run: Run) -> None:
    text = "func.func @f(%a: i8, %b: i8) -> i8 {\n %r = arith.addi %a, %b : i8\n return %r : i8\n}"
    assert run(text, 100, 100) == [-56]


def test_bfloat16_rounds_after_each_operation(run: Run) -> None:
    text = "func.func @f(%a: bf16, %b: bf16) -> bf16 {\n %s = arith.addf %a, %b : bf16\n"
    text += " %r = arith.subf %s, %a : bf16\n return %r : bf16\n}"
    assert float(run(text, 256.0, 1.0)[0]) == 0.0


def test_a_broadcast_and_packets(run: Run) -> None:
    text = """air.channel @in [1, 1] {broadcast_shape = [1, 3]}
air.channel @out [1, 3] {channel_type = "dma_packet"}
func.func @f(%a: memref<4xi32>, %b: memref<3x4xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %0 = air.channel.put async @in[] (%a[] [] []) : (memref<4xi32>)
  %r = scf.parallel (%i) = (%c0) to (%c3) step (%c1) init (%0) -> !air.async.token {
    %g = air.channel.get async @out[%c0, %i] (%b[%i, %c0] [%c1, %c4] [%c4, %c1]) : (memref<3x4xi32>)
    scf.reduce(%g : !air.async.token) {
    ^bb0(%x: !air.async.token, %y: !air.async.token):
      %j = air.wait_all async [%x, %y]
      scf.reduce.return %j : !air.async.token
    }
  }
  %h = air.herd @h async tile (%x, %y) in (%sx=%c1, %sy=%c3) {
    %m = memref.alloc() : memref<4xi32, 2>
    air.channel.get @in[%x, %y] (%m[] [] []) : (memref<4xi32, 2>)
    %d0 = arith.constant 0 : index
    affine.if affine_set<()[s0, s1] : (s1 - 1 == 0)>()[%x, %y] {
      %z = arith.constant 0 : i32
      linalg.fill ins(%z : i32) outs(%m : memref<4xi32, 2>)
    }
    air.channel.put @out[%d0, %y] (%m[] [] []) : (memref<4xi32, 2>)
  }
  air.wait_all [%r, %h]
  return
}"""
    a = np.arange(4, dtype=np.int32)
    for seed in range(3):
        _, b = run(text, a, np.zeros((3, 4), np.int32), seed=seed)
        np.testing.assert_array_equal(b, [a, a * 0, a])


def test_one_put_serves_a_loop_of_gets(run: Run) -> None:
    """A channel is a stream: what is put at once may be taken in parts, and the reverse."""
    text = """air.channel @c [1]
func.func @f(%a: memref<4x4xi32>, %b: memref<4x4xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %0 = air.channel.put async @c[] (%a[%c0, %c0] [%c4, %c4] [%c1, %c4]) : (memref<4x4xi32>)
  scf.for %i = %c0 to %c4 step %c1 {
    air.channel.get @c[] (%b[%i, %c0] [%c1, %c4] [%c4, %c1]) : (memref<4x4xi32>)
  }
  return
}"""
    a = np.arange(16, dtype=np.int32).reshape(4, 4)
    np.testing.assert_array_equal(run(text, a, a * 0)[1], a.T)


def test_a_library_function(run: Run) -> None:
    text = """func.func private @double(memref<4xi32>)
func.func @f(%a: memref<4xi32>) {
  func.call @double(%a) : (memref<4xi32>) -> ()
  return
}"""

    def double(array: Any) -> None:
        array *= 2

    [found] = run(text, np.arange(4, dtype=np.int32), libraries={"double": double})
    np.testing.assert_array_equal(found, [0, 2, 4, 6])
