"""Draws core programs that acquire, read and release objects in branches and loops, with what they must have read."""

from dataclasses import dataclass
from random import Random
from typing import Any

DEPTH = 4
READS = 400
_FIRST = 1000
"""The value of the first object; the others count on from there."""


class _Wrong(Exception):
    """The program releases what it does not hold, or is too long."""


@dataclass(frozen=True)
class Program:
    """A design's text, the objects to send, and the values that its core reads in order."""

    text: str
    objects: list[int]
    reads: list[int]


def program(seed: int) -> Program:
    """The first program from `seed` on that does nothing wrong."""
    while True:
        random_ = Random(seed)
        body, conditions = _body(random_, 3), [random_.randrange(6) for _ in range(16)]
        run = _Run(conditions)
        try:
            run.block(body, 0)
        except _Wrong:
            run.reads = []
        if len(run.reads) > 2:
            count = run.position + run.held
            dynamic = random_.random() < 0.3
            return Program(_text(body, count, conditions, dynamic), [_FIRST + i for i in range(count)], run.reads)
        seed += 1_000_003


def _body(random_: Random, depth: int) -> list[Any]:
    """A block: (kind, ...) tuples, with blocks in those that branch or loop."""
    made: list[Any] = []
    for _ in range(random_.randint(1, 4)):
        kind = random_.random()
        if kind < 0.35:
            size = random_.randint(1, DEPTH)
            made.append(("acquire", size, random_.randrange(size), random_.randrange(1 << 40)))
        elif kind < 0.6 or not depth:
            made.append(("release", random_.randint(1, 2)))
        elif kind < 0.75:
            blocks = [_body(random_, depth - 1), _body(random_, depth - 1) if random_.random() < 0.6 else []]
            made.append(("if", random_.randrange(16), blocks))
        elif kind < 0.9:
            made.append(("for", random_.randint(1, 4), random_.random() < 0.4, _body(random_, depth - 1)))
        else:
            made.append(("switch", random_.randrange(16), [_body(random_, depth - 1) for _ in range(3)]))
    return made


class _Run:
    """What a program does, step by step."""

    def __init__(self, conditions: list[int]):
        self.conditions = conditions
        self.position = self.held = self.steps = 0
        self.reads: list[int] = []

    def block(self, body: list[Any], index: int) -> None:
        for step in body:
            self.steps += 1
            if self.steps > READS // 2:
                raise _Wrong
            match step:
                case ("acquire", size, at, _):
                    self.held = max(self.held, size)
                    self.reads.append(_FIRST + self.position + at)
                case ("release", count):
                    if count > self.held:
                        raise _Wrong
                    self.held, self.position = self.held - count, self.position + count
                case ("if", number, blocks):
                    self.block(blocks[0 if self.conditions[(number + index) % 16] % 2 else 1], index)
                case ("switch", number, blocks):
                    self.block(blocks[self.conditions[(number + index) % 16] % 3], index)
                case ("for", trips, _, inner):
                    for i in range(trips):
                        self.block(inner, i)


class _Writer:
    """Writes blocks as IR; every read is stored at the next place of the result."""

    def __init__(self) -> None:
        self.values = 0

    def value(self) -> str:
        self.values += 1
        return f"%v{self.values}"

    def block(self, body: list[Any], index: str) -> list[str]:
        return [line for step in body for line in self.step(step, index)]

    def step(self, step: Any, index: str) -> list[str]:
        match step:
            case ("acquire", size, at, name):
                subview, element, value, place, here, after = f"%s{name}", *(self.value() for _ in range(5))
                return [
                    f"{subview} = aie.objectfifo.acquire @in(Consume, {size}) : !aie.objectfifosubview<memref<1xi32>>",
                    f"{element} = aie.objectfifo.subview.access {subview}[{at}]"
                    " : !aie.objectfifosubview<memref<1xi32>> -> memref<1xi32>",
                    f"{value} = memref.load {element}[%c0] : memref<1xi32>",
                    f"{place} = memref.load %count[%c0] : memref<1xi32>",
                    f"{here} = arith.index_cast {place} : i32 to index",
                    f"memref.store {value}, %reads[{here}] : memref<{READS}xi32>",
                    f"{after} = arith.addi {place}, %one : i32",
                    f"memref.store {after}, %count[%c0] : memref<1xi32>",
                ]
            case ("release", count):
                return [f"aie.objectfifo.release @in(Consume, {count})"]
            case ("if", number, blocks):
                found, lines = self.condition(number, index, "%two")
                truth = self.value()
                then, otherwise = (self.block(b, index) for b in blocks)
                lines += [f"{truth} = arith.cmpi eq, {found}, %one : i32", f"scf.if {truth} {{", *then]
                return [*lines, *(["} else {", *otherwise] if otherwise else []), "}"]
            case ("switch", number, blocks):
                found, lines = self.condition(number, index, "%three")
                case = self.value()
                lines += [f"{case} = arith.index_cast {found} : i32 to index", f"scf.index_switch {case}"]
                for i in (0, 1):
                    lines += [f"case {i} {{", *self.block(blocks[i], index), "scf.yield", "}"]
                return [*lines, "default {", *self.block(blocks[2], index), "}"]
            case ("for", trips, unknown, inner):
                bound, held, i = self.value(), self.value(), self.value()
                known = [f"{bound} = arith.constant {trips} : index"]
                told = [
                    f"{held} = memref.load %trips[%k{trips}] : memref<5xi32>",
                    f"{bound} = arith.index_cast {held} : i32 to index",
                ]
                return [
                    *(told if unknown else known),
                    f"scf.for {i} = %c0 to {bound} step %k1 {{",
                    *self.block(inner, i),
                    "}",
                ]
        raise AssertionError(step)

    def condition(self, number: int, index: str, modulus: str) -> tuple[str, list[str]]:
        own, moved, place, held, found = (self.value() for _ in range(5))
        return found, [
            f"{own} = arith.constant {number} : index",
            f"{moved} = arith.addi {own}, {index} : index",
            f"{place} = arith.remui {moved}, %c16 : index",
            f"{held} = memref.load %conditions[{place}] : memref<16xi32>",
            f"{found} = arith.remui {held}, {modulus} : i32",
        ]


def _text(body: list[Any], count: int, conditions: list[int], dynamic: bool) -> str:
    lines = "\n      ".join(_Writer().block(body, "%c0"))
    constants = "\n      ".join(f"%k{n} = arith.constant {n} : index" for n in range(1, 5))
    return f"""!reads = memref<{READS}xi32>
module {{
  aie.device(npu1_1col) {{
    %s = aie.tile(0, 0)
    %t = aie.tile(0, 2)
    %conditions = aie.buffer(%t) : memref<16xi32> = dense<{conditions}>
    %trips = aie.buffer(%t) : memref<5xi32> = dense<[0, 1, 2, 3, 4]>
    %count = aie.buffer(%t) : memref<1xi32> = dense<0>
    aie.objectfifo @in(%s, {{%t}}, [2, {DEPTH}]) : !aie.objectfifo<memref<1xi32>>
    aie.objectfifo @out(%t, {{%s}}, [1, 2]) : !aie.objectfifo<memref<{READS}xi32>>
    aie.core(%t) {{
      %c0 = arith.constant 0 : index
      {constants}
      %c16 = arith.constant 16 : index
      %all = arith.constant {READS} : index
      %zero = arith.constant 0 : i32
      %one = arith.constant 1 : i32
      %two = arith.constant 2 : i32
      %three = arith.constant 3 : i32
      %o = aie.objectfifo.acquire @out(Produce, 1) : !aie.objectfifosubview<memref<{READS}xi32>>
      %reads = aie.objectfifo.subview.access %o[0] : !aie.objectfifosubview<memref<{READS}xi32>> -> !reads
      scf.for %z = %c0 to %all step %k1 {{
        memref.store %zero, %reads[%z] : memref<{READS}xi32>
      }}
      {lines}
      aie.objectfifo.release @out(Produce, 1)
      aie.end
    }}{" {dynamic_objfifo_lowering = true}" if dynamic else ""}
    aie.runtime_sequence(%a: memref<{count}xi32>, %b: !reads) {{
      aiex.npu.dma_memcpy_nd(%b[0, 0, 0, 0][1, 1, 1, {READS}][0, 0, 0, 1])
        {{id = 0 : i64, metadata = @out, issue_token = true}} : !reads
      aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 1, {count}][0, 0, 0, 1])
        {{id = 1 : i64, metadata = @in}} : memref<{count}xi32>
      aiex.npu.dma_wait {{symbol = @out}}
    }}
  }}
}}
"""
