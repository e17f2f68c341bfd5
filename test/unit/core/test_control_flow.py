"""The walker against the interpreter: random nests of loops and branches, whose every step is told."""

from __future__ import annotations

import random
import re
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from allo_air import asm, interp
from allo_air.core.control_flow import Walker
from allo_air.mlir import new_context

PLAIN = ("compute", "tell")
NESTS = ("for", "if", "switch", "affine for", "affine if", "parallel", "while")

TYPES = ("memref<4096xindex>", "memref<index>")
LOG = """
func.func private @log(%value: index, %list: memref<4096xindex>, %count: memref<index>) {
  %one = arith.constant 1 : index
  %n = memref.load %count[] : memref<index>
  memref.store %value, %list[%n] : memref<4096xindex>
  %next = arith.addi %n, %one : index
  memref.store %next, %count[] : memref<index>
  return
}
"""


class Told(Walker):
    """What a program tells, in order."""

    def __init__(self) -> None:
        super().__init__()
        self.told: list[int | None] = []

    def operation(self, op: Any) -> None:
        assert op.name == "func.call", op.name
        self.told.append(self.number(op.operands[0]))


class Source:
    """Text of a random program that calls @tell with index values; `values` are those in scope."""

    def __init__(self, seed: int) -> None:
        self.random, self.lines, self.count = random.Random(seed), list[str](), 0

    def name(self) -> str:
        self.count += 1
        return f"%v{self.count}"

    def emit(self, text: str) -> str:
        name = self.name()
        self.lines.append(f"{name} = {text}")
        return name

    def pick(self, *choices: Any) -> Any:
        return self.random.choice(choices)

    def number(self, low: int = -3, high: int = 6) -> str:
        return self.emit(f"arith.constant {self.random.randint(low, high)} : index")

    def condition(self, values: list[str]) -> str:
        predicate = self.pick("eq", "slt", "sge", "ult", "uge")
        return self.emit(f"arith.cmpi {predicate}, {self.pick(*values)}, {self.pick(*values)} : index")

    def block(self, values: list[str], depth: int) -> str:
        """Some statements; returns a value of the block's end."""
        for _ in range(self.random.randint(1, 2)):
            kinds = PLAIN + NESTS if depth else PLAIN
            found = getattr(self, self.pick(*kinds).replace(" ", "_") + "_")(values, depth)
            if found:
                values = [*values, found]
        self.tell_(values, depth)
        return self.pick(*values)

    def tell_(self, values: list[str], depth: int) -> None:
        self.lines.append(f"func.call @tell({self.pick(*values)}) : (index) -> ()")

    def compute_(self, values: list[str], depth: int) -> str:
        a, b = self.pick(*values), self.pick(*values)
        if self.pick(True, False):
            return self.emit(f"affine.apply affine_map<(d0, d1) -> ((d0 * 3 - d1) mod 7)>({a}, {b})")
        small = self.emit(f"arith.index_cast {a} : index to i8")
        wide = self.emit(f"arith.{self.pick('extsi', 'extui')} {small} : i8 to i32")
        return self.emit(f"arith.index_cast {wide} : i32 to index")

    def nested(self, head: str, values: list[str], depth: int, ends: str) -> None:
        self.lines.append(head + " {")
        self.lines.append(ends.format(self.block(values, depth - 1)) + "\n}" if ends else "")

    def for_(self, values: list[str], depth: int) -> str:
        low, high, step, first = self.number(), self.number(), self.number(1, 3), self.pick(*values)
        result, i, carried = self.name(), self.name(), self.name()
        head = f"{result} = scf.for {i} = {low} to {high} step {step} iter_args({carried} = {first}) -> (index)"
        self.nested(head, [*values, i, carried], depth, "scf.yield {} : index")
        return result

    def affine_for_(self, values: list[str], depth: int) -> str:
        low, high, first = self.number(), self.number(), self.pick(*values)
        result, i, carried = self.name(), self.name(), self.name()
        bounds = f"max affine_map<(d0) -> (d0, -1)>({low}) to min affine_map<(d0) -> (d0 + 1, 4)>({high}) step 2"
        head = f"{result} = affine.for {i} = {bounds} iter_args({carried} = {first}) -> (index)"
        self.nested(head, [*values, i, carried], depth, "affine.yield {} : index")
        return result

    def if_(self, values: list[str], depth: int) -> str:
        condition, result = self.condition(values), self.name()
        self.nested(f"{result} = scf.if {condition} -> (index)", values, depth, "scf.yield {} : index")
        self.nested("else", values, depth, "scf.yield {} : index")
        return result

    def affine_if_(self, values: list[str], depth: int) -> str:
        result = self.name()
        value = self.number()
        set_ = f"affine_set<(d0)[s0] : (d0 - s0 floordiv 2 {self.pick('==', '>=')} 0, d0 + 2 >= 0)>({value})[{self.number()}]"
        self.nested(f"{result} = affine.if {set_} -> index", values, depth, "affine.yield {} : index")
        self.nested("else", values, depth, "affine.yield {} : index")
        return result

    def switch_(self, values: list[str], depth: int) -> str:
        result = self.name()
        self.lines.append(f"{result} = scf.index_switch {self.pick(*values)} -> index")
        for case in ("case 0", "case 2", "default"):
            self.nested(case, values, depth, "scf.yield {} : index")
        return result

    def parallel_(self, values: list[str], depth: int) -> str:
        low, high, step = self.number(), self.number(), self.number(1, 3)
        result, i, a, b, sum_ = (self.name() for _ in range(5))
        head = f"{result} = scf.parallel ({i}) = ({low}) to ({high}) step ({step}) init ({self.pick(*values)}) -> index"
        before, self.tell_ = self.tell_, self.compute_  # type: ignore[method-assign, assignment]
        reduction = f"^bb0({a}: index, {b}: index):\n{sum_} = arith.addi {a}, {b} : index\nscf.reduce.return {sum_} : index"
        self.nested(head, [*values, i], 1, "scf.reduce({} : index) {{\n" + reduction + "\n}}")
        self.tell_ = before  # type: ignore[method-assign]
        return result

    def while_(self, values: list[str], depth: int) -> str:
        result, n, m, one, limit = self.name(), self.name(), self.name(), self.number(1, 2), self.number()
        self.lines.append(f"{result} = scf.while ({n} = {self.number()}) : (index) -> index {{")
        going = self.emit(f"arith.cmpi slt, {n}, {limit} : index")
        self.lines.append(f"scf.condition({going}) {n} : index\n}} do {{\n^bb0({m}: index):")
        self.block([*values, m], depth - 1)
        after = self.emit(f"arith.addi {m}, {one} : index")
        self.lines.append(f"scf.yield {after} : index\n}}")
        return result


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 1 << 32))
def test_goes_the_interpreters_way(seed: int) -> None:
    source = Source(seed)
    last = source.block([source.number(), source.number()], 3)
    source.lines.append(f"func.call @tell({last}) : (index) -> ()")
    body = "\n".join(source.lines)
    with new_context():
        module = asm.read(f"func.func private @tell(index)\nfunc.func @f() {{\n{body}\nreturn\n}}")
        walked = Told()
        walked.run(module.regions[0].blocks[0].operations[1].regions[0].blocks[0])
    passed = ", ".join(f"{name}: {type_}" for name, type_ in zip(("%list", "%count"), TYPES, strict=True))
    body = re.sub(r"@tell\((%\w+)\) : \(index\)", rf"@log(\1, %list, %count) : (index, {', '.join(TYPES)})", body)
    with new_context():
        module = asm.read(f"{LOG}\nfunc.func @f({passed}) {{\n{body}\nreturn\n}}")
        told, count = interp.run(module, [np.zeros(4096, np.int64), np.zeros((), np.int64)])
    assert walked.told == list(told[: int(count)])
