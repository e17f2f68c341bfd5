"""Rates of the vector unit, the load and store units and the memory banks (docs/sources.md#timing).

`calibration`: the machine's figures are these. The loops show that they come out again where a loop does nothing else.
"""

from __future__ import annotations

from functools import partial

from allo_air.arch import core_of
from allo_air.device import DEVICES

from .on_core import TURNS, loop, per_turn
from .row import Row

_WIDE = {"i8": "i32", "i16": "i32", "i32": "i32", "bf16": "f32"}


def _dense(kind: str) -> str:
    return f"arith.constant dense<{0 if 'xi' in kind else 0.0}> : {kind}"


def contraction(device: str, types: tuple[str, str], tile: tuple[int, int, int], trips: int) -> str:
    """`trips` products of one micro-tile, operands in registers, each added to the same accumulator.

    Their signs are those of the MAC instruction that the tool chain makes of a contraction.
    """
    (a, b), (m, k, n) = types, tile
    acc = "f32" if a == "bf16" else "i32"
    taken = core_of(DEVICES[device].arch).contraction(a, tile)
    operands = []
    shapes, signs = (f"{m}x{k}", f"{k}x{n}"), taken.signed if taken else (True, True)
    for name, element, shape, signed in zip("ab", types, shapes, signs, strict=True):
        widen = "arith.extf" if a == "bf16" else "arith.extsi" if signed else "arith.extui"
        kind = f"vector<{shape}x{element}>"
        operands.append(
            f"%z{name} = ub.poison : {element}\n%{name} = vector.transfer_read %{name}m[%c0, %c0], %z{name} "
            f"{{in_bounds = [true, true]}} : memref<{shape}x{element}>, {kind}"
        )
        wide = f"vector<{shape}x{acc}>"
        operands.append(f"%{name}w = {widen} %{name} : {kind} to {wide}" if element != acc else "")
    left, right = (f"%{name}w" if element != acc else f"%{name}" for name, element in (("a", a), ("b", b)))
    maps = "[affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]"
    out = f"vector<{m}x{n}x{acc}>"
    body = (
        f'%y = vector.contract {{indexing_maps = {maps}, iterator_types = ["parallel", "parallel", "reduction"], '
        f"kind = #vector.kind<add>}} {left}, {right}, %x : vector<{m}x{k}x{acc}>, vector<{k}x{n}x{acc}> into {out}"
    )
    store = f"vector.transfer_write %last#0, %cm[%c0, %c0] {{in_bounds = [true, true]}} : {out}, memref<{m}x{n}x{acc}>"
    start = f"%zero = {_dense(out)}"
    return "\n".join([*operands, start, loop(trips, body, [("x", "%zero", out)], ["%y"]), store])


def macs_per_cycle(device: str, types: tuple[str, str], tile: tuple[int, int, int]) -> float:
    """Multiply-accumulates per cycle of back-to-back products of one micro-tile."""
    (a, b), (m, k, n) = types, tile
    acc = "f32" if a == "bf16" else "i32"
    buffers = (f"am : memref<{m}x{k}x{a}>", f"bm : memref<{k}x{n}x{b}>", f"cm : memref<{m}x{n}x{acc}>")
    return m * k * n / per_turn(lambda trips: contraction(device, types, tile, trips), buffers, device)


def _loads(width: int, trips: int) -> str:
    """Two vectors of `width` bytes a turn, each from a buffer of its own."""
    kind, size = f"vector<{width}xi8>", TURNS * width
    body = "\n".join(
        [f"%w = arith.constant {width} : index", "%j = arith.muli %i, %w : index"]
        + [f"%v{b} = vector.load %{b}[%j] : memref<{size}xi8>, {kind}" for b in "pq"]
        + ["%s = arith.xori %vp, %vq : " + kind]
    )
    return (
        f"%zero = {_dense(kind)}\n"
        + loop(trips, body, [("x", "%zero", kind)], ["%s"])
        + f"\nvector.store %last#0, %o[%c0] : memref<{width}xi8>, {kind}"
    )


def load_bytes(device: str, width: int, banks: tuple[int, ...] = (1, 2, 3)) -> float:
    """Bytes loaded per cycle."""
    buffers = (f"p : memref<{TURNS * width}xi8>", f"q : memref<{TURNS * width}xi8>", f"o : memref<{width}xi8>")
    return 2 * width / per_turn(lambda trips: _loads(width, trips), buffers, device, banks)


def store_bytes(device: str, width: int) -> float:
    """Bytes stored per cycle."""
    kind, size = f"vector<{width}xi8>", TURNS * width

    def make(trips: int) -> str:
        at = f"%w = arith.constant {width} : index\n%j = arith.muli %i, %w : index"
        body = f"{at}\nvector.store %zero, %o[%j] : memref<{size}xi8>, {kind}"
        return f"%zero = {_dense(kind)}\n" + loop(trips, body)

    return width / per_turn(make, (f"o : memref<{size}xi8>",), device)


_T = "programming guide 4c (T)"
MACS = (
    ("npu1_1col", ("i8", "i8"), (4, 8, 8), 256, _T),
    ("npu1_1col", ("i16", "i8"), (4, 4, 8), 128, _T),
    ("npu1_1col", ("i16", "i16"), (4, 2, 8), 64, _T),
    ("npu1_1col", ("i32", "i16"), (4, 2, 4), 32, _T),
    ("npu1_1col", ("i32", "i32"), (4, 1, 4), 16, _T),
    ("npu1_1col", ("bf16", "bf16"), (4, 8, 4), 128, _T),
    ("npu2_1col", ("i8", "i8"), (8, 8, 8), 512, "whole_array.py (T)"),
    ("npu2_1col", ("i16", "i16"), (8, 2, 8), 128, "whole_array.py (T)"),
    ("npu2_1col", ("bf16", "bf16"), (8, 8, 8), 512, "tnzr.org (T), by blocks of bfp16"),
    ("npu2_1col", ("bf16", "bf16"), (8, 8, 4), 32, "core-kernels.md, native"),
    ("npu2_1col", ("bf16", "bf16"), (4, 8, 4), 16, "core-kernels.md, native"),
)
ROWS = (
    *(Row("rates", f"{d.split('_')[0]} {'x'.join(t)}, micro-tile {'x'.join(map(str, s))}", float(p), "MACs/cycle",
          "calibration", source, partial(macs_per_cycle, d, t, s)) for d, t, s, p, source in MACS),
    Row("rates", "npu1 two loads of 256 bits a cycle", 64, "B/cycle", "calibration", "timing.md",
        partial(load_bytes, "npu1_1col", 32)),
    Row("rates", "npu1 the same from one bank: one more cycle", 32, "B/cycle", "calibration", "timing.md",
        partial(load_bytes, "npu1_1col", 32, (1, 1, 3))),
    Row("rates", "npu1 one store of 256 bits a cycle", 32, "B/cycle", "calibration", "timing.md",
        partial(store_bytes, "npu1_1col", 32)),
    Row("rates", "npu2 two loads of 512 bits a cycle", 128, "B/cycle", "calibration", "timing.md",
        partial(load_bytes, "npu2_1col", 64)),
    Row("rates", "npu2 the same from one bank: one more cycle", 64, "B/cycle", "calibration", "timing.md",
        partial(load_bytes, "npu2_1col", 64, (1, 1, 3))),
)  # fmt: skip
