"""A program runs the instruction words that it holds, not those that its IR would give; a saved one runs the stored words."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import allo_air
from allo_air.errors import AlloAirError
from allo_air.sim.report_types import SimulationError
from allo_air.target.npu_words import BLOCKWRITE, PATCH, starts_of

DESIGNS = Path(__file__).parent / "designs"
A = np.arange(1024, dtype=np.int32)


@pytest.fixture(scope="module")
def program() -> Any:
    return allo_air.compile(DESIGNS / "passthrough_dmas.mlir", cache=False)


def changed(program: Any, code: int, word: int, old: int, new: int) -> Any:
    """`program` with word `word` of each instruction of a kind set to `new`, where it was `old`."""
    words = list(program.lowered.words)
    at = [s + word for s in starts_of(words) if words[s] & 0xFF == code and words[s + word] == old]
    assert at
    for index in at:
        words[index] = new
    return replace(program, lowered=replace(program.lowered, words=tuple(words)))


def copied(program: Any) -> Any:
    b = np.zeros(1024, np.int32)
    program(A.copy(), b)
    return b


def test_changed_words_are_what_runs(program: Any, tmp_path: Path) -> None:
    assert (copied(program) == A).all()
    half = changed(program, BLOCKWRITE, 4, 1024, 512)
    assert (copied(half)[:512] == A[:512]).all() and not copied(half)[512:].any()
    half.save(tmp_path / "half")
    loaded = allo_air.load(tmp_path / "half")
    assert (loaded.words == half.words).all() and loaded.text() == program.text()
    np.testing.assert_array_equal(copied(loaded), copied(half))


def test_a_finding_in_changed_words_is_at_the_operation_of_the_same_number(program: Any) -> None:
    beyond = changed(program, PATCH, 10, 0, 64)
    with pytest.raises(SimulationError, match="host-out-of-bounds") as error:
        copied(beyond)
    assert "dma_memcpy_nd" in beyond.text().split("\n")[error.value.report.findings[0].line - 1]


def test_words_of_another_length_run(program: Any) -> None:
    """Without the wait at the end, the words are fewer than the operations."""
    words = list(program.lowered.words)
    last = starts_of(words)[-1]
    words[2:4] = words[2] - 1, 4 * last
    with pytest.raises(SimulationError, match="channel-misuse"):
        copied(replace(program, lowered=replace(program.lowered, words=tuple(words[:last]))))


def test_malformed_words_are_refused(program: Any) -> None:
    words = program.lowered.words
    with pytest.raises(AlloAirError, match=r"instruction words of @\w+ are malformed: .*the header says"):
        copied(replace(program, lowered=replace(program.lowered, words=words[:-1])))
    with pytest.raises(AlloAirError, match=r"malformed: .*operation code 127 is not known"):
        copied(replace(program, lowered=replace(program.lowered, words=(*words[:4], 127, *words[5:]))))


def test_words_do_not_stand_for_several_devices(program: Any) -> None:
    arrays = [np.zeros(32, np.int32) for _ in range(3)]
    with pytest.raises(AlloAirError, match="words= are not those of @both, which loads several devices"):
        allo_air.simulate(DESIGNS / "two_devices.mlir", *arrays, sequence="both", words=program.lowered.words)
