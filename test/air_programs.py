"""Draws synchronous AIR programs without races: copies, channels, loads, stores in loops, branches, parallel instances."""

import re
from dataclasses import dataclass, field
from random import Random

SIDE = 6  # buffers are SIDE x SIDE
KIND = f"memref<{SIDE}x{SIDE}xi32, 1>"
ROW = f"memref<1x{SIDE}xi32, strided<[{SIDE}, 1], offset: ?>, 1>"
CONSTANTS = "\n".join(f"%c{n} = arith.constant {n} : index" for n in range(SIDE + 1))
CONSTANTS += "\n%z = arith.constant 0 : i32\n%one = arith.constant 1 : i32"


@dataclass(frozen=True)
class Scope:
    """The names that a block may use; `written` are the buffers that nobody else uses meanwhile, `own` those to free."""

    indices: list[str]
    buffers: list[str]
    written: list[str]
    depth: int
    is_parallel: bool = False
    own: list[str] = field(default_factory=list)

    def inner(self, *indices: str) -> "Scope":
        """The scope of a block inside, with more indices."""
        return Scope([*self.indices, *indices], [*self.buffers], [*self.written], self.depth - 1, self.is_parallel)


class Writer:
    """Writes a random program; `late`: with offsets, conditions and bounds that are loaded."""

    def __init__(self, random: Random, late: bool, channels: bool):
        self.random, self.late, self.channels = random, late, channels
        self.lines: list[str] = []
        self.fresh = 0

    def name(self, stem: str) -> str:
        self.fresh += 1
        return f"%{stem}{self.fresh}"

    def emit(self, line: str) -> None:
        self.lines.append(line)

    def tag(self) -> str:
        self.fresh += 1
        return f'tag = "{self.fresh}"'

    def block(self, s: Scope, size: int) -> None:
        if not s.written:
            self.alloc(s)
        for _ in range(self.random.randint(1, size)):
            getattr(self, self.random.choice([*SIMPLE, *(NESTED if s.depth else [])]))(s)
        for buffer in s.own:
            if self.random.random() < 0.7:
                self.emit(f"memref.dealloc {buffer} : {KIND}")

    def alloc(self, s: Scope) -> None:
        buffer = self.name("m")
        self.emit(f"{buffer} = memref.alloc() : {KIND}")
        self.emit(f"linalg.fill {{{self.tag()}}} ins(%one : i32) outs({buffer} : {KIND})")
        for names in (s.buffers, s.written, s.own):
            names.append(buffer)

    def index(self, indices: list[str], below: int) -> str:
        """An index in 0 to 3 below `below`, which is at least 3: a constant, a loop variable, or one moved by a constant."""
        choice = self.random.random()
        if choice < 0.5 or not indices:
            return f"%c{self.random.randint(0, below - 1)}"
        moved = self.random.choice(indices)
        if choice < 0.8 or below < 4:
            return moved
        made = self.name("a")
        self.emit(f"{made} = affine.apply affine_map<(d0) -> (d0 + 1)>({moved})")
        return made

    def sizes(self) -> list[int]:
        """A tile's; none for all of a buffer."""
        return [] if self.random.random() < 0.15 else [self.random.choice([1, 2]) for _ in range(2)]

    def tile(self, indices: list[str], sizes: list[int]) -> str:
        if not sizes:
            return "[] [] []"
        offsets = [self.index(indices, SIDE - n + 1) for n in sizes]
        return f"[{offsets[0]}, {offsets[1]}] [%c{sizes[0]}, %c{sizes[1]}] [%c{SIDE}, %c1]"

    def dma(self, s: Scope) -> None:
        into, out, sizes = self.random.choice(s.written), self.random.choice(s.buffers), self.sizes()
        there, here = self.tile(s.indices, sizes), self.tile(s.indices, sizes)
        if self.random.random() < 0.5:
            here = there
        self.emit(f"air.dma_memcpy_nd ({into}{there}, {out}{here}) {{{self.tag()}}} : ({KIND}, {KIND})")

    def put(self, s: Scope) -> None:
        if s.is_parallel or not self.channels:  # instances would put in any order
            return
        way, at = self.random.choice(["put", "get"]), self.random.choice(["", "", "%c0", "%c1"])
        buffer, tile = self.random.choice(s.buffers if way == "put" else s.written), self.tile(s.indices, self.sizes())
        self.emit(f"air.channel.{way} @{way}{len(at) // 3}[{at}] ({buffer}{tile}) {{{self.tag()}}} : ({KIND})")

    def fill(self, s: Scope) -> None:
        buffer = self.random.choice(s.written)
        if self.random.random() < 0.4:
            self.emit(f"linalg.fill {{{self.tag()}}} ins(%z : i32) outs({buffer} : {KIND})")
        else:
            self.fill_row(buffer, self.index(s.indices, SIDE))

    def fill_row(self, buffer: str, row: str) -> None:
        view = self.name("v")
        self.emit(f"{view} = memref.subview {buffer}[{row}, 0] [1, {SIDE}] [1, 1] : {KIND} to {ROW}")
        self.emit(f"linalg.fill {{{self.tag()}}} ins(%z : i32) outs({view} : {ROW})")

    def copy(self, s: Scope) -> None:
        source, target = self.random.choice(s.buffers), self.random.choice(s.written)
        self.emit(f"linalg.copy {{{self.tag()}}} ins({source} : {KIND}) outs({target} : {KIND})")

    def load(self, s: Scope) -> None:
        if self.late:
            at = self.index(s.indices, SIDE), self.index(s.indices, SIDE)
            s.indices.append(self.loaded(s, f"{at[0]}, {at[1]}"))

    def loaded(self, s: Scope, at: str) -> str:
        """An index, 0 or 1, that a buffer holds."""
        value, bit, index = self.name("l"), self.name("l"), self.name("x")
        self.emit(f"{value} = memref.load {self.random.choice(s.buffers)}[{at}] {{{self.tag()}}} : {KIND}")
        self.emit(f"{bit} = arith.andi {value}, %one : i32")
        self.emit(f"{index} = arith.index_cast {bit} : i32 to index")
        return index

    def store(self, s: Scope) -> None:
        at = self.index(s.indices, SIDE), self.index(s.indices, SIDE)
        self.emit(f"memref.store %z, {self.random.choice(s.written)}[{at[0]}, {at[1]}] {{{self.tag()}}} : {KIND}")

    def loop(self, s: Scope) -> None:
        if self.late and self.random.random() < 0.3:
            self.counting_loop(s)
            return
        iv, upper = self.name("i"), self.random.choice(["%c2", "%c2", "%c3", *s.indices])
        self.emit(f"scf.for {iv} = %c0 to {upper} step %c1 {{")
        self.block(s.inner(iv), 4)
        self.emit("}")

    def counting_loop(self, s: Scope) -> None:
        """A loop that carries a number which it loads again in each iteration."""
        iv, carried, result, moved = self.name("i"), self.name("n"), self.name("r"), self.name("x")
        self.emit(f"{result} = scf.for {iv} = %c0 to %c2 step %c1 iter_args({carried} = %c1) -> (index) {{")
        self.block(s.inner(iv, carried), 3)
        self.emit(f"{moved} = arith.muli {self.loaded(s, f'%c0, {carried}')}, %c1 : index")
        self.emit(f"scf.yield {moved} : index")
        self.emit("}")
        s.indices.append(result)

    def instances(self, s: Scope, indices: list[str], names: dict[str, str]) -> None:
        """The body of instances beside each other: they share what they read, and a buffer of which each writes a row.

        The last of `indices` tells them apart; `names` are what they call the buffers.
        """
        shared = self.random.choice([*s.written, ""])
        buffers = [names[b] for b in s.buffers if b != shared]
        self.block(Scope([*indices], buffers, [], s.depth - 1, True), 3)
        if shared:
            self.fill_row(names[shared], indices[-1])

    def parallel(self, s: Scope) -> None:
        iv = self.name("p")
        if self.random.random() < 0.2:
            self.emit(f"scf.forall ({iv}) in (2) {{")
        else:
            self.emit(f"scf.parallel ({iv}) = (%c0) to (%c2) step (%c1) {{")
        self.instances(s, [*s.indices, iv], {b: b for b in s.buffers})
        self.emit("}")

    def branch(self, s: Scope) -> None:
        condition = "%yes"
        if s.indices and self.random.random() < 0.5:
            condition = self.name("b")
            self.emit(f"{condition} = arith.cmpi eq, {self.random.choice(s.indices)}, %c1 : index")
        self.emit(f"scf.if {condition} {{")
        self.block(s.inner(), 3)
        if self.random.random() < 0.5:
            self.emit("} else {")
            self.block(s.inner(), 3)
        self.emit("}")

    def switch(self, s: Scope) -> None:
        self.emit(f"scf.index_switch {self.random.choice([*s.indices, '%c1'])}")
        for label in ("case 0", "case 1", "default"):
            self.emit(f"{label} {{")
            self.block(s.inner(), 2)
            self.emit("scf.yield\n}")

    def segment(self, s: Scope) -> None:
        names = {b: self.name("h") for b in s.buffers}
        x, y, sx, sy = (self.name("g") + "_" for _ in range(4))
        passed, kinds = ", ".join(f"{h}={b}" for b, h in names.items()), ", ".join([KIND] * len(names))
        self.emit(f"air.segment unroll ({x}, {y}) in ({sx}=%c2, {sy}=%c1) args({passed}) : {kinds} {{")
        first = len(self.lines)
        self.emit(CONSTANTS + "\n%yes = arith.constant true")
        self.instances(s, [x], names)
        self.lines[first:] = [re.sub(r"%(c\d|z|one|yes)\b", rf"{x}\1", line) for line in self.lines[first:]]
        self.emit("}")


SIMPLE = ["alloc", "dma", "dma", "dma", "put", "fill", "copy", "load", "store"]
NESTED = ["loop", "loop", "loop", "parallel", "branch", "switch", "segment"]


def program(seed: int, *, late: bool = False, channels: bool = True) -> str:
    """A function on three buffers and a condition; `late`: with offsets, conditions and bounds that are loaded."""
    writer, buffers = Writer(Random(seed), late, channels), ["%x", "%y", "%w"]
    writer.block(Scope([], [*buffers], [*buffers], 3), 7)
    arguments = ", ".join(f"{n}: {KIND}" for n in buffers)
    head = "\n".join(f"air.channel @{way}{n} [{n + 1}]" for way in ("put", "get") for n in (0, 1))
    return f"{head}\nfunc.func @f({arguments}, %yes: i1) {{\n{CONSTANTS}\n" + "\n".join(writer.lines) + "\nreturn\n}"
