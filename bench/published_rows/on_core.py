"""Vector loops on one core, timed between two of its events."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

import numpy as np

from allo_air import simulate

from .events import cycles_of

BANK = 16 * 1024
TURNS = 96


@cache
def cycles(body: str, buffers: tuple[str, ...], device: str = "npu1_1col", banks: tuple[int, ...] | None = None) -> int:
    """Cycles of `body` on core (0, 2); it uses %c0, %c1 and `buffers` ("name : type"), each in a bank of its own.

    `banks` places them otherwise.
    """
    places = banks or tuple(i % 4 for i in range(len(buffers)))
    declared, used = [], {0: 1024}  # the stack
    for buffer, bank in zip(buffers, places, strict=True):
        name, kind = (part.strip() for part in buffer.split(":"))
        zero = "0" if kind.split("x")[-1].startswith("i") else "0.0"
        offset = used.get(bank, 0)
        used[bank] = offset + _bytes(kind)
        declared.append(
            f'%{name} = aie.buffer(%t) {{address = {bank * BANK + offset} : i32, sym_name = "{name}"}} : {kind} = dense<{zero}>'
        )
    report = simulate(
        f"""module {{ aie.device({device}) {{
        %t = aie.tile(0, 2)
        {chr(10).join(declared)}
        aie.core(%t) {{
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          aie.event(0)
          {body}
          aie.event(1)
          aie.end
        }}
        aie.runtime_sequence(%a : memref<1xi32>) {{}}
        }} }}""",
        np.zeros(1, np.int32),
        trace=True,
        code="scheduled",
    )
    [begin], [end] = (cycles_of(report, f"INSTR_EVENT_{i}", (0, 2)) for i in (0, 1))
    return end - begin


def _bytes(kind: str) -> int:
    *shape, element = kind.removeprefix("memref<").removesuffix(">").split("x")
    bits = int("".join(c for c in element if c.isdigit()))
    return int(np.prod([int(n) for n in shape])) * bits // 8


def loop(trips: int, body: str, carried: Sequence[tuple[str, str, str]] = (), yields: Sequence[str] = ()) -> str:
    """`trips` turns of `body`, which uses %i; `carried` are (name, initial value, type), `yields` their next values."""
    head = f"%n = arith.constant {trips} : index\n"
    if not carried:
        return head + f"scf.for %i = %c0 to %n step %c1 {{\n{body}\n}}"
    names = ", ".join(f"%{name} = {start}" for name, start, _ in carried)
    types = ", ".join(kind for *_, kind in carried)
    return (
        head + f"%last:{len(carried)} = scf.for %i = %c0 to %n step %c1 iter_args({names}) -> ({types}) {{\n{body}\n"
        f"scf.yield {', '.join(yields)} : {types}\n}}"
    )


def per_turn(
    make: Callable[[int], str], buffers: tuple[str, ...], device: str = "npu1_1col", banks: tuple[int, ...] | None = None
) -> float:
    """Cycles of one turn in the steady state: of `make(trips)` between 32 and 96 turns."""
    few, many = (cycles(make(n), buffers, device, banks) for n in (32, TURNS))
    return (many - few) / (TURNS - 32)
