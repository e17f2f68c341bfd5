"""Paddings, concatenations, rolls and slices that streams from external memory to external memory do, against numpy."""

from collections.abc import Callable

import numpy as np
import pytest

import allo_air
from allo_air.dtypes import numpy_dtype

Shape = tuple[int, ...]


def tensor(shape: Shape, element: str) -> str:
    return "tensor<" + "".join(f"{n}x" for n in shape) + element + ">"


def padding(shape: Shape, low: Shape, high: Shape, element: str, number: str) -> str:
    """A function that pads its argument by a number."""
    wide = tuple(n + a + b for n, a, b in zip(shape, low, high, strict=True))
    indices = ", ".join(f"%i{d}: index" for d in range(len(shape)))
    return f"""func.func @f(%x: {tensor(shape, element)}) -> {tensor(wide, element)} {{
  %c = arith.constant {number} : {element}
  %p = tensor.pad %x low{list(low)} high{list(high)} {{
  ^bb0({indices}):
    tensor.yield %c : {element}
  }} : {tensor(shape, element)} to {tensor(wide, element)}
  return %p : {tensor(wide, element)}
}}"""


def roll(shape: Shape, by: int, element: str) -> str:
    """A function that moves rows around by `by`, and gives every third one of them as well."""
    rows, *rest = shape
    ones = [1] * len(shape)
    last, first, some = ((n, *rest) for n in (by, rows - by, -(-rows // 3)))
    zeros = [0] * len(rest)
    whole, thin = tensor(shape, element), tensor(some, element)
    return f"""func.func @f(%x: {whole}) -> ({whole}, {thin}) {{
  %a = tensor.extract_slice %x{[rows - by, *zeros]} {list(last)} {ones} : {whole} to {tensor(last, element)}
  %b = tensor.extract_slice %x{[0, *zeros]} {list(first)} {ones} : {whole} to {tensor(first, element)}
  %r = tensor.concat dim(0) %a, %b : ({tensor(last, element)}, {tensor(first, element)}) -> {whole}
  %s = tensor.extract_slice %r{[0, *zeros]} {list(some)} {[3, *ones[1:]]} : {whole} to {thin}
  return %r, %s : {whole}, {thin}
}}"""


def numbers(shape: Shape, element: str) -> np.ndarray:
    return np.random.default_rng(0).integers(-99, 99, shape).astype(numpy_dtype(element))


def moved(text: str, device: str) -> Callable[..., object]:
    """A function compiled, all of whose kernels are moves."""
    program = allo_air.compile(text, device=device, cache=False)
    assert "aie.core" not in program.text()
    return program


@pytest.mark.parametrize(
    ("device", "shape", "low", "high", "element", "number"),
    [
        ("npu1", (67, 131), (1, 3), (2, 5), "f32", "-2.5"),
        ("npu2", (3, 5, 29, 64), (0, 0, 1, 4), (0, 0, 1, 8), "bf16", "0.0"),
        pytest.param("npu1", (1031, 17), (7, 0), (0, 0), "i32", "5", marks=pytest.mark.slow),
        pytest.param("npu1_2col", (20011,), (4,), (9,), "f32", "1.0", marks=pytest.mark.slow),
        pytest.param("npu2", (33, 1034, 4), (0, 2, 0), (1, 1, 4), "i8", "-7", marks=pytest.mark.slow),
        pytest.param("npu1", (7, 2053), (1, 1), (0, 2), "i32", "3", marks=pytest.mark.slow),
    ],
)
def test_padding(device: str, shape: Shape, low: Shape, high: Shape, element: str, number: str) -> None:
    x = numbers(shape, element)
    with_border = np.pad(x, list(zip(low, high, strict=True)), constant_values=np.array(float(number)).astype(x.dtype))
    np.testing.assert_array_equal(moved(padding(shape, low, high, element, number), device)(x), with_border)


@pytest.mark.parametrize(
    ("device", "shape", "by", "element"),
    [("npu1", (101, 66), 37, "i16"), pytest.param("npu2", (64, 3, 35), 63, "f32", marks=pytest.mark.slow)],
)
def test_roll_and_steps(device: str, shape: Shape, by: int, element: str) -> None:
    x = numbers(shape, element)
    rolled = np.roll(x, by, 0)
    program = allo_air.compile(roll(shape, by, element), device=device, cache=False)
    for got, wanted in zip(program(x), (rolled, rolled[::3]), strict=True):
        np.testing.assert_array_equal(got, wanted)


@pytest.mark.parametrize(
    ("device", "shape", "order"),
    [
        ("npu1", (384, 1024), (1, 0)),
        ("npu2", (5, 128, 192), (0, 2, 1)),
        pytest.param("npu1_3col", (512, 768), (1, 0), marks=pytest.mark.slow),
        pytest.param("npu1", (999, 1001), (1, 0), marks=pytest.mark.slow),
    ],
)
def test_memtiles_turn_words(device: str, shape: Shape, order: tuple[int, ...]) -> None:
    out = tuple(shape[d] for d in order)
    x, kind, turned = numbers(shape, "f32"), tensor(shape, "f32"), tensor(out, "f32")
    source = f"""func.func @f(%x: {kind}) -> {turned} {{
  %e = tensor.empty() : {turned}
  %r = linalg.transpose ins(%x : {kind}) outs(%e : {turned}) permutation = {list(order)}
  return %r : {turned}
}}"""
    program = allo_air.compile(source, "npu", device=device, cache=False)
    np.testing.assert_array_equal(program(x), np.transpose(x, order))
    assert "streams of external memory" in program.explain() and "aie.core" not in program.text()


def test_six_columns_leave_memtiles_room_for_results() -> None:
    """A herd of six columns: buffers of a row would take all channels of their memtiles."""
    x, kind, turned = numbers((5, 60, 90), "f32"), tensor((5, 60, 90), "f32"), tensor((90, 60, 5), "f32")
    source = f"""func.func @f(%x: {kind}) -> {turned} {{
  %e = tensor.empty() : {turned}
  %r = linalg.transpose ins(%x : {kind}) outs(%e : {turned}) permutation = [2, 1, 0]
  return %r : {turned}
}}"""
    program = allo_air.compile(source, "npu", device="npu2", cache=False)
    np.testing.assert_array_equal(program(x), np.transpose(x, (2, 1, 0)))


def taken(table: Shape, rows: int, element: str, index: str) -> str:
    """A function that takes the rows of a table that indices name, from its end."""
    kind, out = tensor(table, element), tensor((rows, *table[1:]), element)
    return f"""func.func @f(%t: {kind}, %i: {tensor((rows,), index)}) -> {out} {{
  %e = tensor.empty() : {out}
  %r = linalg.generic {{indexing_maps = [affine_map<(a, b) -> (a)>, affine_map<(a, b) -> (a, b)>],
      iterator_types = ["parallel", "parallel"]}} ins(%i : {tensor((rows,), index)}) outs(%e : {out}) {{
  ^bb0(%n: {index}, %old: {element}):
    %last = arith.constant {table[0] - 1} : index
    %k = arith.index_cast %n : {index} to index
    %a = arith.subi %last, %k : index
    %b = linalg.index 1 : index
    %x = tensor.extract %t[%a, %b] : {kind}
    linalg.yield %x : {element}
  }} -> {out}
  return %r : {out}
}}"""


@pytest.mark.parametrize(
    ("device", "table", "rows", "element", "index"),
    [
        ("npu1", (301, 64), 50, "f32", "i64"),
        pytest.param("npu2", (1000, 36), 77, "bf16", "i32", marks=pytest.mark.slow),
        pytest.param("npu1", (97, 33), 41, "i8", "i32", marks=pytest.mark.slow),
    ],
)
def test_rows_of_a_table(device: str, table: Shape, rows: int, element: str, index: str) -> None:
    x, places = numbers(table, element), np.random.default_rng(1).integers(0, table[0], rows).astype(index.replace("i", "int"))
    program = allo_air.compile(taken(table, rows, element, index), device=device, cache=False)
    np.testing.assert_array_equal(program(x, places), x[table[0] - 1 - places])
