"""Folding, unrolling and shortening keep the elements that each channel moves, and their order."""

from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from allo_air import asm
from allo_air.core.contexts import reused_context
from allo_air.core.walking import walk_named
from allo_air.errors import DiagnosticError
from allo_air.passes.bd._limits import allows, limits_of
from allo_air.passes.bd._lists import pattern_of
from allo_air.passes.bd.air_specialize_channel_wrap_and_stride import AirSpecializeChannelWrapAndStride
from bounds import bounded
from helpers import addresses, drawn, noted


def moved(module, number):
    """By channel, the addresses that it moves, in the order of one run."""
    found = {}

    def note(op, values):
        view = op.opview
        offsets, sizes, strides = (
            [int(values[v]) for v in getattr(view, f"src_{part}")] for part in ("offsets", "sizes", "strides")
        )
        if not sizes:
            sizes, strides = [prod(view.src.type.shape)], [1]
        start = sum(o * n for o, n in zip(reversed(offsets), reversed(strides), strict=False))
        key = (view.chan_name, *(int(values[i]) for i in view.indices))
        found.setdefault(key, []).extend(addresses(start, sizes, strides).tolist())

    [function] = walk_named(module, "func.func")
    noted(function, ["air.channel.put"], note, [*drawn(module)[:1], number])
    return found


@st.composite
def programs(draw):
    """A segment with a random loop nest around puts, whose offsets, sizes and strides are random."""
    is_plain = draw(st.booleans())  # a perfect nest around one put that a descriptor may walk
    elements = draw(st.sampled_from(["i32"] if is_plain else ["i8", "bf16", "i32", "f32", "i64"]))
    kind = f"memref<8x6x64x{elements}, {draw(st.sampled_from([1, 2]))}>"
    lines, ivs, closing = [], ["%n"], []

    def number(n):
        return f"%c{n}"

    depth = draw(st.integers(1, 2) if is_plain else st.integers(0, 4))
    for level in range(depth):
        lower, count, step = (
            draw(st.integers(0, 2)),
            draw(st.integers(0 if level == 3 else 1, 4)),
            draw(st.sampled_from([1, 1, 2, 3])),
        )
        cut = draw(st.integers(0, step - 1)) if count else 0
        head = f"%i{level} = {number(lower)} to {number(lower + count * step - cut)} step {number(step)}"
        if not is_plain and draw(st.integers(0, 4)) == 0:
            head = (
                f"({head.split(' = ')[0]}) = ({number(lower)}) to ({number(lower + count * step - cut)}) step ({number(step)})"
            )
            lines.append(f"scf.parallel {head} {{")
            closing.append("scf.reduce\n}")
        else:
            lines.append(f"scf.for {head} {{")
            closing.append("}")
        ivs.append(f"%i{level}")
        if draw(st.booleans()):
            factor, base = draw(st.integers(0, 3)), draw(st.integers(0, 3))
            form = draw(st.sampled_from(["map", "arith"]))
            if form == "map":
                lines.append(
                    f"%v{level} = affine.apply affine_map<(d0)[s0] -> (d0 * {factor} + s0 + {base})>(%i{level})[{ivs[-2]}]"
                )
            else:
                lines.append(f"%w{level} = arith.muli %i{level}, {number(factor)} : index")
                lines.append(f"%v{level} = arith.addi %w{level}, {ivs[-2]} : index")
            ivs.append(f"%v{level}")
    for p in range(1 if is_plain else draw(st.sampled_from([1, 1, 1, 2]))):
        rank = draw(st.integers(1, 2) if is_plain else st.integers(0, 4))
        offsets = [draw(st.one_of(st.sampled_from(ivs), st.integers(0, 5).map(number))) for _ in range(rank)]
        long = draw(st.integers(0, 8))  # which dimension, if any, is longer than a descriptor's
        sizes = [number(600 if i == long else draw(st.sampled_from([1, 1, 2, 4]))) for i in range(rank)]
        strides = [number(draw(st.sampled_from([0, 1, 1, 2, 4, 8, 16, 64, 384]))) for _ in range(rank)]
        if is_plain:
            sizes, strides = [number(2 + p) for p in range(rank)], [number(n) for n in (64, 1)[-rank:]]
            offsets[-1] = ivs[-1]
        is_counter = any(line.startswith(f"scf.for {ivs[-1]} ") for line in lines)  # which is not an index of a channel
        index = "" if is_plain or is_counter else draw(st.sampled_from(["", "", "", ivs[-1]]))
        lists = " ".join(f"[{', '.join(group)}]" for group in (offsets, sizes, strides))
        lines.append(f"air.channel.put @c{p}{'x' if index else ''}[{index}] (%m{lists}) : ({kind})")
    numbers = "\n".join(f"%c{n} = arith.constant {n} : index" for n in [*range(20), 64, 384, 600])
    inside = "\n".join([*lines, *reversed(closing)])
    return f"""
air.channel @c0 []
air.channel @c1 []
air.channel @c0x [64]
air.channel @c1x [64]
func.func @f(%a: {kind}, %k: index) {{
  air.segment @s args(%m=%a, %n=%k) : {kind}, index {{
    {numbers}
    {inside}
  }}
  return
}}
"""


@bounded(12)
@given(programs(), st.integers(0, 5))
def test_the_same_elements_in_the_same_order(text, n):
    with reused_context():
        module = asm.read(text)
        before = moved(module, n)
        with module.context, module.location:
            try:
                AirSpecializeChannelWrapAndStride().run(module)
            except DiagnosticError as refused:
                assert "buffer descriptors of a memtile, which has 48" in str(refused)
                return
        asm.verify(module)
        after = moved(module, n)
        if "scf.parallel" in text:  # has no order
            before, after = ({key: sorted(found) for key, found in run.items()} for run in (before, after))
        assert after == before


@pytest.mark.usefixtures("context")
@pytest.mark.parametrize(
    ("space", "element", "lists", "fits"),
    [
        (1, "i32", [(255, 1000), (512, 10)], True),
        (1, "i32", [(257, 1000), (512, 10)], False),
        (1, "i32", [(513, 1000), (512, 10)], False),
        (1, "i32", [(2, 4), (2, 8), (2, 16), (2, 32)], True),
        (1, "i32", [(2, 4), (2, 8), (2, 16), (2, 32), (2, 64)], False),
        (1, "i32", [(256, 0), (2, 8), (2, 16), (2, 32), (2, 64)], True),
        (1, "i32", [(257, 0), (2, 8)], False),
        (1, "i32", [(2, 8), (2, 0), (2, 1)], False),
        (1, "i32", [(100000, 1)], True),
        (1, "bf16", [(4, 8), (2, 1)], True),
        (1, "bf16", [(4, 1), (2, 8)], False),
        (1, "i32", [(2, 1 << 17), (4, 1)], True),
        (1, "i32", [(2, (1 << 17) + 1), (4, 1)], False),
        (2, "i32", [(300, 512), (2, 2), (27, 1)], True),
        (2, "i32", [(300, 512), (2, 2), (28, 1)], False),
        (2, "i32", [(2, 512), (256, 2), (255, 1)], False),
        (2, "i8", [(2, 2048), (2, 1024), (512, 1)], True),
        (2, "i32", [(2, 8), (2, 16), (2, 32), (2, 64)], False),
        (0, "i32", [(64, 9), (2, 16), (2, 32), (2, 64)], True),
        (0, "i32", [(65, 9), (2, 16), (2, 32), (2, 64)], False),
        (0, "i32", [(4, 4096), (1023, 1)], True),
        (0, "i32", [(4, 4096), (1024, 1)], False),
    ],
)
def test_limits(space, element, lists, fits):
    from allo_air.access.linear import ZERO, Linear
    from allo_air.access.pattern import Dim
    from allo_air.mlir import ir

    kind = ir.Type.parse(f"memref<64x{element}, {space}>")
    limits = limits_of(kind)
    assert limits is not None
    assert allows(limits, [Dim(ZERO, Linear(n), Linear(s)) for n, s in lists]) == fits


@bounded(7)
@given(programs())
def test_no_list_is_made_that_a_descriptor_cannot_walk(text):
    """A list that has grown dimensions is within its tile's limits."""
    with reused_context():
        module = asm.read(text)
        longest = max(len(op.opview.src_sizes) for op in walk_named(module, "air.channel.put"))
        with module.context, module.location:
            try:
                AirSpecializeChannelWrapAndStride().run(module)
            except DiagnosticError:
                return
            from allo_air.passes._analysis.indices import IndexValues

            for op in walk_named(module, "air.channel.put"):
                if len(op.opview.src_sizes) > longest:
                    pattern = pattern_of(op, IndexValues())
                    assert allows(limits_of(op.opview.src.type), pattern.dims)
