"""Programs in AIR with vector code in their herds, as mlir-air's registry has them: elements, rows, a matrix times a vector."""

from __future__ import annotations

_IN = "{in_bounds = [true]}"
_V = "vector<16xbf16>"


def _passed(inner: str, outer: str, names: str) -> str:
    return ", ".join(f"%{inner}{n}=%{outer}{n}" for n in names)


def _herd(names: str, kind: str, columns: int, rows: int, body: str) -> str:
    """A launch of one herd on the arguments `names`, all of type `kind`, which are called %h... in `body`."""
    types = ", ".join([kind] * len(names))
    return f"""
func.func @program({", ".join(f"%{n}: {kind}" for n in names)}) {{
  air.launch () in () args({_passed("l", "", names)}) : {types} {{
    air.segment @seg args({_passed("s", "l", names)}) : {types} {{
      %x = arith.constant {columns} : index
      %y = arith.constant {rows} : index
      air.herd @herd tile (%tx, %ty) in (%sx=%x, %sy=%y) args({_passed("h", "s", names)}) : {types} {{
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c16 = arith.constant 16 : index
        %z = arith.constant 0.0 : bf16
        {body}
      }}
    }}
  }}
  return
}}"""


def _ops(*steps: str) -> str:
    """Lines of "result operation operand..." on vectors of 16."""
    parts = (step.split() for step in steps)
    return "\n".join(f"%{r} = {name} {', '.join('%' + o for o in operands)} : {_V}" for r, name, *operands in parts)


ADD = _ops("r arith.addf va vb")
GELU = "\n".join(
    f"%k{n} = arith.constant dense<{v}> : {_V}" for n, v in enumerate((0.5, 0.044715, 0.797885, 1.0))
) + "\n" + _ops(
    "x2 arith.mulf va va", "x3 arith.mulf x2 va", "c arith.mulf x3 k1", "in arith.addf va c", "s arith.mulf in k2",
    "t math.tanh s", "p arith.addf t k3", "h arith.mulf va k0", "r arith.mulf h p",
)  # fmt: skip
"""0.5 x (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3)))."""


def elementwise(body: str, inputs: str, total: int, columns: int, rows: int, tile: int) -> str:
    """Each core takes tiles of `tile` of `total` elements in turns; `body` makes %r of %va, %vb."""
    host, local = f"memref<{total}xbf16>", f"memref<{tile}xbf16, 2>"
    lines = [f"%b{n} = memref.alloc() : {local}" for n in inputs + "o"]
    lines += [f"air.dma_memcpy_nd (%b{n}[] [] [], %h{n}[%off] [%tile] [%c1]) : ({local}, {host})" for n in inputs]
    reads = [f"%v{n} = vector.transfer_read %b{n}[%j], %z {_IN} : {local}, {_V}" for n in inputs]
    frees = [f"memref.dealloc %b{n} : {local}" for n in inputs + "o"]
    nl = "\n"
    return _herd(inputs + "o", host, columns, rows, f"""
        %tile = arith.constant {tile} : index
        %n = arith.constant {total} : index
        %step = arith.constant {tile * columns * rows} : index
        scf.for %i = %c0 to %n step %step {{
          %off = affine.apply affine_map<()[s0, s1, s2] -> (s0 + s1 * {tile * rows} + s2 * {tile})>()[%i, %tx, %ty]
          {nl.join(lines)}
          scf.for %j = %c0 to %tile step %c16 {{
            {nl.join(reads)}
            {body}
            vector.transfer_write %r, %bo[%j] {_IN} : {_V}, {local}
          }}
          air.dma_memcpy_nd (%ho[%off] [%tile] [%c1], %bo[] [] []) : ({host}, {local})
          {nl.join(frees)}
        }}""")  # fmt: skip


def rms_norm(m: int, n: int, columns: int) -> str:
    """Each core takes rows; squares are stored and loaded again, as mlir-air does, and summed in bf16."""
    host, local, small = f"memref<{m}x{n}xbf16>", f"memref<{n}xbf16, 2>", "memref<16xbf16, 2>"
    return _herd("ao", host, columns, 1, f"""
        %n = arith.constant {n} : index
        %m = arith.constant {m // columns} : index
        %zv = arith.constant dense<0.0> : {_V}
        %count = arith.constant {float(n)} : f32
        %eps = arith.constant 1.0e-5 : f32
        scf.for %i = %c0 to %m step %c1 {{
          %row = affine.apply affine_map<()[s0, s1] -> (s0 + s1 * {m // columns})>()[%i, %tx]
          %in = memref.alloc() : {local}
          %out = memref.alloc() : {local}
          %tmp = memref.alloc() : {small}
          air.dma_memcpy_nd (%in[] [] [], %ha[%row, %c0] [%c1, %n] [%n, %c1]) : ({local}, {host})
          %last = scf.for %j = %c0 to %n step %c16 iter_args(%s = %zv) -> ({_V}) {{
            %v = vector.transfer_read %in[%j], %z {_IN} : {local}, {_V}
            %q = arith.mulf %v, %v : {_V}
            vector.transfer_write %q, %tmp[%c0] {_IN} : {_V}, {small}
            %w = vector.transfer_read %tmp[%c0], %z {_IN} : {small}, {_V}
            %t = arith.addf %s, %w : {_V}
            scf.yield %t : {_V}
          }}
          %sum = vector.reduction <add>, %last : {_V} into bf16
          %sf = arith.extf %sum : bf16 to f32
          %mean = arith.divf %sf, %count : f32
          %shifted = arith.addf %mean, %eps : f32
          %root = math.rsqrt %shifted : f32
          %rb = arith.truncf %root : f32 to bf16
          %rv = vector.broadcast %rb : bf16 to {_V}
          scf.for %j = %c0 to %n step %c16 {{
            %v = vector.transfer_read %in[%j], %z {_IN} : {local}, {_V}
            %w = arith.mulf %v, %rv : {_V}
            vector.transfer_write %w, %out[%j] {_IN} : {_V}, {local}
          }}
          air.dma_memcpy_nd (%ho[%row, %c0] [%c1, %n] [%n, %c1], %out[] [] []) : ({host}, {local})
          memref.dealloc %in : {local}
          memref.dealloc %out : {local}
          memref.dealloc %tmp : {small}
        }}""")  # fmt: skip


def gemv(m: int, k: int, columns: int, tile: int, call: int) -> str:
    """Launches over blocks of rows, of which L2 holds one; each core calls a kernel for `call` rows at a time."""
    block = tile * columns
    A, B, C = f"memref<{m}x{k}xbf16>", f"memref<{k}xbf16>", f"memref<{m}xbf16>"
    A2, C2 = f"memref<{columns}x{tile}x{k}xbf16, 1>", f"memref<{columns}x{tile}xbf16, 1>"
    A1, B1, C1 = f"memref<{call}x{k}xbf16, 2>", f"memref<{k}xbf16, 2>", f"memref<{tile}xbf16, 2>"
    linked = 'attributes {link_with = "mv.o", llvm.emit_c_interface}'
    return f"""
func.func private @matvec_bf16(i32, i32, i32, {A1}, {B1}, {C1}) {linked}
func.func private @zero_row(i32, {C1}) {linked}
func.func @program(%a: {A}, %b: {B}, %c: {C}) {{
  %lx = arith.constant {m // block} : index
  %ly = arith.constant 1 : index
  air.launch (%i, %j) in (%li=%lx, %lj=%ly) args(%la=%a, %lb=%b, %lc=%c) : {A}, {B}, {C} {{
    air.segment @seg args(%si=%i, %sa=%la, %sb=%lb, %sc=%lc) : index, {A}, {B}, {C} {{
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %k = arith.constant {k} : index
      %tile = arith.constant {tile} : index
      %x = arith.constant {columns} : index
      %block = arith.constant {block} : index
      %tk = arith.constant {tile * k} : index
      %off = affine.apply affine_map<()[s0] -> (s0 * {block})>()[%si]
      %a2 = memref.alloc() : {A2}
      %c2 = memref.alloc() : {C2}
      air.dma_memcpy_nd (%a2[] [] [], %sa[%c0, %off, %c0] [%x, %tile, %k] [%tk, %k, %c1]) : ({A2}, {A})
      air.herd @herd tile (%tx, %ty) in (%sx=%x, %sy=%c1) args(%ha=%a2, %hb=%sb, %hc=%c2) : {A2}, {B}, {C2}
          attributes {{link_with = "mv.o"}} {{
        %h0 = arith.constant 0 : index
        %h1 = arith.constant 1 : index
        %hk = arith.constant {k} : index
        %ht = arith.constant {tile} : index
        %hcall = arith.constant {call} : index
        %htk = arith.constant {tile * k} : index
        %icall = arith.constant {call} : i32
        %itile = arith.constant {tile} : i32
        %ik = arith.constant {k} : i32
        %b1 = memref.alloc() : {B1}
        %r1 = memref.alloc() : {C1}
        air.dma_memcpy_nd (%b1[] [] [], %hb[] [] []) : ({B1}, {B})
        func.call @zero_row(%itile, %r1) : (i32, {C1}) -> ()
        scf.for %at = %h0 to %ht step %hcall {{
          %a1 = memref.alloc() : {A1}
          air.dma_memcpy_nd (%a1[] [] [], %ha[%tx, %at, %h0] [%h1, %hcall, %hk] [%htk, %hk, %h1]) : ({A1}, {A2})
          %row = arith.index_cast %at : index to i32
          func.call @matvec_bf16(%icall, %ik, %row, %a1, %b1, %r1) : (i32, i32, i32, {A1}, {B1}, {C1}) -> ()
          memref.dealloc %a1 : {A1}
        }}
        air.dma_memcpy_nd (%hc[%tx, %h0] [%h1, %ht] [%ht, %h1], %r1[] [] []) : ({C2}, {C1})
        memref.dealloc %b1 : {B1}
        memref.dealloc %r1 : {C1}
      }}
      air.dma_memcpy_nd (%sc[%off] [%block] [%c1], %c2[] [] []) : ({C}, {C2})
      memref.dealloc %a2 : {A2}
      memref.dealloc %c2 : {C2}
    }}
  }}
  return
}}"""
