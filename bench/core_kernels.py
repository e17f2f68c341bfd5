"""Cycles of GEMM core kernels by the simulator's time model beside published hardware measurements.

    python bench/core_kernels.py

The published rows are those of docs/sources.md#timing (arXiv 2512.13282: hardware traces of
kernels built by AMD's Chess compiler). The model is given what such a kernel does, as vector code: micro-tiles of one
multiply-accumulate instruction, register blocks of several accumulators that share the loaded operands, one loop over k per
block. No constant of the model is fitted to these rows, but which units its instructions take was chosen with them in view. The
last column is the reference form m*k*n / P + c*m*n with c = the cycles of storing an element of C.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from allo_air import asm
from allo_air.core.cloning import unroll
from allo_air.core.loops import dim_of
from allo_air.core.walking import walk_named
from allo_air.core_model.machine import machine_of
from allo_air.mlir import arith, ir, new_context
from allo_air.sim.cores.cost import Timer
from allo_air.sim.cores.prepare import prepare


@dataclass(frozen=True)
class Row:
    """A published kernel: element types, sizes, micro-tile, accumulators per register block, MACs per cycle."""

    arch: str
    types: tuple[str, str]
    sizes: tuple[int, int, int]
    micro: tuple[int, int, int]
    block: tuple[int, int]
    published: float


ROWS = (
    Row("AIE2", ("i8", "i8"), (64, 232, 64), (4, 8, 8), (4, 2), 233.0),
    Row("AIE2", ("i8", "i16"), (64, 216, 64), (4, 8, 8), (4, 2), 217.6),
    Row("AIE2", ("i8", "i32"), (48, 280, 48), (4, 8, 8), (4, 2), 192.0),
    Row("AIE2", ("bf16", "bf16"), (64, 104, 64), (4, 8, 4), (4, 4), 112.6),
    Row("AIE2p", ("i8", "i8"), (64, 232, 64), (8, 8, 8), (2, 2), 450.6),
    Row("AIE2p", ("i8", "i32"), (48, 280, 48), (8, 8, 8), (2, 2), 384.0),
    Row("AIE2p", ("bf16", "bf16"), (48, 152, 48), (8, 8, 8), (2, 2), 158.1),
    Row("AIE2", ("i8", "i32"), (80, 88, 96), (4, 8, 8), (4, 2), 146.0),
    Row("AIE2p", ("bf16", "bf16"), (112, 48, 96), (8, 8, 8), (2, 2), 137.2),
)
"""Blocks fill the accumulator registers: 4x2 of 1024 bits, 4x4 of 512 bits on AIE2, 2x2 of 2048 bits on AIE2P."""


MICRO = {
    ("AIE2", "i8"): ((4, 8, 8), (4, 2)),
    ("AIE2", "i16"): ((4, 2, 8), (4, 2)),
    ("AIE2", "bf16"): ((4, 8, 4), (4, 4)),
    ("AIE2p", "i8"): ((8, 8, 8), (2, 2)),
    ("AIE2p", "i16"): ((8, 2, 8), (2, 2)),
    ("AIE2p", "bf16"): ((8, 8, 8), (2, 2)),
}
"""Micro-tile and register block by type of the factors, as the rows above have them; i16: docs/sources.md#core-kernels."""


def row_of(arch: str, types: tuple[str, str], sizes: tuple[int, int, int], published: float = 0.0) -> Row:
    """The kernel of m x k x n in the largest register blocks that divide it; ValueError where micro-tiles do not."""
    if (arch, types[0]) not in MICRO:
        known = ", ".join(sorted(t for a, t in MICRO if a == arch))
        raise ValueError(f"no vector kernel of {types[0]} on {arch}; there are {known}")
    micro, usual = MICRO[arch, types[0]]
    if any(size % step for size, step in zip(sizes, micro, strict=True)):
        raise ValueError(f"{sizes} are not multiples of {' x '.join(map(str, micro))}, one multiply-accumulate instruction")
    rows, columns = sizes[0] // micro[0], sizes[2] // micro[2]
    most = usual[0] * usual[1]
    blocks = [(i, j) for i in range(1, most + 1) for j in range(1, most // i + 1) if not rows % i and not columns % j]
    block = max(blocks, key=lambda b: (b[0] * b[1], b == usual, -abs(b[0] - b[1])))
    return Row(arch, types, sizes, micro, block, published)


def kernel(row: Row) -> str:
    """The kernel as MLIR: C (m x n) += A (m x k) B (k x n), all in micro-tiles."""
    (e, out), (m, k, n), (tm, tk, tn), (bm, bn) = row.types, row.sizes, row.micro, row.block
    acc = "f32" if e == "bf16" else "i32"
    widen, narrow = ("arith.extf", "arith.truncf") if e == "bf16" else ("arith.extsi", "arith.trunci")
    a_type, b_type, c_type = (
        f"memref<{x // p}x{y // q}x{p}x{q}x{t}>"
        for x, y, p, q, t in ((m, k, tm, tk, e), (k, n, tk, tn, e), (m, n, tm, tn, out))
    )
    vec_c, vec_o = f"vector<{tm}x{tn}x{acc}>", f"vector<{tm}x{tn}x{out}>"
    cells = [(i, j) for i in range(bm) for j in range(bn)]
    lines = []
    for d in range(1, max(bm, bn)):
        lines += [f"%i{d} = affine.apply affine_map<(d) -> (d + {d})>(%i)"] * (d < bm)
        lines += [f"%j{d} = affine.apply affine_map<(d) -> (d + {d})>(%j)"] * (d < bn)
    row_of, col_of = (lambda i: f"%i{i}" if i else "%i"), (lambda j: f"%j{j}" if j else "%j")
    bounds = "{in_bounds = [true, true]}"
    for i, j in cells:
        lines.append(
            f"%r{i}_{j} = vector.transfer_read %C[{row_of(i)}, {col_of(j)}, %c0, %c0], %zo {bounds} : {c_type}, {vec_o}"
        )
        if out != acc:
            lines.append(f"%s{i}_{j} = {widen} %r{i}_{j} : {vec_o} to {vec_c}")
    types = ", ".join([vec_c] * len(cells))
    carried = ", ".join(f"%x{i}_{j} = %{'r' if out == acc else 's'}{i}_{j}" for i, j in cells)
    lines.append(f"%y:{len(cells)} = scf.for %k = %c0 to %kk step %c1 iter_args({carried}) -> ({types}) {{")
    for i in range(bm):
        lines.append(
            f"%a{i} = vector.transfer_read %A[{row_of(i)}, %k, %c0, %c0], %z {bounds} : {a_type}, vector<{tm}x{tk}x{e}>"
        )
        lines.append(f"%aw{i} = {widen} %a{i} : vector<{tm}x{tk}x{e}> to vector<{tm}x{tk}x{acc}>")
    for j in range(bn):
        lines.append(
            f"%b{j} = vector.transfer_read %B[%k, {col_of(j)}, %c0, %c0], %z {bounds} : {b_type}, vector<{tk}x{tn}x{e}>"
        )
        lines.append(f"%bw{j} = {widen} %b{j} : vector<{tk}x{tn}x{e}> to vector<{tk}x{tn}x{acc}>")
    for i, j in cells:
        lines.append(
            f"%n{i}_{j} = vector.contract {{indexing_maps = [#a, #b, #c], "
            f'iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>}} '
            f"%aw{i}, %bw{j}, %x{i}_{j} : vector<{tm}x{tk}x{acc}>, vector<{tk}x{tn}x{acc}> into {vec_c}"
        )
    lines.append(f"scf.yield {', '.join(f'%n{i}_{j}' for i, j in cells)} : {types}\n}}")
    for number, (i, j) in enumerate(cells):
        result = f"%y#{number}"
        if out != acc:
            lines.append(f"%o{i}_{j} = {narrow} {result} : {vec_c} to {vec_o}")
            result = f"%o{i}_{j}"
        lines.append(f"vector.transfer_write {result}, %C[{row_of(i)}, {col_of(j)}, %c0, %c0] {bounds} : {vec_o}, {c_type}")
    body = "\n".join(lines)
    return f"""
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func @core(%A: {a_type}, %B: {b_type}, %C: {c_type}) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %kk = arith.constant {k // tk} : index
  %mm = arith.constant {m // tm} : index
  %nn = arith.constant {n // tn} : index
  %bm = arith.constant {bm} : index
  %bn = arith.constant {bn} : index
  %z = ub.poison : {e}
  %zo = ub.poison : {out}
  scf.for %i = %c0 to %mm step %bm {{ scf.for %j = %c0 to %nn step %bn {{
  {body}
  }} }}
  return
}}"""


def predicted(row: Row, compiled: bool = False, unrolled: bool = False) -> tuple[float, str]:
    """MACs per cycle by the model, and what bounds the inner loop; of code compiled from MLIR, or without loops, if so."""
    with new_context():
        module = asm.read(kernel(row))
        prepare(module)
        while unrolled and (loops := [o for o in walk_named(module, "scf.for") if not walk_named(o, "scf.for")[1:]]):
            with ir.InsertionPoint(loops[0]), loops[0].location:
                dim = dim_of(loops[0])
                assert dim is not None
                unroll(dim, partial(arith.constant, dim.iv.type))
        timer = Timer(machine_of(row.arch, compiled=compiled), lambda _: 0)
        timer.plan(walk_named(module, "func.func")[0])  # single turns of its loops are straight code
        regions = [region for _, region in timer.regions]
        macs = sum(r.macs for r in regions)
        assert macs == row.sizes[0] * row.sizes[1] * row.sizes[2]
        longest = max(regions, key=lambda r: r.cycles)
        return macs / sum(r.cycles for r in regions), longest.bound


def reference(row: Row) -> float:
    """m*k*n / (m*k*n / P + c*m*n)."""
    machine = machine_of(row.arch)
    pair = ("bfp16", "bfp16") if row.arch == "AIE2p" and row.types[0] == "bf16" else (row.types[0], row.types[0])
    m, k, n = row.sizes
    mm, kk, nn = machine.mac_shapes[pair]
    c = {"i8": 1, "i16": 2, "bf16": 2, "i32": 4}[row.types[1]] / machine.store_bytes
    return m * k * n / (m * k * n / (mm * kk * nn) + c * m * n)


def main() -> None:
    print(
        f"{'device':7}{'types':12}{'m x k x n':14}{'published':>10}{'model':>8}{'error':>8}  {'bound':8}{'reference form':>15}"
    )
    for row in ROWS:
        rate, bound = predicted(row)
        error = rate / row.published - 1
        print(
            f"{row.arch:7}{'-'.join(row.types):12}{'x'.join(map(str, row.sizes)):14}"
            f"{row.published:10.1f}{rate:8.1f}{error:+8.1%}  {bound:8}{reference(row):15.1f}"
        )


if __name__ == "__main__":
    main()
