"""Correct designs, broken in one place by rule: what then computes wrong numbers is found, and what is found is a real defect.

Left out are changes after which the design is another legal one: values, offsets inside a buffer, and flows swapped among
equals. A mutant that is not found must give the right numbers: then the change made no difference.
"""

import random
import re
from collections import Counter
from collections.abc import Iterator
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from allo_air import asm
from allo_air.core.contexts import reused_context
from allo_air.errors import AlloAirError
from allo_air.mlir import ir
from allo_air.program.run.object_fifos import lower_object_fifos
from allo_air.sim.report_types import SimulationError
from allo_air.sim.simulate import simulate

HERE = Path(__file__).parent


def sibling(name: str) -> Any:
    """The module of another test file of this folder."""
    spec = spec_from_file_location(f"mutants_{name}", HERE / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


CASES = {"designs": sibling("test_designs"), "foreign": sibling("test_foreign")}
CHOSEN = {
    "designs": ["add_one", "cascade", "neighbour", "tasks", "external_kernel", "split_join"],
    "foreign": ["objfifo_add_one", "raw_writes", "four_directions", "semaphores", "streams", "conv_window", "softmax_rows"],
}
MOST = 24
"""Mutants of a design that are run, drawn with a fixed seed."""

Mutant = tuple[str, int, str | None]
"""What was done, the index of the line, and the new line, or None where it is dropped."""


def lock_use(line: str) -> Iterator[tuple[str, str | None]]:
    """A lock operation is missing, counts one too many, or goes the other way."""
    if found := re.search(r"use_lock\((%[\w]+), (\w+)(?:, (\d+))?\)", line):
        lock, action, value = found[1], found[2], int(found[3] or 1)
        other = "AcquireGreaterEqual" if action == "Release" else "Release"
        yield f"{action} dropped", None
        yield f"{action} of one more", line.replace(found[0], f"use_lock({lock}, {action}, {value + 1})")
        yield f"{action} turned", line.replace(found[0], f"use_lock({lock}, {other}, {value})")


def lock_value(line: str) -> Iterator[tuple[str, str | None]]:
    """A lock begins with one too many or too few."""
    if found := re.search(r"aie\.lock\(.*init = (\d+)", line):
        for step in (1, -1):
            if int(found[1]) + step >= 0:
                changed = found[0][: -len(found[1])] + str(int(found[1]) + step)
                yield f"initial value {step:+}", line.replace(found[0], changed)


def length(line: str) -> Iterator[tuple[str, str | None]]:
    """A BD moves a word or two more or less, or begins after its buffer."""
    if found := re.search(r"dma_bd\((%(?!arg)\w+) : memref<([^>]*)>, (\d+), (\d+)\)", line):
        buffer, kind, offset, count = found[1], found[2], int(found[3]), int(found[4])
        sizes = [int(n) for n in kind.split("x")[:-1]]
        for new_offset, new in ((offset, count - 4), (offset, count + 4), (offset + int(np.prod(sizes)), count)):
            if new > 0 and not (new > count and offset + new <= np.prod(sizes)):
                yield (
                    f"BD at {new_offset} of length {new}",
                    line.replace(found[0], f"dma_bd({buffer} : memref<{kind}>, {new_offset}, {new})"),
                )


def flow(line: str) -> Iterator[tuple[str, str | None]]:
    """A flow is missing, or ends at the other channel."""
    if found := re.search(r"aie\.flow\(.*: (\d+)\)", line):
        yield "flow dropped", None
        yield "flow turned", line.replace(found[0], found[0][: -len(found[1]) - 1] + f"{1 - int(found[1]) % 2})")


def control(line: str) -> Iterator[tuple[str, str | None]]:
    """A wait, a transfer, a start or a cascade put is missing, or a transfer is too short."""
    for name in ("dma_wait", "npu.sync", "dma_await_task", "dma_memcpy_nd", "dma_start_task(", "put_cascade", "set_lock"):
        if name in line:
            yield f"{name} dropped", None
    if found := re.search(r"\]\[(\d+), (\d+), (\d+), (\d+)\]\[", line):
        shorter = int(found[4]) - 4
        if shorter > 0:
            yield "transfer shorter", line.replace(found[0], f"][{found[1]}, {found[2]}, {found[3]}, {shorter}][")


def program(line: str) -> Iterator[tuple[str, str | None]]:
    """A chain of BDs ends too early, a channel or its direction is another, a task runs once more or less."""
    if found := re.search(r"aie\.next_bd \^\w+", line):
        yield "next_bd dropped", line.replace(found[0], "aie.end")
    if found := re.search(r"dma_start\((S2MM|MM2S), (\d+)", line):
        other = {"S2MM": "MM2S", "MM2S": "S2MM"}[found[1]]
        yield "channel turned", line.replace(found[0], f"dma_start({found[1]}, {1 - int(found[2]) % 2}")
        yield "direction turned", line.replace(found[0], f"dma_start({other}, {found[2]}")
    if found := re.search(r"repeat_count = (\d+)", line):
        for step in (1, -1):
            if int(found[1]) + step >= 0:
                yield f"repeat {step:+}", line.replace(found[0], f"repeat_count = {int(found[1]) + step}")


def transfer(line: str) -> Iterator[tuple[str, str | None]]:
    """A transfer has another's BD, no token, or leaves its buffer; a stream operation or an initial value is missing."""
    if found := re.search(r"\bid = (\d+) : i64", line):
        yield "BD id changed", line.replace(found[0], f"id = {int(found[1]) ^ 1} : i64")
    if "issue_token = true" in line:
        yield "no token", re.sub(r",? ?issue_token = true,? ?", "", line)
    if found := re.search(r"(dma_memcpy_nd\(%\w+\[\d+, \d+, \d+, )(\d+)\]", line):
        yield "transfer after the buffer", line.replace(found[0], f"{found[1]}{int(found[2]) + 100000}]")
    if found := re.search(r"(aie\.buffer\(.*: memref<[^>]*>) = dense.*", line):
        yield "initial value dropped", line.replace(found[0], found[1])
    for name in ("put_stream", "packet_dest", "cascade_flow"):
        if name in line:
            yield f"{name} dropped", None


RULES = (lock_use, lock_value, length, flow, control, program, transfer)


def mutants(lines: list[str]) -> list[Mutant]:
    locks = [found[1] for line in lines if (found := re.search(r"(%\w+) = aie\.lock", line))]

    def wrong_lock(line: str) -> Iterator[tuple[str, str | None]]:
        found = re.search(r"use_lock\((%\w+), Release", line)
        if found and found[1] in locks and len(locks) > 1:
            other = locks[(locks.index(found[1]) ^ 1) % len(locks)]
            yield "wrong lock released", line.replace(found[1], other)

    return [
        (what, i, new)
        for i, line in enumerate(lines)
        if not line.strip().startswith("//")
        for rule in (*RULES, wrong_lock)
        for what, new in rule(line)
    ]


def prepared(path: Path) -> str:
    """The text of a design, its objectFifos lowered, so that locks and BDs are there to be broken."""
    text = path.read_text()
    if "aie.objectfifo" not in text:
        return text
    with reused_context(), ir.Location.unknown():
        module = asm.read(text, str(path))
        lower_object_fifos(module)
        return asm.write(module)


@pytest.mark.parametrize(("folder", "name"), [(f, n) for f, names in CHOSEN.items() for n in names])
def test_mutants(folder: str, name: str) -> None:
    cases = CASES[folder]
    lines = prepared(HERE / folder / f"{name}.mlir").split("\n")
    every = mutants(lines)
    chosen = random.Random(name).sample(every, min(MOST, len(every)))
    outcomes: Counter[str] = Counter()
    for what, at, new in chosen:
        text = "\n".join([*lines[:at], *([] if new is None else [new]), *lines[at + 1 :]])
        arrays, wanted = cases.CASES[name]()
        where = f"{name}: {what} at {at + 1}: {lines[at].strip()}"
        try:
            simulate(text, *arrays, max_cycles=2_000_000, **cases.OPTIONS.get(name, {}))
        except SimulationError as error:
            first = error.report.findings[0]
            assert first.kind != "limit", where
            assert first.line, f"{where}: {first}"
            outcomes["found"] += 1
        except AlloAirError:
            outcomes["refused"] += 1
        else:
            outcomes["equal"] += 1
            for index, expected in wanted.items():
                np.testing.assert_array_equal(arrays[index], expected.astype(arrays[index].dtype), where)
    assert outcomes["found"] >= sum(outcomes.values()) // 2, outcomes
