"""The instruction words of runtime sequences, against what mlir-aie's own tools wrote, and the limits that are checked."""

from pathlib import Path

import pytest

from allo_air import asm
from allo_air.core.contexts import reused_context
from allo_air.device import DEVICES
from allo_air.errors import AlloAirError
from allo_air.mlir import new_context
from allo_air.target import npu_shim, npu_words
from allo_air.target.npu_sequence import sequence_words
from helpers import TEST

ANSWERS = TEST / "data/known-answers"


def emitted(text: str, **names: str) -> list[int]:
    with reused_context():
        return sequence_words(asm.read(text, "input.mlir"), **names)


@pytest.mark.parametrize("path", sorted(ANSWERS.glob("*.mlir")), ids=lambda p: p.stem)
def test_known_answers(path: Path) -> None:
    assert emitted(path.read_text()) == [int(word, 16) for word in path.with_suffix(".hex").read_text().split()]


def test_bd_decoded_by_hand() -> None:
    """The eight words that decode by hand (docs/sources.md#npu-instructions)."""
    transfer = npu_shim.Transfer((32, 32, 2, 1), (1, 64, 2048, 4096), 0, 32)
    assert npu_shim.bd_words(transfer, DEVICES["npu1"]) == (2048, 0, 0, 0x02000000, 0x8200003F, 0x020007FF, 0, 0x02000000)


def sequence(body: str, device: str = "npu1", memref: str = "memref<4096xi32>") -> str:
    return f"""aie.device({device}) {{
  %t = aie.tile(0, 0)
  aie.shim_dma_allocation @in(%t, MM2S, 0)
  aie.shim_dma_allocation @out(%t, S2MM, 1)
  aie.runtime_sequence(%a: {memref}, %b: memref<8xi64>) {{
{body}
  }}
}}"""


def copy(bd: int, channel: str = "in", lists: str = "[0,0,0,0][1,1,1,64][0,0,0,1]", extra: str = "") -> str:
    return f"aiex.npu.dma_memcpy_nd(%a{lists}) {{id = {bd} : i64, metadata = @{channel}{extra}}} : memref<4096xi32>\n"


WAIT = "aiex.npu.dma_wait {symbol = @out}\n"


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (copy(0) + WAIT.replace("out", "in"), "waits for a token of MM2S channel 0"),
        (copy(0, "out") + WAIT + WAIT, "waits for a token of S2MM channel 1"),
        ("aiex.npu.dma_wait {symbol = @nobody}", "nobody"),
        ('"test.op"() : () -> ()', "has no instruction words"),
    ],
)
def test_limits(body: str, message: str) -> None:
    with new_context(allow_unregistered=True), pytest.raises(AlloAirError, match=r"input.mlir:\d+") as caught:
        sequence_words(asm.read(sequence(body), "input.mlir", allow_unregistered=True))
    assert message in str(caught.value)


def test_a_bd_that_is_rewritten_is_a_warning(capfd: pytest.CaptureFixture[str]) -> None:
    emitted(sequence(copy(3) + copy(3, "out")))
    assert "warning: 'aiex.npu.dma_memcpy_nd' op rewrites BD 3 of shim tile (0, 0)" in capfd.readouterr().err


def test_bds_are_free_after_a_wait() -> None:
    body = "".join(copy(bd) for bd in range(3)) + copy(3, "out") + WAIT + "".join(copy(bd) for bd in range(4))
    assert emitted(sequence(body))[2] == 8 * 3 + 1


@pytest.mark.parametrize(
    ("sizes", "strides", "problem"),
    [
        ((64, 1, 1, 65), (1, 0, 0, 64), "iterates at most 64 times"),
        ((1024, 2, 1, 1), (1, 2048, 0, 0), "d0 size is 1024 words"),
        ((4, 1024, 1, 1), (1, 8, 0, 0), "d1 size is 1024"),
        ((4, 2, 1, 1), (1, (1 << 20) + 1, 0, 0), "exceeds 1048576 words"),
        ((4, 2, 1, 1), (1, 0, 0, 0), "strides are positive"),
    ],
)
def test_fields(sizes: tuple[int, ...], strides: tuple[int, ...], problem: str) -> None:
    assert any(problem in p for p in npu_shim.Transfer(sizes, strides, 0, 32).problems())


def test_narrow_elements_are_moved_in_runs() -> None:
    assert any("innermost stride 2" in p for p in npu_shim.Transfer((4, 2, 1, 1), (2, 64, 0, 0), 0, 16).problems())
    assert not npu_shim.Transfer((4, 2, 1, 1), (2, 64, 0, 0), 0, 32).problems()


def test_fields_at_their_limits() -> None:
    assert not npu_shim.Transfer((1023, 1023, 2, 64), (1, 1 << 20, 4, 0), 0, 32).problems()
    assert not npu_shim.Transfer((1 << 20, 1, 1, 1), (1, 0, 0, 0), 0, 32).problems()


@pytest.mark.parametrize(
    ("lists", "d0", "d1", "d2_step", "iteration"),
    [
        ("[1,1,1,128][0,0,0,1]", (0, 0), (0, 0), 0, (0, 0)),
        ("[1,1,1,128][0,128,512,1]", (128, 0), (1, 0), 0, (0, 0)),
        ("[1,1,1,128][0,0,512,1]", (128, 0), (1, 0), 0, (0, 0)),
        ("[1,1,1,128][0,128,0,1]", (128, 0), (1, 0), 0, (0, 0)),
        ("[1,1,1,128][512,0,0,1]", (0, 0), (0, 0), 0, (0, 0)),
        ("[4,1,1,128][512,0,0,1]", (0, 0), (0, 0), 0, (3, 511)),
        ("[4,1,1,128][0,0,0,1]", (0, 0), (0, 0), 0, (0, 0)),
        ("[4,1,1,128][0,512,128,1]", (128, 0), (1, 0), 0, (0, 0)),
        ("[1,1,1,128][0,0,0,2]", (128, 1), (1, 0), 0, (0, 0)),
        ("[1,1,1,1][0,0,0,4]", (1, 3), (1, 0), 0, (0, 0)),
        ("[1,1,4,64][0,0,64,1]", (64, 0), (4, 63), 0, (0, 0)),
        ("[1,4,1,64][0,64,0,1]", (64, 0), (1, 0), 63, (0, 0)),
        ("[1,1,1,2048][0,64,64,1]", (0, 0), (0, 0), 0, (0, 0)),
    ],
)
def test_wraps_are_left_out_where_the_numbers_say_a_plain_run(
    lists: str, d0: tuple[int, int], d1: tuple[int, int], d2_step: int, iteration: tuple[int, int]
) -> None:
    """Strides that never step count: only sizes 1 and strides 0 of the two middle dimensions make a plain run."""
    _, _, _, w3, w4, w5, w6, _ = emitted(sequence(copy(0, lists="[0,0,0,0]" + lists)))[8:16]
    assert (w3 >> 20, w3 & 0xFFFFF) == d0
    assert (w4 >> 20 & 0x3FF, w4 & 0xFFFFF) == d1
    assert (w5 & 0xFFFFF, (w6 >> 20 & 0x3F, w6 & 0xFFFFF)) == (d2_step, iteration)


def test_a_run_in_several_dimensions_is_one_where_they_do_not_fit() -> None:
    run = npu_shim.Transfer((2048, 2, 3, 1), (1, 2048, 4096, 0), 0, 32)
    assert not run.problems()
    assert npu_shim.bd_words(run, DEVICES["npu1"]) == (12288, 0, 0, 0, 0x80000000, 0x02000000, 0, 0x02000000)
    broken = npu_shim.Transfer((2048, 2, 3, 1), (1, 2048, 8192, 0), 0, 32)
    assert any("d0 size is 2048 words" in p for p in broken.problems())


def test_several_sequences_need_a_name() -> None:
    text = sequence("").replace("aie.runtime_sequence(", "aie.runtime_sequence @one() {}\n  aie.runtime_sequence @two(")
    with pytest.raises(AlloAirError, match="there are 2 runtime sequences"):
        emitted(text)
    assert emitted(text, name="two")[2] == 0


def test_a_later_argument_of_an_xclbin_begins_below_two_gib() -> None:
    for first in (0, 0x7FFFFFFC):
        [high] = npu_words.folded([npu_words.Patch(118788, 5, first)])
        assert high.words()[10] == first + 0x80000000
        plain = npu_words.stream(DEVICES["npu2"], [npu_words.Patch(118788, 5, first)])
        assert npu_words.fold(npu_words.fold(plain), -1) == plain
    far = npu_words.Patch(118788, 5, 0x80000000)
    for fold in (lambda: npu_words.folded([far]), lambda: npu_words.fold(npu_words.stream(DEVICES["npu2"], [far]))):
        with pytest.raises(AlloAirError, match="byte 2,147,483,648 of argument 5; in an xclbin"):
            fold()
