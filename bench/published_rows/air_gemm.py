"""Matrix products in AIR as mlir-air's registry has them: launches over blocks of C, panels in L2, sums that stay in L1.

A herd of 8 x 4 multiplies in micro-tiles of 8 x 8 x 8, by a kernel in C++ or by contractions written out in two by two blocks.
"""

from __future__ import annotations

import re

_KINDS = 'iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>'
_MAPS = ", ".join(f"affine_map<(m, n, k) -> ({a}, {b})>" for a, b in ("mk", "kn", "mn"))
_IN = "{in_bounds = [true, true]}"
_PAIRS = [(i, j) for i in range(2) for j in range(2)]


def gemm(sizes: tuple[int, int, int], tile: tuple[int, int, int, int], out: str, *, direct: bool) -> str:
    """C (M x N, of type `out`) = A (M x K) B (K x N) of bf16; `tile` is m, k in L2, k in L1, n of a core."""
    (M, K, N), (tm, kl2, kl1, tn) = sizes, tile
    bm, bn, ms, ns, ks = tm * 8, tn * 4, tm // 8, tn // 8, kl1 // 8
    A, B, C = f"memref<{M}x{K}xbf16>", f"memref<{K}x{N}xbf16>", f"memref<{M}x{N}x{out}>"
    A2, B2, C2 = f"memref<{bm}x{kl2}xbf16, 1>", f"memref<{kl2}x{bn}xbf16, 1>", f"memref<{bm}x{bn}x{out}, 1>"
    A1, B1, C1 = f"memref<{ks}x{ms}x8x8xbf16, 2>", f"memref<{ns}x{ks}x8x8xbf16, 2>", f"memref<{ns}x{ms}x8x8x{out}, 2>"
    numbers = {0, 1, 2, 4, 8, kl1, kl2, K, N, tm, tn, bm, bn, ms, ns, ks, 8 * kl2, 8 * bn, 8 * tm, 64}
    constants = "\n".join(
        [f"%c{v} = arith.constant {v} : index" for v in sorted(numbers)]
        + ["%czb = arith.constant 0.0 : bf16", f"%czf = arith.constant 0.0 : {out}"]
    )
    if direct:
        functions, fill, product = "", _fill(ns, ms, C1, out), _product((ms, ns, ks), (A1, B1, C1), out)
    else:
        functions = "\n".join(
            f'func.func private @{name} attributes {{link_with = "mm.o", llvm.emit_c_interface}}'
            for name in (f"zero_{out}({C1})", f"matmul_bf16_{out}({A1}, {B1}, {C1})")
        )
        fill = f"func.call @zero_{out}(%sum) : ({C1}) -> ()"
        product = f"func.call @matmul_bf16_{out}(%a1, %b1, %sum) : ({A1}, {B1}, {C1}) -> ()"
    linked = "" if direct else ' attributes {link_with = "mm.o"}'
    place = (
        f"%row = affine.apply affine_map<()[s0] -> (s0 * {tm})>()[%tx]\n"
        f"%col = affine.apply affine_map<()[s0] -> (s0 * {tn})>()[%ty]"
    )
    first = f"{constants}\n{fill}"
    step = f"""{constants}
      {place}
      scf.for %kx = %c0 to %c{kl2} step %c{kl1} {{
        %a1 = memref.alloc() : {A1}
        %b1 = memref.alloc() : {B1}
        air.dma_memcpy_nd (%a1[] [] [], %ha[%c0, %c0, %row, %kx] [%c{ks}, %c{ms}, %c8, %c8] [%c8, %c{8 * kl2}, %c{kl2}, %c1]) :
          ({A1}, {A2})
        air.dma_memcpy_nd (%b1[] [] [], %hb[%c0, %c0, %kx, %col] [%c{ns}, %c{ks}, %c8, %c8] [%c8, %c{8 * bn}, %c{bn}, %c1]) :
          ({B1}, {B2})
        {product}
        memref.dealloc %a1 : {A1}
        memref.dealloc %b1 : {B1}
      }}"""
    last = f"""{constants}
      {place}
      air.dma_memcpy_nd (%hc[%row, %col] [%c{tm}, %c{tn}] [%c{bn}, %c1],
        %sum[%c0, %c0, %c0, %c0] [%c{ms}, %c8, %c{ns}, %c8] [%c64, %c8, %c{8 * tm}, %c1]) : ({C2}, {C1})"""
    grid = "air.herd @herd tile (%tx, %ty) in (%sx=%c8, %sy=%c4)"
    return f"""
{functions}
func.func @program(%a: {A}, %b: {B}, %c: {C}) {{
  %lx = arith.constant {M // bm} : index
  %ly = arith.constant {N // bn} : index
  air.launch (%i, %j) in (%li=%lx, %lj=%ly) args(%la=%a, %lb=%b, %lc=%c) : {A}, {B}, {C} {{
    air.segment @seg args(%si=%i, %sj=%j, %sa=%la, %sb=%lb, %sc=%lc) : index, index, {A}, {B}, {C} {{
      {constants}
      %offm = affine.apply affine_map<()[s0] -> (s0 * {bm})>()[%si]
      %offn = affine.apply affine_map<()[s0] -> (s0 * {bn})>()[%sj]
      %a2 = memref.alloc() : {A2}
      %b2 = memref.alloc() : {B2}
      %l2c = memref.alloc() : {C2}
      %acc = memref.alloc() : {C1}
      {grid} args(%sum=%acc) : {C1}{linked} {{
        {_renamed(first)}
      }}
      scf.for %k = %c0 to %c{K} step %c{kl2} {{
        air.dma_memcpy_nd (%a2[] [] [], %sa[%offm, %k] [%c{bm}, %c{kl2}] [%c{K}, %c1]) : ({A2}, {A})
        air.dma_memcpy_nd (%b2[] [] [], %sb[%k, %offn] [%c{kl2}, %c{bn}] [%c{N}, %c1]) : ({B2}, {B})
        {grid} args(%ha=%a2, %hb=%b2, %sum=%acc) : {A2}, {B2}, {C1}{linked} {{
          {_renamed(step)}
        }}
      }}
      {grid} args(%sum=%acc, %hc=%l2c) : {C1}, {C2} {{
        {_renamed(last)}
      }}
      air.dma_memcpy_nd (%sc[%offm, %offn] [%c{bm}, %c{bn}] [%c{N}, %c1], %l2c[] [] []) : ({C}, {C2})
      memref.dealloc %a2 : {A2}
      memref.dealloc %b2 : {B2}
      memref.dealloc %l2c : {C2}
      memref.dealloc %acc : {C1}
    }}
  }}
  return
}}"""


def _renamed(body: str) -> str:
    """Constants of a herd's body have names of their own."""
    return re.sub(r"%c(\d+|zb|zf)\b", r"%k\1", body)


def _fill(columns: int, rows: int, kind: str, out: str) -> str:
    tile = f"vector<8x8x{out}>"
    return f"""%zero = arith.constant dense<0.0> : {tile}
      scf.for %q = %c0 to %c{columns} step %c1 {{ scf.for %p = %c0 to %c{rows} step %c1 {{
        vector.transfer_write %zero, %sum[%q, %p, %c0, %c0] {_IN} : {tile}, {kind}
      }} }}"""


def _product(counts: tuple[int, int, int], kinds: tuple[str, str, str], out: str) -> str:
    """Blocks of two by two micro-tiles, each summed in f32 over k."""
    (ms, ns, ks), (A1, B1, C1) = counts, kinds
    factor, tile, wide = "vector<8x8xbf16>", f"vector<8x8x{out}>", "vector<8x8xf32>"
    lines = [
        f"%{x}{d} = affine.apply affine_map<(d) -> (d + {d})>(%{v})" for d in range(2) for x, v in (("i", "p"), ("j", "q"))
    ]
    for i, j in _PAIRS:
        lines.append(f"%r{i}{j} = vector.transfer_read %sum[%j{j}, %i{i}, %c0, %c0], %czf {_IN} : {C1}, {tile}")
        lines += [f"%w{i}{j} = arith.extf %r{i}{j} : {tile} to {wide}"] if out != "f32" else []
    begin = "r" if out == "f32" else "w"
    carried = ", ".join(f"%x{i}{j} = %{begin}{i}{j}" for i, j in _PAIRS)
    lines.append(f"%y:4 = scf.for %kk = %c0 to %c{ks} step %c1 iter_args({carried}) -> ({', '.join([wide] * 4)}) {{")
    for d in range(2):
        lines.append(f"%va{d} = vector.transfer_read %a1[%kk, %i{d}, %c0, %c0], %czb {_IN} : {A1}, {factor}")
        lines.append(f"%vb{d} = vector.transfer_read %b1[%j{d}, %kk, %c0, %c0], %czb {_IN} : {B1}, {factor}")
    for i, j in _PAIRS:
        lines.append(
            f"%n{i}{j} = vector.contract {{indexing_maps = [{_MAPS}], {_KINDS}}} %va{i}, %vb{j}, %x{i}{j} : "
            f"{factor}, {factor} into {wide}"
        )
    lines.append(f"scf.yield {', '.join(f'%n{i}{j}' for i, j in _PAIRS)} : {', '.join([wide] * 4)}\n}}")
    for number, (i, j) in enumerate(_PAIRS):
        value = f"%y#{number}"
        if out != "f32":
            lines.append(f"%o{i}{j} = arith.truncf {value} : {wide} to {tile}")
            value = f"%o{i}{j}"
        lines.append(f"vector.transfer_write {value}, %sum[%j{j}, %i{i}, %c0, %c0] {_IN} : {tile}, {C1}")
    body = "\n".join(lines)
    return f"scf.for %p = %c0 to %c{ms} step %c2 {{ scf.for %q = %c0 to %c{ns} step %c2 {{\n{body}\n}} }}"


def fused_cast(sizes: tuple[int, int, int], tile: tuple[int, int, int, int]) -> str:
    """The product in f32 by a kernel in C++, and a second launch that casts it to bf16, 16 rows of 128 elements at a time."""
    M, _, N = sizes
    sums, results = f"memref<{M}x{N}xf32>", f"memref<{M}x{N}xbf16>"
    here, there = "memref<16x128xf32, 2>", "memref<16x128xbf16, 2>"
    wide, narrow = "vector<16xf32>", "vector<16xbf16>"
    constants = "\n".join(f"%e{v} = arith.constant {v} : index" for v in sorted({0, 1, 16, 128, 256, M, N}))
    launch = f"""
  air.launch () in () args(%lc=%c, %lo=%o) : {sums}, {results} {{
    air.segment @cast args(%sc=%lc, %so=%lo) : {sums}, {results} {{
      %x = arith.constant 8 : index
      %y = arith.constant 2 : index
      air.herd @cast tile (%tx, %ty) in (%sx=%x, %sy=%y) args(%hc=%sc, %ho=%so) : {sums}, {results} {{
        {constants}
        %zero = arith.constant 0.0 : f32
        scf.for %i = %e0 to %e{M} step %e256 {{
          %row = affine.apply affine_map<()[s0, s1, s2] -> (s0 + s1 * 32 + s2 * 16)>()[%i, %tx, %ty]
          scf.for %j = %e0 to %e{N} step %e128 {{
            %in = memref.alloc() : {here}
            %out = memref.alloc() : {there}
            air.dma_memcpy_nd (%in[] [] [], %hc[%row, %j] [%e16, %e128] [%e{N}, %e1]) : ({here}, {sums})
            scf.for %p = %e0 to %e16 step %e1 {{ scf.for %q = %e0 to %e128 step %e16 {{
              %v = vector.transfer_read %in[%p, %q], %zero {{in_bounds = [true]}} : {here}, {wide}
              %w = arith.truncf %v : {wide} to {narrow}
              vector.transfer_write %w, %out[%p, %q] {{in_bounds = [true]}} : {narrow}, {there}
            }} }}
            air.dma_memcpy_nd (%ho[%row, %j] [%e16, %e128] [%e{N}, %e1], %out[] [] []) : ({results}, {there})
            memref.dealloc %in : {here}
            memref.dealloc %out : {there}
          }}
        }}
      }}
    }}
  }}
  return
}}"""
    product, _, _ = gemm(sizes, tile, "f32", direct=False).rpartition("  return\n")
    return product.replace(f"%c: {sums}) {{", f"%c: {sums}, %o: {results}) {{", 1) + launch
