"""Leaves of any shape, type and body through the stage that makes the cores' code: right numbers, in forms that AIE has."""

from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from allo_air import asm, interp
from allo_air.core.named import resolve
from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk_pre_order
from allo_air.passes.kernel._legality import OpSignatures, legality_of
from allo_air.pipelines.core_code import CORE_CODE
from helpers import in_turns, piped

pytestmark = pytest.mark.usefixtures("context")

FLOATS = {
    "addf": np.add, "subf": np.subtract, "mulf": np.multiply, "maximumf": np.maximum, "minimumf": np.minimum,
}  # fmt: skip
FUNCTIONS = {
    "math.exp": lambda x: np.exp(np.minimum(x, 5)), "math.tanh": np.tanh, "math.sqrt": lambda x: np.sqrt(np.abs(x)),
    "math.erf": np.vectorize(__import__("math").erf, otypes=[float]), "math.sin": np.sin, "math.cos": np.cos,
    "math.absf": np.abs, "arith.negf": np.negative,
}  # fmt: skip
INTEGERS = {"addi": np.add, "subi": np.subtract, "maxsi": np.maximum, "minsi": np.minimum, "muli": np.multiply}
COMBINED = {"addf": np.sum, "maximumf": np.max, "minimumf": np.min, "addi": np.sum, "maxsi": np.max, "minsi": np.min}
LEAST = {"f32": "0xFF800000", "bf16": "0xFF80", "i32": -(1 << 31), "i16": -(1 << 15), "i8": -(1 << 7)}
MOST = {"f32": "0x7F800000", "bf16": "0x7F80", "i32": (1 << 31) - 1, "i16": (1 << 15) - 1, "i8": (1 << 7) - 1}
DEVICES = {"npu1": "AIE2", "npu2": "AIE2p"}
"""Devices, and the generation of their cores."""


@dataclass
class Case:
    """A drawn leaf: its text, its inputs, and what it gives in float64."""

    text: str
    inputs: list[Any]
    wanted: Any
    scale: float


def draw(seed: int, *, ends: bool = False) -> Case:
    """A leaf; with `ends`, one that reduces, along a loop that a mask ends."""
    rng = np.random.default_rng(seed)
    element = str(rng.choice(["f32", "f32", "bf16", "i32", "i16", "i8"]))
    is_float = "f" in element
    rank = int(rng.integers(1, 4))
    sizes = [int(rng.choice([1, 3, 8, 16, 20, 32, 48])) for _ in range(rank)]
    reduced = [d for d in range(rank) if rng.random() < 0.3]
    if ends:
        sizes[-1] = int(rng.choice([32, 48, 64, 128]))
        reduced = sorted({*reduced, int(rng.integers(rank))})
    kept = [d for d in range(rank) if d not in reduced]
    count = int(rng.integers(1, 4))
    maps, arrays = [], []
    for _ in range(count):
        used = list(range(rank)) if not arrays else [d for d in range(rank) if rng.random() < 0.7]
        if rng.random() < 0.2:
            used = list(rng.permutation(used))
        maps.append([int(d) for d in used])
        shape = [sizes[d] for d in used]
        arrays.append(rng.normal(0, 1.5, shape) if is_float else rng.integers(-9, 10, shape))
    if element == "bf16":
        arrays = [_brief(a) for a in arrays]
    text, value, depth = _body(rng, element, count, [_spread(a, m, rank) for a, m in zip(arrays, maps, strict=True)])
    table = FLOATS if is_float else INTEGERS
    out = [sizes[d] for d in kept]
    scale = 1.0
    last = value[0]
    if reduced:
        combiner = str(rng.choice([c for c in COMBINED if c in table]))
        text += f"%z = arith.{combiner} %o, {last} : {element}\n"
        first = np.zeros(out) if "add" in combiner else np.full(out, 1)
        full = np.broadcast_to(value[1], sizes)
        if ends:
            loop = int(rng.choice(reduced))
            end = int(rng.integers(1, sizes[loop] + 1))
            text = text.replace(f"%o, {last}", "%o, %masked")
            neutral = {"add": 0, "max": LEAST[element], "min": MOST[element]}[combiner[:3]]
            head, _, join = text.rpartition("%z")
            text = f"""{head}%place = linalg.index {loop} : index
              %end = arith.constant {end} : index
              %inside = arith.cmpi slt, %place, %end : index
              %neutral = arith.constant {neutral}{".0" if neutral == 0 and is_float else ""} : {element}
              %masked = arith.select %inside, {last}, %neutral : {element}
              %z{join}"""
            full = np.take(full, range(end), loop)
        found = COMBINED[combiner](full, axis=tuple(reduced))
        wanted = table[combiner](first, found)
        scale = float(np.max(COMBINED["addf"](np.abs(full), axis=tuple(reduced)))) if combiner == "addf" else 1.0
        last = "%z"
    else:
        first, wanted = np.zeros(out), np.broadcast_to(value[1], sizes)
    names = ", ".join(f"d{d}" for d in range(rank))
    indexing = ", ".join(f"affine_map<({names}) -> ({', '.join(f'd{d}' for d in m)})>" for m in [*maps, kept])
    kinds = ", ".join(f'"{"reduction" if d in reduced else "parallel"}"' for d in range(rank))
    types = [f"memref<{''.join(f'{n}x' for n in a.shape)}{element}, 2>" for a in [*arrays, first]]
    arguments = ", ".join(f"%a{n}: {t}" for n, t in enumerate(types))
    source = f"""
      func.func @f({arguments}) {{
        linalg.generic {{indexing_maps = [{indexing}], iterator_types = [{kinds}]}}
            ins({", ".join(f"%a{n}" for n in range(count))} : {", ".join(types[:-1])}) outs(%a{count} : {types[-1]}) {{
        ^bb0({", ".join(f"%x{n}: {element}" for n in range(count))}, %o: {element}):
          {text}
          linalg.yield {last} : {element}
        }}
        return
      }}"""
    return Case(source, [*arrays, first], wanted, max(scale, float(np.max(np.abs(wanted), initial=0))) * (1 + depth))


def _body(rng: Any, element: str, count: int, inputs: list[Any]) -> tuple[str, tuple[str, Any], int]:
    """Text of a chain of operations, its last value, and how many there are."""
    is_float = "f" in element
    table = FLOATS if is_float else INTEGERS
    values = [(f"%x{n}", v) for n, v in enumerate(inputs)]
    text = ""
    length = int(rng.integers(0, 5))
    for n in range(length):
        if is_float and rng.random() < 0.4:
            name = str(rng.choice(list(FUNCTIONS)))
            source, value = values[-1]
            if name in ("math.exp", "math.sqrt"):
                bound = f"%k{n} = arith.constant 5.0 : {element}\n"
                guard = (
                    f"%g{n} = arith.minimumf {source}, %k{n} : {element}\n"
                    if name == "math.exp"
                    else f"%g{n} = math.absf {source} : {element}\n"
                )
                text, source = text + bound + guard, f"%g{n}"
            text += f"%v{n} = {name} {source} : {element}\n"
            values.append((f"%v{n}", FUNCTIONS[name](value)))
            continue
        name = str(rng.choice(list(table)))
        (a, x), (b, y) = values[-1], values[int(rng.integers(len(values)))]
        text += f"%v{n} = arith.{name} {a}, {b} : {element}\n"
        found = table[name](x, y)
        values.append((f"%v{n}", _brief(found) if element == "bf16" else found if is_float else _wrapped(found, element)))
    return text, values[-1], length


def _spread(array: Any, dims: list[int], rank: int) -> Any:
    """An operand as the whole iteration space sees it."""
    order = np.argsort(dims) if dims else []
    shape = [1] * rank
    for d, n in zip(dims, array.shape, strict=True):
        shape[d] = n
    return np.transpose(array, order).reshape(shape) if dims else array.reshape(shape)


def _wrapped(array: Any, element: str) -> Any:
    """As integers of the type `element`."""
    half = 1 << (int(element[1:]) - 1)
    return (np.asarray(array, np.int64) + half) % (2 * half) - half


def _brief(array: Any) -> Any:
    """Rounded to bf16."""
    bits = np.asarray(array, np.float32).view(np.uint32).astype(np.uint64)
    rounded = ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16 << 16).astype(np.uint32)
    return rounded.view(np.float32).astype(np.float64).reshape(np.shape(array))


@pytest.mark.parametrize(("seed", "device"), in_turns(range(60)))
def test_leaf(seed: int, device: str) -> None:
    check(draw(seed), device)


@pytest.mark.parametrize("seed", range(24))
def test_a_leaf_that_a_mask_ends(seed: int) -> None:
    check(draw(seed, ends=True), "npu2" if seed % 2 else "npu1")


@pytest.mark.parametrize(("rows", "columns", "element"), [(9, 48, "f32"), (33, 20, "f32"), (8, 32, "bf16"), (3, 32, "f32")])
def test_rows_are_divided_by_a_row_of_reciprocals(rows: int, columns: int, element: str) -> None:
    rng = np.random.default_rng(rows)
    x, shift, by = rng.normal(0, 1, (rows, columns)), rng.normal(0, 1, columns), rng.uniform(0.5, 2, columns)
    if element == "bf16":
        x, shift, by = map(_brief, (x, shift, by))
    wide, narrow = f"memref<{rows}x{columns}x{element}, 2>", f"memref<{columns}x{element}, 2>"
    maps = ", ".join(f"affine_map<(i, j) -> ({m})>" for m in ("i, j", "j", "j", "i, j"))
    text = f"""
      func.func @f(%x: {wide}, %m: {narrow}, %s: {narrow}, %y: {wide}) {{
        linalg.generic {{indexing_maps = [{maps}], iterator_types = ["parallel", "parallel"]}}
            ins(%x, %m, %s : {wide}, {narrow}, {narrow}) outs(%y : {wide}) {{
        ^bb0(%a: {element}, %b: {element}, %c: {element}, %o: {element}):
          %d = arith.subf %a, %b : {element}
          %q = arith.divf %d, %c : {element}
          linalg.yield %q : {element}
        }}
        return
      }}"""
    difference = _brief(x - shift) if element == "bf16" else x - shift
    check(Case(text, [x, shift, by, np.zeros_like(x)], difference / by, 4.0), "npu1")


def check(case: Case, device: str) -> None:
    module = asm.read(case.text, "leaf.mlir")
    values = SimpleNamespace(device=device)
    piped(",".join(str(resolve(p, values) if isinstance(p, Pass) else p) for p in CORE_CODE.passes), module)
    ops = walk_pre_order(module.operation)
    bad = [
        (str(v), str(op))
        for op in ops
        for v in legality_of(op, OpSignatures(DEVICES[device]))
        if v.kind in ("wrong", "refused")
    ]
    assert not bad, bad[0]
    *_, found = interp.run(module, case.inputs)
    if "i" in str(found.dtype) and "f" not in str(found.dtype):
        np.testing.assert_array_equal(found, _wrapped(case.wanted, f"i{found.dtype.itemsize * 8}"))
    else:
        rate = 1e-5 if found.dtype == np.float32 else 2.0**-6
        np.testing.assert_allclose(found.astype(np.float64), case.wanted, rtol=0, atol=case.scale * rate)
