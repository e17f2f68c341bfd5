"""Both states of the peers' assembly: what is printed in one, custom or generic, reads back to the same in each."""

from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from allo_air import AlloAirError, asm
from allo_air.asm.syntax import DEFAULT, printing
from allo_air.core.contexts import reused_context
from allo_air.dialects.states import STATES
from allo_air.errors import DiagnosticError
from allo_air.mlir import new_context
from bounds import bounded
from helpers import LIT, one_in

FILES = sorted(p for p in LIT.rglob("*.mlir") if not {"Inputs", "Output"} & set(p.parts))
FORMS = [*product(STATES, (False, True))]


def modules(file: Path) -> Iterator[str]:
    """The parts of a test's input that read."""
    for text in file.read_text().split("// -----"):
        try:
            with new_context(allow_unregistered=True):
                asm.read(text)
        except DiagnosticError:
            continue
        yield text


def written(text: str) -> dict[tuple[str, bool], str]:
    """`text` in each state, custom and generic; without March's where that state cannot say it."""
    found = {}
    with new_context(allow_unregistered=True):
        module = asm.read(text)
        for state, generic in FORMS:
            try:
                found[state, generic] = asm.write(module, syntax=state, generic=generic)
            except AlloAirError as error:
                assert state == STATES[0] and "cannot say" in str(error)
    return found


def check(text: str) -> None:
    """Each form of `text` reads back to the same custom forms."""
    forms = written(text)
    for (state, generic), form in forms.items():
        with new_context(allow_unregistered=True):
            again = asm.read(form)
            for wanted in STATES:
                if (wanted, False) in forms and wanted == state:  # March shows constants in full, where August had literals
                    assert asm.write(again, syntax=wanted) == forms[wanted, False], f"from {state}, generic={generic}"


@pytest.mark.parametrize("file", one_in(6, FILES), ids=lambda f: f"{f.parent.name}/{f.stem}")
def test_inputs_of_tests_in_both_states(file: Path) -> None:
    for text in modules(file):
        if "dense_resource" not in text:  # MLIR gives resources new names
            check(text)


NUMBER = st.integers(0, 2**32 - 1)


def signed(number: int) -> int:
    return number - 2**32 if number >= 2**31 else number


@st.composite
def statement(draw: st.DrawFn, name: str) -> str:
    """One operation of a runtime sequence, in either spelling; %n (i32) and %i (i64) are known at run time."""
    defined: list[str] = []

    def value(number: int) -> str:
        """An SSA value: the constant, or one that is known at run time."""
        if draw(st.booleans()):
            return "%n"
        defined.append(f"%{name}{len(defined)} = arith.constant {signed(number)} : i32")
        return f"%{name}{len(defined) - 1}"

    def literal(number: int) -> str:
        return draw(st.sampled_from([str(number), "%i"]))

    def bd() -> str:
        sizes = draw(st.lists(st.integers(1, 8), min_size=1, max_size=3))
        length = draw(st.sampled_from([" len = 64", " len = %n"]))
        lists = f"sizes = [{', '.join(map(literal, sizes))}] strides = [{', '.join(literal(8 * s) for s in sizes)}]"
        return f"aie.dma_bd(%a : memref<4096xi32>{length} {lists})"

    a, b, c, small = draw(NUMBER), draw(NUMBER), draw(NUMBER), draw(st.integers(0, 15))
    queue = "aiex.npu.push_queue(0, 0, MM2S : 1)"
    spellings = [
        lambda: f"aiex.npu.write32 {{address = {a} : ui32, value = {b} : ui32}}",
        lambda: f"aiex.npu.write32({value(a)}, {value(b)}) {{column = 0 : i32, row = 2 : i32}} : i32, i32",
        lambda: f"aiex.npu.maskwrite32 {{address = {a} : ui32, mask = {c} : ui32, value = {b} : ui32}}",
        lambda: f"aiex.npu.maskwrite32({value(a)}, {value(b)}, {value(c)}) : i32, i32, i32",
        lambda: f"{queue} bd_id {value(small)} repeat {value(small)} {{issue_token = true}} : i32, i32",
        lambda: f"{queue} {{bd_id = {small} : i32, issue_token = true, repeat_count = 3 : i32}}",
        lambda: f"aiex.npu.address_patch({value(a)} : i32) {{addr = {b} : ui32, arg_idx = 0 : i32}}",
        lambda: f"aiex.npu.address_patch {{addr = {b} : ui32, arg_idx = 0 : i32, arg_plus = {small} : i32}}",
        lambda: f"aiex.npu.rtp_write(@b, {small}, {value(a)}) : i32",
        lambda: f"%task_{name} = aiex.dma_configure_task_for @in {{\n{bd()}\naie.end\n}}",
    ]
    chosen = draw(st.sampled_from(spellings))()
    return "\n".join([*defined, chosen])


@st.composite
def statements(draw: st.DrawFn) -> list[str]:
    return [draw(statement(name)) for name in "pqrs"[: draw(st.integers(1, 4))]]


@given(statements())
@bounded(10)
def test_drawn_sequences_in_both_states(lines: list[str]) -> None:
    body = "\n".join(lines)
    check(
        f"""aie.device(npu2) {{
      %s = aie.tile(0, 0)
      %t = aie.tile(0, 2)
      %b = aie.buffer(%t) {{sym_name = "b"}} : memref<64xi32>
      aie.shim_dma_allocation @in(%s, MM2S, 0)
      aie.runtime_sequence @seq(%a: memref<4096xi32>, %n: i32, %i: i64) {{
        {body}
      }}
    }}"""
    )


@st.composite
def accesses(draw: st.DrawFn) -> str:
    """Channel and DMA operations whose lists mix literals, constants, and values."""
    entry = st.sampled_from(["0", "1", "32", "%c1", "%c32", "%i", "%j"])
    lines = []
    for _ in range(draw(st.integers(1, 4))):
        rank = draw(st.integers(0, 3))
        lists = " ".join("[" + ", ".join(draw(entry) for _ in range(rank)) + "]" for _ in range(3))
        dest = draw(st.sampled_from(["", " dest(%i)", " dest(%c1)"]))
        lines.append(
            draw(
                st.sampled_from(
                    [
                        f"air.channel.put @c[%i] (%m{lists}){dest} : (memref<64x64xi32>)",
                        f"air.channel.get @c[%c1] (%m{lists}) : (memref<64x64xi32>)",
                        f"air.dma_memcpy_nd (%m{lists}, %m[] [] []) : (memref<64x64xi32>, memref<64x64xi32>)",
                    ]
                )
            )
        )
    return "\n".join(lines)


@given(accesses())
@bounded(10)
def test_drawn_accesses_in_both_states(body: str) -> None:
    check(
        f"""air.channel @c [2]
    func.func @f(%m: memref<64x64xi32>, %i: index, %j: index) {{
      %c1 = arith.constant 1 : index
      %c32 = arith.constant 32 : index
      {body}
      return
    }}"""
    )


def test_march_shows_the_length_before_dimensions() -> None:
    """A BD of the whole buffer may say no length in August; March has no place for dimensions without one."""
    with reused_context():
        module = asm.read(
            "func.func @f(%m: memref<4x8xi32>) { aie.dma_bd(%m : memref<4x8xi32> sizes = [2] strides = [8]) return }"
        )
        assert "aie.dma_bd(%arg0 : memref<4x8xi32> sizes = [2] strides = [8])" in asm.write(module)
        march = "aie.dma_bd(%arg0 : memref<4x8xi32>, 0, 32, [<size = 2, stride = 8>])"
        assert march in asm.write(module, syntax="2026-03")
        assert march in asm.write(asm.read(asm.write(module, syntax="2026-03")), syntax="2026-03")


def test_printing_says_what_is_printed() -> None:
    with reused_context():
        module = asm.read('air.channel @c [1] {channel_type = "cascade"}')
        assert '"npu_cascade"' in asm.write(module) and STATES[-1] == DEFAULT
        with printing("2026-03"):
            assert '"cascade"' in asm.write(module)
            assert '"npu_cascade"' in asm.write(module, syntax="2026-08")
        with pytest.raises(AlloAirError, match="there is no syntax '2025-01'"):
            asm.write(module, syntax="2025-01")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            'func.func @f(%m: memref<8xi32>) { "air.channel.get"(%m) <{chan_name = @c, operandSegmentSizes ='
            " array<i32: 0, 0, 1, 0, 0, 0>, static_dst_offsets = array<i64: -9223372036854775808>}>"
            " : (memref<8xi32>) -> () return }",
            "static_dst_offsets has 1 place for values, and there are 0",
        ),
        (
            'func.func @f(%m: memref<8xi32>) { "aie.dma_bd"(%m) <{operandSegmentSizes = array<i32: 1, 0, 0, 0, 0>,'
            " static_sizes = array<i64: 2>}> : (memref<8xi32>) -> () return }",
            "expected as many sizes as strides, found 1 size and 0 strides",
        ),
        (
            'func.func @f(%m: memref<8xi32>) { "aie.dma_bd"(%m) <{operandSegmentSizes = array<i32: 1, x>}>'
            " : (memref<8xi32>) -> () return }",
            "expected operandSegmentSizes to be an array<i32: ...> of 5 sizes",
        ),
    ],
    ids=["places", "sizes", "segments"],
)
def test_generic_forms_that_do_not_fit(text: str, message: str) -> None:
    with reused_context(), pytest.raises(DiagnosticError, match=message):
        asm.read(text)
