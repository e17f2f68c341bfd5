"""Results against expected arrays: which elements are wrong, by which rule, how they lie, and which result is meant."""

from typing import Any

import ml_dtypes
import numpy as np
import pytest

from allo_air.errors import AlloAirError
from allo_air.program.checks.comparison import Comparison, Tolerance, compare
from allo_air.program.checks.error_pattern import pattern
from allo_air.program.checks.results import Result, pairs_with_expected

EXACT = Tolerance()


def compared(found: Any, wanted: Any, tolerance: Tolerance = EXACT) -> Comparison:
    return compare("c", 2, found, wanted, tolerance)


def test_integers_are_equal_or_wrong() -> None:
    wanted = np.arange(12, dtype=np.int32).reshape(3, 4)
    assert compared(wanted.copy(), wanted).ok
    found = wanted.copy()
    found[1, 2] += 1
    result = compared(found, wanted)
    assert (result.wrong, result.first, result.value, result.expected) == (1, (1, 2), 7, 6)
    assert result.message == "c[1, 2] is 7, expected 6; 1 of 12 elements is wrong (integers, exact): row 1, column 2"
    assert list(result.offsets) == [24]


def test_a_wider_expected_integer_is_compared_by_value() -> None:
    assert not compared(np.array([44], np.int8), np.array([300])).ok
    assert compared(np.array([44], np.int8), np.array([44])).ok


def test_block_floating_point_is_within_a_part_of_its_own() -> None:
    wanted = np.array([128.0, 1.0], np.float32)
    assert not compared(wanted + np.float32(3.9), wanted).ok
    assert compared(wanted + np.float32(3.9), wanted, Tolerance(bfp16=True)).ok
    assert not compared(wanted + np.float32(4.1), wanted, Tolerance(bfp16=True)).ok


def test_floats_are_within_a_part_of_the_largest() -> None:
    wanted = np.array([128.0, 1.0], np.float32)
    assert compared((wanted + 0.9).astype(ml_dtypes.bfloat16), wanted).ok
    assert compared(wanted + np.float32(0.0078), wanted).ok
    assert compared(wanted + np.float32(0.0079), wanted).wrong == 2


@pytest.mark.parametrize(("rtol", "atol", "wrong"), [(0.1, None, 0), (None, 0.5, 1), (0.0, 0.0, 2), (0.01, 1.0, 0)])
def test_tolerances(rtol: float | None, atol: float | None, wrong: int) -> None:
    wanted = np.array([10.0, 1.0], np.float32)
    assert compared(wanted * np.float32(1.09), wanted, Tolerance(rtol, atol)).wrong == wrong


def test_a_tolerance_holds_for_integers_too() -> None:
    assert compared(np.array([9, 12], np.int16), np.array([10, 10]), Tolerance(atol=1)).wrong == 1


def test_nan_and_infinity_are_themselves_only() -> None:
    wanted = np.array([np.nan, np.inf, 1.0], np.float32)
    assert compared(wanted.copy(), wanted).ok
    assert compared(np.array([1.0, np.inf, 1.0], np.float32), wanted).first == (0,)
    assert compared(np.array([np.nan, -np.inf, np.nan], np.float32), wanted).wrong == 2


def test_bytes_packed_into_words_are_seen_as_what_is_expected() -> None:
    wanted = np.arange(16, dtype=np.int8).reshape(4, 4)
    found = wanted.copy()
    found[2, 3] = 99
    result = compared(found.reshape(-1).view(np.int32), wanted)
    assert (result.first, list(result.offsets)) == ((2, 3), [11])


def test_raw_bytes_of_a_saved_bf16_are_numbers() -> None:
    wanted = np.arange(4).astype(ml_dtypes.bfloat16)
    assert compared(wanted.copy(), wanted.view(np.dtype("V2"))).ok


@pytest.mark.parametrize(
    ("found", "wanted", "says"),
    [
        (np.zeros((2, 3)), np.zeros((3, 2)), "c is 2x3 of float64; the array expected is 3x2 of float64"),
        (np.zeros(4, np.int32), np.array([0, 0.5, 1, 2]), "holds integers, and the expected array fractions"),
        (np.zeros(2), np.array(["a", "b"]), "give an array of numbers"),
    ],
)
def test_what_cannot_be_compared_is_refused(found: Any, wanted: Any, says: str) -> None:
    with pytest.raises(AlloAirError, match=says):
        compared(found, wanted)


@pytest.mark.parametrize("value", [-1.0, "x", float("nan")])
def test_a_tolerance_is_a_number(value: Any) -> None:
    with pytest.raises(AlloAirError, match="rtol is"):
        Tolerance(rtol=value)


def marked(shape: tuple[int, ...], *places: Any) -> Any:
    wrong = np.zeros(shape, bool)
    for place in places:
        wrong[place] = True
    return wrong


@pytest.mark.parametrize(
    ("wrong", "text"),
    [
        (marked((4, 8), np.s_[2:4]), "rows 2 to 3, all columns"),
        (marked((4, 8), np.s_[1:3, 4:8]), "rows 1 to 2, columns 4 to 7"),
        (marked((4, 16), np.s_[:, ::2]), "all rows, columns 0, 2, ... 14, 8 times, each 2 further"),
        (marked((4, 4), (0, 0), (3, 3)), "2 of the 4 in rows 0, 3, columns 0, 3"),
        (marked((4,), np.s_[:]), "all elements"),
        (marked((64,), np.s_[7]), "element 7"),
        (marked((2, 2, 4), np.s_[1, :, 2]), "dimension 0: 1, dimension 1: all 2, dimension 2: 2"),
    ],
)
def test_patterns(wrong: Any, text: str) -> None:
    assert pattern(wrong) == text


@pytest.mark.parametrize(
    ("found", "says"),
    [
        (np.zeros((4, 4), np.int32), "all of them hold 0"),
        (np.arange(1, 17, dtype=np.int32).reshape(4, 4).T, "the result is the transpose of the expected one"),
        (np.roll(np.arange(1, 17, dtype=np.int32), -2).reshape(4, 4), "they have the values expected 2 elements further on"),
        (np.roll(np.arange(1, 17, dtype=np.int32), 4).reshape(4, 4), "they have the values expected 4 elements before"),
    ],
)
def test_what_they_hold_instead(found: Any, says: str) -> None:
    assert compared(found, np.arange(1, 17, dtype=np.int32).reshape(4, 4)).instead == says


IN, OUT, MORE = (
    Result(0, ("a", "argument 0"), np.zeros(1)),
    Result(1, ("b", "argument 1"), np.zeros(1)),
    Result(2, ("c",), None),
)


def test_which_result_is_meant() -> None:
    array = np.ones(1)
    everything = [IN, OUT, MORE]
    assert pairs_with_expected(array, everything, [OUT]) == [(OUT, array)]
    assert pairs_with_expected([None, array], everything, [OUT, MORE]) == [(MORE, array)]
    for key in ("b", "%b", "argument 1", "1", 1):
        assert pairs_with_expected({key: array}, everything, [OUT, MORE]) == [(OUT, array)]


@pytest.mark.parametrize(
    ("expect", "results", "says"),
    [
        (1, [OUT, MORE], r"one array is expected, and there are 2 \(b, c\); name the one"),
        (1, [], "there is no result"),
        ([1, 2], [OUT], r"expect has 2 arrays, and there is 1 \(b\)"),
        ({"d": 1}, [OUT], r"unknown result 'd' .*there are 3 \(a, b, c\), by number 0, 1, 2"),
    ],
)
def test_what_is_not_clear_is_refused(expect: Any, results: Any, says: str) -> None:
    with pytest.raises(AlloAirError, match=says):
        pairs_with_expected(expect, [IN, OUT, MORE], results)


def test_results_of_another_machine() -> None:
    wanted = np.array([1.0, 1000.0], np.float32)
    undefined = np.array([np.nan, np.inf, 1.0], np.float32)
    for found, other, right in (
        (wanted + np.float32(0.01), wanted, True),
        (wanted + np.float32(1.0), wanted, False),
        (np.array([1, 3]), np.array([1, 2]), False),
        (undefined, undefined, True),
        (np.array([1.0, np.inf, 1.0], np.float32), undefined, False),
    ):
        assert compare("result 0", 0, found, other, Tolerance()).ok == right
