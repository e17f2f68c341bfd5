"""Random programs keep every order that can be told apart when they become asynchronous."""

import re
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from allo_air import asm
from allo_air.passes.canonical.canonicalize import Canonicalize
from allo_air.passes.schedule.air_dependency import AirDependency
from allo_air.passes.schedule.air_dependency_canonicalize import AirDependencyCanonicalize

SIDE = 6  # buffers are SIDE x SIDE
KIND = f"memref<{SIDE}x{SIDE}xi32, 1>"
CONSTANTS = "\n".join(f"%c{n} = arith.constant {n} : index" for n in range(SIDE + 1)) + "\n%z = arith.constant 0 : i32"


class Writer:
    """Writes a random program; `indices` and `buffers` are the names that may be used, `depth` bounds the nesting."""

    def __init__(self, random: Random, late: bool):
        self.random, self.late = random, late
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

    def block(self, indices: list[str], buffers: list[str], depth: int, size: int) -> None:
        indices, buffers = list(indices), list(buffers)
        own: list[str] = []
        for _ in range(self.random.randint(1, size)):
            kind = self.random.choice([*SIMPLE, *(NESTED if depth else [])])
            getattr(self, kind)(indices, buffers, own, depth)
        for buffer in own:
            if self.random.random() < 0.7:
                self.emit(f"memref.dealloc {buffer} : {KIND}")

    def alloc(self, indices: list[str], buffers: list[str], own: list[str], depth: int) -> None:
        buffer = self.name("m")
        self.emit(f"{buffer} = memref.alloc() : {KIND}")
        buffers.append(buffer)
        own.append(buffer)

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

    def tile(self, indices: list[str]) -> str:
        if self.random.random() < 0.15:
            return "[] [] []"
        sizes = [self.random.choice([1, 2]) for _ in range(2)]
        offsets = [self.index(indices, SIDE - n + 1) for n in sizes]
        return f"[{offsets[0]}, {offsets[1]}] [%c{sizes[0]}, %c{sizes[1]}] [%c{SIDE}, %c1]"

    def dma(self, indices: list[str], buffers: list[str], own: list[str], depth: int) -> None:
        into, out = self.random.choice(buffers), self.random.choice(buffers)
        there, here = self.tile(indices), self.tile(indices)
        if self.random.random() < 0.5:
            here = there
        if (there == "[] [] []") != (here == "[] [] []"):
            here = there
        self.emit(f"air.dma_memcpy_nd ({into}{there}, {out}{here}) {{{self.tag()}}} : ({KIND}, {KIND})")

    def put(self, indices: list[str], buffers: list[str], own: list[str], depth: int) -> None:
        way, at = self.random.choice(["put", "get"]), self.random.choice(["", "", "%c0", "%c1"])
        channel = "@d" if at else "@c"
        buffer, tile = self.random.choice(buffers), self.tile(indices)
        self.emit(f"air.channel.{way} {channel}[{at}] ({buffer}{tile}) {{{self.tag()}}} : ({KIND})")

    def fill(self, indices: list[str], buffers: list[str], own: list[str], depth: int) -> None:
        buffer = self.random.choice(buffers)
        if self.random.random() < 0.4:
            self.emit(f"linalg.fill {{{self.tag()}}} ins(%z : i32) outs({buffer} : {KIND})")
            return
        row, kind = self.index(indices, SIDE), f"memref<1x{SIDE}xi32, strided<[{SIDE}, 1], offset: ?>, 1>"
        view = self.name("v")
        self.emit(f"{view} = memref.subview {buffer}[{row}, 0] [1, {SIDE}] [1, 1] : {KIND} to {kind}")
        self.emit(f"linalg.fill {{{self.tag()}}} ins(%z : i32) outs({view} : {kind})")

    def copy(self, indices: list[str], buffers: list[str], own: list[str], depth: int) -> None:
        source, target = self.random.choice(buffers), self.random.choice(buffers)
        self.emit(f"linalg.copy {{{self.tag()}}} ins({source} : {KIND}) outs({target} : {KIND})")

    def load(self, indices: list[str], buffers: list[str], own: list[str], depth: int) -> None:
        if not self.late:
            return
        value, index = self.name("l"), self.name("x")
        at = self.index(indices, SIDE), self.index(indices, SIDE)
        self.emit(f"{value} = memref.load {self.random.choice(buffers)}[{at[0]}, {at[1]}] {{{self.tag()}}} : {KIND}")
        self.emit(f"{index} = arith.index_cast {value} : i32 to index")
        indices.append(index)

    def store(self, indices: list[str], buffers: list[str], own: list[str], depth: int) -> None:
        at = self.index(indices, SIDE), self.index(indices, SIDE)
        self.emit(f"memref.store %z, {self.random.choice(buffers)}[{at[0]}, {at[1]}] {{{self.tag()}}} : {KIND}")

    def loop(self, indices: list[str], buffers: list[str], own: list[str], depth: int) -> None:
        iv, upper = self.name("i"), self.random.choice(["%c2", "%c2", "%c3", *indices])
        if self.late and self.random.random() < 0.3:
            self.counting_loop(indices, buffers, depth)
            return
        self.emit(f"scf.for {iv} = %c0 to {upper} step %c1 {{")
        self.block([*indices, iv], buffers, depth - 1, 4)
        self.emit("}")

    def counting_loop(self, indices: list[str], buffers: list[str], depth: int) -> None:
        """A loop that carries a number which it loads anew in each iteration."""
        iv, carried, result, value = self.name("i"), self.name("n"), self.name("r"), self.name("l")
        index, moved = self.name("x"), self.name("x")
        self.emit(f"{result} = scf.for {iv} = %c0 to %c2 step %c1 iter_args({carried} = %c1) -> (index) {{")
        self.block([*indices, iv, carried], buffers, depth - 1, 3)
        self.emit(f"{value} = memref.load {self.random.choice(buffers)}[%c0, {carried}] {{{self.tag()}}} : {KIND}")
        self.emit(f"{index} = arith.index_cast {value} : i32 to index")
        self.emit(f"{moved} = arith.muli {index}, %c1 : index")
        self.emit(f"scf.yield {moved} : index")
        self.emit("}")
        indices.append(result)

    def parallel(self, indices: list[str], buffers: list[str], own: list[str], depth: int) -> None:
        iv = self.name("p")
        if self.random.random() < 0.2:
            self.emit(f"scf.forall ({iv}) in (2) {{")
        else:
            self.emit(f"scf.parallel ({iv}) = (%c0) to (%c2) step (%c1) {{")
        self.block([*indices, iv], buffers, depth - 1, 3)
        self.emit("}")

    def branch(self, indices: list[str], buffers: list[str], own: list[str], depth: int) -> None:
        condition = "%yes"
        if indices and self.random.random() < 0.5:
            condition = self.name("b")
            self.emit(f"{condition} = arith.cmpi eq, {self.random.choice(indices)}, %c1 : index")
        self.emit(f"scf.if {condition} {{")
        self.block(indices, buffers, depth - 1, 3)
        if self.random.random() < 0.5:
            self.emit("} else {")
            self.block(indices, buffers, depth - 1, 3)
        self.emit("}")

    def switch(self, indices: list[str], buffers: list[str], own: list[str], depth: int) -> None:
        self.emit(f"scf.index_switch {self.random.choice([*indices, '%c1'])}")
        for label in ("case 0", "case 1", "default"):
            self.emit(f"{label} {{")
            self.block(indices, buffers, depth - 1, 2)
            self.emit("scf.yield\n}")

    def herd(self, indices: list[str], buffers: list[str], own: list[str], depth: int) -> None:
        inside = [self.name("h") for _ in buffers]
        x, y, sx, sy = (self.name("g") + "_" for _ in range(4))
        passed = ", ".join(f"{h}={b}" for h, b in zip(inside, buffers, strict=True))
        kinds = ", ".join([KIND] * len(buffers))
        self.emit(f"air.segment unroll ({x}, {y}) in ({sx}=%c2, {sy}=%c1) args({passed}) : {kinds} {{")
        first = len(self.lines)
        self.emit(CONSTANTS + "\n%yes = arith.constant true")
        self.block([x], inside, depth - 1, 4)
        self.lines[first:] = [re.sub(r"%(c\d|z|yes)\b", rf"{x}\1", line) for line in self.lines[first:]]
        self.emit("}")


SIMPLE = ["alloc", "dma", "dma", "dma", "put", "fill", "copy", "load", "store"]
NESTED = ["loop", "loop", "loop", "parallel", "branch", "switch", "herd"]


def program(seed: int, late: bool) -> str:
    """A function on three buffers; `late`: with offsets, conditions and bounds that are loaded."""
    writer = Writer(Random(seed), late)
    writer.block([], ["%x", "%y", "%w"], 3, 7)
    arguments = ", ".join(f"{n}: {KIND}" for n in ("%x", "%y", "%w"))
    head = f"air.channel @c []\nair.channel @d [2]\nfunc.func @f({arguments}, %yes: i1) {{\n{CONSTANTS}\n"
    return head + "\n".join(writer.lines) + "\nreturn\n}"


def tags(text: str) -> list[str]:
    return re.findall(r'tag = "(\d+)"', text)


@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(0, 2**32), st.booleans())
@pytest.mark.usefixtures("context")
def test_no_order_is_lost(lost, seed, late):
    text = program(seed, late)
    module = asm.read(text)
    AirDependency().run(module)
    asm.verify(module)
    once = asm.write(module)
    assert tags(once) == tags(text), "an operation was lost or moved"
    assert lost(module) == []
    AirDependency().run(module)
    assert asm.write(module) == once
    for step in (AirDependencyCanonicalize(), Canonicalize(), AirDependencyCanonicalize()):
        step.run(module)
        asm.verify(module)
        assert lost(module) == [], step.name
