"""Draws tiled loop nests as a frontend leaves them: parallel loops, copies of views to L2 and L1, linalg leaves."""

from typing import Any

from hypothesis import strategies as st


@st.composite
def tiled(draw: Any) -> str:
    """`C = leaf(A, B, D)`: a parallel loop for the launch, one for the herd, reduction loops between and inside.

    Sizes, tiles, who is staged in L2, the form of indices and the leaves are drawn. Now and then a range is not a multiple
    of its step.
    """
    t, h = draw(st.tuples(*[st.sampled_from([2, 4])] * 2)), draw(st.tuples(*[st.integers(1, 3)] * 2))
    outer, k, kt = draw(st.tuples(*[st.integers(1, 2)] * 2)), draw(st.sampled_from([4, 8])), draw(st.sampled_from([2, 4]))
    ragged = draw(st.integers(0, 9)) == 0
    big = [t[d] * h[d] for d in (0, 1)]
    m, n = (big[d] * outer[d] for d in (0, 1))
    a_l2, b_l2, c_l2 = draw(st.tuples(*[st.booleans()] * 3))
    transposed, then_add, in_place, forall = draw(st.tuples(*[st.booleans()] * 4))
    a_from, b_from, c_to = ("%a2" if a_l2 else "%A"), ("%b2" if b_l2 else "%B"), ("%c2" if c_l2 else "%C")

    def view(name: str, of: str, shape: tuple[int, int], space: str, at: tuple[str, str], size: tuple[int, int]) -> str:
        base = f"memref<{shape[0]}x{shape[1]}xi32{space}>"
        return (
            f"%{name} = memref.subview {of}[{at[0]}, {at[1]}] [{size[0]}, {size[1]}] [1, 1]"
            f" : {base} to {layout(shape, size, space)}"
        )

    def layout(shape: tuple[int, int], size: tuple[int, int], space: str) -> str:
        return f"memref<{size[0]}x{size[1]}xi32, strided<[{shape[1]}, 1], offset: ?>{space}>"

    def staged(name: str, full: str, shape: tuple[int, int], at: tuple[str, str], size: tuple[int, int], back: bool) -> str:
        whole, one = layout(shape, size, ""), f"memref<{size[0]}x{size[1]}xi32, 1>"
        sub = view(f"v{name}", full, shape, "", at, size)
        if back:
            return f"{sub}\nmemref.copy %{name}2, %v{name} : {one} to {whole}\nmemref.dealloc %{name}2 : {one}"
        return f"%{name}2 = memref.alloc() : {one}\n{sub}\nmemref.copy %v{name}, %{name}2 : {whole} to {one}"

    a_shape = (big[0], k) if a_l2 else (m, k)
    b_full = (n, k) if transposed else (k, n)
    b_shape = ((big[1], k) if transposed else (k, big[1])) if b_l2 else b_full
    c_shape = (big[0], big[1]) if c_l2 else (m, n)
    row_a, col_b = ("%x" if a_l2 else "%ix"), ("%y" if b_l2 else "%jy")
    c_at = ("%x", "%y") if c_l2 else ("%ix", "%jy")
    space = {True: ", 1", False: ""}
    b_at, b_size = ((col_b, "%k"), (t[1], kt)) if transposed else (("%k", col_b), (kt, t[1]))
    b_view = layout(b_shape, b_size, space[b_l2])
    turned, b_ready = "", "%sb"
    if transposed:
        turn = f"memref<{kt}x{t[1]}xi32, strided<[1, {b_shape[1]}], offset: ?>{space[b_l2]}>"
        turned, b_ready = f"%tb = memref.transpose %sb (d0, d1) -> (d1, d0) : {b_view} to {turn}", "%tb"
        b_view = turn
    tile = f"memref<{t[0]}x{t[1]}xi32, 2>"
    first = f"linalg.fill ins(%zero : i32) outs(%acc : {tile})"
    if in_place:
        first = f"""{view("si", "%D", (m, n), "", ("%ix", "%jy"), t)}
          memref.copy %si, %acc : {layout((m, n), t, "")} to {tile}"""
    last = f"""linalg.generic {{indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}}
          outs(%acc : {tile}) {{
          ^bb0(%o: i32):
            %s = arith.muli %o, %o : i32
            linalg.yield %s : i32
          }}""" if then_add else ""  # fmt: skip
    a_copy = staged("a", "%A", (m, k), ("%i", "%c0"), (big[0], k), False) if a_l2 else ""
    b_size2 = (big[1], k) if transposed else (k, big[1])
    b_copy = staged("b", "%B", b_full, ("%j", "%c0") if transposed else ("%c0", "%j"), b_size2, False) if b_l2 else ""
    c_alloc = f"%c2 = memref.alloc() : memref<{big[0]}x{big[1]}xi32, 1>" if c_l2 else ""
    c_back = staged("c", "%C", (m, n), ("%i", "%j"), (big[0], big[1]), True) if c_l2 else ""
    inner = "scf.parallel (%x, %y) = (%c0, %c0) to (%h0, %h1) step (%t0, %t1) {"
    if forall:
        inner = f"scf.forall (%x, %y) = (0, 0) to ({big[0]}, {big[1]}) step ({t[0]}, {t[1]}) {{"
    a_type, b_type = f"memref<{m}x{k}xi32>", f"memref<{b_full[0]}x{b_full[1]}xi32>"
    c_type = f"memref<{m}x{n}xi32>"
    return f"""
    func.func @f(%A: {a_type}, %B: {b_type}, %D: {c_type}, %C: {c_type}) {{
      %c0 = arith.constant 0 : index
      %h0 = arith.constant {big[0]} : index
      %h1 = arith.constant {big[1]} : index
      %t0 = arith.constant {t[0]} : index
      %t1 = arith.constant {t[1]} : index
      %m = arith.constant {m - ragged} : index
      %n = arith.constant {n} : index
      %kk = arith.constant {k} : index
      %kt = arith.constant {kt} : index
      %zero = arith.constant 0 : i32
      scf.parallel (%i, %j) = (%c0, %c0) to (%m, %n) step (%h0, %h1) {{
        {a_copy}
        {b_copy}
        {c_alloc}
        {inner}
          %ix = affine.apply affine_map<(d0, d1) -> (d0 + d1)>(%i, %x)
          %jy = arith.addi %j, %y : index
          %acc = memref.alloc() : {tile}
          {first}
          scf.for %k = %c0 to %kk step %kt {{
            %la = memref.alloc() : memref<{t[0]}x{kt}xi32, 2>
            %lb = memref.alloc() : memref<{kt}x{t[1]}xi32, 2>
            {view("sa", a_from, a_shape, space[a_l2], (row_a, "%k"), (t[0], kt))}
            {view("sb", b_from, b_shape, space[b_l2], b_at, b_size)}
            {turned}
            memref.copy %sa, %la : {layout(a_shape, (t[0], kt), space[a_l2])} to memref<{t[0]}x{kt}xi32, 2>
            memref.copy {b_ready}, %lb : {b_view} to memref<{kt}x{t[1]}xi32, 2>
            linalg.matmul ins(%la, %lb : memref<{t[0]}x{kt}xi32, 2>, memref<{kt}x{t[1]}xi32, 2>) outs(%acc : {tile})
            memref.dealloc %la : memref<{t[0]}x{kt}xi32, 2>
            memref.dealloc %lb : memref<{kt}x{t[1]}xi32, 2>
          }}
          {last}
          {view("sc", c_to, c_shape, space[c_l2], c_at, t)}
          memref.copy %acc, %sc : {tile} to {layout(c_shape, t, space[c_l2])}
          memref.dealloc %acc : {tile}
        }}
        {f"memref.dealloc %a2 : memref<{big[0]}x{k}xi32, 1>" if a_l2 else ""}
        {f"memref.dealloc %b2 : memref<{b_size2[0]}x{b_size2[1]}xi32, 1>" if b_l2 else ""}
        {c_back}
      }}
      return
    }}"""
