"""Written programs of any tile sizes: in through L2 to a row of cores and back, in chunks that need not agree."""

import re
from itertools import count

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from allo_air import asm
from allo_air.core.walking import walk_named
from bounds import bounded
from helpers import agrees, drawn, outcome, piped

pytestmark = pytest.mark.usefixtures("context")

COLUMNS = 24
PASSES = (
    "func.func(air-split-l2-memref{tiles-per-l2-tile=0})",
    "air-isolate-async-dma-loop-nests",
    "func.func(air-loop-fusion)",
)


class Text:
    """Text of a program; `n` gives the name of a constant, declared where `{constants}` stands."""

    def __init__(self) -> None:
        self.fresh = count()

    def loop(self, init: str, step: int, body: str, *, counted: bool = False) -> tuple[str, str]:
        """A loop over all columns in steps; `body` has {k} for the column and {w} for the token, and defines {t}."""
        n = next(self.fresh)
        names = {"k": f"%k{n}", "w": f"%w{n}", "t": f"%t{n}"}
        lower, upper, width, apply = "%c0", f"%c{COLUMNS}", f"%c{step}", ""
        if counted:
            upper, width, names["k"] = f"%c{COLUMNS // step}", "%c1", f"%o{n}"
            apply = f"{names['k']} = affine.apply affine_map<()[s0] -> (s0 * {step})>()[%k{n}]"
        return f"%l{n}", f"""
          %l{n} = scf.for %k{n} = {lower} to {upper} step {width} iter_args(%w{n} = {init}) -> (!air.async.token) {{
            {apply}
            {body.format(**names)}
            scf.yield {names["t"]} : !air.async.token
          }}"""  # fmt: skip


def renamed(level: str, text: str) -> str:
    """`text` with other names for its constants and first token: names are not scoped by hierarchies."""
    return re.sub(r"%(c\d+|s\b)", rf"%{level}_\1", text)


def constants(*more: int) -> str:
    return "".join(f"%c{n} = arith.constant {n} : index\n" for n in sorted({*range(COLUMNS + 1), *more}))


def program(rows: int, high: int, fill: int, tile: int, drain: int, counted: list[bool], *, reads_all_first: bool) -> str:
    t, height, kind = Text(), rows * high, f"memref<{rows * high}x{COLUMNS}xi32"

    def transfer(op: str, channel: str, memref: str, row: int, size: int, width: int, space: str) -> str:
        lists = f"[%c{row}, {{k}}] [%c{size}, %c{width}] [%c{COLUMNS}, %c1]"
        return f"{{t}} = air.channel.{op} async [{{w}}] @{channel} ({memref}{lists}) : ({kind}{space}>)"

    _, put = t.loop("%s", fill, transfer("put", "in[]", "%y", 0, height, fill, ""))
    _, take = t.loop("%s", drain, transfer("get", "back[]", "%z", 0, height, drain, ""))
    filled, get = t.loop("%ta", fill, transfer("get", "in[]", "%a", 0, height, fill, ", 1"), counted=counted[0])
    outs = [
        t.loop(filled, tile, transfer("put", f"row[%c{r}, %c0]", "%a", r * high, high, tile, ", 1"), counted=counted[1])
        for r in range(rows)
    ]
    ins = [
        t.loop("%tb", tile, transfer("get", f"col[%c{r}, %c0]", "%b", r * high, high, tile, ", 1"), counted=counted[1])
        for r in range(rows)
    ]
    ready = ", ".join(name for name, _ in ins)
    drained, send = t.loop("%ready", drain, transfer("put", "back[]", "%b", 0, height, drain, ", 1"), counted=counted[2])
    piece = f"memref<{high}x{tile}xi32, 2>"
    local = f"""%q, %v = air.execute -> ({piece}) {{
              %alloc = memref.alloc() : {piece}
              air.execute_terminator %alloc : {piece}
            }}"""
    if reads_all_first:
        whole = f"memref<{high}x{COLUMNS}xi32, 2>"
        lists = f"%v[%c0, {{k}}] [%c{high}, %c{tile}] [%c{COLUMNS}, %c1]"
        got, gets = t.loop("%q", tile, f"{{t}} = air.channel.get async [{{w}}] @row[%x, %u] ({lists}) : ({whole})")
        _, puts = t.loop(got, tile, f"{{t}} = air.channel.put async [{{w}}] @col[%x, %u] ({lists}) : ({whole})")
        core = local.replace(piece, whole) + gets + puts
    else:
        _, core = t.loop("%s", tile, f"""{local}
            %g = air.channel.get async [{{w}}, %q] @row[%x, %u] (%v[] [] []) : ({piece})
            %p = air.channel.put async [%g] @col[%x, %u] (%v[] [] []) : ({piece})
            {{t}} = air.execute [%p] {{{{
              memref.dealloc %v : {piece}
            }}}}""".replace(local, local.replace("{", "{{").replace("}", "}}")))  # fmt: skip
    return f"""
    air.channel @in []
    air.channel @back []
    air.channel @row [{rows}, 1]
    air.channel @col [{rows}, 1]
    func.func @f(%xx: {kind}>, %zz: {kind}>) {{
      %one = arith.constant 1 : index
      %0 = air.launch async (%i) in (%n=%one) args(%y=%xx, %z=%zz) : {kind}>, {kind}> {{
        {renamed("l", constants(height) + "%s = air.wait_all async" + put + take)}
        %1 = air.segment @s async {{
          {constants(*range(height + 1))}
          %ta, %a = air.execute -> ({kind}, 1>) {{
            %alloc = memref.alloc() : {kind}, 1>
            air.execute_terminator %alloc : {kind}, 1>
          }}
          %tb, %b = air.execute -> ({kind}, 1>) {{
            %alloc = memref.alloc() : {kind}, 1>
            air.execute_terminator %alloc : {kind}, 1>
          }}
          {get}
          {"".join(text for _, text in outs)}
          {"".join(text for _, text in ins)}
          %h = air.herd @h async [%ta] tile (%x, %u) in (%sx=%c{rows}, %su=%c1) {{
            {renamed("h", constants() + "%s = air.wait_all async" + core)}
          }}
          %ready = air.wait_all async [{ready}]
          {send}
          %fa = air.execute [{", ".join(name for name, _ in outs)}] {{
            memref.dealloc %a : {kind}, 1>
          }}
          %fb = air.execute [{drained}] {{
            memref.dealloc %b : {kind}, 1>
          }}
        }}
      }}
      return
    }}"""


WIDTHS = st.sampled_from([2, 3, 4, 6, 8, 12])


@bounded(5)
@given(
    st.integers(1, 3), st.integers(1, 2), WIDTHS, WIDTHS, WIDTHS, st.lists(st.booleans(), min_size=3, max_size=3), st.booleans()
)
def test_any_chunks(rows: int, high: int, fill: int, tile: int, drain: int, counted: list[bool], reads_all_first: bool) -> None:
    text = program(rows, high, fill, tile, drain, counted, reads_all_first=reads_all_first)
    module = asm.read(text)
    inputs = drawn(module)
    wanted = outcome(module, inputs)
    np.testing.assert_array_equal(wanted[0], wanted[1])
    for passes in PASSES:
        agrees(piped(passes, module), inputs, wanted, seeds=1)
    agrees(piped("canonicalize,cse", module), inputs, wanted, seeds=1)


def test_chunks_are_what_l2_holds() -> None:
    module = asm.read(program(2, 2, 12, 4, 6, [False, True, False], reads_all_first=False))
    for passes in PASSES:
        piped(passes, module)
    found = sorted(str(op.results[0].type) for op in walk_named(module, "memref.alloc"))
    assert found == ["memref<2x12xi32, 1>"] * 4 + ["memref<2x4xi32, 2>"]
