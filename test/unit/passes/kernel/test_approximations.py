"""Functions of the math dialect as the cores compute them, held against float64 over all floats, within their stated bounds."""

import math
from types import SimpleNamespace
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from allo_air import asm, interp
from allo_air.approximations import (
    BF16,
    BOUNDED_POWER,
    BOUNDS,
    CYCLES,
    LEAST_NORMAL,
    LOOP_CYCLES,
    ROUNDED,
    bits_of,
    least_of_powers,
    least_of_scaled_powers,
    none_of_scaled_powers,
    scale_of_powers,
)
from allo_air.core.loops import Loop
from allo_air.core.named import resolve
from allo_air.core.pass_ import Pass
from allo_air.core.walking import walk_named, walk_pre_order
from allo_air.core_model.machine import machine_of
from allo_air.core_model.pipelining import pipelined
from allo_air.passes.kernel._approximations import FUNCTIONS
from allo_air.passes.kernel._legality import OpSignatures, legality_of
from allo_air.pipelines.air_bind import CLEANUP
from allo_air.pipelines.core_code import CORE_CODE
from helpers import in_turns, piped

pytestmark = pytest.mark.usefixtures("context")

RIGHT: dict[str, Any] = {
    "arith.divf": np.divide, "arith.mulf": np.multiply, "math.absf": np.abs, "math.acos": np.arccos, "math.acosh": np.arccosh,
    "math.asin": np.arcsin, "math.asinh": np.arcsinh, "math.atan": np.arctan, "math.atan2": np.arctan2,
    "math.atanh": np.arctanh, "math.erf": np.vectorize(math.erf, otypes=[float]), "math.powf": np.power,
    "math.erfc": np.vectorize(math.erfc, otypes=[float]), "math.round": lambda x: np.copysign(np.floor(np.abs(x) + 0.5), x),
    "math.roundeven": np.rint, "math.rsqrt": lambda x: 1 / np.sqrt(x),
}  # fmt: skip
ENDS = (
    0.0, -0.0, np.inf, -np.inf, np.nan, -np.nan, 1.0, -1.0, 3e38, -3e38, 88.72, 88.73, -87.33, -87.34, -104.0, 127.99, 128.0,
    -126.0, -127.0, 0.5, 1.5, 2.5, -2.5, -0.5, 8388607.5, 4194304.5, 8388609.0, 1e5, 2.0**-126, -(2.0**-126), 2.0**126,
)  # fmt: skip
PASSES = (*CORE_CODE.passes, "unroll-vector-loops", *CLEANUP)
"""Of the cores' code, with the cleanup that pipelines run after air-to-aie."""
COUNT, LANES = 1 << 13, 16


def samples(seed: int) -> Any:
    """Numbers near zero, in the ranges where functions have their shape, and of any bits; no denormal ones."""
    rng = np.random.default_rng(seed)
    kinds = (
        rng.normal(0, 3, COUNT // 4), rng.uniform(-110, 110, COUNT // 4), rng.uniform(-0.01, 0.01, COUNT // 16),
        rng.uniform(-1.5, 1.5, COUNT // 8), np.array(ENDS),
    )  # fmt: skip
    drawn = np.concatenate([k.astype(np.float32) for k in kinds])
    bits = rng.integers(0, 1 << 32, COUNT - len(drawn), dtype=np.uint64).astype(np.uint32)
    found = np.concatenate([drawn, bits.view(np.float32)])
    return np.where((np.abs(found) < LEAST_NORMAL) & (found != 0), np.float32(1), found)


@pytest.mark.parametrize(
    ("name", "device", "element"), in_turns(BOUNDS, (("npu1", "f32"), ("npu2", "bf16"), ("npu1", "bf16"), ("npu2", "f32")))
)
def test_bound(name: str, device: str, element: str) -> None:
    count = 2 if name in ("arith.divf", "arith.mulf", "math.atan2", "math.powf") else 1
    inputs = [samples(seed) for seed in range(count)]
    if element == "bf16":
        inputs = [(x.view(np.uint32) & 0xFFFF0000).view(np.float32) for x in inputs]
    names = [f"%x{n}" for n in range(count)]
    maps = ", ".join(["affine_map<(d) -> (d)>"] * (count + 1))
    kind = f"memref<{COUNT}x{element}, 2>"
    source = f"""
      func.func @f({", ".join(f"{n}m: {kind}" for n in names)}, %o: {kind}) {{
        linalg.generic {{indexing_maps = [{maps}], iterator_types = ["parallel"]}}
            ins({", ".join(f"{n}m" for n in names)} : {", ".join([kind] * count)}) outs(%o : {kind}) {{
        ^bb0({", ".join(f"{n}: {element}" for n in names)}, %u: {element}):
          %y = {name} {", ".join(names)} : {element}
          linalg.yield %y : {element}
        }}
        return
      }}"""
    module = asm.read(source, "function.mlir")
    values = SimpleNamespace(device=device)
    piped(",".join(str(resolve(p, values) if isinstance(p, Pass) else p) for p in PASSES), module)
    arch = {"npu1": "AIE2", "npu2": "AIE2p"}[device]
    [loop] = walk_named(module.operation, "scf.for")
    stated = CYCLES[name][element == "bf16"] + LOOP_CYCLES
    vectors = COUNT // LANES // (Loop(loop).trips() or 1)
    assert 0.4 * stated <= pipelined(loop, machine_of(arch, compiled=True)).interval / vectors <= stated
    ops = walk_pre_order(module.operation)
    assert any(o.name == "vector.transfer_write" for o in ops)
    assert not [str(o) for o in ops for v in legality_of(o, OpSignatures(arch)) if v.kind in ("wrong", "refused")]
    *_, found = interp.run(module, [*inputs, np.zeros(COUNT, np.float32)])
    check(name, element, [x.astype(np.float64) for x in inputs], found.astype(np.float64))


def check(name: str, element: str, inputs: list[Any], found: Any) -> None:
    bound = BOUNDS[name]
    with np.errstate(all="ignore"):
        right = RIGHT.get(name, getattr(np, name.partition(".")[2], None))(*inputs)
        inside = np.all(
            [(x == 0) | ~np.isfinite(x) | ((np.abs(x) >= bound.least) & (np.abs(x) <= bound.most)) for x in inputs], axis=0
        )
        allowed = bound.of(right)
        if element == "bf16":
            allowed = np.maximum(
                allowed, BF16.of(right) + (2.0**-8 if not bound.relative and bound.absolute > LEAST_NORMAL else 0)
            )
        most = 3.38e38 if element == "bf16" or name == "arith.mulf" else 3.402e38
        close = np.abs(found - right) <= allowed
        same = (found == right) | (np.isnan(found) & np.isnan(right))
        over = (np.abs(right) >= most) & ((found == np.sign(right) * np.inf) | (np.abs(found) > 3.3e38))
        zero = (np.abs(right) < LEAST_NORMAL) & (np.abs(found) <= LEAST_NORMAL)
    wrong = np.flatnonzero(inside & ~(close | same | over | zero))
    assert not wrong.size, [(*(float(x[i]) for x in inputs), found[i], right[i]) for i in wrong[:5]]


SIGMOID = """%z = arith.negf %x : f32
            %e = math.exp %z : f32
            %d = arith.addf %e, %one : f32
            %y = arith.divf %one, %d : f32"""
CHAINS: dict[str, tuple[str, Any]] = {
    "sigmoid": (SIGMOID, lambda x: 1 / (1 + np.exp(-x))),
    "silu": (SIGMOID.replace("divf %one", "divf %x"), lambda x: x / (1 + np.exp(-x))),
    "root": ("""%p = math.exp %x : f32
            %q = math.cosh %x : f32
            %s = arith.addf %p, %q : f32
            %y = math.sqrt %s : f32""", lambda x: np.sqrt(np.exp(x) + np.cosh(x))),
    "gelu": ("""%c = arith.constant 0.707106769 : f32
            %half = arith.constant 0.5 : f32
            %t = arith.mulf %x, %c : f32
            %e = math.erf %t : f32
            %d = arith.addf %one, %e : f32
            %h = arith.mulf %x, %half : f32
            %y = arith.mulf %h, %d : f32""", lambda x: x / 2 * RIGHT["math.erfc"](-x * np.sqrt(0.5))),
    "gate": ("""%e = math.tanh %x : f32
            %d = arith.addf %e, %one : f32
            %y = arith.mulf %x, %d : f32""", lambda x: x * (2 / (1 + np.exp(-2 * x)))),
}  # fmt: skip


TAILS = {"gelu": 2.0**-26}
"""What is nothing beside 1 - erf; else beside the reciprocal of an exponential."""
FUNCTIONS_OF_BF16 = {name: f"%y = math.{name} %x : f32" for name in ("exp", "exp2", "expm1", "tanh", "log", "sqrt", "rsqrt")}


def cycles_of_a_vector(loop: Any, arch: str) -> float:
    """Cycles between the results of a pipelined loop, of which an iteration stores several where it is unrolled."""
    rounds = pipelined(loop, machine_of(arch))
    return rounds.interval / rounds.body.stores


def brief_chain(body: str, x: Any, device: str) -> Any:
    """What `body` makes of numbers of f32 or bf16, extended, when it is rounded to bf16."""
    element = "f32" if x.dtype == np.float32 else "bf16"
    kinds = f"memref<{len(x)}x{element}, 2>", f"memref<{len(x)}xbf16, 2>"
    module = asm.read(f"""
      func.func @f(%a: {kinds[0]}, %b: {kinds[1]}) {{
        %one = arith.constant 1.0 : f32
        linalg.generic {{indexing_maps = [affine_map<(d) -> (d)>, affine_map<(d) -> (d)>], iterator_types = ["parallel"]}}
            ins(%a : {kinds[0]}) outs(%b : {kinds[1]}) {{
        ^bb0(%x{"" if element == "f32" else "0"}: {element}, %u: bf16):
            {"" if element == "f32" else "%x = arith.extf %x0 : bf16 to f32"}
            {body}
            %r = arith.truncf %y : f32 to bf16
            linalg.yield %r : bf16
        }}
        return
      }}""", "chain.mlir")  # fmt: skip
    values = SimpleNamespace(device=device)
    piped(",".join(str(resolve(p, values) if isinstance(p, Pass) else p) for p in PASSES), module)
    [loop] = walk_named(module.operation, "scf.for")
    arch = {"npu1": "AIE2", "npu2": "AIE2p"}[device]
    assert cycles_of_a_vector(loop, arch) < 140
    ops = walk_pre_order(module.operation)
    assert not [str(o) for o in ops for v in legality_of(o, OpSignatures(arch)) if v.kind in ("wrong", "refused")]
    *_, found = interp.run(module, [x, np.zeros(len(x), np.float32)])
    return found.astype(np.float64)


@pytest.mark.parametrize("device", ["npu1", "npu2"])
@pytest.mark.parametrize("name", CHAINS)
def test_chains_that_are_rounded(name: str, device: str) -> None:
    body, function = CHAINS[name]
    x = samples(0)
    x = x[(np.abs(x) < 85) | np.isinf(x)]
    x = x[: len(x) // 16 * 16]
    found = brief_chain(body, x, device)
    with np.errstate(all="ignore"):
        right = function(x.astype(np.float64))
        off = np.abs(found - right) > ROUNDED.of(right) + TAILS.get(name, 2.0**-118)
        same = (found == right) | (np.isnan(found) & np.isnan(right)) | ((np.abs(right) > 3.38e38) & (np.abs(found) > 3.3e38))
    wrong = np.flatnonzero(off & ~same)
    assert not wrong.size, [(float(x[i]), float(found[i]), float(right[i])) for i in wrong[:5]]


@pytest.mark.parametrize("device", ["npu1", pytest.param("npu2", marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", [*(name for name in CHAINS if name != "root"), *FUNCTIONS_OF_BF16])
def test_all_numbers_of_bf16(name: str, device: str) -> None:
    body, function = CHAINS.get(name) or (FUNCTIONS_OF_BF16[name], RIGHT.get(f"math.{name}", getattr(np, name, None)))
    bits = np.arange(1 << 16, dtype=np.uint16)
    bits = bits[((bits & 0x7F80) != 0) | ((bits & 0x7F) == 0)]  # no denormal ones
    bits = bits[: len(bits) // 16 * 16]
    found = brief_chain(body, bits.view(ml_dtypes.bfloat16), device)
    x = (bits.astype(np.uint32) << 16).view(np.float32).astype(np.float64)
    with np.errstate(all="ignore"):
        right = function(x)
        off = ~(np.abs(found - right) <= BF16.of(right) + (TAILS.get(name, 2.0**-118) if name in CHAINS else 0))
    over = (np.abs(right) > 3.38e38) & (np.abs(found) > 3.38e38)
    off &= ~((x == -np.inf) & (name == "gelu") & (found > -(2.0**-118)))  # nothing, where infinity times nothing would be NaN
    wrong = np.flatnonzero(off & ~(found == right) & ~(np.isnan(found) & np.isnan(right)) & ~over)
    assert not wrong.size, [(float(x[i]), float(found[i]), float(right[i])) for i in wrong[:5]]


def test_every_function_has_a_bound() -> None:
    assert set(FUNCTIONS) - {"math.fma", "math.copysign"} <= set(BOUNDS)


@pytest.mark.parametrize(("device", "factor"), [("npu1", 0.125), ("npu2", 0.0883883)])
@pytest.mark.parametrize("scaled", [False, True])
def test_powers_with_a_lower_bound(device: str, factor: float, scaled: bool) -> None:
    least = none_of_scaled_powers(factor) if scaled else least_of_powers(factor)
    scale = scale_of_powers(factor) if scaled else 1.0
    power = "%z = math.exp %c fastmath<nnan,ninf> : f32\n%e = arith.mulf %z, %scale : f32"
    source = f"""
      func.func @f(%x: memref<{COUNT}xf32, 2>, %o: memref<{COUNT}xbf16, 2>) {{
        linalg.generic {{indexing_maps = [affine_map<(d) -> (d)>, affine_map<(d) -> (d)>], iterator_types = ["parallel"]}}
            ins(%x : memref<{COUNT}xf32, 2>) outs(%o : memref<{COUNT}xbf16, 2>) {{
        ^bb0(%a: f32, %u: bf16):
          %least = arith.constant {bits_of(least)} : i32
          %factor = arith.constant {factor!r} : f32
          %scale = arith.constant {scale!r} : f32
          %bits = arith.bitcast %a : f32 to i32
          %lesser = arith.minsi %bits, %least : i32
          %b = arith.bitcast %lesser : i32 to f32
          %c = arith.mulf %b, %factor : f32
          {power if scaled else "%e = math.exp %c fastmath<ninf> : f32"}
          %y = arith.truncf %e : f32 to bf16
          linalg.yield %y : bf16
        }}
        return
      }}"""
    module = asm.read(source, "power.mlir")
    values = SimpleNamespace(device=device)
    piped(",".join(str(resolve(p, values) if isinstance(p, Pass) else p) for p in PASSES), module)
    [loop] = walk_named(module.operation, "scf.for")
    assert cycles_of_a_vector(loop, {"npu1": "AIE2", "npu2": "AIE2p"}[device]) <= 9
    first = least_of_scaled_powers(factor) if scaled else least
    x = np.concatenate([np.linspace(first, -1e-3, COUNT - 3), [-np.inf, -1e38, -1e-30]]).astype(np.float32)
    *_, found = interp.run(module, [x, np.zeros(COUNT, ml_dtypes.bfloat16)])
    right = np.exp(factor * x.astype(np.float64)) * scale
    assert np.all(np.abs(found.astype(np.float64) - right) <= BOUNDED_POWER.of(right))
    assert not found[-3:-1].any()
