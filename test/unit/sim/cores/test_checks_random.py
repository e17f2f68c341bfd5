"""Checks moved out of loop nests accuse exactly the programs that checks at every access accuse."""

import random

import numpy as np
import pytest

from allo_air.sim.cores import instrument, native
from helpers import one_in

SIZE = 24


def program(rng: random.Random) -> str:
    """Nested loops over two buffers of SIZE elements, with linear and other indices, conditions and bounds of the run."""
    lines = [f"%c{n} = arith.constant {n} : index" for n in range(1, 5)]
    lines += ["%c0 = arith.constant 0 : index", "%x = arith.constant 5 : i32", "%w = memref.load %n[%c0] : memref<1xi32>"]
    lines += ["%trip = arith.index_cast %w : i32 to index"]
    count = 0

    def index(ivs: list[str]) -> str:
        nonlocal count
        count += 1
        terms = [f"arith.constant {rng.randint(0, 4)} : index"]
        value = f"%k{count}"
        lines.append(f"{value} = {terms[0]}")
        for iv in rng.sample(ivs, min(len(ivs), rng.randint(0, 2))):
            count += 1
            lines.append(f"%m{count} = arith.muli {iv}, %c{rng.randint(1, 3)} : index")
            lines.append(f"%k{count} = arith.addi {value}, %m{count} : index")
            value = f"%k{count}"
        if rng.random() < 0.2:
            count += 1
            lines.append(f"%k{count} = arith.remui {value}, %c4 : index")
            value = f"%k{count}"
        return value

    def block(ivs: list[str], depth: int) -> None:
        nonlocal count
        for _ in range(rng.randint(1, 3)):
            kind = rng.random()
            if kind < 0.4 or depth == 3:
                buffer = rng.choice("ab")
                at = index(ivs)
                count += 1
                if rng.random() < 0.5:
                    lines.append(f"%v{count} = memref.load %{buffer}[{at}] : memref<{SIZE}xi32>")
                    lines.append(f"memref.store %v{count}, %sink[%c0] : memref<1xi32>")
                else:
                    lines.append(f"memref.store %x, %{buffer}[{at}] : memref<{SIZE}xi32>")
                    if rng.random() < 0.3:
                        lines.append(f"%v{count} = memref.load %{buffer}[{at}] : memref<{SIZE}xi32>")
                        lines.append(f"memref.store %v{count}, %sink[%c0] : memref<1xi32>")
            elif kind < 0.9:
                count += 1
                iv = f"%i{count}"
                upper = rng.choice(["%c1", "%c2", "%c3", "%trip", *ivs[-1:]])
                lines.append(f"scf.for {iv} = %c{rng.choice([0, 0, 1])} to {upper} step %c{rng.choice([1, 1, 2])} {{")
                block([*ivs, iv], depth + 1)
                lines.append("}")
            else:
                at = index(ivs)
                count += 1
                lines.append(f"%q{count} = arith.cmpi slt, {at}, %trip : index")
                lines.append(f"scf.if %q{count} {{")
                block(ivs, depth + 1)
                lines.append("}")

    for _ in range(2):
        block([], 0)
    return "\n".join(lines)


def accused(ran, written: dict[int, set[int]]) -> tuple[bool, dict[int, set[int]]]:
    """Whether a check finds an unwritten byte, and all bytes written in the end, by buffer."""
    state = {n: set(w) for n, w in written.items()}
    bad = False
    for name, (number, offset), size, *rest in ran.calls:
        if number not in state:
            continue
        count, stride = rest[:2] if name.endswith("_strided") else (1, 0)
        found = {offset + i * stride + b for i in range(count) for b in range(size)}
        if name.startswith("read"):
            bad |= not found <= state[number]
        else:
            state[number] |= found
    return bad, state


@pytest.mark.parametrize("seed", one_in(2, range(40)))
def test_moved_checks_accuse_the_same_programs(run, monkeypatch, seed):
    rng = random.Random(seed)
    body = program(rng)
    written = {n: {b for e in range(SIZE) if rng.random() < 0.7 for b in range(4 * e, 4 * e + 4)} for n in (0, 1)}
    if rng.random() < 0.5:
        written = {n: set(range(4 * SIZE)) if rng.random() < 0.5 else set() for n in (0, 1)}
    buffers = (f"a : memref<{SIZE}xi32>", f"b : memref<{SIZE}xi32>", "n : memref<1xi32>", "sink : memref<1xi32>")
    values = (None, None, np.array([rng.randint(0, 3)], np.int32))

    def judged():
        ran = run(body, buffers, values)
        ran.calls[:] = ran.named("read", "write", "read_strided", "write_strided")
        return ran, accused(ran, written)

    moved, (by_moved, state_moved) = judged()
    native.compile_program.cache_clear()
    monkeypatch.setattr(instrument, "forms_around", lambda *_: None)
    each, (by_each, state_each) = judged()
    native.compile_program.cache_clear()
    assert by_moved == by_each
    assert state_moved == state_each
    assert len(moved.calls) <= 4 * len(each.calls)
