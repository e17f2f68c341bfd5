"""Draws segments of herds that move rows between L3, L2 and L1 with DMA copies in loops and branches, and compute on them."""

from itertools import count
from typing import Any

from hypothesis import strategies as st

WIDTH = 8
"""Elements of a row; L2 and L3 buffers are ROWS rows."""
ROWS = 16


class _Herd:
    """The body of one herd: statements on a tile of some rows; every core writes rows of its own."""

    def __init__(self, draw: Any, size: tuple[int, int], sources: list[str]) -> None:
        self.draw, self.size, self.sources, self.fresh = draw, size, sources, count()
        cores = size[0] * size[1]
        self.trips = draw(st.sampled_from([k for k in (1, 2, 3, 4) if cores * k <= ROWS]))
        self.high = draw(st.sampled_from([r for r in (1, 2) if cores * self.trips * r <= ROWS]))
        self.kind = f"memref<{self.high}x{WIDTH}xi32, 2>"

    def pick(self, *among: Any) -> Any:
        return self.draw(st.sampled_from(among))

    def row(self, *, own: bool) -> str:
        """Defines `%row`: one that no other core or iteration has, or any that fits, as it may be shared."""
        n = next(self.fresh)
        high, width, trips = self.high, self.size[1], self.trips
        if own:
            by_x, by_y, by_k, add = trips * high * width, trips * high, high, 0
        else:
            by_x, by_y, by_k = self.pick(0, 0, high), self.pick(0, 0, high), self.pick(0, 1)
            reach = by_x * (self.size[0] - 1) + by_y * (self.size[1] - 1) + by_k * (trips - 1) + high
            add = self.pick(0, 1) if reach < ROWS else 0
        if self.pick(True, False):
            where = f"s0 * {by_x} + s1 * {by_y} + d0 * {by_k} + {add}"
            return f"%r{n} = affine.apply affine_map<(d0)[s0, s1] -> ({where})>(%k)[%x, %y]"
        return f"""%fx{n} = arith.constant {by_x} : index
          %fy{n} = arith.constant {by_y} : index
          %fk{n} = arith.constant {by_k} : index
          %fa{n} = arith.constant {add} : index
          %mx{n} = arith.muli %x, %fx{n} : index
          %my{n} = arith.muli %y, %fy{n} : index
          %mk{n} = arith.muli %k, %fk{n} : index
          %sx{n} = arith.addi %mx{n}, %my{n} : index
          %sy{n} = arith.addi %sx{n}, %mk{n} : index
          %r{n} = arith.addi %sy{n}, %fa{n} : index"""

    def load(self, into: str) -> str:
        source = self.pick(*self.sources)
        space = ", 1" if source.startswith("%l2") else ""
        row = self.row(own=False)
        name = row.split(" = ")[-2].split("\n")[-1].strip() if "muli" in row else row.split(" = ")[0]
        lists = f"[{name}, %c0] [%ch, %cw] [%cw, %c1]"
        memref = f"memref<{ROWS}x{WIDTH}xi32{space}>"
        return f"{row}\nair.dma_memcpy_nd ({into}[] [] [], {source}{lists}) : ({self.kind}, {memref})"

    def store(self, target: str) -> str:
        space = ", 1" if target.startswith("%l2") else ""
        row = self.row(own=True)
        name = row.split(" = ")[-2].split("\n")[-1].strip() if "muli" in row else row.split(" = ")[0]
        lists = f"[{name}, %c0] [%ch, %cw] [%cw, %c1]"
        return f"{row}\nair.dma_memcpy_nd ({target}{lists}, %o[] [] []) : (memref<{ROWS}x{WIDTH}xi32{space}>, {self.kind})"

    def compute(self) -> str:
        n, kind = next(self.fresh), self.kind
        match self.pick("add", "fill", "loop", "if", "ids", "branch"):
            case "add":
                return f"linalg.add ins(%i, %o : {kind}, {kind}) outs(%o : {kind})"
            case "fill":
                return f"linalg.fill ins(%seven : i32) outs(%o : {kind})"
            case "loop":
                return f"""scf.for %w{n} = %c0 to %cw step %c1 {{
                  %v{n} = memref.load %i[%c0, %w{n}] : {kind}
                  %u{n} = memref.load %o[%c0, %w{n}] : {kind}
                  %s{n} = arith.muli %v{n}, %u{n} : i32
                  memref.store %s{n}, %o[%c0, %w{n}] : {kind}
                }}"""
            case "if":
                return f"""affine.if affine_set<()[s0] : (s0 == 0)>()[{self.pick("%x", "%y")}] {{
                  linalg.add ins(%i, %i : {kind}, {kind}) outs(%o : {kind})
                }} else {{
                  linalg.fill ins(%seven : i32) outs(%o : {kind})
                }}"""
            case "ids":
                return f"""%v{n} = arith.addi %x, %y : index
                  %u{n} = arith.index_cast %v{n} : index to i32
                  linalg.fill ins(%u{n} : i32) outs(%o : {kind})
                  linalg.add ins(%i, %o : {kind}, {kind}) outs(%o : {kind})"""
            case _:
                return f"""%q{n} = arith.cmpi eq, %k, %c0 : index
                scf.if %q{n} {{
                  linalg.add ins(%i, %i : {kind}, {kind}) outs(%i : {kind})
                }}"""

    def body(self, target: str) -> str:
        keeps = self.pick(True, False)
        allocs = f"%i = memref.alloc() : {self.kind}\n%o = memref.alloc() : {self.kind}"
        frees = f"memref.dealloc %i : {self.kind}\nmemref.dealloc %o : {self.kind}"
        work = [self.load("%i"), self.load("%o")]
        work += [self.compute() for _ in range(self.pick(1, 2))]
        if self.pick(True, False):
            work += [self.load("%i"), self.compute()]
        work.append(self.store(target))
        inside = "\n".join(work)
        loop = f"scf.for %k = %c0 to %ck step %c1 {{\n{'' if keeps else allocs}\n{inside}\n{'' if keeps else frees}\n}}"
        return f"""
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %ck = arith.constant {self.trips} : index
        %ch = arith.constant {self.high} : index
        %cw = arith.constant {WIDTH} : index
        %seven = arith.constant 7 : i32
        {allocs if keeps else ""}
        {loop}
        {frees if keeps else ""}"""


@st.composite
def herds(draw: Any) -> str:
    """Herds of drawn sizes one after another; each reads inputs and what earlier ones wrote, in L2 or L3."""
    l3, l2 = f"memref<{ROWS}x{WIDTH}xi32>", f"memref<{ROWS}x{WIDTH}xi32, 1>"
    sources, parts, buffers = ["%A", "%B"], [], []
    segment = draw(st.booleans())
    if segment and draw(st.booleans()):
        buffers.append("%l2in")
        parts.append(f"air.dma_memcpy_nd (%l2in[] [] [], %A[] [] []) : ({l2}, {l3})")
        sources.append("%l2in")
    for h in range(draw(st.integers(1, 2))):
        size = draw(st.tuples(st.integers(1, 3), st.integers(1, 2)))
        target = "%O"
        if segment and draw(st.booleans()):
            target = f"%l2o{h}"
            buffers.append(target)
            parts.append(f"air.dma_memcpy_nd ({target}[] [] [], %B[] [] []) : ({l2}, {l3})")
        body = _Herd(draw, size, sources).body(target)
        used = [b for b in dict.fromkeys([*sources, target]) if f"{b}[" in body]
        names = {b: f"%h{h}_{b[1:]}" if not b.startswith("%l2") else f"%l2h{h}_{b[3:]}" for b in used}
        for b, name in names.items():
            body = body.replace(f"{b}[", f"{name}[")
        types = ", ".join(l2 if b.startswith("%l2") else l3 for b in used)
        args = ", ".join(f"{n}={b}" for b, n in names.items())
        parts.append(f"""%s{h}x = arith.constant {size[0]} : index
        %s{h}y = arith.constant {size[1]} : index
        air.herd @h{h} tile (%x, %y) in (%sx=%s{h}x, %sy=%s{h}y) args({args}) : {types} {{{body}
        }}""")
        if target != "%O":
            parts.append(f"air.dma_memcpy_nd (%O[] [] [], {target}[] [] []) : ({l3}, {l2})")
            sources.append(target)
    allocs = "\n".join(f"{b} = memref.alloc() : {l2}" for b in buffers)
    frees = "\n".join(f"memref.dealloc {b} : {l2}" for b in buffers)
    inside = "\n".join([allocs, *parts, frees])
    args = "(%A=%a1, %B=%b1, %O=%o1)"
    if segment:
        inside = f"air.segment @s args(%A=%a2, %B=%b2, %O=%o2) : {l3}, {l3}, {l3} {{\n{inside}\n}}"
        args = "(%a2=%a1, %b2=%b1, %o2=%o1)"
    return f"""
    func.func @f(%a1: {l3}, %b1: {l3}, %o1: {l3}) {{
      %one = arith.constant 1 : index
      air.launch (%lx) in (%ls=%one) args{args} : {l3}, {l3}, {l3} {{
        {inside}
      }}
      return
    }}"""
