"""Random control programs: every channel moves what the loops say, in that order, within the hardware's limits."""

from __future__ import annotations

import random
from typing import Any

import pytest

from allo_air import asm
from allo_air.core.contexts import reused_context
from allo_air.errors import AlloAirError
from allo_air.passes.runtime.airrt_to_npu import AirrtToNpu
from allo_air.target.npu_sequence import sequence_words
from helpers import in_turns, one_in

from .moves import control_moves, sequence_moves

CHANNELS = [("a0", "MM2S", 0, 0), ("a1", "MM2S", 0, 1), ("b0", "MM2S", 1, 0), ("o0", "S2MM", 0, 0), ("o1", "S2MM", 1, 1)]
TYPES = {"i32": 1, "bf16": 2, "i8": 4}


class Program:
    """One random program as text."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.type = self.random.choice(list(TYPES))
        self.unit = TYPES[self.type]
        self.lines: list[str] = []
        self.names = 0
        self.loops: list[str] = []
        for _ in range(self.random.randint(1, 2)):
            self.block(self.random.randint(1, 3))

    def fresh(self, prefix: str) -> str:
        self.names += 1
        return f"%{prefix}{self.names}"

    def constant(self, value: int, type_: str = "i64") -> str:
        name = self.fresh("c")
        self.lines.append(f"{name} = arith.constant {value} : {type_}")
        return name

    def block(self, depth: int) -> None:
        for _ in range(self.random.randint(1, 2)):
            if depth and self.random.random() < 0.75:
                self.loop(depth)
            else:
                self.transfer()

    def loop(self, depth: int) -> None:
        iv = self.fresh("i")
        trips, step, low = self.random.choice([0, 1, 2, 3, 5]), self.random.choice([1, 2]), self.random.choice([0, 1])
        if self.random.random() < 0.5:
            self.lines.append(f"affine.for {iv} = {low} to {low + trips * step} step {step} {{")
        else:
            lower, upper, by = (self.constant(v, "index") for v in (low, low + trips * step, step))
            self.lines.append(f"scf.for {iv} = {lower} to {upper} step {by} {{")
        self.loops.append(iv)
        self.block(depth - 1)
        self.loops.pop()
        self.lines.append("}")

    def offset(self) -> str:
        """A sum of multiples of the loops around, sometimes with a remainder, which is not linear."""
        sum_ = self.constant(self.unit * self.random.randint(0, 8), "index")
        for iv in self.loops:
            factor = self.constant(self.unit * self.random.choice([0, 0, 1, 8, 32, 100]), "index")
            value = iv
            if self.random.random() < 0.15:
                value = self.fresh("r")
                self.lines.append(f"{value} = arith.remsi {iv}, {self.constant(2, 'index')} : index")
            scaled, added = self.fresh("m"), self.fresh("s")
            self.lines.append(f"{scaled} = arith.muli {value}, {factor} : index")
            self.lines.append(f"{added} = arith.addi {sum_}, {scaled} : index")
            sum_ = added
        cast = self.fresh("o")
        self.lines.append(f"{cast} = arith.index_cast {sum_} : index to i64")
        return cast

    def transfer(self) -> None:
        channel, *_ = self.random.choice(CHANNELS)
        sizes = [self.random.choice([1, 1, 2, 3]) for _ in range(3)] + [self.unit * self.random.choice([1, 4, 8])]
        strides = [self.unit * self.random.choice([0, 4, 8, 64]) for _ in range(3)] + [1]
        zero = self.constant(0)
        lists = [[zero, zero, zero, self.offset()], [self.constant(n) for n in sizes], [self.constant(s) for s in strides]]
        text = ", ".join(f"[{', '.join(names)}]" for names in lists)
        id_, event = self.constant(1, "i32"), self.fresh("e")
        quad = "[i64, i64, i64, i64]"
        self.lines.append(
            f"{event} = airrt.dma_memcpy_nd({id_}, {zero}, {zero}, %arg{text.replace('[', '[', 1)}) {{metadata = @{channel}}}"
            f" : (i32, i64, i64, memref<8192x{self.type}>, {quad}, {quad}, {quad}) : !airrt.event"
        )
        if self.random.random() < 0.1:
            self.lines.append(f"airrt.wait_all {event}")

    def text(self) -> str:
        allocations = "\n".join(f"aie.shim_dma_allocation @{n}(%t{c}, {d}, {k})" for n, d, c, k in CHANNELS)
        body = "\n".join(self.lines)
        return f"""aie.device(npu1) @d {{
%t0 = aie.tile(0, 0)
%t1 = aie.tile(1, 0)
{allocations}
}}
func.func @f(%arg: memref<8192x{self.type}>) {{
{body}
return
}}"""


@pytest.mark.parametrize(("seed", "form"), in_turns(range(60), ("tasks", "dma-memcpy")))
def test_transfers_stay_what_they_are(seed: int, form: Any) -> None:
    with reused_context():
        module = asm.read(Program(seed).text(), "input.mlir")
        wanted = control_moves(module)
        AirrtToNpu(form=form, order="planned").run(module.operation)
        if not wanted:
            return
        assert sequence_moves(module) == wanted
        assert sequence_words(module)


@pytest.mark.parametrize("seed", one_in(3, range(60)))
def test_the_written_order_moves_the_same(seed: int) -> None:
    with reused_context():
        module = asm.read(Program(seed).text(), "input.mlir")
        wanted = control_moves(module)
        AirrtToNpu(unroll_loops=True).run(module.operation)
        assert sequence_moves(module, most=1000) == wanted


def test_the_generator_reaches_waits_in_the_middle_and_many_tasks() -> None:
    found = []
    for seed in range(60):
        with reused_context():
            module = asm.read(Program(seed).text(), "input.mlir")
            AirrtToNpu(order="planned").run(module.operation)
            text = str(module)
            found.append((text.count("dma_await_task"), text.count("dma_start_task")))
    assert max(starts for _, starts in found) > 16
    assert sum(awaits > 4 for awaits, _ in found) > 5


def test_what_the_program_reads_must_be_inside() -> None:
    text = Program(1).text().replace("8192x", "4x")
    with reused_context(), pytest.raises(AlloAirError, match="which has 4"):
        AirrtToNpu(order="planned").run(asm.read(text, "input.mlir").operation)
