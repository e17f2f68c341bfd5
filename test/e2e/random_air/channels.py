"""Draws programs of channels: bundles and broadcasts from L3, over L2 or not, to herds and back, in chunks that differ."""

from typing import Any

from hypothesis import strategies as st

WIDTH = 12


@st.composite
def channels(draw: Any) -> str:
    """Each core adds up what comes over a broadcast and over a channel of its own, and sends it back."""
    h = draw(st.tuples(st.integers(1, 3), st.integers(1, 3)))
    by = draw(st.tuples(st.booleans(), st.booleans()))
    size = tuple(1 if by[d] else h[d] for d in (0, 1))
    put, get, trips = draw(st.sampled_from([2, 3, 4, 6, 12])), draw(st.sampled_from([2, 3, 4, 6, 12])), draw(st.integers(1, 3))
    relay, keeps = draw(st.booleans()), draw(st.booleans())
    broadcast = f" {{broadcast_shape = [{h[0]}, {h[1]}]}}" if size != h else ""
    source = f"memref<{size[0]}x{size[1]}x{WIDTH * trips}xi32>"
    own = f"memref<{h[0]}x{h[1]}x{WIDTH * trips}xi32>"
    tile, total = f"memref<{get}xi32, 2>", WIDTH * trips

    def walk(op: str, channel: str, memref: str, type_: str, counts: tuple[int, ...], chunk: int, name: str) -> str:
        """All columns in chunks, each for all channels of the bundle, so that no core waits long for another."""
        zero, one = ("%s0", "%s1") if name in "gp" else ("%c0", "%c1")
        lists = f"[%i, %j, %k] [{one}, {one}, %{name}s] [%{name}a, %{name}b, {one}]"
        ends = (f"%{name}n0", f"%{name}n1")
        body = f"air.channel.{op} @{channel}[%i, %j] ({memref}{lists}) : ({type_})"
        # An index of a channel is not an iteration of an scf.for (a rule of mlir-air's).
        loops = f"scf.parallel (%i, %j) = ({zero}, {zero}) to ({', '.join(ends)}) step ({one}, {one}) {{\n{body}\n}}"
        return f"""%{name}t = arith.constant {total} : index
        %{name}s = arith.constant {chunk} : index
        %{name}a = arith.constant {counts[1] * total} : index
        %{name}b = arith.constant {total} : index
        {ends[0]} = arith.constant {counts[0]} : index
        {ends[1]} = arith.constant {counts[1]} : index
        scf.for %k = {zero} to %{name}t step %{name}s {{
          {loops}
        }}"""

    first, chunk = ("l3b", put) if relay else ("b", get)  # channels hold one message: only L2 makes chunks of another size fit
    hop = release = ""
    if relay:
        l2 = source.replace("xi32>", "xi32, 1>")
        # One buffer holds all of it, so that the orders of the two sides need not agree.
        release = f"memref.dealloc %m : {l2}"  # not before the herd: it waits for what the herd takes
        hop = f"""%m = memref.alloc() : {l2}
        {walk("get", "l3b", "%m", l2, size, put, "g")}
        {walk("put", "b", "%m", l2, size, get, "p")}"""
    allocs = f"%p = memref.alloc() : {tile}\n%q = memref.alloc() : {tile}"
    frees = f"memref.dealloc %p : {tile}\nmemref.dealloc %q : {tile}"
    extra = f"air.channel @l3b [{size[0]}, {size[1]}]" if relay else ""
    return f"""
    {extra}
    air.channel @b [{size[0]}, {size[1]}]{broadcast}
    air.channel @own [{h[0]}, {h[1]}]
    air.channel @out [{h[0]}, {h[1]}]
    func.func @f(%host_a: {source}, %host_b: {own}, %host_o: {own}) {{
      %one = arith.constant 1 : index
      air.launch (%lx) in (%ls=%one) args(%A=%host_a, %B=%host_b, %O=%host_o) : {source}, {own}, {own} {{
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        {walk("put", first, "%A", source, size, chunk, "a")}
        {walk("put", "own", "%B", own, h, get, "b")}
        {walk("get", "out", "%O", own, h, get, "o")}
        air.segment @s {{
          %s0 = arith.constant 0 : index
          %s1 = arith.constant 1 : index
          {hop}
          %h0 = arith.constant {h[0]} : index
          %h1 = arith.constant {h[1]} : index
          air.herd @h tile (%x, %y) in (%sx=%h0, %sy=%h1) {{
            %z = arith.constant 0 : index
            %ct = arith.constant {total} : index
            %cg = arith.constant {get} : index
            {allocs if keeps else ""}
            scf.for %k = %z to %ct step %cg {{
              {"" if keeps else allocs}
              air.channel.get @b[%x, %y] (%p[] [] []) : ({tile})
              air.channel.get @own[%x, %y] (%q[] [] []) : ({tile})
              linalg.add ins(%p, %q : {tile}, {tile}) outs(%q : {tile})
              air.channel.put @out[%x, %y] (%q[] [] []) : ({tile})
              {"" if keeps else frees}
            }}
            {frees if keeps else ""}
          }}
          {release}
        }}
      }}
      return
    }}"""
