"""Leaves of particular kinds before and after the stage that makes the cores' code: the interpreter finds the same."""

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

AB = "affine_map<(a, b) -> (a, b)>"
A, B = "affine_map<(a, b) -> (a)>", "affine_map<(a, b) -> (b)>"


def leaf(maps: list[str], kinds: str, inputs: list[str], outputs: list[str], body: str) -> str:
    """A function around one linalg.generic on L1; `kinds` has p or r for each loop, the body %x0, %x1... and %o0..."""
    elements = [t.rpartition("x")[2] for t in [*inputs, *outputs]]
    names = [f"%a{n}" for n in range(len(elements))]
    types = [f"memref<{t}, 2>" for t in [*inputs, *outputs]]
    count = len(inputs)
    arguments = [f"%x{n}" for n in range(count)] + [f"%o{n}" for n in range(len(outputs))]
    iterators = ", ".join('"parallel"' if k == "p" else '"reduction"' for k in kinds)
    if "linalg.yield" not in body:
        body += f"\nlinalg.yield %y : {elements[-1]}"
    source = f"ins({', '.join(names[:count])} : {', '.join(types[:count])})" if count else ""
    return f"""
      func.func @f({", ".join(f"{n}: {t}" for n, t in zip(names, types, strict=True))}) {{
        linalg.generic {{indexing_maps = [{", ".join(maps)}], iterator_types = [{iterators}]}}
            {source} outs({", ".join(names[count:])} : {", ".join(types[count:])}) {{
        ^bb0({", ".join(f"{n}: {e}" for n, e in zip(arguments, elements, strict=True))}):
          {body}
        }}
        return
      }}"""


def each(body: str, *types: str, shape: str = "5x48") -> str:
    """An elementwise leaf on tiles of `shape`."""
    tiles = [f"{shape}x{t}" for t in types]
    return leaf([AB] * len(types), "pp", tiles[:-1], tiles[-1:], body)


ARGMAX = """
  %i = linalg.index 1 : index
  %j = arith.index_cast %i : index to i32
  %c = arith.cmpf ogt, %x0, %o0 : f32
  %v = arith.select %c, %x0, %o0 : f32
  %n = arith.select %c, %j, %o1 : i32
  linalg.yield %v, %n : f32, i32
"""
WINDOW = "affine_map<(h, w, c, u, v) -> (h * 2 + u, w * 2 + v, c)>", "affine_map<(h, w, c, u, v) -> (u, v)>"
PLANE = "affine_map<(c, h, w, u, v) -> (c, h * 2 + u, w * 2 + v)>", "affine_map<(c, h, w, u, v) -> (u, v)>"
MOST = "%y = arith.maximumf %x0, %o0 : f32"


def compared(predicate: str) -> str:
    body = f"%c = arith.cmpf {predicate}, %x0, %x1 : f32\n%y = arith.select %c, %x0, %x1 : f32"
    return each(body, "f32", "f32", "f32")


BYTES = [(1, -128, 127), (23, -128, 127), (9, 0, 127), (4, 0, 255), (7, -10, 100), (5, 3, 200)]
"""Shifts, and the least and the greatest byte: 32 are one instruction."""


def requantized(by: int, low: int, high: int) -> str:
    return each(
        f"%s = arith.constant {by} : i32\n%l = arith.constant {low} : i32\n%h = arith.constant {high} : i32\n"
        "%k = arith.constant 8 : i32\n%z = arith.constant -2147483640 : i32\n"
        "%m = arith.maxsi %x0, %z : i32\n%c = arith.addi %m, %k : i32\n"
        "%p = arith.shrsi %c, %s : i32\n%a = arith.maxsi %p, %l : i32\n%b = arith.minsi %a, %h : i32\n"
        "%y = arith.trunci %b : i32 to i8",
        "i32",
        "i8",
        shape="3x64",
    )


CASES = {
    "argmax of rows": leaf([AB, A, A], "pr", ["5x48xf32"], ["5xf32", "5xi32"], ARGMAX),
    "argmax of columns": leaf([AB, B, B], "rp", ["5x48xf32"], ["48xf32", "48xi32"], ARGMAX.replace("index 1", "index 0")),
    "index": each(
        "%i = linalg.index 1 : index\n%j = arith.index_cast %i : index to i32\n%y = arith.addi %x0, %j : i32\n",
        "i32",
        "i32",
    ),
    "index to float": each(
        "%i = linalg.index 1 : index\n%j = arith.index_cast %i : index to i32\n"
        "%f = arith.sitofp %j : i32 to f32\n"
        "%y = arith.addf %x0, %f : f32",
        "f32",
        "f32",
    ),
    "causal mask": each(
        "%i = linalg.index 0 : index\n%j = linalg.index 1 : index\n%c = arith.cmpi ugt, %j, %i : index\n"
        "%k = arith.constant 0xFF800000 : f32\n%y = arith.select %c, %k, %x0 : f32",
        "f32",
        "f32",
    ),
    "sum and sum of squares": leaf(
        [AB, A, A],
        "pr",
        ["5x48xf32"],
        ["5xf32", "5xf32"],
        "%q = arith.mulf %x0, %x0 : f32\n%s = arith.addf %o0, %x0 : f32\n%t = arith.addf %q, %o1 : f32\n"
        "linalg.yield %s, %t : f32, f32",
    ),
    "two results": leaf(
        [AB, AB, AB],
        "pp",
        ["5x48xf32"],
        ["5x48xf32", "5x48xf32"],
        "%q = arith.mulf %x0, %x0 : f32\n%n = arith.negf %x0 : f32\nlinalg.yield %q, %n : f32, f32",
    ),
    "pool of channels last": leaf(
        [*WINDOW, "affine_map<(h, w, c, u, v) -> (h, w, c)>"], "ppprr", ["9x9x16xf32", "3x3xf32"], ["4x4x16xf32"], MOST
    ),
    "pool of planes": leaf(
        [*PLANE, "affine_map<(c, h, w, u, v) -> (c, h, w)>"], "ppprr", ["3x9x9xf32", "3x3xf32"], ["3x4x4xf32"], MOST
    ),
    "widened": each("%y = arith.extsi %x0 : i8 to i32", "i8", "i32"),
    "i8 and f32": each("%f = arith.sitofp %x0 : i8 to f32\n%y = arith.mulf %f, %x1 : f32", "i8", "f32", "f32"),
    "quantized": each(
        "%l = arith.constant -128.0 : f32\n%h = arith.constant 127.0 : f32\n"
        "%r = math.roundeven %x0 : f32\n"
        "%a = arith.maximumf %r, %l : f32\n%b = arith.minimumf %a, %h : f32\n"
        "%y = arith.fptosi %b : f32 to i8\n",
        "f32",
        "i8",
    ),
    "requantized": each(
        "%s = arith.constant 4 : i32\n%l = arith.constant -128 : i32\n%h = arith.constant 127 : i32\n"
        "%p = arith.shrsi %x0, %s : i32\n%a = arith.maxsi %p, %l : i32\n%b = arith.minsi %a, %h : i32\n"
        "%y = arith.trunci %b : i32 to i8",
        "i32",
        "i8",
    ),
    **{f"bytes {low} to {high} by {by}": requantized(by, low, high) for by, low, high in BYTES},
    "narrowed": each("%y = arith.trunci %x0 : i32 to i8", "i32", "i8"),
    "bits": each(
        "%a = arith.andi %x0, %x1 : i32\n%b = arith.xori %a, %x1 : i32\n%y = arith.ori %a, %b : i32", "i32", "i32", "i32"
    ),
    "shifts": each(
        "%k = arith.constant 3 : i32\n%a = arith.shli %x0, %k : i32\n%y = arith.shrui %a, %k : i32",
        "i32",
        "i32",
    ),
    "division": each(
        "%k = arith.constant 7 : i32\n%a = arith.divsi %x0, %k : i32\n%b = arith.remsi %x0, %k : i32\n"
        "%y = arith.addi %a, %b : i32",
        "i32",
        "i32",
    ),
    "conditions": each(
        "%z = arith.constant 0.0 : f32\n%a = arith.cmpf olt, %x0, %x1 : f32\n"
        "%b = arith.cmpf oge, %x0, %z : f32\n"
        "%c = arith.andi %a, %b : i1\n%d = arith.xori %c, %b : i1\n%e = arith.ori %c, %d : i1\n"
        "%u = arith.uitofp %e : i1 to f32\n"
        "%y = arith.select %d, %u, %x1 : f32",
        "f32",
        "f32",
        "f32",
    ),
    "truth": each("%c = arith.cmpf olt, %x0, %x1 : f32\n%y = arith.extui %c : i1 to i8", "f32", "f32", "i8"),
    "product": leaf([AB, A], "pr", ["5x48xf32"], ["5xf32"], "%y = arith.mulf %x0, %o0 : f32"),
    "everything": leaf(
        ["affine_map<(a, b) -> (a, b)>", "affine_map<(a, b) -> ()>"],
        "rr",
        ["5x48xf32"],
        ["f32"],
        "%y = arith.addf %x0, %o0 : f32",
    ),
    "both or either": leaf([AB, A], "pr", ["5x48xi32"], ["5xi32"], "%y = arith.ori %x0, %o0 : i32"),
    "powers": each(
        "%k = arith.constant 3.0 : f32\n%a = math.powf %x0, %k : f32\n%n = arith.constant 2 : i32\n"
        "%b = math.fpowi %x0, %n : f32, i32\n%y = arith.addf %a, %b : f32",
        "f32",
        "f32",
    ),
    "bf16 in f32": each(
        "%f = arith.extf %x0 : bf16 to f32\n%g = arith.mulf %f, %x1 : f32\n%y = arith.truncf %g : f32 to bf16",
        "bf16",
        "f32",
        "bf16",
    ),
    "scalar operand": leaf(
        [AB, "affine_map<(a, b) -> ()>", AB], "pp", ["5x48xf32", "f32"], ["5x48xf32"], "%y = arith.mulf %x0, %x1 : f32"
    ),
    "a row of odd length": each("%y = arith.addf %x0, %x1 : f32", "f32", "f32", "f32", shape="1x37"),
    "nothing but one": each("%y = arith.addf %x0, %x1 : f32", "f32", "f32", "f32", shape="1x1"),
    "in place": each("%y = arith.addf %x0, %o0 : f32", "f32", "f32"),
    "fill of bytes": leaf(["affine_map<(a, b) -> ()>", AB], "pp", ["i8"], ["5x48xi8"], "linalg.yield %x0 : i8"),
    "matrix": leaf(
        ["affine_map<(i, j, k) -> (i, k)>", "affine_map<(i, j, k) -> (k, j)>", "affine_map<(i, j, k) -> (i, j)>"],
        "ppr",
        ["6x10xbf16", "10x32xbf16"],
        ["6x32xf32"],
        "%a = arith.extf %x0 : bf16 to f32\n%b = arith.extf %x1 : bf16 to f32\n"
        "%p = arith.mulf %a, %b : f32\n"
        "%y = arith.addf %o0, %p : f32",
    ),
    **{f"cmpf {p}": compared(p) for p in ("oeq", "ogt", "oge", "olt", "ole", "one", "ord", "ueq", "ugt", "une", "uno")},
}


@pytest.mark.parametrize(("name", "device"), in_turns(CASES))
def test_kind(name: str, device: str) -> None:
    before, after = (asm.read(CASES[name], "leaf.mlir") for _ in range(2))
    values = SimpleNamespace(device=device)
    piped(",".join(str(resolve(p, values) if isinstance(p, Pass) else p) for p in CORE_CODE.passes), after)
    arch = {"npu1": "AIE2", "npu2": "AIE2p"}[device]
    found = [(str(v), str(o)) for o in walk_pre_order(after.operation) for v in legality_of(o, OpSignatures(arch))]
    assert not [v for v in found if "is refused" in v[0] or "instead of" in v[0]], found
    function = next(o for o in walk_pre_order(before.operation) if o.name == "func.func")
    inputs = _inputs(function)
    for one, other in zip(interp.run(before, inputs), interp.run(after, inputs), strict=True):
        if one.dtype.kind == "i":
            np.testing.assert_array_equal(other, one)
        else:
            size = max(1.0, float(np.max(np.abs(one), initial=0, where=np.isfinite(one))))
            rate = 2e-6 if one.dtype == np.float32 else 2.0**-8
            np.testing.assert_allclose(other.astype(float), one.astype(float), rtol=0, atol=rate * size)


def _inputs(function: Any) -> list[Any]:
    rng = np.random.default_rng(0)
    found = []
    for kind in (a.type for a in function.regions[0].blocks[0].arguments):
        element, shape = str(kind.element_type), list(kind.shape)
        if element[0] == "i":
            half = 1 << (int(element[1:]) - 1)
            found.append(rng.integers(-half, half, shape) if rng.random() < 0.5 else rng.integers(-100, 100, shape))
        else:
            found.append(np.where(rng.random(shape) < 0.05, -0.0, np.round(rng.normal(0, 2, shape), 1)))
    return found
