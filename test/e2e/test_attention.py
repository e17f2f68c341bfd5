"""Attention from tensors to instruction words, run on the simulator against numpy's float64: sizes, masks, grouped heads."""

import numpy as np
import pytest

import allo_air
from allo_air.program.checks.blocks import rounded
from attention_sources import Case


def run(case: Case, device: str = "npu1", pipeline: str = "attention", **options: int) -> None:
    """|error| <= r * sum of weight * |value|, r being what roundings and the exponential make of the weights.

    In f32 scores of d products are off by d 2^-24 times their size (below 2^6 for standard normal arrays), which the
    exponential turns into a relative error of the weights; 2^-15 covers that. Results in bf16 are rounded by 2^-9 once more,
    weights as well.
    """
    arrays = case.inputs()
    program = allo_air.compile(case.source(), pipeline, device, cache=False, **options)
    result = np.asarray(program(*arrays), dtype=np.float64)
    wanted, magnitude = case.wanted(arrays)
    relative = 2.0**-15 if case.element == "f32" else 2.0**-7
    np.testing.assert_array_less(np.abs(result - wanted), relative * magnitude + 1e-30)


@pytest.mark.parametrize(
    "case",
    [
        Case(2, 37, 53, 32, 32),  # nothing divides
        Case(1, 1, 19, 32, 64),  # one query
        Case(2, 24, 40, 32, 32, "bf16", group=2, mask="causal"),
        Case(2, 24, 40, 32, 32, mask=(2, 24, 40)),
        pytest.param(Case(1, 16, 24, 32, 32, "bf16", mask=(1, 1, 24)), marks=pytest.mark.slow),
        pytest.param(Case(2, 24, 40, 32, 32, "bf16"), marks=pytest.mark.slow),
    ],
    ids=str,
)
def test_attention(case: Case) -> None:
    run(case)


@pytest.mark.parametrize("mask", ["least", "window", "near", "constant"])
def test_masks_that_are_added(mask: str) -> None:
    run(Case(1, 40, 40, 32, 32, "bf16", mask=mask), pipeline="npu")


def test_a_constant_of_bytes_selects() -> None:
    """As in PyTorch's models, whose buffer of booleans selects the scores or the least number."""
    case = Case(1, 16, 24, 32, 32, "bf16", mask="constant")
    added = "%u = arith.addf %t, %b : f32"
    chosen = """%low = arith.constant 0xFF7FFFFF : f32
    %bit = arith.trunci %b : i8 to i1
    %u = arith.select %bit, %t, %low : f32"""
    text = case.source().replace(added, chosen).replace("0xFF800000", "0").replace("0.0,", "1,").replace("0.0]", "1]")
    text = text.replace("tensor<16x24xf32>", "tensor<16x24xi8>").replace("%b: f32, %o", "%b: i8, %o")
    arrays = case.inputs()
    result = np.asarray(allo_air.compile(text, "npu", "npu2", cache=False)(*arrays), dtype=np.float64)
    wanted, magnitude = case.wanted(arrays)
    np.testing.assert_array_less(np.abs(result - wanted), 2.0**-7 * magnitude)


@pytest.mark.parametrize("device", ["npu1", "npu2"])
def test_a_mask_of_many_keys_comes_step_by_step(device: str) -> None:
    """Key, value and mask take turns in one channel: whole masks in L2 needed a buffer descriptor for each step."""
    run(Case(1, 64, 256, 64, 64, mask=(1, 1, 256)), device=device)


def test_launches_that_count_their_queries() -> None:
    """Causal attention of more queries than the cores take at a time: each launch begins with another."""
    run(Case(1, 150, 40, 32, 32, "bf16", mask="causal"), queries=8, cols=2)


@pytest.mark.slow
def test_parts_of_one_micro_tile() -> None:
    """16 queries of a core in four parts of 4, which see different numbers of blocks."""
    run(Case(1, 256, 256, 32, 32, "bf16", mask="causal"), device="npu2", queries=16, keys=64, cols=4)


@pytest.mark.slow
def test_f32_by_parts_in_parts() -> None:
    """What all queries of a core are split into is there once for all of its parts (before, this did not fit the cores)."""
    run(Case(1, 512, 64, 64, 64))


def test_one_column_has_two_channels_from_outside() -> None:
    """Queries, keys and values of several steps are three streams: products and softmax are kernels of their own there."""
    run(Case(1, 32, 48, 16, 16, "bf16"), device="npu1_1col", pipeline="npu")


CHOSEN = """%i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %c = arith.cmpi sle, %j, %i : index
    %low = arith.constant 0xFF7FFFFF : f32
    %w = arith.select %c, %t, %low : f32
    %u = arith.addf %w, %b : f32"""
"""A causal mask of the least number, and then a mask that is added."""


@pytest.mark.parametrize(
    ("device", "causal", "element"),
    [("npu2", True, "bf16"), ("npu2", False, "f32"), pytest.param("npu1", False, "bf16", marks=pytest.mark.slow)],
)
def test_rows_without_a_key_that_is_seen(device: str, causal: bool, element: str) -> None:
    """Of the keys with the greatest score the weights are equal, be it the least number; where that is -inf there are none."""
    case, least = Case(1, 24, 40, 32, 32, element, mask=(1, 24, 40)), np.finfo(np.float32).min
    q, k, v, mask = case.inputs()
    for row, (even, odd) in enumerate([(least, least), (-np.inf, -np.inf), (least, -1e38), (-np.inf, least), (-1e20, -1e20)]):
        mask[0, row, ::2], mask[0, row, 1::2] = even, odd
    body = "%u = arith.addf %t, %b : f32"
    text = case.source().replace(body, CHOSEN if causal else body)
    result = np.asarray(allo_air.compile(text, "attention", device, cache=False)(q, k, v, mask), dtype=np.float64)
    with np.errstate(over="ignore"):
        hidden = (mask + np.where(np.tri(24, 40, dtype=bool), np.float32(0), least)) if causal else mask
    with np.errstate(invalid="ignore"):
        wanted, magnitude = case.wanted([q, k, v, hidden])
    assert np.isnan(wanted).any()
    np.testing.assert_array_equal(np.isnan(result), np.isnan(wanted))
    assert not (np.abs(result - wanted) > 2.0**-7 * magnitude).any()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("case", "device", "bfp16"),
    [
        (Case(1, 512, 512, 64, 64), "npu1", False),
        (Case(1, 512, 512, 64, 64), "npu2", False),
        (Case(1, 256, 256, 128, 128), "npu1", False),
        (Case(1, 256, 256, 128, 128), "npu2", False),
        (Case(1, 512, 512, 64, 64, "bf16", mask="causal"), "npu2", True),
    ],
    ids=str,
)
def test_code_fits_the_cores(case: Case, device: str, bfp16: bool) -> None:
    program = allo_air.compile(case.source(), "attention", device, cache=False, bfp16=bfp16)
    assert max(core.bytes for core in program.estimate().code_bytes) <= 16384


@pytest.mark.slow
def test_a_larger_device() -> None:
    run(Case(1, 37, 53, 32, 32, "bf16"), "npu2")


@pytest.mark.slow
def test_several_launches_and_steps() -> None:
    run(Case(1, 64, 32, 32, 32), cols=1, queries=4, keys=8)


def test_npu_keeps_the_scores_in_the_cores() -> None:
    run(Case(2, 13, 24, 32, 32, mask="causal"), pipeline="npu")


def test_npu_multiplies_bf16_by_mac_instructions() -> None:
    run(Case(1, 24, 40, 32, 32, "bf16"), "npu2", pipeline="npu")


@pytest.mark.parametrize("mask", [pytest.param(None, marks=pytest.mark.slow), "causal"])
def test_block_floating_point(mask: str | None) -> None:
    """Beside factors that are rounded by eights, of which the wanted result knows, powers are: by 2^-7 of the greatest of eight
    keys, and as bf16."""
    case = Case(2, 64, 64, 32, 32, "bf16", mask=mask)
    arrays = case.inputs()
    program = allo_air.compile(case.source(), "npu", "npu2", cache=False, bfp16=True)
    q, k, v = (rounded(a, along) for a, along in zip(arrays, (2, 2, 1), strict=True))
    wanted, magnitude = case.wanted([q, k, v])
    weights, _ = case.wanted([q, k, np.broadcast_to(np.eye(64), (2, 64, 64))])
    most = np.repeat(weights.reshape(2, 64, 8, 8).max(-1), 8, axis=-1)
    bound = 2.0**-7 * (most @ np.abs(v.astype(np.float64)) + np.abs(wanted) * most.sum(-1, keepdims=True) + magnitude)
    result = np.asarray(program(*arrays), dtype=np.float64)
    np.testing.assert_array_less(np.abs(result - wanted), bound)
    assert np.abs(result - case.wanted(arrays)[0]).max() > 2.0**-10
